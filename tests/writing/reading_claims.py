"""A reader of claims for tests: it reads every note anew at each question."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import PurePosixPath

from vademecum.core.claims import Claim
from vademecum.core.ports import KeywordQuery
from vademecum.markdown.claims import read_claims
from vademecum.markdown.lines import decode
from vademecum.markdown.maps import read_map
from vademecum.workspace.workspace import Workspace
from vademecum.writing.decide import claim_keys


class ClaimsOnDisk:
    """What an index would answer, were it always up to date."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def claims_in(self, paths: Sequence[str]) -> Sequence[Claim]:
        return [claim for claim in self._all() if claim.span.path in paths]

    def claims_by_id(self, ids: Sequence[str]) -> Sequence[Claim]:
        return [claim for claim in self._all() if claim.id in ids]

    def claims_by_slot(self, keys: Sequence[str], limit: int) -> Sequence[Claim]:
        return [claim for claim in self._all() if set(keys) & set(claim_keys(claim))][:limit]

    def claims_by_evidence(self, paths: Sequence[str]) -> Sequence[Claim]:
        return [claim for claim in self._all() if set(paths) & set(claim.evidence)]

    def claims_like(self, query: KeywordQuery, limit: int) -> Sequence[Claim]:
        wanted = set(query.terms)
        near = [c for c in self._all() if wanted & set(c.text.casefold().split())]
        return near[:limit]

    def _all(self) -> list[Claim]:
        files = self._workspace.files
        return [
            claim
            for path in sorted(self._workspace.scan().files)
            for claim in read_claims(path, decode(files.read(path).data).text)
        ]


def said(workspace: Workspace, path: str) -> str:
    """Return the text of a file."""
    return decode(workspace.files.read(path).data).text


def reachable(workspace: Workspace) -> set[str]:
    """Return every file that links lead to, from the top map on."""
    profile = workspace.profile
    waiting = [profile.map_path or profile.core_path]
    seen: set[str] = set()
    while waiting:
        path = waiting.pop()
        if path in seen or workspace.stamp_of(path) is None:
            continue
        seen.add(path)
        for entry in read_map(said(workspace, path)):
            joined = PurePosixPath(path).parent / entry.target
            waiting.append(os.path.normpath(joined).lstrip("/"))
    return seen
