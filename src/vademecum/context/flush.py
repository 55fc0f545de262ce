"""Flush: what should last is written down before a window is compacted, once a cycle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from datetime import date, datetime
from typing import TYPE_CHECKING

from vademecum.context.cycles import (
    Flushes,
    History,
    flushes_of,
    history_of,
    keep_flushes,
    session_locked,
)
from vademecum.context.flush_entries import (
    about_session,
    held_rows,
    line_of,
    logged,
    places_in,
)
from vademecum.context.flushed import (
    AlreadyFlushed,
    Claim,
    FlushDue,
    Flushed,
    Kept,
    NotDue,
    Remember,
    Unflushed,
)
from vademecum.context.reply import PROMPT, Memory, Said, memories, said_by_user
from vademecum.core.clock import human_day
from vademecum.core.errors import (
    BadInput,
    IndexUnusable,
    NotFound,
    Refused,
    VademecumError,
)
from vademecum.core.notes import Role, Span
from vademecum.core.outcomes import LoggedOnly, Outcome, Quarantined, Waiting
from vademecum.core.provenance import Actor, Tag
from vademecum.markdown.kinds import is_durable
from vademecum.markdown.secrets import redact
from vademecum.markdown.sentences import LASTING, dated, once, sentences
from vademecum.markdown.wording import words_of
from vademecum.writing.tombstones import refuse_forgotten

if TYPE_CHECKING:
    from vademecum.workspace.workspace import Workspace

RESERVE = 20_000
"""Tokens that are left free for the answer."""
SOFT_THRESHOLD = 4_000
"""Tokens before that at which a flush is due."""
LONGEST_REPLY = 100_000
"""Characters of a reply; more is no list of memories."""
MOST_REMEMBERED = 200
"""Memories of one reply that are compared with what is known; more are kept in the log alone."""
_SO_FAR = "Said in the session so far, which goes on."
_CANNOT = (Refused, BadInput, NotFound, IndexUnusable)


def flush_due(workspace: Workspace, session: str, tokens: int, window: int) -> FlushDue | NotDue:
    """Say whether the window is so full that its session is to be flushed now.

    Due from `window - 20,000 - 4,000` tokens on (in a window too small for that, from its half on)
    until the cycle was flushed. That it was due is durable when this returns, so that a flush that
    a crash prevents is made up for. Raises BadInput, StateUnwritable, LockTimeout.
    """
    if window <= 0 or tokens < 0:
        raise BadInput("A window has at least one token.", hint="Give tokens and window.")
    room = window - RESERVE - SOFT_THRESHOLD
    threshold = room if room > 0 else window // 2
    with session_locked(workspace, session):
        history, flushes = _known(workspace, session)
        cycle = history.cycle
        if cycle in flushes.done:
            return NotDue(session, cycle, tokens, threshold, "This cycle was flushed already.")
        if tokens < threshold:
            return NotDue(session, cycle, tokens, threshold, "The window has room.")
        if cycle not in flushes.due:
            keep_flushes(workspace, session, replace(flushes, due=(*flushes.due, cycle)))
        return FlushDue(session, cycle, tokens, threshold, PROMPT)


def flush_done(
    workspace: Workspace, session: str, reply: str, *, actor: Actor, remember: Remember
) -> Flushed | AlreadyFlushed:
    """Write down what the agent answered to the prompt, once a cycle; durable when it returns.

    All of it goes to today's log, each memory also to the note it belongs to, whatever file was
    named. It is `stated` only where a turn of the user on file says so. `NO_REPLY` writes nothing;
    an empty reply is none, and the cycle is made up for from the transcript. Earlier cycles that
    were missed are made up for first. Of more than 200 memories the rest is logged only. Raises
    BadInput for a reply of more than 100,000 characters, and what any write raises; the call can
    then be repeated.
    """
    if len(reply) > LONGEST_REPLY:
        raise BadInput(
            f"The reply has {len(reply):,} characters; a flush takes {LONGEST_REPLY:,} at most.",
            hint="Answer with what lasts, one memory a line.",
        )
    with session_locked(workspace, session):
        _made_up(workspace, session, actor)
        history, flushes = _known(workspace, session)
        if history.cycle in flushes.done:
            return AlreadyFlushed(session, history.cycle)
        if not reply.strip():
            return _replayed(workspace, history, flushes, history.cycle, history.last, actor)
        done = _written(workspace, history, memories(reply), actor, remember)
        _mark(workspace, history, flushes, history.cycle, history.last)
        return done


def flush_missed(workspace: Workspace, session: str, *, actor: Actor) -> tuple[Flushed, ...]:
    """Make up for every flush of a session that was missed, each exactly once.

    Missed is the flush of a cycle that ended without one, and of the open cycle where it was due
    and nobody answered. What the user decided, prefers, learned or corrected is logged word by
    word. Raises what any write raises; the call can then be repeated.
    """
    with session_locked(workspace, session):
        found = _made_up(workspace, session, actor)
        history, flushes = _known(workspace, session)
        cycle = history.cycle
        if cycle in flushes.due and cycle not in flushes.done:
            found += (_replayed(workspace, history, flushes, cycle, history.last, actor),)
        return found


def flush_before_compaction(
    workspace: Workspace, session: str, *, actor: Actor
) -> tuple[Flushed, ...]:
    """Make up for every flush that is missing, that of the open cycle too.

    The caller holds the session.
    """
    found = _made_up(workspace, session, actor)
    history, flushes = _known(workspace, session)
    if history.cycle not in flushes.done:
        found += (_replayed(workspace, history, flushes, history.cycle, history.last, actor),)
    return found


def flush_sweep(workspace: Workspace, session: str, *, actor: Actor) -> tuple[Flushed, ...]:
    """Log what lasts of all that was said since the last flush, whatever the cycle.

    For hosts that compact by themselves and let nobody speak before. Raises what any write raises;
    the call can then be repeated.
    """
    with session_locked(workspace, session):
        found = _made_up(workspace, session, actor)
        history, flushes = _known(workspace, session)
        if history.last > flushes.through:
            found += (_replayed(workspace, history, flushes, history.cycle, history.last, actor),)
        return tuple(one for one in found if one.entry)


def unflushed(workspace: Workspace, session: str) -> Unflushed | None:
    """Return what users said since the last flush that lasts and that no log holds yet.

    Nothing is changed; whoever logs it under this title spares the next flush from it.
    """
    history, flushes = _known(workspace, session)
    said = _lasting(history, flushes, history.last) if history.last > flushes.through else ()
    held = held_rows(workspace, session) if said else set()
    earlier = _earlier(workspace, history, flushes, history.last) if said else {}
    rows = [one for one in map(redact, said) if not _is_held(one, earlier, held)]
    allowed, _ = _allowed(workspace, rows)
    if not allowed:
        return None
    title = f"{about_session(session)}{history.cycle + 1}, so far"
    days = tuple(earlier.get(words_of(one)) for one in allowed)
    return Unflushed(session, title, _SO_FAR, allowed, days)


# ---------------------------------------------------------------- cycles


def _known(workspace: Workspace, session: str) -> tuple[History, Flushes]:
    return history_of(workspace, session), flushes_of(workspace, session)


def _made_up(workspace: Workspace, session: str, actor: Actor) -> tuple[Flushed, ...]:
    """Replay the cycles that ended without a flush."""
    history, flushes = _known(workspace, session)
    found: list[Flushed] = []
    for cycle, end in enumerate(history.ends):
        if cycle not in flushes.done:
            found.append(_replayed(workspace, history, flushes, cycle, end, actor))
            flushes = flushes_of(workspace, session)
    return tuple(one for one in found if one.entry)


def _mark(
    workspace: Workspace, history: History, flushes: Flushes, cycle: int, through: int
) -> None:
    done = tuple(sorted({*flushes.done, cycle}))
    keep_flushes(
        workspace, history.session, Flushes(max(through, flushes.through), done, flushes.due)
    )


def _replayed(
    workspace: Workspace, history: History, flushes: Flushes, cycle: int, end: int, actor: Actor
) -> Flushed:
    """Log what the user's turns of a cycle say that lasts, word by word."""
    allowed, kept = _allowed(workspace, _lasting(history, flushes, end))
    earlier = _earlier(workspace, history, flushes, end) if allowed else {}
    held = held_rows(workspace, history.session) if earlier else set()
    rows = [_row(said, earlier) for said in allowed if not _is_held(said, earlier, held)]
    entries = logged(workspace, history, cycle, rows, actor)
    places = places_in(workspace, entries)
    kept += tuple(
        Kept(said, "logged", Tag.STATED.value, line_of(places, said, of="- User:"))
        for said in allowed
    )
    _mark(workspace, history, flushes, cycle, end)
    return Flushed(history.session, cycle, kept, entries[0] if entries else None, replayed=True)


