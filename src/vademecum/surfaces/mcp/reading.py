"""Tools that read: recall, search and get, each answer fenced and of bounded size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vademecum.core.errors import NoteNotFound
from vademecum.core.provenance import Tag
from vademecum.core.search import Briefing, Coverage, Degradation, Found, Hit, Source
from vademecum.surfaces.mcp.arguments import Arguments
from vademecum.surfaces.mcp.envelope import block, bundle, marked
from vademecum.surfaces.mcp.replies import Reply, fields_of, fitted, reply
from vademecum.surfaces.rendering.answers import degradations, plural
from vademecum.surfaces.rendering.as_json import Json
from vademecum.surfaces.rendering.visible import one_line

if TYPE_CHECKING:
    from vademecum.service.answering import Leg
    from vademecum.service.memory import Memory
    from vademecum.service.reading import Excerpt

_LONGEST_HIT = 700
"""Characters of one hit of a search, which lists places; a source of recall is given whole."""
_NOTES = (".md", ".markdown")


def recall(memory: Memory, given: Arguments) -> Reply:
    """Answer `memory_recall`."""
    answer = memory.recall(
        given.text("query"),
        limit=given.number("limit"),
        budget=given.number("budget"),
        history=given.flag("history"),
        as_of=given.text_or_none("as_of"),
        scope=given.texts("scope"),
        origin=given.texts("origin"),
    )
    kept = fitted(answer.sources, lambda source: source.text)
    return _answer(answer, kept, "sources", "source")


def search(memory: Memory, given: Arguments) -> Reply:
    """Answer `memory_search`."""
    leg: Leg | None = None
    if given.text("leg"):
        leg = "keyword" if given.text("leg") == "keyword" else "semantic"
    answer = memory.search(
        given.text("query"),
        leg=leg,
        limit=given.number("limit"),
        as_of=given.text_or_none("as_of"),
        scope=given.texts("scope"),
        origin=given.texts("origin"),
    )
    kept = fitted(answer.hits, lambda hit: hit.text, _LONGEST_HIT)
    return _answer(answer, kept, "hits", "hit")


def get(memory: Memory, given: Arguments) -> Reply:
    """Answer `memory_get`; of a workspace, a model gets the notes and nothing else."""
    found = memory.get(given.text("target"), limit=given.number("limit"))
    if not found.span.path.lower().endswith(_NOTES):
        raise NoteNotFound(
            f"{found.span.path} is no note.", hint="Notes are Markdown files; name one of them."
        )
    return excerpt(found)


def excerpt(found: Excerpt) -> Reply:
    """Return lines of a note as a reply that says where they go on."""
    fields = fields_of(found) | {"more": _more(found)}
    facts = {
        "path": found.span.path,
        "origin": found.origin,
        "lines": _lines(found.span.first, found.span.last),
    }
    notes = [f"{found.span.path} has {plural(found.total, 'line')}."]
    notes += [text] if (text := str(fields["more"])) else []
    return reply(
        bundle([block(found.text.removesuffix("\n"), facts)], map(one_line, notes)), marked(fields)
    )


def _more(found: Excerpt) -> str:
    if found.cut:
        return f"Line {found.span.last} is longer than the limit and was cut."
    if found.following is None:
        return ""
    return f'It goes on: memory_get {{"target": "{found.following}"}}'


def _answer(
    answer: Briefing | Found,
    kept: Sequence[tuple[Source | Hit, str, bool]],
    listed: str,
    noun: str,
) -> Reply:
    """Return a reply of the sources or hits that fit, each with where it stands."""
    given = answer.sources if isinstance(answer, Briefing) else answer.hits
    left = len(given) - len(kept)
    cut = f"{plural(left, f'more {noun}')} left out for size; ask for fewer." if left else ""
    fields = fields_of(answer) | {listed: [_fields(*one) for one in kept]}
    if cut:
        fields["cut"] = cut
    blocks = [_block(number, *one) for number, one in enumerate(kept, 1)]
    notes = [*_summary(answer, len(kept), noun), *([cut] if cut else [])]
    return reply(bundle(blocks, notes), marked(fields))


def _fields(item: Source | Hit, text: str, cut: bool) -> dict[str, Json]:
    fields = fields_of(item) | {"text": text}
    fields.pop("legs", None)
    fields["score"] = round(item.score, 4)
    if cut:
        fields["cut"] = _rest(item)
    return fields


def _block(number: int, item: Source | Hit, text: str, cut: bool) -> str:
    known = item.provenance is not Tag.UNKNOWN
    facts = {
        "n": number,
        "path": item.span.path,
        "origin": item.origin,
        "lines": _lines(item.span.first, item.span.last),
        "heading": item.heading,
        "date": item.date,
        "tag": item.provenance.value if known else "",
        "by": item.actor if isinstance(item, Source) else "",
        "status": item.status.value,
        "until": item.until,
        "freshness": item.freshness.value,
        "superseded_by": item.superseded_by,
        "id": f"^{item.claim}" if item.claim and not item.claim.startswith("^") else item.claim,
        "cut": _rest(item) if cut else "",
    }
    return block(text, facts)


def _rest(item: Source | Hit) -> str:
    return f"the whole: memory_get {item.span}"


def _lines(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _summary(answer: Briefing | Found, count: int, noun: str) -> list[str]:
    reason = [one_line(answer.reason or "Memory does not know.")] if not count else []
    told = f"{plural(count, noun)}, level {answer.level.value}, {_coverage(answer.coverage)}."
    return [*reason, told, *not_consulted(answer.degraded)]


def _coverage(coverage: Coverage) -> str:
    return f"{coverage.notes_indexed:,} of {plural(coverage.notes_on_disk, 'note')} indexed"


def not_consulted(degraded: Sequence[Degradation]) -> list[str]:
    """Return a line for each part that was not consulted."""
    return [line.plain for line in degradations(degraded)]
