"""Rows of notes in tables that people keep by hand: added, kept in step cell by cell, removed.

There are no marks of ownership in such tables. What decides is the text: a cell that says what was
written for the note as it was before is brought in step, any other belongs to whoever wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from vademecum.core.forms import Column, Listing
from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later
from vademecum.markdown.lines import newline_of, split
from vademecum.markdown.links import find_links
from vademecum.markdown.outline import Kind, classify, heading_of
from vademecum.markdown.properties import read_properties

CONFLICT = "🔀"
CORE = "🔴"
_SETTLED = ("✅", "⚠️", "⚠")
"""Marks of a status that a conflict takes the place of."""
_BAR = later(r"(?<!\\)\|")
_DELIMITER = later(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\r?\n?\Z")
_PATH = later(r"(?<![\w./-])([\w][\w ./-]*\.md)\b")
_DAY = later(r"\d{4}-\d{2}-\d{2}\Z")
_FOOTER = later(r"[*_> \t]*(?:last )?updated\b[*_ \t:]*\d{4}-\d{2}-\d{2}", re.IGNORECASE)
_SIGNS = later(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Listed:
    """What the list says of one note."""

    link: str
    path: str
    title: str
    priority: str = ""
    status: str = ""
    verified: str = ""
    description: str = ""
    keywords: str = ""
    past: bool = False
    flagged: bool = False
    """In conflict: a person has to decide."""

    def cell(self, holds: str) -> str:
        """Return what stands in a column, without the mark of a conflict."""
        if holds == "path":
            text = f"[{self.path.rpartition('/')[2]}]({self.path.replace(' ', '%20')})"
        else:
            text = " ".join(str(getattr(self, holds)).split()).replace("|", "\\|")
        return f"~~{text}~~" if self.past and holds in ("link", "path") else text

    def bullet(self) -> str:
        """Return the line of a list without columns, without its end."""
        label = self.title.replace("[", "(").replace("]", ")")
        link = f"[{' '.join(label.split())}]({self.path.replace(' ', '%20')})"
        line = f"- ~~{link}~~" if self.past else f"- {link}"
        if said := " ".join(self.description.split()):
            line += f" - {said}"
        return f"{line} {CONFLICT}" if self.flagged else line


@dataclass(slots=True)
class _Page:
    """A map's lines, what each is, and where it leads."""

    lines: list[str]
    kinds: list[Kind]
    targets: dict[int, tuple[str, ...]]
    sections: list[str]
    """The heading above each line, as it is compared."""


def put_row(
    text: str,
    listing: Listing,
    leads: Callable[[str, bool], bool],
    before: Listed | None,
    after: Listed,
) -> str:
    """Return `text` with the lines that lead to a note saying what it is now.

    Where no line leads there, a row is added to the table of the listing's section; section and
    table are made where they are missing. `leads` tells of a target, and of whether it stands in
    that section, whether it means the note.
    """
    page = _page(text)
    found = _leading(page, listing, leads)
    if not found:
        return _added(text, page, listing, after)
    for number in found:
        page.lines[number] = _in_step(page, listing, number, before, after)
    return "".join(page.lines)


def drop_row(text: str, listing: Listing, leads: Callable[[str, bool], bool]) -> str:
    """Return `text` without the lines that lead to a note, and nowhere else."""
    page = _page(text)
    gone = {n for n in _leading(page, listing, leads) if len(set(page.targets[n])) == 1}
    return "".join(line for number, line in enumerate(page.lines) if number not in gone)


def has_row(text: str, listing: Listing, leads: Callable[[str, bool], bool]) -> bool:
    """Whether a line of a list leads to a note."""
    return bool(_leading(_page(text), listing, leads))


def targets_in(text: str) -> Iterator[tuple[int, str]]:
    """Yield line (from 1) and target of all that a map leads to, by links or by bare paths."""
    page = _page(text)
    for number, targets in sorted(page.targets.items()):
        for target in targets:
            yield number + 1, target


# ------------------------------------------------------------ reading


