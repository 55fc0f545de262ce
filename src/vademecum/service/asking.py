"""What a question stands on: a fresh index, the model if it is asked, today, the configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import TypeVar

from vademecum.core.clock import human_day
from vademecum.core.errors import BadInput, IndexUnusable
from vademecum.core.ports import FileStamp, IndexState
from vademecum.core.search import Briefing, Degradation, Status
from vademecum.indexing.refresh import Refresher
from vademecum.markdown.wording import words_of
from vademecum.recall.find import Leg
from vademecum.recall.fuse import Weights
from vademecum.recall.search import Ground, Tuning
from vademecum.service.catalogue import texts
from vademecum.service.wiring import Parts
from vademecum.workspace.archived import archived_as
from vademecum.workspace.keys import SearchSettings
from vademecum.workspace.recalls import Recalls
from vademecum.workspace.scan import Skipped
from vademecum.workspace.workspace import Workspace

Answer = TypeVar("Answer")

_NAMED = 3
"""Files that an answer names; `vade doctor` names all."""


def ground(
    workspace: Workspace,
    parts: Parts,
    refresher: Refresher,
    leg: Leg | None,
    *,
    query: str = "",
    claims: bool = False,
) -> Ground:
    """Read what changed on disk and return what a search can stand on now.

    A `query` that is the path of a note in the archive, which is not searched, is told as such.
    With `leg` `keyword` no model is loaded; with `claims` it takes the time to read those of many
    notes that were only searched for words so far. Raises IndexUnusable, StorageFailed.
    """
    embedder = None if leg == "keyword" else parts.embedder
    report = refresher.refresh(embedder, claims=claims)
    degraded = report.degraded
    if report.remaining:
        left = f"{report.remaining:,} notes that are new or changed are not read yet"
        degraded += (Degradation("index", left, "`vade sync` reads them"),)
    if amiss := (*report.scan.failed, *report.unreadable):
        degraded += (_unread(amiss),)
    if leg != "keyword" and embedder is None:
        off = "embedder.provider is none"
        degraded += (Degradation("meaning", off, "set it to search by meaning"),)
    degraded += _archived(workspace, query)
    if parts.index.unread_claims(1):
        unread = "claims are not read yet, so what is past may not be known as such"
        degraded += (Degradation("claims", unread, "`vade sync` reads them"),)
    now = workspace.clock.now()
    today = human_day(now, workspace.zone)
    return Ground(
        reader=parts.index,
        embedder=embedder,
        today=today,
        coverage=refresher.coverage(),
        degraded=degraded,
        texts=lambda: texts(workspace),
        tuning=tuning_of(workspace.settings.search),
        warmth=lambda paths: _warmth(workspace, report.scan.files, paths, today),
        now=now,
    )


def _archived(workspace: Workspace, query: str) -> tuple[Degradation, ...]:
    """Say of a path that is asked for, or a link to it, that its note is archived."""
    asked = query.strip()
    name = asked.removeprefix("[[").removesuffix("]]").partition("#")[0]
    is_path = asked.endswith(".md") and not any(sign.isspace() for sign in asked)
    if not name or not (is_path or asked.startswith("[[")):
        return ()
    kept = archived_as(workspace, name)
    if len(kept) != 1 or (workspace.root / name).is_file():
        return ()
    told = f"{name} is archived, and the archive is not searched"
    return (Degradation("archive", told, f"`vade get {kept[0]}` reads it"),)


def _warmth(
    workspace: Workspace, files: Mapping[str, FileStamp], paths: Sequence[str], today: date
) -> Mapping[str, float]:
    from vademecum.lifecycle.warmth import present  # noqa: PLC0415  most questions have no tie

    return present(workspace, files, paths, today)


def answered(parts: Parts, refresher: Refresher, ask: Callable[[], Answer]) -> Answer:
    """Return what `ask` returns; an index whose damage shows only on the way is made anew, once.

    The second answer says so. Raises what `ask` raises.
    """
    try:
        return ask()
    except IndexUnusable:
        if parts.index.condition().state is not IndexState.DAMAGED:
            raise
    refresher.expect_change()
    return ask()


def noted(workspace: Workspace, told: Briefing) -> None:
    """Note which claims an answer served; promotion counts them. No text is kept."""
    served = [
        source.claim for source in told.sources if source.claim and source.status is Status.CURRENT
    ]
    if served:
        today = human_day(workspace.clock.now(), workspace.zone)
        Recalls(workspace.state, workspace.id).note(today, words_of(told.query), served)


def _unread(amiss: Sequence[Skipped]) -> Degradation:
    """Name what cannot be read: whatever it says by now, the answer does not rest on it."""
    named = ", ".join(one.path for one in amiss[:_NAMED])
    more = f" and {len(amiss) - _NAMED:,} more" if len(amiss) > _NAMED else ""
    reason = f"{named}{more} cannot be read; what was read earlier is answered from"
    return Degradation("files", reason, "`vade doctor` says what to do")


def day_asked(day: date | str | None) -> date | None:
    """Return the day that a caller names. Raises BadInput for text that is no `YYYY-MM-DD`."""
    if not isinstance(day, str):
        return day
    try:
        return date.fromisoformat(day.strip())
    except ValueError:
        raise BadInput(f"{day!r} is no day.", hint="Write it as YYYY-MM-DD.") from None


def tuning_of(settings: SearchSettings) -> Tuning:
    """Return how hits are found and ranked by this configuration."""
    return Tuning(
        fusion=settings.fusion,
        weights=Weights(settings.semantic_weight, settings.keyword_weight),
        smoothing=settings.smoothing,
        breadth=settings.candidates,
    )
