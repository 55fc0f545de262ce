"""Trees of a repository: two histories merged, compared, read and written, no file touched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from vademecum.core.errors import Refused, StorageFailed
from vademecum.core.frozen import dataclass
from vademecum.workspace.git.command import Ran
from vademecum.workspace.git.repository import Entry, Repository

_PATIENCE = 300.0
_OLDEST = (2, 38)
"""The first Git that merges trees without a working tree."""
_FILTERED = ("filter", "eol", "text", "ident", "working-tree-encoding")
_UNSET = frozenset({"unspecified", "unset"})
_SETTINGS = (
    *("-c", "merge.directoryRenames=false"),  # a note stays where its author put it
    *("-c", "merge.renames=true"),
    *("-c", "merge.renameLimit=10000"),
    # Whatever both sides changed is left to us: the driver declines, and the versions are told.
    *("-c", "merge.vade.driver=false"),
    *("-c", "merge.vade.recursive=text"),
)

Versions = Mapping[int, Entry]
"""What a file is in the common history (1), here (2) and there (3), where it is there at all."""


@dataclass(frozen=True, slots=True)
class MergedTrees:
    """What Git came to by itself, and what it left open."""

    tree: str
    open: Mapping[str, Versions]
    """Files that both sides changed, or one changed and the other removed."""
    moved_twice: tuple[tuple[str, str, str], ...] = ()
    """Files that both sides moved: from where, to where here, to where there."""


@dataclass(frozen=True, slots=True)
class Step:
    """How one path differs between two trees; None: it is not there."""

    path: str
    before: Entry | None
    after: Entry | None
    moved_from: str = ""
    """The path that this one is a new name of, where Git sees that."""


def merged_trees(repository: Repository, ours: str, theirs: str, attributes: Path) -> MergedTrees:
    """Merge two commits. `attributes` is a file of attributes for paths that name none.

    Raises Refused for an old Git and for histories that have nothing in common.
    """
    _check_version(repository)
    ran = repository.git.run(
        *(*_SETTINGS, "-c", f"core.attributesFile={attributes}"),
        *("merge-tree", "--write-tree", "--messages", "-z", ours, theirs),
        patience=_PATIENCE,
    )
    if ran.code not in (0, 1) or not ran.out:
        raise Refused(
            f"The two histories cannot be merged: {ran.error.removeprefix('fatal: ')}.",
            hint="Look at both with `git log --all --graph`, and merge them by hand once.",
        )
    rows = ran.out.decode("utf-8", "surrogateescape").split("\0")
    versions, rest = _open_files(rows[1:])
    return MergedTrees(rows[0], versions, tuple(_moved_twice(rest)))


def steps(repository: Repository, before: str, after: str) -> list[Step]:
    """Return how `after` differs from `before` (trees or commits, empty: nothing), by path."""
    old = before or repository.git.run("hash-object", "-t", "tree", "--stdin").text
    ran = must(
        repository.git.run(
            "diff-tree", "-r", "-z", "-M", "-l10000", "--raw", "--no-abbrev", old, after
        )
    )
    rows = iter(ran.out.decode("utf-8", "surrogateescape").split("\0"))
    found: list[Step] = []
    for row in rows:
        if not row.startswith(":"):
            continue
        old_mode, new_mode, old_object, new_object, status = row[1:].split(" ")
        path = next(rows)
        before_entry, after_entry = _entry(old_mode, old_object), _entry(new_mode, new_object)
        if status[0] in "RC":
            target = next(rows)
            if status[0] == "R":
                found.append(Step(path, before_entry, None))
            found.append(Step(target, None, after_entry, path if status[0] == "R" else ""))
        else:
            found.append(Step(path, before_entry, after_entry))
    return found


class Contents:
    """What files hold in the working tree when a tree is checked out: line ends as configured."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._raw: dict[str, bytes] = {}
        self._filtered: set[str] | None = None

    def prepare(self, steps: Iterable[Step]) -> None:
        """Read what `of` will be asked for in one go."""
        steps = list(steps)
        objects = {entry.object for step in steps for entry in (step.before, step.after) if entry}
        self._raw |= blobs(self._repository, sorted(objects - self._raw.keys()))
        self._filtered = self._with_filters(sorted({step.path for step in steps}))

    def of(self, path: str, entry: Entry | None) -> bytes | None:
        """Return the content of one entry; None for none. Raises StorageFailed."""
        if entry is None:
            return None
        if self._filtered is not None and path not in self._filtered:
            return self._raw[entry.object]
        ran = self._repository.git.run("cat-file", "--filters", f"--path={path}", entry.object)
        return must(ran).out

    def _with_filters(self, paths: Sequence[str]) -> set[str] | None:
        """Return the paths that Git changes on their way to disk, None for possibly all."""
        git = self._repository.git
        if git.run("config", "--type=bool", "core.autocrlf").text == "true":
            return None
        data = "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")
        ran = must(git.run("check-attr", "-z", "--stdin", *_FILTERED, input=data))
        fields = ran.out.decode("utf-8", "surrogateescape").split("\0")
        rows = zip(fields[::3], fields[2::3], strict=False)
        return {path for path, value in rows if value not in _UNSET}


