"""What an agent answers to a flush: memories, one a line, or that there is nothing to keep."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from vademecum.context.turns import Turn
from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later
from vademecum.core.provenance import Tag
from vademecum.markdown.compare import normalise
from vademecum.markdown.kinds import Kind, is_durable
from vademecum.markdown.recalled import without_recalled
from vademecum.markdown.sentences import sentences
from vademecum.markdown.wording import words_of

NO_REPLY = "NO_REPLY"

PROMPT = f"""\
This conversation is about to be compacted: what is not written down now may be lost. The user does
not see this turn, and nothing in it is said to them.

Answer with what should be remembered beyond this conversation, one memory a line:

- decision: Services talk REST. | "we'll go with REST for all services"
- preference: Ada wants replies in German. | "please answer in German from now on"
- lesson: The tests need a running database.

Begin each with its kind: decision, lesson, preference, person, project or fact. Where the user said
it, put their exact words in quotation marks behind a bar. One sentence each, with names and dates
instead of "it" and "tomorrow". Leave out what memory holds already, small talk, and secrets. They
are kept in today's log and in the notes they belong to; you need not name a file.

If there is nothing to remember, answer {NO_REPLY} and nothing else.
"""


@dataclass(frozen=True, slots=True)
class Memory:
    """One line of a reply."""

    text: str
    kind: Kind | None = None
    tag: Tag | None = None
    """What the agent says of where it comes from; it counts for at most `inferred`."""
    quote: str = ""
    """What the agent says that the user said."""
    target: str = ""
    """The file that the agent named, if it did."""


@dataclass(frozen=True, slots=True)
class Said:
    """The sentence of the user that a memory rests on, and the words of it that were quoted."""

    sentence: str
    quote: str


_MARK = later(r"\s*(?:>\s*)*(?:(?:[-*+]|\d+[.)])\s+)?(?:\[[ xX]\]\s+)?")
_TAG = later(r"\[(stated|observed|inferred|suggested)\]\s*", re.IGNORECASE)
_KIND = later(
    r"[*_]*[\[(]?(decision|lesson|preference|person|project|fact)s?[\])]?[*_]*\s*[:：][*_]*\s*",
    re.IGNORECASE,
)
_QUOTE = later(
    r"\s{0,9}(?:\||[—–])\s{0,9}(?:quote:\s*)?[\"“„「『](.{1,600}?)[\"”“」』]\s{0,9}\.?\s*$",
    re.IGNORECASE,
)
_TARGET = later(r"[`*_]*((?:[\w.@-]+/)*[\w.@-]+\.md)[`*_]*\s*(?:[:：]|->|→)?\s*")
_SILENT_LINE = later(r"[\s`*_\"'>-]*NO_REPLY\b", re.IGNORECASE)
_FENCE = later(r"\s*(?:```|~~~)")
_QUOTES = "`*\"'“”.!。 \t\r\n"
_SHORTEST = 6
"""Bytes: what `remember` asks of a quotation."""
_LONGEST_TURN = 600
_ENOUGH = 1 / 3
"""Share of the shorter text's words that memory and quotation have to have in common."""


def is_silent(reply: str) -> bool:
    """Whether a reply says that there is nothing, or the whole of it is the beginning of that.

    A stream that shows replies as they come holds back what is silent so far.
    """
    said = reply.strip(_QUOTES).upper()
    return NO_REPLY.startswith(said) if said else True


def memories(reply: str) -> tuple[Memory, ...]:
    """Return the memories in a reply; none where it is silent."""
    return () if is_silent(reply) else tuple(_memories(without_recalled(reply)))


def _memories(reply: str) -> Iterator[Memory]:
    under = ""
    for row in reply.splitlines():
        if not row.strip() or _SILENT_LINE.match(row) or _FENCE.match(row):
            continue
        if row.lstrip().startswith("#"):
            named = _TARGET.search(row)
            under = named[1] if named else ""
            continue
        memory = _memory(row, under)
        if any(sign.isalnum() for sign in memory.text):
            yield memory


def _memory(row: str, under: str) -> Memory:
    mark = _MARK.match(row)
    text = row[mark.end() if mark else 0 :].strip()
    quote = ""
    if found := _QUOTE.search(text):
        quote, text = found[1].strip(), text[: found.start()].strip()
    target, tag, kind = under, None, None
    found = _TARGET.match(text)
    if found and found[0].rstrip().endswith((":", "：", "->", "→")):
        target, text = found[1], text[found.end() :]
    for _ in range(2):  # the tag stands before the kind, or behind it
        if found := _TAG.match(text):
            tag, text = Tag(found[1].lower()), text[found.end() :]
        if found := _KIND.match(text):
            kind, text = Kind(found[1].lower()), text[found.end() :]
    return Memory(text.strip(), kind, tag, quote, target)


def said_by_user(memory: Memory, turns: Sequence[Turn]) -> Said | None:
    """Return where the user said what a memory holds: its quotation, or its own words.

    None where no turn of the user has it, where the sentence asks, or denies what the memory says,
    or where the two have little in common: the agent's word alone makes nothing `stated`.
    """
    for wanted in dict.fromkeys((memory.quote, memory.text)):
        looked_for = words_of(wanted).strip(".!。！ ")
        if len(looked_for.encode()) < _SHORTEST:
            continue
        for turn in reversed(turns):
            if turn.speaker != "user" or looked_for not in words_of(turn.text):
                continue
            sentence = _sentence(turn.text, looked_for)
            if sentence and _supports(sentence, memory.text):
                return Said(sentence, looked_for)
    return None


def _sentence(text: str, looked_for: str) -> str:
    """Return the sentence that holds the words, or the line, or all of a short turn."""
    with suppress(StopIteration):
        return next(one.text for one in sentences(text) if looked_for in words_of(one.text))
    for row in text.splitlines():
        if looked_for in words_of(row):
            return " ".join(row.split())
    whole = " ".join(text.split())
    return whole if len(whole) <= _LONGEST_TURN else ""


def _supports(sentence: str, text: str) -> bool:
    if not is_durable(sentence):
        return False
    said, held = normalise(sentence), normalise(text)
    if said.asks or (said.negation == "none") != (held.negation == "none"):
        return False
    ours, theirs = set(held.content), set(said.content)
    least = min(len(ours), len(theirs))
    return bool(least) and len(ours & theirs) >= max(1, least * _ENOUGH)
