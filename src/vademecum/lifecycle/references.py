"""References: which notes the logs of the last seven days link to, or name by their day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import date, timedelta
from functools import lru_cache

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


def logs_of_week(workspace: Workspace, notes: Collection[str], today: date) -> tuple[str, ...]:
    """Return the logs among `notes` that are named by one of the last seven days and no more.

    That takes no look at every note, as `recent_logs` does, which knows other names too.
    """
    days = (today - timedelta(days=ago) for ago in range(WEEK))
    paths = (workspace.profile.log_path(day) for day in days)
    return tuple(path for path in paths if path in notes)


def _referred(
    path: str,
    text: str,
    catalogue: Catalogue,
    by_day: Mapping[date, list[str]],
    own: date | None,
) -> Iterable[str]:
    """Yield each note that a log refers to, as often as it does."""
    targets, days = _said(text)
    for target in targets:
        yield from candidates(target, path, catalogue)
    for day in days:
        if day != own:
            yield from by_day.get(day, ())


@lru_cache(maxsize=16)  # each search that has a tie looks at the same week
def _said(text: str) -> tuple[tuple[str, ...], tuple[date, ...]]:
    """Return what a log links to, and the days it names outside of links."""
    lines = split(text)
    links = find_links(lines, classify(lines, read_properties(lines).last))
    found = (
        day_of(*match.groups())
        for line in lines
        if "-" in line
        for match in ISO_DAY.finditer(_LINK.sub(" ", line))
    )
    targets = tuple(link.target for link in links if link.target)
    return targets, tuple(day for day in found if day is not None)


def _text(workspace: Workspace, path: str) -> str:
    try:
        return decode(workspace.files.read(path).data).text
    except VademecumError:
        return ""
