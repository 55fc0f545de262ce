"""Applying one proposal of a job by the writes that everybody uses, so that twice is once."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import TypeAlias

from vademecum.core.changes import Signature
from vademecum.core.clock import human_day
from vademecum.core.errors import (
    BadInput,
    ChangedMeanwhile,
    EvidenceMissing,
    NoteNotFound,
    NotFound,
    OverBudget,
    ReadOnly,
    Refused,
    Unreadable,
)
from vademecum.core.frozen import dataclass
from vademecum.core.ids import digest_of
from vademecum.core.jobs import (
    Believed,
    Composed,
    Entered,
    Job,
    Moved,
    Proposal,
    Refreshed,
    Rewritten,
)
from vademecum.core.notes import Role
from vademecum.core.outcomes import AlreadyKnown, Outcome
from vademecum.core.provenance import Actor, Tag
from vademecum.markdown.entries import read_entries
from vademecum.markdown.lines import decode
from vademecum.service.remembering import Asked, Remembering
from vademecum.workspace.files import Content
from vademecum.workspace.merge import merge
from vademecum.workspace.paths import portable
from vademecum.workspace.workspace import Workspace
from vademecum.writing.budget import check_budget
from vademecum.writing.draft import Draft
from vademecum.writing.guard import check_edit, guarded
from vademecum.writing.log import DraftedEntry, append_entry, drafted, header_of_log
from vademecum.writing.maps import keep_in_step
from vademecum.writing.signing import sign
from vademecum.writing.tombstones import refuse_forgotten
from vademecum.writing.turns import maps_turn

CANNOT = (Refused, BadInput, NotFound)
"""What stands against one proposal and lets the job go on; trouble with the disk stops it."""
THERE = "there already"
DECLINED = "declined"
_UNTOUCHED = frozenset({Role.LOG, Role.DOCTRINE, Role.INSTRUCTIONS, Role.IDENTITY})
"""Logs only grow; the others are a person's, or the agent's own."""
_ORDINARY = "a job edits notes, core memory, maps and candidates"

Show: TypeAlias = Callable[[str, str, str], None]
"""Hears of path, text before and text after."""


@dataclass(frozen=True, slots=True)
class Applied:
    """What came of a proposal: one word, and more where it needs saying."""

    outcome: str
    why: str = ""


class Applying:
    """Applies proposals in the name of one run of a job.

    With `show` nothing is written, and it hears what would be. Each method raises one of CANNOT
    where something stands against the proposal, and what any write raises.
    """

    def __init__(
        self,
        workspace: Workspace,
        remembering: Remembering,
        job: Job,
        actor: Actor,
        *,
        since: date,
        show: Show | None = None,
        verb: str = "",
    ) -> None:
        self._workspace = workspace
        self._remembering = remembering
        self._job = job
        self._actor = actor
        self._since = since
        self._show = show
        self._verb = verb or job.value

    def apply(self, proposal: Proposal, group: str) -> Applied:
        """Apply `proposal`, or find that it was; its writes are the group `group` of the ledger.

        Claims are a group of their own.
        """
        match proposal:
            case Entered():
                return self._enter(proposal, group)
            case Believed():
                return self._believe(proposal)
            case Composed():
                return self._compose(proposal, group)
            case Refreshed():
                return self._refresh(proposal, group)
            case Rewritten():
                return self._rewrite(proposal, group)
            case Moved():
                return self._move(proposal, group)

    # ------------------------------------------------------------ log and claims

    def _enter(self, entered: Entered, group: str) -> Applied:
        made = drafted(self._workspace, entered.text, title=entered.title, redact=True)
        if self._is_entered(made):
            return Applied(THERE)
        if self._show is None:
            append_entry(
                self._workspace,
                entered.text,
                actor=self._actor,
                title=entered.title,
                redact=True,
                group=group,
            )
            return Applied("logged")
        today = self._today()
        path = self._workspace.profile.log_path(today)
        before = Draft(self._workspace).text(path)
        heading = header_of_log(self._workspace, today)
        now = self._workspace.clock.now().astimezone(self._workspace.zone)
        after = (heading if before is None else before) + made.at(f"{now:%H:%M}")
        self._show(path, before or "", after)
        return Applied("logged")

    def _is_entered(self, made: DraftedEntry) -> bool:
        """Whether a log from the day of the plan to today holds an entry of that title and text."""
        draft = Draft(self._workspace)
        day = self._since
        while day <= self._today():
            wanted = _words_of_entries(made.at("00:00"), day)
            path = self._workspace.profile.log_path(day)
            if wanted & _words_of_entries(draft.text(path) or "", day):
                return True
            day += timedelta(days=1)
        return False

    def _believe(self, believed: Believed) -> Applied:
        try:
            return self._remembered(believed)
        except EvidenceMissing:
            if believed.tag == Tag.INFERRED:
                raise
            # What nobody can find again was at most concluded, whoever says otherwise.
            lowered = replace(believed, tag=Tag.INFERRED.value, source=(), quote=())
            done = self._remembered(lowered)
            return Applied(done.outcome, f"lowered from {believed.tag}: its evidence is not there")

    def _remembered(self, believed: Believed) -> Applied:
        asked = Asked(
            kind=believed.kind or None,
            tag=believed.tag or None,
            about=believed.about,
            source=believed.source,
            quote=believed.quote,
            since=believed.since or None,
            redact=True,
            dry_run=self._show is not None,
        )
        outcome = self._remembering.remember(believed.text, self._actor, asked, show=self._show)
        if isinstance(outcome, AlreadyKnown) and not outcome.change:
            return Applied(THERE)
        return Applied(_word(outcome))

    # ------------------------------------------------------------ files

    def _compose(self, composed: Composed, group: str) -> Applied:
        text = guarded(composed.text, f"The text of {composed.path}", redact=True)
        refuse_forgotten(self._workspace, text)
        path = _note(composed.path)
        draft = Draft(self._workspace)
        there = draft.text(path)
        if there is None:
            draft.put(path, text.rstrip("\n") + "\n")
        with maps_turn(self._workspace):
            keep_in_step(draft, [path])
            if not self._written(draft, "composed", group):
                return Applied(THERE)
        return Applied("composed" if there is None else THERE)

    def _refresh(self, refreshed: Refreshed, group: str) -> Applied:
        path = self._workspace.profile.workbench_path
        if not path:
            raise NoteNotFound(f"The profile {self._workspace.profile.name} has no workbench.")
        most = self._workspace.settings.budget.workbench

        def check(before: str, after: str) -> None:
            if len(after) > max(most, len(before)):
                raise OverBudget(f"{path} would have {len(after):,} characters of {most:,}.")

        return self._edit(path, refreshed.text, refreshed.base, check, group)

    def _rewrite(self, rewritten: Rewritten, group: str) -> Applied:
        path = _note(rewritten.path)
        role = self._workspace.role_of(path)
        if role in _UNTOUCHED:
            raise Refused(f"{path} is {role.value}, which no job edits: {_ORDINARY}.")

        def check(before: str, after: str) -> None:
            check_budget(self._workspace, path, before, after)

        return self._edit(path, rewritten.text, rewritten.base, check, group)

    def _edit(
        self, path: str, text: str, base: str, check: Callable[[str, str], None], group: str
    ) -> Applied:
        """Let the file at `path` say `text`, an edit of the version `base` (empty: of no file)."""
        draft = Draft(self._workspace)
        current = self._content(path)
        if current is None and base:
            raise NoteNotFound(f"{path} was removed since the edit was planned.")
        before = draft.before(path)
        after = text if current is None else self._rebased(current, text, base)
        check_edit(before, after, f"The text of {path}")
        check(before, after)
        draft.put(path, after)
        merged = current is not None and current.digest != base and after != text
        with maps_turn(self._workspace):
            keep_in_step(draft, [path])
            if not self._written(draft, "edited", group):
                return Applied(THERE)
        return Applied("written", "merged with what others changed meanwhile" if merged else "")

    def _rebased(self, current: Content, text: str, base: str) -> str:
        """Return `text` as an edit of the version that is there now. Raises ChangedMeanwhile."""
        decoded = decode(current.data)
        wanted = decoded.encode(text)
        if base == current.digest or wanted == current.data:
            return text
        try:
            old = self._workspace.files.records.blobs.get(base) if base else b""
        except Unreadable:
            old = None
        merged = None if old is None else merge(old, decode(old).encode(text), current.data)
        if merged is None:
            raise ChangedMeanwhile(f"Others changed the same lines of {current.path}.")
        return decode(merged).text

    def _move(self, moved: Moved, group: str) -> Applied:
        source = self._content(moved.path)
        target = self._content(_note(moved.to))
        if source is None and target is not None:
            return Applied(THERE)
        if source is None:
            raise NoteNotFound(f"{moved.path} was removed since the move was planned.")
        if target is not None and target.data != source.data and not self._own(target):
            raise Refused(f"{moved.to} is another file, which is never written over.")
        if self._show is not None:
            return Applied("moved")
        if target is None:
            signature = self._signed(moved.to, group)
            self._workspace.files.create(moved.to, source.data, signature, mode=source.mode)
        elif target.data != source.data:
            self._workspace.files.replace(target, source.data, self._signed(moved.to, group))
        self._leave(source, moved, group)
        return Applied("moved")

    def _leave(self, source: Content, moved: Moved, group: str) -> None:
        """Remove the source of a move; where others write into it, the move is taken back."""
        try:
            self._workspace.files.remove(source, self._signed(moved.path, group))
        except (ChangedMeanwhile, ReadOnly) as error:
            target = self._content(moved.to)
            if target is not None and target.digest == source.digest:
                self._workspace.files.remove(target, self._signed(moved.to, group))
            if isinstance(error, ReadOnly):  # of this one file: the others can still go
                raise Refused(str(error), hint=error.hint) from error
            raise
        with maps_turn(self._workspace):
            draft = Draft(self._workspace)
            keep_in_step(draft, [moved.to], gone=[moved.path])
            self._written(draft, "maps in step", group)

    # ------------------------------------------------------------ for those above

    def _own(self, content: Content) -> bool:
        """Whether the file is as an earlier, stopped attempt of this run left it."""
        last = self._workspace.ledger.last(content.path)
        mine = (self._actor.name, self._actor.session, content.digest)
        return last is not None and (last.actor, last.session, last.after) == mine

    def _written(self, draft: Draft, summary: str, group: str) -> bool:
        """Write the draft, or show it; return whether anything in it is new."""
        changed = draft.changed()
        if self._show is not None:
            for path in changed:
                self._show(path, draft.before(path), draft.text(path) or "")
        else:
            draft.write(lambda _: self._signed(summary, group))
        return bool(changed)

    def _signed(self, summary: str, group: str) -> Signature:
        return sign(self._workspace, self._actor, self._verb, summary, group=group)

    def _content(self, path: str) -> Content | None:
        try:
            return self._workspace.files.read(path)
        except NoteNotFound:
            return None

    def _today(self) -> date:
        return human_day(self._workspace.clock.now(), self._workspace.zone)


def keep_base(workspace: Workspace, proposal: Proposal) -> None:
    """Keep the version that an edit was made from: if it changes, both are merged over it."""
    match proposal:
        case Rewritten(path=path, base=base):
            pass
        case Refreshed(base=base):
            path = workspace.profile.workbench_path or ""
        case _:
            return
    if not base or not path:
        return
    try:
        content = workspace.files.read(path)
    except (NotFound, BadInput):
        return
    if content.digest == base == digest_of(content.data):
        workspace.files.records.blobs.put(content.data)


def diff(path: str, before: str, after: str) -> str:
    """Return what changes from `before` to `after` as a unified diff; nothing where they agree."""
    rows = difflib.unified_diff(
        before.splitlines(),
        after.splitlines(),
        f"a/{path}" if before else "/dev/null",
        f"b/{path}" if after else "/dev/null",
        lineterm="",
    )
    return "".join(f"{row}\n" for row in rows)


def _words_of_entries(text: str, day: date) -> set[tuple[str, str]]:
    return {
        (" ".join(entry.title.split()), " ".join(entry.body.split()))
        for entry in read_entries("", text, day)
    }


def _note(path: str) -> str:
    """Return `path` once a note may be made there. Raises InvalidPath, Refused."""
    portable(path)
    if not path.endswith(".md"):
        raise Refused(f"{path} is no note: jobs write Markdown only.")
    return path


def _word(outcome: Outcome) -> str:
    return "".join(
        f" {sign.lower()}" if sign.isupper() else sign for sign in type(outcome).__name__
    ).strip()
