"""Choosing how a file is merged: as a log, a map, or a note of claims."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from vademecum.core.notes import Role
from vademecum.markdown.days import day_in_name
from vademecum.markdown.lines import newline_of, split
from vademecum.markdown.links import find_links
from vademecum.markdown.maps import BEGIN
from vademecum.markdown.merge.heads import merge_heads
from vademecum.markdown.merge.logs import merge_logs
from vademecum.markdown.merge.notes import merge_notes
from vademecum.markdown.merge.versions import Merged, Version, joined, version_of
from vademecum.markdown.merge.weave import MARKER, weave
from vademecum.markdown.outline import Kind, classify

_MAP_MARK = BEGIN.split(" (")[0]


def merge(
    base: str,
    ours: str,
    theirs: str,
    path: str,
    *,
    day: date,
    role: Role | None = None,
    marker: int = MARKER,
) -> Merged:
    """Return what `ours` and `theirs` made of `base`; never raises.

    `path` is that of the file; `role`, where it is known, says more than its name. `day` is when
    the merge takes place: conflicts carry it. Line ends and byte order mark are those of `ours`.
    `marker` is the length of Git's conflict markers, which stand around prose only.
    """
    if ours == theirs or theirs == base:
        return Merged(ours)
    if ours == base:
        return Merged(theirs)
    mark = "\ufeff" if ours.startswith("\ufeff") else ""
    old, mine, yours = (version_of(text.removeprefix("\ufeff")) for text in (base, ours, theirs))
    merged = _merged(path, old, mine, yours, day, role, marker)
    return Merged(mark + joined([merged.text], newline_of(ours)), merged.conflicts)


def _merged(
    path: str,
    base: Version,
    ours: Version,
    theirs: Version,
    day: date,
    role: Role | None,
    marker: int,
) -> Merged:
    dated = day_in_name(path.rpartition("/")[2])
    if dated is not None and role in (None, Role.LOG):
        body = merge_logs(path, base, ours, theirs, dated)
        if body is not None:
            return Merged("".join((*merge_heads(base, ours, theirs).lines, *body)))
    if role is Role.MAP or (role is None and _is_map(ours, theirs)):
        return _map(base, ours, theirs, marker)
    return merge_notes(path, base, ours, theirs, day=day, marker=marker)


def _is_map(ours: Version, theirs: Version) -> bool:
    return any(line.startswith(_MAP_MARK) for line in (*ours.body, *theirs.body))


def _map(base: Version, ours: Version, theirs: Version, marker: int) -> Merged:
    """Merge a map: one line a target, as the side has it that changed it, else as ours has it."""
    tables = [_by_target(version.body) for version in (base, ours, theirs)]
    old, mine, yours = (dict(table) for table in tables)
    woven = weave(*([key for key, _ in table] for table in tables), marker=marker)
    lines: list[str] = []
    seen: set[str] = set()
    for token in woven.tokens:
        if not token.startswith("\0"):
            lines.append(token)
        elif token not in seen:
            seen.add(token)
            here, there = mine.get(token), yours.get(token)
            changed = there if here in (None, old.get(token)) else here
            lines.append(changed or here or there or "")
    conflicts = (f"both sides rewrote the same lines at {woven.clashes} place(s)",)
    text = "".join((*merge_heads(base, ours, theirs).lines, *lines))
    return Merged(text, conflicts if woven.clashes else ())


def _by_target(body: Sequence[str]) -> list[tuple[str, str]]:
    """Return the lines of a map, list items and rows under the target that they lead to."""
    text = "".join(body)
    lines = split(text)
    kinds = classify(lines)
    targets = {link.line - 1: link.target for link in reversed(find_links(lines, kinds))}
    seen: set[str] = set()
    table = []
    for number, line in enumerate(lines):
        key = line
        if kinds[number] in (Kind.ITEM, Kind.TABLE) and number in targets:
            target = f"\0{targets[number]}"
            key = line if target in seen else target
            seen.add(target)
        table.append((key, line))
    return table
