"""`review`: list what waits for a person, each with its lines and what can be done about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime

from vademecum.core.claims import Claim
from vademecum.core.clock import human_day
from vademecum.core.errors import VademecumError
from vademecum.core.notes import Span
from vademecum.core.ports import ClaimReader, NoteStanding
from vademecum.core.review import Item, Matter, Ruling
from vademecum.markdown.claims import read_claims
from vademecum.markdown.frontmatter import read
from vademecum.markdown.lines import decode, split
from vademecum.markdown.merge.removed import REMOVED, removed_line
from vademecum.markdown.standing import PAST
from vademecum.workspace.conflicts import FOLDER as RECORDS
from vademecum.workspace.conflicts import VERB as KEPT
from vademecum.workspace.conflicts import stem_of
from vademecum.workspace.copies import REASON as COPY
from vademecum.workspace.copies import named_after
from vademecum.workspace.paths import key_of as file_key
from vademecum.workspace.scan import Scan
from vademecum.workspace.workspace import Workspace
from vademecum.writing.gate import is_open, read_candidates, weigh
from vademecum.writing.known import is_editable
from vademecum.writing.quarantine import FOLDER as QUARANTINE
from vademecum.writing.review_edits import conflicts_in, is_settled_pair
from vademecum.writing.review_pairs import LARGEST_GROUP, Pairs, pair

STALE_DAYS = 30
_SHOWN_LINES = 12
_SHOWN_OF_PROSE = 3
_PAIR = (Ruling.RULE, Ruling.KEEP)


def items(workspace: Workspace, reader: ClaimReader) -> tuple[Item, ...]:
    """Return all that waits for a person, the most pressing matters first.

    `reader` has the claims of every note by now; what is listed is read again in its file.
    """
    today = human_day(workspace.clock.now(), workspace.zone)
    scan = workspace.scan()
    paths = [path for path in sorted(scan.files) if is_editable(workspace, path)]
    claims = list(reader.claims_in(paths))
    return (
        *_conflicts(workspace, claims),
        *_removed(workspace, reader, paths),
        *pairs_of(workspace, claims, reader),
        *_candidates(workspace, today),
        *_quarantined(workspace),
        *_versions(workspace, scan),
        *_stale(workspace, reader, paths, claims),
    )


def place_of(claim: Claim) -> str:
    """Return what names a claim: its block id, else its place."""
    return f"^{claim.id}" if claim.id else f"{claim.span.path}:{claim.span.first}"


def quarantine_files(workspace: Workspace) -> list[str]:
    """Return the files of the quarantine, by path."""
    root = workspace.profile.note_folder
    folder = QUARANTINE if root in ("", ".") else f"{root}/{QUARANTINE}"
    found = (workspace.root / folder).glob("*.md")
    return sorted(f"{folder}/{file.name}" for file in found)


def text_of(workspace: Workspace, path: str) -> str:
    """Return the text of a file, nothing where it cannot be read."""
    try:
        return decode(workspace.files.read(path).data).text
    except VademecumError:
        return ""


def verified_on(claims: Iterable[Claim], verified: date | None) -> date | None:
    """Return the day on which a note's claims were last known to hold."""
    days = [claim.since for claim in claims if claim.since]
    return max([*days, verified] if verified else days, default=None)


# ------------------------------------------------------------ one function a matter


def _conflicts(workspace: Workspace, claims: Sequence[Claim]) -> Iterator[Item]:
    seen: set[frozenset[str]] = set()
    places = {claim.span.path for claim in claims if claim.conflict and claim.live}
    for path in sorted(places):
        text = text_of(workspace, path)
        for found in conflicts_in(text, path):
            if found.ids and found.ids in seen:
                continue
            seen.add(found.ids)
            here = [*found.claims, *_elsewhere(workspace, claims, found.ids, path)]
            sides = tuple(dict.fromkeys(claim for claim in here if claim.live))
            if len(sides) < 2:
                continue
            # The newcomer, which is named last, has brought no more than this one conflict.
            named = next((id for id in reversed(found.order) if id in {c.id for c in sides}), "")
            id = f"^{named}" if named else place_of(sides[-1])
            why = found.why or "these claims speak against each other"
            yield _item(id, Matter.CONFLICT, sides, why, _PAIR)