def _page(text: str) -> _Page:
    lines = split(text)
    kinds = classify(lines, read_properties(lines).last)
    targets: dict[int, tuple[str, ...]] = {}
    for link in find_links(lines, kinds):
        if link.target:
            targets[link.line - 1] = (*targets.get(link.line - 1, ()), link.target)
    sections, section = [], ""
    for number, kind in enumerate(kinds):
        if kind is Kind.HEADING and (heading := heading_of(lines[number])):
            section = _plain(heading[1])
        sections.append(section)
        if kind in (Kind.ITEM, Kind.TABLE) and number not in targets and ".md" in lines[number]:
            named = tuple(found[1].strip() for found in _PATH.finditer(lines[number]))
            targets |= {number: named} if named else {}
    return _Page(lines, kinds, targets, sections)


def _leading(page: _Page, listing: Listing, leads: Callable[[str, bool], bool]) -> list[int]:
    own = _plain(listing.heading)
    return [
        number
        for number, targets in page.targets.items()
        if page.kinds[number] in (Kind.ITEM, Kind.TABLE)
        and any(leads(target, page.sections[number] == own) for target in targets)
    ]


def _plain(heading: str) -> str:
    return _SIGNS.sub(" ", heading.casefold()).strip()


def _cells(line: str) -> list[str]:
    bare = line.strip()
    bare = bare.removeprefix("|")
    if _BAR.search(bare[-1:]) and not bare.endswith("\\|"):
        bare = bare[:-1]
    return [cell.strip() for cell in _BAR.split(bare)]


def _columns(header: Sequence[str], listing: Listing) -> list[Column | None]:
    """Return what each column of a table holds, None for one that is nobody's but its writer's."""
    known = {_plain(column.title): column for column in listing.columns}
    columns = [known.get(_plain(title)) for title in header]
    if not any(column is not None and column.holds in ("link", "path") for column in columns):
        holds = next((c.holds for c in listing.columns if c.holds in ("link", "path")), "link")
        columns[0] = Column(header[0], holds)
    return columns


def _header_of(page: _Page, number: int) -> list[str]:
    """Return the titles of the table that a row stands in; none where it has no head."""
    at = number
    while at > 0 and page.kinds[at - 1] is Kind.TABLE:
        at -= 1
    rule = at + 1
    if rule < len(page.lines) and rule < number + 1 and _DELIMITER.match(page.lines[rule]):
        return _cells(page.lines[at])
    return []


# ------------------------------------------------------------ writing


def _in_step(
    page: _Page, listing: Listing, number: int, before: Listed | None, after: Listed
) -> str:
    line = page.lines[number]
    end = line[len(line.rstrip("\r\n")) :]
    if page.kinds[number] is Kind.ITEM:
        own = before is not None and line.rstrip() == before.bullet()
        return (after.bullet() if own else _flagged(line.rstrip(), flagged=after.flagged)) + end
    header = _header_of(page, number)
    cells = _cells(line)
    if not header or len(cells) < len(header):
        return _flagged_row(line, after)
    was = list(cells)
    columns = _columns(header, listing)
    for place, column in enumerate(columns):
        if column is not None:
            cells[place] = _cell(cells[place], column.holds, before, after)
    _mark(cells, columns, after)
    return _with_cells(line, was, cells)


def _cell(cell: str, holds: str, before: Listed | None, after: Listed) -> str:
    """Return what a cell says now: its own text, unless that was written for the note before."""
    said = cell.replace(CONFLICT, "").strip()
    old = before.cell(holds) if before is not None else ""
    new = after.cell(holds)
    changed = before is not None and old != new
    if said == old or (changed and holds == "status"):
        return new
    if changed and holds == "verified" and (not said or _DAY.match(said)):
        return new
    return said


def _mark(cells: list[str], columns: Sequence[Column | None], after: Listed) -> None:
    """Put the mark of a conflict where a reader of the row sees it."""
    if not after.flagged or any(CONFLICT in cell for cell in cells):
        return
    at = next((n for n, c in enumerate(columns) if c is not None and c.holds == "status"), None)
    if at is None:
        at = max(n for n, column in enumerate(columns) if column is not None)
    own = cells[at] if cells[at] not in _SETTLED else ""
    cells[at] = f"{CONFLICT} {own}".strip()


