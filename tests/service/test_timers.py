"""Timers of the system: put in place once, taken away to the last byte, whoever keeps them."""

from __future__ import annotations

import os
import plistlib
import re
import stat
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from vademecum.core.errors import BadInput, InvalidConfiguration, Refused
from vademecum.service.memory import Memory, init, open_memory
from vademecum.surfaces.rendering.scheduling import scheduled
from vademecum.testing import FrozenClock

PROGRAM = ("/opt/my tools/vade",)
FOREIGN = "MAILTO=ada\n5 4 * * * backup --all 100\\%"  # without a line end

CRONTAB = """#!/bin/sh
case "$1" in
  -l) if [ -f "$HOME/tab" ]; then cat "$HOME/tab"; else echo "no crontab for ada" >&2; exit 1; fi;;
  -r) rm "$HOME/tab";;
  -) cat > "$HOME/tab";;
esac
"""
SYSTEMCTL = '#!/bin/sh\necho "$@" >> "$HOME/systemctl"\n'
REFUSES = """#!/bin/sh
case "$1" in
  -l) echo "crontabs/ada: cannot open: Input/output error" >&2; exit 1;;
  *) cat > "$HOME/tab";;
esac
"""
HANGS = '#!/bin/sh\n[ "$1" = -l ] && exec sleep 30\ncat > "$HOME/tab"\n'
BROKEN = '#!/bin/sh\necho "no bus here" >&2\nexit 1\n'


class Machine:
    """A home with programs of its own, and a workspace with a name that needs quoting."""

    def __init__(self, home: Path, memory: Memory, clock: FrozenClock) -> None:
        self.home = home
        self.clock = clock
        self.memory = memory
        self.variables: Mapping[str, str] = {
            "HOME": str(home),
            "PATH": f"{home}/bin:/usr/bin:/bin",
            "XDG_STATE_HOME": f"{home}/my state",
        }

    def program(self, name: str, text: str) -> None:
        file = self.home / "bin" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        file.chmod(file.stat().st_mode | stat.S_IXUSR)

    def schedule(self, action: str, kind: str = ""):  # type: ignore[no-untyped-def]  # actions and kinds as a person may type them
        return self.memory.schedule(
            action,  # type: ignore[arg-type]  # actions and kinds as a person may type them
            kind=kind,
            program=PROGRAM,
            variables=self.variables,
        )

    def files(self) -> dict[str, bytes]:
        found = (file for file in self.home.rglob("*") if file.is_file())
        rest = {str(file.relative_to(self.home)): file.read_bytes() for file in found}
        return {name: text for name, text in rest.items() if "state/" not in name}


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    root = tmp_path / "my notes 100%"
    settings = {
        "state.directory": str(tmp_path / "state"),
        "workspace.zone": "Europe/Berlin",
        "embedder.provider": "none",
    }
    init(root, clock=FrozenClock(), settings=settings, variables={})
    clock = FrozenClock()
    with open_memory(root, clock=clock, settings=settings, variables={}) as memory:
        home = tmp_path / "home"
        home.mkdir()
        yield Machine(home, memory, clock)


@pytest.mark.req("L-06")
def test_a_crontab_gets_a_block_once_and_is_as_it_was_afterwards(machine: Machine) -> None:
    machine.program("crontab", CRONTAB)
    (machine.home / "tab").write_text(FOREIGN)
    done = machine.schedule("install", "cron")
    tab = (machine.home / "tab").read_text()
    assert done.installed and done.current
    assert tab.endswith(f"\n{FOREIGN}")
    assert "*/30 * * * * XDG_STATE_HOME=" in tab
    assert "45 23 * * * " in tab and "0 0 * * 0 " in tab
    machine.schedule("install", "cron")
    assert (machine.home / "tab").read_text() == tab
    assert machine.schedule("status").kind == "cron"
    assert not machine.schedule("remove").installed
    assert (machine.home / "tab").read_text() == FOREIGN


