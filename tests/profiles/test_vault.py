"""A three-tier vault: its first files, its window, and an index of tables kept by hand."""

from __future__ import annotations

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


@pytest.mark.req("F-03", "F-04", "F-05")
def test_a_new_vault_has_the_files_and_tables_of_the_system(tmp_path: Path) -> None:
    with throwaway_memory(profile="vault", root=tmp_path) as memory:
        root = tmp_path / "workspace"
        names = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
        assert names == {"vade.toml", "AGENTS.md", "NOW.md", "HEARTBEAT.md", "memory/INDEX.md"}
        now = (root / "NOW.md").read_text()
        for form in (
            "> 🎯 **Mission**", "\n## Today", "## P0 Priorities", "| # | Item | Status | Owner |",
            "## Agent Status", "*Updated: 2026-01-20 10:30*",
        ):  # fmt: skip
            assert form in now
        index = (root / "memory/INDEX.md").read_text()
        assert index.startswith("# Memory Vault Index\n")
        assert "## Lessons\n\n| File | Priority | Status | Last verified | Note |\n" in index
        assert "## Decisions\n\n| File | Note |\n" in index
        assert "## People\n\n| File | Priority | Status | Note |\n" in index
        memory.sync()
        assert memory.doctor().findings == ()


@pytest.mark.req("C-01")
@pytest.mark.parametrize("event", ["startup", "clear", "compact"])
def test_a_window_opens_with_the_workbench_and_the_index(
    tree: Tree, opening: Opening, event: str
) -> None:
    with opening(tree("vault")) as memory:
        made = memory.boot(event)
        assert [part.path for part in made.parts] == ["NOW.md", "memory/INDEX.md"]
        assert "[[deploy]]" in made.text
        assert "old-way" not in made.text  # its row is struck
        assert made.budget == 9_500
        assert memory.boot("resume").text == ""


@pytest.mark.req("F-08", "W-07")
def test_a_new_note_has_the_keys_that_a_vault_asks_for(tree: Tree, opening: Opening) -> None:
    root = tree("vault")
    with opening(root) as memory:
        done = memory.remember(
            "Lesson: grease the axle before the frost", kind="lesson", tag="stated"
        )
        note = read((root / done.span.path).read_text())
        assert list(note.values)[0] == "type"
        assert {
            "title", "date", "category", "priority", "status", "last_verified", "tags"
        } <= set(note.values)  # fmt: skip
        assert (note.text("category"), note.text("priority")) == ("lessons", "🟡")
        assert (note.text("date"), note.text("last_verified")) == ("2026-03-10", "2026-03-10")


@pytest.mark.req("F-09", "W-07")
def test_rows_are_added_to_the_tables_and_cells_of_people_stay(
    tree: Tree, opening: Opening, clock: FrozenClock
) -> None:
    root = tree("vault")
    index = root / "memory/INDEX.md"
    before = index.read_text()
    with opening(root) as memory:
        memory.remember("Lesson: grease the axle before the frost", kind="lesson", tag="stated")
        memory.remember("Ingrid Moe lives in Bergen", tag="stated")
        memory.remember("Decided to sell the old boat", kind="decision", tag="stated")
        rows = [
            "| [[lessons/grease-the-axle-before-the-frost]] | 🟡 | ✅ | 2026-03-10 "
            "| Lesson: grease the axle before the frost |",
            "| [[people/ingrid-moe]] | 🟡 | ✅ | Ingrid Moe lives in Bergen |",
            "| [[decisions/2026-03-10-sell-the-old-boat]] | Decided to sell the old boat |",
        ]
        after = index.read_text()
        for row in rows:
            assert f"|\n{row}\n" in after
        # Nothing that stood there before is another now, and each row is below its own heading.
        left = after
        for row in rows:
            left = left.replace(f"{row}\n", "")
        assert left == before
        places = [after.index(sign) for sign in ("## Lessons", rows[0], "## Decisions", rows[2])]
        assert places == sorted(places)
        # A claim in a note that a person listed: status and day move on, their words do not.
        clock.advance(days=1)
        memory.remember(
            "Deploys are frozen in July", tag="stated", about="memory/lessons/deploy.md"
        )
        theirs = "| [[deploy]]       | 🔴       | ✅     | 2026-03-11    | my own words  |"
        assert theirs in index.read_text()
        memory.remember(
            "Deploys are not frozen in July", tag="stated", about="memory/lessons/deploy.md"
        )
        theirs = "| [[deploy]]       | 🔴       | 🔀     | 2026-03-11    | my own words  |"
        assert theirs in index.read_text()


@pytest.mark.req("F-09", "W-06")
def test_a_note_of_which_nothing_holds_is_struck_in_the_index(tree: Tree, opening: Opening) -> None:
    root = tree("vault")
    with opening(root) as memory:
        done = memory.remember("Ingrid Moe lives in Bergen", tag="stated")
        memory.review("drop", f"^{done.claim}", by_person=True)
        assert (
            "| ~~[[people/ingrid-moe]]~~ | 🟡 | ~~superseded~~ | Ingrid Moe lives in Bergen |\n"
            in (root / "memory/INDEX.md").read_text()
        )
        text = (root / done.span.path).read_text()
        assert f"^{done.claim}\n> [Superseded 2026-03-10] (ended)\n" in text
        assert not memory.recall("Where does Ingrid Moe live?").sources


@pytest.mark.req("F-09", "W-08")
def test_what_the_index_has_no_room_for_is_listed_in_its_folder(
    tmp_path: Path, clock: FrozenClock
) -> None:
    with throwaway_memory(profile="vault", root=tmp_path, clock=clock) as memory:
        root = tmp_path / "workspace"
        (root / "memory/INDEX.md").write_text(
            (root / "memory/INDEX.md").read_text() + "\nprose " * 2200
        )
        names = [f"Person{number} Moe" for number in range(14)]
        for name in names:
            memory.remember(f"{name} lives in Bergen", tag="stated")
        index = (root / "memory/INDEX.md").read_text()
        folder = (root / "memory/people/index.md").read_text()
        assert len(index) <= 16_000
        assert "| [[people/index]] |" in index
        listed = [name for name in names if name.lower().replace(" ", "-") in index + folder]
        assert listed == names
        memory.sync()
        assert "unlisted-note" not in {one.code for one in memory.doctor().findings}


@pytest.mark.req("W-03", "B-01")
def test_tasks_index_and_pointer_take_no_claims(tree: Tree, opening: Opening) -> None:
    root = tree("vault")
    (root / "MEMORY.md").write_text("# Memory\n\nSee [the index](memory/INDEX.md).\n")
    with opening(root) as memory:
        for path in ("MEMORY.md", "memory/INDEX.md", "NOW.md", "HEARTBEAT.md"):
            with pytest.raises(Refused):
                memory.remember("The barn is red", tag="stated", about=path)


@pytest.mark.req("F-03")
@pytest.mark.parametrize("names", [("INDEX.md",), ("index.md", "INDEX.md")])
def test_the_index_is_told_by_its_spelling_also_beside_another(
    tree: Tree, opening: Opening, names: tuple[str, ...]
) -> None:
    root = tree("vault")
    for name in names:
        if not (root / "memory" / name).exists():
            (root / "memory" / name).write_text("# Other\n\nLeft by another program.\n")
    with opening(root) as memory:
        assert memory.status().profile == "vault"
        memory.remember("Ingrid Moe lives in Bergen", tag="stated")
        assert "ingrid-moe" in (root / "memory/INDEX.md").read_text()
        assert memory.recall("Left by another program").sources or len(names) == 1
