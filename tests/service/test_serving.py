"""Serving: each job when it is due and once, late ones too, and an end that leaves nothing open."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, date
from pathlib import Path

import pytest

from vademecum.core.errors import DiskFull, Refused
from vademecum.core.jobs import Job, JobReport
from vademecum.lifecycle.schedule import Due
from vademecum.service.memory import Memory
from vademecum.service.serving import (
    Event,
    Failed,
    LeftOut,
    Noted,
    Ran,
    Scheduler,
    marks_of,
    scheduling,
)
from vademecum.testing import FrozenClock, throwaway_memory
from vademecum.workspace.workspace import Workspace, open_workspace


class House:
    """A memory, its clock, and what was told while it was served."""

    def __init__(self, memory: Memory, place: Path, clock: FrozenClock) -> None:
        self.memory = memory
        self.root = place / "workspace"
        self.state = place / "state"
        self.clock = clock
        self.told: list[Event] = []

    def once(self) -> list[str]:
        self.told.clear()
        self.memory.serve(self.told.append, once=True)
        return [f"{e.report.job} {e.report.key}" for e in self.told if isinstance(e, Ran)]

    def days(self) -> list[str]:
        return sorted(file.stem for file in (self.root / "memory/reflections").glob("2*.md"))

    def files(self) -> dict[str, bytes]:
        found = (file for file in self.root.rglob("*") if file.is_file())
        return {str(file.relative_to(self.root)): file.read_bytes() for file in found}

    def workspace(self) -> Workspace:
        settings = {"state.directory": str(self.state), "workspace.zone": "UTC"}
        return open_workspace(self.root, flags=settings, variables={}, clock=self.clock)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    clock = FrozenClock("2026-01-16T10:00:00")
    with throwaway_memory(root=tmp_path, clock=clock) as memory:
        yield House(memory, tmp_path, clock)


@pytest.mark.req("L-06", "L-01", "L-02")
def test_what_is_due_is_run_once(house: House) -> None:
    house.memory.log("Decided on REST over GraphQL", title="API")
    house.clock.move_to("2026-01-16T23:50:00")
    assert [run.split()[0] for run in house.once()][:2] == ["heartbeat", "reflect"]
    assert house.days() == ["2026-01-16"]
    before = house.files()
    assert house.once() == []
    house.clock.advance(minutes=30)
    assert [run.split()[0] for run in house.once()] == ["heartbeat"]
    assert house.files() == before


@pytest.mark.req("L-06", "L-02")
def test_days_that_were_missed_are_made_up_for_oldest_first(house: House) -> None:
    for day in (16, 17, 18, 19):
        house.clock.move_to(f"2026-01-{day}T10:00:00")
        house.memory.log(f"Decided on plan number {day}", title="Plan")
        if day == 16:
            house.clock.move_to("2026-01-16T23:46:00")
            house.once()
    house.clock.move_to("2026-01-20T08:00:00")
    runs = [run for run in house.once() if run.startswith("reflect")]
    assert runs == ["reflect 2026-01-17", "reflect 2026-01-18", "reflect 2026-01-19"]
    assert house.days() == ["2026-01-16", "2026-01-17", "2026-01-18", "2026-01-19"]


@pytest.mark.req("L-06", "L-02")
def test_a_clock_that_was_a_year_ahead_for_a_moment_stops_no_job(house: House) -> None:
    house.clock.move_to("2026-01-16T23:46:00")
    house.memory.log("Decided on Oslo as the harbour", title="Harbour")
    house.once()
    house.clock.move_to("2027-01-17T08:00:00")
    house.once()
    house.clock.move_to("2026-01-19T08:00:00")
    house.once()
    house.memory.log("Decided on REST over GraphQL", title="API")
    house.clock.move_to("2026-01-19T23:46:00")
    runs = house.once()
    assert {"reflect 2026-01-19", "promote 2026-01-19"} <= {*runs}
    assert house.days() == ["2026-01-19"]  # what was old a year later is in the archive
    house.clock.move_to("2026-01-25T08:00:00")
    assert "archive 2026-01-25" in house.once()
    house.clock.move_to("2026-01-26T08:00:00")
    assert [run for run in house.once() if run.startswith("reflect")] == ["reflect 2026-01-25"]


@pytest.mark.req("L-06")
def test_what_was_missed_too_long_ago_is_told_of(house: House) -> None:
    house.clock.move_to("2026-01-16T23:46:00")
    house.once()
    house.clock.move_to("2026-03-16T08:00:00")
    house.once()
    (lost,) = (e.runs for e in house.told if isinstance(e, LeftOut) and e.runs.job is Job.REFLECT)
    assert (lost.first, lost.last) == (date(2026, 1, 17), date(2026, 3, 1))


@pytest.mark.req("L-06")
def test_an_entry_after_the_reflection_is_reflected_on_the_next_night(house: House) -> None:
    house.memory.log("Decided on REST over GraphQL", title="API")
    house.clock.move_to("2026-01-16T23:46:00")
    house.once()
    house.clock.move_to("2026-01-16T23:58:00")
    house.memory.log("Decided on Oslo as the harbour", title="Harbour")
    house.clock.move_to("2026-01-17T23:46:00")
    house.once()
    assert any("Oslo" in text.decode() for path, text in house.files().items() if "decis" in path)


@pytest.mark.req("L-06")
def test_a_job_that_fails_lets_the_others_run_and_is_tried_again(house: House) -> None:
    tried: list[str] = []

    def fails(due: Due, _: object) -> JobReport:
        tried.append(due.key)
        raise DiskFull("No space left.", hint="Free some.")

    def works(due: Due, _: object) -> JobReport:
        return JobReport(due.job, due.key, "")

    house.clock.move_to("2026-01-16T23:46:00")
    told: list[Event] = []
    runs = {Job.HEARTBEAT: fails, Job.REFLECT: works}
    for _ in range(2):
        scheduler = Scheduler(house.workspace(), runs, told.append, threading.Event())
        with pytest.raises(DiskFull):
            scheduler.run_due()
    assert len(tried) == 2
    assert [type(event) for event in told] == [Failed, Ran, Failed]
    assert set(marks_of(house.workspace().state)) == {Job.REFLECT}


@pytest.mark.req("L-06")
def test_a_job_that_is_told_to_stop_is_gone_on_with_the_next_time(house: House) -> None:
    house.memory.log("Decided on REST over GraphQL", title="API")
    house.clock.move_to("2026-01-16T23:50:00")
    stop = threading.Event()
    told: list[Event] = []

    def tell(event: Event) -> None:
        told.append(event)
        if isinstance(event, Ran) and event.report.job is Job.HEARTBEAT:
            stop.set()

    house.memory.serve(tell, stop=stop, once=True)
    assert house.days() == []
    house.memory.serve(told.append, once=True)
    assert house.days() == ["2026-01-16"]
    stop = threading.Event()

    def stopping(_: Due, progress) -> JobReport:  # type: ignore[no-untyped-def]  # a stand-in; what is not as expected fails here
        stop.set()
        progress("applying", 1, 2)
        raise AssertionError

    house.clock.advance(hours=1)
    Scheduler(house.workspace(), {Job.HEARTBEAT: stopping}, told.append, stop).run_due()
    assert isinstance(told[-1], Noted) and "gone on with" in told[-1].text


@pytest.mark.req("L-06", "L-02")
def test_whoever_is_told_to_stop_waits_for_no_model_and_the_next_run_asks_it_again(
    tmp_path: Path,
) -> None:
    asked, model = tmp_path / "asked", tmp_path / "model"
    os.mkfifo(asked)
    model.write_text(f"#!/bin/sh\necho asked > {asked}\nexec sleep 100\n")
    model.chmod(0o755)
    settings = {
        "model.provider": "command",
        "model.command": (str(model),),
        "model.timeout": 90.0,
        "model.daily_tokens": 100_000,
    }
    clock, stop = FrozenClock("2026-01-16T23:50:00"), threading.Event()
    with throwaway_memory(root=tmp_path, clock=clock, settings=settings) as memory:
        house = House(memory, tmp_path, clock)
        memory.log("Decided on REST over GraphQL", title="API")

        def told_once_it_is_asked() -> None:
            asked.read_text()
            stop.set()

        thread = threading.Thread(target=told_once_it_is_asked, daemon=True)
        thread.start()
        began = time.monotonic()
        memory.serve(house.told.append, stop=stop, once=True)
        assert time.monotonic() - began < 30
        assert any(isinstance(e, Noted) and "gone on with" in e.text for e in house.told)
        assert house.days() == []
        (lost,) = memory.history(verb="ask")
        assert "gave no answer" in lost.summary
        model.write_text('#!/bin/sh\ncat > /dev/null\necho "{}"\n')
        assert "reflect 2026-01-16" in house.once()
        assert house.days() == ["2026-01-16"] and len(memory.history(verb="ask")) > 1


@pytest.mark.req("L-06")
def test_one_process_serves_and_timers_leave_it_to_it(house: House) -> None:
    with scheduling(house.workspace().state):
        with pytest.raises(Refused, match="serves"):
            house.memory.serve(house.told.append)
        assert house.once() == []
        assert "another process" in house.told[0].text  # type: ignore[union-attr]  # a stand-in; what is not as expected fails here


def command(house: House, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "vademecum", "-w", str(house.root), *words],
        env={
            **os.environ,
            "VADE_STATE_DIRECTORY": str(house.state),
            "VADE_EMBEDDER_PROVIDER": "none",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.req("L-06", "L-01")
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_process_that_serves_beats_watches_and_ends_when_told(
    house: House, ending: signal.Signals
) -> None:
    house.memory.log("Decided on REST over GraphQL", title="API")
    with command(house, "serve", "--json") as process:
        assert process.stdout is not None and process.stderr is not None
        seen: set[str] = set()
        while not {"heartbeat", "synced"} <= seen:
            row = json.loads(process.stdout.readline())
            seen |= {row["event"], row.get("report", {}).get("job", "")}
        process.send_signal(ending)
        _, complaints = process.communicate(timeout=60)
    assert process.returncode == 0, complaints
    assert complaints == ""
    assert Job.HEARTBEAT in marks_of(house.workspace().state)


@pytest.mark.req("L-06", "B-02")
def test_two_processes_at_once_run_each_job_once(house: House) -> None:
    yesterday = house.clock.now().astimezone(UTC).date()
    house.memory.log("Decided on REST over GraphQL", title="API")
    both = [command(house, "reflect", str(yesterday), "--json") for _ in range(2)]
    reports = [json.loads(process.communicate(timeout=60)[0]) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    worked = [report for report in reports if any(step["change"] for step in report["steps"])]
    assert len(worked) == 1
    assert house.days() == [str(yesterday)]
    notes = [text.decode() for path, text in house.files().items() if "decisions/2" in path]
    assert sum("REST over GraphQL" in text for text in notes) <= 1
