"""Reflection: what a day meant to do and did, went right and wrong, taught, and leaves for next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from vademecum.core.errors import ModelUnavailable, NoteNotFound
from vademecum.core.frozen import dataclass
from vademecum.core.jobs import Believed, Composed, Declined, Plan, Proposal, Rewritten
from vademecum.core.models import Model
from vademecum.core.provenance import Tag, least_trusted
from vademecum.core.search import Degradation
from vademecum.lifecycle.cues import Went, is_ahead, is_hedged, lasts, went
from vademecum.lifecycle.day import (
    DayLog,
    Proven,
    Statement,
    followed,
    proven,
    read_day,
    reflection_path,
    without,
)
from vademecum.lifecycle.held import Held, held
from vademecum.lifecycle.intended import Outcome, outcomes, workbench_versions
from vademecum.lifecycle.pointed import Pointed, carried, point
from vademecum.lifecycle.reflection_text import Bullet, Reflection, entries_read, extended, rendered
from vademecum.markdown.compare import normalise, rivals
from vademecum.markdown.kinds import Kind, classify, is_durable
from vademecum.markdown.lines import decode
from vademecum.markdown.sentences import States, dated
from vademecum.markdown.wording import key_of
from vademecum.workspace.workspace import Workspace

_CLASSES = {
    States.DECISION: "DECISION",
    States.CORRECTION: "CORRECTION",
    States.PREFERENCE: "PREFERENCE",
    States.LESSON: "LESSON",
    States.PERSON: "PERSON",
    States.PROJECT: "PROJECT",
}
_KINDS = frozenset({Kind.DECISION, Kind.LESSON, Kind.PREFERENCE, Kind.PERSON, Kind.PROJECT})
_NO_OUTCOME = frozenset({States.LESSON, States.PREFERENCE, States.QUESTION})
_RULES_ONLY = "made by rules alone"


@dataclass(frozen=True, slots=True)
class _Insight:
    """A statement that is worth a line in memory."""

    proven: Proven
    kind: Kind | None
    why: str


def reflected(workspace: Workspace, day: date) -> bool:
    """Whether a day has a reflection: its file is there."""
    return workspace.files.exists(reflection_path(workspace, day))


def unreflected(workspace: Workspace, day: date) -> DayLog:
    """Return the entries of `day` that no reflection is made of yet.

    A reflection that somebody else wrote is taken to be made of all of them.
    """
    log = read_day(workspace, day)
    try:
        text = decode(workspace.files.read(reflection_path(workspace, day)).data).text
    except NoteNotFound:
        return log
    read = entries_read(text)
    return without(log, log.links if read is None else read)


def plan_reflection(
    workspace: Workspace, day: date, *, person: str = "", model: Model | None = None
) -> Plan:
    """Return the reflection of `day` and the claims that its log states; nothing is changed.

    A claim has the very words of the log, with their place as evidence, and is trusted as far as
    they go: `stated` where the person named `person`, or somebody whom the log names, says it,
    `observed` where a tool or an entry shows it; conclusions are `inferred` and wait at the gate.
    What only weighs a possibility, and what comes from outside, is not remembered. `model` may
    point to more of it and word the bullets; what it says must be found in the entries it names,
    and what the rules found stays. Without an answer from it the rules go alone. Entries that say
    something else once it has answered are left to the next run. The file comes last: where it is,
    all of this was done. What was entered after it was written is added to it. A day without such
    entries gives an empty plan, with the reason among its notes.
    """
    log = unreflected(workspace, day)
    if not log.entries:
        told = (
            "its entries are reflected on"
            if read_day(workspace, day).entries
            else "no entries of its own"
        )
        return Plan(notes=(f"{day.isoformat()}: {told}; there is nothing to reflect on.",))
    return _Reflecting(workspace, log, person).plan(model)


class _Reflecting:
    """One reflection in the making."""

    def __init__(self, workspace: Workspace, log: DayLog, person: str) -> None:
        self._workspace = workspace
        self._log = log
        self._proofs: dict[Statement, Proven | None] = {}
        self._taken_back: list[Declined] = []
        self._person = person

    def plan(self, model: Model | None) -> Plan:
        pointed, degraded = self._asked(model, self._meant())
        meanwhile: tuple[str, ...] = ()
        if model is not None:
            pointed, meanwhile = self._caught_up(pointed)
        if not self._log.entries:
            return Plan(declined=pointed.declined, degraded=degraded, notes=meanwhile)
        meant = self._meant()
        held_now = held(self._workspace, self._log.day)
        insights = tuple(self._insights(held_now, pointed))
        reflection = self._reflection(meant, insights, held_now, pointed)
        day = self._log.day.isoformat()
        proposals: tuple[Proposal, ...] = (
            *(_believed(insight, self._log.day) for insight in insights),
            self._file(reflection),
        )
        declined = (*pointed.declined, *self._untrusted(pointed), *self._taken_back)
        count = len(self._log.entries)
        note = f"{count} {'entry of' if count == 1 else 'entries of'} {day} read."
        return Plan(proposals, declined, degraded, (note, *pointed.told, *meanwhile))

    def _meant(self) -> tuple[Outcome, ...]:
        versions = workbench_versions(self._workspace, self._log.day)
        return tuple(outcomes(versions, self._log.statements))

    def _caught_up(self, pointed: Pointed) -> tuple[Pointed, tuple[str, ...]]:
        """Take the log as it is now: a model takes its time, and people write meanwhile.

        Entries that say something else by now are left to the next run, with the model, unless
        there is no other.
        """
        now = unreflected(self._workspace, self._log.day)
        there, places = followed(self._log, now)
        changed = len(self._log.entries) - len(there.entries)
        self._log = there if there.entries else now
        if not changed:
            return carried(pointed, places), ()
        told = "1 entry was" if changed == 1 else f"{changed} entries were"
        then = "the next run reads what is there now" if there.entries else _RULES_ONLY
        return carried(pointed, places), (f"{told} changed while the model was asked; {then}.",)

    def _file(self, reflection: Reflection) -> Composed | Rewritten:
        """Return the file of the reflection, or what is added to the one that is there."""
        path = reflection_path(self._workspace, self._log.day)
        try:
            there = self._workspace.files.read(path)
        except NoteNotFound:
            return Composed(path, rendered(reflection), f"the reflection on {self._log.day}")
        text = extended(decode(there.data).text, reflection)
        return Rewritten(path, text, there.digest, "entries that came later")

    def _asked(
        self, model: Model | None, meant: Sequence[Outcome]
    ) -> tuple[Pointed, tuple[Degradation, ...]]:
        if model is None:
            return Pointed(), ()
        try:
            return point(model, self._log, [outcome.task.text for outcome in meant]), ()
        except ModelUnavailable as error:
            said = f"the model did not answer, so the reflection is {_RULES_ONLY}: {error}"
            return Pointed(), (Degradation("model", said, error.hint),)

    def _proof(self, statement: Statement) -> Proven | None:
        if statement not in self._proofs:
            self._proofs[statement] = proven(self._workspace, statement, self._person)
        return self._proofs[statement]

    # ------------------------------------------------------------ what is remembered

    def _insights(self, held_now: Held, pointed: Pointed) -> Iterator[_Insight]:
        """Yield each once, where it was told last: of A, B and A again, A is what holds.

        A later telling by somebody whose word counts less takes no place.
        """
        found: dict[str, _Insight] = {}
        for statement, kind, why in self._worth(held_now, pointed):
            key = key_of(statement.text)
            proof = self._proof(statement)
            if proof is None or proof.untrusted or proof.tag is Tag.SUGGESTED:
                continue
            before = found.get(key)
            if before is None:
                found[key] = _Insight(proof, kind, why)
            elif _counts_as_much(proof, before.proven):
                self._turn_back(found, key, proof)
                found[key] = _Insight(proof, kind or before.kind, why)
        yield from found.values()

    def _turn_back(self, found: dict[str, _Insight], key: str, again: Proven) -> None:
        """Take out what is told once more, and what was said against it in between."""
        told = normalise(again.statement.text)
        for other in list(found)[list(found).index(key) + 1 :]:
            between = found[other].proven
            if _counts_as_much(again, between) and rivals(normalise(between.statement.text), told):
                del found[other]
                why = f"taken back later that day: {again.statement.span}"
                self._taken_back.append(
                    Declined(between.statement.text, why, between.statement.span)
                )
        del found[key]

    def _worth(
        self, held_now: Held, pointed: Pointed
    ) -> Iterator[tuple[Statement, Kind | None, str]]:
        """Yield what lasts of the day, in its order, and what memory holds in the same words."""
        chosen = dict(pointed.insights)
        for statement in self._log.statements:
            if not is_durable(statement.text) or is_hedged(statement.text):
                continue
            if key_of(statement.text) in held_now.claims:
                yield statement, None, "the log confirms what memory holds"
            elif lasts(statement.text, statement.states):
                yield statement, chosen.get(statement), f"states a {statement.states.value}"
            elif statement in chosen:
                yield statement, chosen[statement], "the model points to it"

    def _untrusted(self, pointed: Pointed) -> Iterator[Declined]:
        """Yield what would be remembered if it did not come from outside."""
        chosen = {statement for statement, _ in pointed.insights}
        for statement in self._log.statements:
            if lasts(statement.text, statement.states) or statement in chosen:
                proof = self._proof(statement)
                if proof is not None and proof.untrusted:
                    yield Declined(statement.text, proof.untrusted, statement.span)

    # ------------------------------------------------------------ what is written down

    def _reflection(
        self,
        meant: Sequence[Outcome],
        insights: Sequence[_Insight],
        held_now: Held,
        pointed: Pointed,
    ) -> Reflection:
        cited = {bullet.statement for bullets in pointed.bullets.values() for bullet in bullets}
        rest = [statement for statement in self._log.statements if statement not in cited]

        def section(name: str, own: Iterable[Statement]) -> tuple[Bullet, ...]:
            words = [
                self._bullet(said.statement, said.text) for said in pointed.bullets.get(name, ())
            ]
            return tuple(dict.fromkeys((*words, *map(self._bullet, own))))

        confirmed = {
            known.span.path
            for one in insights
            if (known := held_now.claims.get(key_of(one.proven.statement.text)))
        }
        return Reflection(
            day=self._log.day,
            by=_RULES_ONLY if not pointed.answered else "made by rules and a model",
            read=self._log.links,
            plan=tuple(self._planned(outcome) for outcome in meant),
            right=section("right", (one for one in rest if _went(one) is Went.RIGHT)),
            wrong=section("wrong", (one for one in rest if _went(one) is Went.WRONG)),
            learnt=tuple(
                self._bullet(one.proven.statement, mark=_class_of(one)) for one in insights
            ),
            tomorrow=section("tomorrow", (one for one in rest if _is_ahead(one))),
            stale=tuple(row for row in held_now.stale if row[0] not in confirmed),
        )

    def _planned(self, outcome: Outcome) -> Bullet:
        link = self._link(outcome.told) if outcome.told else ""
        return Bullet(outcome.task.text, link, outcome.fate.value)

    def _bullet(self, statement: Statement, text: str = "", mark: str = "") -> Bullet:
        text = text or statement.text
        if statement.said:
            text = dated(text, statement.said)
        return Bullet(text, self._link(statement), mark)

    def _link(self, statement: Statement) -> str:
        return self._log.links[statement.entry]


def _went(statement: Statement) -> Went | None:
    tells = statement.states not in _NO_OUTCOME and not is_hedged(statement.text)
    return went(statement.text) if tells else None


def _is_ahead(statement: Statement) -> bool:
    return statement.states is not States.QUESTION and (
        statement.states is States.TASK or is_ahead(statement.text)
    )


def _believed(insight: _Insight, day: date) -> Believed:
    proof = insight.proven
    statement = proof.statement
    return Believed(
        statement.text,
        _tag_of(insight).value,
        insight.kind.value if insight.kind else "",
        source=(str(statement.span),),
        quote=(statement.text,),
        since=(statement.said or day).isoformat(),
        why=insight.why,
    )


def _counts_as_much(one: Proven, other: Proven) -> bool:
    return least_trusted((other.tag, one.tag)) is other.tag


def _tag_of(insight: _Insight) -> Tag:
    """Return the tag of a claim: what its place proves; a lesson nobody stated is a conclusion."""
    tag = insight.proven.tag
    kind = insight.kind or classify(insight.proven.statement.text).kind
    return Tag.INFERRED if kind is Kind.LESSON and tag is not Tag.STATED else tag


def _class_of(insight: _Insight) -> str:
    if insight.kind in _KINDS:
        return insight.kind.value.upper()
    return _CLASSES.get(insight.proven.statement.states, "CONFIRMED")
