"""The summary of earlier turns: eight headings, made by rules, merged with the one before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from vademecum.context.extract import files_in, identifiers_in, latest
from vademecum.context.turns import Turn
from vademecum.core.frozen import dataclass
from vademecum.markdown.kinds import is_durable
from vademecum.markdown.sentences import Sentence, States, once, sentences
from vademecum.markdown.sizes import estimate_tokens
from vademecum.markdown.wording import words_of

HEADINGS: Mapping[str, str] = {
    "goal": "Goal",
    "decisions": "Decisions",
    "open_threads": "Open threads",
    "files": "Files",
    "identifiers": "Identifiers",
    "preferences": "Preferences",
    "statements": "Also said",
    "next_step": "Next step",
}
_NOTHING = "(none)"
BY_AGENT = "agent: "
"""How a decision begins that the agent stated."""
_DECIDED = (States.DECISION, States.CORRECTION)
_PREFERRED = (States.PREFERENCE, States.LESSON, States.PERSON)
_MOST_GOALS = 8
_MOST_THREADS = 20
_MOST_FILES = 60
_MOST_IDENTIFIERS = 40
_STRICT_IDENTIFIERS = 12
"""So many of the latest identifiers that the user named must be in any summary."""
_LONGEST_ASK = 600
_LONGEST_STATEMENT = 300
_MOST_STATEMENTS = 30
"""Of one turn; whoever says more has pasted something."""
_GIVE_WAY = (
    ("files", 5),
    ("identifiers", _STRICT_IDENTIFIERS),
    ("open_threads", 3),
    ("decisions", 20),
    ("statements", 0),
    ("files", 0),
    ("goal", 1),
    ("decisions", 0),
    ("open_threads", 0),
)
"""What is dropped when the budget is too small, in this order, and how many of each stay."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What is known of turns that are no longer in the window; each item is one line."""

    goal: tuple[str, ...] = ()
    """What the user wanted first, and what they said of the project."""
    decisions: tuple[str, ...] = ()
    """In the order in which they were made; a later one overrules an earlier one.

    Those of the agent say so.
    """
    open_threads: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    preferences: tuple[str, ...] = ()
    """What the user prefers, and what was learned."""
    statements: tuple[str, ...] = ()
    """What else the user said: no rule knows every way to settle something."""
    next_step: tuple[str, ...] = ()
    """What was asked for last, and what was to be done about it."""

    @property
    def text(self) -> str:
        """The summary as Markdown, every heading in its place."""
        return "\n\n".join(self._sections())

    def _sections(self) -> Iterator[str]:
        for field, heading in HEADINGS.items():
            items: tuple[str, ...] = getattr(self, field)
            yield f"## {heading}\n" + "\n".join(f"- {item}" for item in items or (_NOTHING,))


def read_summary(text: str) -> Summary | None:
    """Return the summary that `text` is; None where a heading is missing."""
    fields = {heading: field for field, heading in HEADINGS.items()}
    found: dict[str, list[str]] = {}
    into: list[str] | None = None
    for row in text.splitlines():
        if row.startswith("#"):
            field = fields.get(row.lstrip("#").strip())
            into = found.setdefault(field, []) if field else None
        elif into is not None and row.strip():
            into.append(row.strip().removeprefix("- ").strip())
    if set(found) != set(HEADINGS):
        return None
    return Summary(**{f: tuple(i for i in items if i != _NOTHING) for f, items in found.items()})


def summarised(turns: Sequence[Turn], previous: Summary | None, budget: int) -> Summary:
    """Return the summary of `turns` and of all that `previous` knew, in about `budget` tokens.

    Sentences are kept as they were said. What the user decided and prefers is never dropped,
    whatever the budget; the oldest of the rest are, as far as it asks for it.
    """
    known = previous or Summary()
    said = [(turn, tuple(sentences(turn.text))) for turn in turns if turn.speaker != "tool"]
    by_user = [one for turn, those in said if turn.speaker != "assistant" for one in those]
    ask = last_ask(turns)
    asked = first_ask(turns)
    made = Summary(
        goal=_first_and_latest(
            once((*known.goal, *((asked,) if asked and not known.goal else ()),
                  *_that_state(by_user, States.PROJECT))), _MOST_GOALS,
        ),
        decisions=once((*known.decisions, *_decisions(said))),
        open_threads=once((*known.open_threads, *_threads(said)))[-_MOST_THREADS:],
        files=latest((*known.files, *(f for t in turns for f in files_in(t.text))), _MOST_FILES),
        identifiers=latest(
            (*known.identifiers,
             *(i for t in turns if t.speaker == "assistant" for i in identifiers_in(t.text)),
             *_named_by_user(turns)),
            _MOST_IDENTIFIERS,
        ),
        preferences=once((*known.preferences, *_that_state(by_user, *_PREFERRED))),
        statements=once((*known.statements, *_statements(said))),
        next_step=(ask, *_planned(turns)) if ask else (*known.next_step[:1], *_planned(turns)),
    )  # fmt: skip
    return _within(made, budget)


def completed(given: Summary, known: Summary) -> Summary:
    """Return a model's summary with the user's decisions and preferences that it lacks.

    They are added as they were said, so that no rewording loses one.
    """
    held = words_of(given.text)
    return replace(
        given,
        decisions=(*given.decisions, *_missing(known.decisions, held)),
        preferences=(*given.preferences, *_missing(known.preferences, held)),
    )


