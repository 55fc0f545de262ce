"""References: which notes the logs of the last seven days link to, or name by their day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import date, timedelta

from vademecum.core.errors import VademecumError
from vademecum.core.notes import Role
from vademecum.core.patterns import later
from vademecum.core.temperature import WEEK
from vademecum.markdown.days import ISO_DAY, day_in_name, day_of
from vademecum.markdown.lines import decode, split
from vademecum.markdown.links import Catalogue, candidates, find_links
from vademecum.markdown.outline import classify
from vademecum.markdown.properties import read_properties
from vademecum.workspace.workspace import Workspace

_LINK = later(r"\[\[[^\[\]\n]*\]\]|\]\([^()\n]*\)")
_DATED = (Role.LOG, Role.REFLECTION)


def references(
    workspace: Workspace,
    notes: Collection[str],
    today: date,
    titles: Mapping[str, Iterable[str]] | None = None,
) -> Mapping[str, int]:
    """Return how often each of `notes` is referred to in the logs of the seven days up to `today`.

    A reference is a link to it, or, of a log or reflection, a mention of its day (YYYY-MM-DD) that
    stands outside of links. No log refers to itself or its own day. `titles` are names by which
    links may call a note besides its path. What cannot be read refers to nothing.
    """
    named = titles or {}
    catalogue = Catalogue({path: named.get(path, ()) for path in notes})
    by_day: dict[date, list[str]] = {}
    for path in notes:
        if workspace.role_of(path) in _DATED and (day := day_in_name(path)) is not None:
            by_day.setdefault(day, []).append(path)
    found: Counter[str] = Counter()
    for path in recent_logs(workspace, notes, today):
        own = workspace.profile.day_of(path)
        for target in _referred(path, _text(workspace, path), catalogue, by_day, own):
            if target != path:
                found[target] += 1
    return found


def recent_logs(workspace: Workspace, notes: Collection[str], today: date) -> tuple[str, ...]:
    """Return the daily logs of the seven days that end with `today`."""
    first = today - timedelta(days=WEEK - 1)
    day_of_log = workspace.profile.day_of
    return tuple(
        sorted(path for path in notes if (day := day_of_log(path)) and first <= day <= today)
    )


def logs_of_months(workspace: Workspace, notes: Iterable[str], today: date) -> tuple[str, ...]:
    """Return those of `notes` that are named as logs of the last seven days' months are.

    That is quicker than to ask of each note which day it is about.
    """
    profile = workspace.profile
    folders = {
        profile.log_folder,
        *(f"{profile.note_folder}/{n}" for n in profile.log_folders_below),
    }
    months = {day.isoformat()[:7] for day in (today, today - timedelta(days=WEEK - 1))}
    starts = tuple(
        name if folder in ("", ".") else f"{folder}/{name}"
        for folder in folders
        for month in months
        for name in (month, month.replace("-", ""))
    )
    return tuple(path for path in notes if path.startswith(starts))


def _referred(
    path: str,
    text: str,
    catalogue: Catalogue,
    by_day: Mapping[date, list[str]],
    own: date | None,
) -> Iterable[str]:
    """Yield each note that a log refers to, as often as it does."""
    lines = split(text)
    for link in find_links(lines, classify(lines, read_properties(lines).last)):
        if link.target:
            yield from candidates(link.target, path, catalogue)
    for line in lines:
        if "-" not in line:
            continue
        for found in ISO_DAY.finditer(_LINK.sub(" ", line)):
            day = day_of(*found.groups())
            if day is not None and day != own:
                yield from by_day.get(day, ())


def _text(workspace: Workspace, path: str) -> str:
    try:
        return decode(workspace.files.read(path).data).text
    except VademecumError:
        return ""
