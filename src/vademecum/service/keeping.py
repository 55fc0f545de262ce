"""Verbs of an agent's loop: keeping what lasts before its window is full, and compacting it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from vademecum.core.provenance import Actor
from vademecum.service.part import Part

if TYPE_CHECKING:
    from vademecum.context.compact import Compacted as Compacted
    from vademecum.context.compact import HistoryKept as HistoryKept
    from vademecum.context.flushed import AlreadyFlushed as AlreadyFlushed
    from vademecum.context.flushed import Claim
    from vademecum.context.flushed import FlushDue as FlushDue
    from vademecum.context.flushed import Flushed as Flushed
    from vademecum.context.flushed import NotDue as NotDue
    from vademecum.core.outcomes import Outcome

# Each verb imports its engine when it is called.
# ruff: noqa: PLC0415


class Keeping(Part):
    """The part of `Memory` that keeps what a window holds."""

    @overload
    def flush(
        self,
        *,
        window: int,
        tokens: int | None = None,
        messages: Sequence[Any] | None = None,
        session: str | None = None,
    ) -> FlushDue | NotDue: ...
    @overload
    def flush(
        self,
        reply: str,
        *,
        messages: Sequence[Any] | None = None,
        session: str | None = None,
    ) -> Flushed | AlreadyFlushed: ...
    @overload
    def flush(self, *, session: str | None = None) -> tuple[Flushed, ...]: ...

    def flush(
        self,
        reply: str | None = None,
        *,
        window: int = 0,
        tokens: int | None = None,
        messages: Sequence[Any] | None = None,
        session: str | None = None,
    ) -> FlushDue | NotDue | Flushed | AlreadyFlushed | tuple[Flushed, ...]:
        """Ask whether memories are to be written down now, write them, or make up for a miss.

        With `window` (how many tokens it holds) and `tokens` (how many are in it; else estimated
        from `messages`): whether a flush is due. If it is, give its `prompt` to the agent in a turn
        that nobody sees, and call again with the `reply`, which is written down once a compaction.
        With neither, every missed flush of the session is made up for from its transcript, and
        without a session that of all. `messages` (see `compact`) are put on file first. The
        session is the configured one where none is given. Raises BadInput and what any write
        raises; any call can be repeated.
        """
        named = self._session(session)
        with self._turn:
            size = self._captured(named, messages)
            if window:
                from vademecum.context.flush import flush_due

                filled = size if tokens is None else tokens
                return flush_due(self._workspace, named, filled, window)
            self._changing()
            if reply is None:
                return self._made_up(named)
            from vademecum.context.flush import flush_done

            actor = Actor(self._actor.name, named)
            return flush_done(
                self._workspace, named, reply, actor=actor, remember=self._remember_for(actor)
            )

    def compact(
        self,
        messages: Sequence[Any] | None = None,
        *,
        session: str | None = None,
        summary: str | None = None,
        keep: int | None = None,
        budget: int | None = None,
    ) -> Compacted | HistoryKept:
        """Put a summary in the place of a window's early messages; the newest stay as they are.

        `messages` are objects with `role` and `content` as the interfaces of OpenAI and Anthropic
        have them; without them the window is what the transcript of `session` holds. About `keep`
        tokens (20,000) stay, a tool's result with its call. The summary has at most `budget` tokens
        (8,000): the `summary` given, or that of the configured model, or one made by rules. Before
        this returns, every turn is in the transcript, what lasts is in the log if no flush was, and
        the summary is on disk. Decisions that a model's summary lacks are added; one that lacks a
        heading, an open question or an identifier is not taken: history stays, with the reasons.
        Raises BadInput and what any write raises.
        """
        from vademecum.context.compact import KEEP, SUMMARY, compact
        from vademecum.context.messages import read_messages

        named = self._session(session)
        with self._turn:
            self._changing()
            return compact(
                self._workspace,
                named,
                None if messages is None else read_messages(messages),
                actor=Actor(self._actor.name, named),
                keep=KEEP if keep is None else keep,
                budget=SUMMARY if budget is None else budget,
                given=summary,
                model=self._parts.model_for(Actor(self._actor.name, named)),
            )

    def _session(self, session: str | None) -> str:
        return self._actor.session if session is None else session

    def _captured(self, session: str, messages: Sequence[Any] | None) -> int:
        """Put messages on file; return how many tokens they have."""
        if messages is None:
            return 0
        from vademecum.context.cycles import session_locked
        from vademecum.context.messages import read_messages
        from vademecum.context.said import capture_messages

        read = read_messages(messages)
        with session_locked(self._workspace, session):
            capture_messages(self._workspace, session, read)
        return sum(message.tokens for message in read)

    def _made_up(self, session: str) -> tuple[Flushed, ...]:
        from vademecum.context.capture import transcripts_of
        from vademecum.context.flush import flush_missed

        named = [one.session for one in transcripts_of(self._workspace).sessions()]
        return tuple(
            flushed
            for one in ([session] if session else named)
            for flushed in flush_missed(self._workspace, one, actor=Actor(self._actor.name, one))
        )

    def _remember_for(self, actor: Actor) -> Any:
        from vademecum.service.remembering import Asked, Remembering

        if self._remembering is None:
            self._remembering = Remembering(self._workspace, self._parts)
        verb = self._remembering

        def remember(claim: Claim) -> Outcome:
            asked = Asked(
                kind=claim.kind,
                tag=claim.tag,
                about=claim.about,
                source=claim.source or (),
                quote=claim.quote or (),
                redact=True,
            )
            return verb.remember(claim.text, actor, asked)

        return remember
