"""`plan`: decide where every file of a source goes, and every line of those that are split."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from vademecum.core.errors import BadInput, NoteNotFound, NotFound, Refused, Unreadable
from vademecum.core.ids import new_entry_id
from vademecum.core.migration import Decision, Fate, FilePlan, MigrationPlan, Passed, Treatment
from vademecum.core.models import Model
from vademecum.core.notes import Properties
from vademecum.core.search import Degradation
from vademecum.markdown.frontmatter import read
from vademecum.markdown.injection import is_injection
from vademecum.markdown.kinds import Kind as Subject
from vademecum.markdown.lines import is_binary, split
from vademecum.markdown.outline import classify
from vademecum.markdown.properties import read_properties
from vademecum.migration.asking import Judged, judge
from vademecum.migration.back import Back
from vademecum.migration.bodies import Body, body_of, readable, shown
from vademecum.migration.detect import Detected, detect
from vademecum.migration.held import Held, key_of_line
from vademecum.migration.inventory import Tree, inventory
from vademecum.migration.mapping import Mapped, Targets, mapped
from vademecum.migration.naming import (
    Names,
    archive_path,
    instructions_path,
    note_path,
    section_path,
)
from vademecum.migration.recording import plan_records
from vademecum.migration.shelf import Shelf
from vademecum.migration.sources.taking import IMPORTED, Taken
from vademecum.migration.splitting import Setting, split_file, title_of
from vademecum.migration.whole import LARGEST
from vademecum.workspace.workspace import Workspace
from vademecum.writing.quarantine import quarantine_path
from vademecum.writing.tombstones import tombstones

Progress = Callable[[str, int, int], None]
_HEAD = 65_536
_HEAD_LINES = 300
_SPLIT_UP_TO = 1_000_000
"""Bytes of a file that is split; a larger one is a document and stays whole."""
_BLANK = Judged({}, {}, ())


def _real(source: Path) -> Path:
    """Return a path without links above its last name, which is looked at as it is."""
    try:
        root = source.expanduser()
        return root.parent.resolve() / root.name if root.name not in ("", "..") else root.resolve()
    except (OSError, RuntimeError, ValueError) as error:  # links in a circle, a NUL byte
        raise NotFound(f"There is nothing at {str(source)!r}.", hint="Check the path.") from error


def _followed(root: Path) -> Path:
    try:
        return root.resolve()
    except (OSError, RuntimeError, ValueError):  # a link that leads to itself is told of later
        return root


def make_plan(
    workspace: Workspace,
    source: Path,
    *,
    model: Model | None,
    progress: Progress,
    own: bool = False,
) -> MigrationPlan:
    """Return what moving `source` into the workspace would do; nothing is changed.

    `own` says that the source is an export of one's own memory, whoever wrote it down.
    A migration of it that was begun is returned as it was planned. Raises NotFound, Refused and
    Unreadable.
    """
    root = _real(source)
    if workspace.root in (root, _followed(root)):
        raise Refused(
            f"{root} is the workspace itself, which is open as it stands.",
            hint="Name a file or folder in it, or another directory.",
        )
    if root == workspace.root / instructions_path(workspace.profile):
        raise Refused(
            f"{root} is the file of instructions of this workspace already.",
            hint="Leave it there; facts in it are remembered by `vade remember`.",
        )
    shelf = Shelf(workspace)
    if begun := shelf.begun(str(root)):
        return replace(begun.plan(), resumes=True)
    try:
        others = () if workspace.bounds is None else workspace.bounds.others()
        tree = inventory(root, without=workspace.root, others=others)
        detected = detect(tree, one_file=root.is_file())
    except NotFound:
        if done := shelf.done(str(root)):  # it lay in the workspace, and all of it was moved
            return replace(done.plan(), files=(), instructions=())
        raise
    back = Back(workspace, tree, own=own)
    return _Planning(workspace, tree, detected, shelf, model, progress, back).plan(root)


class _Planning:
    """One plan in the making."""

    def __init__(
        self,
        workspace: Workspace,
        tree: Tree,
        detected: Detected,
        shelf: Shelf,
        model: Model | None,
        progress: Progress,
        back: Back,
    ) -> None:
        self._back = back
        self._workspace = workspace
        self._profile = workspace.profile
        self._tree = tree
        self._detected = detected
        self._stones = frozenset(tombstones(workspace))
        self._seen = shelf.moved_in()
        self._went_to = shelf.went_to()
        self._model = model
        self._progress = progress
        self._names = Names(workspace)
        taken = [one.path for one in detected.taken]
        self._held = Held(workspace, without=frozenset(inside(workspace, tree.root, taken)))
        self._targets = Targets([one.path for one in detected.taken])
        self._said: dict[str, str] = {}
        self._passed: list[Passed] = []
        self._instructions: list[str] = []
        self._degraded: list[Degradation] = list(back.degraded)
        self._sizes = {item.path: item.size for item in tree.items}

    def plan(self, source: Path) -> MigrationPlan:
        now = self._workspace.clock.now().astimezone(self._workspace.zone)
        self._day = now.date()
        files = tuple(self._files())
        path = instructions_path(self._profile)
        return MigrationPlan(
            id=new_entry_id(now),
            source=str(source),
            into=str(self._workspace.root),
            at=now,
            found=self._detected.found,
            files=files,
            passed=(*self._detected.passed, *self._passed),
            quarantined=self._tree.odd,
            instructions=tuple(self._instructions),
            instructions_path=path if self._instructions else "",
            degraded=tuple(dict.fromkeys(self._degraded)),
        )

    def _files(self) -> Iterator[FilePlan]:
        taken = sorted(self._detected.taken, key=_order)
        for done, one in enumerate(taken):
            self._progress("planning", done, len(taken))
            made = self._file(one)
            if isinstance(made, Passed):
                self._passed.append(made)
                continue
            if made.treatment is not Treatment.TWIN:
                self._seen.setdefault(made.digest, made.to or made.path)
            yield made

    def _file(self, one: Taken) -> FilePlan | Passed:
        size = self._sizes[one.path]
        if not size:
            return Passed(one.path, "an empty file")
        try:
            head = self._tree.read(one.path, _HEAD)
            digest = self._tree.digest(one.path)
        except Unreadable as error:
            return Passed(one.path, str(error))
        if one.treatment is not Treatment.RECORDS and is_binary(head):
            return Passed(one.path, "no text")
        base = FilePlan(
            one.path,
            one.origin,
            one.treatment,
            size,
            digest,
            type=one.type,
            title=one.title,
            host_owned=one.host_owned,
            said=self._said.get(one.path, ""),
            own=self._back.is_own(one.path, digest),
        )
        if twin := self._seen.get(digest):
            return replace(base, treatment=Treatment.TWIN, twin=twin)
        try:
            return self._treated(base, one)
        except BadInput as error:
            return Passed(one.path, str(error))

    def _treated(self, base: FilePlan, one: Taken) -> FilePlan:
        if one.back and (returned := self._back.returned(base, one.back)):
            self._instructions += self._back.instructions(returned)
            return returned
        treatment = one.treatment
        if treatment in (Treatment.SPLIT, Treatment.MAP) and base.size > _SPLIT_UP_TO:
            treatment = Treatment.WHOLE
        if treatment is Treatment.LOG and base.size > LARGEST:
            treatment, one = Treatment.WHOLE, replace(one, to=f"{IMPORTED}/{one.path}")
        base = replace(base, treatment=treatment)
        if treatment in (Treatment.SPLIT, Treatment.MAP):
            return self._split(base)
        if treatment in (Treatment.LOG, Treatment.WHOLE) and (more := self._grown(base)):
            return more
        if treatment is Treatment.LOG:
            return self._log(base, one)
        if treatment is Treatment.ARCHIVE:
            path = archive_path(self._profile, one.to or one.path)
            return self._twin_of(path, base) or replace(base, to=self._names.give(path))
        if treatment is Treatment.WHOLE:
            return self._whole(base, one)
        return self._records(base) if treatment is Treatment.RECORDS else base

    # ------------------------------------------------------------ by treatment

    def _grown(self, base: FilePlan) -> FilePlan | None:
        """Return the plan of a file that went somewhere before and is another one now."""
        to = self._went_to.get(str(self._tree.root / base.path), "")
        if not to or base.size > LARGEST or not self._workspace.files.exists(to):
            return None
        return replace(base, treatment=Treatment.GROWN, to=to)

    def _whole(self, base: FilePlan, one: Taken) -> FilePlan:
        path = note_path(self._profile, one.to or one.path.removeprefix("memory/"))
        if is_injection(" ".join((*self._heading(one.path), path.replace("-", " ")))):
            # What maps tell is loaded into every conversation.
            folder = quarantine_path(self._profile, self._day).rpartition("/")[0]
            path = f"{folder}/{path.rpartition('/')[2]}"
        return self._twin_of(path, base) or replace(base, to=self._names.give(path))

    def _log(self, base: FilePlan, one: Taken) -> FilePlan:
        from datetime import date  # noqa: PLC0415  a day is read here only

        path = self._profile.log_path(date.fromisoformat(one.day))
        return self._twin_of(path, base) or replace(base, to=path)

    def _records(self, base: FilePlan) -> FilePlan:
        made = plan_records(
            self._tree.stream(base.path),
            base,
            self._held,
            self._give,
            lambda inner: self._names.give(archive_path(self._profile, inner)),
            quarantine_path(self._profile, self._day),
            self._workspace.zone,
            self._stones,
        )
        return replace(base, decisions=tuple(made.decisions), notes=tuple(made.notes))

    def _split(self, base: FilePlan) -> FilePlan:
        text = readable(self._tree.read(base.path))
        if text.defect:
            path = note_path(self._profile, f"{IMPORTED}/{base.path.rpartition('/')[2]}")
            return replace(base, treatment=Treatment.WHOLE, to=self._names.give(path))
        body = body_of(text.text, stones=self._stones)
        kinds = classify(body.lines, read_properties(body.lines).last)
        read_as_map = Mapped(frozenset(), {})
        if base.treatment is Treatment.MAP:
            read_as_map = mapped(base.path, body, kinds, self._targets, self._head_of)
            for target, said in read_as_map.said.items():
                self._said.setdefault(target, said)
        judged = judge(self._model, body, kinds) if base.host_owned else _BLANK
        self._degraded += judged.degraded
        setting = Setting(
            path=base.path,
            name=title_of(body.lines, kinds) or _stem(base.path),
            host_owned=base.host_owned,
            held=self._held,
            give=self._give,
            quarantine=quarantine_path(self._profile, self._day),
            instructions=instructions_path(self._profile),
            mapped=read_as_map.lines,
            fates=judged.fates,
            subjects=judged.subjects,
        )
        made = split_file(body, kinds, setting)
        self._note_instructions(base.path, body, made.decisions)
        return replace(base, decisions=tuple(made.decisions), notes=tuple(made.notes))

    def _note_instructions(self, path: str, body: Body, decisions: list[Decision]) -> None:
        lines = [
            shown(line).rstrip("\r\n")
            for decision in decisions
            if decision.fate is Fate.INSTRUCTION
            for line in body.lines[decision.first - 1 : decision.last]
        ]
        if lines:
            self._instructions += [f"<!-- {path} -->", *lines]

    # ------------------------------------------------------------ what they need

    def _give(self, subject: Subject, title: str) -> str:
        return self._names.give(section_path(self._profile, subject, title))

    def _twin_of(self, path: str, base: FilePlan) -> FilePlan | None:
        """Return the plan of a file each line of which the file at `path` has already."""
        if base.size > LARGEST:
            return None
        try:
            held = readable(self._workspace.files.read(path).data).text
        except (NoteNotFound, Unreadable):
            return None
        there = {key_of_line(line) for line in split(held)}
        text = readable(self._tree.read(base.path)).text
        lines = split(text)
        told = [key_of_line(line) for line in lines[read(text).last :] if line.strip()]
        if not told or not all(line in there for line in told):
            return None
        return replace(base, treatment=Treatment.TWIN, twin=path)

    def _heading(self, path: str) -> tuple[str, ...]:
        text = shown(readable(self._tree.read(path, _HEAD)).text)
        lines = split(text)[:_HEAD_LINES]
        properties: Properties = read_properties(lines)
        named = [properties.text(key) for key in ("title", "name", "description")]
        return (*named, title_of(lines, classify(lines, properties.last)))

    def _head_of(self, path: str) -> str:
        """Return frontmatter and title of a note as text."""
        text = shown(readable(self._tree.read(path, _HEAD)).text)
        lines = split(text)[:_HEAD_LINES]
        last = read_properties(lines).last
        return "".join(lines[:last]) + title_of(lines, classify(lines, last))


def inside(workspace: Workspace, root: Path, paths: Iterable[str]) -> dict[str, str]:
    """Return the files of a source at `root` that lie in the workspace: path there to path here."""
    if not root.is_relative_to(workspace.root):
        return {}
    head = root.relative_to(workspace.root).as_posix()
    return {path if head == "." else f"{head}/{path}": path for path in paths}


def _order(one: Taken) -> tuple[int, str, int, str]:
    """Maps come first, for what they say of notes; logs by their day, the day's own file first."""
    rank = (Treatment.MAP, Treatment.SPLIT).index(one.treatment) if _is_split(one) else 2
    return rank, one.day, len(one.path.rpartition("/")[2]) if one.day else 0, one.path


def _is_split(one: Taken) -> bool:
    return one.treatment in (Treatment.MAP, Treatment.SPLIT)


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return shown(name.rpartition(".")[0] if is_markdown_name(name) else name)


def is_markdown_name(name: str) -> bool:
    """Whether a name ends like that of a note."""
    return name.casefold().endswith((".md", ".markdown"))
