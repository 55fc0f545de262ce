"""`forget`: take a fact out of every file, leave a tombstone, and say what remains."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vademecum.core.changes import Signature
from vademecum.core.errors import (
    ChangedMeanwhile,
    ClaimNotFound,
    InvalidText,
    NoteNotFound,
    Refused,
)
from vademecum.core.frozen import dataclass
from vademecum.core.notes import Role
from vademecum.core.provenance import Actor
from vademecum.markdown.claims import read_claims
from vademecum.markdown.lines import decode, split
from vademecum.markdown.wording import key_of, occurrences
from vademecum.workspace.workspace import Workspace
from vademecum.writing.draft import Draft
from vademecum.writing.erase import erase_blobs, erase_summaries
from vademecum.writing.guard import guarded
from vademecum.writing.maps import keep_in_step
from vademecum.writing.redact import redacted
from vademecum.writing.signing import sign
from vademecum.writing.tombstones import (
    Tombstone,
    digest_of_text,
    tombstone_path,
    tombstones,
)
from vademecum.writing.turns import claims_turn, maps_turn
from vademecum.writing.whereabouts import Place, Standing, Whereabouts, bare, find, texts_of

_ATTEMPTS = 5
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Remains:
    """Where the fact may still be read, and what takes it away."""

    where: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was forgotten, or would be; the text itself is in a plan only."""

    stone: str
    """Id of the tombstone and of the ledger group; empty for a plan."""
    places: tuple[Place, ...]
    files: tuple[str, ...] = ()
    """Files that were changed."""
    versions: int = 0
    """Old versions that were purged."""
    remains: tuple[Remains, ...] = ()
    proof: tuple[str, ...] = ()
    """What was looked through again, a sentence each, and held nothing."""
    needs_ids: bool = False
    """A text was named, not claims: nothing was done before ids or spans are."""


def plan(workspace: Workspace, targets: Sequence[str]) -> Forgotten:
    """Return what `forget` would do; nothing is changed. Raises what `find` raises."""
    where = find(workspace, targets)
    return Forgotten("", where.places, needs_ids=not where.exact)


def forget(
    workspace: Workspace,
    targets: Sequence[str],
    *,
    actor: Actor,
    purge: bool = False,
    reason: str = "",
) -> tuple[Forgotten, Whereabouts]:
    """Take what `targets` name out of every file; return what was done, and what was gone for.

    Claims are removed wherever they stand, with those that rest on nothing else; in other text
    the words become `[forgotten ID]`. The tombstone is written first, so a call that is broken off
    can be repeated. Old versions stay in the state directory until `purge`, so without it the call
    can be undone as one group. Index and vectors are the caller's part.

    Raises Refused when a text was named that has to be told apart first, and what `find` and any
    write raise.
    """
    where = find(workspace, targets)
    if not where.exact:
        raise Refused(
            "A text was named, and what it stands in has to be chosen first; nothing was changed.",
            hint="Name ids or PATH:LINE from the list that --dry-run shows.",
        )
    reason = _checked(reason, where)
    first = sign(workspace, actor, "forget")
    stone = first.id
    _bury(workspace, where, first, reason)
    erase_summaries(workspace, where.texts, stone)
    files = _take_out(workspace, where, targets, actor, stone)
    versions = erase_blobs(workspace, where.texts) if purge else 0
    done = Forgotten(
        stone,
        tuple(_without_text(place) for place in where.places),
        files,
        versions,
        remains(workspace, where, purged=purge),
    )
    return done, where


def purge(workspace: Workspace, stone: str) -> Forgotten:
    """Remove the old versions of what was forgotten under that tombstone earlier.

    What to look for is read from the versions that the forgetting displaced. Raises ClaimNotFound
    when there is no such tombstone.
    """
    stones = {digest for digest, one in tombstones(workspace).items() if one.id == stone}
    if not stones:
        raise ClaimNotFound(
            f"There is no tombstone {stone} here.", hint="`vade history` lists them."
        )
    blobs = workspace.files.records.blobs
    texts: dict[str, None] = {}
    for change in workspace.ledger.changes(group=stone):
        if change.before and blobs.has(change.before):
            text = decode(blobs.get(change.before)).text
            said = [claim.text for claim in read_claims(change.path, text)]
            said += [bare(line) for line in split(text)]
            texts |= {one: None for one in said if one and digest_of_text(one) in stones}
    erase_summaries(workspace, tuple(texts), stone)
    return Forgotten(stone, (), (), erase_blobs(workspace, tuple(texts)))


