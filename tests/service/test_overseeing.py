"""Overseeing memory through its own verbs: forgetting with proof, taking back, Git behind it."""

from __future__ import annotations

import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from vademecum.core.errors import BadInput, InvalidPath, NoteNotFound, Refused
from vademecum.service.memory import Memory, open_memory
from vademecum.testing import FrozenClock, small_embedder, throwaway_memory

FACT = "Zaphod keeps the heliotrope key under the third flowerpot"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with throwaway_memory(root=tmp_path) as opened:
        yield opened


def write(tmp_path: Path, path: str, text: str) -> None:
    file = tmp_path / "workspace" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def git(tmp_path: Path, *arguments: str) -> str:
    environment = {"PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(tmp_path)}
    done = subprocess.run(
        ["git", "-c", "user.name=O", "-c", "user.email=o@example.org", *arguments],
        cwd=tmp_path / "workspace",
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    return done.stdout


@pytest.mark.req("B-03")
def test_forgotten_is_gone_from_files_words_meaning_and_every_byte_of_the_index(
    memory: Memory, tmp_path: Path
) -> None:
    write(tmp_path, "memory/keys.md", f"# Keys\n\n- [stated] {FACT} ^c7f3a1\n- Another ^d1d1d1\n")
    memory.log(f"Heard that {FACT}.")
    memory.sync()
    assert memory.search("heliotrope key").hits
    done = memory.forget("^c7f3a1", purge=True, reason="asked for")
    assert done.remains == ()
    assert len(done.proof) == 6
    for leg in ("keyword", "semantic"):
        hits = memory.search("heliotrope key", leg=leg).hits
        assert not any("heliotrope" in hit.text for hit in hits)
    memory.close()
    held = [
        file
        for place in ("workspace", "state")
        for file in (tmp_path / place).rglob("*")
        if file.is_file() and b"heliotrope" in file.read_bytes()
    ]
    assert held == []


@pytest.mark.req("B-03")
def test_old_versions_can_be_purged_later_by_the_tombstone(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, "memory/keys.md", f"# Keys\n\n- [stated] {FACT} ^c7f3a1\n- Another ^d1d1d1\n")
    memory.log(f"Heard that {FACT}.")
    stone = memory.forget("^c7f3a1").stone
    assert memory.forget(stone, purge=True).versions == 3
    assert memory.forget(stone, purge=True).versions == 0
    memory.close()
    stored = list((tmp_path / "state").rglob("blobs/*/*"))
    assert stored
    for file in (*stored, *(tmp_path / "state").rglob("*.jsonl")):
        data = file.read_bytes()
        assert b"heliotrope" not in (zlib.decompress(data[1:]) if data[:1] == b"z" else data)


@pytest.mark.req("B-03")
def test_what_was_forgotten_is_refused_until_that_is_taken_back(
    memory: Memory, tmp_path: Path
) -> None:
    write(tmp_path, "memory/keys.md", f"# Keys\n\n- [stated] {FACT} ^c7f3a1\n- Another ^d1d1d1\n")
    stone = memory.forget("^c7f3a1").stone
    with pytest.raises(Refused, match="forgotten on 2026-01-20"):
        memory.log(FACT)
    memory.undo(stone)
    assert memory.search("heliotrope", leg="keyword").hits
    memory.log(FACT)


@pytest.mark.req("B-03")
def test_a_plan_names_every_place_and_changes_nothing(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, "memory/keys.md", f"# Keys\n\n- [stated] {FACT} ^c7f3a1\n")
    memory.log(f"{FACT}!")
    writes = memory.history()
    shown = memory.forget(FACT, dry_run=True)
    assert shown.needs_ids
    assert {place.span.path for place in shown.places} == {
        "memory/keys.md",
        "memory/2026-01-20.md",
    }
    assert memory.history() == writes


@pytest.mark.req("B-03")
def test_git_history_is_named_as_what_remains_with_what_rewrites_it(
    memory: Memory, tmp_path: Path
) -> None:
    write(tmp_path, "memory/keys.md", f"# Keys\n\n- [stated] {FACT} ^c7f3a1\n- B ^d1d1d1\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "notes")
    done = memory.forget("^c7f3a1", purge=True)
    (remains,) = done.remains
    assert "in Git" in remains.where
    assert "git filter-repo --replace-text" in remains.remedy
    assert FACT not in remains.remedy


@pytest.mark.req("B-03")
def test_a_session_is_taken_back_by_name(tmp_path: Path) -> None:
    with throwaway_memory(root=tmp_path) as memory:
        memory.log("Stays.")
    settings: dict[str, str | int | float | bool | tuple[str, ...]] = {
        "state.directory": str(tmp_path / "state"),
        "actor.session": "s9",
    }
    with open_memory(
        tmp_path / "workspace",
        clock=FrozenClock(),
        embedder=small_embedder(),
        settings=settings,
        variables={},
    ) as memory:
        memory.log("Goes.")
        done = memory.undo(session="s9")
        assert len(done.written) == 1
        assert [c.verb for c in memory.history(session="s9", since="2026-01-20")] == ["undo", "log"]
        with pytest.raises(BadInput):
            memory.undo()
    log = (tmp_path / "workspace/memory/2026-01-20.md").read_text()
    assert "Stays." in log
    assert "Goes." not in log


@pytest.mark.req("B-02")
def test_what_a_memory_wrote_is_committed_when_it_is_closed(memory: Memory, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    with pytest.raises(Refused), throwaway_memory(root=tmp_path / "elsewhere") as other:
        other.git("setup")
    assert memory.git().commits is False
    assert len(memory.git("setup").did) == 3
    memory.log("Into history.")
    standing = memory.git()
    assert standing.waiting == 1
    assert memory.status().git == "1 not committed yet"
    (tmp_path / "workspace/.git/index.lock").write_text("")
    memory.close()
    with open_again(tmp_path) as again:
        assert "index.lock" in again.status().git
        assert "git-waiting" in {finding.code for finding in again.doctor().findings}
        (tmp_path / "workspace/.git/index.lock").unlink()
        assert again.git("commit").did == ("made 1 commit(s) of 1 write(s)",)
        assert again.status().git == "everything that was written is committed"
    assert "Into history." in git(tmp_path, "show", "HEAD")


def open_again(tmp_path: Path) -> Memory:
    return open_memory(
        tmp_path / "workspace",
        clock=FrozenClock(),
        embedder=small_embedder(),
        settings={"state.directory": str(tmp_path / "state")},
        variables={"PATH": "/usr/bin:/bin"},
    )


@pytest.mark.req("B-03")
def test_the_history_of_a_folder_is_that_of_what_is_in_it(memory: Memory) -> None:
    memory.log("hello")
    memory.now("plan")
    assert {change.path for change in memory.history("memory/") if change.verb == "log"} == {
        "memory/2026-01-20.md"
    }
    assert all(change.path.startswith("memory/") for change in memory.history("memory"))
    assert len(memory.history(".", limit=100)) == len(memory.history(limit=100))


@pytest.mark.req("B-03")
def test_the_history_of_a_file_that_never_was_is_an_error(memory: Memory, tmp_path: Path) -> None:
    memory.now("plan")
    (tmp_path / "workspace" / "NOW.md").unlink()
    assert memory.history("./NOW.md"), "a removed file has its history"
    (tmp_path / "workspace" / "by-hand.md").write_text("by hand")
    assert memory.history("by-hand.md") == ()
    with pytest.raises(NoteNotFound, match="nothing was ever written"):
        memory.history("nope.md")
    with pytest.raises(InvalidPath):
        memory.history("../nope.md")


@pytest.mark.req("B-03", "F-09")
def test_any_change_of_a_call_leaves_the_map_in_step_when_it_is_taken_back(
    memory: Memory, tmp_path: Path
) -> None:
    folder = tmp_path / "workspace" / "memory" / "facts"
    text = "The booking service listens on port 8080"
    for role in ("map", "note"):
        memory.remember(text, tag="stated")
        changes = [change for change in memory.history(limit=3) if change.verb == "remember"]
        maps = [change for change in changes if change.path.endswith("index.md")]
        notes = [change for change in changes if change not in maps]
        assert "8080" in (folder / "index.md").read_text()
        memory.undo((maps if role == "map" else notes)[0].id)
        assert "8080" not in "".join(one.text for one in memory.recall("booking").sources), role
        assert list(folder.iterdir()) == [], role
        assert "facts/" not in (folder.parent / "index.md").read_text(), role


@pytest.mark.req("B-03", "F-04")
def test_taking_back_all_of_an_actor_leaves_the_first_files(memory: Memory, tmp_path: Path) -> None:
    first = sorted((tmp_path / "workspace").rglob("*.md"))
    memory.log("hello")
    by = memory.history(limit=1)[0].actor
    memory.undo(actor=by)
    assert set(first) <= set((tmp_path / "workspace").rglob("*.md"))
    assert (tmp_path / "workspace" / "vade.toml").exists()
    init = next(change for change in memory.history(limit=50) if change.path == "memory/index.md")
    memory.undo(init.id)
    assert not (tmp_path / "workspace" / "memory" / "index.md").exists()
    assert (tmp_path / "workspace" / "AGENTS.md").exists(), "one first file is one write"
