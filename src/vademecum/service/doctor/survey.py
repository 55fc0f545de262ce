"""All notes taken together: what the checks need that look from one file to the others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from vademecum.core.claims import Claim
from vademecum.core.errors import IndexUnusable, VademecumError
from vademecum.markdown.claims import block_ids, read_claims
from vademecum.markdown.compare.keys import claim_keys
from vademecum.markdown.links import Catalogue
from vademecum.markdown.names import called
from vademecum.service.doctor.notes import Examined
from vademecum.service.doctor.patient import Patient
from vademecum.workspace.archived import live_path, logs_by_name
from vademecum.writing.known import is_editable
from vademecum.writing.review import text_of
from vademecum.writing.review_pairs import LARGEST_GROUP, keyed_groups

_UNINDEXED = 3000
"""Claims that an index does not have yet and that are compared all the same: about a second."""


class Survey:
    """Every note that could be read, its claims, and the names that links find it by."""

    def __init__(self, patient: Patient, notes: Iterable[Examined]) -> None:
        self.patient = patient
        self.workspace = patient.workspace
        self.notes: Mapping[str, Examined] = {note.path: note for note in notes}

    @cached_property
    def claims(self) -> Mapping[str, tuple[Claim, ...]]:
        """Claims by note, of the notes that hold any: the index's where it has the same content."""
        paths = [path for path in self.notes if is_editable(self.workspace, path)]
        waiting = self.workspace.profile.candidates_path
        found = dict(self._indexed(paths))
        for path in (*paths, waiting):
            if path in self.notes and path not in found:
                found[path] = read_claims(path, self.notes[path].text)
        return {path: found[path] for path in sorted(found) if found[path]}

    @cached_property
    def known(self) -> frozenset[str]:
        """The notes of which the index has the claims as they are on disk."""
        index = self.patient.parts.index
        try:
            unread = frozenset(index.unread_claims(len(self.notes)))
            stamps = index.stamps()
        except IndexUnusable:
            return frozenset()
        return frozenset(
            path
            for path, note in self.notes.items()
            if path not in unread and path in stamps and stamps[path][1] == note.digest
        )

    @cached_property
    def by_id(self) -> Mapping[str, Sequence[Claim]]:
        """Claims by block id."""
        found: dict[str, list[Claim]] = {}
        for claims in self.claims.values():
            for claim in claims:
                if claim.id:
                    found.setdefault(claim.id, []).append(claim)
        return found

    @cached_property
    def catalogue(self) -> Catalogue:
        """Every note that links can lead to, archived ones and those in other dot folders too."""
        names: dict[str, tuple[str, ...]] = {
            path: called(note.note) for path, note in self.notes.items()
        }
        for path in self.apart:
            names.setdefault(path, ())
        profile = self.workspace.profile
        moved = {live_path(profile, path): path for path in self.apart}
        earlier = {old: new for old, new in moved.items() if old != new}
        return Catalogue(names, earlier, logs_by_name(profile, names))

    @cached_property
    def apart(self) -> tuple[str, ...]:
        """Notes out of the index that links may lead to all the same, by path."""
        profile, root = self.workspace.profile, self.workspace.root
        folders = {profile.archive_folder, f"{profile.note_folder}/.quarantine"}
        found = {
            file.relative_to(root).as_posix()
            for folder in folders
            if folder and (root / folder).is_dir()
            for file in (root / folder).rglob("*.md")
        }
        left_out = {skipped.path for skipped in self.patient.scan.skipped}
        return tuple(sorted((found | left_out) - set(self.notes)))

    @cached_property
    def attachments(self) -> frozenset[str]:
        """The names of all files below the root, by which links name them wherever they are."""
        walk = os.walk(self.workspace.root)
        return frozenset(name.casefold() for _, _, files in walk for name in files)

    def has_id(self, id: str) -> bool:
        """Whether a line anywhere, archived ones included, carries that block id."""
        return id in self.by_id or id in self._ids_elsewhere

    def ids_of(self, path: str) -> frozenset[str]:
        """Return the block ids of one note."""
        if path in self.notes:
            return block_ids(self.notes[path].text)
        return block_ids(text_of(self.workspace, path))

    def groups(self) -> Iterator[tuple[Claim, ...]]:
        """Yield live claims that share a slot key, as the files have them."""
        live = {claim for claims in self.claims.values() for claim in claims if claim.live}
        index = self.patient.parts.index
        try:
            for group in index.crowded(LARGEST_GROUP):
                yield tuple(claim for claim in group if claim in live)
            yield from _crowds(self._unindexed(), live, index.claims_by_slot)
        except IndexUnusable:
            yield from keyed_groups(self._unindexed())

    def _unindexed(self) -> list[Claim]:
        fresh = [
            claim
            for path, claims in self.claims.items()
            if path not in self.known
            for claim in claims
            if claim.live
        ]
        return fresh[:_UNINDEXED]

    @cached_property
    def _ids_elsewhere(self) -> frozenset[str]:
        texts = [note.text for path, note in self.notes.items() if path not in self.claims]
        texts += [text_of(self.workspace, path) for path in self.apart]
        return frozenset(id for text in texts if "^" in text for id in block_ids(text))

    def _indexed(self, paths: Sequence[str]) -> Iterator[tuple[str, tuple[Claim, ...]]]:
        wanted = [path for path in paths if path in self.known]
        found: dict[str, list[Claim]] = {path: [] for path in wanted}
        try:
            for claim in self.patient.parts.index.claims_in(wanted):
                found[claim.span.path].append(claim)
        except VademecumError:
            return
        for path, claims in found.items():
            yield path, tuple(claims)


def _crowds(
    fresh: Sequence[Claim],
    live: set[Claim],
    indexed: Callable[[Sequence[str], int], Sequence[Claim]],
) -> Iterator[tuple[Claim, ...]]:
    """Yield groups with claims that the index does not have as they are now."""
    by_key: dict[str, dict[Claim, None]] = {}
    for claim in fresh:
        for key in claim_keys(claim):
            by_key.setdefault(key, {})[claim] = None
    for key, group in by_key.items():
        others = indexed((key,), LARGEST_GROUP + 1)
        whole = dict.fromkeys((*group, *(claim for claim in others if claim in live)))
        if 1 < len(whole) <= LARGEST_GROUP:
            yield tuple(whole)
