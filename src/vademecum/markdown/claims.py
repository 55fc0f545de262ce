"""Claims: lines that memory holds true, read in many spellings, written and struck in one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from datetime import date
from itertools import islice

from vademecum.core.claims import Claim
from vademecum.core.forms import PastForm
from vademecum.core.frozen import dataclass
from vademecum.core.ids import text_digest
from vademecum.core.notes import Span
from vademecum.core.patterns import later
from vademecum.core.provenance import Tag
from vademecum.markdown.claim_lines import ClaimLine, parted
from vademecum.markdown.lines import split
from vademecum.markdown.outline import ITEM, Kind, classify
from vademecum.markdown.properties import read_properties

_TAGGED = later(r"[ \t]*(?:~~)?\[(?:stated|observed|inferred|suggested)\]", re.IGNORECASE)
_CONFLICT = later(r"[ \t]*>.*\bCONFLICT\b")
_SUPERSEDED = later(
    r"[ \t]*>[ \t]*\[superseded(?:[ \t]+(\d{4}-\d{2}-\d{2}))?[^\]]*\]"
    r"(?:[ \t]+by[ \t]+\^([A-Za-z0-9-]+))?[ \t]*",
    re.IGNORECASE,
)
_REMARK = later(r"(?:by|see|replaced|now|ruled|siehe|ersetzt)\b|[→(]|->", re.IGNORECASE)
"""How a remark on what was superseded begins; other words of some length are the old text."""
_OLD_TEXT = 3
_OBSERVED = later(
    r"[ \t]*<!--[ \t]*observed:[ \t]*(\d{4}-\d{2}-\d{2})(?:[ \t]*\|[ \t]*status:[ \t]*(\w+))?",
    re.IGNORECASE,
)
_BLOCK_ID = later(r"\^([A-Za-z0-9-]+)")
_RIVALS = 2
_ENDS, _NEWLINE = "\r\n", "\n"


@dataclass(slots=True)
class _Reading:
    """Claims found so far in one section, and what the lines above say of the next one."""

    claims: list[Claim]
    section: int = 0
    """Where the present section begins in `claims`."""
    since: date | None = None
    struck: bool = False
    until: date | None = None
    by: str = ""
    by_id: dict[str, list[int]] = field(default_factory=dict)
    """Where the claims with a block id are in `claims`."""

    def add(self, claim: Claim) -> None:
        past = self.struck and not (self.by and claim.id == self.by)
        if claim.id:
            self.by_id.setdefault(claim.id, []).append(len(self.claims))
        self.claims.append(
            replace(
                claim,
                since=claim.since or self.since,
                struck=claim.struck or past,
                until=claim.until or (self.until if past else None),
                superseded_by=claim.superseded_by or (self.by if past else ""),
            )
        )
        self.since, self.struck, self.until, self.by = None, False, None, ""

    def supersede(self, day: date | None, by: str) -> None:
        """Mark the claim above as superseded, where there is none in this section the next one.

        What the mark names as the successor is not what it marks.
        """
        if len(self.claims) > self.section and not (by and self.claims[-1].id == by):
            last = self.claims[-1]
            self.claims[-1] = replace(
                last, struck=True, until=day, superseded_by=by or last.superseded_by
            )
        else:
            self.struck, self.until, self.by = True, day, by

    def conflict(self, ids: frozenset[str]) -> None:
        """Mark the claims named; where none is, the live ones right above, two at most."""
        named = [number for id in ids for number in self.by_id.get(id, ())]
        if not named:
            below = range(len(self.claims) - 1, self.section - 1, -1)
            named = list(islice((n for n in below if self.claims[n].live), _RIVALS))
        for number in named:
            self.claims[number] = replace(self.claims[number], conflict=True)


def read_claims(path: str, text: str) -> tuple[Claim, ...]:
    """Return the claims of a note in order; never raises.

    Claims are list items (tasks, bare links and lines of maps are none) and tagged lines. Read are
    this product's spelling, gitmem's (`~~[tag] …~~ superseded DATE (reason)`, a tag in any case or
    behind the text), the vault's (`> [Superseded DATE]`, `> ⚠️ CONFLICT (DATE): …`), openclaw's
    (`<!-- observed: DATE | status: … -->` above a bullet) and basic-memory's observations. A line
    without a tag is of unknown provenance.
    """
    lines = split(text)
    kinds = classify(lines, read_properties(lines).last)
    reading = _Reading([])
    number = 0
    while number < len(lines):
        kind, line = kinds[number], lines[number]
        if kind is Kind.ITEM or (kind is Kind.TEXT and _TAGGED.match(line)):
            stop = _end(lines, kinds, number)
            claim = _claim(path, lines, number, stop)
            if claim is not None:
                reading.add(claim)
            number = stop
            continue
        if kind is Kind.HEADING:
            reading.section = len(reading.claims)
        elif kind is Kind.QUOTE:
            _read_quote(line, reading)
        elif kind is Kind.COMMENT and (observed := _OBSERVED.match(line)):
            reading.since = _day(observed[1])
            reading.struck = (observed[2] or "").lower() == "superseded"
        number += 1
    return tuple(reading.claims)


def _read_quote(line: str, reading: _Reading) -> None:
    if superseded := _SUPERSEDED.match(line):
        rest = line[superseded.end() :]
        if len(rest.split()) >= _OLD_TEXT and not _REMARK.match(rest):
            return  # the quote holds the old text itself
        reading.supersede(_day(superseded[1]), superseded[2] or "")
    elif _CONFLICT.match(line):
        reading.conflict(frozenset(_BLOCK_ID.findall(line)))


def _end(lines: Sequence[str], kinds: Sequence[Kind], first: int) -> int:
    """Return where an item ends; a tagged line is a claim of its own even without a bullet."""
    number = first + 1
    while number < len(kinds) and kinds[first] is Kind.ITEM and kinds[number] is Kind.TEXT:
        if _TAGGED.match(lines[number]):
            break
        number += 1
    return number


def _claim(path: str, lines: Sequence[str], first: int, stop: int) -> Claim | None:
    raw = "".join(lines[first:stop]).rstrip("\r\n")
    line = parted(raw)
    if line is None or not line.text:
        return None
    return Claim(
        id=line.id,
        text=line.text,
        tag=line.tag,
        span=Span(path, first + 1, stop, text_digest(raw)),
        since=line.since,
        until=line.until,
        evidence=line.evidence,
        superseded_by=line.superseded_by,
        struck=line.struck,
        slot=line.slot,
    )


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None


def render_claim(
    text: str,
    tag: Tag,
    *,
    since: date | None = None,
    evidence: Iterable[str] = (),
    slot: str = "",
    id: str = "",
) -> str:
    """Return a claim's line without a line end: `- [tag] text (since, from [[evidence]]) ^id`.

    The text becomes one line; `evidence` are link targets. A claim of unknown provenance has no
    tag. A declared slot stands in a comment before the id.
    """
    aside = [since.isoformat()] if since else []
    links = ", ".join(f"[[{target}]]" for target in evidence)
    if links:
        aside.append(f"from {links}")
    parts = ["-"]
    if tag is not Tag.UNKNOWN:
        parts.append(f"[{tag.value}]")
    parts.append(" ".join(text.split()))
    if aside:
        parts.append(f"({', '.join(aside)})")
    if slot:
        parts.append(f"<!-- slot: {' '.join(slot.replace('--', '-').split())} -->")
    if id:
        parts.append(f"^{id}")
    return " ".join(parts)


def strike(line: str, day: date, by: str = "", form: PastForm = PastForm.STRIKE) -> str:
    """Return a claim's line or lines struck: `- ~~…~~ superseded DAY by ^by`, its own id last.

    Bullet, indentation, tag, dates and line ends stay. A struck claim comes back as it is. With
    `REASON` the end is `superseded DAY (replaced by ^by)`; `QUOTE` leaves the line as it is and
    puts a quoted one below it.
    """
    read = parted(line.rstrip("\r\n"))
    if read is not None and read.struck:
        return line
    body = line.rstrip("\r\n \t")
    tail = line[len(body) :].lstrip(" \t")
    marker = ITEM.match(body)
    start = marker.end() if marker else len(body) - len(body.lstrip(" \t"))
    if form is PastForm.QUOTE:
        indent = body[: len(body) - len(body.lstrip(" \t"))] if marker else ""
        named = f" by ^{by}" if by else ""
        return f"{line.rstrip(_ENDS)}{tail or _NEWLINE}{indent}> [Superseded {day}]{named}{tail}"
    own = ""
    if read is not None and read.id:
        own = f" ^{read.id}"
        body = body.removesuffix(own.strip()).rstrip(" \t")
    inner = body[start:].replace("~~", "")  # strikes do not nest
    return f"{body[:start]}~~{inner}~~ superseded {day}{_successor(by, form)}{own}{tail}"


def _successor(by: str, form: PastForm) -> str:
    if form is PastForm.REASON:
        return f" (replaced by ^{by})" if by else " (withdrawn)"
    return f" by ^{by}" if by else ""


def with_id(line: str, id: str) -> str:
    """Return a claim's line with the block id `id`; a line that has one keeps it."""
    read = parted(line.rstrip("\r\n"))
    if read is None or read.id:
        return line
    body = line.rstrip("\r\n \t")
    return f"{body} ^{id}{line[len(body) :].lstrip(chr(32) + chr(9))}"


def conflict_callout(day: date, ids: Iterable[str], why: str) -> str:
    """Return the line that is put below claims which contradict each other, without a line end."""
    named = " ".join(f"^{id}" for id in ids)
    return f"> ⚠️ CONFLICT ({day.isoformat()}): {' '.join(why.split())} {named}".rstrip()


def block_ids(text: str) -> frozenset[str]:
    """Return every block id that stands at the end of a line, for making one that is not taken."""
    return frozenset(_ids(text))


def _ids(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if "^" in line and (found := ClaimLine.OWN_ID.search(line.rstrip())):
            yield found[1]
