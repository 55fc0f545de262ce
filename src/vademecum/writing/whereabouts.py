"""Whereabouts of a fact: its lines, copies of it, what was derived from it, who mentions it."""

from __future__ import annotations

import enum
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from vademecum.core.claims import Claim
from vademecum.core.entries import Entry
from vademecum.core.errors import BadInput, ClaimNotFound, NoteNotFound, VademecumError
from vademecum.core.frozen import dataclass
from vademecum.core.notes import Role, Span
from vademecum.markdown.claims import read_claims
from vademecum.markdown.entries import read_entries
from vademecum.markdown.lines import decode, split
from vademecum.markdown.outline import ITEM, heading_of
from vademecum.markdown.wording import SHORTEST, key_of, occurrences
from vademecum.workspace.workspace import Workspace

_ID = re.compile(r"\^?([A-Za-z0-9-]{1,64})\Z")
_SPAN = re.compile(r"(?P<path>.+?):(?P<first>\d+)(?:-(?P<last>\d+))?\Z")
_LOG_LEAD = re.compile(r"#{1,6}[ \t]+(?:\W*\d{1,2}:\d{2}\W*(?:[AaPp][Mm]\b\W*)?)?")
_LARGEST = 5_000_000
_APART = frozenset({".git"})


class Standing(enum.StrEnum):
    """How a place holds the fact."""

    CLAIM = "claim"
    """The claim that was named, live or struck."""
    DERIVED = "derived"
    """A claim that rests on nothing else."""
    COPY = "copy"
    """A claim of the same words elsewhere."""
    WORDS = "words"
    """The words inside of other text: a log, a title, a map, prose."""


@dataclass(frozen=True, slots=True)
class Place:
    """Lines that hold the fact."""

    span: Span
    standing: Standing
    text: str
    claim: str = ""
    """Block id, where it has one."""


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Everything that is known of where a fact stands."""

    places: tuple[Place, ...]
    texts: tuple[str, ...]
    """The wordings that are to go."""
    ids: tuple[str, ...]
    """Block ids of the claims that are to go."""
    anchors: tuple[str, ...] = ()
    """Headings of log entries that are to go, as links name them."""
    exact: bool = True
    """Whether ids or spans were named; else these are only the places that a text led to."""


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    text: str
    claims: tuple[Claim, ...]


def find(workspace: Workspace, targets: Sequence[str]) -> Whereabouts:
    """Return where the facts stand that `targets` name, in every file below the root.

    A target is a block id (`^c7f3a1`), a span (`PATH:3-5`), or a text: the words themselves.
    Raises ClaimNotFound, NoteNotFound, BadInput.
    """
    files = list(_files(workspace))
    named: list[Claim] = []
    texts: list[str] = []
    anchors: list[str] = []
    exact = True
    for target in targets:
        known = _by_id(files, target) or _by_span(workspace, files, target, texts, anchors)
        if known is None:
            exact = False
            known = _by_words(files, target)
            texts += [target] if not known else []
        named += known
    texts += [claim.text for claim in named]
    places = _places(files, named, texts, anchors, workspace)
    if not exact:  # only told, so that somebody can choose
        places += _mentions(files, [t for t in targets if not _SPAN.match(t)], places)
    if not places:
        raise ClaimNotFound(
            f"Nothing in the workspace holds {' or '.join(targets)!r}.",
            hint="`vade search` finds where it stands; name the claim's id or PATH:LINE.",
        )
    ids = tuple(dict.fromkeys(place.claim for place in places if place.claim))
    gone = [place.text for place in places if place.standing is not Standing.WORDS]
    wanted = tuple(dict.fromkeys((*texts, *gone)))
    return Whereabouts(tuple(places), wanted, ids, tuple(dict.fromkeys(anchors)), exact)


def texts_of(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """Yield path and text of every Markdown file below the root, in dot folders too but Git's."""
    for folder, names, files in os.walk(workspace.root):
        names[:] = sorted(name for name in names if name not in _APART)
        for name in sorted(files):
            path = (PurePosixPath(folder) / name).relative_to(workspace.root).as_posix()
            if name.lower().endswith((".md", ".markdown")):
                text = _text(workspace, path)
                if text is not None:
                    yield path, text


def _text(workspace: Workspace, path: str) -> str | None:
    try:
        data = workspace.files.read(path).data
    except VademecumError:  # a link, a device, no permission: nothing that is read as memory
        return None
    return decode(data).text if len(data) <= _LARGEST else None


def _files(workspace: Workspace) -> Iterator[_File]:
    for path, text in texts_of(workspace):
        yield _File(path, text, read_claims(path, text))


def _by_id(files: Iterable[_File], target: str) -> list[Claim]:
    found = _ID.match(target)
    if found is None:
        return []
    return [claim for file in files for claim in file.claims if claim.id == found[1]]


