"""`roll back` and `finish`: the bytes from before a migration again, or its originals let go."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from vademecum.core.changes import Change, Effect
from vademecum.core.errors import ChangedMeanwhile, NoteNotFound, Refused, Unreadable
from vademecum.core.ids import digest_of
from vademecum.core.migration import MigrationPlan, Passed, Phase
from vademecum.core.provenance import Actor
from vademecum.core.roles import Role
from vademecum.migration.shelf import Case
from vademecum.migration.writer import ACTOR, session_back, written_by
from vademecum.workspace.workspace import Workspace
from vademecum.writing.signing import sign
from vademecum.writing.undo import standing_of, take_back
from vademecum.writing.undo_maps import maps_in_step

_VERB = "undo"


def roll_back(workspace: Workspace, case: Case, actor: str = ACTOR) -> tuple[Passed, ...]:
    """Make the workspace what it was, byte for byte; what others wrote since then stays.

    Returns what had to be left, with the reason. It may be begun anew after a kill.
    """
    workspace.files.recover()
    folders, modes = case.places()
    changes = written_by(workspace, case.id)
    by_path: dict[str, list[Change]] = {}
    for change in standing_of(workspace, changes):
        by_path.setdefault(change.path, []).append(change)
    writer = Actor(actor, session_back(case.id))
    left: list[Passed] = []
    # What was made last goes first, so that no map leads to a note that is gone.
    order = {change.id: number for number, change in enumerate(changes)}
    for path in sorted(by_path, key=lambda path: -order[by_path[path][-1].id]):
        if why := _take_back(workspace, by_path[path], writer):
            left.append(Passed(path, why))
        elif path in modes:
            with suppress(OSError):
                (workspace.root / path).chmod(modes[path])
    paths = {change.path for change in changes} | _planned(case.plan())
    _remove_folders(workspace, paths, folders)
    case.keep_left(tuple(left))
    case.reach(Phase.ROLLED_BACK)
    case.drop_staged()
    return tuple(left)


def finish(case: Case) -> None:
    """Let the staged originals go; originals outside of the workspace are not touched.

    Raises Refused for a migration that is not done.
    """
    if case.phase is Phase.FINISHED:
        return
    if case.phase is not Phase.DONE:
        raise Refused(
            f"The migration {case.id} is not done ({case.phase.value}), so nothing was deleted.",
            hint="Run `vade migrate SOURCE` again to complete it, or --rollback.",
        )
    case.reach(Phase.FINISHED)
    case.drop_staged()


def _take_back(workspace: Workspace, changes: list[Change], actor: Actor) -> str:
    """Take back all changes of one file; return why it could not be done, or an empty text."""
    first, last = changes[0], changes[-1]
    try:
        if not _restored(workspace, first, last, actor):
            if workspace.role_of(first.path) is Role.MAP:
                return _left_map(workspace, first, actor)
            for change in reversed(changes):
                take_back(workspace, change, actor)
    except (ChangedMeanwhile, Refused, Unreadable) as error:
        return f"{error}{_kept_aside(workspace, first, last, actor)}"
    return ""


def _kept_aside(workspace: Workspace, first: Change, last: Change, actor: Actor) -> str:
    """Keep an original whose place is taken: the notes that hold its words are taken back too."""
    if last.effect is not Effect.REMOVE:
        return ""
    try:
        data = workspace.files.records.blobs.get(last.before)
    except Unreadable:
        return ""
    why = "the original from before a migration, whose place was taken"
    signature = sign(workspace, actor, _VERB, undoes=last.id)
    kept = workspace.files.keep_aside(first.path, data, signature, why)
    return f" The original is kept in {kept}."


def _restored(workspace: Workspace, first: Change, last: Change, actor: Actor) -> bool:
    """Put the bytes from before back where nobody wrote since; return whether that was done."""
    signature = sign(workspace, actor, _VERB, f"roll back {first.path}", undoes=last.id)
    try:
        current = workspace.files.read(first.path)
    except NoteNotFound:
        if last.effect is not Effect.REMOVE:
            return first.effect in (Effect.CREATE, Effect.APPEND) and not first.before
        data = workspace.files.records.blobs.get(last.before)
        return workspace.files.create(first.path, data, signature) is not None
    if current.digest == first.before:
        return True
    if current.digest != last.after:
        return False
    if not first.before:
        workspace.files.remove(current, signature)
        return True
    before = current.data[: first.offset]
    if first.effect is not Effect.APPEND or digest_of(before) != first.before:
        # Of a file that was appended to no version is stored: it is there, before what was added.
        before = workspace.files.records.blobs.get(first.before)
    workspace.files.replace(current, before, signature)
    return True


def _left_map(workspace: Workspace, change: Change, actor: Actor) -> str:
    """Bring a map in step that others wrote to since."""
    del change
    made = written_by(workspace, actor.session.removesuffix("-back"))
    created = [one.path for one in made if one.effect is Effect.CREATE]
    maps_in_step(workspace, created, actor, "", ())
    return ""


def _planned(plan: MigrationPlan) -> set[str]:
    """Return the paths that a plan names: the folder of one may be there without the file."""
    paths = {file.to for file in plan.files}
    for file in plan.files:
        paths |= {note.path for note in file.notes}
        paths |= {decision.to for decision in file.decisions}
    return paths - {""}


def _remove_folders(workspace: Workspace, paths: Iterable[str], before: frozenset[str]) -> None:
    """Remove the folders that were made and are empty again, the deepest first."""
    made = {parent.as_posix() for path in paths for parent in Path(path).parents}
    for folder in sorted(made - before - {"."}, key=lambda folder: -folder.count("/")):
        with suppress(OSError):
            (workspace.root / folder).rmdir()
