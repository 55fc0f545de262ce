"""What waits for a person, as text: each item with its lines and the commands that rule on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from vademecum.core.review import Item, Matter, Ruled, Ruling
from vademecum.surfaces.rendering.answers import plural, quoted
from vademecum.surfaces.rendering.claims import claim_line
from vademecum.surfaces.rendering.lines import Line, Piece, line
from vademecum.surfaces.rendering.visible import one_line, visible

_SHOWN = 10
"""Items of one matter that are shown; JSON has them all."""
_STYLES = {Matter.CONFLICT: "bad", Matter.RIVALS: "bad", Matter.QUARANTINE: "bad"}


def items(found: Sequence[Item]) -> Iterator[Line]:
    """Yield the items by matter, each with its place, its lines and what can be done."""
    if not found:
        yield line(("Nothing waits for you.", "good"))
        return
    for matter, group in groupby(found, key=lambda item: item.matter):
        held = list(group)
        for item in held[:_SHOWN]:
            yield from _item(item)
        if len(held) > _SHOWN:
            left = plural(len(held) - _SHOWN, "more")[: -len("s")]
            yield line(f"… and {left} of {matter.value}: vade review --only {matter.value} --json")
    yield line((f"{plural(len(found), 'item')} to review.", "strong"))


def _item(item: Item) -> Iterator[Line]:
    style = _STYLES.get(item.matter, "warning")
    yield line(
        (f"{item.matter.value}  ", style),
        (visible(str(item.span)), "place"),
        (f"  {one_line(item.why)}", "faint"),
    )
    if item.claims and item.matter is not Matter.CANDIDATE:
        for claim in item.claims:
            elsewhere = claim.span.path != item.span.path
            place: list[Piece] = [(visible(str(claim.span)), "place"), ("  ", "")]
            yield line(*(place if elsewhere else ()), claim_line(claim), indent=3)
    else:
        for row in visible(item.text).split("\n"):
            yield line(row.strip(), indent=3)
    yield line((" | ".join(_commands(item)), "faint"), indent=3)


def _commands(item: Item) -> Iterator[str]:
    for ruling in item.rulings:
        target = item.id
        extra = ""
        if ruling is Ruling.RULE:
            extra = f" --for {'|'.join(_named(item))}"
        elif ruling is Ruling.RELEASE:
            extra = " --tag TAG"
        elif ruling is Ruling.DROP and item.matter is Matter.STALE:
            target = "|".join(_named(item))
        yield f"vade review {ruling.value} {_word(target)}{extra}"


def _named(item: Item) -> list[str]:
    return [
        f"^{visible(claim.id)}" if claim.id else visible(f"{claim.span.path}:{claim.span.first}")
        for claim in item.claims
    ]


def _word(target: str) -> str:
    return quoted(target) if any(sign.isspace() for sign in target) else visible(target)


def ruled(done: Ruled) -> Iterator[Line]:
    """Yield what a ruling did and the id that takes it back."""
    undo = (
        (f"  undo: {done.change}", "faint") if done.change else ("  nothing was changed", "faint")
    )
    yield line((f"{done.ruling.value} ", "good"), one_line(done.sentence), undo)
    for claim in done.claims:
        struck = ("struck ", "bad") if not claim.live else ("holds  ", "good")
        yield line(struck, (visible(str(claim.span)), "place"), "  ", claim_line(claim), indent=3)
