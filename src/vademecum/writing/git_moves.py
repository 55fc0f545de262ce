"""Notes and claims that one side moved: both sides agree on the place before they are merged.

Git follows a note to a new name where enough of it stayed, and never a line to another note. Unless
both sides have a claim in one place, what one did to it where it was and the other where it is
would both stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from vademecum.markdown.lines import decode, split
from vademecum.workspace.git import Repository
from vademecum.workspace.git.repository import Entry
from vademecum.workspace.git.trees import Assembly, Step, blobs, steps
from vademecum.workspace.workspace import Workspace
from vademecum.writing.commit_message import owned
from vademecum.writing.git_homes import claims_by_id

_MESSAGE = "what was moved, where both sides come to have it\n"


def with_moves_agreed(
    workspace: Workspace, repository: Repository, base: str, ours: str, theirs: str
) -> tuple[str, str]:
    """Return two commits to merge in place of `ours` and `theirs`, whose common ancestor is `base`.

    In each, a note or claim that either side moved stands where it was moved to (by theirs, where
    both moved it), in the words of that side. They are the commits given where nothing was moved.
    """
    sides = (_Side(repository, base, ours), _Side(repository, base, theirs))
    before = {**sides[0].before, **sides[1].before}
    origin = _Side(repository, base, base)
    all_three = (origin, *sides)
    for side in all_three:
        side.learn(before)
    homes = _homes(origin, *sides)
    names = _names(all_three)
    if not homes and not names:
        return ours, theirs
    for side in all_three:
        for id, home in homes.items():
            side.put(id, home)
    index = workspace.state / "git" / "moves"
    common = owned(workspace, repository, origin.tree(names, index), [], _MESSAGE)
    made = [
        owned(workspace, repository, side.tree(names, index), [common], _MESSAGE) for side in sides
    ]
    return made[0], made[1]


class _Side:
    """The notes that somebody changed as one side has them, by their names in common history."""

    def __init__(self, repository: Repository, base: str, commit: str) -> None:
        self._repository = repository
        self._commit = commit
        self.names: dict[str, str] = {}
        """Of each note that this side renamed, how it is called here."""
        self._entries: dict[str, Entry | None] = {}
        self._texts: dict[str, str] = {}
        self._changed: set[str] = set()
        self._places: dict[str, list[str]] = {}
        self.before: dict[str, Entry] = {}
        """What common history has of each note that this side changed."""
        found = [step for step in steps(repository, base, commit) if _is_note(step)]
        moved = {step.moved_from for step in found if step.moved_from}
        for step in found:
            if step.before is not None:
                self.before[step.path] = step.before
            if step.moved_from:
                self.names[step.moved_from] = step.path
            if step.after is not None or step.path not in moved:
                self._entries[step.moved_from or step.path] = step.after

    def learn(self, before: Mapping[str, Entry]) -> None:
        """Take the notes that only the other side changed as common history has them."""
        for name, entry in before.items():
            self._entries.setdefault(name, entry)
        present = {name: entry for name, entry in self._entries.items() if entry is not None}
        raw = blobs(self._repository, sorted({entry.object for entry in present.values()}))
        for name, entry in present.items():
            read = decode(raw[entry.object])
            if not read.defect and read.encoding == "utf-8":  # else an edit would destroy it
                self._texts[name] = read.text
                for id in claims_by_id(read.text):
                    self._places.setdefault(id, []).append(name)

    @property
    def ids(self) -> Iterable[str]:
        """The claims of these notes."""
        return self._places

    def place(self, id: str) -> str:
        """Return the one note that has a claim; empty where none or several have it."""
        places = self._places.get(id, [])
        return places[0] if len(places) == 1 else ""

    def has(self, path: str) -> bool:
        """Whether there is anything at a path of this side."""
        return bool(self._repository.in_tree(self._commit, [path]))

    def called(self, name: str) -> str:
        """Return the path that a note has on this side."""
        return self.names.get(name, name)

    def put(self, id: str, home: str) -> None:
        """Let a claim stand in the note `home`, if this side has it in another."""
        place = self.place(id)
        if not place or place == home:
            return
        lines = split(self._texts[place])
        span = claims_by_id(self._texts[place])[id].span
        taken = "".join(lines[span.first - 1 : span.last])
        del lines[span.first - 1 : span.last]
        there = self._texts.get(home, "")
        self._texts[place] = "".join(lines)
        self._texts[home] = _ended(there) + _ended(taken)
        self._changed |= {place, home}
        self._places[id] = [home]

    def tree(self, names: Mapping[str, str], index: Path) -> str:
        """Return the tree of this side with what was put elsewhere, notes called by `names`."""
        assembly = Assembly(self._repository, index)
        for name in self._changed | names.keys():
            entry = self._entries.get(name)
            if entry is not None and name in names:
                assembly.entries.setdefault(self.called(name), None)
                assembly.entries[names[name]] = entry
            if name in self._changed:
                path = names.get(name, self.called(name))
                assembly.put(path, self._texts[name].encode())
        return assembly.tree(self._commit)


def _homes(origin: _Side, ours: _Side, theirs: _Side) -> dict[str, str]:
    """Return the claims that stand in different notes, each with the note where it is to stand."""
    found = {}
    for id in ours.ids:
        was, here, there = (side.place(id) for side in (origin, ours, theirs))
        if was and here and there and not here == there == was:
            found[id] = here if there == was else there
    return found


def _names(sides: tuple[_Side, _Side, _Side]) -> dict[str, str]:
    """Return the notes that are called differently, each with the path that it is to have.

    One whose path is taken on some side is left to Git.
    """
    _, ours, theirs = sides
    found: dict[str, str] = {}
    for name in (*theirs.names, *ours.names):
        path = theirs.names.get(name) or ours.names[name]
        free = all(side.called(name) == path or not side.has(path) for side in sides)
        if free and path not in found.values():
            found.setdefault(name, path)
    return found


def _is_note(step: Step) -> bool:
    return step.path.endswith(".md") and "/.vade/" not in f"/{step.path}"


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"
