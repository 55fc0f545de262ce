"""`apply`: write what was decided, from the staged originals, and account for every line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from vademecum.core.frozen import dataclass
from vademecum.core.migration import (
    Account,
    Decision,
    Fate,
    FilePlan,
    FileReport,
    MigrationPlan,
    Origin,
    Treatment,
)
from vademecum.core.notes import Span
from vademecum.core.roles import Role
from vademecum.core.search import Degradation
from vademecum.markdown.claim_lines import ClaimLine
from vademecum.migration.accounting import FileAccounts
from vademecum.migration.bodies import Body, body_of, encoded, readable, shown
from vademecum.migration.composing import Text, claims_in, compose
from vademecum.migration.days import log_addition
from vademecum.migration.evidence import Evidence
from vademecum.migration.exported import write_export
from vademecum.migration.grown import grown
from vademecum.migration.linking import Links
from vademecum.migration.planning import inside
from vademecum.migration.reaching import reach_all
from vademecum.migration.shelf import Case, account_row, accounts_in, root_of
from vademecum.migration.staging import staged_tree
from vademecum.migration.tagging import TagRules, always, never
from vademecum.migration.whole import LARGEST, part_path, parts_of, whole
from vademecum.migration.writer import ACTOR, Writer
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.workspace import Workspace
from vademecum.writing.quarantine import quarantine_path
from vademecum.writing.tombstones import tombstones

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Applied:
    """What was written, and how the lines of each file were accounted for."""

    files: tuple[FileReport, ...]
    missing: tuple[Span, ...]
    """Lines that nothing accounts for."""
    notes: int
    claims: int
    degraded: tuple[Degradation, ...]


class Applying:
    """One run over a plan; what an earlier run wrote is only accounted for."""

    def __init__(
        self,
        workspace: Workspace,
        case: Case,
        plan: MigrationPlan,
        progress: Progress,
        actor: str = ACTOR,
    ) -> None:
        self.workspace = workspace
        self.plan = plan
        self.writer = Writer(workspace, plan, actor)
        self.day: date = plan.at.astimezone(workspace.zone).date()
        self.claims = 0
        self._case = case
        self._staged = staged_tree(case)
        self._progress = progress
        self._evidence = Evidence(plan, self._staged)
        self._links = Links(plan)
        self._stones = frozenset(tombstones(workspace))
        self._reports: dict[int, FileReport] = {}
        self._missing: list[Span] = []
        self._twins = _twins(plan)
        self._where: dict[tuple[str, int], Span] = {}

    def run(self) -> Applied:
        """Write everything; return what was written."""
        temporary = self._case.accounts_file.with_suffix(".tmp")
        with temporary.open("w", encoding="utf-8") as rows:
            for number, file in enumerate(self.plan.files):
                self._progress("moving in", number, len(self.plan.files))
                self._file(number, file, lambda account: rows.write(account_row(account)))
            self.writer.flush()
        self._settle(temporary)
        degraded = reach_all(self.workspace, self.writer, self._progress)
        own = inside(self.workspace, root_of(self.plan), [f.path for f in self.plan.files])
        digests = {file.path: file.digest for file in self.plan.files}
        for path, inner in own.items():
            if not self.writer.remove(path, digests[inner]):
                why = f"{path} was changed after it was staged, and was left where it is"
                degraded = (*degraded, Degradation("originals", why, f"Move it: {path}"))
        if own:
            reach_all(self.workspace, self.writer, self._progress, gone=tuple(own))
        return Applied(
            tuple(report for _, report in sorted(self._reports.items())),
            tuple(self._missing),
            len(self.writer.created),
            self.claims,
            degraded,
        )

    # ------------------------------------------------------------ one file

    def _file(self, number: int, file: FilePlan, write: Callable[[Account], object]) -> None:
        accounts = FileAccounts(file.path)
        expected = self._parts(number, file)
        done = 0

        def finish() -> None:
            nonlocal done
            done += 1
            if done < expected:
                return
            accounts.fill_blanks()
            self._missing += [Span(file.path, *run) for run in accounts.missing()]
            self._reports[number] = accounts.report(file)
            for row in accounts.rows:
                self._note_twins(row)
                write(row)

        self._treat(number, file, accounts, finish)

    def _parts(self, number: int, file: FilePlan) -> int:
        """Return how often a file is finished: once for each note that it becomes."""
        if file.treatment is Treatment.WHOLE and file.size > LARGEST:
            return sum(1 for _ in parts_of(self._staged.stream(_name(number))))
        if file.treatment in (Treatment.SPLIT, Treatment.MAP):
            return len(file.notes) + 1
        return 1

    def _treat(
        self, number: int, file: FilePlan, accounts: FileAccounts, finish: Callable[[], None]
    ) -> None:
        if file.treatment is Treatment.RECORDS:
            write_export(self, file, lambda: self._staged.stream(_name(number)), accounts)
            finish()
        elif file.treatment is Treatment.WHOLE and file.size > LARGEST:
            for part, (first, data) in enumerate(
                parts_of(self._staged.stream(_name(number))), start=1
            ):
                self._note(file, data, accounts, finish, first, part)
        elif file.treatment in (Treatment.GENERATED, Treatment.TWIN):
            self._left_out(file, self._count(number), accounts)
            finish()
        else:
            data = self._staged.read(_name(number))
            if file.treatment is Treatment.WHOLE:
                self._note(file, data, accounts, finish)
            elif file.treatment is Treatment.ARCHIVE:
                self._archive(file, data, accounts, finish)
            elif file.treatment in (Treatment.LOG, Treatment.GROWN):
                add = self._log if file.treatment is Treatment.LOG else self._grown
                add(file, data, accounts)
                finish()
            else:
                self._split(file, data, accounts, finish)

    def _note(
        self,
        file: FilePlan,
        data: bytes,
        accounts: FileAccounts,
        finish: Callable[[], None],
        first: int = 1,
        part: int = 1,
    ) -> None:
        made = whole(
            data,
            file,
            self.day,
            self._proves(file),
            first=first,
            part=part,
            stones=self._stones,
        )
        self._links.mend(made.body, file)
        self.claims += made.claims
        accounts.see(made.body, _lines_in(data))
        fate = Fate.QUARANTINE if "/.quarantine/" in f"/{file.to}" else Fate.NOTE
        self._create(part_path(file.to, part), made.body, fate, accounts, finish)

    def _archive(
        self, file: FilePlan, data: bytes, accounts: FileAccounts, finish: Callable[[], None]
    ) -> None:
        body = body_of(readable(data).text, stones=self._stones)
        accounts.see(body, _lines_in(data))
        self._create(file.to, body, Fate.ARCHIVE, accounts, finish)

    def _create(
        self,
        path: str,
        body: Body,
        fate: Fate,
        accounts: FileAccounts,
        finish: Callable[[], None],
    ) -> None:
        numbers, text = list(body.numbers), encoded(body.text)
        body.lines.clear()  # what waits to be written is held once

        def there(actual: str) -> None:
            accounts.moved(body, numbers, fate, actual)
            finish()

        self.writer.create(path, text, there)

    def _log(self, file: FilePlan, data: bytes, accounts: FileAccounts) -> None:
        body = body_of(readable(data).text, stones=self._stones)
        accounts.see(body, _lines_in(data))
        day = self.workspace.profile.day_of(file.to) or self.day
        made = log_addition(body, day)
        if any(made.text.numbers):
            before = self.writer.append(file.to, made.text, file.path)
            accounts.moved(body, made.text.numbers, Fate.LOG, file.to, before)
        for number in made.heading:
            accounts.add(number, number, Fate.HEADING, None, "the heading of the log")
        for number in made.frame:
            accounts.add(number, number, Fate.MAP, None, "frontmatter of the log")
        self.quarantine(file, made.apart, accounts, body)

    def _grown(self, file: FilePlan, data: bytes, accounts: FileAccounts) -> None:
        body = body_of(readable(data).text, stones=self._stones)
        accounts.see(body, _lines_in(data))
        held = readable(self.workspace.files.read(file.to).data).text
        is_log = self.workspace.role_of(file.to) is Role.LOG
        rules = None if is_log or file.own else TagRules(file.digest, self._proves(file), self.day)
        made = grown(body, held, rules)
        if any(made.text.numbers):
            before = self.writer.append(file.to, made.text, file.path)
            fate = Fate.LOG if is_log else Fate.NOTE
            accounts.moved(body, made.text.numbers, fate, file.to, before)
        for number, there in made.there:
            to = Span(file.to, there, there)
            accounts.add(number, number, Fate.DUPLICATE, to, "moved in before")
        for number in made.frame:
            accounts.add(number, number, Fate.MAP, None, "frontmatter stays as it was moved in")

    def _split(
        self, file: FilePlan, data: bytes, accounts: FileAccounts, finish: Callable[[], None]
    ) -> None:
        body = body_of(readable(data).text, stones=self._stones)
        accounts.see(body, _lines_in(data))
        made = compose(body, file, self.workspace.profile, self.day, self._proves(file))
        self.claims += claims_in(made.notes)
        for decision in file.decisions:
            _decided(accounts, body.numbers[decision.first - 1 : decision.last], decision)
        if made.instructions.numbers:
            to = self.plan.instructions_path
            before = self.writer.append(to, made.instructions, file.path)
            accounts.moved(body, made.instructions.numbers, Fate.INSTRUCTION, to, before)
        self.quarantine(file, made.apart, accounts, body)
        for path, text in made.notes.items():
            self._create_made(path, text, body, accounts, finish)
        finish()

    def _create_made(
        self,
        path: str,
        text: Text,
        body: Body,
        accounts: FileAccounts,
        finish: Callable[[], None],
    ) -> None:
        def there(actual: str) -> None:
            accounts.moved(body, text.numbers, Fate.NOTE, actual)
            finish()

        self.writer.create(path, encoded("".join(text.lines)), there)

    def quarantine(
        self,
        file: FilePlan,
        apart: Iterable[tuple[str, list[int]]],
        accounts: FileAccounts,
        body: Body,
    ) -> None:
        """Keep texts of `body` where they can be read by path and are never served."""
        kept = Text()
        for written, numbers in apart:
            kept.add("\n")
            kept.add(f"### Words for a model, from {shown(file.path)}")
            kept.add("\n")
            for line, number in zip(written.splitlines(keepends=True), numbers, strict=False):
                kept.add(line, number)
        if not kept.lines:
            return
        path = quarantine_path(self.workspace.profile, self.day)
        before = self.writer.append(path, kept, file.path)
        accounts.moved(body, kept.numbers, Fate.QUARANTINE, path, before)

    def _proves(self, file: FilePlan) -> Callable[[ClaimLine], bool]:
        """Return what says whether a line that calls itself stated is."""
        if file.own:
            return always
        return never if file.origin is Origin.OKF else self._evidence.proves

    def _left_out(self, file: FilePlan, lines: int, accounts: FileAccounts) -> None:
        accounts.lines = lines
        if not lines:
            return
        if file.treatment is Treatment.TWIN:
            accounts.add(1, lines, Fate.DUPLICATE, None, f"the same is in {file.twin}")
        else:
            accounts.add(1, lines, Fate.GENERATED, None, "composed by a program from other files")

    def _count(self, number: int) -> int:
        lines, last = 0, b"\n"
        for part in self._staged.stream(_name(number)):
            lines += part.count(b"\n")
            last = part[-1:]
        return lines + (last != b"\n")

    # ------------------------------------------------------------ duplicates

    def _note_twins(self, row: Account) -> None:
        if row.to is None:
            return
        for line in self._twins.get(row.source.path, ()):
            if row.source.first <= line <= row.source.last:
                offset = line - row.source.first if not row.part else 0
                there = min(row.to.first + offset, row.to.last)
                self._where[(row.source.path, line)] = Span(row.to.path, there, there)

    def _settle(self, temporary: Path) -> None:
        """Say of each duplicate where the line is that it is one of."""
        final = temporary.with_suffix(".new")
        with state_translated(final), final.open("w", encoding="utf-8") as rows:
            for account in accounts_in(temporary):
                rows.write(account_row(self._resolved(account)))
            rows.flush()
        final.replace(self._case.accounts_file)
        temporary.unlink()

    def _resolved(self, account: Account) -> Account:
        if account.fate is not Fate.DUPLICATE or account.to is not None:
            return account
        line, colon, path = account.why.partition(":")
        if not colon or not line.isdecimal():
            return account
        there = self._where.get((path, int(line)))
        return replace(account, to=there, why=f"says the same as line {line} of {path}")


def _decided(accounts: FileAccounts, numbers: Sequence[int], decision: Decision) -> None:
    """Account for lines that go nowhere; those that go somewhere are accounted for there."""
    told = [number for number in numbers if number]
    if not told or decision.fate in (Fate.NOTE, Fate.INSTRUCTION, Fate.QUARANTINE):
        return
    if decision.fate is Fate.DUPLICATE and decision.to:
        line = int(decision.why)
        to = Span(decision.to, line, line)
        accounts.add(told[0], told[-1], decision.fate, to, "the workspace says it already")
    elif not (decision.fate is Fate.HEADING and decision.to):
        accounts.add(told[0], told[-1], decision.fate, None, decision.why)


def _twins(plan: MigrationPlan) -> dict[str, set[int]]:
    """Return the lines of the source that duplicates are of, by file."""
    twins: dict[str, set[int]] = {}
    for file in plan.files:
        for decision in file.decisions:
            line, colon, path = decision.why.partition(":")
            if decision.fate is Fate.DUPLICATE and colon and line.isdecimal():
                twins.setdefault(path, set()).add(int(line))
    return twins


def _lines_in(data: bytes) -> int:
    return data.count(b"\n") + (not data.endswith(b"\n") and bool(data))


def _name(number: int) -> str:
    return f"{number:06d}"
