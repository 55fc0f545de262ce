"""Answers of memory as text: briefings, hits and excerpts, each with where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from vademecum.core.provenance import Tag
from vademecum.core.search import (
    Briefing,
    Coverage,
    Degradation,
    Found,
    Freshness,
    Hit,
    Source,
    Status,
)
from vademecum.surfaces.rendering.lines import Line, Piece, block, line
from vademecum.surfaces.rendering.visible import one_line, visible

if TYPE_CHECKING:
    from vademecum.service.reading import Excerpt

_MARKS = {Status.SUPERSEDED: "bad", Status.CONFLICT: "bad", Status.CANDIDATE: "warning"}


def briefing(answer: Briefing) -> Iterator[Line]:
    """Yield the sources in order, each with its citation, then what the answer rests on."""
    for number, source in enumerate(answer.sources, 1):
        yield from _source(number, source)
        yield line()
    yield from _footer(answer, len(answer.sources), "source", f"{answer.tokens} tokens")


def _source(number: int, source: Source) -> Iterator[Line]:
    facts: list[Piece] = [(f"{number}  ", "faint"), (visible(str(source.span)), "place")]
    if source.date:
        facts.append((f"  {source.date.isoformat()}", ""))
    if source.provenance is not Tag.UNKNOWN:
        facts.append((f"  [{source.provenance.value}]", "good"))
    if source.status is not Status.CURRENT:
        facts.append((f"  {source.status.value}", _MARKS[source.status]))
    if source.freshness is not Freshness.UNKNOWN:
        facts.append((f"  {source.freshness.value}", "faint"))
    yield line(*facts)
    if source.heading:
        yield line((one_line(source.heading), "strong"), indent=3)
    yield from block(visible(source.text), indent=3)
    if source.superseded_by:
        yield line((f"superseded by {visible(source.superseded_by)}", "bad"), indent=3)
    if source.why:
        yield line((f"why: {one_line(source.why)}", "faint"), indent=3)


def found(answer: Found, *, explain: bool = False) -> Iterator[Line]:
    """Yield the hits in order; with `explain` also why each is there and its scores."""
    for number, hit in enumerate(answer.hits, 1):
        yield from _hit(number, hit, explain)
        yield line()
    yield from _footer(answer, len(answer.hits), "hit", "")


def _hit(number: int, hit: Hit, explain: bool) -> Iterator[Line]:
    facts: list[Piece] = [(f"{number}  ", "faint"), (visible(str(hit.span)), "place")]
    if hit.date:
        facts.append((f"  {hit.date.isoformat()}", ""))
    facts.append((f"  {hit.score:.3f}", "faint"))
    if hit.status is not Status.CURRENT:
        facts.append((f"  {hit.status.value}", _MARKS[hit.status]))
    yield line(*facts)
    if hit.heading:
        yield line((one_line(hit.heading), "strong"), indent=3)
    yield from block(visible(hit.text), indent=3)
    if hit.superseded_by:
        yield line((f"superseded by {visible(hit.superseded_by)}", "bad"), indent=3)
    if explain:
        yield line((f"why: {one_line(hit.why)}", "faint"), indent=3)
        yield line((_scores(hit), "faint"), indent=3)


def _scores(hit: Hit) -> str:
    legs = (("lexical", hit.legs.lexical), ("semantic", hit.legs.semantic))
    return "scores: " + ", ".join(
        f"{name} {'none' if score is None else format(score, '.3f')}" for name, score in legs
    )


def _footer(answer: Found | Briefing, count: int, noun: str, size: str) -> Iterator[Line]:
    if not count:
        yield line((visible(answer.reason or "Nothing known."), "strong"))
    parts = [plural(count, noun), f"level {answer.level.value}"]
    parts += [size] if size and count else []
    parts.append(_coverage(answer.coverage))
    yield line((", ".join(parts), "faint"))
    yield from degradations(answer.degraded)


def _coverage(coverage: Coverage) -> str:
    notes = f"{coverage.notes_indexed:,} of {plural(coverage.notes_on_disk, 'note')} indexed"
    if coverage.chunks_embedded >= coverage.chunks:
        return notes
    return f"{notes}, {coverage.chunks_embedded:,} of {plural(coverage.chunks, 'chunk')} embedded"


def degradations(degraded: Iterable[Degradation]) -> Iterator[Line]:
    """Yield what was not consulted, why, and what would mend it."""
    for item in degraded:
        said = f"not consulted: {item.part} ({one_line(item.reason)})"
        remedy = f"; {one_line(item.remedy)}" if item.remedy else ""
        yield line((said + remedy, "warning"))


def excerpt(value: Excerpt) -> Iterator[Line]:
    """Yield the lines of an excerpt made safe for a terminal."""
    text = visible(value.text)
    yield from block(text.removesuffix("\n"))


def continuation(value: Excerpt) -> Iterator[Line]:
    """Yield what follows an excerpt; nothing where it ends with its file or as it was asked for."""
    if value.cut:
        place = f"{visible(value.span.path)}:{value.span.last}"
        yield line(
            (f"line {value.span.last} is cut; the whole line: vade get --limit 0 {place}", "")
        )
    elif value.following:
        last = value.following.last
        yield line((f"continues to line {last}: vade get {quoted(str(value.following))}", ""))


def quoted(text: str) -> str:
    """Return `text` as one word of a shell command, made visible."""
    import shlex  # noqa: PLC0415  only a continuation needs it

    return shlex.quote(visible(text))


def plural(count: int, noun: str) -> str:
    """Return `count` with its noun in the right number."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
