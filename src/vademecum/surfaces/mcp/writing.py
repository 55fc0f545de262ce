"""Tools that write: remember, log, the workbench and review; and how memory stands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from vademecum.core.errors import BadInput
from vademecum.core.review import Item
from vademecum.surfaces.mcp.arguments import Arguments
from vademecum.surfaces.mcp.envelope import block, bundle, marked
from vademecum.surfaces.mcp.reading import excerpt
from vademecum.surfaces.mcp.replies import Reply, fields_of, fitted, reply
from vademecum.surfaces.rendering.answers import plural
from vademecum.surfaces.rendering.claims import outcome_fields, remembered
from vademecum.surfaces.rendering.files import written
from vademecum.surfaces.rendering.health import status as standing
from vademecum.surfaces.rendering.lines import Line
from vademecum.surfaces.rendering.review import ruled

if TYPE_CHECKING:
    from vademecum.core.changes import Written
    from vademecum.service.memory import Memory

_LONGEST_ITEM = 500
_MOST_ITEMS = 20
_MOST_SKIPPED = 20


def remember(memory: Memory, given: Arguments) -> Reply:
    """Answer `memory_remember`; what a model says is never taken for a person's word."""
    outcome = memory.remember(
        given.text("text"),
        kind=given.text_or_none("kind"),
        tag=given.text_or_none("tag"),
        about=given.text("about"),
        source=given.texts("source"),
        quote=given.texts("quote"),
        supersedes=given.texts("supersedes"),
        slot=given.text("slot"),
        since=given.text_or_none("since"),
        untrusted=given.flag("untrusted"),
        dry_run=given.flag("dry_run"),
    )
    lines = remembered(outcome, dry_run=given.flag("dry_run"))
    return reply(_recalled(lines), marked(fields_of(outcome_fields(outcome))))


def log(memory: Memory, given: Arguments) -> Reply:
    """Answer `memory_log`."""
    return _written(memory.log(given.text("text"), title=given.text("title")), "logged")


def now(memory: Memory, given: Arguments) -> Reply:
    """Answer `memory_now`: shown without a text, else set or edited."""
    text, replacing = given.text_or_none("text"), given.text_or_none("replacing")
    base = given.text("base")
    if text is None:
        if replacing is not None or base:
            raise BadInput(
                "memory_now needs `text` beside `replacing` or `base`.",
                hint="Without any argument it shows the workbench.",
            )
        return excerpt(memory.now())
    if replacing is None:
        return _written(memory.now(text, base=base), "set")
    if base:
        raise BadInput(
            "memory_now takes `replacing` or `base`, not both.",
            hint="`replacing` needs no base: the passage itself has to be there.",
        )
    return _written(memory.now(text, replacing=replacing), "edited")


def review(memory: Memory, given: Arguments) -> Reply:
    """Answer `memory_review`; rulings that are a person's are refused by memory itself."""
    ruling = given.text("ruling")
    if ruling:
        if given.text("only"):
            raise BadInput("memory_review: `only` is for the list, without a ruling.")
        done = memory.review(
            ruling,
            given.text("target"),
            choice=given.text("choice"),
            tag=given.text_or_none("tag"),
        )
        return reply(_recalled(ruled(done)), marked(fields_of(done)))
    if given.text("target") or given.text("choice"):
        raise BadInput(
            "memory_review needs `ruling` beside `target`.",
            hint="Without both it lists what waits.",
        )
    only = given.text("only")
    return _items([item for item in memory.review() if not only or item.matter.value == only])


def _items(found: list[Item]) -> Reply:
    kept = fitted(found[:_MOST_ITEMS], lambda item: item.text, _LONGEST_ITEM)
    blocks = [
        block(
            text,
            {
                "id": item.id,
                "matter": item.matter.value,
                "path": item.span.path,
                "lines": item.span.first,
                "why": item.why,
                "rulings": " ".join(item.rulings),
            },
        )
        for item, text, _ in kept
    ]
    notes = [f"{plural(len(found), 'item')} to review."]
    fields = fields_of({"items": [], "total": len(found)})
    fields["items"] = [fields_of(item) | {"text": text} for item, text, _ in kept]
    if len(kept) < len(found):
        fields["cut"] = f"{len(found) - len(kept):,} more; name one matter with `only`."
        notes.append(str(fields["cut"]))
    return reply(bundle(blocks, notes), marked(fields))


def status(memory: Memory, given: Arguments) -> Reply:
    """Answer `memory_status`."""
    del given
    found = memory.status()
    fields = fields_of(found)
    fields["skipped"] = [fields_of(one) for one in found.skipped[:_MOST_SKIPPED]]
    return reply(_plain(standing(found)), fields)


def _written(done: Written, verb: str) -> Reply:
    return reply(_plain(written(done, verb)), fields_of(done))


def _recalled(lines: Iterable[Line]) -> str:
    return bundle([block(_plain(lines), {})], ())


def _plain(lines: Iterable[Line]) -> str:
    return "\n".join(line.plain for line in lines)
