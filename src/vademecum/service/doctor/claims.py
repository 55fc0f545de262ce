"""Checks of claims: each with provenance and id, each id once, no two that cannot both hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from vademecum.core.claims import Claim
from vademecum.core.ids import new_block_id
from vademecum.core.notes import Role
from vademecum.core.provenance import Tag
from vademecum.markdown.claims import block_ids, read_claims, with_id
from vademecum.markdown.lines import split
from vademecum.markdown.links import candidates
from vademecum.service.doctor.finding import Finding, Mend, Severity
from vademecum.service.doctor.survey import Survey
from vademecum.writing.draft import Draft
from vademecum.writing.known import is_editable
from vademecum.writing.review import place_of
from vademecum.writing.review_edits import is_settled_pair
from vademecum.writing.review_pairs import pair
from vademecum.writing.tombstones import digest_of_text, forgotten_entries, tombstones

_BLOCK_ID = re.compile(r"[A-Za-z0-9-]+\Z")
_SHOWN = 5


def untagged(survey: Survey) -> Iterator[Finding]:
    """Claims that do not say where they come from; none of them counts as stated."""
    for path, claims in _curated(survey):
        bare = [claim for claim in claims if claim.live and claim.tag is Tag.UNKNOWN]
        if not bare:
            continue
        tagged = any(claim.tag is not Tag.UNKNOWN for claim in claims)
        others = tagged and survey.workspace.profile.tagged
        yield Finding(
            "claim-untagged",
            Severity.DEFECT if others else Severity.NOTICE,
            _at(path, bare),
            f"{_counted(bare)} without a provenance tag, so nobody can tell who said it.",
            "Put [stated], [observed], [inferred] or [suggested] before the text.",
        )


def unidentified(survey: Survey) -> Iterator[Finding]:
    """Tagged claims without a block id: nothing can cite, supersede or rule on them by name."""
    for path, claims in _curated(survey):
        bare = [c for c in claims if c.live and c.tag is not Tag.UNKNOWN and not c.id]
        if bare:
            ours = survey.workspace.profile.name == "standard" or any(c.id for c in claims)
            yield Finding(
                "claim-without-id",
                Severity.DEFECT if ours else Severity.NOTICE,
                _at(path, bare),
                f"{_counted(bare)} without a block id.",
                "`vade doctor --fix` gives one to each.",
                Mend(path, f"gives {len(bare)} an id", _giving_ids(survey, path, bare)),
            )


def repeated_ids(survey: Survey) -> Iterator[Finding]:
    """One block id on several claims, so that what it names depends on who reads."""
    for id, claims in survey.by_id.items():
        ours = [claim for claim in claims if is_editable(survey.workspace, claim.span.path)]
        within = len({claim.span.path for claim in ours}) < len(ours)
        if len(ours) < 2 or not (within or all(c.tag is not Tag.UNKNOWN for c in ours)):
            continue
        first, *later = _eldest_first(survey, ours)
        for claim in later:
            linked = _is_linked(survey, claim, first)
            mend = Mend(claim.span.path, f"gives ^{id} another id", _renaming(survey, claim))
            yield Finding(
                "duplicate-id",
                Severity.DEFECT,
                _at(claim.span.path, (claim,)),
                f"The id ^{id} also stands at {first.span.path}:{first.span.first}.",
                "Links lead to it, so choose which of the two they mean and rename the other."
                if linked
                else "`vade doctor --fix` gives this one a new id: nothing links to it.",
                None if linked else mend,
            )


def successors(survey: Survey) -> Iterator[Finding]:
    """Struck claims whose successor is nowhere."""
    for path, claims in survey.claims.items():
        for claim in claims:
            by = claim.superseded_by
            if not by or _is_there(survey, by, path):
                continue
            yield Finding(
                "superseded-nowhere",
                Severity.DEFECT,
                _at(path, (claim,)),
                f"It says it was superseded by ^{by}, and nothing has that id.",
                "Name what took its place, or bring that back: "
                f"vade history --claim {by} (or vade undo).",
            )


def rivals(survey: Survey) -> Iterator[Finding]:
    """Two live claims that give one thing two values, and nobody marked them."""
    live = [claim for _, claims in _curated(survey) for claim in claims if claim.live]
    for newer, older in pair(survey.groups(), live).rivals:
        if not (_editable(survey, newer) and _editable(survey, older)):
            continue
        text = survey.notes[newer.span.path].text
        if is_settled_pair(text, (newer, older)):
            continue
        first, second = place_of(newer), place_of(older)
        yield Finding(
            "rival-claims",
            Severity.DEFECT,
            _at(newer.span.path, (newer,)),
            f"{older.span.path}:{older.span.first} says otherwise, and both are live.",
            f"Decide: vade review rule {first} --for {first} (or {second}); "
            f"where both hold: vade review keep {first}.",
        )


def forgotten(survey: Survey) -> Iterator[Finding]:
    """What was forgotten on purpose and stands somewhere again."""
    stones = tombstones(survey.workspace)
    if not stones:
        return
    for path, claims in survey.claims.items():
        for claim in claims:
            stone = stones.get(digest_of_text(claim.text))
            if stone is not None:
                yield Finding(
                    "forgotten-back",
                    Severity.DEFECT,
                    _at(path, (claim,)),
                    f"It was forgotten on {stone.at.date().isoformat()} and is back.",
                    f"vade forget {path}:{claim.span.first}; to have it again: "
                    f"vade undo {stone.id}.",
                )
    for path, note in survey.notes.items():
        if survey.workspace.role_of(path) is Role.MAP:
            for entry in forgotten_entries(note.text, stones):
                stone = stones[digest_of_text(entry.description)]
                yield Finding(
                    "forgotten-back",
                    Severity.DEFECT,
                    f"{path}:{entry.line}",
                    f"Its line says what was forgotten on {stone.at.date().isoformat()}.",
                    f"Take the line out; to have it again: vade undo {stone.id}.",
                )


CLAIM_CHECKS: tuple[Callable[[Survey], Iterator[Finding]], ...] = (
    untagged,
    unidentified,
    repeated_ids,
    successors,
    rivals,
    forgotten,
)
"""Every check of claims; each looks at all notes together."""


# ------------------------------------------------------------ their mends


def _giving_ids(survey: Survey, path: str, claims: Sequence[Claim]) -> Callable[[Draft], None]:
    wanted = {(claim.tag, claim.text) for claim in claims}

    def edit(draft: Draft) -> None:
        text = draft.text(path) or ""
        lines, taken = split(text), set(block_ids(text))
        for now in read_claims(path, text):  # an id goes on a line that is there: none moves
            if not now.id and now.live and (now.tag, now.text) in wanted:
                place = slice(now.span.first - 1, now.span.last)
                id = _free_id(survey, taken)
                lines[place] = [with_id("".join(lines[place]), id), *[""] * (len(lines[place]) - 1)]
                taken.add(id)
        draft.put(path, "".join(lines))

    return edit


def _renaming(survey: Survey, claim: Claim) -> Callable[[Draft], None]:
    path, mark = claim.span.path, f"^{claim.id}"

    def edit(draft: Draft) -> None:
        text = draft.text(path) or ""
        lines = split(text)
        at = claim.span.last - 1
        if at < len(lines) and lines[at].rstrip().endswith(mark):
            body = lines[at].rstrip()
            tail = lines[at][len(body) :]
            lines[at] = f"{body.removesuffix(mark)}^{_free_id(survey, block_ids(text))}{tail}"
            draft.put(path, "".join(lines))

    return edit


def _free_id(survey: Survey, taken: frozenset[str] | set[str]) -> str:
    while True:
        id = new_block_id(taken)
        if not survey.has_id(id):
            return id


# ------------------------------------------------------------ their steps


def _curated(survey: Survey) -> Iterator[tuple[str, tuple[Claim, ...]]]:
    for path, claims in survey.claims.items():
        if is_editable(survey.workspace, path):
            yield path, claims


def _editable(survey: Survey, claim: Claim) -> bool:
    return claim.span.path in survey.notes and is_editable(survey.workspace, claim.span.path)


def _is_there(survey: Survey, by: str, path: str) -> bool:
    if _BLOCK_ID.match(by) and survey.has_id(by):
        return True
    target, _, anchor = by.partition("#")
    found = candidates(target, path, survey.catalogue)
    if not found:
        return False
    return not anchor.startswith("^") or any(anchor[1:] in survey.ids_of(p) for p in found)


def _eldest_first(survey: Survey, claims: Sequence[Claim]) -> list[Claim]:
    """Return the claims, that first which the ledger had first; else in order of path and line."""
    ledger = survey.workspace.ledger
    blobs = survey.workspace.files.records.blobs
    mark = f"^{claims[0].id}".encode()
    known = {}
    for path in {claim.span.path for claim in claims}:
        last = ledger.last(path)
        there = last is not None and bool(last.after) and blobs.has(last.after)
        known[path] = last is not None and there and mark in blobs.get(last.after)
    return sorted(claims, key=lambda c: (not known[c.span.path], c.span.path, c.span.first))


def _is_linked(survey: Survey, claim: Claim, first: Claim) -> bool:
    """Whether anything refers to this id in such a way that it may mean this claim."""
    path = claim.span.path
    mark = re.compile(rf"\^{re.escape(claim.id)}(?![A-Za-z0-9-])")
    own = {claim.span.last} | ({first.span.last} if first.span.path == path else set())
    here = survey.notes[path].lines
    if any(mark.search(line) for number, line in enumerate(here, 1) if number not in own):
        return True
    return any(
        link.anchor == f"^{claim.id}" and path in candidates(link.target, other, survey.catalogue)
        for other, note in survey.notes.items()
        if f"^{claim.id}" in note.text
        for link in note.note.links
    )


def _at(path: str, claims: Sequence[Claim]) -> str:
    return f"{path}:{claims[0].span.first}"


def _counted(claims: Sequence[Claim]) -> str:
    if len(claims) == 1:
        return "This claim is"
    lines = ", ".join(str(claim.span.first) for claim in claims[:_SHOWN])
    more = f" and {len(claims) - _SHOWN} more" if len(claims) > _SHOWN else ""
    return f"{len(claims)} claims (lines {lines}{more}) are"
