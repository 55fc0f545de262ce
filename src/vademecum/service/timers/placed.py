"""The verb `schedule`: timers of the system that run what is due, put in place and taken away."""

from __future__ import annotations

import enum
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path

from vademecum.core.errors import BadInput, Refused
from vademecum.core.frozen import dataclass
from vademecum.core.jobs import Job
from vademecum.lifecycle.schedule import due
from vademecum.service.hosts.setting import Setting
from vademecum.service.serving import marks_of, timing_of
from vademecum.service.timers import written
from vademecum.service.timers.receipt import keep_receipt, receipt_file
from vademecum.service.timers.written import Call
from vademecum.workspace.disk_errors import failure
from vademecum.workspace.whole import write_whole
from vademecum.workspace.workspace import Workspace

_CRONTAB = "crontab"
_PATIENCE = 30.0
_NOBODY = "Neither systemd, launchd nor cron is here to run jobs."
_BY_HAND = "Keep `vade serve` running, or see what one would need with --kind and --print."


class Kind(enum.StrEnum):
    """Who runs the jobs."""

    SYSTEMD = "systemd"
    LAUNCHD = "launchd"
    CRON = "cron"


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands, or is to stand, in one place: a file, or the user's crontab."""

    place: str
    text: str
    there: bool = False
    """It is there, word by word."""


@dataclass(frozen=True, slots=True)
class LastRun:
    """For which day, or at which instant, a job was last run by a schedule."""

    job: str
    done: date


@dataclass(frozen=True, slots=True)
class Schedule:
    """How the jobs of a workspace are run by the system."""

    workspace: str
    kind: Kind | None
    """None where this system has nothing that runs jobs."""
    installed: bool
    current: bool
    """It is as `install` would write it now."""
    pieces: tuple[Piece, ...] = ()
    said: tuple[str, ...] = ()
    """What the system's own commands said that a person should know."""
    last: tuple[LastRun, ...] = ()
    next: datetime | None = None


