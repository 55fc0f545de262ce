"""Two histories of one memory made one: by Git where one side changed, by claim where both did."""

from __future__ import annotations

from datetime import date

from vademecum.core.clock import human_day
from vademecum.core.errors import Refused
from vademecum.core.frozen import dataclass
from vademecum.markdown.lines import decode, is_binary, split
from vademecum.markdown.merge import merge
from vademecum.markdown.merge.removed import mark_removed
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.git import Repository
from vademecum.workspace.git.repository import Entry
from vademecum.workspace.git.trees import (
    Assembly,
    MergedTrees,
    Versions,
    blobs,
    merged_trees,
)
from vademecum.workspace.whole import make_folders, write_whole
from vademecum.workspace.workspace import Workspace
from vademecum.writing.git_moves import with_moves_agreed
from vademecum.writing.known import is_editable
from vademecum.writing.tombstones import tombstone_path

_REGULAR = frozenset({"100644", "100755"})
_MARKER = 71
"""Length of the markers around prose of both sides: as no text has them."""
_OURS, _BETWEEN, _THEIRS = (sign * _MARKER for sign in "<=>")


@dataclass(frozen=True, slots=True)
class Aside:
    """A version that found no place in the merged file, and why; kept beside it."""

    path: str
    content: bytes
    why: str


@dataclass(frozen=True, slots=True)
class Union:
    """What both histories come to."""

    tree: str
    conflicts: tuple[tuple[str, str], ...] = ()
    """Path in the repository, and what a person has to rule there."""
    asides: tuple[Aside, ...] = ()


@dataclass(frozen=True, slots=True)
class Together:
    """What two versions of one text come to, without markers in it."""

    content: bytes
    conflicts: tuple[str, ...] = ()
    whole: bool = True
    """Whether all of theirs is in it."""


def united(workspace: Workspace, repository: Repository, ours: str, theirs: str) -> Union:
    """Return what two commits come to; no file, branch or index is touched.

    Raises Refused where they disagree over something that is no memory, or cannot be merged.
    """
    folder = workspace.state / "git"
    with state_translated(folder):
        make_folders(folder)
        write_whole(folder / "attributes", _attributes(workspace, repository), durable=False)
    base = repository.git.run("merge-base", ours, theirs).text
    if base:
        ours, theirs = with_moves_agreed(workspace, repository, base, ours, theirs)
    found = merged_trees(repository, ours, theirs, folder / "attributes")
    return _Uniting(workspace, repository, found, ours, theirs).run()


