"""Claims that one bringing takes from a note to another: which go where, and edits that follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from vademecum.core.claims import Claim
from vademecum.markdown.claims import read_claims
from vademecum.markdown.lines import decode, split

Homes: TypeAlias = Mapping[str, Mapping[str, str]]
"""Of each note that loses claims to others, the ids with the notes that have them afterwards."""

Versions: TypeAlias = Mapping[str, tuple[bytes | None, bytes | None]]
"""What each note holds before and after."""


def homes_of(versions: Versions) -> Homes:
    """Return where the claims go that a note has before and another one afterwards."""
    lost: dict[str, set[str]] = {}
    gained: dict[str, str] = {}
    for path, (before, after) in versions.items():
        if path.endswith(".md"):
            had, has = claims_of(before), claims_of(after)
            lost[path] = had.keys() - has.keys()
            gained |= dict.fromkeys(has.keys() - had.keys(), path)
    found = {
        path: {id: gained[id] for id in sorted(ids) if id in gained} for path, ids in lost.items()
    }
    return {path: homes for path, homes in found.items() if homes}


def in_order(paths: Sequence[str], needs: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the paths with each right behind the last of those it needs.

    Whoever dies in between leaves a claim twice at worst, and for as short as can be. Those that
    need each other come last, as they were.
    """
    left = {path: {one for one in needs.get(path, ()) if one in paths} for path in paths}
    waiting = [path for path in paths if left[path]]
    found: list[str] = []
    for path in paths:
        if path in waiting:
            continue
        done = [path]
        while done:
            found += done
            for one in waiting:
                left[one].difference_update(done)
            done = [one for one in waiting if not left[one]]
            waiting = [one for one in waiting if left[one]]
    return found + waiting


def edited(before: bytes | None, now: bytes, ids: Iterable[str]) -> list[tuple[str, str, str]]:
    """Return those of the claims that were edited: id, lines before, lines now."""
    old, new = claims_of(before), claims_of(now)
    return [(id, old[id], new[id]) for id in ids if id in old and id in new and old[id] != new[id]]


def with_lines(content: bytes, id: str, lines: str) -> bytes | None:
    """Return a note with other lines for a claim, none where they are empty; None without it."""
    text = decode(content)
    claim = claims_by_id(text.text).get(id)
    if claim is None:
        return None
    rows = split(text.text)
    ended = lines if not lines or lines.endswith("\n") else f"{lines}\n"
    rows[claim.span.first - 1 : claim.span.last] = [ended] if ended else []
    return text.encode("".join(rows))


def claims_of(content: bytes | None) -> dict[str, str]:
    """Return the lines of each claim that has an id, without those whose id occurs twice."""
    text = decode(content or b"")
    if text.defect:
        return {}
    rows = split(text.text)
    return {
        id: "".join(rows[claim.span.first - 1 : claim.span.last])
        for id, claim in claims_by_id(text.text).items()
    }


def claims_by_id(text: str) -> dict[str, Claim]:
    """Return the claims of a note that have an id, without those whose id occurs twice."""
    found: dict[str, Claim] = {}
    twice: set[str] = set()
    for claim in read_claims("", text):
        if claim.id in found:
            twice.add(claim.id)
        if claim.id:
            found[claim.id] = claim
    return {id: claim for id, claim in found.items() if id not in twice}
