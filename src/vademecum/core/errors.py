"""Every error the product raises, as one tree.

VademecumError                     exit 1
├── BadInput                       exit 2   the call itself cannot be carried out
│   ├── InvalidText                         NUL bytes, lone surrogates, nothing but blanks
│   ├── InvalidPath                         a path that leaves the workspace or is not portable
│   ├── InvalidDate                         a date or time that cannot be read
│   └── InvalidConfiguration                an unknown key, a wrong type, an unsafe key
├── NotFound                       exit 3   what the call names is not there
│   ├── WorkspaceNotFound                   no workspace here or above
│   ├── NoteNotFound                        no such file, title or wikilink
│   ├── LedgerEntryNotFound                 no such write in the ledger
│   ├── ClaimNotFound                       no claim with that block id
│   └── AgentNotFound                       no agent of that name is registered
├── Refused                        exit 4   discipline forbids it; nothing was changed
│   ├── AppendOnly                          a log may only grow
│   ├── OverBudget                          a file would pass its size budget
│   ├── SecretFound                         the text holds what looks like a credential
│   ├── EvidenceMissing                     a tag was raised without a quote that can be found
│   ├── ReadOnly                            the file or its directory may not be written
│   ├── MalformedFrontmatter                the note's frontmatter cannot be edited safely
│   ├── ChangedMeanwhile                    the base of the edit moved; both versions are kept
│   ├── AmbiguousTarget                     several notes answer to that name
│   ├── Sealed                              the workspace belongs to another agent
│   ├── ForeignConfiguration                a host's file that cannot be edited without damage
│   └── Unaccounted                         a migration that cannot say where every line went
├── StorageFailed                  exit 5   the disk, not the call, is at fault
│   ├── DiskFull                            no space, quota or inodes left
│   ├── Unreadable                          a file that cannot be read
│   ├── StateUnwritable                     the state directory cannot be created or written
│   └── LockTimeout                         another process held a lock for too long
├── IndexUnusable                  exit 6   the index cannot be opened; files are intact
└── ProviderFailed                 exit 7   an embedder, a model or a remote did not answer
    ├── EmbedderUnavailable                 no vectors; keyword search goes on
    ├── ModelUnavailable                    no verdict; rules go on
    └── RemoteUnreachable                   nothing sent or fetched; writing goes on
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from vademecum.core.changes import Usage


class VademecumError(Exception):
    """Root of the tree.

    `str(error)` is one sentence saying what went wrong and where; `hint` says what to do about it;
    `code` is stable and meant for programs, as is `exit_code` for shells. A message is never read
    to decide anything.
    """

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class BadInput(VademecumError):
    """The call itself cannot be carried out as it was made."""

    code = "bad-input"
    exit_code = 2


class InvalidText(BadInput):
    """Text that no note may hold: NUL bytes, lone surrogates, or nothing but blanks."""

    code = "invalid-text"


class InvalidPath(BadInput):
    """A path that leaves the workspace, or that not every system could hold."""

    code = "invalid-path"


class InvalidDate(BadInput):
    """A date or time that cannot be read."""

    code = "invalid-date"


class InvalidConfiguration(BadInput):
    """An unknown key, a value of the wrong type, or a key that vade.toml may not set."""

    code = "invalid-configuration"


class NotFound(VademecumError):
    """What the call names is not there."""

    code = "not-found"
    exit_code = 3


class WorkspaceNotFound(NotFound):
    """No workspace at the path given, here or above."""

    code = "workspace-not-found"


class NoteNotFound(NotFound):
    """No note answers to that path, title or wikilink."""

    code = "note-not-found"


class LedgerEntryNotFound(NotFound):
    """No write with that id is in the ledger."""

    code = "ledger-entry-not-found"


class ClaimNotFound(NotFound):
    """No claim carries that block id."""

    code = "claim-not-found"


class AgentNotFound(NotFound):
    """No agent of that name is registered."""

    code = "agent-not-found"


class Refused(VademecumError):
    """Discipline forbids the write; nothing was changed."""

    code = "refused"
    exit_code = 4


class AppendOnly(Refused):
    """A log may only grow."""

    code = "append-only"


class OverBudget(Refused):
    """A file would pass the size up to which it is injected or searched; the hint says a remedy."""

    code = "over-budget"


class SecretFound(Refused):
    """The text holds what looks like a credential; the message names the rule, never the text."""

    code = "secret-found"


class EvidenceMissing(Refused):
    """A provenance tag was raised without a quote that can be found at its span."""

    code = "evidence-missing"


class ReadOnly(Refused):
    """The file or its directory may not be written by this user."""

    code = "read-only"


class MalformedFrontmatter(Refused):
    """The note's frontmatter does not parse, so an edit could damage it; bytes are untouched."""

    code = "malformed-frontmatter"


class ChangedMeanwhile(Refused):
    """The base of an edit moved and no merge was safe; both versions are kept."""

    code = "changed-meanwhile"


class AmbiguousTarget(Refused):
    """Several notes answer to the name given; the hint lists them."""

    code = "ambiguous-target"


class Sealed(Refused):
    """The workspace belongs to another agent than the one in whose name the call is made."""

    code = "sealed"


class ForeignConfiguration(Refused):
    """Another program's file that cannot be edited without damage; the hint has what to paste."""

    code = "foreign-configuration"


class Unaccounted(Refused):
    """A migration cannot say where every line of its source went; it is not done."""

    code = "unaccounted"


class StorageFailed(VademecumError):
    """The disk, not the call, is at fault."""

    code = "storage-failed"
    exit_code = 5


class DiskFull(StorageFailed):
    """No space, quota or inodes left; what was there before is intact."""

    code = "disk-full"


class Unreadable(StorageFailed):
    """A file that exists but cannot be read."""

    code = "unreadable"


class StateUnwritable(StorageFailed):
    """The state directory cannot be created or written."""

    code = "state-unwritable"


class LockTimeout(StorageFailed):
    """Another process held a lock for longer than this call may wait."""

    code = "lock-timeout"


class IndexUnusable(VademecumError):
    """The index cannot be opened or rebuilt; the files are intact."""

    code = "index-unusable"
    exit_code = 6


class ProviderFailed(VademecumError):
    """An embedder, a model or a remote did not answer as it should."""

    code = "provider-failed"
    exit_code = 7

    def __init__(self, message: str, *, hint: str = "", transient: bool = False) -> None:
        super().__init__(message, hint=hint)
        self.transient = transient
        """Whether asking again later can help (a time-out can, a wrong key cannot)."""


class EmbedderUnavailable(ProviderFailed):
    """No vectors can be made; keyword search goes on."""

    code = "embedder-unavailable"


class ModelUnavailable(ProviderFailed):
    """No structured answer can be had; rules go on."""

    code = "model-unavailable"

    def __init__(
        self, message: str, *, hint: str = "", transient: bool = False, usage: Usage | None = None
    ) -> None:
        super().__init__(message, hint=hint, transient=transient)
        self.usage = usage
        """What a request took that got no answer; None where none was made."""


class RemoteUnreachable(ProviderFailed):
    """The repository that a team shares did not answer; what was written is kept here."""

    code = "remote-unreachable"
