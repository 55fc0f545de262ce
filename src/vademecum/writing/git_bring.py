"""Bringing merged versions into the working tree, where others go on writing meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from vademecum.core.changes import Change, Signature
from vademecum.core.clock import human_day
from vademecum.core.errors import ChangedMeanwhile, InvalidPath, NoteNotFound, Refused
from vademecum.core.provenance import Actor
from vademecum.markdown.lines import decode
from vademecum.workspace.beneath import twins_beside
from vademecum.workspace.git import Repository
from vademecum.workspace.git.trees import Assembly, Contents, Step
from vademecum.workspace.paths import key_of, portable
from vademecum.workspace.reading import Content
from vademecum.workspace.workspace import Workspace
from vademecum.writing.git_homes import edited, homes_of, in_order, with_lines
from vademecum.writing.git_union import Aside, together
from vademecum.writing.signing import sign
from vademecum.writing.tombstones import tombstone_path, tombstones, without_forgotten

VERB = "sync"
_REGULAR = frozenset({"100644", "100755"})
_ATTEMPTS = 10


def is_memory(workspace: Workspace, path: str) -> bool:
    """Whether a file of the workspace is one that is written as memory is: by claim and version."""
    named = path.endswith(".md") or path == tombstone_path(workspace.profile)
    try:
        sound = named and portable(path) == path
    except InvalidPath:
        return False
    return sound and (workspace.bounds is None or workspace.bounds.holds(path))


class Bringing:
    """The steps from one commit to the next, taken in the working tree of one workspace."""

    def __init__(
        self,
        workspace: Workspace,
        repository: Repository,
        actor: Actor,
        steps: Sequence[Step],
    ) -> None:
        self._workspace = workspace
        self._repository = repository
        self._actor = actor
        self._contents = Contents(repository)
        self._day = human_day(workspace.clock.now(), workspace.zone)
        self.twins = twins(workspace, repository, steps)
        """Paths in the repository that Git makes, each with the name beside it, as `twins` says."""
        self.memory: list[Step] = []
        """Steps of notes by path in the repository, tombstones first, removals that leave nothing
        elsewhere last."""
        self.others: list[Step] = []
        """Steps that Git takes itself: files outside, links, names that we do not make."""
        for step in steps:
            (self.memory if self._is_ours(step) else self.others).append(step)
        stones = repository.prefix + tombstone_path(workspace.profile)
        self.memory.sort(key=lambda step: (step.after is None, step.path != stones, step.path))
        self._contents.prepare(self.memory)
        self.homes = homes_of(self.versions())
        """Where the claims go that a note loses to another."""
        self._put_in_order()
        self.taken: dict[str, str] = {}
        """Of each file that was written, the change by which it was."""

    def versions(self) -> dict[str, tuple[bytes | None, bytes | None]]:
        """Return what each note holds before and after."""
        return {
            self._within(step): (
                self._contents.of(step.path, step.before),
                self._contents.of(step.path, step.after),
            )
            for step in self.memory
        }

    def moves(self) -> dict[str, str]:
        """Return the notes that get another name, with that."""
        moved = [step for step in self.memory if step.moved_from]
        return {self._stripped(step.moved_from): self._within(step) for step in moved}

    def _put_in_order(self) -> None:
        """Let what goes from one note to another be in the other first, and gone right after."""
        needs = {path: set(homes.values()) for path, homes in self.homes.items()}
        for path, target in self.moves().items():
            needs.setdefault(path, set()).add(target)
        steps = {self._within(step): step for step in self.memory}
        self.memory = [steps[path] for path in in_order(list(steps), needs)]

    def moved_on(self) -> list[str]:
        """Return the files that are no longer as the steps expect them."""
        found = []
        for step in self.memory:
            now = self._now(self._within(step))
            if (now.data if now else None) != self._contents.of(step.path, step.before):
                found.append(self._within(step))
        return found

    def take_others(self, head: str) -> None:
        """Let Git take the steps that are no memory, if nothing of the user's is in the way.

        Raises Refused, with nothing changed.
        """
        if not self.others:
            return
        assembly = Assembly(self._repository, self._workspace.state / "git" / "others")
        assembly.entries |= {step.path: step.after for step in self.others}
        tree = assembly.tree(head)
        # A note that we wrote is news to the user's index, though it has the very bytes.
        self._repository.git.run("update-index", "-q", "--refresh")
        ran = self._repository.git.run("read-tree", "-m", "-u", head or _EMPTY, tree)
        if not ran.ok:
            why = ran.error.removeprefix("error: ").rstrip(".")
            raise Refused(
                f"Files beside memory are in the way of what the others sent: {why}.",
                hint="Commit or put away your changes to them, and sync again.",
            )

    def take(self) -> list[str]:
        """Write every note as the steps say, with what was edited meanwhile; return what changed.

        Raises what any write raises; what was brought in by then stays, and the next sync goes on.
        """
        changed = []
        digests: frozenset[str] | None = None
        for step in self.memory:
            if digests is None and not step.path.endswith(".jsonl"):
                digests = frozenset(tombstones(self._workspace))
            path = self._within(step)
            before = self._contents.of(step.path, step.before)
            after = self._contents.of(step.path, step.after)
            if after is not None and digests:
                after = _without_forgotten(path, after, digests)
            change = self._bring(path, before, after)
            if change is not None:
                self.taken[path] = change.id
                changed.append(path)
        return changed

    def keep(self, asides: Iterable[Aside]) -> list[str]:
        """Keep versions that found no place as conflict records; return the records."""
        return [self._aside(self._stripped(one.path), one.content, one.why) for one in asides]

    # ------------------------------------------------------------ one file

    def _bring(self, path: str, before: bytes | None, after: bytes | None) -> Change | None:
        for _ in range(_ATTEMPTS):
            now = self._now(path)
            try:
                old, held = self._followed(path, before, now)
                if after is None:
                    return self._remove(path, old, now, held)
                if now is None:
                    if before is not None:
                        return None  # removed here meanwhile; the next sync tells the others
                    made = self._workspace.files.create(path, after, self._sign(path))
                    if made is not None:
                        return made
                    continue
                return self._replace(path, old or b"", now, held, after)
            except (ChangedMeanwhile, NoteNotFound):
                continue
        raise ChangedMeanwhile(
            f"{path} keeps changing, so the version of the others was not brought in.",
            hint="Sync again when it is quiet; nothing is lost.",
        )

    def _remove(
        self, path: str, before: bytes | None, now: Content | None, held: bytes
    ) -> Change | None:
        if now is None:
            return None
        if held == before:
            return self._workspace.files.remove(now, self._sign(path))
        target = next((s for s in self.memory if self._stripped(s.moved_from) == path), None)
        if target is None:
            return None  # edited here meanwhile: it stays, and the next sync tells the others
        # It was moved there and edited here: the edit follows the file.
        there = self._workspace.files.read(self._within(target))
        self._replace(there.path, before or b"", there, there.data, held)
        return self._workspace.files.remove(now, self._sign(path))

    def _followed(
        self, path: str, before: bytes | None, now: Content | None
    ) -> tuple[bytes | None, bytes]:
        """Let edits of claims that go to another note follow them there.

        Returns `before` and what is here now, both without those claims.
        """
        held = now.data if now else b""
        homes = self.homes.get(path, {})
        if not homes or before is None or held == before:
            return before, held
        for id, old, new in edited(before, held, homes):
            if self._follows(homes[id], id, old, new):
                before = with_lines(before, id, "") or b""
                held = with_lines(held, id, "") or b""
        return before, held

    def _follows(self, home: str, id: str, old: str, new: str) -> bool:
        there = self._now(home)
        base, theirs = (with_lines(there.data if there else b"", id, one) for one in (old, new))
        if there is None or base is None or theirs is None:
            return False
        self._replace(home, base, there, there.data, theirs)
        return True

    def _replace(
        self, path: str, before: bytes, now: Content, held: bytes, after: bytes
    ) -> Change | None:
        """Merge `after` into the note; `held` is what it holds now, as far as that stays here."""
        done = together(self._workspace, path, before, held, after, self._day)
        if not done.whole:
            self._aside(path, after, "edited here while a sync brought in another version")
        return self._workspace.files.replace(now, done.content, self._sign(path)).change

    def _aside(self, path: str, content: bytes, why: str) -> str:
        return self._workspace.files.keep_aside(path, content, self._sign(path), why)

    # ------------------------------------------------------------ small things

    def _now(self, path: str) -> Content | None:
        try:
            return self._workspace.files.read(path)
        except NoteNotFound:
            return None

    def _sign(self, path: str) -> Signature:
        return sign(self._workspace, self._actor, VERB, f"{path}: from the others")

    def _within(self, step: Step) -> str:
        return self._stripped(step.path)

    def _stripped(self, path: str) -> str:
        return path.removeprefix(self._repository.prefix)

    def _is_ours(self, step: Step) -> bool:
        entries = [entry for entry in (step.before, step.after) if entry is not None]
        return (
            step.path.startswith(self._repository.prefix)
            and step.path not in self.twins
            and all(entry.mode in _REGULAR for entry in entries)
            and is_memory(self._workspace, self._within(step))
        )


_EMPTY = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""The empty tree, which every repository knows."""


