"""Compaction: early turns become a summary, the newest stay, and all of it is on disk first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vademecum.context.capture import transcripts_of
from vademecum.context.cycles import History, history_of, session_locked, summary_id
from vademecum.context.flush import flush_before_compaction
from vademecum.context.flushed import Flushed
from vademecum.context.messages import Message, messages_of
from vademecum.context.said import capture_messages
from vademecum.context.summarise import asked
from vademecum.context.summary import Summary, completed, lacks, read_summary, summarised
from vademecum.context.turns import Turn
from vademecum.core.errors import ModelUnavailable
from vademecum.core.frozen import dataclass
from vademecum.core.provenance import Actor
from vademecum.core.search import Degradation
from vademecum.markdown.recalled import marked
from vademecum.markdown.secrets import redact
from vademecum.markdown.sizes import estimate_tokens

if TYPE_CHECKING:
    from vademecum.core.models import Model
    from vademecum.workspace.workspace import Workspace

KEEP = 20_000
"""Tokens of the newest turns that stay as they are."""
SUMMARY = 8_000
"""Tokens that a summary has at most."""


@dataclass(frozen=True, slots=True)
class Compacted:
    """A window that was compacted: `text` takes the place of all but the kept messages."""

    session: str
    compaction: int
    """Which one of this session, from 1."""
    text: str
    """The summary as a block that memory knows as its own, to be put into the window."""
    summary: str
    """Its Markdown: goal, decisions, open threads, files, identifiers, preferences, …"""
    first_kept: int
    """Index of the first message that stays, verbatim; instructions before it stay too."""
    first_kept_line: int
    """The same by its line in the transcript."""
    tokens_before: int
    tokens_after: int
    transcript: str
    """Path of the file that holds every turn, the summary as its last."""
    flushed: tuple[Flushed, ...] = ()
    """What was logged before, because no flush had been."""
    degraded: tuple[Degradation, ...] = ()
    """Why the summary is by rules though there is a model."""


@dataclass(frozen=True, slots=True)
class HistoryKept:
    """Nothing was compacted: the window stays as it is, for these reasons."""

    session: str
    tokens: int
    reasons: tuple[str, ...]


def compact(
    workspace: Workspace,
    session: str,
    messages: Sequence[Message] | None = None,
    *,
    actor: Actor,
    keep: int = KEEP,
    budget: int = SUMMARY,
    given: str | None = None,
    model: Model | None = None,
) -> Compacted | HistoryKept:
    """Compact the window of a session: `messages`, or what its transcript holds of it.

    Every turn is on file, what lasts is in the log, and the summary stands behind the turns, all
    durable, before this returns. The newest messages of about `keep` tokens stay as they are; a
    tool's call stays with its result. The summary is `given`, or made by `model`, or else by
    rules, in about `budget` tokens; a given one that lacks something essential is not taken, and
    history stays. The same call again returns the same and writes nothing. Raises
    BadInput and what any write raises.
    """
    with session_locked(workspace, session):
        if messages is not None:
            capture_messages(workspace, session, messages)
        history = history_of(workspace, session)
        window = messages_of([turn for _, turn in history.window]) if messages is None else messages
        tokens = sum(message.tokens for message in window)
        cut = first_kept(window, keep)
        earlier = [turn for message in window[:cut] for turn in message.turns]
        if not earlier:
            told = f"All {tokens:,} tokens are within the {keep:,} that stay."
            return HistoryKept(session, tokens, (told,))
        previous = read_summary(history.summary)
        if history.summary and previous is None:  # another program's: its sentences count
            earlier.insert(0, Turn("", "summary", history.summary))
        line = _line_of(history, sum(len(message.turns) for message in window[cut:]))
        text = "" if given else _made_before(history, line)
        degraded: tuple[Degradation, ...] = ()
        if not text:
            said = redact(given.strip()) if given else ""
            text, degraded = _summary(earlier, previous, budget, said, model)
        if reasons := lacks(text, earlier, budget):
            return HistoryKept(session, tokens, reasons)
        flushed = flush_before_compaction(workspace, session, actor=actor)
        number = _stored(workspace, history, text, line)
    block = marked(f"Summary of the conversation so far.\n\n{text}", "compact")
    kept = sum(m.tokens for i, m in enumerate(window) if i >= cut or m.system)
    return Compacted(
        session,
        number,
        block,
        text,
        cut,
        line,
        tokens,
        kept + estimate_tokens(block),
        str(transcripts_of(workspace).path(session)),
        tuple(one for one in flushed if one.kept),
        degraded,
    )


def _made_before(history: History, line: int) -> str:
    """Return the summary with which this call ended before, if it was made before."""
    last = history.turns[-1][1] if history.turns else None
    same = last is not None and last.speaker == "summary" and history.kept == line
    return last.text if last is not None and same else ""


def _summary(
    earlier: Sequence[Turn],
    previous: Summary | None,
    budget: int,
    given: str,
    model: Model | None,
) -> tuple[str, tuple[Degradation, ...]]:
    """Return the summary that was given or that the model makes, else the one by rules and why.

    What a model left out of the user's decisions is added.
    """
    by_rules = summarised(earlier, previous, budget)
    read = read_summary(given)
    if read is not None:
        return completed(read, by_rules).text, ()
    if given or model is None:
        return given or by_rules.text, ()
    try:
        read = read_summary(redact(asked(model, earlier, previous, budget).text))
    except ModelUnavailable as error:
        return by_rules.text, (Degradation("model", str(error), error.hint),)
    text = completed(read, by_rules).text if read is not None else ""
    reasons = lacks(text, earlier, budget)
    if not reasons:
        return text, ()
    return by_rules.text, (Degradation("model", f"its summary was not taken: {reasons[0]}"),)


def first_kept(window: Sequence[Message], keep: int) -> int:
    """Return the index from which messages stay: the newest of about `keep` tokens, at least one.

    Calls of tools and what they returned are one piece.
    """
    starts = [number for number in range(len(window)) if not _belongs(window, number)]
    cut, used = len(window), 0
    for place in range(len(starts) - 1, -1, -1):
        stop = starts[place + 1] if place + 1 < len(starts) else len(window)
        used += sum(message.tokens for message in window[starts[place] : stop])
        if used > keep and cut < len(window):
            break
        cut = starts[place]
    return cut


def _belongs(window: Sequence[Message], number: int) -> bool:
    """Whether a message cannot be parted from the one before it."""
    if number == 0:
        return False
    message, before = window[number], window[number - 1]
    return message.answers or (message.calls and before.calls and not before.answers)


# ---------------------------------------------------------------- on file


def _line_of(history: History, kept: int) -> int:
    """Return the line of the first of the last `kept` turns in the window."""
    window = history.window
    return window[max(len(window) - kept, 0)][0] if kept and window else history.last + 1


def _stored(workspace: Workspace, history: History, text: str, line: int) -> int:
    """Put the summary behind the turns, unless it stands there; return its number."""
    last = history.turns[-1][1] if history.turns else None
    if last and last.speaker == "summary":
        number = history.cycle
        if last.text == text and history.kept == line:
            return number
    else:
        number = history.cycle + 1
    now = workspace.clock.now().isoformat(timespec="seconds")
    turn = Turn(summary_id(number, line), "summary", text, now)
    transcripts_of(workspace).append(history.session, [turn])
    return number
