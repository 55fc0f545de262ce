"""What `remember` stands on: an index with every claim, likeness where it is cheap, who writes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

from vademecum.core.errors import BadInput, EmbedderUnavailable
from vademecum.core.frozen import dataclass
from vademecum.core.notes import Span
from vademecum.core.outcomes import Outcome
from vademecum.core.ports import Embedder, Purpose
from vademecum.core.provenance import Actor, Tag
from vademecum.indexing.elect import is_taken, is_watching, last_swept
from vademecum.indexing.sync import sync
from vademecum.markdown.kinds import Kind
from vademecum.service.asking import day_asked
from vademecum.service.opening import actor_of
from vademecum.service.wiring import Parts
from vademecum.workspace.workspace import Workspace
from vademecum.writing.fresh import FreshClaims
from vademecum.writing.judged import UNJUDGED, Judged
from vademecum.writing.remember import Likeness, Show, remember, unseen

_FILES_AHEAD = 200
"""Files written since the last sweep from which on the index is swept again."""
_QUICK = 0.01
_REST_PER_SWEEP = 8.0
"""At most a ninth of the time goes into sweeps; one of less than 10 ms is never spared."""
_OLDEST_SWEEP = 5.0
"""Seconds that a sweep may be old: then the next is made, however long it takes and whoever is
indexing has to be waited for."""
_PATIENCE = 60.0
"""Seconds that a write waits for another process that is indexing."""
_CHEAP = frozenset({"local", "hashing"})
"""Providers on this machine: asking them takes milliseconds and sends no text anywhere."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a call of `remember` says besides its text, as surfaces pass it on."""

    kind: Kind | str | None = None
    tag: Tag | str | None = None
    about: str = ""
    source: str | Span | Sequence[str | Span] = ()
    quote: str | Sequence[str] = ()
    supersedes: str | Sequence[str] = ()
    slot: str = ""
    since: date | str | None = None
    untrusted: bool = False
    redact: bool = False
    by_person: bool = False
    dry_run: bool = False


