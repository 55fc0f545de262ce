"""Verbs about what memory holds true: remembering a claim, and ruling on what is in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, overload

from vademecum.service.part import Part

if TYPE_CHECKING:
    from vademecum.core.jobs import JobReport
    from vademecum.core.notes import Span
    from vademecum.core.outcomes import Outcome
    from vademecum.core.review import Item, Ruled

# Each verb imports its engine when it is called.
# ruff: noqa: PLC0415


class Claiming(Part):
    """The part of `Memory` that writes claims and rules on them."""

    def remember(
        self,
        text: str,
        *,
        kind: str | None = None,
        tag: str | None = None,
        about: str = "",
        source: str | Span | Sequence[str | Span] = (),
        quote: str | Sequence[str] = (),
        supersedes: str | Sequence[str] = (),
        slot: str = "",
        since: date | str | None = None,
        untrusted: bool = False,
        redact: bool = False,
        by_person: bool = False,
        dry_run: bool = False,
    ) -> Outcome:
        """Remember one claim where it belongs, after reading what memory holds about it.

        `kind` and `tag` are found by rules where they are not given (`stated` if `by_person`, else
        `inferred`); `about` names a note. Evidence are `source`s (`PATH:LINE`) with a `quote` each.
        `supersedes` are block ids, `slot` what the claim gives a value to, `since` its first day.
        What is `untrusted` goes to quarantine. A model of the configuration judges what no rule is
        sure of, before anything is locked; `notes` say if it did not. The same call again
        changes nothing, `dry_run` nothing at all. Raises Refused with its kinds, NotFound,
        BadInput, IndexUnusable and what any write raises.
        """
        from vademecum.service.remembering import Asked, Remembering
        from vademecum.writing.judged import UNJUDGED

        asked = Asked(
            kind, tag, about, source, quote, supersedes, slot, since,
            untrusted, redact, by_person, dry_run,
        )  # fmt: skip
        with self._turn:
            if self._remembering is None:
                self._remembering = Remembering(self._workspace, self._parts)
            verb = self._remembering
            judge = verb.question(text, self._actor, asked)
        judged = judge() if judge else UNJUDGED  # no lock is held: a model may stall
        with self._turn:
            self._changing()
            return verb.remember(text, self._actor, asked, judged=judged)

    @overload
    def review(self) -> tuple[Item, ...]: ...
    @overload
    def review(
        self,
        ruling: str,
        target: str,
        *,
        choice: str = "",
        tag: str | None = None,
        by_person: bool = False,
    ) -> Ruled: ...

    def review(
        self,
        ruling: str | None = None,
        target: str = "",
        *,
        choice: str = "",
        tag: str | None = None,
        by_person: bool = False,
    ) -> tuple[Item, ...] | Ruled:
        """List what waits for a person, or carry out a ruling about one item.

        `ruling` is `keep`, `rule` (the claim `choice` holds), `merge`, `drop` or `release` (with
        `tag`); `target` an item's id, a block id or `PATH:LINE`. What does not hold is struck,
        never deleted; each ruling is one group of the ledger and does nothing the second time.
        Conflicts, the gate and the quarantine are ruled `by_person` only. Raises NotFound,
        BadInput, Refused and what any write raises.
        """
        from vademecum.service.reviewing import listed, ruled

        if ruling is not None and (done := self._of_proposal(ruling, target, by_person=by_person)):
            return done
        with self._turn:
            if ruling is None:
                return listed(self._workspace, self._parts, self._caller)
            self._changing()
            return ruled(
                self._workspace,
                self._parts,
                self._actor,
                ruling,
                target,
                choice=choice,
                tag=tag,
                by_person=by_person,
            )

    def _of_proposal(self, ruling: str, target: str, *, by_person: bool) -> Ruled | None:
        """Carry out a ruling on what is proposed for core memory; None for any other target."""
        from vademecum.service import promoting

        if not promoting.is_proposal(target):
            return None
        return promoting.ruled(self._workspace, ruling, target, self._promoted, by_person=by_person)

    def _promoted(self, id: str) -> JobReport:
        raise NotImplementedError
