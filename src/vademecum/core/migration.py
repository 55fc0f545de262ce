"""Moving in: what was found elsewhere, where each of its lines goes, how far a migration is."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from datetime import datetime

from vademecum.core.frozen import dataclass
from vademecum.core.notes import Span
from vademecum.core.search import Degradation


class Origin(enum.StrEnum):
    """The kinds of memory that can be moved in."""

    CLAUDE_MD = "claude-md"
    CLAUDE_LOCAL = "claude-local"
    SEED = "seed"
    AGENTS_MD = "agents-md"
    AUTO_MEMORY = "claude-auto-memory"
    OPENCLAW = "openclaw"
    NANOCLAW = "nanoclaw"
    VAULT = "vault"
    GITMEM = "gitmem"
    STANDARD = "standard"
    BASIC_MEMORY = "basic-memory"
    LETTA = "letta"
    MEM0 = "mem0"
    CHATGPT = "chatgpt"
    OKF = "okf"
    MARKDOWN = "markdown"


class Treatment(enum.StrEnum):
    """What is done with one file."""

    WHOLE = "whole"
    """It becomes a note, line by line."""
    SPLIT = "split"
    """Behaviour goes to the instructions, facts go to a note a section."""
    LOG = "log"
    """It is added to the daily log of its day."""
    MAP = "map"
    """It only leads to notes; maps are made anew, what else it says becomes a note."""
    GROWN = "grown"
    """It was moved in before and has grown since: what is new is added to where it went."""
    ARCHIVE = "archive"
    """It stays as it is, out of the index."""
    RECORDS = "records"
    """An export in JSON: each memory becomes a claim, each conversation an entry."""
    GENERATED = "generated"
    """A program wrote it from other files; nothing is taken."""
    TWIN = "twin"
    """The same bytes are moved in from elsewhere, or were before."""


class Fate(enum.StrEnum):
    """What became of one line."""

    NOTE = "note"
    INSTRUCTION = "instruction"
    LOG = "log"
    MAP = "map"
    """Maps or frontmatter, made anew, say it."""
    ARCHIVE = "archive"
    QUARANTINE = "quarantine"
    DUPLICATE = "duplicate"
    BLANK = "blank"
    HEADING = "heading"
    GENERATED = "generated"
    SECRET = "secret"
    """A credential; it is in the staged original only."""
    FORGOTTEN = "forgotten"
    """It was forgotten in this workspace, and comes back only on purpose."""


class Phase(enum.StrEnum):
    """How far a migration is. A kill leaves it at one of the first three; a new run goes on."""

    PLANNED = "planned"
    STAGED = "staged"
    APPLIED = "applied"
    DONE = "done"
    FINISHED = "finished"
    ROLLED_BACK = "rolled-back"


@dataclass(frozen=True, slots=True)
class Discovered:
    """One kind of memory at a place in the source, empty for the source itself."""

    origin: Origin
    path: str
    files: int


@dataclass(frozen=True, slots=True)
class Passed:
    """What is in the source and is not taken, with the reason; it stays where it is."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Decision:
    """Where some lines of a split file go; `to` is the path of the file that gets them."""

    first: int
    last: int
    fate: Fate
    to: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class NewNote:
    """A note that is to be made of pieces."""

    path: str
    type: str
    title: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class FilePlan:
    """What is to be done with one file of the source.

    `path` is relative to the source. `to` is where it goes as a whole, `twin` what it is the same
    as. `host_owned`: a person wrote it for a host to load, so its behaviour may become
    instructions. `said` is what a map tells of it, for a note that does not describe itself.
    """

    path: str
    origin: Origin
    treatment: Treatment
    size: int
    digest: str
    to: str = ""
    type: str = ""
    title: str = ""
    twin: str = ""
    host_owned: bool = False
    said: str = ""
    decisions: tuple[Decision, ...] = ()
    notes: tuple[NewNote, ...] = ()
    own: bool = False
    """It comes from an export of one's own: no line of it is changed, what is stated stays so."""


@dataclass(frozen=True, slots=True)
class MigrationPlan:
    """What a migration would do; nothing has been changed yet, and nothing is without approval."""

    id: str
    """The session of all that it will write: what `undo` takes it back by."""
    source: str
    into: str
    at: datetime
    found: tuple[Discovered, ...] = ()
    files: tuple[FilePlan, ...] = ()
    passed: tuple[Passed, ...] = ()
    quarantined: tuple[Passed, ...] = ()
    """Symbolic links and what is no regular file: never followed, never opened."""
    instructions: tuple[str, ...] = ()
    """Lines that would be added to the file of instructions: read them before approving."""
    instructions_path: str = ""
    degraded: tuple[Degradation, ...] = ()
    resumes: bool = False
    """It was begun, and approved, before; applying goes on where that stopped."""

    @property
    def empty(self) -> bool:
        """Whether everything in the source was moved in before."""
        return all(file.treatment is Treatment.TWIN for file in self.files)


@dataclass(frozen=True, slots=True)
class Account:
    """What became of a run of lines of one file of the source.

    `to` is where they are now. `part` names a record of an export.
    """

    source: Span
    fate: Fate
    to: Span | None = None
    why: str = ""
    part: str = ""


@dataclass(frozen=True, slots=True)
class FileReport:
    """The lines of one file of the source, counted by what became of them."""

    path: str
    origin: Origin
    lines: int
    accounted: int
    fates: Mapping[str, int]
    to: tuple[str, ...] = ()
    """Files that its lines went to; at most a few are named."""


@dataclass(frozen=True, slots=True)
class MigrationReport:
    """What a migration did: every line of the source is accounted for.

    `accounts` has all rows where they are few; `report` is the file that always has them.
    """

    id: str
    source: str
    phase: Phase
    files: tuple[FileReport, ...] = ()
    lines: int = 0
    accounted: int = 0
    notes: int = 0
    claims: int = 0
    accounts: tuple[Account, ...] = ()
    passed: tuple[Passed, ...] = ()
    quarantined: tuple[Passed, ...] = ()
    degraded: tuple[Degradation, ...] = ()
    report: str = ""
    already: bool = False
    """The source was moved in before, and nothing was changed."""


@dataclass(frozen=True, slots=True)
class MigrationStanding:
    """One migration as it stands."""

    id: str
    source: str
    phase: Phase
    at: datetime
    files: int = 0
    report: str = ""
    left: tuple[Passed, ...] = ()
    """Of one rolled back or finished: what others changed since and was left, with the reason."""
