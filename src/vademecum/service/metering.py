"""Models on a meter: every question is in the ledger, and a day has bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from vademecum.core.changes import Change, Effect, Usage
from vademecum.core.clock import human_day
from vademecum.core.errors import (
    LockTimeout,
    ModelUnavailable,
    StateUnwritable,
    StorageFailed,
    VademecumError,
)
from vademecum.core.ids import new_entry_id
from vademecum.core.models import (
    Answered,
    ChatModel,
    InWindow,
    Reply,
    Respondent,
    Tool,
    text_of,
    texts_under,
)
from vademecum.core.provenance import Actor
from vademecum.markdown.sizes import estimate_tokens
from vademecum.service.stopping import Stopping
from vademecum.workspace.locks import locked
from vademecum.workspace.workspace import Workspace

VERB = "ask"
"""The verb of a question in the ledger."""
_AGAIN = """

Your answer before could not be used: {amiss} Answer again, in the form that was asked for."""
_MILLION = 1_000_000


class Meter:
    """What one workspace asks models: what it took today, and whether there may be more."""

    def __init__(self, workspace: Workspace, actor: Actor, stopping: Stopping) -> None:
        self._workspace = workspace
        self._actor = actor
        self._stopping = stopping

    @contextmanager
    def question(self, prompt: str) -> Iterator[None]:
        """Let a block ask `prompt` and record it, where the bounds of the day allow that.

        With a bound, one question of the workspace is under way at a time, whichever process asks:
        what an answer takes is known when it is there, and until then nobody can tell whether
        another one fits. Raises ModelUnavailable where a bound is reached, would be by `prompt`, or
        a question before is not done in `model.timeout`; StopAsked where work is to end.
        """
        self._stopping.check()
        bounds = self._workspace.settings.model
        if not (bounds.daily_tokens or bounds.daily_cost):
            yield
            return
        with ExitStack() as held:
            lock = self._workspace.state / "locks" / "model.lock"
            try:
                held.enter_context(locked(lock, bounds.timeout, self._stopping.check))
            except LockTimeout as error:
                raise ModelUnavailable(
                    f"Another question to a model is not done in {bounds.timeout:g} seconds, and a"
                    " bound of the day has to count it first.",
                    hint="Ask later; rules go on.",
                ) from error
            except StateUnwritable as error:
                raise _uncounted(error) from error
            self._check(prompt)
            yield

    def _check(self, prompt: str) -> None:
        """Raise ModelUnavailable where a bound of the day is reached, or would be by `prompt`."""
        bounds = self._workspace.settings.model
        asked = [change.usage for change in self._asked() if change.usage is not None]
        sending = estimate_tokens(prompt)
        tokens = sum(usage.sent + usage.received for usage in asked)
        if bounds.daily_tokens and tokens + sending > bounds.daily_tokens:
            raise _reached(f"{tokens:,} of {bounds.daily_tokens:,} tokens", "model.daily_tokens")
        if not bounds.daily_cost:
            return
        unknown = [usage.model for usage in asked if usage.cost is None]
        if unknown:
            raise ModelUnavailable(
                f"What {unknown[-1]} costs is not known, so model.daily_cost cannot be kept.",
                hint="Set model.price_in and model.price_out, or bound model.daily_tokens instead.",
            )
        cost = sum(usage.cost or 0.0 for usage in asked)
        if cost + sending * bounds.price_in / _MILLION >= bounds.daily_cost:
            raise _reached(f"${cost:.2f} of ${bounds.daily_cost:.2f}", "model.daily_cost")

    def record_lost(self, error: ModelUnavailable) -> None:
        """Put into the ledger what a request took that got no answer, where one was made.

        Raises StopAsked where it got none because work is to end: no rules stand in then.
        """
        if error.usage is not None:
            self.record(error.usage, outcome=", which gave no answer")
        self._stopping.check()

    def record(self, usage: Usage, *, outcome: str = "") -> None:
        """Put into the ledger what a question took, and how it ended where it was not answered.

        Raises ModelUnavailable where that cannot be: nothing is asked that is not counted.
        """
        now = self._workspace.clock.now().astimezone(self._workspace.zone)
        change = Change(
            id=new_entry_id(now),
            at=now,
            actor=self._actor.name,
            session=self._actor.session,
            verb=VERB,
            effect=Effect.ASK,
            path="",
            before="",
            after="",
            summary=f"asked {usage.model or 'a model'}{outcome}",
            usage=self._priced(usage),
        )
        try:
            self._workspace.ledger.record(change)
        except StorageFailed as error:
            raise _uncounted(error) from error

    def _priced(self, usage: Usage) -> Usage:
        prices = self._workspace.settings.model
        if usage.cost is not None or not (prices.price_in or prices.price_out):
            return usage
        cost = usage.sent * prices.price_in + usage.received * prices.price_out
        return replace(usage, cost=round(cost / _MILLION, 8))

    def _asked(self) -> Iterator[Change]:
        """Yield the questions of this local day, whoever asked them."""
        workspace = self._workspace
        today = human_day(workspace.clock.now(), workspace.zone)
        for change in workspace.ledger.changes(verb=VERB):
            if human_day(change.at, workspace.zone) == today:
                yield change


class MeteredModel:
    """The port `Model` over a respondent: bounded, recorded, checked, and asked a second time."""

    def __init__(self, respondent: Respondent, meter: Meter) -> None:
        self._respondent = respondent
        self._meter = meter

    def answer(self, prompt: str, wanted: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
        """Return a list of texts, each on one line, under every name in `wanted`.

        An answer of another form is asked for once more, with what is amiss. Raises
        ModelUnavailable.
        """
        reply = self._ask(prompt, wanted)
        if reply.texts is None:
            reply = self._ask(prompt + _AGAIN.format(amiss=reply.amiss), wanted)
        if reply.texts is None:
            raise ModelUnavailable(
                f"The model gave no usable answer, asked twice. {reply.amiss}",
                hint="Try another model.",
            )
        return reply.texts

    def _ask(self, prompt: str, wanted: Mapping[str, str]) -> Reply:
        with self._meter.question(prompt):
            try:
                reply = self._respondent.ask(prompt, wanted)
            except ModelUnavailable as error:
                self._meter.record_lost(error)
                raise
            said = "\n".join(text for texts in (reply.texts or {}).values() for text in texts)
            self._meter.record(_counted(reply.usage, prompt, said or reply.amiss))
        if reply.texts is None:
            return reply
        sound = texts_under(reply.texts, wanted)
        amiss = "" if sound else f"It has no lists of texts under {', '.join(wanted)}."
        return Reply(sound, reply.usage, amiss)


class MeteredChat:
    """The port `ChatModel` over another: every turn is bounded and recorded."""

    def __init__(self, model: ChatModel, meter: Meter) -> None:
        self._model = model
        self._meter = meter

    def next(
        self, instructions: str, window: Sequence[InWindow], tools: Sequence[Tool]
    ) -> Answered:
        """Return what the model says next. Raises ModelUnavailable, also where a bound is met."""
        sent = text_of(instructions, window)
        with self._meter.question(sent):
            try:
                said = self._model.next(instructions, window, tools)
            except ModelUnavailable as error:
                self._meter.record_lost(error)
                raise
            self._meter.record(_counted(said.usage or Usage(""), sent, said.text))
        return said

    def close(self) -> None:
        """Release connections; the model is not used again."""
        self._model.close()


def _counted(usage: Usage, sent: str, received: str) -> Usage:
    """Return the usage with tokens estimated where nobody told any."""
    if usage.sent or usage.received:
        return usage
    return replace(
        usage, sent=estimate_tokens(sent), received=estimate_tokens(received), estimated=True
    )


def _uncounted(error: VademecumError) -> ModelUnavailable:
    return ModelUnavailable(f"What the model is asked cannot be recorded: {error}", hint=error.hint)


def _reached(spent: str, key: str) -> ModelUnavailable:
    return ModelUnavailable(
        f"The model is not asked any more today: {spent} are spent.",
        hint=f"Raise {key}, or wait until tomorrow; rules go on.",
    )