def remains(workspace: Workspace, where: Whereabouts, *, purged: bool) -> tuple[Remains, ...]:
    """Return what still holds the fact, of files and of the state directory."""
    found = []
    patterns = [pattern for text in where.texts if (pattern := occurrences(text))]
    keys = {key_of(text) for text in where.texts}
    for path, text in texts_of(workspace):
        if any(pattern.search(text) for pattern in patterns):
            found.append(Remains(path, "The file changed meanwhile; run the command once more."))
        elif _named_after(path, keys):
            found.append(Remains(f"the name of {path}", "Rename the note."))
    if not purged:
        found.append(
            Remains(
                "old versions in the state directory",
                "They make undo possible; `vade forget ID --purge`, with this ID, removes them.",
            )
        )
    return tuple(found)


def _checked(reason: str, where: Whereabouts) -> str:
    if not reason.strip():
        return ""
    reason = " ".join(guarded(reason, "The reason", redact=None).split())
    patterns = [pattern for text in where.texts if (pattern := occurrences(text))]
    if any(pattern.search(reason) for pattern in patterns):
        raise InvalidText(
            "The reason repeats what is to be forgotten.", hint="Say why, without saying what."
        )
    return reason


def _bury(workspace: Workspace, where: Whereabouts, signature: Signature, reason: str) -> None:
    digests = dict.fromkeys(digest_of_text(text) for text in where.texts)
    lines = [
        Tombstone(signature.id, signature.at, digest, signature.actor.name, reason).encode()
        for digest in digests
    ]
    signed = Signature(
        signature.id, signature.at, signature.actor, "forget", "tombstone", group=signature.id
    )
    workspace.files.append(tombstone_path(workspace.profile), b"".join(lines), signed)


def _take_out(
    workspace: Workspace, where: Whereabouts, targets: Sequence[str], actor: Actor, stone: str
) -> tuple[str, ...]:
    files: dict[str, None] = {}
    # Nobody adds a claim to a note that is about to go.
    with claims_turn(workspace), maps_turn(workspace):
        for attempt in range(1, _ATTEMPTS + 1):
            draft = Draft(workspace)
            emptied = _without(draft, where, stone)
            files |= dict.fromkeys(draft.changed())
            try:
                _write(workspace, draft, actor, stone, emptied)
                break
            except ChangedMeanwhile:
                if attempt == _ATTEMPTS:
                    raise
                try:
                    where = _again(workspace, targets, where)
                except ClaimNotFound:
                    break  # it is gone, and a note that would have gone with it says more now
    return tuple(files)


def _without(draft: Draft, where: Whereabouts, stone: str) -> list[str]:
    """Take it out of the draft, maps too; return the notes of which nothing is left."""
    emptied = []
    for path in _paths(where):
        text = draft.text(path)
        if text is None:
            continue
        role = draft.workspace.role_of(path)
        done = redacted(path, text, role, where, stone)
        draft.put(path, done.text)
        if done.bare and role is Role.CONCEPT:
            emptied.append(path)
    notes = [p for p in draft.changed() if draft.workspace.role_of(p) is Role.CONCEPT]
    keep_in_step(draft, [path for path in notes if path not in emptied], emptied)
    return emptied


def _paths(where: Whereabouts) -> list[str]:
    """Return the files, those with the claims that were named last.

    So a call that was broken off can be repeated: what it goes by is there until all else is done.
    """
    named = {place.span.path for place in where.places if place.standing is Standing.CLAIM}
    return sorted({place.span.path for place in where.places}, key=lambda path: path in named)


def _write(
    workspace: Workspace, draft: Draft, actor: Actor, stone: str, emptied: Sequence[str]
) -> None:
    def signed(group: str) -> Signature:
        del group
        return sign(workspace, actor, "forget", f"forgotten {stone}", group=stone)

    draft.write(signed, aside=False)  # a record would keep what is to be forgotten
    for path in emptied:
        try:
            content = workspace.files.read(path)
        except NoteNotFound:
            continue
        if decode(content.data).text != draft.text(path):
            raise ChangedMeanwhile(f"{path} was changed by somebody else meanwhile.")
        workspace.files.remove(content, signed(""))


def _again(workspace: Workspace, targets: Sequence[str], where: Whereabouts) -> Whereabouts:
    """Look once more, for the claims that were named and for the words that are known by now."""
    found = find(workspace, (*targets, *where.texts))
    texts = tuple(dict.fromkeys((*where.texts, *found.texts)))
    ids = tuple(dict.fromkeys((*where.ids, *found.ids)))
    return Whereabouts(found.places, texts, ids, where.anchors)


def _without_text(place: Place) -> Place:
    return Place(place.span, place.standing, "", place.claim)


def _named_after(path: str, keys: set[str]) -> bool:
    """Whether a file is named with the words of a text that was forgotten."""
    name = _WORDS.findall(path.rpartition("/")[2].removesuffix(".md").casefold().replace("_", "-"))
    return len(name) >= 3 and any(
        name == _WORDS.findall(key.replace("_", "-"))[: len(name)] for key in keys
    )


__all__ = ["Forgotten", "Place", "Remains", "Standing", "forget", "plan", "purge", "remains"]
