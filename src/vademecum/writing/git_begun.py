"""What a sync that died had begun, as three versions that a merge can tell apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from vademecum.core.changes import Change
from vademecum.core.clock import human_day
from vademecum.core.errors import NoteNotFound
from vademecum.core.ids import digest_of
from vademecum.workspace.git import Repository
from vademecum.workspace.git.repository import Entry
from vademecum.workspace.git.trees import Assembly, blobs, must, steps
from vademecum.workspace.workspace import Workspace
from vademecum.writing.commit_message import owned
from vademecum.writing.git_bring import Bringing
from vademecum.writing.git_edits import edited
from vademecum.writing.git_homes import claims_of, with_lines
from vademecum.writing.git_union import Union, together, united

_MESSAGE = "what a sync that died had begun\n"


@dataclass(slots=True)
class Begun:
    """The files of a commit, brought in as far as that had come, and what was done to them since.

    Its base is each file as it was left: brought in or not. What is there now is one side, the
    commit the other. A copy that was only there because its other place came first is in none of
    them, and what was done to it was done to the one that stays.
    """

    workspace: Workspace
    repository: Repository
    start: str
    commit: str
    brought: Mapping[str, Sequence[Change]]
    bringing: Bringing
    _base: dict[str, bytes | None] = field(default_factory=dict)
    _now: dict[str, bytes | None] = field(default_factory=dict)
    _old: dict[str, bytes | None] = field(default_factory=dict)

    def union(self, head: str) -> tuple[str, Union]:
        """Return the tree of what is there now, with what it and the commit come to."""
        here = self._tree_of_now(head)
        done: set[str] = set()
        for path, (before, after) in self.bringing.versions().items():
            self._old[path] = before
            if path in self.brought and not self._is_taken_back(path, done):
                done.add(path)
            self._base[path] = after if path in done else before
        self._fold_notes(done, here)
        self._fold_claims(done)
        base = self._commit(self._tree(self.start, self._base), [])
        now = self._commit(self._tree(here, self._now), [base])
        theirs = self._commit(
            must(self.repository.git.run("rev-parse", f"{self.commit}^{{tree}}")).text, [base]
        )
        return here, united(self.workspace, self.repository, now, theirs)

    def _is_taken_back(self, path: str, done: set[str]) -> bool:
        """Whether what was brought in was thrown away, such as by `git checkout`.

        Then the file is as it was, or was when it was next written, or has a claim again that went
        elsewhere, and is there or was thrown away there. One that did not exist stays removed.
        """
        now, before = self._here(path), self._old[path]
        if now is None or before is None:
            return False
        written_to = {change.before for change in self.brought[path][1:]}
        if now == before or digest_of(before) in written_to:
            return True
        homes = self.bringing.homes.get(path, {}).items()
        return any(
            id in claims_of(now) and (home not in done or id in claims_of(self._here(home)))
            for id, home in homes
        )

    def _tree_of_now(self, head: str) -> str:
        prefix = self.repository.prefix
        for path in edited(self.workspace, self.repository, head).paths:
            within = path.removeprefix(prefix)
            try:
                self._now[within] = self.workspace.files.read(within).data
            except NoteNotFound:
                self._now[within] = None
        return self._tree(head, self._now)

    def _fold_notes(self, done: set[str], here: str) -> None:
        """Let what was done to a note under its old name be done to it under its new one."""
        prefix = self.repository.prefix
        renamed = {
            step.moved_from.removeprefix(prefix): step.path.removeprefix(prefix)
            for step in steps(self.repository, self.start, here)
            if step.moved_from
        }
        for path, target in self.bringing.moves().items():
            if path in done or target not in done:
                continue
            before, self._base[path] = self._old[path] or b"", None
            stale = path if self._here(path) is not None else renamed.get(path, "")
            text = self._here(stale) if stale and stale != target else None
            if text is not None:
                self._now[stale] = None
                there = self._here(target)
                merged = text
                if there is not None:
                    merged = self._merged(target, before, there, text)
                self._now[target] = merged

    def _fold_claims(self, done: set[str]) -> None:
        """Let what was done to a claim where it was be done to it where it went."""
        for path, homes in self.bringing.homes.items():
            for id, home in homes.items():
                if path not in done and home in done:
                    self._fold_claim(path, home, id)

    def _fold_claim(self, path: str, home: str, id: str) -> None:
        old, there = claims_of(self._old[path]).get(id, ""), self._here(home)
        if not old or there is None or id not in claims_of(there):
            return
        base = self._base[path]
        if base is not None:
            self._base[path] = with_lines(base, id, "") or base
        for place in {path, *self._now} - {home}:
            content = self._here(place)
            new = claims_of(content).get(id, "")
            if content is None or not new:
                continue
            there = self._here(home) or b""
            lines = [with_lines(there, id, one) or there for one in (old, new)]
            self._now[home] = self._merged(home, lines[0], there, lines[1])
            self._now[place] = with_lines(content, id, "")

    def _merged(self, path: str, base: bytes, ours: bytes, theirs: bytes) -> bytes:
        day = human_day(self.workspace.clock.now(), self.workspace.zone)
        return together(self.workspace, path, base, ours, theirs, day).content

    def _here(self, path: str) -> bytes | None:
        """Return what is in a note now."""
        if path not in self._now:
            try:
                return self.workspace.files.read(path).data
            except NoteNotFound:
                return None
        return self._now[path]

    def _tree(self, base: str, contents: Mapping[str, bytes | None]) -> str:
        assembly = Assembly(self.repository, self.workspace.state / "git" / "begun")
        known = self.repository.in_tree(base, [self.repository.prefix + path for path in contents])
        raw = blobs(self.repository, sorted({entry.object for entry in known.values()}))
        for within, content in contents.items():
            path = self.repository.prefix + within
            entry = known.get(path)
            if content is None:
                assembly.entries[path] = None
            elif entry is None or raw[entry.object] != content:
                assembly.entries[path] = self._stored(path, content, entry)
        return assembly.tree(base)

    def _stored(self, path: str, content: bytes, known: Entry | None) -> Entry:
        ran = self.repository.git.run(
            "hash-object", "-w", "--stdin", f"--path={path}", input=content
        )
        return Entry(known.mode if known else "100644", must(ran).text)

    def _commit(self, tree: str, parents: Sequence[str]) -> str:
        return owned(self.workspace, self.repository, tree, parents, _MESSAGE)
