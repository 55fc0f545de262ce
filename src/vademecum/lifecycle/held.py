"""What memory holds on a day: its live claims by their words, and notes nobody verified lately."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import date

from vademecum.core.claims import Claim
from vademecum.core.errors import VademecumError
from vademecum.core.frozen import dataclass
from vademecum.markdown.claims import read_claims
from vademecum.markdown.frontmatter import read
from vademecum.markdown.lines import decode
from vademecum.markdown.wording import key_of
from vademecum.workspace.workspace import Workspace
from vademecum.writing.known import is_editable
from vademecum.writing.review import STALE_DAYS, verified_on


@dataclass(frozen=True, slots=True)
class Held:
    """Live claims of notes and core memory, by `key_of` their words; of equals the most trusted."""

    claims: Mapping[str, Claim] = field(default_factory=dict)
    live: tuple[Claim, ...] = ()
    """All of them, by path and line."""
    past: tuple[str, ...] = ()
    """Texts of claims that were struck or superseded."""
    stale: tuple[tuple[str, date], ...] = ()
    """Notes that were verified last more than 30 days before the day, oldest first."""


def held(workspace: Workspace, day: date) -> Held:
    """Read every note; those that cannot be read hold nothing."""
    claims: dict[str, Claim] = {}
    every: list[Claim] = []
    past: list[str] = []
    stale = []
    for path in sorted(workspace.scan().files):
        if not is_editable(workspace, path):
            continue
        try:
            text = decode(workspace.files.read(path).data).text
        except VademecumError:
            continue
        read_here = read_claims(path, text)
        live = [claim for claim in read_here if claim.live]
        every += live
        past += (claim.text for claim in read_here if not claim.live)
        for claim in live:
            known = claims.get(key_of(claim.text))
            if known is None or claim.tag.rank > known.tag.rank:
                claims[key_of(claim.text)] = claim
        verified = verified_on(live, _day(read(text).text("last_verified")))
        if live and verified is not None and (day - verified).days > STALE_DAYS:
            stale.append((path, verified))
    oldest_first = tuple(sorted(stale, key=lambda row: (row[1], row[0])))
    return Held(claims, tuple(every), tuple(past), oldest_first)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