class Timers:
    """The timers of one workspace for one user."""

    def __init__(self, workspace: Workspace, setting: Setting, kind: str = "") -> None:
        if not setting.program or not Path(setting.program[0]).is_absolute():
            raise BadInput("The program has no absolute path.", hint="Name it: --program FILE.")
        self._workspace = workspace
        self._setting = setting
        self._timing = timing_of(workspace)
        # Times that cannot be read are an error now, not in the night.
        self._owed = due(workspace.clock.now(), self._marks(), self._timing, workspace.zone)
        self._said: list[str] = []
        self.kind = Kind(kind) if kind else self._found() or self._default()

    def status(self) -> Schedule:
        """Return what is in place, when jobs ran and when the next is due; nothing is changed."""
        pieces = tuple(self._pieces())
        installed = any(self._exists(piece.place) for piece in pieces)
        last = tuple(LastRun(job.value, done) for job, done in self._marks().items())
        return Schedule(
            str(self._workspace.root),
            self.kind,
            installed,
            installed and all(piece.there for piece in pieces),
            pieces,
            tuple(self._said),
            last,
            self._owed.next,
        )

    def install(self) -> Schedule:
        """Put the timer in place and start it; the second time nothing changes. Raises Refused."""
        if self.kind is None:
            raise Refused(_NOBODY, hint=_BY_HAND)
        for piece in self._pieces():
            if not piece.there:
                self._put(piece)
        for words in self._commands(starting=True):
            self._run(words)
        keep_receipt(self._workspace, self.kind.value)
        return self.status()

    def remove(self) -> Schedule:
        """Stop the timer and take away what `install` put in place, and nothing else."""
        receipt_file(self._workspace.state).unlink(missing_ok=True)
        if self.kind is Kind.CRON:
            crontab = self._crontab()
            rest = written.without_cron_block(crontab, self._name())
            if rest != crontab:
                self._run([_CRONTAB, "-"] if rest else [_CRONTAB, "-r"], rest)
            return self.status()
        there = [piece for piece in self._pieces() if Path(piece.place).exists()]
        if there:
            before, *after = self._commands(starting=False)
            self._run(before)
            for piece in there:
                Path(piece.place).unlink(missing_ok=True)
            for words in after:
                self._run(words)
        return self.status()

    # ------------------------------------------------------------ what is where

    def _pieces(self) -> Iterator[Piece]:
        if self.kind is None:
            return
        call = self._call()
        if self.kind is Kind.CRON:
            block = written.cron_block(call)
            there = written.cron_block_in(self._crontab(), call.name) == block
            yield Piece(_CRONTAB, block, there)
            return
        for path, text in self._files(call):
            yield Piece(str(path), text, _read(path) == text)

    def _files(self, call: Call) -> Iterator[tuple[Path, str]]:
        if self.kind is Kind.LAUNCHD:
            folder = self._setting.home / "Library/LaunchAgents"
            yield folder / f"{call.name}.plist", written.launchd_plist(call).decode()
            return
        folder = self._setting.config_home() / "systemd/user"
        yield folder / f"{call.name}.service", written.systemd_service(call)
        yield folder / f"{call.name}.timer", written.systemd_timer(call)

    def _call(self) -> Call:
        call = Call(
            self._name(),
            tuple(self._setting.words("serve", "--once")),
            self._setting.passed_on(),
            self._timing,
            self._workspace.zone.key,
        )
        written.check(call)
        return call

    def _name(self) -> str:
        kept = "".join(s if s.isascii() and (s.isalnum() or s in "-_") else "-" for s in self._id())
        return f"org.vademecum.{kept}" if self.kind is Kind.LAUNCHD else f"vade-{kept}"

    def _id(self) -> str:
        return self._workspace.state.name

    def _exists(self, place: str) -> bool:
        if place == _CRONTAB:
            return bool(written.cron_block_in(self._crontab(), self._name()))
        return Path(place).exists()

    def _found(self) -> Kind | None:
        """Return the kind that is in place, if any is."""
        for kind in Kind:
            self.kind = kind
            if kind is Kind.CRON and not self._which(_CRONTAB):
                continue
            places = (
                [_CRONTAB] if kind is Kind.CRON else [str(p) for p, _ in self._files(self._call())]
            )
            if any(map(self._exists, places)):
                return kind
        return None

    def _default(self) -> Kind | None:
        if sys.platform == "darwin":
            return Kind.LAUNCHD
        if Path("/run/systemd/system").is_dir() and self._which("systemctl"):
            return Kind.SYSTEMD
        if self._which(_CRONTAB):
            return Kind.CRON
        self._said.append(f"{_NOBODY} {_BY_HAND}")
        return None

    def _marks(self) -> Mapping[Job, datetime | date]:
        return marks_of(self._workspace.state)

    # ------------------------------------------------------------ doing it

    def _put(self, piece: Piece) -> None:
        if piece.place == _CRONTAB:
            if not self._which(_CRONTAB):
                raise Refused("There is no crontab here.", hint="Choose another --kind.")
            made = written.with_cron_block(self._crontab(), self._call())
            self._run([_CRONTAB, "-"], made, needed=True)
            return
        path = Path(piece.place)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, piece.text.encode(), durable=True)
        except OSError as error:
            raise failure(error, piece.place, "write") from error

    def _commands(self, *, starting: bool) -> list[list[str]]:
        name = self._name()
        control = ["systemctl", "--user"]
        if self.kind is Kind.SYSTEMD:
            reload = [*control, "daemon-reload"]
            if starting:
                return [reload, [*control, "enable", "--now", f"{name}.timer"]]
            return [[*control, "disable", "--now", f"{name}.timer"], reload]
        if self.kind is Kind.LAUNCHD:
            domain = f"gui/{os.getuid()}"
            out = ["launchctl", "bootout", f"{domain}/{name}"]
            plist = next(self._files(self._call()))[0]
            return [out, ["launchctl", "bootstrap", domain, str(plist)]] if starting else [out]
        return []

    def _run(self, words: Sequence[str], given: str = "", *, needed: bool = False) -> None:
        """Run a command of the system; what it cannot do is told, with the command to repeat."""
        program = self._which(words[0])
        ended = self._ran([program, *words[1:]], given) if program else None
        if ended is not None and ended.returncode == 0:
            return
        if words[1] == "bootout":
            return  # nothing was started
        said = " ".join((ended.stderr if ended else f"there is no {words[0]} here").split())
        told = f"`{' '.join(words)}` did not work: {said}"
        if needed:
            raise Refused(f"{told}.", hint="Choose another --kind, or keep `vade serve` running.")
        self._said.append(f"{told}; run it yourself.")

    def _crontab(self) -> str:
        program = self._which(_CRONTAB)
        ended = self._ran([program, "-l"]) if program else None
        return ended.stdout if ended is not None and ended.returncode == 0 else ""

    def _ran(self, words: Sequence[str], given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words,
            input=given,
            capture_output=True,
            text=True,
            env=dict(self._setting.variables),
            timeout=_PATIENCE,
            check=False,
        )

    def _which(self, program: str) -> str:
        return shutil.which(program, path=self._setting.variables.get("PATH")) or ""


def _read(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
