"""Claims of a workspace held in memory by slot and word, kept up to date file by file."""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.core.claims import Claim
from vademecum.core.ports import KeywordQuery
from vademecum.markdown.claims import read_claims
from vademecum.markdown.compare.candidates import LONGEST_POSTING
from vademecum.workspace.workspace import Workspace
from vademecum.writing.decide import claim_keys
from vademecum.writing.draft import Draft
from vademecum.writing.known import is_editable
from vademecum.writing.recent import Recent

_COMMON = 200
"""A word in more claims than this finds nothing; an index drops such words too."""


class HeldClaims:
    """A ClaimReader for measuring `remember` apart from any index."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._recent = Recent(workspace)
        self._by_path: dict[str, tuple[Claim, ...]] = {}
        self._by_key: dict[str, dict[Claim, None]] = {}
        self._by_word: dict[str, dict[Claim, None]] = {}
        self._by_id: dict[str, dict[Claim, None]] = {}

    def refresh(self) -> None:
        """Read again what was written since the last call."""
        self.load(self._recent.paths())

    def load(self, paths: Sequence[str]) -> None:
        """Read these files."""
        for path in paths:
            if not is_editable(self._workspace, path):
                continue
            text = Draft(self._workspace).text(path)
            new = read_claims(path, text) if text is not None else ()
            for claim in self._by_path.get(path, ()):
                self._each(claim, held=False)
            for claim in new:
                self._each(claim, held=True)
            self._by_path[path] = new

    def claims_in(self, paths: Sequence[str]) -> Sequence[Claim]:
        """Return the claims of those notes."""
        return [claim for path in paths for claim in self._by_path.get(path, ())]

    def claims_by_id(self, ids: Sequence[str]) -> Sequence[Claim]:
        """Return the claims with those ids."""
        return [claim for id in ids for claim in self._by_id.get(id, ())]

    def claims_by_slot(self, keys: Sequence[str], limit: int) -> Sequence[Claim]:
        """Return claims that share a key, those of earlier keys first."""
        postings = (self._by_key.get(key, {}) for key in keys)
        found = (claim for held in postings if len(held) <= LONGEST_POSTING for claim in held)
        return list(dict.fromkeys(found))[:limit]

    def claims_by_evidence(self, paths: Sequence[str]) -> Sequence[Claim]:
        """Return the claims that cite those notes."""
        wanted = set(paths)
        return [c for held in self._by_path.values() for c in held if wanted & set(c.evidence)]

    def claims_like(self, query: KeywordQuery, limit: int) -> Sequence[Claim]:
        """Return claims that share the rarest words."""
        held = [self._by_word.get(term, {}) for term in query.terms]
        rare = sorted((found for found in held if 0 < len(found) <= _COMMON), key=len)
        return list(dict.fromkeys(claim for found in rare for claim in found))[:limit]

    def live(self) -> set[str]:
        """Return the texts of all claims that stand."""
        return {claim.text for held in self._by_path.values() for claim in held if claim.live}

    def count(self) -> int:
        """Return how many claims are held."""
        return sum(len(held) for held in self._by_path.values())

    def _each(self, claim: Claim, *, held: bool) -> None:
        words = set(claim.text.casefold().split())
        for index, names in (
            (self._by_key, claim_keys(claim)),
            (self._by_word, words),
            (self._by_id, (claim.id,)),
        ):
            for name in names:
                if held:
                    index.setdefault(name, {})[claim] = None
                else:
                    index[name].pop(claim, None)