def twins(workspace: Workspace, repository: Repository, steps: Sequence[Step]) -> dict[str, str]:
    """Return the paths that are one name with another to some system: we would not make both.

    Each with the path of the other, empty where that goes: then a name changes its spelling.
    """
    seen: dict[str, dict[str, list[str]]] = {}
    for step in steps:
        for prefix in _prefixes(step.path):
            seen.setdefault(key_of(prefix), {}).setdefault(prefix, []).append(step.path)
    found: dict[str, str] = {}
    for spellings in seen.values():
        if len(spellings) > 1:
            for prefix, paths in spellings.items():
                other = next(one for one in spellings if one != prefix)
                found |= dict.fromkeys(paths, other)
    new = [step.path for step in steps if step.before is None and step.path not in found]
    within = {
        path.removeprefix(repository.prefix): path for path in new if _lies_in(repository, path)
    }
    beside = twins_beside(workspace.root, within)
    found |= {within[path]: f"{repository.prefix}{other}" for path, other in beside.items()}
    gone = {prefix for step in steps if step.after is None for prefix in _prefixes(step.path)}
    return {path: "" if other in gone else other for path, other in found.items()}


def told_of(
    found: Mapping[str, str], steps: Iterable[Step], repository: Repository
) -> list[tuple[str, str]]:
    """Return the paths in the repository that stay beside a twin, each with what is to be done."""
    made = {step.path for step in steps if step.after is not None}
    return [
        (
            path,
            f"on some systems this is the name of {other.removeprefix(repository.prefix)} too; "
            "rename one of them",
        )
        for path, other in sorted(found.items())
        if other and path in made and _lies_in(repository, path)
    ]


def _lies_in(repository: Repository, path: str) -> bool:
    return path.startswith(repository.prefix)


def _prefixes(path: str) -> list[str]:
    """Return a path and the folders that it lies in."""
    return [path, *(path[:at] for at, sign in enumerate(path) if sign == "/")]


def _without_forgotten(path: str, content: bytes, digests: frozenset[str]) -> bytes:
    if not path.endswith(".md"):
        return content
    text = decode(content)
    kept, gone = without_forgotten(path, text.text, digests)
    return text.encode(kept) if gone and not text.defect else content
