"""Lines of a source as claims: with the provenance that a file proves, and an id of their own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date

from vademecum.core.frozen import dataclass
from vademecum.core.ids import text_digest
from vademecum.core.patterns import later
from vademecum.core.provenance import Tag
from vademecum.markdown.claim_lines import ClaimLine, parted
from vademecum.markdown.injection import is_injection
from vademecum.markdown.kinds import is_durable
from vademecum.markdown.lines import split
from vademecum.markdown.outline import ITEM, Kind
from vademecum.migration.bodies import Body
from vademecum.writing.guard import LONGEST_CLAIM

_BLANKS = " \t"
SHORT_NOTE = 1500
"""Characters up to which a note is a memory, whose paragraphs are claims, and no document."""
_STATED = later(r"\[stated\]", re.IGNORECASE)
_LABEL = later(r"(?:\*\*|__)[^*_\n]{1,40}(?::(?:\*\*|__)|(?:\*\*|__)[ \t]*:)")
_NUMBERED = later(r"[ \t]*\d")
_TAGGED = later(r"[ \t]*(?:~~)?\[(?:stated|observed|inferred|suggested)\]", re.IGNORECASE)

_OBSERVATION = later(
    r"\[(?P<category>(?![\d:.\s–-]+\])[^\[\]()\n]{1,60})\][ \t]+(?P<rest>\S.*)", re.DOTALL
)
_QUALIFIER = later(
    r"@(?:(?P<name>\w+)\[(?P<from>\d{4}-\d{2}-\d{2})?,(?P<until>\d{4}-\d{2}-\d{2})?[)\]]"
    r"|(?:\w+:)?(?P<on>\d{4}-\d{2}-\d{2}))[ \t]+"
)


@dataclass(frozen=True, slots=True)
class TagRules:
    """How the lines of one file become claims.

    `seed` makes the ids: the same line of the same file always gets the same one. `proven` says
    whether a line that calls itself stated has evidence in the source. `day` is that of the
    migration.
    """

    seed: str
    proven: Callable[[ClaimLine], bool]
    day: date
    observations: bool = False
    """Bullets are written as basic-memory writes them."""
    paragraphs: bool = False


def never(_: ClaimLine) -> bool:
    """Nothing is proven: what calls itself stated is observed."""
    return False


def always(_: ClaimLine) -> bool:
    """Everything is proven: the lines were claims of one's own memory."""
    return True


def tag_lines(body: Body, kinds: Sequence[Kind], rules: TagRules) -> int:
    """Make claims of the items of `body`, and of its paragraphs where the rules say so.

    No line is added or removed, and what a line said it still says. Left as they are: tasks, bare
    links, steps of a numbered list, questions and greetings, what is too long for a claim, and
    what speaks to a model instead of telling something. Returns how many claims there are.
    """
    claims = 0
    for first, stop in _pieces(kinds, body.lines, rules):
        raw = "".join(body.lines[first:stop])
        made = _claimed(raw, kinds[first], body.numbers[first], rules)
        if made is None:
            continue
        claims += 1
        pieces = split(made)
        if len(pieces) == stop - first:
            body.lines[first:stop] = pieces
    return claims


def _pieces(
    kinds: Sequence[Kind], lines: Sequence[str], rules: TagRules
) -> Iterator[tuple[int, int]]:
    number = 0
    while number < len(kinds):
        kind, stop = kinds[number], number + 1
        if kind is Kind.ITEM or (kind is Kind.TEXT and rules.paragraphs):
            while stop < len(kinds) and kinds[stop] is Kind.TEXT:
                stop += 1
            yield number, stop
        elif kind is Kind.TEXT and _TAGGED.match(lines[number]):
            yield number, stop
        number = stop


def _claimed(raw: str, kind: Kind, number: int, rules: TagRules) -> str | None:
    """Return a piece as a claim; None where it is none."""
    marker = ITEM.match(raw) if kind is Kind.ITEM else None
    line = parted(raw.rstrip("\r\n"))
    if line is None or not line.text or len(line.text) > LONGEST_CLAIM:
        return None
    if line.tag is Tag.UNKNOWN and not line.struck:
        made = _observed(raw, marker, line, rules)
    elif line.tag is Tag.STATED and not rules.proven(line):
        made = _STATED.sub("[observed]", raw, count=1)
    else:
        made = raw
    if made is None or line.id:
        return made
    body = made.rstrip("\r\n \t")
    return f"{body} ^{_id(rules.seed, number)}{made[len(body) :].lstrip(_BLANKS)}"


def _observed(
    raw: str, marker: re.Match[str] | None, line: ClaimLine, rules: TagRules
) -> str | None:
    start = marker.end() if marker else len(raw) - len(raw.lstrip(" \t"))
    if _NUMBERED.match(raw) or not _tells(line.text) or is_injection(raw):
        return None
    rest = raw[start:]
    if rules.observations and (found := _OBSERVATION.match(rest)):
        return raw[:start] + _observation(found, rules.day)
    head = raw[:start] if marker else f"{raw[:start]}- "
    return f"{head}[observed] {rest}"


def _tells(text: str) -> bool:
    return is_durable(text) and text[-1:] not in ":：" and not _LABEL.match(text)


def _observation(found: re.Match[str], today: date) -> str:
    """Return an observation of basic-memory as a claim: its category as a tag, its time as days.

    What was to hold until a day that is past is struck.
    """
    rest = found["rest"]
    ends = len(rest.rstrip("\r\n \t"))
    body, tail = rest[:ends], rest[ends:]
    since = until = ""
    if qualified := _QUALIFIER.match(body):
        since, until = qualified["from"] or qualified["on"] or "", qualified["until"] or ""
        body = body[qualified.end() :]
    category = "-".join(found["category"].split())
    if f"#{category}" not in body.split():
        body = f"{body} #{category}"
    if since:
        body += f" ({since})"
    if until and until <= today.isoformat():
        return f"~~[observed] {body}~~ superseded {until}{tail}"
    return f"[observed] {body}{f' until {until}' if until else ''}{tail}"


def _id(seed: str, number: int) -> str:
    """Return a block id; `m` keeps it from being taken for a number."""
    return "m" + text_digest(f"{seed}:{number}")[:7]
