"""Running jobs: a plan is applied once, whoever stops it, repeats it, or writes meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from vademecum.core.jobs import (
    Believed,
    Composed,
    Entered,
    Job,
    JobReport,
    Moved,
    Plan,
    Proposal,
    Refreshed,
    Rewritten,
)
from vademecum.core.provenance import Actor
from vademecum.service.jobs import Hands, lock_of_job, run_job
from vademecum.service.memory import Memory, open_memory
from vademecum.service.remembering import Remembering
from vademecum.service.turns import Turn
from vademecum.service.wiring import Parts
from vademecum.testing import FrozenClock, throwaway_memory
from vademecum.workspace.locks import locked
from vademecum.workspace.workspace import Workspace, open_workspace
from vademecum.writing.log import append_entry

NOTE = "memory/projects/harbour.md"


@dataclass(frozen=True)
class Place:
    """A workspace, opened as a job sees it and as a person does."""

    memory: Memory
    workspace: Workspace
    clock: FrozenClock
    hands: Hands

    def run(self, *proposals: Proposal, key: str = "2026-01-20", **more: bool) -> JobReport:
        return run_job(self.hands, Job.REFLECT, key, lambda: Plan(proposals), **more)

    def text(self, path: str) -> str:
        return (self.workspace.root / path).read_text()

    def digest(self, path: str) -> str:
        return self.workspace.files.read(path).digest

    def files(self) -> dict[str, bytes]:
        root = self.workspace.root
        return {str(f.relative_to(root)): f.read_bytes() for f in root.rglob("*") if f.is_file()}


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    clock = FrozenClock()
    settings = {"state.directory": str(tmp_path / "state"), "embedder.provider": "none"}
    with throwaway_memory(root=tmp_path, clock=clock) as memory:
        workspace = open_workspace(
            tmp_path / "workspace", flags=settings, variables={}, clock=clock
        )
        parts = Parts(workspace)
        folder = workspace.root / "memory/projects"
        folder.mkdir(parents=True, exist_ok=True)
        (workspace.root / NOTE).write_text("# Harbour\n\nFirst.\n\nSecond.\n\nThird.\n")
        hands = Hands(workspace, Remembering(workspace, parts), Turn())
        yield Place(memory, workspace, clock, hands)
        parts.close()


def every_kind(place: Place) -> tuple[Proposal, ...]:
    return (
        Entered("Two tasks were done.", "Sweep"),
        Believed("The harbour opens at six", "inferred", kind="fact"),
        Composed("memory/reflections/2026-01-19.md", "# 2026-01-19\n\nAll went well.\n"),
        Refreshed("# Now\n\n- Mend the pier\n", place.digest("NOW.md")),
        Rewritten(NOTE, place.text(NOTE).replace("First", "Foremost"), place.digest(NOTE)),
        Moved("memory/2025-11-01.md", "memory/.archive/2025-11-01.md"),
    )


def notes(files: dict[str, bytes]) -> dict[str, bytes]:
    return {path: content for path, content in files.items() if not path.endswith("index.md")}


def old_log(place: Place) -> None:
    (place.workspace.root / "memory/2025-11-01.md").write_text("# 2025-11-01\n\n### 09:00 — A\nB\n")


@pytest.mark.req("L-06")
def test_every_kind_of_proposal_is_applied_and_reported(place: Place) -> None:
    old_log(place)
    report = place.run(*every_kind(place))
    assert [step.outcome for step in report.steps] == [
        "logged", "added", "composed", "written", "written", "moved"
    ]  # fmt: skip
    assert all(step.change and step.diff for step in report.steps)
    assert "### 10:30 — Sweep" in place.text("memory/2026-01-20.md")
    assert "[inferred] The harbour opens at six" in "".join(
        step.diff for step in report.steps if isinstance(step.proposal, Believed)
    )
    assert place.text("NOW.md") == "# Now\n\n- Mend the pier\n"
    assert "Foremost" in place.text(NOTE)
    assert place.text("memory/.archive/2025-11-01.md").startswith("# 2025-11-01")
    assert not (place.workspace.root / "memory/2025-11-01.md").exists()
    actors = {change.actor for change in place.workspace.ledger.changes(session=report.session)}
    assert actors == {"job:reflect"}


@pytest.mark.req("L-06")
def test_a_dry_run_says_the_same_and_changes_nothing(place: Place) -> None:
    old_log(place)
    before = place.files()
    shown = place.run(*every_kind(place), dry_run=True)
    assert place.files() == before
    assert not (place.workspace.state / "jobs").exists()
    done = place.run(*every_kind(place))
    assert [step.outcome for step in shown.steps] == [step.outcome for step in done.steps]
    for dry, real in zip(shown.steps, done.steps, strict=True):
        added = [row for row in real.diff.splitlines() if row.startswith("+") and "^" not in row]
        assert set(added) - {"+++"} <= set(dry.diff.splitlines()) | {""}, dry.diff


@pytest.mark.req("L-06")
def test_a_second_run_for_the_same_day_does_nothing(place: Place) -> None:
    old_log(place)
    planned = every_kind(place)
    place.run(*planned)
    before = place.files()
    asked = []
    report = run_job(
        place.hands, Job.REFLECT, "2026-01-20", lambda: asked.append(1) or Plan(planned)
    )
    assert report.already and not report.steps and not asked
    assert place.files() == before


@pytest.mark.req("L-06")
def test_what_was_applied_once_is_found_again_where_its_record_was_lost(place: Place) -> None:
    old_log(place)
    planned = every_kind(place)
    place.run(*planned)
    before = place.files()
    report = place.run(*planned, key="2026-01-21")
    assert place.files() == before
    assert {step.outcome for step in report.steps} == {"there already"}


@pytest.mark.req("L-06", "F-03")
def test_undoing_the_session_takes_the_whole_job_back(place: Place) -> None:
    old_log(place)
    before = place.files()
    report = place.run(*every_kind(place))
    assert place.files() != before
    undone = place.memory.undo(session=report.session)
    assert undone.left == ()
    after = place.files()
    assert after.pop("memory/2026-01-20.md").endswith(b"# 2026-01-20\n")
    # A note that was in no map before is in one now: it is there, and maps say what is there.
    assert notes(after) == notes(before)


@pytest.mark.req("L-06", "F-01")
def test_edits_by_others_since_the_plan_are_merged(place: Place) -> None:
    proposal = Rewritten(NOTE, place.text(NOTE).replace("First", "Foremost"), place.digest(NOTE))

    def plan() -> Plan:
        return Plan((proposal,))

    def stalled() -> Plan:
        made = plan()
        (place.workspace.root / NOTE).write_text(place.text(NOTE) + "\nFourth, by hand.\n")
        return made

    # The version it was made from is in no blob here: an editor wrote both.
    report = run_job(place.hands, Job.REFLECT, "2026-01-20", stalled)
    assert "Fourth, by hand." in place.text(NOTE)
    (step,) = report.steps
    assert step.outcome == "declined" and "same lines" in step.why
    (place.workspace.root / NOTE).write_text("# Harbour\n\nFirst.\n\nSecond.\n\nThird.\n")

    def after_plan(doing: str, *_: int) -> None:
        if doing.endswith("applying"):
            (place.workspace.root / NOTE).write_text(place.text(NOTE) + "\nFourth, by hand.\n")

    report = run_job(place.hands, Job.REFLECT, "2026-01-21", plan, progress=after_plan)
    assert "Fourth, by hand." in place.text(NOTE) and "Foremost" in place.text(NOTE)
    assert "merged" in report.steps[0].why


@pytest.mark.req("L-06")
@pytest.mark.parametrize(
    ("proposal", "why"),
    [
        (Composed("../other/memory/x.md", "# X\n"), "climbs out"),
        (Composed("memory/run.sh", "rm -r\n"), "Markdown"),
        (Rewritten("memory/2026-01-20.md", "# Empty\n", ""), "no job edits"),
        (Moved("memory/none.md", "memory/.archive/none.md"), "removed"),
        (Entered("", ""), "empty"),
    ],
)
def test_what_a_job_may_not_do_is_declined_and_the_rest_goes_on(
    place: Place, proposal: Proposal, why: str
) -> None:
    append_entry(place.workspace, "By a person.", actor=Actor("ada"))
    before = place.files()
    report = place.run(proposal, Entered("Goes on.", "Rest"))
    assert [step.outcome for step in report.steps] == ["declined", "logged"]
    assert why in report.declined[0].why
    assert set(place.files()) == set(before)
    assert "By a person." in place.text("memory/2026-01-20.md")


@pytest.mark.req("L-06", "W-03")
def test_a_tag_whose_evidence_is_not_there_is_lowered(place: Place) -> None:
    append_entry(place.workspace, "The pier is closed on Mondays.", actor=Actor("ada"))
    forged = Believed(
        "The pier is open on Mondays", "stated", kind="fact",
        source=("memory/2026-01-20.md:4",), quote=("The pier is open",),
    )  # fmt: skip
    report = place.run(forged)
    assert "lowered from stated" in report.steps[0].why
    assert "[inferred] The pier is open on Mondays" in report.steps[0].diff


@pytest.mark.req("L-06")
def test_a_job_that_runs_elsewhere_is_left_to_it(place: Place) -> None:
    with locked(lock_of_job(place.workspace.state, Job.REFLECT)):
        report = place.run(Entered("Twice.", "Twice"))
    assert report.elsewhere and not report.steps
    assert "Twice" not in "".join(map(str, place.files().values()))


@pytest.mark.req("L-06")
def test_a_run_that_stopped_goes_on_from_its_plan_and_asks_nothing_twice(place: Place) -> None:
    class Stopped(Exception):
        pass

    planned: list[int] = []

    def plan() -> Plan:
        planned.append(1)
        return Plan(tuple(Entered(f"Text {n}.", f"Entry {n}") for n in range(3)))

    def stop(_: str, done: int, total: int) -> None:
        if done == 1 and total:
            raise Stopped

    with pytest.raises(Stopped):
        run_job(place.hands, Job.REFLECT, "2026-01-20", plan, progress=stop)
    place.clock.advance(hours=20)
    report = run_job(place.hands, Job.REFLECT, "2026-01-20", plan)
    assert report.resumed and len(planned) == 1
    assert [step.outcome for step in report.steps] == ["logged"] * 3
    logs = "".join(text.decode() for path, text in place.files().items() if "2026-01-2" in path)
    assert [logs.count(f"Entry {n}") for n in range(3)] == [1, 1, 1]


@pytest.mark.req("L-06")
@pytest.mark.parametrize("damage", [b"", b"{", b'{"at":"2026-01-20","plan":{"is":"Nothing"}}\n'])
def test_a_plan_that_cannot_be_read_is_made_anew(place: Place, damage: bytes) -> None:
    folder = place.workspace.state / "jobs"
    folder.mkdir(parents=True)
    (folder / "reflect-2026-01-20.plan").write_bytes(damage)
    report = place.run(Entered("Once.", "Once"))
    assert [step.outcome for step in report.steps] == ["logged"]
    assert (folder / "reflect-2026-01-20.done").is_file()


@pytest.mark.req("L-06")
def test_a_job_that_the_files_show_as_done_is_not_repeated(place: Place) -> None:
    def never() -> Plan:
        raise AssertionError

    seen: Callable[[], bool] = lambda: True  # noqa: E731
    report = run_job(place.hands, Job.REFLECT, "2026-01-20", never, done_in_files=seen)
    assert report.already


@pytest.mark.req("L-06")
def test_a_job_may_be_run_again_on_purpose(place: Place, tmp_path: Path) -> None:
    place.run(Entered("One.", "One"))
    report = place.run(Entered("Two.", "Two"), again=True)
    assert [step.outcome for step in report.steps] == ["logged"]
    with open_memory(
        place.workspace.root, settings={"state.directory": str(tmp_path / "state")}, variables={}
    ) as other:
        assert len(other.undo(session=report.session).written) == 2