class _Uniting:
    """What Git left open, closed."""

    def __init__(
        self,
        workspace: Workspace,
        repository: Repository,
        found: MergedTrees,
        ours: str,
        theirs: str,
    ) -> None:
        self._workspace = workspace
        self._repository = repository
        self._found = found
        self._commits = (ours, theirs)
        self._day = human_day(workspace.clock.now(), workspace.zone)
        self._assembly = Assembly(repository, workspace.state / "git" / "union")
        self._conflicts: list[tuple[str, str]] = []
        self._asides: list[Aside] = []

    def run(self) -> Union:
        left = dict(self._found.open)
        for base, here, there in self._found.moved_twice:
            versions = self._moved(left.pop(base, {}), here, there)
            left.pop(here, None)
            left.pop(there, None)
            self._assembly.entries[here] = None
            self._close(there, versions)
        for path, versions in left.items():
            if 2 in versions and 3 in versions:
                self._close(path, versions)
            else:
                self._keep(path, versions)
        tree = self._assembly.tree(self._found.tree) if self._assembly.entries else self._found.tree
        return Union(tree, tuple(self._conflicts), tuple(self._asides))

    def _moved(self, base: Versions, here: str, there: str) -> Versions:
        """Return the versions of a file that both sides moved, each from its own place."""
        ours = self._repository.in_tree(self._commits[0], [here])[here]
        theirs = self._repository.in_tree(self._commits[1], [there])[there]
        return {**base, 2: ours, 3: theirs}

    def _keep(self, path: str, versions: Versions) -> None:
        """Keep what one side changed and the other removed: Git has left it in the tree."""
        self._check(path, versions)
        side = versions.get(2) or versions.get(3)
        if side is not None and not self._repository.in_tree(self._found.tree, [path]):
            self._assembly.entries[path] = side
        if side is not None:
            self._mark(path, side)
            told = "one side removed it and the other changed it; it stays"
            self._conflicts.append((path, told))

    def _mark(self, path: str, side: Entry) -> None:
        """Say in a note that it was removed on one side, so that every clone has it in review."""
        within = path.removeprefix(self._repository.prefix)
        content = blobs(self._repository, [side.object])[side.object]
        text = decode(content)
        if not is_editable(self._workspace, within) or is_binary(content) or text.defect:
            return
        marked = mark_removed(text.text, self._day)
        self._assembly.put(path, text.encode(marked), side.mode)

    def _close(self, path: str, versions: Versions) -> None:
        """Merge a file that both sides changed."""
        self._check(path, versions)
        texts = blobs(self._repository, sorted({entry.object for entry in versions.values()}))
        base, ours, theirs = (
            texts[versions[side].object] if side in versions else b"" for side in (1, 2, 3)
        )
        within = path.removeprefix(self._repository.prefix)
        done = together(self._workspace, within, base, ours, theirs, self._day)
        self._assembly.put(path, done.content, versions[2].mode)
        self._conflicts += [(path, told) for told in done.conflicts]
        if not done.whole:
            self._asides.append(Aside(path, theirs, "both sides rewrote the same lines"))

    def _check(self, path: str, versions: Versions) -> None:
        """Raise Refused unless it is a text of memory that both sides disagree over."""
        ours = path.startswith(self._repository.prefix) and path.endswith((".md", ".jsonl"))
        if ours and all(entry.mode in _REGULAR for entry in versions.values()):
            return
        raise Refused(
            f"Both sides changed {path}, which is no note, so nothing was merged.",
            hint="Merge with `git pull`, settle that file by hand, and sync again.",
        )


def together(
    workspace: Workspace, path: str, base: bytes, ours: bytes, theirs: bytes, day: date
) -> Together:
    """Return what two versions of a file come to; prose that both rewrote stays as ours has it."""
    if ours == theirs or theirs == base:
        return Together(ours)
    if ours == base:
        return Together(theirs)
    texts = [decode(data) for data in (base, ours, theirs)]
    if any(
        is_binary(data) or text.defect
        for data, text in zip((base, ours, theirs), texts, strict=True)
        if data
    ):
        return Together(ours, ("it is no text that could be merged",), whole=False)
    if path == tombstone_path(workspace.profile):
        lines = dict.fromkeys(split(texts[1].text) + split(texts[2].text))
        return Together(texts[1].encode("".join(lines)))
    old, mine, yours = (text.text for text in texts)
    merged = merge(
        old,
        mine,
        yours,
        path,
        day=day,
        role=workspace.role_of(path),
        marker=_MARKER,
    )
    text, clashes = _without_markers(merged.text)
    return Together(texts[1].encode(text), merged.conflicts, whole=not clashes)


def _without_markers(text: str) -> tuple[str, int]:
    """Return a text with our side of each clash, and how many clashes there were."""
    kept: list[str] = []
    clashes, theirs = 0, False
    for line in split(text):
        if line.startswith((_OURS, _BETWEEN, _THEIRS)):
            theirs = line.startswith(_BETWEEN)
            clashes += line.startswith(_OURS)
        elif not theirs:
            kept.append(line)
    return "".join(kept), clashes


def _attributes(workspace: Workspace, repository: Repository) -> bytes:
    """Return attributes by which every note of the workspace is left to us."""
    prefix = repository.prefix.replace("\\", "\\\\").replace('"', '\\"')
    stones = tombstone_path(workspace.profile)
    rows = (f'"/{prefix}**/*.md" merge=vade', f'"/{prefix}{stones}" merge=vade')
    return ("\n".join(rows) + "\n").encode()
