"""Promotion: what recurs gets a line in core memory, with its source, within the budget."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import field, replace
from datetime import date

from vademecum.core.claims import Claim
from vademecum.core.errors import MalformedFrontmatter, NoteNotFound
from vademecum.core.frozen import dataclass
from vademecum.core.ids import text_digest
from vademecum.core.jobs import Believed, Declined, Plan, Proposal, Rewritten
from vademecum.core.notes import Role
from vademecum.lifecycle.held import held
from vademecum.lifecycle.proposed import Proposals, Waiting, unfit
from vademecum.lifecycle.recurring import read_logs
from vademecum.lifecycle.worth import Candidate, Worth
from vademecum.markdown.claims import block_ids, read_claims, render_claim
from vademecum.markdown.conservation import lost, raised
from vademecum.markdown.frontmatter import read, set_value
from vademecum.markdown.lines import decode, split
from vademecum.markdown.wording import key_of
from vademecum.workspace.workspace import Workspace
from vademecum.writing.budget import limit_of
from vademecum.writing.supersede import add

_MOST = 10
"""Proposals of one run; core memory is for few things."""
_MOST_SOURCES = 2
_NEW_CORE = "# Memory\n\n"


@dataclass(frozen=True, slots=True)
class Promotion:
    """The plan of a run and what of it would wait for a person."""

    plan: Plan
    waiting: tuple[Waiting, ...] = field(default=())


def plan_promotion(
    workspace: Workspace, day: date, *, person: str = "", only: Collection[str] = ()
) -> Promotion:
    """Return what should go to core memory as of `day`; nothing is changed.

    A candidate is a live claim that is `stated` or `observed`, or a statement that only the logs
    have, which recurs: told on 3 days of the last 90, or recalled 3 times by 2 questions on 2 days
    of the last 30; and whose score (see `worth`) is at least 0.45. Each gets one line with its own
    tag and day and a link to its claim. Where core memory has no room, promoted lines that are used
    less leave it: they stand in their notes. A line that nothing else holds never leaves; what has
    no room is declined, with what could move, and so is what gives orders to a model or holds a
    credential. Where core memory only leads to notes, the priority of the note is raised instead.
    `only` are ids of candidates. What was dismissed is left out.
    """
    made = _Promoting(workspace, day, person)
    proposed = Proposals(workspace.state).read()
    found = made.worth.candidates(made.held)
    chosen = [
        one
        for one in found
        if (one.id in only if only else not proposed.has_dismissed(one.id, one.text))
    ]
    return made.promotion(chosen[:_MOST])


class _Promoting:
    """One promotion in the making: core memory as it was read and as it is to be."""

    def __init__(self, workspace: Workspace, day: date, person: str) -> None:
        self._workspace = workspace
        self._day = day
        self.held = held(workspace, day)
        self.worth = Worth(workspace, day, read_logs(workspace, day), person)
        self._path = workspace.profile.core_path
        self._before, self._base = _text_of(workspace, self._path)
        self._text = self._before or _NEW_CORE
        self._by_id = {claim.id: claim for claim in self.held.live if claim.id}
        self._left_to: set[str] = set()
        """Notes that hold what leaves core memory."""
        self.declined: list[Declined] = []

    def promotion(self, chosen: list[Candidate]) -> Promotion:
        """Return the plan for these candidates."""
        if not self._workspace.profile.core_holds_claims:
            return self._raised(chosen)
        proposals: list[Proposal] = []
        taken: list[Candidate] = []
        for candidate in chosen:
            if candidate.claim is None:
                proposals.append(_believed(candidate, self._path))
                taken.append(candidate)
            elif self._fits(candidate, candidate.claim):
                taken.append(candidate)
        if (rewritten := self._rewritten()) is not None:
            proposals.insert(0, rewritten)
        return self._made(proposals, taken)

    def _made(self, proposals: list[Proposal], taken: list[Candidate]) -> Promotion:
        notes = tuple(f"{one.text} ({one.why})" for one in taken)
        declined = (*self.worth.declined, *self.declined)
        plan = Plan(tuple(proposals), declined, notes=notes or (_NOTHING,))
        return Promotion(plan, tuple(map(_waiting, taken)))

    # ------------------------------------------------------------ lines of core memory

    def _fits(self, candidate: Candidate, claim: Claim) -> bool:
        """Put a candidate into core memory, in place of what is used less; False: no room."""
        heading = "Core Memory" if self._path == self._workspace.profile.map_path else ""
        limit = limit_of(self._workspace, self._path) or len(self._text) + len(claim.text) + 1000
        text = self._text
        left_to: set[str] = set()
        while True:
            after = add(text, self._path, (self._line(claim, text),), heading)
            if len(after) <= limit:
                self._text = after
                self._left_to |= left_to
                return True
            leaving = self._least_used(text, candidate.score)
            if leaving is None:
                self._decline(candidate, limit)
                return False
            left_to.update(link.partition("#")[0] + ".md" for link in leaving.evidence[:1])
            lines = split(text)
            del lines[leaving.span.first - 1 : leaving.span.last]
            text = "".join(lines)

    def _line(self, claim: Claim, text: str) -> str:
        stem = claim.span.path.removesuffix(".md")
        link = f"{stem}#^{claim.id}" if claim.id else stem
        return render_claim(
            claim.text,
            claim.tag,
            since=claim.since,
            evidence=(link, *claim.evidence[:_MOST_SOURCES]),
            slot=claim.slot,
            id=_own_id(claim, block_ids(text)),
        )

    def _least_used(self, text: str, score: float) -> Claim | None:
        """Return the promoted line that is used least, where it is used less than `score` says."""
        found = []
        for claim in read_claims(self._path, text):
            twin = self._twin(claim)
            if twin is not None:
                use = self.worth.use_of(twin.text, twin.id)
                own = use.score(twin.tag, self._day)
                if own < score:
                    found.append((own, claim.span.first, claim))
        return min(found)[2] if found else None

    def _twin(self, claim: Claim) -> Claim | None:
        """Return the live claim of a note that a line of core memory repeats and links to."""
        for link in claim.evidence:
            twin = self._by_id.get(link.partition("#^")[2])
            same = twin is not None and key_of(twin.text) == key_of(claim.text)
            if twin is not None and same and twin.span.path != self._path and claim.live:
                return twin
        return None

    def _decline(self, candidate: Candidate, limit: int) -> None:
        claims = read_claims(self._path, self._text)
        past = [claim for claim in claims if not claim.live]
        longest = sorted(past or claims, key=lambda claim: -len(claim.text))[:_MOST_SOURCES]
        named = "; ".join(f"line {one.span.first} ({one.text[:40]})" for one in longest)
        why = f"{self._path} is full ({limit:,} characters), and nothing promoted is used less"
        told = f"{why}; what could move to a note: {named}" if named else why
        self.declined.append(Declined(candidate.text, told))

    def _rewritten(self) -> Rewritten | None:
        if self._text in (self._before, _NEW_CORE):
            return None
        notes = [_text_of(self._workspace, path)[0] for path in self._left_to]
        gone = lost([self._before], [self._text, *notes])
        forged = raised([self._before, *notes], [self._text])
        if gone or forged:
            why = f"it would lose or raise {len(gone) + len(forged)} line(s): {(*gone, *forged)[0]}"
            self.declined.append(Declined(f"the edit of {self._path}", why))
            return None
        return Rewritten(self._path, self._text, self._base, "what recurs goes to core memory")

    # ------------------------------------------------------------ notes of core priority

    def _raised(self, chosen: list[Candidate]) -> Promotion:
        """Raise the priority of notes, where core memory leads to them and holds no claims."""
        proposals: list[Proposal] = []
        taken: list[Candidate] = []
        for candidate in chosen:
            path = candidate.claim.span.path if candidate.claim else ""
            if not path:
                proposals.append(_believed(candidate, ""))
                taken.append(candidate)
                continue
            text, base = _text_of(self._workspace, path)
            if read(text).text("priority") in _CORE or any(
                isinstance(one, Rewritten) and one.path == path for one in proposals
            ):
                continue
            try:
                after = set_value(text, "priority", self._mark())
            except MalformedFrontmatter as error:
                self.declined.append(Declined(candidate.text, str(error)))
                continue
            proposals.append(Rewritten(path, after, base, "what recurs has core priority"))
            taken.append(candidate)
        return self._made(proposals, taken)

    def _mark(self) -> str:
        return "🔴" if self._workspace.profile.name == "vault" else "core"


_CORE = ("core", "🔴")
_NOTHING = "Nothing recurs that is not in core memory already."


def _believed(candidate: Candidate, about: str) -> Believed:
    """Return a statement that only the logs have as a claim, cited where it was told last."""
    first, last = candidate.use.told[0], candidate.use.told[-1]
    return Believed(
        candidate.text,
        candidate.tag.value,
        about=about,
        source=(str(last.statement.span),),
        quote=(last.statement.text,),
        since=(first.statement.said or first.day).isoformat(),
        why=candidate.why,
    )


def _waiting(candidate: Candidate) -> Waiting:
    span = candidate.claim.span if candidate.claim else candidate.use.told[-1].statement.span
    return Waiting(candidate.id, candidate.text, span.path, span.first, candidate.why)


def _text_of(workspace: Workspace, path: str) -> tuple[str, str]:
    """Return text and digest of a file, empty where there is none."""
    try:
        content = workspace.files.read(path)
    except NoteNotFound:
        return "", ""
    return decode(content.data).text, content.digest


def _own_id(claim: Claim, taken: Collection[str]) -> str:
    """Return a block id for a line of core memory: one that is free, the same at every attempt."""
    turn = 0
    while True:
        id = text_digest(f"core {turn} {claim.id} {claim.text}")[:6]
        if id not in taken and id != claim.id and not id.isdigit():
            return id
        turn += 1


def still_waiting(workspace: Workspace) -> Iterator[tuple[Waiting, Claim | None]]:
    """Yield the proposals that still hold: their line is there, and core memory has it not."""
    core, _ = _text_of(workspace, workspace.profile.core_path)
    there = {key_of(claim.text) for claim in read_claims("", core)}
    proposed = Proposals(workspace.state).read()
    for one in proposed.waiting:
        dismissed = proposed.has_dismissed(one.id, one.text)
        if dismissed or key_of(one.text) in there or unfit(one.text):
            continue
        text, _ = _text_of(workspace, one.path)
        if workspace.role_of(one.path) is Role.LOG:
            if key_of(one.text) in key_of(text):
                yield one, None
            continue
        claims = read_claims(one.path, text)
        live = [each for each in claims if each.live and key_of(each.text) == key_of(one.text)]
        if live:
            yield replace(one, line=live[0].span.first), live[0]
