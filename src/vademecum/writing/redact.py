"""Taking forgotten claims and words out of the text of one file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from vademecum.core.frozen import dataclass
from vademecum.core.notes import Role
from vademecum.markdown.claims import read_claims
from vademecum.markdown.frontmatter import read
from vademecum.markdown.lines import split
from vademecum.markdown.wording import key_of, occurrences
from vademecum.writing.whereabouts import Whereabouts, bare, rests_on

_CALLOUT = re.compile(r"[ \t]*>.*\bCONFLICT\b.*\^")
_BELONGS = re.compile(r"[ \t]+>")
_PAST_MARK = re.compile(r"[ \t]*>[ \t]*\[superseded\b", re.IGNORECASE)
_STATUS_LINE = re.compile(r"[ \t]*<!--[ \t]*observed:[^>]*-->[ \t]*\r?\n?\Z", re.IGNORECASE)
_LINK = re.compile(r",?[ \t]*\[\[([^\[\]|]+)(?:\|[^\[\]]*)?\]\]")
_EMPTY_FROM = re.compile(r",?[ \t]*from[ \t]*(?=\))")


@dataclass(frozen=True, slots=True)
class Redacted:
    """A file's text without what was forgotten."""

    text: str
    bare: bool = False
    """Nothing but frontmatter, headings and blanks is left of what held more."""


def redacted(path: str, text: str, role: Role, where: Whereabouts, stone: str) -> Redacted:
    """Return the text without the claims and the words of `where`.

    Claims go with the lines that belong to them, except in a log, which keeps every line. Words
    inside of other text become `[forgotten STONE]`. Links that rest on what is gone, and callouts
    of conflicts with one side left, go too.
    """
    lines = split(text)
    removed = False
    if role is not Role.LOG:
        removed = _without_claims(path, lines, text, where)
        _without_links(path, lines, where)
        _without_callouts(lines, where.ids)
    edited = _without_words("".join(lines), where.texts, stone)
    return Redacted(edited, removed and not _says_anything(edited, stone))


def _without_claims(path: str, lines: list[str], text: str, where: Whereabouts) -> bool:
    spans = {place.span for place in where.places if place.span.path == path}
    keys = {key_of(text) for text in where.texts}
    removed = False
    for claim in reversed(read_claims(path, text)):
        if claim.span not in spans or key_of(claim.text) not in keys:
            continue
        stop = claim.span.last
        while stop < len(lines) and (_BELONGS.match(lines[stop]) or _PAST_MARK.match(lines[stop])):
            stop += 1
        del lines[_start(lines, claim.span.first - 1) : stop]
        removed = True
    return removed


def _start(lines: Sequence[str], first: int) -> int:
    """Return where a claim begins together with the line above that gives its status."""
    above = first - 1
    while above >= 0 and not lines[above].strip():
        above -= 1
    return above if above >= 0 and _STATUS_LINE.match(lines[above]) else first


def _without_links(path: str, lines: list[str], where: Whereabouts) -> None:
    """Take links to what is gone off claims that rest on something else as well."""
    for claim in read_claims(path, "".join(lines)):
        if not any(rests_on(link, where.ids, where.anchors) for link in claim.evidence):
            continue
        place = slice(claim.span.first - 1, claim.span.last)
        raw = _LINK.sub(
            lambda found: "" if rests_on(found[1], where.ids, where.anchors) else found[0],
            "".join(lines[place]),
        )
        raw = _EMPTY_FROM.sub("", raw).replace("from,", "from")
        lines[place] = [raw, *[""] * (claim.span.last - claim.span.first)]
    for id in where.ids:
        by = rf"by \^{re.escape(id)}"
        mention = re.compile(
            rf"(superseded:? \d{{4}}-\d{{2}}-\d{{2}}\]?) (?:\(replaced {by}\)|{by}(?![\w-]))",
            re.IGNORECASE,
        )
        lines[:] = [mention.sub(r"\1", line) if f"^{id}" in line else line for line in lines]


def _without_callouts(lines: list[str], ids: Iterable[str]) -> None:
    gone = set(ids)
    for number in range(len(lines) - 1, -1, -1):
        if not _CALLOUT.match(lines[number]):
            continue
        named = re.findall(r"\^([A-Za-z0-9-]+)", lines[number])
        left = [id for id in named if id not in gone]
        if left == named:
            continue
        if len(left) < 2:
            del lines[number]
            continue
        for id in set(named) & gone:
            lines[number] = re.sub(rf"[ \t]*\^{re.escape(id)}(?![\w-])", "", lines[number])


def _without_words(text: str, texts: Sequence[str], stone: str) -> str:
    head = sum(map(len, split(text)[: read(text).last]))
    mark, plain = f"[forgotten {stone}]", f"forgotten {stone}"
    top, body = text[:head], text[head:]
    for wording in sorted(texts, key=len, reverse=True):
        pattern = occurrences(wording)
        if pattern is not None:
            top = pattern.sub(plain, top)  # brackets would be a list in frontmatter
            body = pattern.sub(lambda found: mark + "\n" * found[0].count("\n"), body)
    keys = {key_of(wording) for wording in texts}
    lines = split(body)
    for number, line in enumerate(lines):
        said = bare(line)
        if said and key_of(said) in keys:
            at = line.index(said)
            lines[number] = line[:at] + mark + line[at + len(said) :]
    return top + "".join(lines)


def _says_anything(text: str, stone: str) -> bool:
    body = split(text)[read(text).last :]
    return any(line.strip() and not line.startswith("#") and stone not in line for line in body)