def _by_span(
    workspace: Workspace,
    files: Sequence[_File],
    target: str,
    texts: list[str],
    anchors: list[str],
) -> list[Claim] | None:
    """Return the claims in the lines that a span names; words of lines that are none go to `texts`.

    None where the target is no span.
    """
    found = _SPAN.match(target)
    if found is None:
        return None
    first, last = int(found["first"]), int(found["last"] or found["first"])
    if not 1 <= first <= last:
        raise BadInput(f"{target} names no lines.", hint="Lines count from 1: PATH:3-5.")
    file = next((file for file in files if file.path == found["path"]), None)
    if file is None:
        raise NoteNotFound(f"There is no file {found['path']} here.", hint="See `vade status`.")
    log = workspace.role_of(file.path) is Role.LOG
    claims = [c for c in file.claims if c.span.first <= last and first <= c.span.last]
    claims = [] if log else claims
    covered = {n for c in claims for n in range(c.span.first, c.span.last + 1)}
    lines = split(file.text)
    for number in range(first, min(last, len(lines)) + 1):
        if number not in covered:
            said = bare(lines[number - 1])
            texts += [said] if said else []
    if log:
        anchors += _anchors(workspace, file, first, last)
    return claims


def _anchors(workspace: Workspace, file: _File, first: int, last: int) -> Iterator[str]:
    day = workspace.profile.day_of(file.path)
    entries: tuple[Entry, ...] = read_entries(file.path, file.text, day) if day else ()
    stem = PurePosixPath(file.path).stem
    lines = split(file.text)
    for entry in entries:
        heading = heading_of(lines[entry.span.first - 1])
        if heading and first <= entry.span.first + 1 and entry.span.last <= last:
            yield f"{stem}#{heading[1]}"


def bare(line: str) -> str:
    """Return what a line says, without the marks before it."""
    line = line.strip().lstrip("> ")
    lead = _LOG_LEAD.match(line) or ITEM.match(line)
    return line[lead.end() :].strip() if lead else line


def _by_words(files: Iterable[_File], target: str) -> list[Claim]:
    key = key_of(target)
    if not key:
        raise BadInput("There is nothing to forget in a text without words.", hint="Name an id.")
    return [claim for file in files for claim in file.claims if key_of(claim.text) == key]


def _places(
    files: Sequence[_File],
    named: Sequence[Claim],
    texts: Sequence[str],
    anchors: Sequence[str],
    workspace: Workspace,
) -> list[Place]:
    gone: dict[Span, Place] = {}
    for claim in named:
        gone[claim.span] = Place(claim.span, Standing.CLAIM, claim.text, claim.id)
    ids = {claim.id for claim in named if claim.id}
    keys = {key_of(text) for text in texts}
    grown = True
    while grown:  # what was derived from what was derived
        grown = False
        for file in files:
            if workspace.role_of(file.path) is Role.LOG:
                continue
            for claim in file.claims:
                standing = _standing(claim, keys, ids, anchors)
                if standing is None or claim.span in gone:
                    continue
                gone[claim.span] = Place(claim.span, standing, claim.text, claim.id)
                keys.add(key_of(claim.text))
                ids |= {claim.id} - {""}
                grown = True
    wordings = [*texts, *(place.text for place in gone.values())]
    return [*gone.values(), *_words(files, wordings, gone)]


def _mentions(files: Sequence[_File], texts: Sequence[str], places: Sequence[Place]) -> list[Place]:
    """Return the other lines that hold one of the texts, however short, with the claims there."""
    found = list(_words(files, texts, (place.span for place in places), shortest=1))
    ids = {str(claim.span): claim.id for file in files for claim in file.claims}
    return [replace(place, claim=ids.get(str(place.span), "")) for place in found]


def _standing(
    claim: Claim, keys: set[str], ids: set[str], anchors: Sequence[str]
) -> Standing | None:
    if key_of(claim.text) in keys:
        return Standing.COPY
    if claim.evidence and all(rests_on(link, ids, anchors) for link in claim.evidence):
        return Standing.DERIVED
    return None


def rests_on(link: str, ids: Iterable[str], anchors: Iterable[str]) -> bool:
    """Whether a link leads to a claim or an entry that is to go."""
    _, _, anchor = link.partition("#")
    return anchor.removeprefix("^") in ids if anchor.startswith("^") else link in anchors


def _words(
    files: Sequence[_File], texts: Sequence[str], gone: Iterable[Span], *, shortest: int = SHORTEST
) -> Iterator[Place]:
    sought = (occurrences(text, shortest=shortest) for text in dict.fromkeys(texts))
    patterns = [pattern for pattern in sought if pattern is not None]
    keys = {key_of(text) for text in texts}
    covered = {(span.path, line) for span in gone for line in range(span.first, span.last + 1)}
    for file in files:
        lines = split(file.text)
        hit: set[int] = set()
        for pattern in patterns:
            for found in pattern.finditer(file.text):
                first = file.text.count("\n", 0, found.start()) + 1
                last = file.text.count("\n", 0, found.end()) + 1
                hit |= set(range(first, last + 1))
        hit |= {number for number, line in enumerate(lines, 1) if key_of(bare(line)) in keys}
        for number in sorted(hit):
            if (file.path, number) not in covered:
                yield Place(
                    Span(file.path, number, number), Standing.WORDS, lines[number - 1].strip()
                )