@pytest.mark.req("L-06")
def test_a_user_without_a_crontab_has_none_afterwards(machine: Machine) -> None:
    machine.program("crontab", CRONTAB)
    machine.schedule("install", "cron")
    assert (machine.home / "tab").exists()
    machine.schedule("remove", "cron")
    assert not (machine.home / "tab").exists()


@pytest.mark.req("L-06")
def test_a_crontab_that_cannot_be_read_is_never_written(machine: Machine) -> None:
    machine.program("crontab", REFUSES)
    (machine.home / "tab").write_text(FOREIGN)
    for action in ("install", "remove", "status"):
        with pytest.raises(Refused, match="left alone.*cannot open"):
            machine.schedule(action, "cron")
    machine.program("systemctl", SYSTEMCTL)
    assert any("cannot open" in said for said in machine.schedule("install", "systemd").said)
    assert (machine.home / "tab").read_text() == FOREIGN


@pytest.mark.req("L-06")
def test_a_crontab_that_is_not_told_in_time_is_not_written_either(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vademecum.service.timers.system._PATIENCE", 0.3)
    machine.program("crontab", HANGS)
    (machine.home / "tab").write_text(FOREIGN)
    with pytest.raises(Refused, match="left alone.*took longer"):
        machine.schedule("install", "cron")
    assert (machine.home / "tab").read_text() == FOREIGN


@pytest.mark.req("L-06")
@pytest.mark.parametrize(
    "said", ["no crontab for ada", "crontab: can't open 'ada': No such file or directory"]
)
def test_a_user_without_a_crontab_gets_one_whatever_cron_calls_that(
    machine: Machine, said: str
) -> None:
    machine.program("crontab", CRONTAB.replace("no crontab for ada", said))
    assert machine.schedule("install", "cron").current


@pytest.mark.req("L-06")
@pytest.mark.parametrize(
    "foreign", [b"# caf\xe9\n5 4 * * * backup\n", b"5 4 * * * a\r\n# \xff\r\n"]
)
def test_what_others_wrote_into_a_crontab_stays_to_its_last_byte(
    machine: Machine, foreign: bytes
) -> None:
    machine.program("crontab", CRONTAB)
    tab = machine.home / "tab"
    tab.write_bytes(foreign)
    assert not machine.schedule("status", "cron").installed
    assert machine.schedule("install", "cron").current
    assert tab.read_bytes().endswith(foreign)
    tab.write_bytes(tab.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    assert not machine.schedule("status", "cron").current
    machine.schedule("install", "cron")
    assert tab.read_bytes().count(b"# vade:jobs") == 1
    tab.write_bytes(foreign)
    machine.schedule("install", "cron")
    machine.schedule("remove", "cron")
    assert tab.read_bytes() == foreign


@pytest.fixture
def both(machine: Machine) -> Machine:
    """Give a machine that has systemd and cron, and a crontab of its own."""
    machine.program("crontab", CRONTAB)
    machine.program("systemctl", SYSTEMCTL)
    (machine.home / "tab").write_text(FOREIGN)
    return machine


@pytest.mark.req("L-06")
def test_of_two_kinds_the_one_that_was_put_in_place_last_stays(both: Machine) -> None:
    both.schedule("install", "systemd")
    done = both.schedule("install", "cron")
    assert (done.kind, done.also) == ("cron", ())
    assert any("systemd ran them before" in said for said in done.said)
    assert not [*(both.home / ".config/systemd/user").iterdir()]
    assert "disable --now" in (both.home / "systemctl").read_text()


@pytest.mark.req("L-06")
def test_two_kinds_that_are_in_place_are_both_told_of_and_both_taken_away(both: Machine) -> None:
    both.schedule("install", "cron")
    with_block = (both.home / "tab").read_text()
    both.schedule("install", "systemd")
    (both.home / "tab").write_text(with_block)  # put back from a copy, say
    found = both.schedule("status")
    assert (found.kind, found.also) == ("systemd", ("cron",))
    rows = "\n".join(
        "".join(piece for piece, _ in row.pieces) for row in scheduled(found, "status")
    )
    assert "cron: in place too" in rows
    gone = both.schedule("remove")
    assert not gone.installed and gone.also == ()
    assert (both.home / "tab").read_text() == FOREIGN
    assert not [*(both.home / ".config/systemd/user").iterdir()]


@pytest.mark.req("L-06")
def test_what_cron_calls_reaches_the_program_word_by_word(machine: Machine) -> None:
    machine.program("crontab", CRONTAB)
    machine.program("told", '#!/bin/sh\nprintf "%s\\n" "$XDG_STATE_HOME" "$@" > "$HOME/heard"\n')
    program = (str(machine.home / "bin/told"),)
    machine.memory.schedule("install", kind="cron", program=program, variables=machine.variables)
    row = next(r for r in (machine.home / "tab").read_text().splitlines() if r[:1] == "*")
    command = row.split(" ", 5)[5].replace("\\%", "%")  # as cron reads it
    subprocess.run(["/bin/sh", "-c", command], env=dict(machine.variables), check=True)
    heard = (machine.home / "heard").read_text().splitlines()
    root = machine.memory.schedule(
        "status", kind="cron", program=program, variables=machine.variables
    ).workspace
    assert heard == [f"{machine.home}/my state", "--workspace", root, "serve", "--once"]


@pytest.mark.req("L-06")
def test_systemd_gets_a_timer_in_the_zone_of_the_workspace(machine: Machine) -> None:
    machine.program("systemctl", SYSTEMCTL)
    before = machine.files()
    done = machine.schedule("install", "systemd")
    assert done.installed and done.current and done.said == ()
    units = machine.home / ".config/systemd/user"
    (service,), (timer,) = units.glob("*.service"), units.glob("*.timer")
    text = service.read_text()
    assert '"/opt/my tools/vade" "--workspace"' in text and "my notes 100%%" in text
    assert f'Environment="XDG_STATE_HOME={machine.home}/my state"' in text
    text = timer.read_text()
    assert "OnCalendar=*:0/30\n" in text
    assert "OnCalendar=*-*-* 23:45:00 Europe/Berlin\n" in text
    assert "OnCalendar=Sun *-*-* 00:00:00 Europe/Berlin\n" in text
    assert "Persistent=true" in text
    asked = (machine.home / "systemctl").read_text().splitlines()
    assert asked == [
        "--user daemon-reload",
        f"--user enable --now {timer.name}",
        f"--user is-active {timer.name}",
    ]
    machine.schedule("remove")
    (machine.home / "systemctl").unlink()
    assert machine.files() == before


@pytest.mark.req("L-06")
def test_a_system_that_does_not_answer_gets_no_timer_and_keeps_the_one_it_had(
    machine: Machine,
) -> None:
    machine.program("systemctl", BROKEN)
    before = machine.files()
    with pytest.raises(Refused, match="no bus here"):
        machine.schedule("install", "systemd")
    assert machine.files() == before
    machine.program("systemctl", SYSTEMCTL)
    (timer,) = [
        f for f in machine.schedule("install", "systemd").pieces if f.place.endswith(".timer")
    ]
    Path(timer.place).write_text("an older one")
    machine.program("systemctl", BROKEN)
    with pytest.raises(Refused, match="no bus here"):
        machine.schedule("install", "systemd")
    assert Path(timer.place).read_text() == "an older one"


@pytest.mark.req("L-06")
def test_a_timer_that_the_system_does_not_run_is_not_said_to_be_well(machine: Machine) -> None:
    machine.program("systemctl", SYSTEMCTL)
    assert machine.schedule("install", "systemd").running
    machine.program("systemctl", BROKEN)
    found = machine.schedule("status")
    assert found.installed and found.current and not found.running
    rows = "\n".join(
        "".join(piece for piece, _ in row.pieces) for row in scheduled(found, "status")
    )
    assert "systemd does not run it" in rows and "no bus here" in rows


@pytest.mark.req("L-06")
def test_launchd_gets_an_agent(machine: Machine) -> None:
    machine.program("launchctl", SYSTEMCTL.replace("systemctl", "launchctl"))
    before = machine.files()
    machine.schedule("install", "launchd")
    (file,) = (machine.home / "Library/LaunchAgents").glob("*.plist")
    described = plistlib.loads(file.read_bytes())
    assert described["ProgramArguments"][0] == PROGRAM[0]
    assert described["ProgramArguments"][-2:] == ["serve", "--once"]
    assert {"Hour": 23, "Minute": 45} in described["StartCalendarInterval"]
    assert {"Hour": 0, "Minute": 0, "Weekday": 0} in described["StartCalendarInterval"]
    assert described["EnvironmentVariables"] == {"XDG_STATE_HOME": f"{machine.home}/my state"}
    asked = (machine.home / "launchctl").read_text()
    assert re.search(rf"bootstrap gui/{os.getuid()} {re.escape(str(file))}", asked)
    machine.schedule("remove")
    (machine.home / "launchctl").unlink()
    assert machine.files() == before


@pytest.mark.req("L-06")
def test_status_changes_nothing_and_tells_what_is_out_of_date(machine: Machine) -> None:
    machine.program("systemctl", "#!/bin/sh\n")
    machine.schedule("install", "systemd")
    (timer,) = (machine.home / ".config/systemd/user").glob("*.timer")
    timer.write_text(timer.read_text().replace("0/30", "0/7"))
    before = machine.files()
    found = machine.schedule("status")
    assert found.installed and not found.current
    assert found.next is not None
    assert machine.files() == before
    assert machine.schedule("install").current


@pytest.mark.req("L-06", "B-01")
def test_the_doctor_tells_of_a_schedule_that_does_not_run(machine: Machine) -> None:
    def codes() -> set[str]:
        return {finding.code for finding in machine.memory.doctor().findings}

    machine.program("crontab", CRONTAB)
    machine.clock.advance(days=9)
    assert "jobs-not-run" not in codes()
    machine.schedule("install", "cron")
    assert "jobs-not-run" not in codes()
    machine.clock.advance(hours=25)
    assert "jobs-not-run" in codes()
    machine.memory.serve(lambda _: None, once=True)
    assert "jobs-not-run" not in codes()
    machine.clock.advance(days=3)
    machine.schedule("remove", "cron")
    assert "jobs-not-run" not in codes()


@pytest.mark.req("L-06")
def test_a_system_without_any_of_them_says_so_and_still_tells_what_is_next(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    machine.variables = {**machine.variables, "PATH": str(machine.home)}
    found = machine.schedule("status")
    assert found.kind is None and found.next is not None
    assert "Neither systemd" in found.said[0]
    with pytest.raises(Refused, match="Neither systemd"):
        machine.schedule("install")


@pytest.mark.req("L-06")
def test_a_timer_needs_a_program_by_its_whole_path(machine: Machine) -> None:
    with pytest.raises(BadInput, match="absolute"):
        machine.memory.schedule("install", kind="cron", program=("vade",), variables={})


@pytest.mark.req("L-06")
def test_times_that_cannot_be_read_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    settings = {"state.directory": str(tmp_path / "state"), "jobs.reflect": "tonight"}
    init(tmp_path / "notes", clock=FrozenClock(), settings=settings, variables={})
    with (
        open_memory(
            tmp_path / "notes", clock=FrozenClock(), settings=settings, variables={}
        ) as one,
        pytest.raises(InvalidConfiguration, match=r"jobs\.reflect"),
    ):
        one.schedule("install", kind="cron", program=PROGRAM, variables={"HOME": str(tmp_path)})