class Remembering:
    """`remember` for one open memory, over an index that is swept no more often than it is worth.

    What this and other processes wrote through the ledger is always known; what an editor saved is
    known once the index was swept, by whichever process: a moment later, or up to five seconds
    where a sweep takes half of one, or others sweep or watch. What was saved before the first call
    is known to it.
    """

    def __init__(
        self,
        workspace: Workspace,
        parts: Parts,
        *,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._seconds = seconds
        self._workspace = workspace
        self._parts = parts
        self._person = actor_of(workspace, None).name
        self._claims = FreshClaims(workspace, parts.index)
        self._rested_until = float("-inf")
        self._swept_at = float("-inf")
        self._rest = 0.0
        """Seconds of rest that the last sweep is worth."""
        self._rehearsing = False
        """Whether files are read that no sweep finds as they are read here."""

    def rehearsing(self, workspace: Workspace) -> Remembering:
        """Return the same for a dry run, over the files that `workspace` would have."""
        made = Remembering(workspace, self._parts, seconds=self._seconds)
        made._sweep()
        made._rehearsing = True
        return made

    def reread(self, path: str) -> None:
        """Take the claims of the file at `path` as they would be; see `rehearsing`."""
        self._claims.reread(path)

    def question(self, text: str, actor: Actor, asked: Asked) -> Callable[[], Judged] | None:
        """Return how to ask the configured model first; None without one, or where it is no use.

        Asking may take minutes, so it is for a caller to do who holds nothing that others wait for.
        Raises what `writing.remember` raises of its input.
        """
        model = self._parts.model_for(actor)
        if model is None:
            return None
        from vademecum.writing.judging import (  # noqa: PLC0415  rules need it not
            judgement,
            question_about,
        )

        self._sweep()
        self._claims.refresh()
        question = question_about(
            self._workspace,
            self._claims,
            text,
            kind=_kind(asked.kind),
            about=asked.about,
            source=asked.source,
            quote=asked.quote if asked.source else (),
            supersedes=_several(asked.supersedes),
            slot=asked.slot,
            since=day_asked(asked.since),
            untrusted=asked.untrusted,
            redact=asked.redact,
            person=self._person,
        )
        return None if question is None else lambda: judgement(model, question)

    def remember(
        self,
        text: str,
        actor: Actor,
        asked: Asked,
        judged: Judged = UNJUDGED,
        show: Show | None = None,
    ) -> Outcome:
        """Remember `text`. Raises what `writing.remember` raises."""
        kind, tag, since = _kind(asked.kind), tag_named(asked.tag), day_asked(asked.since)
        asked, vouched = self._vouched(text, actor, asked)
        self._sweep()

        def call(likeness: Likeness | None) -> Outcome:
            return remember(
                self._workspace,
                self._claims,
                text,
                actor=actor,
                kind=kind,
                tag=tag,
                about=asked.about,
                source=asked.source,
                quote=asked.quote,
                supersedes=_several(asked.supersedes),
                slot=asked.slot,
                since=since,
                dry_run=asked.dry_run,
                untrusted=asked.untrusted,
                redact=asked.redact,
                by_person=asked.by_person,
                person=self._person,
                vouched=vouched,
                likeness=likeness,
                judged=judged,
                refresh=self._claims.refresh,
                show=show or unseen,
            )

        try:
            return call(_likeness(self._workspace, self._parts))
        except EmbedderUnavailable:  # likeness is asked before anything is written
            return call(None)

    def _vouched(self, text: str, actor: Actor, asked: Asked) -> tuple[Asked, bool]:
        """Return the call with its evidence where an agent calls `stated` what a user said.

        A quote without a source, or else the claim itself, is looked for in the turns on file; the
        sentence that has it goes to today's log and is cited. With `dry_run` nothing is written.
        """
        quote = next((said for said in _several(asked.quote) if said.strip()), "")
        agent = actor.name != self._person and not asked.by_person
        if not agent or tag_named(asked.tag) is not Tag.STATED or asked.source or asked.untrusted:
            return asked, False
        from vademecum.service.witness import logged, said_on_file  # noqa: PLC0415  for agents only

        said = said_on_file(self._workspace, text, quote)
        if said is None or asked.dry_run:
            return replace(asked, quote=()), said is not None
        span = logged(self._workspace, said.sentence, actor)
        return replace(asked, source=span, quote=said.quote), True

    def _sweep(self) -> None:
        self._claims.ask_anew()
        if self._rehearsing:
            return
        now = self._seconds()
        if now < self._rested_until and len(self._claims) <= _FILES_AHEAD:
            return
        swept_at = self._last_sweep(now)
        # Whoever indexes at this moment reads the same files; only an old view waits for its end.
        wait = 0.0 if now - swept_at < _OLDEST_SWEEP else _PATIENCE
        few = not wait and len(self._claims) <= _FILES_AHEAD
        if few and (now - swept_at < self._rest or is_watching(self._workspace.state)):
            return
        if self._claims.through(lambda: read_all_claims(self._workspace, self._parts, wait)):
            self._swept_at = now
        took = self._seconds() - now
        self._rest = min(_OLDEST_SWEEP, _REST_PER_SWEEP * took) if took > _QUICK else 0.0
        self._rested_until = now + took + self._rest

    def _last_sweep(self, now: float) -> float:
        """Return when the last sweep began, of this process or, after its first, of any."""
        if self._swept_at == float("-inf"):
            return self._swept_at  # what was saved before this memory was opened is known at once
        swept = last_swept(self._workspace.state)
        if swept is None:
            return self._swept_at
        self._claims.leave_to_index(swept.ledger)
        return max(self._swept_at, now - swept.ago)


def read_all_claims(workspace: Workspace, parts: Parts, wait: float = _PATIENCE) -> bool:
    """Bring the index up to date, claims included: what is compared must be complete.

    Return whether that could be done: another process may have been indexing for all of `wait`
    seconds.
    """
    if not wait and is_taken(workspace.state):
        return False
    report = sync(workspace, parts.index, wait=wait, claims=None)
    return report.elected and not report.remaining


def _likeness(workspace: Workspace, parts: Parts) -> Callable[..., list[float]] | None:
    embedder = parts.embedder
    if embedder is None or workspace.settings.embedder.provider not in _CHEAP:
        return None

    def likeness(text: str, others: Sequence[str]) -> list[float]:
        return _cosines(embedder, text, others)

    return likeness


def _cosines(embedder: Embedder, text: str, others: Sequence[str]) -> list[float]:
    own, *rest = embedder.embed([text, *others], Purpose.LIKENESS)
    return [sum(a * b for a, b in zip(own, other, strict=True)) for other in rest]


def _several(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _kind(given: Kind | str | None) -> Kind | None:
    try:
        return None if given is None else Kind(given)
    except ValueError:
        raise BadInput(
            f"There is no kind {given!r}.", hint=f"Kinds are: {', '.join(Kind)}."
        ) from None


def tag_named(given: Tag | str | None) -> Tag | None:
    """Return the tag of that name. Raises BadInput."""
    try:
        return None if given is None else Tag(given)
    except ValueError:
        named = ", ".join(tag for tag in Tag if tag is not Tag.UNKNOWN)
        raise BadInput(f"There is no tag {given!r}.", hint=f"Tags are: {named}.") from None
