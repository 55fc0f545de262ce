"""Checks of one note at a time: is it text, does its frontmatter read, is it whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date

from vademecum.core.frozen import dataclass
from vademecum.core.notes import Note, Role
from vademecum.lifecycle.now_text import MEND_MARKS, marks_defect
from vademecum.service.doctor.finding import Finding, Severity

_OURS = re.compile(r"<{7}( |$)")
_THEIRS = re.compile(r">{7}( |$)")
_DAY_HEADING = re.compile(r"# (\d{4}-\d{2}-\d{2})\s*")


@dataclass(frozen=True, slots=True)
class Examined:
    """One note as it is on disk, read once for all checks."""

    path: str
    role: Role
    day: date | None
    """The day it logs, for a daily log."""
    budget: int | None
    """Characters it may have, for a file that is always loaded."""
    text: str
    encoding: str
    defect: str
    lines: list[str]
    note: Note
    digest: str
    """Of its bytes."""


def not_text(file: Examined) -> Iterator[Finding]:
    """Bytes that are no text: a torn write, another encoding, a file of another kind."""
    if file.defect:
        yield Finding(
            "invalid-text",
            Severity.DEFECT,
            _place(file, file.defect),
            f"The file {file.defect}; everything else in it is read.",
            "Repair the line in an editor; until then the file can be appended to, not edited.",
        )
    elif file.encoding.startswith("utf-16"):
        yield Finding(
            "utf-16",
            Severity.NOTICE,
            file.path,
            "The file is UTF-16, which grep and most tools do not read.",
            f"Convert it: iconv -f utf-16 -t utf-8 {file.path}",
        )


def frontmatter(file: Examined) -> Iterator[Finding]:
    """Frontmatter that does not parse: its note is found, its properties are not known."""
    defect = file.note.properties.defect
    if defect:
        yield Finding(
            "malformed-frontmatter",
            Severity.DEFECT,
            _place(file, defect, 1),
            f"{defect[0].upper()}{defect[1:]}; its text is found, its properties are not known.",
            "Correct it in an editor; vademecum never rewrites what it cannot read.",
        )


def conflict_markers(file: Examined) -> Iterator[Finding]:
    """Markers that a merge left behind: both sides are read as if both were true."""
    starts = [n for n, line in enumerate(file.lines, 1) if _OURS.match(line)]
    if starts and any(_THEIRS.match(line) for line in file.lines):
        yield Finding(
            "conflict-markers",
            Severity.DEFECT,
            f"{file.path}:{starts[0]}",
            "A merge left its markers here, so both sides are read as if both were true.",
            "Decide for one side, or keep both as lines of their own, and remove the markers.",
        )


def budget(file: Examined) -> Iterator[Finding]:
    """A file that is always loaded and has grown beyond its budget."""
    if file.budget is not None and len(file.text) > file.budget:
        yield Finding(
            "over-budget",
            Severity.DEFECT,
            file.path,
            f"It has {len(file.text):,} characters; {file.budget:,} are loaded into each session.",
            "Move details into notes of their own and leave a link.",
        )


def log_heading(file: Examined) -> Iterator[Finding]:
    """A daily log whose head names no day, or another one than its name does."""
    if file.role is not Role.LOG or file.day is None:
        return
    if file.path.rpartition("/")[2] != f"{file.day.isoformat()}.md":
        return  # one of several of its day, which names what it is about
    after = file.note.properties.last
    for number, line in enumerate(file.lines[after:], after + 1):
        if not line.strip():
            continue
        day = file.day.isoformat()
        match = _DAY_HEADING.fullmatch(line)
        if match is None or match[1] != day:
            yield Finding(
                "log-heading",
                Severity.DEFECT,
                f"{file.path}:{number}",
                f"The log of {day} does not begin with `# {day}`.",
                f"Put the line `# {day}` at its head.",
            )
        return


def unfinished_line(file: Examined) -> Iterator[Finding]:
    """A log without a final newline: a write was torn, or an editor left it off."""
    if file.role is Role.LOG and file.text and not file.text.endswith("\n"):
        yield Finding(
            "unfinished-line",
            Severity.NOTICE,
            f"{file.path}:{len(file.lines)}",
            "The last line of the log has no end; a write may have been torn here.",
            "Nothing has to be done: the next entry begins on a line of its own.",
        )


def workbench_marks(file: Examined) -> Iterator[Finding]:
    """A workbench that the heartbeat cannot keep: it does not know which part is its own."""
    if file.role is Role.WORKBENCH and (defect := marks_defect(file.text)):
        yield Finding(
            "workbench-marks",
            Severity.DEFECT,
            file.path,
            f"The heartbeat does not keep its part of the workbench: {defect}.",
            MEND_MARKS,
        )


NOTE_CHECKS: tuple[Callable[[Examined], Iterator[Finding]], ...] = (
    not_text,
    frontmatter,
    conflict_markers,
    budget,
    log_heading,
    unfinished_line,
    workbench_marks,
)
"""Every check of a note; a further one is a function and its line here."""


def _place(file: Examined, defect: str, otherwise: int = 0) -> str:
    """Return the path with the line that a defect names, if it names one."""
    match = re.search(r"line (\d+)", defect)
    line = match[1] if match else otherwise
    return f"{file.path}:{line}" if line else file.path