def _removed(workspace: Workspace, reader: ClaimReader, paths: Sequence[str]) -> Iterator[Item]:
    """Yield the notes that one clone removed and another changed."""
    for path, standing in reader.standings(paths).items():
        if standing.status != "conflict":
            continue
        text = text_of(workspace, path)
        if number := removed_line(text):
            shown = _beginning(text, number)
            rulings = (Ruling.KEEP, Ruling.DROP)
            span = Span(path, number, number)
            yield Item(path, Matter.CONFLICT, span, shown, REMOVED, rulings)


def _elsewhere(
    workspace: Workspace, claims: Sequence[Claim], ids: frozenset[str], path: str
) -> list[Claim]:
    found = [claim for claim in claims if claim.id in ids and claim.span.path != path]
    waiting = workspace.profile.candidates_path
    if waiting and ids - {claim.id for claim in found}:
        found += [
            candidate.claim
            for candidate in read_candidates(waiting, text_of(workspace, waiting))
            if candidate.claim.id in ids
        ]
    return found


def pairs_of(workspace: Workspace, claims: Sequence[Claim], reader: ClaimReader) -> Iterator[Item]:
    """Yield rivals that nobody marked, and claims that say the same in several places."""
    known = {claim.span.path for claim in claims}
    groups = (
        tuple(claim for claim in group if claim.span.path in known)
        for group in reader.crowded(LARGEST_GROUP)
    )
    found: Pairs = pair(groups, claims)
    for newer, older in found.rivals:
        if not is_settled_pair(text_of(workspace, newer.span.path), (newer, older)):
            why = "both are live and give one thing two values"
            yield _item(place_of(newer), Matter.RIVALS, (newer, older), why, _PAIR)
    for group in found.duplicates:
        if not is_settled_pair(text_of(workspace, group[0].span.path), group):
            best = best_of(group)
            rest = tuple(claim for claim in group if claim is not best)
            why = f"{len(group)} claims say the same"
            yield _item(
                place_of(best), Matter.DUPLICATE, (best, *rest), why, (Ruling.MERGE, Ruling.KEEP)
            )


def best_of(group: Sequence[Claim]) -> Claim:
    """Return the claim that stays of those that say the same: trusted, cited, old."""
    return min(
        group,
        key=lambda claim: (
            -claim.tag.rank,
            -len(claim.evidence),
            not claim.id,
            claim.since or date.max,
        ),
    )


def _candidates(workspace: Workspace, today: date) -> Iterator[Item]:
    path = workspace.profile.candidates_path
    text = text_of(workspace, path) if path else ""
    lines = split(text)
    for candidate in read_candidates(path, text):
        weight, sessions = weigh(candidate.signals, today)
        open_now = is_open(candidate.signals, today)
        why = f"{weight:g} of 3 signals, {sessions} of 2 sessions" + (
            "; it passes with the next signal" if open_now else ""
        )
        span = Span(path, candidate.claim.span.first, candidate.stop)
        said = "".join(lines[span.first - 1 : span.last]).rstrip("\r\n")
        rulings = (Ruling.KEEP, Ruling.DROP)
        yield Item(
            place_of(candidate.claim),
            Matter.CANDIDATE,
            span,
            said,
            why,
            rulings,
            (candidate.claim,),
        )


def _quarantined(workspace: Workspace) -> Iterator[Item]:
    for path in quarantine_files(workspace):
        text = text_of(workspace, path)
        lines = split(text)
        for claim in read_claims(path, text):
            if claim.live:
                why = _reason(lines, claim.span.first)
                yield _item(
                    place_of(claim),
                    Matter.QUARANTINE,
                    (claim,),
                    why,
                    (Ruling.RELEASE, Ruling.DROP),
                )


def _reason(lines: Sequence[str], first: int) -> str:
    for line in reversed(lines[: first - 1]):
        if line.startswith("### "):
            return line.partition("—")[2].strip() or line[4:].strip()
    return "it was kept apart"


