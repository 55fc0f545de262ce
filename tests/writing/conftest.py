"""A workspace in a temporary directory, at a frozen time, and somebody who writes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

from vademecum.core.provenance import Actor
from vademecum.markdown.lines import decode
from vademecum.markdown.maps import read_map
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


@pytest.fixture
def said() -> Callable[[Workspace, str], str]:
    """Return the text of a file of a workspace."""

    def text(workspace: Workspace, path: str) -> str:
        return decode(workspace.files.read(path).data).text

    return text


@pytest.fixture
def reachable(said: Callable[[Workspace, str], str]) -> Callable[[Workspace], set[str]]:
    """Return every file of a workspace that links lead to, from the top map on."""

    def walk(workspace: Workspace) -> set[str]:
        profile = workspace.profile
        waiting = [profile.map_path or profile.core_path]
        seen: set[str] = set()
        while waiting:
            path = waiting.pop()
            if path in seen or workspace.stamp_of(path) is None:
                continue
            seen.add(path)
            for entry in read_map(said(workspace, path)):
                target = entry.target if entry.target.endswith(".md") else f"{entry.target}.md"
                waiting.append(os.path.normpath(PurePosixPath(path).parent / target).lstrip("/"))
        return seen

    return walk
