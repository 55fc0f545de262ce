"""A nanoclaw tree: its three fixed files, its window of two, core memory inside of the map."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from vademecum.core.errors import Refused
from vademecum.markdown.frontmatter import read
from vademecum.service.memory import Memory
from vademecum.testing import FrozenClock, throwaway_memory

Tree = Callable[..., Path]
Opening = Callable[[Path], AbstractContextManager[Memory]]


@pytest.mark.req("F-03", "F-04", "F-10")
def test_a_new_tree_has_three_files_and_nothing_of_the_host(tmp_path: Path) -> None:
    with throwaway_memory(profile="nanoclaw", root=tmp_path) as memory:
        root = tmp_path / "workspace"
        names = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
        assert names == {
            "vade.toml", "memory/index.md", "memory/system/index.md",
            "memory/system/definition.md",
        }  # fmt: skip
        index = (root / "memory/index.md").read_text()
        assert dict(read(index).values) == {"okf_version": "0.1"}
        assert re.findall(r"^#+ .+$", index, re.MULTILINE) == [
            "# Memory Index", "## Core Memory", "## Map"
        ]  # fmt: skip
        assert re.findall(r"^- .*$", index, re.MULTILINE) == [
            "- [How this memory is kept](system/definition.md) - "
            "What is remembered, where it goes and how it stays true"
        ]
        system = (root / "memory/system/index.md").read_text()
        assert system.startswith("# Memory System\n\n- [")
        definition = (root / "memory/system/definition.md").read_text()
        assert dict(read(definition).values) == {"type": "system"}
        assert re.findall(r"^#+ .+$", definition, re.MULTILINE) == [
            "# Agent Memory System", "## Open Knowledge Format", "## What to remember",
            "## Where it goes", "## Keep it true",
        ]  # fmt: skip
        memory.sync()
        assert memory.doctor().findings == ()


@pytest.mark.req("C-01")
@pytest.mark.parametrize("event", ["startup", "clear", "compact"])
def test_a_window_opens_with_map_and_doctrine_within_sixteen_thousand_units_each(
    tree: Tree, opening: Opening, event: str
) -> None:
    root = tree("nanoclaw")
    with opening(root) as memory:
        made = memory.boot(event)
        assert [part.path for part in made.parts] == [
            "memory/index.md", "memory/system/definition.md"
        ]  # fmt: skip
        assert made.text.split("\n")[1] == "## Memory"
        for said in (
            "- `memory/index.md`: ", "- `memory/system/definition.md`: ", "authoritative",
            "Open Knowledge Format", "### memory/index.md\n", "harbour pilot", "whisper",
        ):  # fmt: skip
            assert (said in made.text) == (said != "whisper")
        group = memory.boot(event, main_session=False)
        assert "harbour pilot" in group.text  # the group's own
        assert memory.boot("resume").text == ""
        (root / "memory/index.md").write_text("x" * 15_999 + "🦉" * 9)
        cut = memory.boot(event).parts[0]
        assert cut.text == (
            "x" * 15_999 + "\n[truncated: slim this file and move detail into linked memory files]"
        )


@pytest.mark.req("W-02", "F-09")
def test_the_first_core_fact_replaces_the_note_that_waits_for_it(
    tmp_path: Path, clock: FrozenClock
) -> None:
    with throwaway_memory(profile="nanoclaw", root=tmp_path, clock=clock) as memory:
        index = tmp_path / "workspace/memory/index.md"
        done = memory.remember("Ines is the user", tag="stated", about="memory/index.md")
        text = index.read_text()
        assert "Nothing yet" not in text
        assert (
            f"## Core Memory\n\n- [stated] Ines is the user (2026-03-10) ^{done.claim}\n\n## Map\n"
            in text
        )
        assert dict(read(text).values) == {"okf_version": "0.1"}
        assert memory.remember("Ines is the user", tag="stated").claim == done.claim
        memory.remember("The crane is yellow", tag="stated")
        assert "(facts/index.md)" in index.read_text()
        told = memory.recall("Which name has the user, Ines?").sources
        assert "memory/index.md" in [one.span.path for one in told if "Ines" in one.text]


@pytest.mark.req("F-08", "F-09", "F-10")
def test_a_concept_has_type_first_and_a_line_in_the_index_of_its_folder(
    tree: Tree, opening: Opening
) -> None:
    root = tree("nanoclaw")
    before = (root / "memory/index.md").read_text()
    with opening(root) as memory:
        done = memory.remember("The quay is granite", tag="stated")
        note = (root / done.span.path).read_text()
        assert next(iter(read(note).values)) == "type"
        assert (root / "memory/index.md").read_text().startswith(before)
        folder = done.span.path.rpartition("/")[0]
        assert f"({done.span.path.rpartition('/')[2]})" in (root / folder / "index.md").read_text()
        log = memory.log("Moored at noon.", title="Mooring")
        assert (root / log.path).read_text().startswith("---\ntype: log\n---\n\n# 2026-03-10\n")
        # An edit in a note of theirs keeps every key, and what stands around it.
        theirs = (root / "memory/harbour/lighthouse.md").read_text()
        memory.remember("The lighthouse is red", tag="stated", about="memory/harbour/lighthouse.md")
        now = (root / "memory/harbour/lighthouse.md").read_text()
        assert "height: 31\n" in now
        assert "The lighthouse is white and blinks every nine seconds." in now
        assert len(now) > len(theirs)


@pytest.mark.req("C-05", "C-04")
def test_persona_instructions_and_transcripts_are_not_written_to(
    tree: Tree, opening: Opening
) -> None:
    root = tree("nanoclaw")
    with opening(root) as memory:
        for path in (
            "CLAUDE.md",
            "instructions.prepend.md",
            "memory/log.md",
            "memory/system/index.md",
        ):
            with pytest.raises(Refused):
                memory.remember("The quay is granite", tag="stated", about=path)


@pytest.mark.req("F-06")
def test_a_log_folder_that_is_there_goes_on(tree: Tree, opening: Opening) -> None:
    root = tree("nanoclaw")
    (root / "memory/daily").mkdir()
    (root / "memory/daily/2026-03-09.md").write_text("# 2026-03-09\n\n### 08:00 — Fog\nThick.\n")
    with opening(root) as memory:
        assert memory.log("Clear again.").path == "memory/daily/2026-03-10.md"
