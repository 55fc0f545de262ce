"""Directives about the user: each a bullet below a line with its date and status, as openclaw has.

<!-- observed: 2026-01-20 | status: active -->

- Answer in German.
"""

from __future__ import annotations

import re
from datetime import date

from vademecum.core.claims import Claim
from vademecum.core.patterns import later
from vademecum.core.provenance import Tag
from vademecum.markdown.claims import render_claim

_ACTIVE = later(
    r"([ \t]*<!--[ \t]*observed:[ \t]*\d{4}-\d{2}-\d{2}[ \t]*\|[ \t]*status:[ \t]*)active\b",
    re.IGNORECASE,
)
_OWN_ID = later(r"[ \t]\^[A-Za-z0-9-]+[ \t]*\Z")


def directive(
    text: str, tag: Tag, since: date, *, evidence: tuple[str, ...] = (), slot: str = "", id: str
) -> tuple[str, ...]:
    """Return the lines of a directive without line ends, the empty one before it included."""
    line = render_claim(text, tag, evidence=evidence, slot=slot, id=id)
    return ("", f"<!-- observed: {since.isoformat()} | status: active -->", "", line)


def end_directive(lines: list[str], claim: Claim, day: date, by: str) -> bool:
    """Let `lines` say that a directive in them is past; return whether the claim is one.

    Its status becomes `superseded`; the day, and what took its place, stand in a comment behind
    it, which only this product reads.
    """
    at = claim.span.first - 2
    while at >= 0 and not lines[at].strip():
        at -= 1
    found = _ACTIVE.match(lines[at]) if at >= 0 else None
    if found is None:
        return False
    lines[at] = f"{found[1]}superseded{lines[at][found.end() :]}"
    last = claim.span.last - 1
    body = lines[last].rstrip()
    own = _OWN_ID.search(body) if claim.id else None
    end = own.start() if own else len(body)
    named = f" by ^{by}" if by else ""
    note = f" <!-- superseded: {day.isoformat()}{named} -->"
    lines[last] = f"{body[:end]}{note}{body[end:]}{lines[last][len(body) :]}"
    return True
