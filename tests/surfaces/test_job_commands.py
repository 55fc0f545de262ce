"""`vade heartbeat`, `serve` and `schedule` from the shell."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from vademecum.surfaces.cli.main import status_of
from vademecum.surfaces.cli.verb import Call
from vademecum.testing import FrozenClock

Run = Callable[..., str]


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock("2026-01-20T23:50:00")


@pytest.fixture
def run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    clock: FrozenClock,
) -> Iterator[Run]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))  # no timer of this machine is touched
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/systemctl").write_text("#!/bin/sh\nexit 0\n")
    (tmp_path / "bin/systemctl").chmod(0o755)
    monkeypatch.setenv("VADE_EMBEDDER_PROVIDER", "none")
    monkeypatch.setenv("VADE_WORKSPACE", str(tmp_path / "notes"))
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    assert status_of(["init", str(tmp_path / "notes")]) == 0
    capsys.readouterr()

    def call(*arguments: str, code: int = 0) -> str:
        assert status_of(list(arguments), Call(clock=clock)) == code
        return capsys.readouterr().out

    yield call
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.mark.req("L-01")
def test_a_heartbeat_tells_what_it_wrote_and_how_to_take_it_back(run: Run, tmp_path: Path) -> None:
    run("log", "Decided on REST over GraphQL", "--title", "API")
    shown = run("heartbeat", "--dry-run")
    assert "+- 23:50 API" in shown and "nothing was changed" in shown
    assert "vade:now" not in (tmp_path / "notes/NOW.md").read_text()
    done = run("heartbeat")
    assert "written  the workbench" in done
    session = done.rsplit("--session ", 1)[1].strip()
    run("undo", "--session", session)
    assert "vade:now" not in (tmp_path / "notes/NOW.md").read_text()
    assert json.loads(run("heartbeat", "--json"))["already"] is True


@pytest.mark.req("L-06")
def test_serving_once_says_a_line_or_a_row_for_each_job(run: Run) -> None:
    run("log", "Decided on REST over GraphQL", "--title", "API")
    rows = [json.loads(line) for line in run("serve", "--once", "--json").splitlines()]
    assert [row["report"]["job"] for row in rows] == ["heartbeat", "reflect", "promote", "archive"]
    run("log", "Decided on Oslo as the harbour", "--title", "Harbour")
    assert run("serve", "--once") == ""


@pytest.mark.req("L-06")
def test_a_schedule_is_shown_before_it_is_put_anywhere(run: Run, tmp_path: Path) -> None:
    shown = run("schedule", "install", "--kind", "systemd", "--print")
    assert "OnCalendar=*-*-* 23:45:00" in shown and '"serve" "--once"' in shown
    assert not (tmp_path / "home/.config").exists()
    run("schedule", "install", "--kind", "systemd")
    assert "systemd: in place" in run("schedule")
    assert "removed" in run("schedule", "remove", "--kind", "systemd")
    assert not list((tmp_path / "home/.config/systemd/user").iterdir())
    assert json.loads(run("schedule", "--kind", "cron", "--json"))["installed"] is False


@pytest.mark.req("L-06")
def test_days_on_which_nothing_happened_take_one_line_each(run: Run, clock: FrozenClock) -> None:
    run("serve", "--once")
    clock.advance(days=3)
    rows = run("serve", "--once").splitlines()
    assert [row.partition("  ")[2] for row in rows if "reflect" in row] == [
        f"reflect 2026-01-{day}: nothing was changed" for day in (21, 22, 23)
    ]


@pytest.mark.req("L-03")
def test_what_nothing_was_written_of_is_not_said_to_be_written(
    run: Run, tmp_path: Path, clock: FrozenClock
) -> None:
    for _ in range(4):
        run("log", "User: Services talk REST.", "--title", "API")
        clock.advance(days=1)
    core = tmp_path / "notes/MEMORY.md"
    before = core.read_text()
    dry = run("reflect", "2026-01-20", "--dry-run")
    assert "would be composed  memory/reflections/2026-01-20.md" in dry
    for arguments in (("promote",), ("promote", "--dry-run"), ("serve", "--once")):
        shown = run(*arguments)
        assert "would be added  [stated] Services talk REST." in shown, arguments
        assert "\nadded" not in f"\n{shown}", arguments
        assert core.read_text() == before
    assert "\nadded  [stated] Services talk REST." in f"\n{run('promote', '--apply')}"
    assert core.read_text() != before


@pytest.mark.req("L-02", "L-04")
def test_a_reflection_that_was_taken_back_says_how_to_have_it_again(
    run: Run, tmp_path: Path, clock: FrozenClock
) -> None:
    run("log", "User: We decided that services talk REST.", "--title", "API")
    run("reflect")
    note = tmp_path / "notes/memory/reflections/2026-01-20.md"
    assert "done before" in run("reflect") and "--again" not in run("reflect")
    run("undo", "--session", "reflect-2026-01-20")
    clock.advance(days=50)
    [told] = [row for row in run("archive").splitlines() if "[UNREFLECTED]" in row]
    assert "vade reflect DAY --again" in told
    shown = run("reflect", "2026-01-20")
    assert "done before" in shown and "vade reflect 2026-01-20 --again writes it anew" in shown
    assert not note.exists()
    run("reflect", "2026-01-20", "--again")
    assert "services talk REST" in note.read_text()
