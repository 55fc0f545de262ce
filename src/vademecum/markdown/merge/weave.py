"""Order of lines in three versions: what both sides added stays, what one removed goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeAlias

from vademecum.core.frozen import dataclass
from vademecum.markdown.merge.chain import Chain
from vademecum.markdown.merge.three_way import regions

Tokens: TypeAlias = Sequence[str]
"""Lines, and keys of claims, which begin with NUL."""
MARKER = 7


@dataclass(frozen=True, slots=True)
class Woven:
    """Tokens in their merged order; `clashes` counts the places where both sides rewrote prose."""

    tokens: tuple[str, ...]
    clashes: int = 0


def weave(base: Tokens, ours: Tokens, theirs: Tokens, *, marker: int = MARKER) -> Woven:
    """Return the merged order.

    Prose that both sides rewrote differently stands twice, between Git's conflict markers, so that
    no line is lost; claims never stand between markers.
    """
    tokens: list[str] = []
    clashes = 0
    for old, mine, yours in regions(base, ours, theirs):
        chosen, clash = _choose(old, mine, yours, marker)
        tokens += chosen
        clashes += clash
    return Woven(tuple(tokens), clashes)


def is_claim(token: str) -> bool:
    """Whether a token stands for a claim."""
    return token.startswith("\0")


def _choose(old: Tokens, mine: Tokens, yours: Tokens, marker: int) -> tuple[Tokens, int]:
    if list(mine) in (list(old), list(yours)):
        return yours, 0
    if list(yours) == list(old):
        return mine, 0
    if _rewritten(old, mine, yours):
        claims = [token for token in _laid(old, mine, yours) if is_claim(token)]
        return [*_marked(mine, yours, marker), *claims], 1
    return _laid(old, mine, yours), 0


def _rewritten(old: Tokens, mine: Tokens, yours: Tokens) -> bool:
    """Whether both sides changed the same lines of prose."""
    before, first, second = (
        Counter(token for token in tokens if token.strip() and not is_claim(token))
        for tokens in (old, mine, yours)
    )
    added = (first - before, second - before)
    return bool((before - first) & (before - second)) and added[0] != added[1]


def _marked(mine: Tokens, yours: Tokens, marker: int) -> Iterator[str]:
    yield "<" * marker + " ours\n"
    yield from (token for token in mine if not is_claim(token))
    yield "=" * marker + "\n"
    yield from (token for token in yours if not is_claim(token))
    yield ">" * marker + " theirs\n"


def _laid(old: Tokens, mine: Tokens, yours: Tokens) -> list[str]:
    """Return ours without what theirs removed, and what theirs added behind its predecessor."""
    before, first, second = _numbered(old), _numbered(mine), _numbered(yours)
    removed = {name for name in before if name not in second}
    order = Chain(first)  # what theirs removed keeps its place until the end
    added = {name for name in first if name not in before}
    at = Chain.START
    for name in second:
        if name not in first and name not in before:
            at = order.put(name, _behind(order, at, added))
        elif name in order:
            at = order.place(name)
    tokens = first | second
    return [tokens[name] for name in order if name not in removed]


Name: TypeAlias = tuple[str, int]


def _behind(order: Chain[Name], at: int, ours_added: Collection[Name]) -> int:
    """Return the place behind `at` and behind what our side put there as well."""
    while (name := order.behind(at)) is not None and name in ours_added:
        at = order.place(name)
    return at


def _numbered(tokens: Tokens) -> dict[Name, str]:
    """Return the tokens under names that are unique: the how-manieth, a blank by what is above."""
    seen: Counter[str] = Counter()
    named: dict[Name, str] = {}
    above = ""
    for token in tokens:
        name = token if token.strip() else f"\n{above}"
        seen[name] += 1
        named[name, seen[name]] = token
        if token.strip():
            above = token
    return named


def placed(
    woven: Sequence[str], wanted: Callable[[str], bool], *orders: Sequence[str]
) -> list[str]:
    """Return the tokens with every wanted claim of `orders` once, and no other.

    One that the order lost stands behind what it stands behind in its own version.
    """
    kept: list[str] = []
    seen: set[str] = set()
    for token in woven:
        if not is_claim(token):
            kept.append(token)
        elif token not in seen and wanted(token):
            seen.add(token)
            kept.append(token)
    tokens = Chain(kept)
    for order in orders:
        above = -1
        for token in order:
            if is_claim(token) and token not in seen and wanted(token):
                seen.add(token)
                tokens.put(token, tokens.last if above < 0 else above)
            if token.strip() and token in tokens:
                above = tokens.place(token)
    return list(tokens)
