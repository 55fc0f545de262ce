"""Frontmatter that a bundle asks for: `type` first, a title, a description."""

from __future__ import annotations

import re

from vademecum.core.errors import VademecumError
from vademecum.core.frozen import dataclass
from vademecum.core.notes import Note, Properties, Role
from vademecum.markdown.days import day_in_name
from vademecum.markdown.frontmatter import quote, read, set_value
from vademecum.markdown.injection import is_injection
from vademecum.markdown.lines import newline_of, split
from vademecum.markdown.outline import Kind, classify
from vademecum.migration.bodies import shown
from vademecum.migration.held import said
from vademecum.migration.sources.taking import type_of_folder
from vademecum.writing.notes import described

PLAIN_TYPE = "note"
_TYPES = {
    Role.LOG: "log",
    Role.CORE: "core-memory",
    Role.WORKBENCH: "workbench",
    Role.IDENTITY: "identity",
    Role.INSTRUCTIONS: "instructions",
    Role.DOCTRINE: "system",
    Role.MAP: "map",
    Role.REFLECTION: "reflection",
    Role.CANDIDATES: "candidates",
}
_TYPE_LINE = re.compile(r"type[ \t]*:[ \t]*\S")


@dataclass(frozen=True, slots=True)
class Framed:
    """A note as a bundle holds it; `defect` says why its own frontmatter was left in its body."""

    text: str
    type: str
    title: str
    description: str
    defect: str = ""


def framed(note: Note, text: str, role: Role) -> Framed:
    """Return a note with all the keys that a bundle wants of it.

    Every line it has stays, and no value of its own is changed. Where its frontmatter cannot be
    read, or not edited safely, a new block stands above it.
    """
    own = note.properties
    type = own.text("type").strip() or type_of(note.path, role, own)
    title = own.text("title").strip() or _title(note, own)
    description = own.text("description").strip() or _description(text, own, role, title)
    wanted = {"type": type, "title": title, "description": description}
    defect = own.defect
    if own.last and not defect:
        made = _completed(text, own, wanted)
        if made is not None:
            return Framed(made, type, title, description)
        defect = "its frontmatter could not be edited safely"
    end = newline_of(text)
    rows = [f"{key}: {quote(shown(value))}{end}" for key, value in wanted.items() if value]
    gap = end if text.strip() and not text.startswith(("\n", "\r\n")) else ""
    block = "".join([f"---{end}", *rows, f"---{end}", gap])
    return Framed(block + text, type, title, description, defect)


def type_of(path: str, role: Role, own: Properties) -> str:
    """Return the type of a note that names none: by its role, else its category or folder."""
    if role in _TYPES:
        return _TYPES[role]
    named = own.text("metadata.type").strip() or own.text("category").strip()
    return named or type_of_folder(path) or PLAIN_TYPE


def _completed(text: str, own: Properties, wanted: dict[str, str]) -> str | None:
    """Return the text with the keys it lacks and `type` first; None where that is not safe."""
    made = text
    try:
        for key, value in wanted.items():
            if value and not own.text(key).strip():
                made = set_value(made, key, shown(value))
    except VademecumError:
        return None
    made = _type_first(made)
    after = read(made)
    kept = all(after.values.get(key) == value for key, value in own.values.items() if value)
    return made if kept and not after.defect and after.text("type") else None


def _type_first(text: str) -> str:
    properties = read(text)
    if next(iter(properties.values), "type") == "type":
        return text
    lines = split(text)
    for number in range(1, properties.last - 1):
        if _TYPE_LINE.match(lines[number]):
            moved = "".join([lines[0], lines.pop(number), *lines[1:]])
            return moved if read(moved).values == properties.values else text
    return text


def _title(note: Note, own: Properties) -> str:
    stem = note.path.rpartition("/")[2].rpartition(".")[0]
    if day_in_name(note.path) is not None and note.title == stem:
        return stem
    if note.title and note.title != note.path.rpartition("/")[2].removesuffix(".md"):
        return " ".join(note.title.split())
    return " ".join((own.text("name") or stem).replace("-", " ").split()) or stem


def _description(text: str, own: Properties, role: Role, title: str) -> str:
    if role is Role.LOG:
        return ""  # its day says it
    lines = split(text)
    for line, kind in zip(lines, classify(lines, own.last), strict=True):
        if kind not in (Kind.ITEM, Kind.TEXT):
            continue
        told = " ".join(shown(said(line)).split())
        if told and not is_injection(told):
            return described(told)
    return title
