"""The parts of one claim's line: strike, tag, text, dates, evidence, successor, block id."""

from __future__ import annotations

import re
from datetime import date
from typing import ClassVar

from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later
from vademecum.core.provenance import Tag
from vademecum.markdown.outline import ITEM

_TAGS = "stated|observed|inferred|suggested"
_TASK = later(r"\[[^\w\s]?\](?:\s|\Z)|\[[ xX]\](?:\s|\Z)")
_TAG = later(rf"\[({_TAGS})\][ \t]*", re.IGNORECASE)
_CATEGORY = later(r"\[(?![\d:.\s–-]+\])[^\[\]()\n]{1,60}\][ \t]+(?=\S)")
_LATE_TAG = later(rf"[ \t]*\[({_TAGS})\]", re.IGNORECASE)
_STRIKE = later(r"~~(.+?)~~", re.DOTALL)
_COMMENT = later(r"[ \t]*<!--.*?-->", re.DOTALL)
_SLOT = later(r"<!--[ \t]*slot:[ \t]*(.*?)[ \t]*-->")
_BARE_LINK = later(r"(?:\[\[[^\[\]]*\]\]|\[[^\[\]]*\]\([^()\s]*\))\Z")
_POINTER = later(
    r"(?:~~)?(?:\[[^\[\]]+\]\((?![a-z]+:)[^()\s]*\.md\)|`[^`\s]+(?:\.md|/)`"
    r"|[\w.-]+(?:/[\w.-]+)+\.md)(?:~~)?[ \t]*"
    r"(?:(?:-|–|—|:)[ \t].*)?\Z",
    re.IGNORECASE | re.DOTALL,
)
_SUPERSEDED = later(
    r"\b(?:superseded|replaced|deprecated)\b:?(?:[ \t]+on)?(?:[ \t]+(\d{4}-\d{2}-\d{2}))?"
    r"(?:[ \t]+(?:\((?:replaced|superseded)[ \t]+)?by[ \t]+(?:\^([A-Za-z0-9-]+)|\[\[([^\[\]|]+)))?",
    re.IGNORECASE,
)
_ENDED = later(
    r"<!--[ \t]*superseded:[ \t]*(\d{4}-\d{2}-\d{2})(?:[ \t]+by[ \t]+\^([A-Za-z0-9-]+))?",
    re.IGNORECASE,
)
_WIKI = later(r"\[\[([^\[\]|]+)(?:\|[^\[\]]*)?\]\]|\]\(<?([^()<>\s]+)>?\)")
_DAY = later(r"\d{4}-\d{2}-\d{2}")
_ASIDE = later(r"(?:since[ \t]+|as of[ \t]+)?\d{4}-\d{2}-\d{2}\b|from\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ClaimLine:
    """What stands in the line of a claim."""

    OWN_ID: ClassVar[re.Pattern[str]] = later(r"(?:\A|[ \t])\^([A-Za-z0-9-]+)\Z")

    text: str
    tag: Tag
    since: date | None
    until: date | None
    evidence: tuple[str, ...]
    superseded_by: str
    struck: bool
    id: str
    slot: str = ""


def parted(raw: str) -> ClaimLine | None:
    """Return the parts of a list item or tagged line; None for a task and a line of a map."""
    marker = ITEM.match(raw)
    body = _COMMENT.sub("", raw[marker.end() if marker else 0 :]).strip()
    if _TASK.match(body) or _BARE_LINK.match(body) or _POINTER.match(body):
        return None
    body, own_id = _without_id(body)
    until, successor, struck, outside = None, "", False, ""
    if stricken := _STRIKE.search(body):
        outside = body[: stricken.start()] + " " + body[stricken.end() :]
        struck = _is_whole(outside)
    if struck and stricken is not None:
        until, successor, own_id = _supersession(outside, own_id)
        body, inner_id = _without_id(stricken[1].strip())
        own_id = own_id or inner_id
    tag, body = _tagged(body)
    if struck and tag is Tag.UNKNOWN:
        tag, _ = _tagged(outside.strip())
    body, since, evidence = _dated(body.strip())
    late = _LATE_TAG.search(body)
    if tag is Tag.UNKNOWN and late:
        tag = Tag(late[1].lower())
        body = body[: late.start()] + body[late.end() :]
    text = " ".join(body.split())
    if not struck and (ended := _ENDED.search(raw)):  # as directives carry it
        struck, until, successor = True, _day(ended[1]), ended[2] or ""
    slot = _SLOT.search(raw)
    named = slot[1] if slot else ""
    return ClaimLine(text, tag, since, until, evidence, successor, struck, own_id, named)


def _without_id(body: str) -> tuple[str, str]:
    found = ClaimLine.OWN_ID.search(body)
    return (body[: found.start()].rstrip(), found[1]) if found else (body, "")


def _is_whole(outside: str) -> bool:
    """Whether what stands beside the struck text leaves no claim: marks, a tag, a supersession."""
    rest = _SUPERSEDED.sub("", _TAG.sub("", outside))
    while "(" in rest and (shorter := re.sub(r"\([^()]*\)", "", rest)) != rest:
        rest = shorter
    rest = re.sub(r"\bby\b|\^[A-Za-z0-9-]+|[\W_]+", "", rest)
    return not rest or _SUPERSEDED.search(outside) is not None


def _supersession(outside: str, own_id: str) -> tuple[date | None, str, str]:
    """Return day and successor; an id that was taken for the line's own may be the successor's."""
    found = _SUPERSEDED.search(outside)
    if found is None:
        return None, "", own_id
    successor = found[2] or found[3] or ""
    if not successor and own_id and outside.rstrip().endswith(" by"):
        successor, own_id = own_id, ""
    return _day(found[1]), successor, own_id


def _tagged(body: str) -> tuple[Tag, str]:
    if found := _TAG.match(body):
        return Tag(found[1].lower()), body[found.end() :]
    if found := _CATEGORY.match(body):
        return Tag.UNKNOWN, body[found.end() :]
    return Tag.UNKNOWN, body


def _dated(body: str) -> tuple[str, date | None, tuple[str, ...]]:
    """Take the closing `(DATE, from LINKS)` off a text; other parentheses belong to it."""
    start = _opening(body)
    inner = body[start + 1 : -1] if start >= 0 else ""
    if not _ASIDE.match(inner):
        return body, None, ()
    evidence = tuple((found[1] or found[2]).strip() for found in _WIKI.finditer(inner))
    head = re.split(r"\bfrom\b", inner, maxsplit=1)[0]
    day = _DAY.search(head)
    return body[:start].rstrip(), _day(day[0]) if day else None, evidence


def _opening(body: str) -> int:
    """Return where the parenthesis opens that closes at the end of the text, -1 for none."""
    if not body.endswith(")"):
        return -1
    depth = 0
    for at in range(len(body) - 1, -1, -1):
        depth += (body[at] == ")") - (body[at] == "(")
        if depth == 0:
            return at
    return -1


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None