def _with_cells(line: str, was: Sequence[str], cells: Sequence[str]) -> str:
    """Return a row with the cells that changed; the blanks around all of them stay."""
    pieces = _BAR.split(line)
    shift = 1 if line.lstrip().startswith("|") else 0
    for place, (old, new) in enumerate(zip(was, cells, strict=True)):
        if old == new:
            continue
        piece = pieces[place + shift]
        head = piece[: len(piece) - len(piece.lstrip())] if piece.strip() else " "
        tail = piece[len(piece.rstrip()) :] if piece.strip() else " "
        pieces[place + shift] = f"{head}{new}{tail}" if new else " "
    return "|".join(pieces)


def _flagged(line: str, *, flagged: bool) -> str:
    bare = line.replace(f" {CONFLICT}", "")
    return f"{bare} {CONFLICT}" if flagged else bare


def _flagged_row(line: str, after: Listed) -> str:
    if after.flagged and CONFLICT not in line:
        at = line.rstrip().rstrip("|").rstrip()
        return f"{at} {CONFLICT}{line[len(at) :]}"
    return line if after.flagged else line.replace(f" {CONFLICT}", "")


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _new_row(header: Sequence[str], listing: Listing, after: Listed) -> str:
    columns = _columns(header, listing)
    cells = ["" if column is None else after.cell(column.holds) for column in columns]
    _mark(cells, columns, after)
    return _row(cells)


def _added(text: str, page: _Page, listing: Listing, after: Listed) -> str:
    end = newline_of(text)
    own = _plain(listing.heading)
    start = next((n for n, k in enumerate(page.kinds) if k is Kind.HEADING and
                  page.sections[n] == own), None)  # fmt: skip
    if start is None:
        at = _before_footer(page.lines)
        made = ["", f"## {listing.heading}", "", *_made(listing, after)]
        if at and not page.lines[at - 1].strip():
            del made[0]
        return _inserted(page.lines, at, made, end)
    stop = start + 1
    while stop < len(page.lines) and page.sections[stop] == own and (
        page.kinds[stop] is not Kind.HEADING
    ):  # fmt: skip
        stop += 1
    if not listing.columns:
        at = _behind(page, start, stop, Kind.ITEM)
        gap = [""] if page.kinds[at - 1] not in (Kind.ITEM, Kind.BLANK) else []
        return _inserted(page.lines, at, [*gap, after.bullet()], end)
    table = next((n for n in range(start, stop) if page.kinds[n] is Kind.TABLE), None)
    header = _header_of(page, table + 2) if table is not None and table + 1 < stop else []
    if table is None or not header:
        at = _behind(page, start, stop, None)
        return _inserted(page.lines, at, ["", *_made(listing, after)], end)
    last = table + 1
    while last + 1 < stop and page.kinds[last + 1] is Kind.TABLE:
        last += 1
    at = last + 1
    if after.priority == CORE:  # what is read first stands first
        at = next((n for n in range(table + 2, last + 1) if CORE not in page.lines[n]), at)
    return _inserted(page.lines, at, [_new_row(header, listing, after)], end)


def _made(listing: Listing, after: Listed) -> list[str]:
    if not listing.columns:
        return [after.bullet()]
    header = [column.title for column in listing.columns]
    return [_row(header), "|" + "---|" * len(header), _new_row(header, listing, after)]


def _behind(page: _Page, start: int, stop: int, kind: Kind | None) -> int:
    """Return where a line goes behind the last one of that kind in a section, else of any."""
    for number in range(stop - 1, start, -1):
        if page.kinds[number] is kind or (kind is None and page.lines[number].strip()):
            return number + 1
    if kind is not None:
        return _behind(page, start, stop, None)
    return start + 1


def _before_footer(lines: Sequence[str]) -> int:
    """Return where a section goes at the end: before the line that says when the map changed."""
    at = len(lines)
    while at and not lines[at - 1].strip():
        at -= 1
    if at and _FOOTER.match(lines[at - 1]):
        at -= 1
        while at and not lines[at - 1].strip():
            at -= 1
        return at
    return len(lines)


def _inserted(lines: list[str], at: int, new: Sequence[str], end: str) -> str:
    kept = list(lines)
    if at and not kept[at - 1].endswith("\n"):
        kept[at - 1] += end
    kept[at:at] = [line + end for line in new]
    if at < len(lines) and lines[at].strip() and new and lines[at].startswith("#"):
        kept.insert(at + len(new), end)
    return "".join(kept)
