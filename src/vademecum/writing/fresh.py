"""Claims as they are this moment: an index, and over it the files written since it looked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import islice

from vademecum.core.claims import Claim
from vademecum.core.ports import KeywordQuery
from vademecum.markdown.claims import read_claims
from vademecum.markdown.tokens import index_text
from vademecum.workspace.workspace import Workspace
from vademecum.writing.decide import claim_keys
from vademecum.writing.draft import Draft
from vademecum.writing.known import NearClaims, is_editable

_STEM = 4
"""Signs of a word that count: fewer than any stemmer of the index leaves, so nothing is missed."""


class FreshClaims:
    """An index of claims that knows what this and other processes wrote through the ledger.

    `refresh` reads the few files that the ledger names since the last call, so that `remember`
    needs no sweep of the workspace under its lock. Make it before the index is swept: what is
    written meanwhile is then known here.
    """

    def __init__(self, workspace: Workspace, reader: NearClaims) -> None:
        self._workspace = workspace
        self._reader = _Asked(reader)
        self._offset = 0
        self._by_path: dict[str, tuple[Claim, ...]] = {}
        self._known_at: dict[str, int] = {}
        """How far the ledger was read when the file of a path was, in bytes."""
        self._by_key: dict[str, dict[Claim, None]] = {}
        self._changed()

    def ask_anew(self) -> None:
        """Begin a call: the index is asked again what an earlier one asked it.

        Within a call it is asked once: what others write meanwhile is read from the ledger.
        """
        self._reader.forget()

    def refresh(self) -> None:
        """Read what was written since the last call."""
        for path in self._changed():
            self._forget(path)
            self._read(path)

    def reread(self, path: str) -> None:
        """Read the file at `path`, of which the ledger says nothing: in a dry run it would change.

        Only for the reader of one dry run: a sweep leaves the file to the index.
        """
        self._forget(path)
        self._read(path)

    def through(self, sweep: Callable[[], bool]) -> bool:
        """Run a sweep that brings the index up to date, and leave to it what was kept here.

        Return what the sweep says: whether the index is up to date. Where it is not, everything
        stays here.
        """
        self.refresh()
        kept = tuple(self._by_path)
        done = sweep()
        written = self._changed()
        for path in kept if done else written:
            self._forget(path)
        for path in written:
            self._read(path)
        return done

    def leave_to_index(self, ledger: int) -> None:
        """Forget what the index has, as it holds all that was written up to that byte of it."""
        for path in [path for path, known in self._known_at.items() if known <= ledger]:
            self._forget(path)
        self._offset = max(self._offset, ledger)  # a line cut here is of a file that was there

    def __len__(self) -> int:
        """Return how many files are kept here; a sweep is worth its cost when there are many."""
        return len(self._by_path)

    def claims_by_id(self, ids: Sequence[str]) -> Sequence[Claim]:
        """Return the claims with those block ids."""
        found = self._still(self._reader.claims_by_id(ids))
        if self._by_path and ids:
            wanted = {_named(id) for id in ids}
            found += [claim for key in wanted for claim in self._by_key.get(key, ())]
        return found

    def claims_by_slot(self, keys: Sequence[str], limit: int) -> Sequence[Claim]:
        """Return claims that share a slot key, the newest written first."""
        held = (claim for key in keys for claim in self._by_key.get(key, ()))
        found = list(islice(dict.fromkeys(held), limit))
        # Rows of files that are read here would fill the limit, so there is room for them.
        room = limit + sum(len(claims) for claims in self._by_path.values())
        found += self._still(self._reader.claims_by_slot(keys, min(room, 4 * limit)))
        return found[:limit]

    def claims_like(self, query: KeywordQuery, limit: int) -> Sequence[Claim]:
        """Return claims that share words with the query: at most `limit` kept here and indexed."""
        scores: dict[Claim, float] = {}
        for word in _words(" ".join(query.terms)):
            held = self._by_key.get(_word(word), {})
            for claim in held:
                scores[claim] = scores.get(claim, 0.0) + 1 / len(held)
        best = sorted(scores, key=lambda claim: -scores[claim])[:limit]
        return best + self._still(self._reader.claims_like(query, limit))

    def _still(self, found: Iterable[Claim]) -> list[Claim]:
        return [claim for claim in found if claim.span.path not in self._by_path]

    def _changed(self) -> tuple[str, ...]:
        changes, self._offset = self._workspace.ledger.since(self._offset)
        return tuple(dict.fromkeys(change.path for change in changes if change.path))

    def _read(self, path: str) -> None:
        if not is_editable(self._workspace, path):
            return
        text = Draft(self._workspace).text(path)
        self._by_path[path] = read_claims(path, text) if text is not None else ()
        self._known_at[path] = self._offset
        for claim in self._by_path[path]:
            for key in _keys(claim):
                self._by_key.setdefault(key, {})[claim] = None

    def _forget(self, path: str) -> None:
        self._known_at.pop(path, None)
        for claim in self._by_path.pop(path, ()):
            for key in _keys(claim):
                held = self._by_key.get(key, {})
                held.pop(claim, None)
                if not held:
                    self._by_key.pop(key, None)


class _Asked:
    """An index that is asked the same thing by words only once: it may take milliseconds."""

    def __init__(self, reader: NearClaims) -> None:
        self._reader = reader
        self._like: dict[tuple[KeywordQuery, int], Sequence[Claim]] = {}
        self.claims_by_id = reader.claims_by_id
        self.claims_by_slot = reader.claims_by_slot

    def claims_like(self, query: KeywordQuery, limit: int) -> Sequence[Claim]:
        asked = query, limit
        if asked not in self._like:
            self._like[asked] = self._reader.claims_like(query, limit)
        return self._like[asked]

    def forget(self) -> None:
        self._like.clear()


def _keys(claim: Claim) -> Iterable[str]:
    yield from claim_keys(claim)
    yield _named(claim.id)
    yield from map(_word, _words(claim.text))


@lru_cache(maxsize=16384)
def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word[:_STEM] for word in index_text(text).casefold().split()))


def _word(word: str) -> str:
    return f"like\x1f{word}"


def _named(id: str) -> str:
    return f"^\x1f{id}"
