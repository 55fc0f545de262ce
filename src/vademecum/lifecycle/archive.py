"""Archive: what is old and nobody refers to goes to the archive; what is cold is marked in maps."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta

from vademecum.core.clock import human_day
from vademecum.core.errors import AmbiguousTarget, NoteNotFound, Refused, VademecumError
from vademecum.core.frozen import dataclass
from vademecum.core.jobs import Declined, Moved, Plan, Proposal, Rewritten
from vademecum.core.notes import Role
from vademecum.core.ports import FileStamp
from vademecum.core.temperature import WEEK, Priority, Warmth, priority_of
from vademecum.lifecycle.references import references
from vademecum.lifecycle.warmth import changed_on, measure
from vademecum.markdown.days import ISO_DAY, day_in_name, day_of
from vademecum.markdown.frontmatter import read
from vademecum.markdown.lines import decode, split
from vademecum.markdown.links import Catalogue, candidates
from vademecum.markdown.maps import MapEntry, read_map, render_line
from vademecum.workspace.archived import (
    archive_path,
    archived_as,
    archived_notes,
    live_path,
)
from vademecum.workspace.workspace import Workspace

Progress = Callable[[str, int, int], None]

LOG_DAYS, REFLECTION_DAYS, DONE_DAYS = 30, 30, 14
"""What is older than so many local days may go: logs, reflections, actions that were done."""
UNREFLECTED, COLD = "[UNREFLECTED]", "[COLD]"
_MARK = f" {COLD}"
RESTORE = "restore"
_BROUGHT_BACK = (RESTORE, "undo")
_DONE = ("completed", "done", "closed", "updated")
_LISTED = 20


@dataclass(frozen=True, slots=True)
class _Old:
    """A note whose time has come, and why."""

    path: str
    why: str


def plan_archive(workspace: Workspace, today: date, *, progress: Progress | None = None) -> Plan:
    """Return what is to be archived on the local day `today`; nothing is changed.

    A daily log goes when it is more than 30 days old, no log of the last seven days refers to it,
    and its day has a reflection, here or archived; one without stays and is listed as
    `[UNREFLECTED]`. A reflection goes after 30 days, a file of `actions/done` after 14. Whatever is
    of core priority, all other notes, and what a person brought back within a week stay. A lesson
    that has gone cold is marked `[COLD]` in the maps that lead to it, and unmarked when it is not
    any more. Where the archive holds another file of that name, both stay and the plan says so.
    """
    files = workspace.scan().files
    if progress is not None:
        progress("looking for what has gone cold", 0, len(files))
    referred = references(workspace, files, today)
    old, notes = _old(workspace, files, referred, today)
    back = _brought_back(workspace, today)
    proposals: list[Proposal] = []
    declined: list[Declined] = []
    for one in old:
        if one.path in back:
            continue
        made = _moved(workspace, one)
        if isinstance(made, Declined):
            declined.append(made)
        elif made is not None:
            proposals.append(made)
    proposals += _marked(workspace, files, referred, today)
    return Plan(tuple(proposals), tuple(declined), notes=tuple(notes))


def plan_restore(workspace: Workspace, target: str) -> Plan:
    """Return the moves that bring back what `target` names from the archive, or `all` of it.

    A note is named by the path it has, the path it had, or the end of either; a folder of the
    archive names all that is in it. Raises NoteNotFound, AmbiguousTarget, Refused where nothing
    could be brought back.
    """
    named = _named(workspace, target)
    proposals, declined = [], []
    for path in named:
        to = live_path(workspace.profile, path)
        there = _data(workspace, to)
        if there is not None and there != _data(workspace, path):
            declined.append(Declined(f"move of {path} to {to}", f"{to} is another file; both stay"))
        else:
            proposals.append(Moved(path, to, "brought back from the archive"))
    if len(named) == 1 and declined:
        raise Refused(
            f"{named[0]} cannot be brought back: {declined[0].why}.",
            hint="Merge the two by hand, or move one of them away.",
        )
    return Plan(tuple(proposals), tuple(declined))


# ------------------------------------------------------------ what may go


def _old(
    workspace: Workspace, files: Mapping[str, FileStamp], referred: Mapping[str, int], today: date
) -> tuple[list[_Old], list[str]]:
    """Return what is old enough and nothing keeps, and a sentence on what else is old."""
    profile = workspace.profile
    reflected = {
        day
        for path in (*files, *(live_path(profile, kept) for kept in archived_notes(workspace)))
        if workspace.role_of(path) is Role.REFLECTION and (day := day_in_name(path)) is not None
    }
    old: list[_Old] = []
    waiting: list[str] = []
    for path in sorted(files):
        role = workspace.role_of(path)
        day = profile.day_of(path) if role is Role.LOG else None
        if day is not None and (today - day).days > LOG_DAYS:
            if referred.get(path):
                continue
            if day not in reflected:
                waiting.append(path)
                continue
            old.append(_Old(path, f"{(today - day).days} days old, reflected on, not referred to"))
        elif role is Role.REFLECTION and (day := day_in_name(path)) is not None:
            if (today - day).days > REFLECTION_DAYS:
                old.append(_Old(path, f"a reflection of {(today - day).days} days ago"))
        elif _is_done(workspace, path):
            ago = (today - _done_on(workspace, path, files[path])).days
            if ago > DONE_DAYS:
                old.append(_Old(path, f"done {ago} days ago"))
    return old, _told(waiting)


def _told(waiting: list[str]) -> list[str]:
    told = [
        f"{UNREFLECTED} {path} stays: no reflection of its day "
        "(vade reflect DAY --again writes one)."
        for path in waiting[:_LISTED]
    ]
    if len(waiting) > _LISTED:
        told.append(f"{UNREFLECTED} {len(waiting) - _LISTED} more logs stay.")
    return told


def _is_done(workspace: Workspace, path: str) -> bool:
    folder = workspace.profile.note_folder
    start = "actions/done/" if folder == "." else f"{folder}/actions/done/"
    return path.casefold().startswith(start.casefold()) and (
        workspace.role_of(path) is Role.CONCEPT
    )


def _done_on(workspace: Workspace, path: str, stamp: FileStamp) -> date:
    """Return the day an action was done: as it says, as it is named, else when it changed last."""
    head = read(_text(workspace, path))
    for key in _DONE:
        found = ISO_DAY.search(head.text(key))
        day = day_of(*found.groups()) if found else None
        if day is not None:
            return day
    return day_in_name(path) or changed_on(workspace, stamp)


def _brought_back(workspace: Workspace, today: date) -> frozenset[str]:
    """Return the paths that were restored, or whose archiving was taken back, within a week."""
    first = today - timedelta(days=WEEK - 1)
    return frozenset(
        change.path
        for verb in _BROUGHT_BACK
        for change in workspace.ledger.changes(verb=verb)
        if human_day(change.at, workspace.zone) >= first
    )


def _moved(workspace: Workspace, old: _Old) -> Moved | Declined | None:
    """Return the move of one note; None where it is a core item, which never goes."""
    to = archive_path(workspace.profile, old.path)
    what = f"move of {old.path} to {to}"
    try:
        content = workspace.files.read(old.path)
    except VademecumError as error:
        return Declined(what, str(error))
    if priority_of(read(decode(content.data).text).text("priority")) is Priority.CORE:
        return None
    if live_path(workspace.profile, to) != old.path:
        return Declined(what, "from there it could not be brought back to where it was")
    if not content.mode & 0o222:
        return Declined(what, f"{old.path} is read-only")
    there = _data(workspace, to)
    if there is not None and there != content.data:
        return Declined(what, f"{to} is another file; both stay")
    return Moved(old.path, to, old.why)


# ------------------------------------------------------------ what is marked


def _marked(
    workspace: Workspace, files: Mapping[str, FileStamp], referred: Mapping[str, int], today: date
) -> Iterator[Rewritten]:
    """Yield the maps whose marks of cold lessons are not as they have to be."""
    lessons = {path: stamp for path, stamp in files.items() if _is_lesson(workspace, path)}
    if not lessons:
        return
    cold = {
        path
        for path, stamp in lessons.items()
        if (found := measure(workspace, path, stamp, today, referred)).warmth is Warmth.COLD
        and found.priority is not Priority.CORE
    }
    catalogue = Catalogue({path: () for path in files})
    top = workspace.profile.map_path or workspace.profile.core_path
    for path in sorted(files):
        if workspace.role_of(path) is not Role.MAP and path != top:
            continue
        try:
            content = workspace.files.read(path)
        except VademecumError:
            continue
        decoded = decode(content.data)
        text = _with_marks(path, decoded.text, lessons, cold, catalogue)
        if text != decoded.text:
            yield Rewritten(path, text, content.digest, f"{COLD} as it is today")


def _with_marks(
    path: str, text: str, lessons: Collection[str], cold: Collection[str], catalogue: Catalogue
) -> str:
    lines = split(text)
    for entry in read_map(text):
        found = [one for one in candidates(entry.target, path, catalogue) if one in lessons]
        if len(found) != 1:
            continue
        line = lines[entry.line - 1]
        if (found[0] in cold) != (COLD in line):
            bare = line.rstrip("\r\n")
            lines[entry.line - 1] = _marking(bare, entry) + line[len(bare) :]
    return "".join(lines)


def _marking(line: str, entry: MapEntry) -> str:
    """Return the line of a map with the mark, or without the one it has."""
    ours = line == render_line(entry)
    if COLD in line:
        bare = entry.description.replace(COLD, "").strip()
        return render_line(replace(entry, description=bare)) if ours else line.replace(_MARK, "")
    if ours:
        return render_line(replace(entry, description=f"{entry.description}{_MARK}".strip()))
    if line.rstrip().endswith("|"):
        return f"{line.rstrip()[:-1].rstrip()}{_MARK} |"
    return f"{line}{_MARK}"


def _is_lesson(workspace: Workspace, path: str) -> bool:
    folder = workspace.profile.note_folder
    start = "lessons/" if folder == "." else f"{folder}/lessons/"
    return path.casefold().startswith(start.casefold()) and (
        workspace.role_of(path) is Role.CONCEPT
    )


# ------------------------------------------------------------ for those above


def _named(workspace: Workspace, target: str) -> tuple[str, ...]:
    """Return the archived notes that `target` names. Raises NoteNotFound, AmbiguousTarget."""
    wanted = target.strip().rstrip("/")
    every = archived_notes(workspace)
    if wanted == "all":
        return every
    inside = tuple(path for path in every if path == wanted or path.startswith(f"{wanted}/"))
    if wanted and inside:
        return inside
    found = archived_as(workspace, wanted) if wanted else ()
    if len(found) > 1:
        raise AmbiguousTarget(
            f"{len(found)} archived notes answer to {target!r}.",
            hint=f"Name one by path: {', '.join(found[:8])}.",
        )
    if not found:
        raise NoteNotFound(
            f"The archive has no note {target!r}.",
            hint=f"Look what is in {workspace.profile.archive_folder}/, or restore `all`.",
        )
    return found


def _text(workspace: Workspace, path: str) -> str:
    data = _data(workspace, path)
    return "" if data is None else decode(data).text


def _data(workspace: Workspace, path: str) -> bytes | None:
    try:
        return workspace.files.read(path).data
    except VademecumError:
        return None
