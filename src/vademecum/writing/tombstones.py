"""Tombstones: what was forgotten, known by digests alone, so that it does not come back."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import datetime

from vademecum.core.errors import MalformedFrontmatter, NoteNotFound, Refused
from vademecum.core.frozen import dataclass
from vademecum.core.ids import text_digest
from vademecum.markdown.claims import read_claims
from vademecum.markdown.frontmatter import read, remove_key
from vademecum.markdown.lines import decode, split
from vademecum.markdown.maps import MapEntry, read_map
from vademecum.markdown.wording import key_of
from vademecum.workspace.profiles.profile import Profile
from vademecum.workspace.workspace import Workspace

_DESCRIPTION = "description"
FILE = ".tombstones.jsonl"
FORGET = "forget"
"""The verb of the ledger under which things are forgotten."""


@dataclass(frozen=True, slots=True)
class Tombstone:
    """One forgotten text: when, by whom and why; of the text itself only a digest."""

    id: str
    """The ledger group of the call that forgot it."""
    at: datetime
    digest: str
    actor: str = ""
    reason: str = ""

    def encode(self) -> bytes:
        """Return its line in the file."""
        fields = {
            "id": self.id,
            "at": self.at.isoformat(),
            "digest": self.digest,
            "actor": self.actor,
            "reason": self.reason,
        }
        kept = {key: value for key, value in fields.items() if value}
        return json.dumps(kept, ensure_ascii=False).encode() + b"\n"


def tombstone_path(profile: Profile) -> str:
    """Return where the tombstones of a workspace are: beside its notes, so clones have them."""
    folder = profile.note_folder
    return FILE if folder in ("", ".") else f"{folder}/{FILE}"


def digest_of_text(text: str) -> str:
    """Return the digest under which a text is known as forgotten; case and blanks do not matter."""
    return text_digest(f"tombstone\x1f{key_of(text)}")


def tombstones(workspace: Workspace) -> dict[str, Tombstone]:
    """Return the tombstones by digest; a line that cannot be read is passed over."""
    try:
        data = workspace.files.read(tombstone_path(workspace.profile)).data
    except NoteNotFound:
        return {}
    return {stone.digest: stone for stone in _read(data)}


def is_stone(workspace: Workspace, id: str) -> bool:
    """Whether something was forgotten under that id."""
    return any(stone.id == id for stone in tombstones(workspace).values())


def refuse_forgotten(workspace: Workspace, text: str) -> None:
    """Raise Refused when `text`, or a line of it, was forgotten: it comes back only on purpose."""
    stones = tombstones(workspace)
    lines = text.splitlines() if stones else ()
    digests = (digest_of_text(said) for said in dict.fromkeys((text, *lines)) if said.strip())
    stone = next((stones[digest] for digest in digests if digest in stones), None)
    if stone is not None:
        raise Refused(
            f"This was forgotten on {stone.at.date().isoformat()}, so it was not written.",
            hint=f"To have it again, take that back: vade undo {stone.id}.",
        )


def without_forgotten(path: str, text: str, digests: frozenset[str]) -> tuple[str, int]:
    """Return a note without the claims whose digests are given, and how many those were.

    Lines of maps and a description that say what was forgotten count like claims.
    """
    if not digests:
        return text, 0
    gone = [
        range(claim.span.first, claim.span.last + 1)
        for claim in read_claims(path, text)
        if digest_of_text(claim.text) in digests
    ]
    gone += [range(entry.line, entry.line + 1) for entry in forgotten_entries(text, digests)]
    numbers = {number for lines in gone for number in lines}
    kept = (line for number, line in enumerate(split(text), 1) if number not in numbers)
    text = "".join(kept)
    described = read(text).text(_DESCRIPTION)
    if described and digest_of_text(described) in digests:
        with suppress(MalformedFrontmatter):  # it stays for a person to mend, as doctor says
            return remove_key(text, _DESCRIPTION), len(gone) + 1
    return text, len(gone)


def forgotten_entries(text: str, digests: Collection[str]) -> Iterator[MapEntry]:
    """Yield the lines of a map whose description was forgotten."""
    for entry in read_map(text):
        if entry.description and digest_of_text(entry.description) in digests:
            yield entry


def _read(data: bytes) -> Iterator[Tombstone]:
    for line in decode(data).text.splitlines():
        try:
            fields = json.loads(line)
            yield Tombstone(
                str(fields["id"]),
                datetime.fromisoformat(fields["at"]),
                str(fields["digest"]),
                str(fields.get("actor", "")),
                str(fields.get("reason", "")),
            )
        except (ValueError, KeyError, TypeError):
            continue