def blobs(repository: Repository, objects: Sequence[str]) -> dict[str, bytes]:
    """Return the raw contents of blobs by their names. Raises StorageFailed."""
    if not objects:
        return {}
    data = "".join(f"{name}\n" for name in objects).encode()
    out = must(repository.git.run("cat-file", "--batch", input=data, patience=_PATIENCE)).out
    found: dict[str, bytes] = {}
    at = 0
    for name in objects:
        end = out.index(b"\n", at)
        head = out[at:end].split()
        if len(head) != 3:
            raise StorageFailed(
                f"The repository lacks the object {name}.", hint="Look at it with `git fsck`."
            )
        size = int(head[2])
        found[name] = out[end + 1 : end + 1 + size]
        at = end + 1 + size + 1
    return found


@dataclass(slots=True)
class Assembly:
    """A tree that is put together: one that there is, with other entries at some paths."""

    repository: Repository
    index: Path
    entries: dict[str, Entry | None] = field(default_factory=dict)

    def put(self, path: str, content: bytes, mode: str = "100644") -> None:
        """Let the file at `path` hold `content`, as it is in the repository."""
        ran = self.repository.git.run("hash-object", "-w", "--stdin", input=content)
        self.entries[path] = Entry(mode, must(ran).text)

    def tree(self, base: str) -> str:
        """Return the tree: `base` with the entries; the index file is made for it."""
        variables = {"GIT_INDEX_FILE": str(self.index)}
        for name in (self.index, self.index.with_name(f"{self.index.name}.lock")):
            name.unlink(missing_ok=True)
        must(self.repository.git.run("read-tree", base or "--empty", variables=variables))
        must(self.repository.write_index(self.entries, variables))
        return must(self.repository.git.run("write-tree", variables=variables)).text


def must(ran: Ran) -> Ran:
    """Return `ran` once it went well. Raises StorageFailed with what Git said."""
    if not ran.ok:
        raise StorageFailed(
            f"Git could not do its part: {(ran.error or 'it ended without a word').rstrip('.')}.",
            hint="Look at the repository with `git status` and `git fsck`; memory is unharmed.",
        )
    return ran


def _check_version(repository: Repository) -> None:
    words = repository.git.run("version").text.split()
    told = words[2].split(".") if len(words) > 2 else []
    numbers = tuple(int(part) for part in told[:2] if part.isdigit())
    if numbers < _OLDEST:
        raise Refused(
            f"This is Git {'.'.join(told) or 'of an unknown version'}; a sync needs "
            f"{'.'.join(map(str, _OLDEST))} or newer.",
            hint="Merge with `git pull` meanwhile: it asks the merge driver of `vade git setup`.",
        )


def _open_files(rows: Sequence[str]) -> tuple[dict[str, dict[int, Entry]], list[str]]:
    found: dict[str, dict[int, Entry]] = {}
    for number, row in enumerate(rows):
        if not row:
            return found, list(rows[number + 1 :])
        fields, _, path = row.partition("\t")
        mode, object, stage = fields.split(" ")
        found.setdefault(path, {})[int(stage)] = Entry(mode, object)
    return found, []


def _moved_twice(rows: Sequence[str]) -> Iterable[tuple[str, str, str]]:
    at = 0
    while at < len(rows) and rows[at].isdigit():
        count = int(rows[at])
        paths, kind = rows[at + 1 : at + 1 + count], rows[at + 1 + count]
        if kind == "CONFLICT (rename/rename)" and count == 3:
            yield paths[0], paths[1], paths[2]
        at += count + 3


def _entry(mode: str, object: str) -> Entry | None:
    return None if mode == "000000" else Entry(mode, object)
