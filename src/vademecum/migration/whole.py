"""One file as one note: its own lines, what a note needs besides, and an id for each claim."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from datetime import date

from vademecum.core.frozen import dataclass
from vademecum.core.migration import FilePlan, Origin
from vademecum.core.notes import Properties
from vademecum.markdown.claim_lines import ClaimLine
from vademecum.markdown.claims import read_claims
from vademecum.markdown.frontmatter import quote
from vademecum.markdown.injection import is_injection
from vademecum.markdown.lines import newline_of
from vademecum.markdown.outline import Kind, classify
from vademecum.markdown.properties import read_properties
from vademecum.migration.bodies import Body, body_of, readable, shown
from vademecum.migration.held import said
from vademecum.migration.splitting import title_of
from vademecum.migration.tagging import SHORT_NOTE, TagRules, tag_lines
from vademecum.writing.notes import described

PART = 1_000_000
"""Bytes of a part of a file that is too large for one note."""
LARGEST = 4_000_000
"""Bytes up to which a file becomes one note."""
_ORPHAN = 65_536
"""How far behind its size a part may end, to end before a heading or with a blank line."""
_PLAIN_TYPE = "note"


@dataclass(frozen=True, slots=True)
class Note:
    """A note as it is to be written, and how many claims it has."""

    body: Body
    claims: int


def whole(
    data: bytes,
    plan: FilePlan,
    day: date,
    proven: Callable[[ClaimLine], bool],
    *,
    first: int = 1,
    part: int = 1,
    stones: Container[str] = (),
) -> Note:
    """Return the note that a file, or the part of it from line `first` on, becomes.

    What is no text, and frontmatter that cannot be read, stay as they are. No line is lost but
    those of credentials, and none moves past another.
    """
    read = readable(data)
    body = body_of(read.text, first, stones)
    if read.defect:
        return Note(body, 0)
    properties = read_properties(body.lines)
    if plan.own:
        return Note(body, len(read_claims(plan.to, body.text)))
    if properties.defect and not properties.last:
        return Note(body, 0)  # nobody knows where it ends
    kinds = classify(body.lines, properties.last)
    rules = TagRules(
        seed=plan.digest,
        proven=proven,
        day=day,
        observations=plan.origin is Origin.BASIC_MEMORY,
        paragraphs=_is_memory(body, kinds),
    )
    title, description = _named(plan, body, kinds, properties, part)
    claims = tag_lines(body, kinds, rules)
    if not properties.defect:
        _frame(body, properties, _type_of(plan, properties), title, description)
    return Note(body, claims)


def parts_of(stream: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield a large file in parts of whole lines, each with the number of its first line."""
    first, held, size = 1, list[bytes](), 0
    for line in _lines(stream):
        ripe = size >= PART and (line[:1] == b"#" or not line.strip() or size >= PART + _ORPHAN)
        if ripe:
            yield first, b"".join(held)
            first, held, size = first + len(held), [], 0
        held.append(line)
        size += len(line)
    if held:
        yield first, b"".join(held)


def part_path(path: str, part: int) -> str:
    """Return the path of a part of a note; the first has that of the whole."""
    return path if part == 1 else f"{path.removesuffix('.md')}-part-{part}.md"


def _lines(stream: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for block in stream:
        *whole_lines, rest = (rest + block).split(b"\n") if b"\n" in block else [rest + block]
        for line in whole_lines:
            yield line + b"\n"
    if rest:
        yield rest


def _is_memory(body: Body, kinds: list[Kind]) -> bool:
    """Whether a note is short enough to be a memory, and holds nothing but text and items."""
    told = [
        len(line)
        for line, kind in zip(body.lines, kinds, strict=True)
        if kind is not Kind.FRONTMATTER
    ]
    others = {Kind.CODE, Kind.TABLE}
    return sum(told) <= SHORT_NOTE and not others & set(kinds)


def _type_of(plan: FilePlan, properties: Properties) -> str:
    if properties.text("type"):
        return ""
    return plan.type or properties.text("metadata.type") or _PLAIN_TYPE


def _named(
    plan: FilePlan, body: Body, kinds: list[Kind], properties: Properties, part: int
) -> tuple[str, str]:
    """Return title and description for frontmatter that lacks them."""
    stem = plan.path.rpartition("/")[2].rpartition(".")[0] or plan.path
    title = plan.title or title_of(body.lines, kinds)
    if not title:
        title = " ".join(shown(properties.text("name") or stem).replace("-", " ").split())
    if part > 1:
        title = f"{title} (part {part})"
    told = plan.said or next(_telling(body, kinds), "")
    description = described(" ".join(shown(told).split())) if told else ""
    return title, "" if is_injection(description) else description


def _telling(body: Body, kinds: list[Kind]) -> Iterator[str]:
    for line, kind in zip(body.lines, kinds, strict=True):
        if kind in (Kind.ITEM, Kind.TEXT) and len(text := said(line)) > 3:
            yield text


def _frame(body: Body, properties: Properties, type: str, title: str, description: str) -> None:
    """Add the keys that frontmatter lacks; a note without any gets a block."""
    end = newline_of(body.text)
    rows = []
    if title and not properties.text("title"):
        rows.append(f"title: {quote(title)}{end}")
    if description and not properties.text("description"):
        rows.append(f"description: {quote(description)}{end}")
    if not properties.last:
        head = [f"---{end}", f"type: {quote(type or _PLAIN_TYPE)}{end}", *rows, f"---{end}", end]
        body.lines[:0] = head
        body.numbers[:0] = [0] * len(head)
        return
    before = (list(body.lines), list(body.numbers))
    at = properties.last - 1
    body.lines[at:at] = rows
    body.numbers[at:at] = [0] * len(rows)
    if type:
        body.insert(1, f"type: {quote(type)}{end}")
    after = read_properties(body.lines)
    kept = all(after.values.get(key) == value for key, value in properties.values.items())
    if after.defect or not kept or len(after.values) < len(properties.values) + len(rows):
        body.lines[:], body.numbers[:] = before  # braces, or something else of one piece