def _versions(workspace: Workspace, scan: Scan) -> Iterator[Item]:
    copies = [skipped.path for skipped in scan.skipped if skipped.reason == COPY]
    records = sorted((workspace.root / RECORDS).glob("*.md"))
    twins = [path for same in _twins(scan) for path in same[1:]]
    for path in (*copies, *(f"{RECORDS}/{record.name}" for record in records), *twins):
        original = original_of(workspace, path)
        said = split(text_of(workspace, path))
        kept = set(split(text_of(workspace, original))) if original else set()
        lost = [line for line in said if line.strip() and line not in kept]
        why = f"a version of {original} that was kept aside" if original else "a kept version"
        text = "".join(lost[:_SHOWN_LINES]).rstrip("\r\n")
        shown = text or "(every line of it is in the file)"
        rulings = (Ruling.MERGE, Ruling.DROP) if original else (Ruling.DROP,)
        if path in twins:
            why = f"on some systems its name is that of {original} too: rename one, or fold it in"
            rulings = (Ruling.MERGE,)
        yield Item(path, Matter.VERSION, Span(path, 1, max(len(said), 1)), shown, why, rulings)


def original_of(workspace: Workspace, path: str) -> str:
    """Return the file of which `path` is a kept version; empty where that cannot be told."""
    if path.startswith(f"{RECORDS}/"):
        for change in workspace.ledger.changes(path=path, verb=KEPT):
            named = change.summary.partition(": ")[0]
            return named if workspace.stamp_of(named) is not None else ""
        return _named_like(workspace, path)
    original = named_after(path)
    there = original != path and workspace.stamp_of(original) is not None
    if there:
        return original
    same = next((same for same in _twins(workspace.scan()) if path in same[1:]), [""])
    return same[0]


def _twins(scan: Scan) -> list[list[str]]:
    """Return the files that are one name to some system, in groups; the first is what they are."""
    by_key: dict[str, list[str]] = {}
    for path in sorted(scan.files):
        by_key.setdefault(file_key(path), []).append(path)
    return [same for same in by_key.values() if len(same) > 1]


def _named_like(workspace: Workspace, record: str) -> str:
    """Return the one note after which a record is named that was made in another clone."""
    stem = record.rpartition("/")[2].rpartition(".conflict-")[0]
    found = [path for path in workspace.scan().files if stem_of(path) == stem]
    return found[0] if len(found) == 1 else ""


def _stale(
    workspace: Workspace, reader: ClaimReader, paths: Sequence[str], claims: Sequence[Claim]
) -> Iterator[Item]:
    """Yield the notes with claims that nobody verified lately, and all that say it of themselves.

    The latter need no claims: recall serves their words as stale too.
    """
    by_path: dict[str, list[Claim]] = {}
    for claim in claims:
        if claim.live:
            by_path.setdefault(claim.span.path, []).append(claim)
    standings = reader.standings(paths)
    now = workspace.clock.now()
    today = human_day(now, workspace.zone)
    for path in paths:
        held = by_path.get(path, [])
        standing = standings.get(path, NoteStanding(path))
        last = verified_on(held, standing.verified) if held else None
        if (expired := _expired(standing, now)) is not None:
            why = f"its `stale_after` was {human_day(expired, workspace.zone)}"
        elif last is None or (today - last).days <= STALE_DAYS:
            continue
        else:
            why = f"last verified {last.isoformat()}, {(today - last).days} days ago"
        if held:
            rulings = (Ruling.KEEP, Ruling.DROP)
            yield _item(path, Matter.STALE, tuple(held[:_SHOWN_LINES]), why, rulings)
        else:
            yield _of_note(workspace, path, why)


def _expired(standing: NoteStanding, now: datetime) -> datetime | None:
    """Return since when a note that still holds says of itself that it is stale."""
    expires = standing.expires
    there = expires is not None and expires <= now and standing.status not in PAST
    return expires if there else None


def _of_note(workspace: Workspace, path: str, why: str) -> Item:
    text = text_of(workspace, path)
    span = Span(path, 1, max(len(split(text)), 1))
    return Item(path, Matter.STALE, span, _beginning(text, read(text).last), why, (Ruling.KEEP,))


def _beginning(text: str, above: int) -> str:
    """Return the first lines that say anything, below that many."""
    said = [line.strip() for line in split(text)[above:] if line.strip()]
    return "\n".join(said[:_SHOWN_OF_PROSE])


def _item(
    id: str, matter: Matter, claims: tuple[Claim, ...], why: str, rulings: tuple[Ruling, ...]
) -> Item:
    first = claims[0].span
    text = "\n".join(said_of(claim) for claim in claims)
    return Item(id, matter, first, text, why, rulings, claims)


def said_of(claim: Claim) -> str:
    """Return a claim as it is listed: tag, text, day."""
    day = f" ({claim.since.isoformat()})" if claim.since else ""
    return f"[{claim.tag.value}] {claim.text}{day}"
