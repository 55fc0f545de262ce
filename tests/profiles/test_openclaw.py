"""An openclaw workspace: its first files, its window, and directives about the user."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from vademecum.core.errors import Refused
from vademecum.service.memory import Memory
from vademecum.testing import FrozenClock, throwaway_memory

Tree = Callable[..., Path]
Opening = Callable[[Path], AbstractContextManager[Memory]]


@pytest.mark.req("F-03", "F-04")
def test_a_new_workspace_has_the_files_of_the_system(tmp_path: Path) -> None:
    with throwaway_memory(profile="openclaw", root=tmp_path) as memory:
        root = tmp_path / "workspace"
        names = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
        assert names == {
            "vade.toml", "AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "MEMORY.md",
            "HEARTBEAT.md",
        }  # fmt: skip
        agents = (root / "AGENTS.md").read_text()
        assert "\n## Tools\n" in agents
        assert "`SOUL.md`, `IDENTITY.md`, `USER.md`, `MEMORY.md` and today's log" in agents
        memory.sync()
        assert memory.doctor().findings == ()


@pytest.mark.req("F-03", "C-01")
@pytest.mark.parametrize("event", ["startup", "clear", "compact"])
def test_a_window_opens_with_identity_two_days_and_core_memory_of_the_main_session_only(
    tree: Tree, opening: Opening, event: str
) -> None:
    with opening(tree("openclaw")) as memory:
        made = memory.boot(event)
        assert [part.path for part in made.parts] == [
            "SOUL.md", "IDENTITY.md", "USER.md", "memory/2026-03-10-standup.md",
            "memory/2026-03-09.md", "MEMORY.md",
        ]  # fmt: skip
        assert "Answer in German" in made.text
        assert "Answer in French" not in made.text
        assert "Be brief" not in made.text  # instructions are the host's
        assert made.budget == 60_000
        group = memory.boot(event, main_session=False)
        assert "Trondheim" not in group.text
        assert "MEMORY.md" not in [part.path for part in group.parts]
        assert memory.boot("resume").text == ""


@pytest.mark.req("C-01", "W-08")
def test_a_file_gets_at_most_twenty_thousand_characters_and_the_user_four(
    tree: Tree, opening: Opening
) -> None:
    root = tree("openclaw")
    for path in ("SOUL.md", "MEMORY.md", "memory/2026-03-09.md", "memory/2026-03-10-standup.md"):
        (root / path).write_text("# Long\n\n" + "All work and no play.\n" * 2000)
    (root / "USER.md").write_text("# User\n\n" + "Tea, not coffee.\n" * 1000)
    before = {path: path.read_bytes() for path in root.rglob("*.md")}
    with opening(root) as memory:
        made = memory.boot("startup")
        parts = {part.path: part for part in made.parts}
        assert made.length <= 60_000
        assert all(len(part.text) <= 20_000 for part in made.parts)
        assert 3_000 < len(parts["USER.md"].text) <= 4_000
        assert parts["SOUL.md"].truncated
        assert "[truncated: SOUL.md has" in parts["SOUL.md"].text
    assert {path: path.read_bytes() for path in before} == before  # only what is shown is cut


@pytest.mark.req("C-01")
def test_a_required_file_that_is_missing_is_said_and_an_optional_one_left_out(
    tree: Tree, opening: Opening
) -> None:
    root = tree("openclaw")
    (root / "SOUL.md").unlink()
    (root / "MEMORY.md").unlink()
    with opening(root) as memory:
        text = memory.boot("startup").text
        assert "### SOUL.md\n\n(missing file)\n" in text
        assert "### MEMORY.md" not in text


ENTRY = "<!-- observed: {day} | status: {status} -->\n\n- [stated] {text}"


@pytest.mark.req("W-02", "W-03", "W-04")
def test_what_the_user_wants_is_a_directive_and_a_change_marks_the_old_one(
    tree: Tree, opening: Opening, clock: FrozenClock
) -> None:
    root = tree("openclaw")
    before = (root / "USER.md").read_text()
    with opening(root) as memory:
        old = memory.remember("User prefers the metric system", tag="stated")
        assert old.span.path == "USER.md"
        entry = ENTRY.format(day="2026-03-10", status="active", text=old.text)
        assert (root / "USER.md").read_text() == f"{before}\n{entry} ^{old.claim}\n"
        assert memory.remember("User prefers the metric system", tag="stated").claim == old.claim
        clock.advance(days=3)
        new = memory.remember(
            "User prefers the imperial system", tag="stated", supersedes=[old.claim]
        )
        past = ENTRY.format(day="2026-03-10", status="superseded", text=old.text)
        now = ENTRY.format(day="2026-03-13", status="active", text=new.text)
        ended = f"<!-- superseded: 2026-03-13 by ^{new.claim} -->"
        wanted = f"{before}\n{past} {ended} ^{old.claim}\n\n{now} ^{new.claim}\n"
        assert (root / "USER.md").read_text() == wanted
        booted = memory.boot("startup").text
        assert "imperial" in booted
        assert "metric" not in booted
        asked = "Which system of units does the user prefer?"
        past_ones = [s for s in memory.recall(asked, history=True).sources if "metric" in s.text]
        assert past_ones[0].superseded_by == new.claim
        told = memory.recall("Which system does the user prefer, metric or imperial?").sources
        assert not any("metric" in one.text for one in told)
        assert [one for one in memory.doctor().findings if one.severity == "defect"] == []
        memory.undo(new.change)
        assert (root / "USER.md").read_text() == f"{before}\n{entry} ^{old.claim}\n"
        memory.forget([f"^{old.claim}"])
        assert "metric" not in (root / "USER.md").read_text()
        assert "observed: 2026-03-10" not in (root / "USER.md").read_text()


@pytest.mark.req("W-08")
@pytest.mark.parametrize("wish", ["Call me Nea.", "Always answer in Danish", "Use metric units"])
def test_a_wish_worded_as_an_order_is_a_directive_and_no_persons_note(
    tree: Tree, opening: Opening, wish: str
) -> None:
    with opening(tree("openclaw")) as memory:
        done = memory.remember(wish, kind="preference", tag="stated")
        assert done.span is not None and done.span.path == "USER.md"
        hits = memory.search("user status observed directive").hits
        assert not any(hit.text.startswith("<!-- observed:") for hit in hits)


@pytest.mark.req("W-08")
def test_directives_that_have_no_more_room_go_to_a_note(tree: Tree, opening: Opening) -> None:
    root = tree("openclaw")
    (root / "USER.md").write_text("# User\n\n" + "Long ago it was different.\n" * 145)
    with opening(root) as memory:
        done = memory.remember("User prefers short meetings", tag="stated")
        assert done.span.path == "memory/preferences/user-preferences.md"


@pytest.mark.req("W-03", "C-05")
def test_facts_may_stand_in_core_memory_and_nothing_is_written_into_instructions(
    tree: Tree, opening: Opening
) -> None:
    root = tree("openclaw")
    before = (root / "MEMORY.md").read_text()
    with opening(root) as memory:
        done = memory.remember("The boat is called Freya", tag="stated", about="MEMORY.md")
        line = f"- [stated] The boat is called Freya (2026-03-10) ^{done.claim}\n"
        assert (root / "MEMORY.md").read_text() == before + line
        for path in ("AGENTS.md", "SOUL.md", "HEARTBEAT.md", "DREAMS.md"):
            with pytest.raises(Refused):
                memory.remember("The boat is called Sleipnir", tag="stated", about=path)


@pytest.mark.req("F-09")
def test_the_map_comes_with_the_first_note_and_core_memory_stays_as_it_is(
    tree: Tree, opening: Opening
) -> None:
    root = tree("openclaw")
    before = (root / "MEMORY.md").read_bytes()
    with opening(root) as memory:
        memory.remember("The staging API runs on port 8080", tag="stated")
    assert (root / "MEMORY.md").read_bytes() == before
    assert "(facts/index.md)" in (root / "memory/index.md").read_text()
    assert "(staging-api.md)" in (root / "memory/facts/index.md").read_text()
