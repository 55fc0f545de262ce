"""The verb `schedule`: timers of the system that run what is due, put in place and taken away."""

from __future__ import annotations

import enum
import os
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
from vademecum.service.timers.crontab import CRONTAB, Crontab
from vademecum.service.timers.receipt import keep_receipt, receipt_file
from vademecum.service.timers.system import Ended, System
from vademecum.service.timers.written import Call
from vademecum.workspace.disk_errors import failure
from vademecum.workspace.whole import write_whole
from vademecum.workspace.workspace import Workspace

_NOBODY = "Neither systemd, launchd nor cron is here to run jobs."
_BY_HAND = "Keep `vade serve` running, or see what one would need with --kind and --print."


class Kind(enum.StrEnum):
    """Who runs the jobs."""

    SYSTEMD = "systemd"
    LAUNCHD = "launchd"
    CRON = "cron"


class _Doing(enum.Enum):
    """What the system's commands are for."""

    START = enum.auto()
    STOP = enum.auto()
    ASK = enum.auto()


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
    running: bool = False
    """It is in place, and the system says that it keeps to it."""
    also: tuple[Kind, ...] = ()
    """Of the other kinds, those that are in place too."""
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
        self._system = System(setting.variables)
        self._crontab = Crontab(self._system)
        self._wanted = Kind(kind) if kind else None
        found = self._found()
        self.kind = self._wanted or (found[0] if found else self._default())

    def status(self) -> Schedule:
        """Return what is in place, when jobs ran and when the next is due; nothing is changed."""
        pieces = tuple(self._pieces(self.kind)) if self.kind is not None else ()
        found = self._found()
        installed = self.kind is not None and self.kind in found
        last = tuple(LastRun(job.value, done) for job, done in self._marks().items())
        return Schedule(
            workspace=str(self._workspace.root),
            kind=self.kind,
            installed=installed,
            current=installed and all(piece.there for piece in pieces),
            running=self.kind is not None and installed and self._runs(self.kind),
            also=tuple(kind for kind in found if kind is not self.kind),
            pieces=pieces,
            said=tuple(dict.fromkeys(self._said)),
            last=last,
            next=self._owed.next,
        )

    def install(self) -> Schedule:
        """Put the timer in place and start it; the second time nothing changes. Raises Refused.

        Where it cannot be started nothing stays of it. Timers of another kind are taken away: one
        is enough.
        """
        if self.kind is None:
            raise Refused(_NOBODY, hint=_BY_HAND)
        if self.kind is Kind.CRON:
            self._install_block()
        else:
            self._install_files(self.kind)
        for other in self._found():
            if other is not self.kind:
                self._take_away(other)
                self._said.append(f"{other.value} ran them before: its timer is taken away.")
        keep_receipt(self._workspace, self.kind.value)
        return self.status()

    def remove(self) -> Schedule:
        """Stop the timers and take away what `install` put in place, and nothing else.

        Those of every kind, where none was named. Raises Refused.
        """
        for kind in [self._wanted] if self._wanted else self._found():
            self._take_away(kind)
        receipt_file(self._workspace.state).unlink(missing_ok=True)
        for kind in self._found()[:1]:
            keep_receipt(self._workspace, kind.value)
        return self.status()

    # ------------------------------------------------------------ what is where

    def _pieces(self, kind: Kind) -> Iterator[Piece]:
        call = self._call(kind)
        if kind is Kind.CRON:
            block = written.cron_block(call)
            there = written.cron_block_in(self._crontab.read(), call.name) == block
            yield Piece(CRONTAB, block, there)
            return
        for path, text in self._files(kind):
            yield Piece(str(path), text, _read(path) == text.encode())

    def _files(self, kind: Kind) -> Iterator[tuple[Path, str]]:
        call = self._call(kind)
        if kind is Kind.LAUNCHD:
            folder = self._setting.home / "Library/LaunchAgents"
            yield folder / f"{call.name}.plist", written.launchd_plist(call).decode()
            return
        folder = self._setting.config_home() / "systemd/user"
        yield folder / f"{call.name}.service", written.systemd_service(call)
        yield folder / f"{call.name}.timer", written.systemd_timer(call)

    def _found(self) -> tuple[Kind, ...]:
        """Return the kinds that are in place; a crontab that cannot be read is told of."""
        return tuple(kind for kind in Kind if self._in_place(kind))

    def _in_place(self, kind: Kind) -> bool:
        if kind is not Kind.CRON:
            return any(path.exists() for path, _ in self._files(kind))
        try:
            return bool(written.cron_block_in(self._crontab.read(), self._name(kind)))
        except Refused as error:
            self._said.append(str(error))
            return False

    def _runs(self, kind: Kind) -> bool:
        """Whether the system says that it keeps to what is in place; cron is not asked."""
        asked = self._commands(kind, _Doing.ASK)
        ended = [self._system.run(words) for words in asked]
        told = zip(asked, ended, strict=True)
        self._said += [_told(words, one) for words, one in told if one.said]
        return all(one.code == 0 for one in ended)

    def _call(self, kind: Kind) -> Call:
        call = Call(
            self._name(kind),
            tuple(self._setting.words("serve", "--once")),
            self._setting.passed_on(),
            self._timing,
            self._workspace.zone.key,
        )
        written.check(call)
        return call

    def _name(self, kind: Kind) -> str:
        name = self._workspace.state.name
        kept = "".join(s if s.isascii() and (s.isalnum() or s in "-_") else "-" for s in name)
        return f"org.vademecum.{kept}" if kind is Kind.LAUNCHD else f"vade-{kept}"

    def _default(self) -> Kind | None:
        if sys.platform == "darwin":
            return Kind.LAUNCHD
        if Path("/run/systemd/system").is_dir() and self._system.has("systemctl"):
            return Kind.SYSTEMD
        if self._crontab.here:
            return Kind.CRON
        self._said.append(f"{_NOBODY} {_BY_HAND}")
        return None

    def _marks(self) -> Mapping[Job, datetime | date]:
        return marks_of(self._workspace.state)

    # ------------------------------------------------------------ doing it

    def _install_block(self) -> None:
        if not self._crontab.here:
            raise Refused("There is no crontab here.", hint="Choose another --kind.")
        before = self._crontab.read()
        after = written.with_cron_block(before, self._call(Kind.CRON))
        if after != before:
            self._crontab.write(after)

    def _install_files(self, kind: Kind) -> None:
        before = [(path, _read(path)) for path, _ in self._files(kind)]
        for path, text in self._files(kind):
            _put(path, text.encode())
        try:
            self._start(kind)
        except Refused:
            for path, was in before:
                _put(path, was)
            raise

    def _start(self, kind: Kind) -> None:
        for words in self._commands(kind, _Doing.START):
            ended = self._system.run(words)
            if ended.code != 0 and words[1] != "bootout":  # nothing was started before
                raise Refused(
                    f"Nothing is put in place: {_told(words, ended)}.",
                    hint="Choose another --kind, or keep `vade serve` running.",
                )

    def _take_away(self, kind: Kind) -> None:
        if kind is Kind.CRON:
            crontab = self._crontab.read()
            rest = written.without_cron_block(crontab, self._name(kind))
            if rest != crontab:
                self._crontab.write(rest)
            return
        there = [path for path, _ in self._files(kind) if path.exists()]
        if there:
            before, *after = self._commands(kind, _Doing.STOP)
            self._run(before)
            for path in there:
                _put(path, None)
            for words in after:
                self._run(words)

    def _commands(self, kind: Kind, doing: _Doing) -> list[list[str]]:
        name = self._name(kind)
        if kind is Kind.SYSTEMD:
            control, timer = ["systemctl", "--user"], f"{name}.timer"
            reload = [*control, "daemon-reload"]
            return {
                _Doing.START: [reload, [*control, "enable", "--now", timer]],
                _Doing.STOP: [[*control, "disable", "--now", timer], reload],
                _Doing.ASK: [[*control, "is-active", timer]],
            }[doing]
        if kind is Kind.LAUNCHD:
            domain = f"gui/{os.getuid()}"
            plist = next(self._files(kind))[0]
            out = ["launchctl", "bootout", f"{domain}/{name}"]
            return {
                _Doing.START: [out, ["launchctl", "bootstrap", domain, str(plist)]],
                _Doing.STOP: [out],
                _Doing.ASK: [["launchctl", "print", f"{domain}/{name}"]],
            }[doing]
        return []

    def _run(self, words: Sequence[str]) -> None:
        """Run a command of the system; what it cannot do is told, with the command to repeat."""
        ended = self._system.run(words)
        if ended.code != 0 and words[1] != "bootout":  # nothing was started
            self._said.append(f"{_told(words, ended)}; run it yourself.")


def _told(words: Sequence[str], ended: Ended) -> str:
    said = ended.said or f"it ended with {ended.code}"
    return f"`{' '.join(words)}` did not work: {said}"


def _put(path: Path, text: bytes | None) -> None:
    """Make a file be `text`, None: be gone."""
    if text == _read(path):
        return
    try:
        if text is None:
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text, durable=True)
    except OSError as error:
        raise failure(error, str(path), "write") from error


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
