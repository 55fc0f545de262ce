"""A note read from its text: title, day, frontmatter, sections and links."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from vademecum.core.notes import Link, Note, Properties, Role, Section
from vademecum.markdown.days import ISO_DAY, day_in_name, day_of
from vademecum.markdown.lines import split
from vademecum.markdown.links import find_links
from vademecum.markdown.outline import Kind, heading_of, outline
from vademecum.markdown.properties import read_properties

_DAY_KEYS = ("date", "created")
_NO_PROPERTIES = Properties()


def parse_note(path: str, text: str, role: Role) -> Note:
    """Return the note that `text` (decoded, without a byte order mark) is; never raises.

    The title is that of the frontmatter, else the first heading of level 1, else the file's name.
    """
    properties = read_properties(split(text)) if text.startswith("---") else _NO_PROPERTIES
    lines, kinds = outline(text, properties.last)
    sections = find_sections(lines, kinds, properties.last)
    links: tuple[Link, ...] = ()
    if "](" in text or "[[" in text or "]:" in text:
        links = find_links(lines, kinds)
    return Note(
        path=path,
        title=_title_of(path, properties, sections),
        role=role,
        properties=properties,
        sections=sections,
        links=links,
        date=day_in_name(path) or _day_in_properties(properties),
        lines=len(lines),
    )


def _day_in_properties(properties: Properties) -> date | None:
    for key in _DAY_KEYS:
        match = ISO_DAY.match(properties.text(key))
        if match and (day := day_of(*match.groups())):
            return day
    return None


def find_sections(lines: Sequence[str], kinds: Sequence[Kind], after: int) -> tuple[Section, ...]:
    """Return the sections below the first `after` lines.

    The text before the first heading is one of level 0, which is there only when it is not blank.
    """
    heads = [number for number, kind in enumerate(kinds) if kind is Kind.HEADING]
    sections: list[Section] = []
    first = heads[0] if heads else len(lines)
    if any(kinds[number] is not Kind.BLANK for number in range(after, first)):
        sections.append(Section(0, "", (), after + 1, first))
    above: list[tuple[int, str]] = []
    for ordinal, number in enumerate(heads):
        heading = heading_of(lines[number])
        if heading is None:
            continue
        while above and above[-1][0] >= heading[0]:
            above.pop()
        above.append(heading)
        last = heads[ordinal + 1] if ordinal + 1 < len(heads) else len(lines)
        path = tuple(title for _, title in above)
        sections.append(Section(heading[0], heading[1], path, number + 1, last))
    return tuple(sections)


def _title_of(path: str, properties: Properties, sections: tuple[Section, ...]) -> str:
    title = properties.text("title").strip()
    if title:
        return " ".join(title.split())
    for section in sections:
        if section.level == 1 and section.title:
            return section.title
    return path[path.rfind("/") + 1 :].removesuffix(".md")
