"""What the ledger records: a change to a file, enough to undo it; what a model was asked."""

from __future__ import annotations

import enum
from datetime import datetime

from vademecum.core.frozen import dataclass
from vademecum.core.provenance import Actor


class Effect(enum.StrEnum):
    """What a change did to its file."""

    CREATE = "create"
    APPEND = "append"
    REPLACE = "replace"
    REMOVE = "remove"
    MOVE = "move"
    ASK = "ask"
    """None to a file: a model was asked, see `Change.usage`."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What one request took: tokens, and US dollars where they are known (None: they are not)."""

    model: str
    """PROVIDER:NAME, or the program that was run."""
    sent: int = 0
    received: int = 0
    cost: float | None = None
    estimated: bool = False
    """The tokens were counted here, by a rule of thumb, because nobody told them."""


@dataclass(frozen=True, slots=True)
class Change:
    """One line of the ledger.

    Digests are those of the whole file (see `ids.digest_of`); `before` is empty for a new file,
    `after` for a removed one. The blob store holds the bytes of every digest named in `before`
    and of what a file was made with or replaced by; of an append, which `offset` and `length`
    (bytes) describe, those of `added` instead.
    """

    id: str
    at: datetime
    actor: str
    session: str
    verb: str
    effect: Effect
    path: str
    before: str
    after: str
    offset: int = 0
    length: int = 0
    summary: str = ""
    undoes: str = ""
    """Id of the change that this one takes back."""
    group: str = ""
    """Id shared by the changes of one call."""
    added: str = ""
    """Of an append: digest of the bytes that it added; the blob store holds them."""
    usage: Usage | None = None
    """Of a question to a model: what it took. Path and digests are empty then."""


@dataclass(frozen=True, slots=True)
class Signature:
    """Who makes a change, when, by which verb and why: what a file cannot say of itself."""

    id: str
    """The ledger id that the change will have."""
    at: datetime
    actor: Actor
    verb: str
    summary: str = ""
    undoes: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """What a writing verb reports once the bytes are durable."""

    change: str
    """Ledger id."""
    path: str
    first: int
    last: int
    digest: str
    """Of the whole file after the write."""
    merged: bool = False
    """Another writer changed the file meanwhile and both changes stand."""
    conflict: str = ""
    """Path of the conflict record, when a displaced version could not be merged."""