def _missing(items: Sequence[str], held: str) -> Iterator[str]:
    return (i for i in items if not i.startswith(BY_AGENT) and words_of(i) not in held)


def lacks(text: str, turns: Sequence[Turn], budget: int) -> tuple[str, ...]:
    """Return what is wrong with a summary of `turns`, each as a sentence.

    Every heading has to be there; what the user asked for last, if nobody answered; the latest
    identifiers that the user named, to the letter; and no more than the budget.
    """
    if read_summary(text) is None:
        missing = [h for h in HEADINGS.values() if f"\n## {h}\n" not in f"\n{text}\n"]
        return (f"It lacks the heading {', '.join(missing) or 'of a section'}.",)
    held = words_of(text)
    found = []
    ask = pending_ask(turns)
    if ask and words_of(ask) not in held:
        found.append(f"It lacks what is still to be answered: {ask!r}.")
    named = latest(_named_by_user(turns), _STRICT_IDENTIFIERS)
    found += [f"It lacks {identifier}." for identifier in named if identifier not in text]
    if (size := estimate_tokens(text)) > budget:
        found.append(f"It has {size:,} tokens, over the budget of {budget:,}.")
    return tuple(found)


def first_ask(turns: Sequence[Turn]) -> str:
    """Return what the user said first, on one line; empty where they said nothing."""
    return next((_ask(turn) for turn in turns if turn.speaker == "user"), "")


def last_ask(turns: Sequence[Turn]) -> str:
    """Return what the user said last, on one line."""
    return first_ask(turns[::-1])


def pending_ask(turns: Sequence[Turn]) -> str:
    """Return what the user said last where no answer follows it, else nothing."""
    for turn in reversed(turns):
        if turn.speaker == "assistant":
            return ""
        if turn.speaker == "user":
            return _ask(turn)
    return ""


def _named_by_user(turns: Sequence[Turn]) -> Iterator[str]:
    for turn in turns:
        if turn.speaker == "user":
            yield from identifiers_in(turn.text)


def _ask(turn: Turn) -> str:
    said = " ".join(turn.text.split())
    return said if len(said) <= _LONGEST_ASK else said[: _LONGEST_ASK - 1] + "…"


def _that_state(said: Sequence[Sentence], *states: States) -> Iterator[str]:
    return (one.text for one in said if one.states in states)


def _decisions(said: Sequence[tuple[Turn, Sequence[Sentence]]]) -> Iterator[str]:
    """Yield what was decided, each by whom; what an agent takes back in passing is no decision."""
    for turn, those in said:
        if turn.speaker != "assistant":  # another program's summary tells of both
            yield from _that_state(those, *_DECIDED)
        else:
            yield from (f"{BY_AGENT}{one}" for one in _that_state(those, States.DECISION))


def _statements(said: Sequence[tuple[Turn, Sequence[Sentence]]]) -> Iterator[str]:
    for turn, those in said:
        if turn.speaker != "assistant" and len(those) <= _MOST_STATEMENTS:
            yield from (
                one.text
                for one in those
                if one.states is States.FACT
                and len(one.text) <= _LONGEST_STATEMENT
                and is_durable(one.text)
            )


def _threads(said: Sequence[tuple[Turn, Sequence[Sentence]]]) -> Iterator[str]:
    """Yield what is left to do, and what the user asked at last without getting an answer."""
    for number, (turn, those) in enumerate(said):
        yield from _that_state(those, States.TASK)
        answered = any(later.speaker == "assistant" for later, _ in said[number + 1 :])
        if turn.speaker == "user" and not answered:
            yield from _that_state(those, States.QUESTION)


def _planned(turns: Sequence[Turn]) -> tuple[str, ...]:
    """Return what the agent said last of what is to be done."""
    for turn in reversed(turns):
        if turn.speaker == "assistant":
            return tuple(_that_state(tuple(sentences(turn.text)), States.TASK))[-2:]
    return ()


def _first_and_latest(items: tuple[str, ...], most: int) -> tuple[str, ...]:
    return items if len(items) <= most else (items[0], *items[1 - most :])


def _within(made: Summary, budget: int) -> Summary:
    """Return the summary without as many of the oldest items as the budget asks for."""
    for field, least in _GIVE_WAY:
        while (over := estimate_tokens(made.text) - budget) > 0:
            shorter = _without_oldest(made, field, least, over)
            if shorter == made:
                break
            made = shorter
    return made


def _without_oldest(made: Summary, field: str, least: int, over: int) -> Summary:
    items: tuple[str, ...] = getattr(made, field)
    gone: set[int] = set()
    for number, item in enumerate(items):
        if over <= 0 or len(items) - len(gone) <= least:
            break
        if _may_go(field, number, item):
            gone.add(number)
            over -= estimate_tokens(item) + 1
    kept = tuple(item for number, item in enumerate(items) if number not in gone)
    return replace(made, **{field: kept})


def _may_go(field: str, number: int, item: str) -> bool:
    """Whether an item may be dropped: neither the first goal nor what the user decided."""
    if field == "decisions":
        return item.startswith(BY_AGENT)
    return field != "goal" or number > 0
