"""A workspace in a temporary directory, at a frozen time, and somebody who writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from vademecum.core.provenance import Actor
from vademecum.testing import FrozenClock
from vademecum.workspace.workspace import Workspace, create_workspace


@pytest.fixture
def actor() -> Actor:
    return Actor("ada", "session-1")


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock("2026-01-20T10:30:00")


@pytest.fixture
def make_workspace(tmp_path: Path) -> Callable[..., Workspace]:
    def make(
        clock: FrozenClock | None = None, zone: str = "UTC", profile: str = "standard"
    ) -> Workspace:
        root = tmp_path / "workspace"
        root.mkdir(exist_ok=True)
        (root / "vade.toml").write_text(
            f'[workspace]\nid = "w"\nprofile = "{profile}"\nzone = "{zone}"\n'
        )
        variables = {"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
        return create_workspace(root, variables=variables, clock=clock or FrozenClock())

    return make


@pytest.fixture
def workspace(make_workspace: Callable[..., Workspace], clock: FrozenClock) -> Workspace:
    return make_workspace(clock)
