"""Editing a note by claims: add, strike, put beside, mark a conflict, settle one. Pure text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from vademecum.core.claims import Claim
from vademecum.core.errors import MalformedFrontmatter
from vademecum.core.forms import PastForm
from vademecum.core.provenance import Tag
from vademecum.markdown.claims import (
    conflict_callout,
    read_claims,
    render_claim,
    strike,
    with_id,
)
from vademecum.markdown.directives import end_directive
from vademecum.markdown.frontmatter import read, set_value
from vademecum.markdown.lines import newline_of, split
from vademecum.markdown.maps import BEGIN
from vademecum.markdown.merge.removed import removed_line
from vademecum.markdown.outline import ITEM, Kind, classify, heading_of

_CONFLICT = re.compile(r"([ \t]*>[ \t]*)⚠️?[ \t]*CONFLICT\b[ \t]*(\(([^()]*)\))?:?(.*)", re.DOTALL)
_ID = re.compile(r"\^([A-Za-z0-9-]+)")
_MAP_MARK = BEGIN.split(" (")[0]


def struck(text: str, claim: Claim, day: date, by: str, form: PastForm = PastForm.STRIKE) -> str:
    """Return `text` with the claim, which was read from it, marked as superseded on `day`.

    A directive is marked in the line above it, whatever the form.
    """
    if not claim.live:
        return text
    lines = split(text)
    if end_directive(lines, claim, day, by):
        return "".join(lines)
    old = "".join(lines[claim.span.first - 1 : claim.span.last])
    lines[claim.span.first - 1 : claim.span.last] = [strike(old, day, by, form)]
    return "".join(lines)


def put_after(text: str, claim: Claim, block: Sequence[str]) -> str:
    """Return `text` with the lines of a claim directly after one that was read from it."""
    lines = split(text)
    indent = _indent(lines[claim.span.first - 1])
    return _inserted(text, lines, claim.span.last, *(indent + line for line in block))


def put_before(text: str, claim: Claim, line: str) -> str:
    """Return `text` with `line` directly before a claim that was read from it."""
    lines = split(text)
    at = claim.span.first - 1
    return _inserted(text, lines, at, _indent(lines[at]) + line)


def add(text: str, path: str, block: Sequence[str], heading: str = "") -> str:
    """Return `text` with the lines of a new claim behind its last one, else at its end.

    With `heading`, at the end of that section, which is made where it is missing.
    """
    lines = split(text)
    at = _end_of_section(lines, heading) if heading else _behind_claims(text, path, lines)
    if at is None:
        end = newline_of(text)
        gap = end if text.endswith("\n") or not text else end * 2
        return text + gap + f"## {heading}{end}{end}" + "".join(line + end for line in block)
    headed = heading and at < len(lines) and lines[at].startswith("#")
    return _inserted(text, lines, at, *block, *([""] if headed else []))


def identified(text: str, claim: Claim, id: str) -> str:
    """Return `text` with the block id `id` on a claim that has none."""
    lines = split(text)
    place = slice(claim.span.first - 1, claim.span.last)
    lines[place] = [with_id("".join(lines[place]), id)]
    return "".join(lines)


def retagged(text: str, claim: Claim, tag: Tag, evidence: Sequence[str]) -> str:
    """Return `text` with a claim's tag raised to `tag`, and what shows it added to its evidence."""
    lines = split(text)
    place = slice(claim.span.first - 1, claim.span.last)
    line = "".join(lines[place])
    tail = line[len(line.rstrip("\r\n")) :]
    links = dict.fromkeys((*claim.evidence, *evidence))
    since = claim.since if claim.since and claim.since.isoformat() in line else None
    rendered = render_claim(
        claim.text, tag, since=since, evidence=links, slot=claim.slot, id=claim.id
    )
    lines[place] = [_indent(line) + rendered + tail]
    return "".join(lines)


def conflicting(text: str, path: str, day: date, ids: Sequence[str], why: str) -> str:
    """Return `text` with a callout below the last of the claims `ids` that stands in it."""
    if any(set(ids) <= set(_ID.findall(line)) for line in split(text) if _CONFLICT.match(line)):
        return text
    here = [claim for claim in read_claims(path, text) if claim.id in ids]
    last = max(here, key=lambda claim: claim.span.last)
    lines = split(text)
    callout = _indent(lines[last.span.first - 1]) + conflict_callout(day, ids, why)
    return _inserted(text, lines, last.span.last, callout)


