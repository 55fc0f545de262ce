"""`init` adds what is missing and touches nothing that is there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from vademecum.core.provenance import Actor
from vademecum.workspace.workspace import Workspace
from vademecum.writing.scaffold import init


def state_of(root: Path) -> dict[str, tuple[bytes, int, int]]:
    return {
        str(path): (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino)
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


@pytest.mark.req("F-04")
@pytest.mark.parametrize("profile", ["standard", "openclaw", "nanoclaw", "vault", "gitmem"])
def test_a_second_run_changes_nothing(
    make_workspace: Callable[..., Workspace], actor: Actor, profile: str
) -> None:
    workspace = make_workspace(profile=profile)
    first = init(workspace, actor=actor)
    assert ("AGENTS.md" in first.created) == (profile != "nanoclaw")  # there the host composes it
    assert first.kept == ("vade.toml",)
    before = state_of(workspace.root)
    recorded = len(list(workspace.ledger.changes()))
    second = init(workspace, actor=actor)
    assert second.created == () and set(second.kept) == {*first.created, "vade.toml"}
    assert state_of(workspace.root) == before
    assert len(list(workspace.ledger.changes())) == recorded == len(first.created)


@pytest.mark.req("F-04")
def test_files_that_are_there_are_kept_under_any_spelling(
    workspace: Workspace, actor: Actor
) -> None:
    (workspace.root / "agents.md").write_text("mine, spelled small")
    (workspace.root / "NOW.md").write_text("mine")
    (workspace.root / "MEMORY.md").symlink_to("NOW.md")
    done = init(workspace, actor=actor)
    assert {"AGENTS.md", "NOW.md", "MEMORY.md"} <= set(done.kept)
    assert (workspace.root / "NOW.md").read_text() == "mine"
    assert (workspace.root / "agents.md").read_text() == "mine, spelled small"
    assert not (workspace.root / "AGENTS.md").exists()
