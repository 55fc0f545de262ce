"""What a question stands on."""

from __future__ import annotations

import pytest

from vademecum.recall.search import Tuning
from vademecum.service.asking import tuning_of
from vademecum.workspace.keys import SearchSettings


@pytest.mark.req("R-02")
def test_the_default_configuration_is_the_one_that_was_measured() -> None:
    assert tuning_of(SearchSettings()) == Tuning()
