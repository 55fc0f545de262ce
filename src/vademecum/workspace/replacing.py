"""Replacing and removing a file: swap, look at what was displaced, lose none of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from vademecum.core.changes import Change, Effect, Signature
from vademecum.core.errors import ChangedMeanwhile, NoteNotFound
from vademecum.core.frozen import dataclass
from vademecum.core.ids import digest_of, new_entry_id
from vademecum.core.provenance import Actor
from vademecum.workspace.beneath import Place, Root
from vademecum.workspace.conflicts import keep_version
from vademecum.workspace.disk_errors import failure, translated
from vademecum.workspace.journal import Intent
from vademecum.workspace.merge import merge
from vademecum.workspace.reading import Content, check_writable, content_of, read_all, settled
from vademecum.workspace.records import Records, planned
from vademecum.workspace.temporary import (
    Draft,
    bring_back_aside,
    discard,
    draft,
    new_name,
    publish_again,
    swap_in,
)

_ROUNDS = 20
"""How often another program may save during one write before its version becomes a record."""
_UNMERGED = "saved by another program while this file was being written"


@dataclass(frozen=True, slots=True)
class Replaced:
    """A replacement that is durable."""

    change: Change | None
    """None when the file already had that content."""
    data: bytes
    """What the file holds now."""
    digest: str
    merged: bool = False
    conflict: str = ""


@dataclass(frozen=True, slots=True)
class _Swapped:
    """Where the rounds of one replacement ended."""

    intent: Intent
    data: bytes
    merged: bool
    conflict: str
    released: bool
    """Nobody can write into the displaced version any more."""


class Replacing:
    """Replacements and removals beneath one root; the caller holds the lock of the file."""

    def __init__(self, root: Root, records: Records) -> None:
        self._root = root
        self._records = records

    def replace(self, place: Place, base: Content, data: bytes, signature: Signature) -> Replaced:
        """Put `data`, an edit of `base`, in place of what the file holds now.

        What others changed since `base` is merged. Raises ChangedMeanwhile, with `data` kept as a
        conflict record, when that is not possible.
        """
        with self._present(place, base, data, signature) as (descriptor, current):
            new = self._rebased(place, base, current, data, signature)
            merged = new != data
            if new == current.data:
                return Replaced(None, new, current.digest, merged)
            check_writable(current)
            self._check_permission(place)
            self._records.blobs.put(current.data)
            self._records.blobs.put(new, durable=False)
            change = planned(signature, Effect.REPLACE, place.path, current.digest, digest_of(new))
            intent = Intent(change, current.digest, new_name())
            with translated(place.path, "replace"), draft(place, new, descriptor) as made:
                self._swap(place, intent, made)
        return self._finish(place, self._settle(place, intent, new), merged=merged)

    def remove(self, place: Place, base: Content, signature: Signature) -> Change:
        """Remove the file if it is still `base`. Raises ChangedMeanwhile when it is not."""
        with self._present(place, base, b"", signature) as (_, current):
            if current.digest != base.digest:
                raise _changed(place.path, "it was left as it is")
            check_writable(current)
            self._records.blobs.put(current.data)
        change = planned(signature, Effect.REMOVE, place.path, current.digest, "")
        intent = Intent(change, current.digest, new_name())
        self._records.journal.begin(intent, durable=True)
        with translated(place.path, "remove"):
            try:
                os.rename(
                    place.name,
                    intent.temporary,
                    src_dir_fd=place.folder,
                    dst_dir_fd=place.folder,
                )
            except OSError:
                self._records.journal.end(intent)
                raise
        if not self._finish_removal(place, intent):
            raise _changed(place.path, "it was left as it is")
        return change

    def resume(self, place: Place, intent: Intent) -> None:
        """Finish a replacement or removal of a process that died."""
        if intent.change.effect is Effect.REMOVE:
            self._finish_removal(place, intent, resumed=True)
            return
        bring_back_aside(place, intent.temporary)
        displaced = self._displaced(place, intent)
        if self._records.recorded(intent.change):
            if displaced is not None:
                self._look_again(place, intent)
            self._records.journal.end(intent)
        elif not self._was_swapped(place, intent, displaced):
            discard(place, intent.temporary)
            self._records.journal.end(intent)
        else:
            ours = self._version(place, intent.change.after)
            swapped = self._settle(place, intent, ours)
            self._finish(place, swapped, merged=False, resumed=True)

    # ------------------------------------------------------------ before the swap

    @contextmanager
    def _present(
        self, place: Place, base: Content, data: bytes, signature: Signature
    ) -> Iterator[tuple[int, Content]]:
        try:
            descriptor = self._root.open_file(place, os.O_RDONLY)
        except FileNotFoundError:
            if not data:
                raise NoteNotFound(f"There is no file {place.path} any more.") from None
            kept = self._keep(place.path, data, signature, "edit of a file that was removed")
            raise _changed(place.path, f"it was removed; the edit is kept in {kept}") from None
        try:
            with translated(place.path, "read"):
                settled(descriptor)
                current = content_of(descriptor, base.path)
            yield descriptor, current
        finally:
            os.close(descriptor)

    def _rebased(
        self, place: Place, base: Content, current: Content, data: bytes, signature: Signature
    ) -> bytes:
        if current.digest == base.digest:
            return data
        merged = merge(base.data, data, current.data)
        if merged is None:
            kept = self._keep(place.path, data, signature, "edit of an older version")
            raise _changed(place.path, f"the edit could not be merged and is kept in {kept}")
        return merged

    def _check_permission(self, place: Place) -> None:
        """Refuse what a plain write would be refused, although a rename would get past it."""
        try:
            os.close(self._root.open_file(place, os.O_WRONLY))
        except FileNotFoundError as error:
            raise failure(error, place.path, "replace") from error

    def _swap(self, place: Place, intent: Intent, made: Draft) -> None:
        self._records.journal.begin(intent, durable=True)
        try:
            made.publish(intent.temporary)
            swap_in(place, intent.temporary)
        except OSError:
            # The intent goes first: a temporary file without one is never taken for a displaced.
            self._records.journal.end(intent)
            discard(place, intent.temporary)
            raise

    def _was_swapped(self, place: Place, intent: Intent, displaced: bytes | None) -> bool:
        """Whether the new version had got its place when the process died."""
        after = intent.change.after
        if displaced is not None:
            return digest_of(displaced) != after
        # Either it was not even beside the file, or this system shows nothing of what it displaces.
        return digest_of(self._present_bytes(place)) == after

    def _look_again(self, place: Place, intent: Intent) -> None:
        """Merge what was written late into a version that is displaced and recorded already."""
        late = replace(
            intent,
            change=replace(
                intent.change,
                id=new_entry_id(intent.change.at),
                summary="merge what another program wrote late",
            ),
        )
        swapped = self._settle(place, late, self._version(place, intent.change.after))
        if swapped.merged:
            self._finish(place, swapped, merged=True)
        discard(place, intent.temporary)

    # ------------------------------------------------------------ after the swap

    def _settle(self, place: Place, intent: Intent, ours: bytes) -> _Swapped:
        """Look at what was displaced until it is what was expected; merge what was not."""
        merged = False
        for _ in range(_ROUNDS):
            released, theirs = self._released(place, intent)
            if theirs is None or digest_of(theirs) == intent.expected:
                return _Swapped(intent, ours, merged, "", released)
            intent = replace(
                intent, change=replace(intent.change, before=self._records.blobs.put(theirs))
            )
            both = merge(self._records.blobs.get(intent.expected), ours, theirs)
            if both is None:
                conflict = self._keep(place.path, theirs, _signature(intent.change), _UNMERGED)
                return _Swapped(intent, ours, merged, conflict, released)
            merged = True
            if both == ours:
                return _Swapped(intent, ours, merged, "", released)
            intent = self._again(place, intent, ours, both)
            ours = both
        kept = self._keep(place.path, ours, _signature(intent.change), _UNMERGED)
        return _Swapped(intent, ours, merged, kept, released)

    def _again(self, place: Place, intent: Intent, ours: bytes, both: bytes) -> Intent:
        """Swap in what both made; what it displaces should be `ours`."""
        self._records.blobs.put(ours)
        after = self._records.blobs.put(both)
        following = Intent(replace(intent.change, after=after), digest_of(ours), new_name())
        with translated(place.path, "replace"):
            try:
                descriptor = self._root.open_file(place, os.O_RDONLY)
            except FileNotFoundError:
                # Removed by somebody in this very moment: the merge makes it anew.
                publish_again(place, intent.temporary)
                descriptor = self._root.open_file(place, os.O_RDONLY)
            try:
                with draft(place, both, descriptor) as made:
                    self._swap(place, following, made)
            finally:
                os.close(descriptor)
            self._records.journal.end(intent)
            discard(place, intent.temporary)
        return following

    def _finish(
        self, place: Place, swapped: _Swapped, *, merged: bool, resumed: bool = False
    ) -> Replaced:
        intent = swapped.intent
        with translated(place.path, "replace"):
            os.fsync(place.folder)
            recorded = self._records.record(intent.change, resumed=resumed)
            if recorded and swapped.released:
                # Otherwise both stay: somebody may still write into the displaced version, and the
                # next writer looks at it again.
                discard(place, intent.temporary)
                self._records.journal.end(intent)
        return Replaced(
            intent.change,
            swapped.data,
            intent.change.after,
            merged or swapped.merged,
            swapped.conflict,
        )

    def _finish_removal(self, place: Place, intent: Intent, *, resumed: bool = False) -> bool:
        removed = self._displaced(place, intent)
        if removed is None and self._exists(place):
            self._records.journal.end(intent)
            return False
        if removed is not None and digest_of(removed) != intent.expected:
            self._put_back(place, intent, removed)
            return False
        with translated(place.path, "remove"):
            os.fsync(place.folder)
            discard(place, intent.temporary)
        self._records.complete(intent, intent.change, resumed=resumed)
        return True

    def _put_back(self, place: Place, intent: Intent, content: bytes) -> None:
        with translated(place.path, "put back"):
            try:
                publish_again(place, intent.temporary)
            except FileExistsError:
                self._keep(place.path, content, _signature(intent.change), _UNMERGED)
            discard(place, intent.temporary)
            os.fsync(place.folder)
        self._records.journal.end(intent)

    # ------------------------------------------------------------ looking

    def _released(self, place: Place, intent: Intent) -> tuple[bool, bytes | None]:
        displaced = Place(place.folder, intent.temporary, place.path)
        try:
            descriptor = self._root.open_file(displaced, os.O_RDONLY)
        except FileNotFoundError:
            return True, None
        try:
            with translated(place.path, "read"):
                return settled(descriptor), read_all(descriptor)
        finally:
            os.close(descriptor)

    def _displaced(self, place: Place, intent: Intent) -> bytes | None:
        return self._released(place, intent)[1]

    def _present_bytes(self, place: Place) -> bytes:
        try:
            descriptor = self._root.open_file(place, os.O_RDONLY)
        except FileNotFoundError:
            return b""
        try:
            with translated(place.path, "read"):
                return read_all(descriptor)
        finally:
            os.close(descriptor)

    def _version(self, place: Place, digest: str) -> bytes:
        """Return a version of ours: the file has it, or the blob store when others wrote since."""
        found = self._present_bytes(place)
        return found if digest_of(found) == digest else self._records.blobs.get(digest)

    def _exists(self, place: Place) -> bool:
        try:
            os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return True

    def _keep(self, path: str, content: bytes, signature: Signature, why: str) -> str:
        return keep_version(self._root, self._records, path, content, signature, f"{path}: {why}")


def _signature(change: Change) -> Signature:
    return Signature(change.id, change.at, Actor(change.actor, change.session), change.verb)


def _changed(path: str, outcome: str) -> ChangedMeanwhile:
    return ChangedMeanwhile(
        f"{path} was changed by somebody else meanwhile: {outcome}.",
        hint="Read it again and repeat the edit from what it says now.",
    )
