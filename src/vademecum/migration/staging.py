"""`stage`: copy the originals aside without looking into them, and check that they are as shown."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from vademecum.core.errors import ChangedMeanwhile
from vademecum.core.ids import blake2b
from vademecum.core.migration import FilePlan, MigrationPlan, Phase
from vademecum.migration.inventory import Tree, opened
from vademecum.migration.planning import inside
from vademecum.migration.shelf import Case, root_of
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.whole import make_folders, sync_folder, write_all
from vademecum.workspace.workspace import Workspace

_SIZE = 1 << 20
_BATCH = 200
"""Copies that are waited for together."""


def stage(
    workspace: Workspace, case: Case, plan: MigrationPlan, progress: Callable[[str, int, int], None]
) -> None:
    """Copy every original to the state of the workspace, each under a number.

    Nothing in the source is changed. Raises ChangedMeanwhile where a file is not what was planned
    any more: nothing has been written to the workspace then.
    """
    root = root_of(plan)
    with state_translated(case.directory):
        make_folders(case.directory / "staged")
    case.keep(plan)
    case.keep_places(_folders(workspace), _modes(workspace, root, plan))
    for start in range(0, len(plan.files), _BATCH):
        progress("staging", start, len(plan.files))
        with ExitStack() as copies:
            made = [
                _copy(root, file, case.staged(number), copies)
                for number, file in enumerate(plan.files[start : start + _BATCH], start)
            ]
            with state_translated(case.directory):
                for descriptor in made:
                    os.fsync(descriptor)
    with state_translated(case.directory):
        sync_folder(case.directory / "staged")
    case.reach(Phase.STAGED)


def staged_tree(case: Case) -> Tree:
    """Return the staged originals; the path of one is its number."""
    return Tree(case.directory / "staged", ())


def _copy(root: Path, file: FilePlan, to: Path, copies: ExitStack) -> int:
    """Copy one original; return the descriptor of the copy, which `copies` closes."""
    made = blake2b(digest_size=16)
    with state_translated(to):
        target = os.open(to, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    copies.callback(os.close, target)
    with opened(root, file.path) as source:
        while part := os.read(source, _SIZE):
            made.update(part)
            with state_translated(to):
                write_all(target, part)
    if made.hexdigest() != file.digest:
        raise ChangedMeanwhile(
            f"{file.path} was changed after it was planned; nothing was written.",
            hint="Run it again: the plan is made from what is there now.",
        )
    return target


def _folders(workspace: Workspace) -> tuple[str, ...]:
    """Return every folder of the workspace, for a rollback to know those that were made."""
    found = []
    for folder, names, _ in os.walk(workspace.root):
        names[:] = [name for name in names if name != ".git"]
        found.append(Path(folder).relative_to(workspace.root).as_posix())
    return tuple(found)


def _modes(workspace: Workspace, root: Path, plan: MigrationPlan) -> dict[str, int]:
    """Return the permission bits of originals that lie in the workspace, by their path in it."""
    own = inside(workspace, root, [file.path for file in plan.files])
    return {path: (workspace.root / path).lstat().st_mode & 0o7777 for path in own}
