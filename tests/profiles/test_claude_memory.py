"""Auto-memory of Claude Code opened where it is, and a workspace that Claude Code writes into."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from vademecum.service.memory import Memory, init, open_memory
from vademecum.testing import FrozenClock, small_embedder

INDEX = """\
- [Testing](feedback_testing.md) — run the whole suite before a push
- [Role](user-role.md) - who the user is
- [Gone](gone.md) – the staging host is gamma
"""
TOPICS = {
    "feedback_testing.md": (
        "---\nname: Testing habits\ndescription: Run everything before a push\n"
        "type: feedback\n---\n\nRun the whole suite before each push.\n\n"
        "**Why:** the nightly broke twice.\n\n**How to apply:** use `just test`.\n"
    ),
    "user-role.md": (
        "---\nname: backend-engineer\ndescription: who they are\nmetadata:\n  type: user\n"
        "modified: 2026-01-04T10:00:00Z\n---\n\n"
        "The user is a backend engineer. See [[Testing habits]] and [[not-written-yet]].\n"
    ),
    "unlisted.md": (
        "---\nname: api\ndescription: Where the API is\nmetadata:\n  type: reference\n---\n\n"
        "The API is at v2. It was found by [[backend-engineer]].\n"
    ),
}
Opened = Callable[[], Memory]


@pytest.fixture
def lay(tmp_path: Path) -> Callable[[Mapping[str, str]], Path]:
    def write(files: Mapping[str, str]) -> Path:
        root = tmp_path / "memory"
        root.mkdir(exist_ok=True)
        for path, text in files.items():
            (root / path).write_text(text, "utf-8")
        return root

    return write


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    return lambda: open_memory(
        tmp_path / "memory",
        clock=FrozenClock(),
        embedder=small_embedder(),
        settings={"state.directory": str(tmp_path / "state"), "workspace.zone": "UTC"},
        variables={},
    )


def texts(root: Path) -> dict[str, str]:
    return {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*.md")}


@pytest.mark.req("B-06")
def test_both_generations_are_found_and_no_byte_changes(
    lay: Callable[[Mapping[str, str]], Path], opened: Opened
) -> None:
    files = {"MEMORY.md": INDEX, **TOPICS}
    root = lay(files)
    with opened() as memory:
        for question, path in (
            ("what must run before a push?", "feedback_testing.md"),
            ("is the user a backend engineer?", "user-role.md"),
            ("where is the API?", "unlisted.md"),
        ):
            assert path in {source.span.path for source in memory.recall(question).sources}
        assert memory.get("[[backend-engineer]]").span.path == "user-role.md"
        found = {
            (one.code, one.where)
            for one in memory.doctor().findings
            if one.code not in ("index-behind", "vectors-missing")
        }
    assert found == {
        ("dead-link", "user-role.md:9"),
        ("map-dead-line", "MEMORY.md:3"),
        ("unlisted-note", "unlisted.md"),
    }
    assert texts(root) == files


@pytest.mark.req("B-06")
def test_what_is_remembered_gets_a_line_of_the_index_in_its_own_form(
    lay: Callable[[Mapping[str, str]], Path], opened: Opened
) -> None:
    root = lay({"MEMORY.md": INDEX, **TOPICS})
    with opened() as memory:
        memory.remember("The user prefers tabs over spaces", tag="stated")
        memory.remember("The staging host is gamma", tag="observed")
        memory.log("Looked at the gate", title="Gate")
        memory.now("# Now\n")
    index = (root / "MEMORY.md").read_text()
    added = index.removeprefix(INDEX).splitlines()
    assert index.startswith(INDEX), "no line of Claude's is touched"
    assert added == [
        "- [User preferences](preferences/user-preferences.md) — The user prefers tabs over spaces",
        "- [Staging host](facts/staging-host.md) — The staging host is gamma",
    ]
    assert all((root / path).read_text() == text for path, text in TOPICS.items())
    with opened() as memory:  # what was written there makes it no other kind of tree
        memory.remember("The staging host is now delta", tag="observed")
        assert memory.recall("which is the staging host?").sources[0].text.find("delta") > 0
        codes = {one.code for one in memory.doctor().findings}
    assert (root / "MEMORY.md").read_text().count("staging-host.md") == 1
    assert codes <= {
        "dead-link",
        "map-dead-line",
        "unlisted-note",
        "index-behind",
        "vectors-missing",
    }
    assert not (root / "memory").exists()


@pytest.mark.req("B-06")
def test_an_index_of_two_hundred_lines_is_full(
    lay: Callable[[Mapping[str, str]], Path], opened: Opened
) -> None:
    full = "".join(f"- [T{n}](t{n}.md) — hook {n}\n" for n in range(200))
    root = lay({"MEMORY.md": full, **{f"t{n}.md": f"# T{n}\n" for n in range(200)}})
    with opened() as memory:
        memory.remember("The staging host is gamma", tag="observed")
    index = (root / "MEMORY.md").read_text()
    assert index.startswith(full) and "facts/index.md" in index
    assert "staging-host.md" in (root / "facts" / "index.md").read_text()


@pytest.mark.req("B-06")
def test_claude_code_may_write_into_a_workspace(tmp_path: Path, opened: Opened) -> None:
    root = tmp_path / "memory"
    init(
        root,
        clock=FrozenClock(),
        settings={"state.directory": str(tmp_path / "state"), "workspace.zone": "UTC"},
        variables={},
    )
    with (root / "MEMORY.md").open("a") as file:
        file.write("\n" + INDEX)
    for path, text in TOPICS.items():
        (root / path).write_text(text)
    before = texts(root)
    with opened() as memory:
        assert memory.recall("what must run before a push?").sources[0].span.path == (
            "feedback_testing.md"
        )
        found = {one.where for one in memory.doctor().findings if one.code == "dead-link"}
        assert found == {"MEMORY.md:8", "user-role.md:9"}
        assert texts(root) == before
        memory.remember("The staging host is gamma", tag="observed")
    assert all(texts(root)[path] == text for path, text in before.items() if "index" not in path)
