"""A list of strings comes back from its column as it was, whatever is in it."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vademecum.backends.sqlite.lists import read, written

pytestmark = pytest.mark.req("I-04")


@given(st.lists(st.text()))
@example([])
@example([""])
@example(['a", "b', "c"])
@example(["\\", '"', ", "])
@example(["部署", "a, b", "["])
def test_what_was_written_is_read(items: list[str]) -> None:
    assert read(written(items)) == tuple(items)


def test_what_is_no_list_is_an_error() -> None:
    with pytest.raises(ValueError, match="Expecting"):
        read("[nonsense")