def _earlier(
    workspace: Workspace, history: History, flushes: Flushes, end: int
) -> Mapping[str, date]:
    """Return the day of what was said before today, by its words.

    An entry has the day on which it is written: what is written late would else pass for new.
    """
    today = human_day(workspace.clock.now(), workspace.zone)
    found: dict[str, date] = {}
    for turn in history.between(flushes.through, end):
        day = _day_of(workspace, turn.at)
        if turn.speaker == "user" and day is not None:
            for one in sentences(turn.text):
                found[words_of(redact(one.text))] = day
    return {words: day for words, day in found.items() if day < today}


def _day_of(workspace: Workspace, at: str) -> date | None:
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return None
    return human_day(moment, workspace.zone) if moment.tzinfo is not None else moment.date()


def _row(said: str, earlier: Mapping[str, date]) -> str:
    day = earlier.get(words_of(redact(said)))
    return f"- User: {said if day is None else dated(said, day)}"


def _is_held(said: str, earlier: Mapping[str, date], held: Set[str]) -> bool:
    return bool({words_of(f"- User: {said}"), words_of(_row(said, earlier))} & held)


def _lasting(history: History, flushes: Flushes, end: int) -> tuple[str, ...]:
    return once(
        one.text
        for turn in history.between(flushes.through, end)
        if turn.speaker == "user"
        for one in sentences(turn.text)
        if one.states in LASTING
    )