def settled(text: str, path: str, day: date) -> str:
    """Return `text` with every conflict marked as settled of which one side is struck."""
    live = {claim.id for claim in read_claims(path, text) if claim.live}
    dead = {claim.id for claim in read_claims(path, text) if not claim.live}
    lines = split(text)
    for number, line in enumerate(lines):
        found = _CONFLICT.match(line)
        ids = set(_ID.findall(line)) if found else set()
        if found and ids & dead and len(ids - dead) < 2 and ids & (live | dead):
            lines[number] = (
                f"{found[1]}✅ settled {day.isoformat()}, conflict of {found[3] or 'before'}:"
                f"{found[4]}"
            )
    return "".join(lines)


def has_conflict(text: str, path: str) -> bool:
    """Whether two claims of the note stand against each other, or the note against its removal."""
    marked = any(claim.conflict and claim.live for claim in read_claims(path, text))
    return marked or bool(removed_line(text))


def marked(text: str, **values: str) -> str:
    """Return `text` with those properties set, where its frontmatter can be edited.

    A block that does not parse is left as it is: it is repaired on purpose, not in passing.
    """
    for key, value in values.items():
        try:
            if read(text).text(key) != value:
                text = set_value(text, key, value)
        except MalformedFrontmatter:
            return text
    return text


def redescribed(text: str, old: str, new: str) -> str:
    """Return `text` with the description that repeated the claim `old` saying the `new` one."""
    return marked(text, description=new) if read(text).text("description") == old else text


def retitle(text: str, before: str, after: str) -> str:
    """Return `text` with its title, and the heading that repeats it, changed."""
    if before == after or read(text).text("title") != before:
        return text
    text = marked(text, title=after)
    lines = split(text)
    kinds = classify(lines, read(text).last)
    for number, kind in enumerate(kinds):
        if kind is Kind.HEADING:
            if heading_of(lines[number]) == (1, before):
                lines[number] = lines[number].replace(before, after, 1)
            break
    return "".join(lines)


def _indent(line: str) -> str:
    marker = ITEM.match(line)
    return line[: len(line) - len(line.lstrip(" \t"))] if marker else ""


def _inserted(text: str, lines: list[str], at: int, *new: str) -> str:
    end = newline_of(text)
    if at and not lines[at - 1].endswith("\n"):
        lines[at - 1] += end
    if new and not new[0] and at and not lines[at - 1].strip():
        new = new[1:]  # one empty line is enough
    lines[at:at] = [line + end for line in new]
    return "".join(lines)


def _behind_claims(text: str, path: str, lines: list[str]) -> int:
    claims = read_claims(path, text)
    kinds = classify(lines, read(text).last)
    if claims:
        at = claims[-1].span.last
        while at < len(lines) and kinds[at] is Kind.QUOTE:
            at += 1
        return at
    return _before_map(lines, len(lines))


def _before_map(lines: list[str], stop: int) -> int:
    """Return where a line goes at the end of `lines[:stop]`, one blank line above it."""
    for number in range(stop):
        if lines[number].lstrip().startswith(_MAP_MARK):
            stop = number
            break
    kept = stop
    while kept and not lines[kept - 1].strip():
        kept -= 1
    if kept == stop == len(lines):
        if kept and not lines[-1].endswith("\n"):
            lines[-1] += "\n"
        lines.append("\n")
        return len(lines)
    return min(kept + 1, stop) if kept < stop else stop


def _end_of_section(lines: list[str], heading: str) -> int | None:
    kinds = classify(lines)
    wanted = heading.casefold()
    for number, kind in enumerate(kinds):
        found = heading_of(lines[number]) if kind is Kind.HEADING else None
        if found is None or found[1].casefold() != wanted:
            continue
        stop = number + 1
        while stop < len(lines) and not (
            kinds[stop] is Kind.HEADING and (heading_of(lines[stop]) or (9,))[0] <= found[0]
        ):
            stop += 1
        kept = stop
        while kept > number + 1 and not lines[kept - 1].strip():
            kept -= 1
        empty = kept == number + 1 < stop
        return kept + 1 if empty else kept
    return None


def claim_of(text: str, path: str, id: str) -> Claim | None:
    """Return the claim with that block id in the note, None where it has none."""
    return next((claim for claim in read_claims(path, text) if claim.id == id), None)


def found_again(text: str, path: str, claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Return the claims as they stand in `text` now: by id, else by their words; others not."""
    here = read_claims(path, text)
    by_id = {claim.id: claim for claim in here if claim.id}
    by_text = {claim.text: claim for claim in reversed(here)}
    found = {}
    for claim in claims:
        now = by_id.get(claim.id) if claim.id else by_text.get(claim.text)
        if now is not None:
            found[now.span.first] = replace(now)
    return tuple(found[first] for first in sorted(found))
