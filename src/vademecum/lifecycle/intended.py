"""What a day was meant for, by the versions that its workbench had, against what its log tells."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise

from vademecum.core.clock import human_day
from vademecum.core.errors import NoteNotFound, Unreadable
from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later
from vademecum.lifecycle.cues import Went, went
from vademecum.lifecycle.day import Statement
from vademecum.markdown.compare import normalise
from vademecum.markdown.lines import decode, split
from vademecum.markdown.outline import ITEM, Kind, classify, heading_of
from vademecum.markdown.wording import key_of
from vademecum.workspace.workspace import Workspace


class Fate(enum.StrEnum):
    """What became of a task by the end of its day."""

    DONE = "done"
    OPEN = "open"
    DROPPED = "dropped"
    """It left the workbench and nothing says that it was done."""


@dataclass(frozen=True, slots=True)
class Task:
    """A task as a workbench has it."""

    text: str
    done: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """A task, what became of it, and the statement of the log that tells of it."""

    task: Task
    fate: Fate
    told: Statement | None = None


_ABOUT = 0.6
"""Share of a task's content words that a statement about it has."""
_FEWEST = 2
_DONE_MARK = later(r"✅|☑|\[[xX]\]|~~.+~~|(?i:\|\s*(?:done|fertig|完成|完了)\s*\|)")
_DONE_HEADING = later(r"(?i)\b(?:done|finished|completed|erledigt|fertig)\b|完成|完了")
_NO_TASKS = later(r"(?i)\b(?:agents?|blocked|notes?|links?|focus|mission)\b|代理|专注|目标|阻塞")
_SIGNS = later(r"\[[^\w\s]?\]|\[[ xX]\]|[✅⚠️☑❌⏳🔴🟡⚪🎯]|~~|\*\*|__|`")
_DAY = later(r"\s*\(\d{4}-\d{2}-\d{2}\)\s*\Z")
_BARE_LINK = later(r"(?:\[\[[^\[\]]*\]\]|\[[^\[\]]*\]\([^()\s]*\))\Z")
_NOTHING = later(r"(?i)\W*(?:none|nothing|keine?|nichts|无|没有|なし|-+)?\W*\Z")


def tasks_of(text: str) -> tuple[Task, ...]:
    """Return the tasks of a workbench: its list items and the first named cell of its table rows.

    Sections on agents, focus, what blocks, notes and links hold none.
    """
    return tuple(_tasks(text))


def _tasks(text: str) -> Iterator[Task]:
    lines = split(text)
    kinds = classify(lines)
    heading = ""
    for (line, kind), (_, following) in pairwise([*zip(lines, kinds, strict=True), ("", None)]):
        if kind is Kind.HEADING:
            heading = (heading_of(line) or (0, ""))[1]
        if kind not in (Kind.ITEM, Kind.TABLE) or _NO_TASKS.search(heading):
            continue
        is_head = kind is Kind.TABLE and following is Kind.TABLE and _is_head(lines, line)
        said = "" if is_head else _said(line, kind)
        if not _NOTHING.match(said) and not _BARE_LINK.match(said):
            done = bool(_DONE_MARK.search(line) or _DONE_HEADING.search(heading))
            yield Task(said, done)


def _is_head(lines: Sequence[str], line: str) -> bool:
    below = lines[lines.index(line) + 1]
    return not below.strip("|:- \t\r\n")


def _said(line: str, kind: Kind) -> str:
    if kind is Kind.TABLE:
        cells = [_SIGNS.sub("", cell).strip() for cell in line.strip().strip("|").split("|")]
        return next((cell for cell in cells if any(map(str.isalpha, cell))), "")
    marker = ITEM.match(line)
    said = " ".join(_SIGNS.sub("", line[marker.end() if marker else 0 :]).split())
    return _DAY.sub("", said)


def workbench_versions(workspace: Workspace, day: date) -> tuple[str, ...]:
    """Return what the workbench said on `day`: as the day found it, then each change, in order.

    Versions that the state directory does not hold any more are left out; of today, what stands in
    the file now comes last.
    """
    path = workspace.profile.workbench_path
    if not path:
        return ()
    digests: list[str] = []
    for change in workspace.ledger.changes(path=path):
        on = human_day(change.at, workspace.zone)
        if on < day:
            digests = [change.after]
        elif on == day:
            digests += [change.before, change.after]
    texts = [_version(workspace, digest) for digest in dict.fromkeys(digests) if digest]
    if day == human_day(workspace.clock.now(), workspace.zone):
        texts.append(_present(workspace, path))
    return tuple(dict.fromkeys(text for text in texts if text))


def outcomes(versions: Sequence[str], statements: Sequence[Statement]) -> tuple[Outcome, ...]:
    """Return what became of every task that a workbench had in one of its versions."""
    last = {key_of(task.text): task for task in tasks_of(versions[-1])} if versions else {}
    found: dict[str, Task] = {}
    for version in versions:
        for task in tasks_of(version):
            key = key_of(task.text)
            was_done = key in found and found[key].done
            found[key] = Task(task.text, task.done or was_done)
    return tuple(_outcome(task, key in last, statements) for key, task in found.items())


def _outcome(task: Task, stays: bool, statements: Sequence[Statement]) -> Outcome:
    told = _about(task, statements)
    finished = told is not None and went(told.text) is Went.RIGHT
    if task.done or finished:
        return Outcome(task, Fate.DONE, told)
    return Outcome(task, Fate.OPEN if stays else Fate.DROPPED, told)


def _about(task: Task, statements: Sequence[Statement]) -> Statement | None:
    """Return the statement that has most of a task's words, the last of equals."""
    wanted = set(normalise(task.text).content)
    best, most = None, _ABOUT
    for statement in statements if len(wanted) >= _FEWEST else ():
        share = len(wanted & set(normalise(statement.text).content)) / len(wanted)
        if share >= most:
            best, most = statement, share
    return best


def _version(workspace: Workspace, digest: str) -> str:
    try:
        return decode(workspace.files.records.blobs.get(digest)).text
    except Unreadable:
        return ""


def _present(workspace: Workspace, path: str) -> str:
    try:
        return decode(workspace.files.read(path).data).text
    except NoteNotFound:
        return ""
