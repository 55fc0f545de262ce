"""Edits that rulings make to a note: callouts read and settled, lines struck with their reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from vademecum.core.claims import Claim
from vademecum.core.forms import PastForm
from vademecum.core.frozen import dataclass
from vademecum.markdown.claims import read_claims
from vademecum.markdown.lines import newline_of, split
from vademecum.writing.supersede import struck

_CONFLICT = re.compile(
    r"([ \t]*>[ \t]*)⚠️?[ \t]*CONFLICT\b[ \t]*(?:\(([^()]*)\))?:?([^\r\n]*)([\r\n]*)\Z"
)
_ID = re.compile(r"\^([A-Za-z0-9-]+)")
_SETTLED = re.compile(r"[ \t]*>[ \t]*✅ (?:settled|both hold)\b")
_OWN_ID = re.compile(r"[ \t]\^[A-Za-z0-9-]+[ \t]*\Z")


@dataclass(frozen=True, slots=True)
class Conflict:
    """A callout that marks a conflict, and the claims of its note that it concerns."""

    line: int
    order: tuple[str, ...]
    """Block ids in the order in which it names them."""
    why: str
    claims: tuple[Claim, ...]

    @property
    def ids(self) -> frozenset[str]:
        """The block ids that it names."""
        return frozenset(self.order)


def conflicts_in(text: str, path: str) -> Iterator[Conflict]:
    """Yield the callouts of a note that mark a conflict, in order."""
    claims = read_claims(path, text)
    for number, line in enumerate(split(text), start=1):
        found = _CONFLICT.match(line)
        if found is None:
            continue
        order = tuple(_ID.findall(found[3]))
        if order:
            concerned = tuple(claim for claim in claims if claim.id in order)
        else:  # as a vault writes it: of the two live claims right above
            above = [claim for claim in claims if claim.span.last < number and claim.live]
            concerned = tuple(claim for claim in above[-2:] if claim.conflict)
        why = " ".join(_ID.sub("", found[3]).split()).strip(" :")
        yield Conflict(number, order, why, concerned)


def without_conflict(text: str, line: int, day: date, how: str) -> str:
    """Return `text` with the callout in that line told as past: how it was settled, and when."""
    lines = split(text)
    found = _CONFLICT.match(lines[line - 1])
    if found is not None:
        was = found[2] or "before"
        lines[line - 1] = (
            f"{found[1]}✅ {how} {day.isoformat()}, conflict of {was}:{found[3]}{found[4]}"
        )
    return "".join(lines)


def both_hold(text: str, path: str, day: date, ids: Sequence[str]) -> str:
    """Return `text` with a line below the last of the claims `ids`: a person lets them stand."""
    here = [claim for claim in read_claims(path, text) if claim.id in ids]
    if not here:
        return text
    last = max(claim.span.last for claim in here)
    lines = split(text)
    end = newline_of(text)
    if not lines[last - 1].endswith("\n"):
        lines[last - 1] += end
    named = " ".join(f"^{id}" for id in ids)
    lines.insert(last, f"> ✅ both hold {day.isoformat()}: {named}{end}")
    return "".join(lines)


def is_settled_pair(text: str, claims: Sequence[Claim]) -> bool:
    """Whether a line of the note says that a person lets all these claims stand."""
    ids = {claim.id for claim in claims}
    if "" in ids or "✅" not in text:
        return False
    return any(ids <= set(_ID.findall(line)) for line in split(text) if _SETTLED.match(line))


def struck_as(
    text: str, claim: Claim, day: date, by: str, why: str, form: PastForm = PastForm.STRIKE
) -> str:
    """Return `text` with the claim, which was read from it, struck, and why in parentheses."""
    after = struck(text, claim, day, by, form)
    lines = split(after)
    quoted = len(lines) > len(split(text))
    last = claim.span.last - (not quoted)
    if after == text or not why or "<!-- superseded:" in lines[last]:  # a directive has no room
        return after
    new = lines[last]
    body = new.rstrip("\r\n")
    own = _OWN_ID.search(body) if claim.id and not quoted else None
    at = own.start() if own else len(body)
    lines[last] = f"{body[:at]} ({why}){body[at:]}{new[len(body) :]}"
    return "".join(lines)
