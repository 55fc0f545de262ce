"""Title and description of a note that repeat one of its claims: after a merge, one that holds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from vademecum.markdown.merge.heads import blocks, text_of
from vademecum.markdown.merge.versions import Version
from vademecum.markdown.wording import words_of

_REPEATING = ("description", "title")
"""Keys that `remember` keeps saying what a claim says."""
_CUT = "…"


def agreeing(
    base: Version,
    ours: Version,
    theirs: Version,
    told: Collection[str],
    live: Collection[str],
) -> tuple[Version, Version]:
    """Return both sides with the title and description of the one whose claim holds.

    `told` are the texts of all claims of the note once both sides are merged, `live` of those that
    hold. Nothing changes unless both sides changed the description, and each says what a claim
    says; of two that hold ours stands, since the other is told by its claim.
    """
    old, mine, yours = (text_of("description", version.head) for version in (base, ours, theirs))
    if old in (mine, yours) or mine == yours:
        return ours, theirs
    if not (_repeats(mine, told) and _repeats(yours, told)):
        return ours, theirs
    if _repeats(mine, live) or not _repeats(yours, live):
        return ours, _like(theirs, ours, base)
    return _like(ours, theirs, base), theirs


def _repeats(description: str, live: Collection[str]) -> bool:
    said = words_of(description)
    if said.endswith(_CUT):
        return any(words_of(text).startswith(said.removesuffix(_CUT).rstrip()) for text in live)
    return any(words_of(text) == said for text in live)


def _like(side: Version, model: Version, base: Version) -> Version:
    """Return a side with what both changed of title, description and first heading as the model."""
    mine, yours, old = (blocks(version.head) for version in (side, model, base))
    changed = [
        key
        for key in _REPEATING
        if key in mine and key in yours and old.get(key) not in (mine[key], yours[key])
    ]
    if not _is_drawn_from(text_of("title", side.head), text_of("description", side.head)):
        changed = [key for key in changed if key != "title"]
    head = list(side.head)
    for key in changed:
        start = _place(head, mine[key])
        head[start : start + len(mine[key])] = yours[key]
    body = list(side.body)
    places = [_heading(version.body) for version in (side, model, base)]
    if "title" in changed and all(place is not None for place in places):
        here, there, before = (place or 0 for place in places)
        if base.body[before] not in (side.body[here], model.body[there]):
            body[here] = model.body[there]
    return replace(side, head=tuple(head), body=tuple(body))


def _is_drawn_from(title: str, description: str) -> bool:
    """Whether a title is words of the description; one that a person gave is not given up."""
    return set(words_of(title).split()) <= set(words_of(description).split())


def _place(lines: Sequence[str], block: Sequence[str]) -> int:
    length = len(block)
    return next(at for at in range(len(lines)) if tuple(lines[at : at + length]) == tuple(block))


def _heading(body: Sequence[str]) -> int | None:
    return next((at for at, line in enumerate(body) if line.startswith("# ")), None)
