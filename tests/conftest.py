"""No test looks at a clock, or at the configuration or state of whoever runs it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session", autouse=True)
def _nobodys_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    kept = dict(os.environ)
    for name in [name for name in os.environ if name.startswith("VADE_")]:
        del os.environ[name]
    home = tmp_path_factory.mktemp("home")
    os.environ["XDG_STATE_HOME"] = str(home / "state")
    os.environ["XDG_CONFIG_HOME"] = str(home / "config")
    yield
    os.environ.clear()
    os.environ.update(kept)
