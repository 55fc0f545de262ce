"""Conservation: what would stand nowhere any more once some texts were put in place of others."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from vademecum.core.claims import Claim
from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later
from vademecum.markdown.claim_lines import ClaimLine, parted
from vademecum.markdown.claims import read_claims
from vademecum.markdown.compare.words import ENDED, PLAIN
from vademecum.markdown.lines import split
from vademecum.markdown.maps import BEGIN, END
from vademecum.markdown.outline import ITEM, Kind, classify
from vademecum.markdown.properties import read_properties
from vademecum.markdown.sentences import parts_of


@dataclass(frozen=True, slots=True)
class Loss:
    """A line of the texts before that the texts after do not hold, and how it is missing."""

    text: str
    why: str

    def __str__(self) -> str:
        return f"{self.text[:_SHOWN]}{'…' if len(self.text) > _SHOWN else ''} ({self.why})"


@dataclass(frozen=True, slots=True)
class _Unit:
    """What is kept or lost as one: a claim, an item, a paragraph, a row, a heading."""

    said: str
    struck: bool = False
    id: str = ""


_SHOWN = 120
_NOWHERE = "it stands nowhere any more"
_MAP_MARKS = (BEGIN.split(" (")[0], END)
_OWN_QUOTE = later(r"[ \t]*>[ \t]*(?:⚠️?[ \t]*CONFLICT\b|✅[ \t]*settled\b|\[superseded\b)", re.I)
_TASK = later(r"\[[^\w\s]?\](?:\s|\Z)|\[[ xX]\](?:\s|\Z)")
_TAGGED = later(r"[ \t]*(?:~~)?\[(?:stated|observed|inferred|suggested)\]", re.IGNORECASE)
_FENCE = later(r"[ \t]*(?:`{3,}|~{3,})")
_FIRST_WIDE = "\u2e80"
"""Scripts from here on do not part words by blanks."""
_WIDE_GAP = later(r"(?<=[\u2e80-\uffef])\s+(?=[\u2e80-\uffef])")
_AROUND = "\"'“”„‘’«»「」『』()（）[]{}*_`,，、;；:：!！。．"
_TURNS = later(
    r"(?i)\b(?:if|unless|except|nobody|false|untrue|wrong|formerly|used to|instead of|rather than"
    r"|falls|außer|niemand|falsch|früher|statt)\b|如果|除非|以前|曾经|错误|没人|もし|以外|誤り|かつて"
)
"""Words beside a statement that may turn what it says."""


def lost(before: Iterable[str], after: Iterable[str]) -> tuple[Loss, ...]:
    """Return what the notes `before` say and the notes `after` do not, in order, each once.

    The measure is words in their order: claims, items, paragraphs, rows, headings and lines of code
    are compared without case, width, blanks, list marks, tags, dates, evidence, ids and what ends a
    sentence. Everything else has to be the same, so a changed number, identifier or negation is a
    loss. A statement also stands where it is a sentence of a longer text, or a run of words in a
    sentence with no other negation or condition. What was struck has to stay struck; what was live
    may be struck. Frontmatter, comments, generated maps and marks of conflicts say nothing of their
    own. Pass all texts of both sides that lines may have moved between.
    """
    held = _Held(after)
    found: dict[str, Loss] = {}
    for text in before:
        for unit in _units(text):
            key = _key(unit.said)
            if key and key not in found and (why := held.lacks(unit, key)):
                found[key] = Loss(" ".join(unit.said.split()), why)
    return tuple(found.values())


def raised(before: Iterable[str], after: Iterable[str]) -> tuple[Loss, ...]:
    """Return the claims that the notes `after` trust more than the notes `before` did.

    A claim that is not in `before`, by id or by words, is none of them. Only a write that found
    evidence may raise a tag; a rewrite never does.
    """
    most: dict[str, int] = {}
    for text in before:
        for claim in read_claims("", text):
            for name in _names(claim):
                most[name] = max(claim.tag.rank, most.get(name, 0))
    found = []
    for text in after:
        for claim in read_claims("", text):
            known = [most[name] for name in _names(claim) if name in most]
            if known and claim.tag.rank > max(known):
                found.append(Loss(claim.text, f"its tag would be raised to {claim.tag.value}"))
    return tuple(found)


def _names(claim: Claim) -> Iterator[str]:
    if claim.id:
        yield f"^{claim.id}"
    yield _key(claim.text)


class _Held:
    """Everything the texts after say, ready to be asked."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._live: set[str] = set()
        self._struck: set[str] = set()
        self._ids: set[str] = set()
        for text in texts:
            for unit in _units(text):
                self._ids.add(unit.id)
                kept = self._struck if unit.struck else self._live
                kept.add(_key(unit.said))
                kept.update(_key(part) for part in parts_of(unit.said))
        self._all = "\n".join(sorted(self._live | self._struck))

    def lacks(self, unit: _Unit, key: str) -> str:
        """Return why a unit is lost, nothing where it is held."""
        if unit.struck and key not in self._struck:
            return "it was struck and would live again" if key in self._live else _NOWHERE
        if self._holds(key) or all(self._holds(_key(part)) for part in parts_of(unit.said)):
            return ""
        known = unit.id and unit.id in self._ids
        return f"^{unit.id} would say something else" if known else _NOWHERE

    def _holds(self, key: str) -> bool:
        return not key or key in self._live or key in self._struck or self._is_within(key)

    def _is_within(self, key: str) -> bool:
        """Whether the words stand as a run in a sentence that does not turn what they say."""
        at = self._all.find(key)
        while at >= 0:
            start = self._all.rfind("\n", 0, at) + 1
            end = self._all.find("\n", at)
            sentence = self._all[start : end if end >= 0 else len(self._all)]
            beside = sentence[: at - start] + " " + sentence[at - start + len(key) :]
            if _is_run(sentence, at - start, len(key)) and not _turned(beside):
                return True
            at = self._all.find(key, at + 1)
        return False


