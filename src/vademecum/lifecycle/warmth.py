"""The temperature of every note that can go cold, from the files alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime

from vademecum.core.errors import VademecumError
from vademecum.core.frozen import dataclass
from vademecum.core.notes import Properties, Role
from vademecum.core.ports import FileStamp
from vademecum.core.temperature import Priority, Temperature, Warmth, priority_of
from vademecum.lifecycle.references import logs_of_week, references
from vademecum.markdown.days import ISO_DAY, day_in_name, day_of
from vademecum.markdown.frontmatter import read
from vademecum.markdown.lines import decode
from vademecum.workspace.workspace import Workspace

Progress = Callable[[str, int, int], None]

_ROLES = (Role.LOG, Role.REFLECTION, Role.CONCEPT)
_MADE = ("created", "date", "timestamp")
_NANOSECONDS = 1_000_000_000
_STEP = 200


@dataclass(frozen=True, slots=True)
class Measured:
    """A note with its temperature, and the terms of which that is the sum."""

    path: str
    role: Role
    value: float
    warmth: Warmth
    age: float
    """0.5 at most; falls with `days`."""
    referred: float
    """0.3 at most; grows with `references`."""
    worth: float
    """0.2 at most, by `priority`."""
    days: int
    references: int
    priority: Priority


def _measured(path: str, role: Role, of: Temperature) -> Measured:
    return Measured(
        path,
        role,
        round(of.value, 4),
        of.warmth,
        round(of.age, 4),
        round(of.referred, 4),
        round(of.worth, 4),
        of.days,
        of.references,
        of.priority,
    )


@dataclass(frozen=True, slots=True)
class Temperatures:
    """How many notes are hot, warm and cold, and the hottest of them first."""

    hot: int
    warm: int
    cold: int
    notes: tuple[Measured, ...]


def temperatures(
    workspace: Workspace, today: date, *, limit: int = 0, progress: Progress | None = None
) -> Temperatures:
    """Measure every log, reflection and concept note; `notes` has at most `limit` (0: all).

    A note that cannot be read is measured by its name and its time on disk.
    """
    files = workspace.scan().files
    chosen = [path for path in sorted(files) if workspace.role_of(path) in _ROLES]
    heads: dict[str, Properties] = {}
    titles: dict[str, tuple[str, ...]] = {}
    for number, path in enumerate(chosen):
        if progress is not None and number % _STEP == 0:
            progress("measuring", number, len(chosen))
        text = _text(workspace, path)
        heads[path] = read(text)
        titles[path] = _names(heads[path])
    referred = references(workspace, files, today, titles)
    measured = [
        _measured(
            path,
            workspace.role_of(path),
            Temperature(
                (today - made_on(workspace, path, heads[path], files[path])).days,
                referred.get(path, 0),
                priority_of(heads[path].text("priority")),
            ),
        )
        for path in chosen
    ]
    measured.sort(key=lambda one: (-one.value, one.path))
    counted = Counter(one.warmth for one in measured)
    return Temperatures(
        counted[Warmth.HOT],
        counted[Warmth.WARM],
        counted[Warmth.COLD],
        tuple(measured[:limit] if limit else measured),
    )


def present(
    workspace: Workspace, files: Mapping[str, FileStamp], paths: Sequence[str], today: date
) -> Mapping[str, float]:
    """Return the temperature of each of `paths`; 0 in the archive, 1 for what does not go cold.

    `files` are the notes on disk. Reads those notes, but for logs, whose priority does not count
    here, and the logs of the last seven days.
    """
    found: dict[str, float] = {}
    heads: dict[str, Properties] = {}
    for path in paths:
        role = workspace.role_of(path)
        if role not in _ROLES:
            found[path] = 0.0 if role is Role.ARCHIVE else 1.0
        elif path in files:
            dated = role is Role.LOG  # which has its day in its name, and hardly ever a priority
            heads[path] = Properties() if dated else read(_text(workspace, path))
    titles = {path: _names(head) for path, head in heads.items()}
    logs = logs_of_week(workspace, files, today)
    referred = references(workspace, {*heads, *logs}, today, titles)
    for path, head in heads.items():
        days = (today - made_on(workspace, path, head, files[path])).days
        priority = priority_of(head.text("priority"))
        found[path] = Temperature(days, referred.get(path, 0), priority).value
    return found


def _names(head: Properties) -> tuple[str, ...]:
    return tuple(name for name in (head.text("title"), *head.items("aliases")) if name)


def measure(
    workspace: Workspace,
    path: str,
    stamp: FileStamp,
    today: date,
    referred: Mapping[str, int],
) -> Temperature:
    """Return the temperature of one note, given how often each is referred to."""
    head = read(_text(workspace, path))
    days = (today - made_on(workspace, path, head, stamp)).days
    return Temperature(days, referred.get(path, 0), priority_of(head.text("priority")))


def made_on(workspace: Workspace, path: str, head: Properties, stamp: FileStamp) -> date:
    """Return the local day a note was made: as it says, as it is named, else when it changed."""
    own = workspace.profile.day_of(path)
    if own is not None:
        return own
    for key in _MADE:
        found = ISO_DAY.search(head.text(key))
        day = day_of(*found.groups()) if found else None
        if day is not None:
            return day
    return day_in_name(path) or changed_on(workspace, stamp)


def changed_on(workspace: Workspace, stamp: FileStamp) -> date:
    """Return the local day on which a file was changed last."""
    return datetime.fromtimestamp(stamp.modified / _NANOSECONDS, workspace.zone).date()


def _text(workspace: Workspace, path: str) -> str:
    try:
        return decode(workspace.files.read(path).data).text
    except VademecumError:
        return ""
