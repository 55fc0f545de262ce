"""Archive: what is old, reflected on and not referred to goes, comes back, and is never lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import pytest

from vademecum.core.errors import AmbiguousTarget, ChangedMeanwhile, NoteNotFound, Refused
from vademecum.core.jobs import JobReport, Moved
from vademecum.core.outcomes import Added
from vademecum.core.search import Status
from vademecum.service.memory import Memory
from vademecum.testing import FrozenClock, throwaway_memory

TODAY = date(2026, 3, 1)


def log_of(day: date, text: str = "We moved a crate.") -> str:
    return f"# {day}\n\n### 10:30 — Crates\n{text}\n"


@dataclass
class Place:
    memory: Memory
    root: Path
    clock: FrozenClock

    def write(self, path: str, text: str) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def log(self, day: date, text: str = "We moved a crate.", *, reflected: bool = True) -> str:
        path = f"memory/{day}.md"
        self.write(path, log_of(day, text))
        if reflected:
            self.write(f"memory/reflections/{day}.md", f"# {day}\n\nA fine day.\n")
        return path

    def files(self) -> dict[str, bytes]:
        found = (file for file in self.root.rglob("*") if file.is_file())
        return {str(file.relative_to(self.root)): file.read_bytes() for file in found}

    def has(self, path: str) -> bool:
        return (self.root / path).is_file()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    clock = FrozenClock(f"{TODAY}T10:00:00")
    with throwaway_memory(root=tmp_path, clock=clock) as memory:
        yield Place(memory, tmp_path / "workspace", clock)


def a_day_that_was_lived(place: Place, ago: int = 60) -> str:
    """Log, remember and reflect by the verbs on a day that is long gone; return the day."""
    day = days_ago(ago)
    place.clock.move_to(f"{day}T10:30:00")
    place.memory.log("User: We decided that services talk REST.", title="API")
    place.memory.log("Shipped the search page.", title="Work")
    place.clock.move_to(f"{day}T23:45:00")
    place.memory.reflect()
    return day.isoformat()


def amiss(place: Place) -> list[str]:
    found = place.memory.doctor().findings
    return [
        f"{one.where}: {one.sentence}"
        for one in found
        if not one.where.endswith(("notes", "chunks"))
    ]


def test_the_doctor_finds_nothing_amiss_before_and_after_a_day_is_archived(place: Place) -> None:
    day = a_day_that_was_lived(place)
    assert not amiss(place)
    place.clock.move_to(f"{TODAY}T10:00:00")
    assert f"memory/{day}.md" in moved(place.memory.archive())
    assert not amiss(place)
    before = place.files()
    place.memory.doctor(fix=True)
    assert not place.has(f"memory/{day}.md")
    assert {path: data for path, data in place.files().items() if path.endswith(".md")} == {
        path: data for path, data in before.items() if path.endswith(".md")
    }


@pytest.mark.parametrize("profile", ["vault", "openclaw", "nanoclaw", "gitmem"])
def test_nothing_is_amiss_after_archiving_in_any_profile(tmp_path: Path, profile: str) -> None:
    clock = FrozenClock(f"{TODAY}T10:00:00")
    with throwaway_memory(profile=profile, root=tmp_path, clock=clock) as memory:
        place = Place(memory, tmp_path / "workspace", clock)
        day = a_day_that_was_lived(place)
        clock.move_to(f"{TODAY}T10:00:00")
        assert f"memory/{day}.md" in moved(memory.archive())
        assert not amiss(place)


def test_lines_that_are_gone_from_an_archived_log_are_put_back_there(place: Place) -> None:
    day = a_day_that_was_lived(place)
    place.clock.move_to(f"{TODAY}T10:00:00")
    place.memory.archive()
    kept = place.root / f"memory/.archive/{day}.md"
    whole = kept.read_text()
    kept.write_text(whole.replace("Shipped the search page.\n", ""))
    [found] = [one for one in place.memory.doctor().findings if one.code == "log-line-lost"]
    assert found.where == f"memory/.archive/{day}.md"
    place.memory.doctor(fix=True)
    assert "Shipped the search page." in kept.read_text()
    assert not place.has(f"memory/{day}.md")


@pytest.mark.parametrize("archived", [False, True])
def test_a_bare_day_leads_to_its_log_though_the_reflection_has_the_same_name(
    place: Place, archived: bool
) -> None:
    day = a_day_that_was_lived(place)
    place.clock.move_to(f"{TODAY}T10:00:00")
    if archived:
        place.memory.archive()
    log = f"memory/.archive/{day}.md" if archived else f"memory/{day}.md"
    for target in (day, f"[[{day}]]", f"[[{day}#10:30 — API|10:30]]", f"{day}#10:30 — API"):
        assert place.memory.get(target).span.path == log, target


def days_ago(days: int) -> date:
    return TODAY - timedelta(days=days)


def moved(report: JobReport) -> dict[str, str]:
    return {
        step.proposal.path: step.proposal.to
        for step in report.steps
        if isinstance(step.proposal, Moved) and step.outcome == "moved"
    }


# ------------------------------------------------------------ what goes and what stays


@pytest.mark.req("L-04")
def test_a_log_goes_after_thirty_days_with_its_reflection_beside_it(place: Place) -> None:
    old, edge = place.log(days_ago(31)), place.log(days_ago(30))
    report = place.memory.archive()
    assert moved(report) == {
        old: f"memory/.archive/{days_ago(31)}.md",
        f"memory/reflections/{days_ago(31)}.md": f"memory/.archive/reflections/{days_ago(31)}.md",
    }
    assert place.has(edge) and not place.has(old)
    assert (place.root / f"memory/.archive/{days_ago(31)}.md").read_text() == log_of(days_ago(31))


@pytest.mark.req("L-04")
@pytest.mark.parametrize(
    "mention",
    ["See {day}.", "As in [[{day}]].", "As in [[{day}#10:30 — Crates|then]].",
     "As in [then]({day}.md).", "As in [[memory/{day}]]."],
)  # fmt: skip
def test_a_log_that_last_weeks_logs_refer_to_stays_and_no_longer_ago(
    place: Place, mention: str
) -> None:
    kept, gone = place.log(days_ago(40)), place.log(days_ago(41))
    place.log(days_ago(6), mention.format(day=days_ago(40)))
    place.log(days_ago(7), mention.format(day=days_ago(41)))
    report = place.memory.archive()
    assert kept not in moved(report) and place.has(kept)
    assert gone in moved(report)


@pytest.mark.req("L-04")
def test_a_log_without_a_reflection_stays_to_the_byte_and_is_told(place: Place) -> None:
    path = place.log(days_ago(60), reflected=False)
    before = place.files()
    report = place.memory.archive()
    assert place.files() == before
    assert report.notes == (
        f"[UNREFLECTED] {path} stays: no reflection of its day "
        "(vade reflect DAY --again writes one).",
    )
    place.write(f"memory/reflections/{days_ago(60)}.md", "# A day\n")
    assert path in moved(place.memory.archive())


@pytest.mark.req("L-04")
def test_a_reflection_in_the_archive_still_counts_for_its_log(place: Place) -> None:
    path = place.log(days_ago(40))
    place.log(days_ago(1), f"See {days_ago(40)}.")
    assert f"memory/reflections/{days_ago(40)}.md" in moved(place.memory.archive())
    assert place.has(path)
    place.clock.advance(days=8)
    assert path in moved(place.memory.archive())


@pytest.mark.req("L-04")
def test_decisions_people_preferences_projects_and_core_items_never_go(place: Place) -> None:
    ago = days_ago(400)
    kept = [
        place.write(f"memory/{path}", f"---\ntype: note\ncreated: {ago}\n---\n\n# x\n")
        for path in (f"decisions/{ago}-rest.md", "people/ada.md", "preferences/user.md",
                     "projects/quay.md", "lessons/old.md", "facts/x.md")
    ]  # fmt: skip
    core = place.log(days_ago(90))
    (place.root / core).write_text(f"---\npriority: core\n---\n{log_of(days_ago(90))}")
    assert moved(place.memory.archive()).keys() == {f"memory/reflections/{days_ago(90)}.md"}
    assert all(file.is_file() for file in kept) and place.has(core)


@pytest.mark.req("L-04")
def test_an_action_goes_fourteen_days_after_it_was_done(place: Place) -> None:
    for days in (14, 15):
        place.write(
            f"memory/actions/done/crate-{days}.md",
            f"---\ntype: action\ncompleted: {days_ago(days)}\n---\n\n# Crate\n",
        )
    place.write("memory/actions/open/crate.md", "---\ncompleted: 2020-01-01\n---\n\n# Crate\n")
    assert moved(place.memory.archive()) == {
        "memory/actions/done/crate-15.md": "memory/.archive/actions/done/crate-15.md"
    }


@pytest.mark.req("L-04")
def test_age_is_counted_in_local_days_across_a_change_of_the_clocks(tmp_path: Path) -> None:
    # 2026-03-29 has 23 hours in Berlin; 23:30 on the 30th there is still 21:30 UTC.
    clock = FrozenClock("2026-03-30T23:30:00", "Europe/Berlin")
    zone = {"workspace.zone": "Europe/Berlin"}
    with throwaway_memory(root=tmp_path, clock=clock, settings=zone) as memory:
        place = Place(memory, tmp_path / "workspace", clock)
        path = place.log(date(2026, 2, 28))
        assert moved(memory.archive()) == {}
        clock.move_to("2026-03-31T00:10:00")
        assert path in moved(memory.archive())


@pytest.mark.req("L-04")
@pytest.mark.parametrize("profile", ["standard", "vault", "openclaw", "nanoclaw", "gitmem"])
def test_in_every_profile_what_goes_comes_back_to_the_byte(tmp_path: Path, profile: str) -> None:
    clock = FrozenClock(f"{TODAY}T10:00:00")
    with throwaway_memory(root=tmp_path, clock=clock, profile=profile) as memory:
        place = Place(memory, tmp_path / "workspace", clock)
        known = memory._workspace.profile
        place.write(known.log_path(days_ago(50)), log_of(days_ago(50)))
        place.write(f"memory/{days_ago(50)}-standup.md", log_of(days_ago(50), "Stood up."))
        place.write(f"{known.reflection_folder}/{days_ago(50)}.md", "# A day\r\n\r\nfine")
        before = place.files()
        report = memory.archive()
        assert len(moved(report)) == 3
        assert all(to.startswith(known.archive_folder + "/") for to in moved(report).values())
        assert len(moved(memory.restore("all"))) == 3
        assert place.files() == before


# ------------------------------------------------------------ what still works afterwards


@pytest.mark.req("L-04")
def test_links_spans_and_evidence_of_an_archived_log_still_resolve(place: Place) -> None:
    day = days_ago(50)
    path = place.log(day, "Ada: The quay closes at six.")
    done = place.memory.remember(
        "The quay closes at six", kind="fact", tag="stated", source=f"{path}:4",
        quote="The quay closes at six",
    )  # fmt: skip
    assert isinstance(done, Added)
    place.write(
        "memory/facts/links.md", f"# Links\n\n[[memory/{day}]] [x](../{day}.md) [[{day}]]\n"
    )
    assert path in moved(place.memory.archive())
    kept = f"memory/.archive/{day}.md"
    for target in (f"{path}:4", f"{day}#10:30 — Crates", f"[[{day}]]", f"memory/{day}", kept):
        assert place.memory.get(target).span.path == kept, target
    assert "closes at six" in place.memory.get(f"{path}:4").text
    codes = {finding.code for finding in place.memory.doctor().findings}
    assert not codes & {"dead-link", "evidence-missing", "quote-missing"}, codes
    again = place.memory.remember(
        "The quay is closed by Ada", kind="fact", tag="stated", source=f"{path}:4",
        quote="The quay closes at six",
    )  # fmt: skip
    assert isinstance(again, Added)
    note = (place.root / again.span.path).read_text()
    assert f"[stated] The quay is closed by Ada (2026-03-01, from [[{day}#10:30 — Crates]])" in note


@pytest.mark.req("L-04", "F-11")
def test_search_leaves_the_archive_out_and_recall_answers_what_holds_now(place: Place) -> None:
    day = days_ago(50)
    path = place.log(day, "Ada: The quay closes at six.")
    first = place.memory.remember(
        "The quay closes at six", kind="fact", tag="stated", source=f"{path}:4",
        quote="The quay closes at six",
    )  # fmt: skip
    assert isinstance(first, Added)
    place.memory.remember(
        "The quay closes at eight", kind="fact", tag="stated", supersedes=f"^{first.claim}"
    )
    place.memory.archive()
    paths = {hit.span.path for hit in place.memory.search("quay closes crate", limit=20).hits}
    assert not any("/." in path for path in paths)
    for asked in (path, f"[[{day}#10:30 — Crates]]"):
        (told,) = [one for one in place.memory.recall(asked).degraded if one.part == "archive"]
        assert told.remedy == f"`vade get memory/.archive/{day}.md` reads it"
    found = place.memory.recall("The quay closes at six").sources
    assert "eight" in found[0].text and found[0].status is Status.CURRENT
    assert all(one.status is not Status.CURRENT for one in found if "closes at six" in one.text)


@pytest.mark.req("L-04", "B-03")
def test_what_is_forgotten_goes_from_the_archive_too(place: Place) -> None:
    path = place.log(days_ago(50), "Ada: The code of the gate is a secret of hers.")
    done = place.memory.remember("The code of the gate is a secret of hers", kind="fact")
    place.memory.archive()
    assert not place.has(path)
    place.memory.forget(f"^{done.claim}" if isinstance(done, Added) else f"{path}:4")
    assert "secret of hers" not in "".join(
        data.decode() for path, data in place.files().items() if path.endswith(".md")
    )


# ------------------------------------------------------------ coming back


@pytest.mark.req("L-04")
def test_a_run_is_taken_back_whole_and_what_came_back_stays_for_a_week(place: Place) -> None:
    path = place.log(days_ago(50))
    before = place.files()
    report = place.memory.archive()
    place.memory.undo(session=report.session)
    assert place.files() == before
    assert moved(place.memory.archive()) == {}
    place.clock.advance(days=8)
    assert path in moved(place.memory.archive())


@pytest.mark.req("L-04", "B-03")
def test_what_was_archived_stays_there_where_its_place_was_taken(place: Place) -> None:
    """As a sync does that brings the log in once more."""
    path, other = place.log(days_ago(50), "The only copy."), place.log(days_ago(51))
    report = place.memory.archive()
    kept = f"memory/.archive/{days_ago(50)}.md"
    place.write(path, log_of(days_ago(50), "From elsewhere."))
    done = place.memory.undo(session=report.session)
    assert "The only copy." in (place.root / kept).read_text()
    assert "From elsewhere." in (place.root / path).read_text()
    assert {left.change.path for left in done.left} == {path, kept}
    assert f"{path} is another file now" in done.left[-1].why
    assert place.has(other) and not place.has(f"memory/.archive/{days_ago(51)}.md")
    # Once its place is free, the move is taken back by the same command, or by either half.
    (place.root / path).unlink()
    place.memory.undo(session=report.session)
    assert "The only copy." in (place.root / path).read_text() and not place.has(kept)


@pytest.mark.req("L-04", "B-03")
def test_what_was_changed_in_the_archive_is_not_in_two_places_after_an_undo(place: Place) -> None:
    path = place.log(days_ago(50), "The only copy.")
    report = place.memory.archive()
    kept = place.root / f"memory/.archive/{days_ago(50)}.md"
    kept.write_text(f"{kept.read_text()}\nAdded there.\n")
    done = place.memory.undo(session=report.session)
    assert "Added there." in kept.read_text() and not place.has(path)
    assert {left.change.path for left in done.left} == {path, f"memory/.archive/{days_ago(50)}.md"}


@pytest.mark.req("L-04", "B-03")
@pytest.mark.parametrize("verb", ["archive", "restore"])
@pytest.mark.parametrize("half", ["create", "remove"])
def test_either_half_of_a_move_takes_back_both(place: Place, verb: str, half: str) -> None:
    live, kept = place.log(days_ago(50)), f"memory/.archive/{days_ago(50)}.md"
    place.memory.archive()
    if verb == "restore":
        place.memory.restore(live)
    named = kept if (verb == "archive") == (half == "create") else live
    [change] = place.memory.history(named, verb=verb)
    assert change.effect == half
    place.memory.undo(change.id)
    assert (place.has(live), place.has(kept)) == (verb == "archive", verb == "restore")


@pytest.mark.req("L-04", "B-03")
def test_what_came_back_stays_where_the_archive_holds_another_file_since(place: Place) -> None:
    path = place.log(days_ago(50), "The only copy.")
    place.memory.archive()
    back = place.memory.restore(path)
    place.write(f"memory/.archive/{days_ago(50)}.md", log_of(days_ago(50), "From elsewhere."))
    with pytest.raises(ChangedMeanwhile):
        place.memory.undo(back.key)
    assert "The only copy." in (place.root / path).read_text()


@pytest.mark.req("L-04")
def test_one_note_comes_back_by_any_of_its_names_and_that_can_be_undone(place: Place) -> None:
    path = place.log(days_ago(50))
    other = place.log(days_ago(51))
    place.memory.archive()
    archived = place.files()
    for name in (path, str(days_ago(50)) + ".md", f"memory/.archive/{days_ago(50)}.md"):
        dry = place.memory.restore(name, dry_run=True)
        assert place.files() == archived and len(dry.steps) >= 1
    back = place.memory.restore(path)
    assert place.has(path) and not place.has(other)
    place.memory.undo(back.key)
    assert place.files() == archived
    with pytest.raises(NoteNotFound, match="archive has no note"):
        place.memory.restore("memory/2001-01-01.md")
    named = place.memory.restore(str(days_ago(50)), dry_run=True).steps  # not its reflection
    assert [step.proposal for step in named if isinstance(step.proposal, Moved)][0].to == path
    assert len(named) == 1
    for folder in ("reflections", "actions/done"):
        place.write(f"memory/.archive/{folder}/crates.md", "# Crates\n")
    with pytest.raises(AmbiguousTarget):
        place.memory.restore("crates")
    assert len(place.memory.restore("memory/.archive/reflections", dry_run=True).steps) == 3


@pytest.mark.req("L-04")
def test_nothing_is_written_over_on_either_way(place: Place) -> None:
    path = place.log(days_ago(50))
    kept = place.write(f"memory/.archive/{days_ago(50)}.md", "# Another machine's\n")
    report = place.memory.archive()
    assert path not in moved(report)
    assert [one.why for one in report.declined] == [
        f"memory/.archive/{days_ago(50)}.md is another file; both stay"
    ]
    assert place.has(path) and kept.read_text() == "# Another machine's\n"
    with pytest.raises(Refused, match="is another file"):
        place.memory.restore(path)
    assert (place.root / path).read_text() == log_of(days_ago(50))


@pytest.mark.req("L-04")
def test_the_same_file_in_the_archive_is_the_other_half_of_a_move(place: Place) -> None:
    path = place.log(days_ago(50))
    place.write(f"memory/.archive/{days_ago(50)}.md", log_of(days_ago(50)))
    assert path in moved(place.memory.archive())
    assert not place.has(path)


@pytest.mark.req("L-04")
def test_a_read_only_file_stays_and_stops_no_other(place: Place) -> None:
    path, other = place.log(days_ago(50)), place.log(days_ago(51))
    (place.root / path).chmod(0o444)
    report = place.memory.archive()
    assert other in moved(report) and place.has(path)
    assert [one.why for one in report.declined] == [f"{path} is read-only"]
    assert not place.has(f"memory/.archive/{days_ago(50)}.md")


@pytest.mark.req("L-04")
def test_a_private_file_stays_private(place: Place) -> None:
    path = place.log(days_ago(50))
    (place.root / path).chmod(0o600)
    place.memory.archive()
    kept = place.root / f"memory/.archive/{days_ago(50)}.md"
    assert kept.stat().st_mode & 0o777 == 0o600


@pytest.mark.req("L-04")
def test_a_second_run_and_a_dry_run_change_nothing(place: Place) -> None:
    path = place.log(days_ago(50))
    before = place.files()
    dry = place.memory.archive(dry_run=True)
    assert place.files() == before
    assert "rename from " + path in "".join(step.diff for step in dry.steps)
    place.memory.archive()
    after, lines = place.files(), len(place.memory.history(limit=1000))
    again = place.memory.archive()
    assert again.steps == () and place.files() == after
    assert len(place.memory.history(limit=1000)) == lines


# ------------------------------------------------------------ cold lessons


LESSON = (
    "---\ntype: lesson\ntitle: {title}\npriority: {priority}\ncreated: {made}\n---\n\n# {title}\n"
)


def lessons(place: Place) -> None:
    for title, priority, made in (
        ("Old", "reference", days_ago(60)), ("Gem", "core", days_ago(60)),
        ("New", "reference", days_ago(3)),
    ):  # fmt: skip
        text = LESSON.format(title=title, priority=priority, made=made)
        place.write(f"memory/lessons/{title.lower()}.md", text)
    place.memory.doctor(fix=True)  # which lists them in the map


@pytest.mark.req("L-04", "L-05")
def test_a_cold_lesson_is_marked_in_the_map_and_unmarked_when_it_is_referred_to(
    place: Place,
) -> None:
    lessons(place)
    before = place.files()
    place.memory.archive()
    listed = (place.root / "memory/lessons/index.md").read_text()
    assert [line for line in listed.splitlines() if "[COLD]" in line] == [
        "- [Old](old.md) - [COLD] ⚪"
    ]
    assert place.has("memory/lessons/old.md")
    place.memory.archive()
    assert (place.root / "memory/lessons/index.md").read_text() == listed
    place.log(days_ago(0), "See [[old]], [[old]] and [[old]] again.")
    place.memory.archive()
    assert place.files()["memory/lessons/index.md"] == before["memory/lessons/index.md"]


@pytest.mark.req("L-04", "L-05")
def test_a_cold_lesson_is_marked_in_a_table_of_a_vault(tmp_path: Path) -> None:
    clock = FrozenClock(f"{TODAY}T10:00:00")
    with throwaway_memory(root=tmp_path, clock=clock, profile="vault") as memory:
        place = Place(memory, tmp_path / "workspace", clock)
        text = LESSON.format(title="Old", priority="⚪", made=days_ago(60))
        place.write("memory/lessons/old.md", text)
        row = "| [[lessons/old]] | ⚪ | ✅ | 2026-01-01 | Of old |"
        table = "| File | Priority | Status | Last verified | Note |\n|---|---|---|---|---|\n"
        map_file = place.write("memory/INDEX.md", f"# Index\n\n## Lessons\n\n{table}{row}\n")
        memory.archive()
        assert "| Of old [COLD] |" in map_file.read_text()
        place.log(days_ago(0), "See [[old]], [[old]] and [[old]] again.")
        memory.archive()
        assert row in map_file.read_text()
