"""Read a claim as frames: one slot of one subject, and the value it holds."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Literal

from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later
from vademecum.markdown.compare import words
from vademecum.markdown.compare.slots import names_slot

Strength = Literal["single", "definite", "open", "preference", "many"]


@dataclass(frozen=True, slots=True)
class Frame:
    """One reading of a claim. Two frames with one ``slot`` speak of the same thing."""

    relation: str
    subject: str
    value: str
    """As written, articles off."""
    rule: str
    strength: Strength
    """``single``: the slot holds one value. ``definite``: it does for names ("the speaker is").
    ``open``: more evidence is needed. ``preference``: one
    value a kind. ``many``: never single, kept to see what a change names as replaced."""
    preposition: str = ""
    article: bool = False
    """The value was written with an article: "a hatchback", not "red"."""
    changed: bool = False
    """The claim tells of a change ("moved to", "is now called")."""
    replaces: str = ""
    """The value that the claim itself names as gone."""

    @property
    def slot(self) -> str:
        """Key of the slot."""
        return f"{self.relation}\x1f{self.subject}"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A spelling of a relation. Groups: ``s`` subject, ``v`` value, ``q`` a part of the slot,
    ``p`` preposition, ``x`` the replaced value."""

    relation: str
    rule: str
    expression: str
    """Compiled when a claim first needs it: no start pays for languages that are not read."""
    strength: Strength = "single"
    changed: bool = False
    reader: Callable[[Frame, re.Match[str]], Frame | None] | None = None


_SHORTEST_LABEL = 4
_WORDS = later(r"[A-Za-zÀ-ÿ-]+(?: [A-Za-zÀ-ÿ-]+){1,3}")
_ONE_WORD = later(r"[A-Za-zÀ-ÿ_]+|[\u3040-\u9fff]{1,3}")


def _labelled(frame: Frame, match: re.Match[str]) -> Frame | None:
    label = match["s"]
    if ";" in match.string or len(label) < _SHORTEST_LABEL or _ONE_WORD.fullmatch(label):
        return None  # "title: …" names a slot of whatever it stands under
    sure = names_slot(label) or words.SINGLE_MARKS.search(label)
    return replace(
        frame, strength="single" if sure else "definite" if _WORDS.fullmatch(label) else "open"
    )


LABEL = Pattern(
    "is",
    "the label holds one value",
    (r"^(?P<s>[^:{}\[\]\"]{2,60}?) ?(?:: |(?<=[^\x00-\x7f]):)(?P<v>[^:/].*)$"),
    strength="open",
    reader=_labelled,
)
""" "Deadline: 3 May", in any language."""


@dataclass(frozen=True, slots=True)
class Language:
    """The patterns of one language and the words without which none of them can match."""

    trigger: re.Pattern[str]
    patterns: tuple[Pattern, ...]
    unfit_subject: re.Pattern[str]
    """A subject with one of these words is no subject but half a sentence."""
    article: re.Pattern[str]


_EDGE = later(r"^[\s\"'“”„,，:：]+|[\s\"'“”„,，:：]+$")


_POINTING = later(
    r"(?:[Ii]t|[Tt]his|[Tt]hat|[Tt]here|[Tt]hese|[Tt]hose|[Ee]s|[Dd]as|[Dd]ies|[Dd]ort|这|那|"
    r"它|这里|那里|"
    r"これ|それ|あれ|ここ|そこ)$"
    r"|(?:[Ii]t|[Tt]hat|[Tt]here|[Ww]hat|[Hh]ere|[Ll]et|[Hh]e|[Ss]he|[Ww]ho)['’]s(?!\w)"
)
_FRESH = later(
    r"(?<!\w)(?:new|current|neue[rns]?|aktuelle[rns]?) (?=\w)|新的|新しい|現在の|当前的?|目前的"
)
_YEAR = later(r"(?<![\d.])(?:19|20)\d\d(?![\d.])|\bago\b|\bvor \w+ (?:Jahren|Monaten)\b")


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression)


def frames_of(text: str, languages: tuple[Language, ...]) -> tuple[Frame, ...]:
    """Read a text in each of the languages whose words it holds.

    Longest slots first, those that hold many values last.
    """
    found: dict[tuple[str, str], Frame] = {}
    for language in languages:
        if not language.trigger.search(text):
            continue
        for pattern in language.patterns:
            match = _compiled(pattern.expression).match(text)
            frame = _read(pattern, match, language) if match else None
            if frame:
                found.setdefault((frame.slot, frame.value), frame)
    return tuple(sorted(found.values(), key=_order))


def _order(frame: Frame) -> tuple[bool, int]:
    return frame.strength == "many", -len(frame.subject)


def _read(pattern: Pattern, match: re.Match[str], language: Language) -> Frame | None:
    groups = match.groupdict()
    subject = groups.get("s") or ""
    if language.unfit_subject.search(subject) or _POINTING.match(subject):
        return None
    if pattern.changed and pattern.relation != "is" and _YEAR.search(match.string):
        return None  # a move in a year that is named may be long past
    slot = "\x1e".join(part for part in (subject_key(subject, language), groups.get("q")) if part)
    frame = Frame(
        relation=pattern.relation,
        subject=slot,
        value=_trim(groups["v"], language),
        rule=pattern.rule,
        strength=pattern.strength,
        preposition=groups.get("p") or "",
        article=bool(language.article.match(groups["v"])),
        changed=pattern.changed,
        replaces=_trim(next((groups[name] for name in "wxyz" if groups.get(name)), ""), language),
    )
    if pattern.reader:
        return pattern.reader(frame, match)
    return frame


def subject_key(subject: str, language: Language) -> str:
    """Spell a subject so that it can be a key: case folded, article and "new" off."""
    return _trim(_FRESH.sub("", subject), language).casefold()


def _trim(text: str, language: Language) -> str:
    return language.article.sub("", _EDGE.sub("", text))


_OWNED = later(r"^(.+?)(?:['’]s? \S.*|的.+|の.+)$")


def owners(frame: Frame) -> set[str]:
    """The subject of a frame and, of "Anna's editor", Anna."""
    subject = frame.subject.split("\x1e")[0]
    owned = _OWNED.match(subject)
    return {subject, owned[1]} if owned else {subject}
