"""Edits that people made by hand, committed in the name of whose repository it is."""

from __future__ import annotations

import shutil
from collections.abc import Container, Iterable
from contextlib import suppress
from typing import TypeAlias
from unicodedata import normalize

from vademecum.core.errors import NoteNotFound
from vademecum.core.frozen import dataclass
from vademecum.markdown.lines import decode
from vademecum.workspace.conflicts import FOLDER as RECORDS
from vademecum.workspace.copies import REASON as COPY
from vademecum.workspace.git import Repository
from vademecum.workspace.git.progress import backlog_of, read
from vademecum.workspace.git.repository import Entry
from vademecum.workspace.git.trees import Assembly, must
from vademecum.workspace.scan import SUFFIXES, UNSOUND, Scan, shown
from vademecum.workspace.workspace import Workspace
from vademecum.writing.commit_message import owned
from vademecum.writing.git_bring import is_memory
from vademecum.writing.guard import check_edit

_PATIENCE = 120.0
_SKIPPED = {UNSOUND: f"{UNSOUND}; rename it", COPY: f"{COPY}: vade review"}
"""Why a scan passes over what is a note otherwise, and what is said of it."""


Uncommitted: TypeAlias = tuple[str, str]
"""A note of the workspace that no sync commits, and why."""


@dataclass(frozen=True, slots=True)
class Edited:
    """The notes that differ from a commit, as paths in the repository."""

    paths: tuple[str, ...]
    left_out: tuple[Uncommitted, ...]


@dataclass(frozen=True, slots=True)
class Edits:
    """A commit of edits by hand, and the paths in the repository that it holds."""

    commit: str
    """Empty where nothing was edited."""
    paths: tuple[str, ...]
    left_out: tuple[Uncommitted, ...]


def edits(workspace: Workspace, repository: Repository, head: str) -> Edits:
    """Return a commit on `head` of the notes that were edited by hand, and what it lacks.

    Notes that are new and not ignored are among them, and those that were removed. No branch and
    no index of the user is touched. Raises SecretFound for an edit that holds a credential.
    """
    assembly = Assembly(repository, workspace.state / "git" / "edits")
    found: list[str] = []
    seen = edited(workspace, repository, head)
    paths = seen.paths
    there = repository.in_tree(head, paths)
    ledger = workspace.ledger.path
    written = {
        (change.path, change.after)
        for change, _ in backlog_of(ledger, read(workspace.state, ledger).offset)
    }
    for path in paths:
        within, entry = _within(repository, path), there.get(path)
        try:
            now = workspace.files.read(within)
        except NoteNotFound:
            if entry is not None and (within, "") not in written:
                assembly.entries[path] = None
                found.append(path)
            continue
        if (within, now.digest) in written:
            continue  # written a moment ago, in the name of somebody else
        content, before = now.data, b""
        if entry is not None:
            before = must(repository.git.run("cat-file", "blob", entry.object)).out
        check_edit(decode(before).text, decode(content).text, within)
        stored = must(
            repository.git.run("hash-object", "-w", "--stdin", f"--path={path}", input=content)
        ).text
        if entry is None or entry.object != stored:
            assembly.entries[path] = Entry(entry.mode if entry else "100644", stored)
            found.append(path)
    if not found:
        return Edits("", (), seen.left_out)
    tree = assembly.tree(head)
    named = found[0].removeprefix(repository.prefix)
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    parents = [head] if head else []
    commit = owned(workspace, repository, tree, parents, f"edit: {named}{more}\n")
    return Edits(commit, tuple(found), seen.left_out)


def edited(workspace: Workspace, repository: Repository, head: str) -> Edited:
    """Return the notes that differ from `head`, however large; those too that stay as they are."""
    index = workspace.state / "git" / "seen"
    with suppress(OSError):  # what Git knows of unchanged files spares it reading them
        shutil.copyfile(repository.folder / "index", index)
    variables = {"GIT_INDEX_FILE": str(index)}
    if not repository.git.run("read-tree", "--reset", head or "--empty", variables=variables).ok:
        index.unlink(missing_ok=True)
        must(repository.git.run("read-tree", head or "--empty", variables=variables))
    # Files whose times changed and whose bytes did not are no edits.
    repository.git.run("update-index", "-q", "--refresh", variables=variables, patience=_PATIENCE)
    below = f":(top,literal){repository.prefix}" if repository.prefix else ":(top)"
    known = must(
        repository.git.run(
            *("diff-index", "--no-ext-diff", "--name-only", "--no-renames", "-z"),
            *(head or _EMPTY, "--", below),
            variables=variables,
            patience=_PATIENCE,
        )
    ).out
    new = must(
        repository.git.run(
            *("ls-files", "-z", "--others", "--exclude-standard", "--full-name", "--", below),
            variables=variables,
            patience=_PATIENCE,
        )
    ).out
    # A limit of the index is none of Git: a note that nobody indexes is not to be lost.
    scan = workspace.scan(any_size=True)
    notes = scan.files
    within = [path.removeprefix(repository.prefix) for path in _paths(known)]
    new_within = [path.removeprefix(repository.prefix) for path in _paths(new)]
    paths = [path for path in within if is_memory(workspace, path)]
    paths += [path for path in new_within if _is_new(workspace, path, notes)]
    left = {path for path in (*within, *new_within) if normalize("NFC", path) in notes}
    told = {path: _why_left(path) for path in left.difference(paths)}
    told |= _skipped(scan, (*within, *new_within))
    return Edited(
        tuple(sorted({f"{repository.prefix}{path}" for path in paths})),
        tuple(sorted(told.items())),
    )


def _skipped(scan: Scan, paths: Iterable[str]) -> dict[str, str]:
    """Return those of the paths that a scan does not take for notes by their names, with why."""
    reasons = {one.path: one.reason for one in scan.skipped if one.reason in _SKIPPED}
    found = {}
    for path in paths:
        name = shown(path)
        above = (name[: at + 1] for at, sign in enumerate(name) if sign == "/")
        reason = next((reasons[one] for one in (*above, name) if one in reasons), "")
        if reason and path.lower().endswith(SUFFIXES):
            found[name] = _SKIPPED[reason]
    return found


def _why_left(path: str) -> str:
    if not path.endswith(".md"):
        return "only notes whose names end in .md are committed; rename it, or commit it yourself"
    return "no file of that name can be on every system; rename it, or commit it yourself"


_EMPTY = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def _is_new(workspace: Workspace, path: str, notes: Container[str]) -> bool:
    kept = path.startswith((f"{RECORDS}/", f"{workspace.profile.archive_folder}/"))
    return is_memory(workspace, path) and (kept or path in notes)


def _within(repository: Repository, path: str) -> str:
    return path.removeprefix(repository.prefix)


def _paths(out: bytes) -> list[str]:
    return [path for path in out.decode("utf-8", "surrogateescape").split("\0") if path]
