"""The repository that a workspace lies in, and whether its history may grow at the moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from vademecum.core.frozen import dataclass
from vademecum.workspace import config
from vademecum.workspace.git.command import Git, Ran, program_in

_AT_ONCE = 200
"""Paths in one command: a command line has an end."""
_BUSY = {
    "index.lock": "another git command is running, or left its index.lock behind",
    "HEAD.lock": "another git command is moving HEAD, or left its HEAD.lock behind",
    "MERGE_HEAD": "a merge is not concluded",
    "CHERRY_PICK_HEAD": "a cherry-pick is not concluded",
    "REVERT_HEAD": "a revert is not concluded",
    "rebase-merge": "a rebase is under way",
    "rebase-apply": "a rebase is under way",
}


@dataclass(frozen=True, slots=True)
class Nowhere:
    """There is no repository to speak of, and why."""

    why: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in an index or tree."""

    mode: str
    object: str


@dataclass(frozen=True, slots=True)
class Repository:
    """A working tree with its repository; the workspace is the folder `prefix` in it."""

    git: Git
    top: Path
    folder: Path
    """Where its Git files are: of this working tree, not those that several share."""
    prefix: str
    """Of the workspace, with a slash behind it; empty where it is the top."""

    def busy(self) -> str:
        """Return why nothing may be committed now, empty when it may."""
        for name, why in _BUSY.items():
            if (self.folder / name).exists():
                return why
        head = self.git.run("symbolic-ref", "-q", "HEAD")
        if head.code == 1:
            return "HEAD is detached: there is no branch to commit to"
        return head.error if not head.ok else ""

    def head(self) -> str:
        """Return the commit that HEAD names, empty on a branch without one."""
        found = self.git.run("rev-parse", "-q", "--verify", "HEAD^{commit}")
        return found.text if found.ok else ""

    def in_index(self, paths: Sequence[str]) -> dict[str, Entry] | None:
        """Return what the user's index has at `paths`; None where it cannot be read.

        Files that a merge left in several versions are among them with mode `unmerged`.
        """
        found: dict[str, Entry] = {}
        for start in range(0, len(paths), _AT_ONCE):
            some = _literally(paths[start : start + _AT_ONCE])
            ran = self.git.run("ls-files", "-s", "-z", "--", *some)
            if not ran.ok:
                return None
            for row in _rows(ran):
                fields, _, path = row.partition("\t")
                mode, object, stage = fields.split(" ")
                found[path] = Entry(mode if stage == "0" else "unmerged", object)
        return found

    def in_tree(self, commit: str, paths: Sequence[str]) -> dict[str, Entry]:
        """Return what a commit has at `paths`."""
        found: dict[str, Entry] = {}
        for start in range(0, len(paths) if commit else 0, _AT_ONCE):
            some = paths[start : start + _AT_ONCE]
            ran = self.git.run("ls-tree", "-z", "--full-tree", commit, "--", *some)
            for row in _rows(ran):
                fields, _, path = row.partition("\t")
                mode, _, object = fields.split(" ")
                found[path] = Entry(mode, object)
        return found

    def write_index(
        self, entries: Mapping[str, Entry | None], variables: Mapping[str, str] | None = None
    ) -> Ran:
        """Set entries of an index, None removing one; the user's unless `variables` say which."""
        rows = "".join(
            f"{entry.mode} {entry.object} 0\t{path}\0" if entry else f"0 {'0' * 40} 0\t{path}\0"
            for path, entry in entries.items()
        )
        data = rows.encode("utf-8", "surrogateescape")
        return self.git.run("update-index", "-z", "--index-info", input=data, variables=variables)


def repository_of(root: Path, variables: Mapping[str, str] | None = None) -> Repository | Nowhere:
    """Return the repository whose working tree the folder `root` is part of."""
    variables = config.environment() if variables is None else variables
    program = program_in(variables.get("PATH", "/usr/bin:/bin"))
    if not program:
        return Nowhere("there is no git command")
    git = Git(program, root, variables)
    ran = git.run("rev-parse", "--show-toplevel", "--absolute-git-dir", "--show-prefix")
    if not ran.ok:
        none = "not a git repository" in ran.error
        return Nowhere("the workspace is in no repository" if none else ran.error)
    top, folder, prefix = (ran.text + "\n").split("\n")[:3]
    return Repository(Git(program, Path(top), variables), Path(top), Path(folder), prefix)


def _literally(paths: Iterable[str]) -> list[str]:
    return [f":(literal,top){path}" for path in paths]


def _rows(ran: Ran) -> list[str]:
    return [row for row in ran.out.decode("utf-8", "surrogateescape").split("\0") if row]
