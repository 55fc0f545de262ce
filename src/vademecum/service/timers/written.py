"""What a timer says: units of systemd, a plist of launchd, a block of a crontab."""

from __future__ import annotations

import plistlib
import re
import shlex
from collections.abc import Mapping, Sequence

from vademecum.core.errors import BadInput
from vademecum.core.frozen import dataclass
from vademecum.lifecycle.schedule import LEAST_MINUTES, OFF, WITH_REFLECTION, Timing

_EVEN = (60, 30, 20, 15, 12, 10, 6, 5)
"""Minutes that divide an hour: what every timer can say."""
_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")


@dataclass(frozen=True, slots=True)
class Call:
    """What a timer runs: the words of a command line, the variables it needs, and when."""

    name: str
    """Of this workspace among those of the user."""
    words: tuple[str, ...]
    variables: Mapping[str, str]
    timing: Timing
    zone: str


@dataclass(frozen=True, slots=True)
class _Moment:
    """A time of day, on one weekday (0: Sunday) or on every day."""

    hour: int
    minute: int
    weekday: int | None = None


def check(call: Call) -> None:
    """Raise BadInput where a word cannot stand in a timer: they hold one line a command."""
    for word in (*call.words, *call.variables.values()):
        if any(sign in word for sign in "\n\r\0"):
            raise BadInput(f"{word!r} cannot stand in a timer.", hint="Give it a plain name.")


def systemd_service(call: Call) -> str:
    """Return the unit that runs what is due, once."""
    environment = "".join(
        f"Environment={_systemd_quoted(f'{name}={value}')}\n"
        for name, value in sorted(call.variables.items())
    )
    command = " ".join(_systemd_quoted(word).replace("$", "$$") for word in call.words)
    return (
        "# Written by `vade schedule install`; `vade schedule remove` takes it away.\n"
        "[Unit]\nDescription=Jobs of vademecum that are due\n\n"
        f"[Service]\nType=oneshot\nNice=10\n{environment}ExecStart={command}\n"
    )


def systemd_timer(call: Call) -> str:
    """Return the unit that says when."""
    days = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
    rows = [f"OnCalendar=*:0/{minutes}" for minutes in _beats(call.timing)]
    for moment in _moments(call.timing):
        day = "" if moment.weekday is None else f"{days[moment.weekday]} "
        rows.append(f"OnCalendar={day}*-*-* {moment.hour:02d}:{moment.minute:02d}:00 {call.zone}")
    return (
        "# Written by `vade schedule install`; `vade schedule remove` takes it away.\n"
        "[Unit]\nDescription=When jobs of vademecum are due\n\n[Timer]\n"
        + "".join(f"{row}\n" for row in rows)
        + "Persistent=true\nAccuracySec=1s\n\n[Install]\nWantedBy=timers.target\n"
    )


def launchd_plist(call: Call) -> bytes:
    """Return the property list of the agent; its times are those of the machine's zone."""
    moments = [
        {"Minute": minute} for step in _beats(call.timing) for minute in range(0, 60, min(step, 60))
    ]
    for moment in _moments(call.timing):
        row = {"Hour": moment.hour, "Minute": moment.minute}
        if moment.weekday is not None:
            row["Weekday"] = moment.weekday
        moments.append(row)
    described: dict[str, object] = {
        "Label": call.name,
        "ProgramArguments": list(call.words),
        "ProcessType": "Background",
        "StartCalendarInterval": moments,
    }
    if call.variables:
        described["EnvironmentVariables"] = dict(sorted(call.variables.items()))
    return plistlib.dumps(described)


def cron_block(call: Call) -> str:
    """Return the lines of a crontab between their marks; times are those of the machine's zone."""
    before = " ".join(
        f"{name}={shlex.quote(value)}" for name, value in sorted(call.variables.items())
    )
    command = f"{before} {shlex.join(call.words)} >/dev/null".strip().replace("%", "\\%")
    rows = ["0 * * * *" if step == 60 else f"*/{step} * * * *" for step in _beats(call.timing)]
    for moment in _moments(call.timing):
        day = "*" if moment.weekday is None else str(moment.weekday)
        rows.append(f"{moment.minute} {moment.hour} * * {day}")
    begin, end = _cron_marks(call.name)
    return "".join(f"{row}\n" for row in (begin, *(f"{row} {command}" for row in rows), end))


def with_cron_block(crontab: str, call: Call) -> str:
    """Return a crontab with the block of this workspace: in its place, else before all else.

    At the beginning nothing that others set for their own lines holds for it, and what others
    wrote stays as it was, to its last byte.
    """
    found = _own_block(call.name).search(crontab)
    if found is None:
        return cron_block(call) + crontab
    return crontab[: found.start()] + cron_block(call) + crontab[found.end() :]


def without_cron_block(crontab: str, name: str) -> str:
    """Return a crontab without the block of that name."""
    return _own_block(name).sub("", crontab)


def cron_block_in(crontab: str, name: str) -> str:
    """Return the block of that name, empty where there is none."""
    found = _own_block(name).search(crontab)
    return found[0] if found else ""


def _cron_marks(name: str) -> tuple[str, str]:
    return f"# vade:jobs {name} (kept by `vade schedule`)", f"# /vade:jobs {name}"


def _own_block(name: str) -> re.Pattern[str]:
    begin, end = map(re.escape, _cron_marks(name))
    return re.compile(rf"^{begin}\r?\n(?:.*\n)*?{end}(?:\r?\n|\Z)", re.MULTILINE)


def _beats(timing: Timing) -> Sequence[int]:
    """Return the minutes between two calls: the most that divide an hour and are no more."""
    if timing.heartbeat <= 0:
        return ()
    wanted = max(timing.heartbeat, LEAST_MINUTES)
    return (next(step for step in _EVEN if step <= wanted),)


def _moments(timing: Timing) -> list[_Moment]:
    daily = {timing.reflect, timing.promote} - {OFF, WITH_REFLECTION}
    moments = [_Moment(*_clock(text)) for text in sorted(daily)]
    if timing.archive != OFF:
        day, _, at = timing.archive.partition(" ")
        moments.append(_Moment(*_clock(at), _WEEKDAYS.index(day.casefold())))
    return moments


def _clock(text: str) -> tuple[int, int]:
    hour, _, minute = text.partition(":")
    return int(hour), int(minute)


def _systemd_quoted(word: str) -> str:
    inside = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{inside}"'