def _is_run(sentence: str, at: int, length: int) -> bool:
    """Whether a piece begins and ends where words do."""
    stop = at + length
    return _parts(sentence[:at][::-1], sentence[at]) and _parts(sentence[stop:], sentence[stop - 1])


def _parts(beside: str, edge: str) -> bool:
    """Whether a word that has `edge` as its end is over there; commas part words, not numbers."""
    if not beside or beside[0] == " " or max(edge, beside[0]) >= _FIRST_WIDE:
        return True
    return beside[0] in ",;" and not beside[1:2].isdigit()


def _turned(beside: str) -> bool:
    return any(pattern.search(beside) for pattern in (PLAIN, ENDED, _TURNS)) or "?" in beside


# ------------------------------------------------------------ units and their words


def _units(text: str) -> Iterator[_Unit]:
    lines = split(text)
    kinds = classify(lines, read_properties(lines).last)
    number, generated = 0, False
    while number < len(lines):
        line, kind = lines[number], kinds[number]
        stop = number + 1
        if kind is Kind.COMMENT and line.lstrip().startswith(_MAP_MARKS):
            generated = line.lstrip().startswith(_MAP_MARKS[0])
        elif kind in (Kind.ITEM, Kind.TEXT):
            stop = _end(lines, kinds, number)
            if not generated:
                yield _said("".join(lines[number:stop]), kind)
        elif not generated and (unit := _of_line(line, kind)) is not None:
            yield unit
        number = stop


def _end(lines: Sequence[str], kinds: Sequence[Kind], first: int) -> int:
    """Return where an item or a paragraph ends; a tagged line begins one of its own."""
    number = first + 1
    while number < len(lines) and kinds[number] is Kind.TEXT and not _TAGGED.match(lines[number]):
        number += 1
    return number


def _said(raw: str, kind: Kind) -> _Unit:
    if kind is Kind.ITEM or _TAGGED.match(raw):
        line: ClaimLine | None = parted(raw.rstrip("\r\n"))
        if line is not None:
            return _Unit(line.text, line.struck, line.id)
        marker = ITEM.match(raw)
        return _Unit(_TASK.sub("", raw[marker.end() if marker else 0 :], count=1))
    return _Unit(raw)


def _of_line(line: str, kind: Kind) -> _Unit | None:
    if kind is Kind.HEADING:
        return _Unit(line.strip().strip("#"))
    if kind is Kind.TABLE:
        return _Unit(line.replace("|", " "))
    if kind is Kind.QUOTE and not _OWN_QUOTE.match(line):
        return _Unit(line.lstrip(" \t>"))
    if kind is Kind.CODE and not _FENCE.match(line):
        return _Unit(line)
    return None


def _key(text: str) -> str:
    """Return the words of a text in order, as they are compared."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("~~", " ")
    words = (word.strip(_AROUND).rstrip(".") for word in _WIDE_GAP.sub("", folded).split())
    return " ".join(word for word in words if any(map(_counts, word)))


def _counts(sign: str) -> bool:
    return sign.isalnum() or sign in "<>=≤≥≠±+%$€£¥"
