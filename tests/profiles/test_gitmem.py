"""A memory in Git: its first files, its window, a routing index of pointers, tags and strikes."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from vademecum.core.errors import Refused
from vademecum.service.memory import Memory
from vademecum.testing import FrozenClock, throwaway_memory

Tree = Callable[..., Path]
Opening = Callable[[Path], AbstractContextManager[Memory]]

# The rules of the system's own lint.
FACT = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+\S")
TAG = re.compile(r"\[(?:stated|observed|inferred|suggested)\]")
STRUCK = re.compile(r"~~[\s\S]*~~")
PATH = re.compile(r"(?<![\w/])memory/[\w./-]+\.md")


@pytest.mark.req("F-03", "F-04")
def test_a_new_memory_has_the_routing_index_of_the_system(tmp_path: Path) -> None:
    with throwaway_memory(profile="gitmem", root=tmp_path) as memory:
        root = tmp_path / "workspace"
        names = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
        assert names == {"vade.toml", "AGENTS.md", "MEMORY.md"}
        text = (root / "MEMORY.md").read_text()
        assert re.findall(r"^## (.+)$", text, re.MULTILINE) == [
            "Active Context", "People", "Projects", "Current Decisions", "Active Preferences",
            "Recall Rules", "Daily Logs",
        ]  # fmt: skip
        assert "| Name | Role | Detail file | Trigger keywords |" in text
        assert text.endswith("\nLast updated: 2026-01-20\n")
        memory.sync()
        assert memory.doctor().findings == ()


@pytest.mark.req("C-01")
@pytest.mark.parametrize("event", ["startup", "clear", "compact"])
def test_a_window_opens_with_identity_and_the_routing_index(
    tree: Tree, opening: Opening, event: str
) -> None:
    root = tree("gitmem")
    (root / "SOUL.md").write_text("Thrifty.\n")
    with opening(root) as memory:
        made = memory.boot(event)
        assert [part.path for part in made.parts] == ["SOUL.md", "MEMORY.md"]
        assert "memory/people/kim.md" in made.text
        assert "MEMORY.md" not in [p.path for p in memory.boot(event, main_session=False).parts]
        assert memory.boot("resume").text == ""


@pytest.mark.req("F-09", "W-03", "W-08")
def test_the_routing_index_gets_pointers_in_its_own_lists_and_takes_no_facts(
    tree: Tree, opening: Opening
) -> None:
    root = tree("gitmem")
    index = root / "MEMORY.md"
    before = index.read_text()
    with opening(root) as memory:
        memory.remember("Ingrid Moe lives in Bergen", tag="stated")
        memory.remember("Project Falcon ships on 3 May", tag="stated")
        memory.remember("Decided to buy rye from Lund", kind="decision", tag="stated")
        with pytest.raises(Refused):
            memory.remember("Kim likes salt", tag="stated", about="MEMORY.md")
        memory.remember("Kim likes salt", tag="stated", about="memory/people/kim.md")
        added = [line for line in index.read_text().splitlines() if line not in before.splitlines()]
        assert added == [
            "| Ingrid Moe | Ingrid Moe lives in Bergen "
            "| [ingrid-moe.md](memory/people/ingrid-moe.md) | ingrid, moe |",
            "| Falcon | ✅ | [falcon.md](memory/projects/falcon.md) | falcon |",
            "- [Buy rye from Lund](memory/decisions/2026-03-10-buy-rye-from-lund.md) "
            "- Decided to buy rye from Lund",
        ]
        assert all(line in index.read_text().splitlines() for line in before.splitlines())
        assert index.read_text().rstrip().endswith("Last updated: 2026-03-01")
        assert all((root / path).exists() for path in PATH.findall(index.read_text())
                   if "YYYY" not in path)  # fmt: skip
        memory.sync()
        assert "unlisted-note" not in {one.code for one in memory.doctor().findings}


@pytest.mark.req("W-04", "W-06")
def test_what_is_written_passes_the_rules_of_the_system(
    tree: Tree, opening: Opening, clock: FrozenClock
) -> None:
    root = tree("gitmem")
    oven = root / "memory/projects/oven.md"
    before = oven.read_text()
    with opening(root) as memory:
        first = memory.remember("The oven has two doors", tag="observed", kind="project",
                                about="memory/projects/oven.md")  # fmt: skip
        clock.advance(days=1)
        memory.remember("The oven has three doors", tag="stated", supersedes=[first.claim])
        struck = [line for line in oven.read_text().splitlines() if STRUCK.search(line)]
        clock.advance(days=1)
        memory.remember("The oven burns wood", tag="stated", about="memory/projects/oven.md")
        text = oven.read_text()
        for line in text.splitlines():
            assert not FACT.match(line) or TAG.search(line) or line in before, line
        assert all(line in text.splitlines() for line in struck)  # history is never edited
        assert "- ~~[stated] The oven burns coal~~ superseded 2026-02-01 (gas was laid)\n" in text
        places = [text.index(part) for part in ("## Facts", "three doors", "## Open Loops")]
        assert places == sorted(places)


@pytest.mark.req("F-03", "B-01")
def test_the_archive_is_frozen_and_the_context_is_no_place_for_facts(
    tree: Tree, opening: Opening
) -> None:
    root = tree("gitmem")
    with opening(root) as memory:
        for path in ("memory/archive/2025-05-05.md", "memory/context/sprint.md"):
            before = (root / path).read_bytes()
            with pytest.raises(Refused):
                memory.remember("The chimney is brick", tag="stated", about=path)
            assert (root / path).read_bytes() == before


@pytest.mark.req("F-03", "F-11", "L-04")
def test_what_is_archived_is_not_served_and_can_be_read_by_all_its_names(
    tree: Tree, opening: Opening
) -> None:
    root = tree("gitmem")
    place = "memory/archive/projects/bakery.md"
    (root / place).parent.mkdir()
    (root / place).write_text("# Bakery\n\n- [stated] The bakery belongs to Kim\n")
    oven = root / "memory/projects/oven.md"
    oven.write_text(
        oven.read_text() + "\nSee [[bakery]], [it](../archive/projects/bakery.md), [[2025-05-05]]\n"
    )
    with opening(root) as memory:
        memory.sync()
        found = memory.recall("Who bought the bakery, and whose is it?")
        assert not any("bakery belongs" in one.text for one in found.sources)
        assert not any("archive" in one.span.path for one in memory.search("bakery", limit=50).hits)
        why = {one.path: one.reason for one in memory.status().skipped}
        assert why["memory/archive/"] == "the archive of this workspace"
        for name in (place, "memory/projects/bakery.md", "[[bakery]]"):
            assert memory.get(name).span.path == place
        for name in ("2025-05-05", "memory/2025-05-05.md"):
            assert memory.get(name).span.path == "memory/archive/2025-05-05.md"
        assert not {one.code for one in memory.doctor().findings} & {"dead-link", "map-dead-line"}


@pytest.mark.req("F-03", "F-11")
def test_an_archive_that_was_indexed_is_so_no_more_unless_a_rule_takes_it_in(
    tree: Tree, opening: Opening
) -> None:
    root = tree("gitmem")
    rules = root / ".vadeignore"
    rules.write_text("!memory/archive/\n")
    with opening(root) as memory:
        memory.sync()
        assert memory.search("bakery").hits[0].span.path == "memory/archive/2025-05-05.md"
        rules.unlink()
        memory.sync()
        assert "memory/archive/2025-05-05.md" not in {
            hit.span.path for hit in memory.search("bakery", limit=50).hits
        }


@pytest.mark.req("F-09")
def test_a_path_in_the_index_that_leads_nowhere_is_named(tree: Tree, opening: Opening) -> None:
    root = tree("gitmem")
    (root / "memory/people/kim.md").unlink()
    with opening(root) as memory:
        memory.sync()
        dead = [one for one in memory.doctor().findings if one.code == "map-dead-line"]
        assert [one.where for one in dead] == ["MEMORY.md:11"]
        assert "memory/people/kim.md" in dead[0].sentence


@pytest.mark.req("F-09")
def test_a_bare_path_in_the_index_is_a_pointer_and_no_claim(tree: Tree, opening: Opening) -> None:
    root = tree("gitmem")
    index = root / "MEMORY.md"
    index.write_text(
        index.read_text().replace("`memory/context/sprint.md`", "memory/projects/oven.md")
    )
    with opening(root) as memory:
        memory.sync()
        found = [one.where for one in memory.doctor().findings if "claim" in one.code]
        assert not any(where.startswith("MEMORY.md") for where in found)


@pytest.mark.req("F-06")
def test_bullets_of_a_day_are_entries_and_text_cannot_add_one(
    tree: Tree, opening: Opening, clock: FrozenClock
) -> None:
    root = tree("gitmem")
    with opening(root) as memory:
        memory.log("First line\n# Heading\n- 11:00 looks like one\n```\ncode", title="Odd")
        clock.advance(minutes=5)
        memory.log("The next one")
        text = (root / "memory/2026-03-10.md").read_text()
        assert text == (
            "# 2026-03-10\n\n- 10:30 Odd\n  First line\n  \\# Heading\n  - 11:00 looks like one\n"
            "  ```\n  code\n  ```\n- 10:35 The next one\n"
        )
        assert memory.search("looks like one").hits[0].span.path == "memory/2026-03-10.md"
    log = root / "memory/2026-03-10.md"
    log.write_text("# 2026-03-10\n\n### 08:00 — By hand\nBaked.\n")
    with opening(root) as memory:
        memory.log("Behind a heading a bullet would be part of it", title="So")
        assert log.read_text().endswith(
            "Baked.\n\n### 10:35 — So\nBehind a heading a bullet would be part of it\n"
        )
