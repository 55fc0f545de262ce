"""Replacing a file: swap, look at what was displaced, lose none of it."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from vademecum.core.changes import Change, Effect, Signature
from vademecum.core.errors import Unreadable
from vademecum.core.frozen import dataclass
from vademecum.core.ids import digest_of, new_entry_id
from vademecum.workspace.beneath import Place, Root
from vademecum.workspace.disk_errors import failure, translated
from vademecum.workspace.displaced import (
    ATTEMPTS,
    PAUSE,
    UNMERGED,
    Displaced,
    changed,
    signature_of,
)
from vademecum.workspace.journal import Intent
from vademecum.workspace.merge import merge
from vademecum.workspace.reading import Content, check_writable
from vademecum.workspace.records import Records, planned
from vademecum.workspace.saved_over import SavedOver
from vademecum.workspace.temporary import (
    Draft,
    bring_back_aside,
    discard,
    draft,
    new_name,
    publish_again,
    swap_in,
)
from vademecum.workspace.trail import reverted

_ROUNDS = 20
"""How often another program may save during one write before its version becomes a record."""


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
    """Replacements beneath one root; the caller holds the lock of the file."""

    def __init__(
        self, root: Root, records: Records, saved_over: SavedOver, displaced: Displaced
    ) -> None:
        self._root = root
        self._records = records
        self._saved_over = saved_over
        self._displaced = displaced

    def replace(
        self, place: Place, base: Content, data: bytes, signature: Signature, *, aside: bool = True
    ) -> Replaced:
        """Put `data`, an edit of `base`, in place of what the file holds now.

        What others changed since `base` is merged. Raises ChangedMeanwhile, with `data` kept as a
        conflict record unless `aside` is false, when that is not possible.
        """
        for _ in range(ATTEMPTS):
            try:
                return self._attempt(place, base, data, signature)
            except FileNotFoundError:
                time.sleep(PAUSE)
            except _Stale as stale:
                told = "nothing was written"
                if aside:
                    kept = self._displaced.keep(place.path, data, signature, stale.why)
                    told = f"{stale.told} and is kept in {kept}"
                raise changed(place.path, told) from None
        raise changed(place.path, "another program keeps moving it away")

    def resume(self, place: Place, intent: Intent) -> None:
        """Finish a replacement of a process that died."""
        bring_back_aside(place, intent.temporary)
        _, displaced = self._displaced.look(place, intent)
        if self._records.recorded(intent.change):
            if displaced is not None:
                self._look_again(place, intent)
            self._records.journal.end(intent)
        elif not self._was_swapped(place, intent, displaced):
            discard(place, intent.temporary)
            self._records.journal.end(intent)
        else:
            ours = self._displaced.version(place, intent.change.after)
            swapped = self._settle(place, intent, ours)
            self._finish(place, swapped, merged=False, resumed=True)

    # ------------------------------------------------------------ until the swap

    def _attempt(self, place: Place, base: Content, data: bytes, signature: Signature) -> Replaced:
        with self._displaced.current(place, signature) as opened:
            if opened is None:
                raise _Stale("edit of a file that was removed", "the edit came after its removal")
            descriptor, current = opened
            new = _rebased(base, current, data)
            if new == current.data:
                return Replaced(None, new, current.digest, new != data)
            check_writable(current)
            # A rename would get past what a plain write is refused.
            os.close(self._root.open_file(place, os.O_WRONLY))
            self._records.blobs.put(current.data)
            self._records.blobs.put(new, durable=False)
            change = planned(signature, Effect.REPLACE, place.path, current.digest, digest_of(new))
            intent = Intent(change, current.digest, new_name())
            with _translated_unless_gone(place), draft(place, new, descriptor) as made:
                self._swap(place, intent, made)
        return self._finish(place, self._settle(place, intent, new), merged=new != data)

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
        return digest_of(self._displaced.present(place)) == after

    # ------------------------------------------------------------ after the swap

    def _settle(self, place: Place, intent: Intent, ours: bytes) -> _Swapped:
        """Look at what was displaced until it is what was expected; merge what was not."""
        merged = False
        # What the version that is expected, and the one that is there now, were made from.
        expected_from = ours_from = intent.expected
        for _ in range(_ROUNDS):
            released, theirs = self._displaced.look(place, intent)
            if theirs is None or digest_of(theirs) == intent.expected:
                return _Swapped(intent, ours, merged, "", released)
            signature = signature_of(intent.change)
            before = self._records.blobs.put(theirs)
            intent = replace(intent, change=replace(intent.change, before=before))
            self._saved_over.keep(place.path, theirs, signature)
            base = self._base_of(theirs, expected_from, intent.expected)
            both = None if base is None else merge(base, ours, theirs)
            if both is None:
                break
            merged = True
            if both == ours:
                return _Swapped(intent, ours, merged, "", released)
            intent = self._again(place, intent, ours, both)
            expected_from, ours_from, ours = ours_from, before, both
        return self._unsettled(place, intent, ours, merged=merged)

    def _unsettled(self, place: Place, intent: Intent, ours: bytes, *, merged: bool) -> _Swapped:
        """Leave `ours` in the file and keep what it displaced, if that is another's."""
        released, theirs = self._displaced.look(place, intent)
        conflict = ""
        if theirs is not None and digest_of(theirs) != intent.expected:
            signature = signature_of(intent.change)
            conflict = self._displaced.keep(place.path, theirs, signature, UNMERGED)
        return _Swapped(intent, ours, merged, conflict, released)

    def _base_of(self, theirs: bytes, expected_from: str, expected: str) -> bytes | None:
        """Return what `theirs` was made from: what we swapped in last, or what that came from.

        A program that had read the file before our swap saves a version without our lines; that
        does not mean that somebody removed them. None where a loss of power took the version.
        """
        try:
            before = self._records.blobs.get(expected_from)
            latest = self._records.blobs.get(expected)
        except Unreadable:
            return None
        return before if reverted(before, latest, theirs) else latest

    def _again(self, place: Place, intent: Intent, ours: bytes, both: bytes) -> Intent:
        """Swap in what both made; what it displaces should be `ours`."""
        self._records.blobs.put(ours, durable=False)
        after = self._records.blobs.put(both, durable=False)
        following = Intent(replace(intent.change, after=after), digest_of(ours), new_name())
        with translated(place.path, "replace"):
            self._swap_soon(place, intent, following, both)
            # A program that read `ours` while it was there will save a version without the rest.
            self._records.trail.add(replace(following.change, before=following.expected))
            self._records.journal.end(intent)
            discard(place, intent.temporary)
        return following

    def _swap_soon(self, place: Place, intent: Intent, following: Intent, both: bytes) -> None:
        for attempt in range(ATTEMPTS):
            try:
                descriptor = self._root.open_file(place, os.O_RDONLY)
                try:
                    with draft(place, both, descriptor) as made:
                        self._swap(place, following, made)
                finally:
                    os.close(descriptor)
                return
            except FileNotFoundError:
                time.sleep(PAUSE)
            if attempt == ATTEMPTS - 2:
                # Removed by somebody in this very moment: the merge makes it anew.
                with contextlib.suppress(FileExistsError):
                    publish_again(place, intent.temporary)
        raise changed(place.path, "another program keeps moving it away")

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
        ours = self._displaced.version(place, intent.change.after)
        swapped = self._settle(place, late, ours)
        if swapped.merged:
            self._finish(place, swapped, merged=True)
        discard(place, intent.temporary)

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


class _Stale(Exception):
    """The edit is of a version that is not there any more, and cannot be merged with what is."""

    def __init__(self, why: str, told: str) -> None:
        super().__init__(why)
        self.why = why
        self.told = told


def _rebased(base: Content, current: Content, data: bytes) -> bytes:
    """Return `data`, an edit of `base`, as one of what is there now. Raises _Stale."""
    merged = data if current.digest == base.digest else merge(base.data, data, current.data)
    if merged is None:
        raise _Stale("edit of an older version", "the edit could not be merged")
    return merged


@contextmanager
def _translated_unless_gone(place: Place) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        raise failure(error, place.path, "replace") from error