# ---------------------------------------------------------------- writing


def _written(
    workspace: Workspace,
    history: History,
    reply: Sequence[Memory],
    actor: Actor,
    remember: Remember,
) -> Flushed:
    reply = tuple({words_of(memory.text): memory for memory in reply}.values())
    allowed, kept = _allowed(workspace, (memory.text for memory in reply))
    may = set(allowed)
    reply = [memory for memory in reply if memory.text in may]
    if not reply:
        return Flushed(history.session, history.cycle, kept)
    turns = [turn for _, turn in history.turns]
    said = [said_by_user(memory, turns) for memory in reply[:MOST_REMEMBERED]]
    # Each line says whose words it is: that decides how far it can be trusted as evidence.
    rows = [f"- Agent: {memory.text}" for memory in reply]
    rows += [f"- User: {quoted}" for quoted in dict.fromkeys(one.sentence for one in said if one)]
    entries = logged(workspace, history, history.cycle, rows, actor)
    places = places_in(workspace, entries)
    kept += tuple(
        _remembered(workspace, memory, one, places, remember)
        for memory, one in zip(reply, said, strict=False)
    )
    many = f"One flush remembers {MOST_REMEMBERED} memories; this one is in the log alone."
    kept += tuple(
        Kept(memory.text, "logged", "", line_of(places, memory.text), reason=many)
        for memory in reply[MOST_REMEMBERED:]
    )
    return Flushed(history.session, history.cycle, kept, entries[0] if entries else None)


def _allowed(
    workspace: Workspace, texts: Iterable[str]
) -> tuple[tuple[str, ...], tuple[Kept, ...]]:
    """Return the texts that may be written, and those that a person had forgotten."""
    allowed: list[str] = []
    refused: list[Kept] = []
    for text in texts:
        try:
            refuse_forgotten(workspace, text)
            allowed.append(text)
        except Refused as error:
            refused.append(Kept("", "refused", reason=str(error)))
    return tuple(allowed), tuple(refused)


def _remembered(
    workspace: Workspace,
    memory: Memory,
    said: Said | None,
    places: Mapping[str, Span],
    remember: Remember,
) -> Kept:
    """Remember one memory; whatever stands against that, it is in the log already."""
    logged = line_of(places, memory.text)
    if not is_durable(memory.text):
        return Kept(memory.text, "logged", span=logged)
    source = line_of(places, said.quote, of="- User:") if said else None
    cap = Tag.STATED if source else Tag.INFERRED
    asked = memory.tag if memory.tag and memory.tag.rank < cap.rank else cap
    about = memory.target if _takes_claims(workspace, memory.target) else ""
    retargeted = "" if about else memory.target
    quote = said.quote if said and source else ""
    try:
        outcome = remember(Claim(memory.text, memory.kind, asked, about, source, quote))
    except _CANNOT as error:
        return Kept(memory.text, "logged", "", logged, memory.target, str(error))
    held = isinstance(outcome, Waiting | Quarantined)
    where = logged if isinstance(outcome, LoggedOnly) or not outcome.span.path else outcome.span
    return Kept(
        memory.text,
        _word(outcome),
        "" if held else asked.value,
        where,
        retargeted,
        outcome.rule if held else "",
    )


def _takes_claims(workspace: Workspace, target: str) -> bool:
    """Whether an agent may name the file `target`: a note that is there, no injected file, no log.

    What names another one is not lost: it goes where it belongs.
    """
    try:
        return workspace.role_of(target) is Role.CONCEPT and workspace.stamp_of(target) is not None
    except VademecumError:
        return False


def _word(outcome: Outcome) -> str:
    name = type(outcome).__name__
    return "".join(f"-{s.lower()}" if s.isupper() else s for s in name).lstrip("-")
