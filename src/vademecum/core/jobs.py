"""What a job would change, and what it reports: proposals are values before they are applied."""

from __future__ import annotations

import enum
from dataclasses import field

from vademecum.core.frozen import dataclass
from vademecum.core.notes import Span
from vademecum.core.provenance import OF_JOBS
from vademecum.core.search import Degradation


class Job(enum.StrEnum):
    """The jobs that tidy memory."""

    HEARTBEAT = "heartbeat"
    REFLECT = "reflect"
    PROMOTE = "promote"
    ARCHIVE = "archive"

    @property
    def actor(self) -> str:
        """Return in whose name it writes; what jobs write is evidence of nothing."""
        return f"{OF_JOBS}{self.value}"


@dataclass(frozen=True, slots=True)
class Entered:
    """An entry for the daily log; one with the same title and text in that log is this one."""

    text: str
    title: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Believed:
    """A claim for `remember`, which decides what it does; the evidence is where it was found."""

    text: str
    tag: str
    kind: str = ""
    about: str = ""
    source: tuple[str, ...] = ()
    quote: tuple[str, ...] = ()
    since: str = ""
    """First day on which it holds, as `YYYY-MM-DD`; empty: the day on which it is applied."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Composed:
    """A whole new file, such as a reflection; it is never written over one that is there."""

    path: str
    text: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Refreshed:
    """The workbench written anew; `base` is the digest of the version it was made from."""

    text: str
    base: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A file with some of its lines edited: applied to the version with the digest `base`, merged
    into a later one, or refused."""

    path: str
    text: str
    base: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Moved:
    """A file that goes elsewhere in the workspace with all its lines."""

    path: str
    to: str
    why: str = ""


Proposal = Entered | Believed | Composed | Refreshed | Rewritten | Moved


@dataclass(frozen=True, slots=True)
class Declined:
    """What a model, or a rule, wanted and a check did not allow."""

    what: str
    why: str
    where: Span | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What a job would do, made from files alone: nothing has been changed yet."""

    proposals: tuple[Proposal, ...] = ()
    declined: tuple[Declined, ...] = ()
    degraded: tuple[Degradation, ...] = ()
    notes: tuple[str, ...] = ()
    """Sentences for the report: what was looked at, what waits."""


@dataclass(frozen=True, slots=True)
class Step:
    """One proposal after it was applied: what came of it, and the ledger group of its writes.

    `outcome` is `declined`, with the reason in `why`, `there already` where nothing was left to do,
    or one word for what was done.
    """

    proposal: Proposal
    outcome: str
    change: str = ""
    why: str = ""
    diff: str = ""
    """Unified diff of what it changes; of a dry run, of what it would change."""


@dataclass(frozen=True, slots=True)
class JobReport:
    """What a run of a job did. `session` is what `undo` takes back the whole of it by.

    `key` is the local date or the moment that the run is for: a run for a key that was done does
    nothing and says so in `already`.
    """

    job: Job
    key: str
    session: str
    steps: tuple[Step, ...] = ()
    declined: tuple[Declined, ...] = ()
    degraded: tuple[Degradation, ...] = ()
    notes: tuple[str, ...] = field(default=())
    already: bool = False
    dry_run: bool = False
    elsewhere: bool = False
    """Another process runs this job on this workspace now; nothing was done here."""
    resumed: bool = False
    """A run that had been stopped was gone on with, from the plan it had made."""
