"""Checks against the ledger: log lines that are gone, struck lines deleted, tags raised by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date

from vademecum.core.claims import Claim
from vademecum.core.clock import human_day
from vademecum.core.notes import Role
from vademecum.core.provenance import Tag
from vademecum.markdown.claims import read_claims, strike
from vademecum.markdown.lines import decode, newline_of, split
from vademecum.service.doctor.finding import Finding, Mend, Severity
from vademecum.service.doctor.past import Past
from vademecum.workspace.archived import archive_path
from vademecum.writing.draft import Draft
from vademecum.writing.known import is_editable
from vademecum.writing.log import header_of_log
from vademecum.writing.review import text_of
from vademecum.writing.supersede import add, claim_of, put_after
from vademecum.writing.tombstones import digest_of_text, tombstones

_LONGEST_SHOWN = 60
_FORGOTTEN = re.compile(r"\[?forgotten [0-9a-z]{18}\]?")
"""What `forget` leaves in place of words."""


def log_lines(past: Past) -> Iterator[Finding]:
    """Lines that were appended to a log and are not in it any more, here or in the archive."""
    survey = past.survey
    for path in past.changes:
        if survey.workspace.role_of(path) is not Role.LOG:
            continue
        note = survey.notes.get(path)
        if note is None and not survey.patient.scan.is_gone(path):
            continue  # it could not be looked at, or is left out of memory on purpose
        if note is not None and not past.has_gaps(path):
            continue
        where, text = path, note.text if note else ""
        kept = archive_path(survey.workspace.profile, path)
        if note is None and (kept in survey.apart or kept in survey.notes):
            where, text = kept, text_of(survey.workspace, kept)
        blocks = [_without_words(decode(data).text, text) for data in past.appended(path)]
        lost = list(_lost(blocks, text))
        if lost:
            yield Finding(
                "log-line-lost",
                Severity.DEFECT,
                where,
                f"{len(lost)} logged {_lines(lost)} not in it any more, which was overwritten: "
                f"“{_short(lost[0])}”.",
                "`vade doctor --fix` puts back what was logged; what stands there now stays.",
                Mend(
                    where,
                    f"puts back {len(lost)} {_lines(lost).split()[0]}",
                    _putting_back(past, where, blocks),
                ),
            )


def claims_by_hand(past: Past) -> Iterator[Finding]:
    """Claims that another program removed, struck or live, and tags that it raised."""
    survey = past.survey
    stones = frozenset(tombstones(survey.workspace))
    here = {claim.text for claims in survey.claims.values() for claim in claims}
    for path in past.changes:
        if not is_editable(survey.workspace, path) or not past.has_gaps(path):
            continue
        gone, trusted = _traced(past, path)
        for claim in gone.values():
            back = claim.text in here or bool(claim.id and survey.has_id(claim.id))
            if not back and digest_of_text(claim.text) not in stones:
                yield _removed(past, path, claim)
        for claim in survey.claims.get(path, ()):
            known = trusted.get(claim.id)
            if claim.id and known is not None and _is_raised(claim, known):
                yield Finding(
                    "tag-raised",
                    Severity.DEFECT,
                    f"{path}:{claim.span.first}",
                    f"It was written as [{known.tag.value}]; another program made it "
                    f"[{claim.tag.value}], and nothing is cited that shows it.",
                    f"Make it [{known.tag.value}] again, then say who said it: vade remember TEXT "
                    f"--tag {claim.tag.value} --from PATH:LINE --quote WORDS.",
                )


def other_programs(past: Past) -> Iterator[Finding]:
    """Files that another program changed or removed since the last write here."""
    survey = past.survey
    for path, changes in past.changes.items():
        role = survey.workspace.role_of(path)
        if role is not Role.LOG and not is_editable(survey.workspace, path):
            continue
        if path not in survey.notes:
            if changes[-1].after and survey.patient.scan.is_gone(path) and role is not Role.LOG:
                yield Finding(
                    "removed-by-hand",
                    Severity.NOTICE,
                    path,
                    "Another program removed or renamed this file.",
                    "Nothing has to be done if that was meant; else bring it back: "
                    f"vade history {path} has its last version.",
                )
        elif past.is_external(path):
            yield Finding(
                "external-edit",
                Severity.NOTICE,
                path,
                "Another program changed this file since it was last written here.",
                "Nothing has to be done: the file wins. The ledger only does not say who it was.",
            )


PAST_CHECKS: tuple[Callable[[Past], Iterator[Finding]], ...] = (
    log_lines,
    claims_by_hand,
    other_programs,
)
"""Every check of the files against the ledger."""


# ------------------------------------------------------------ claims


def _traced(past: Past, path: str) -> tuple[dict[str, Claim], dict[str, Claim]]:
    """Return the claims that another program took out, and each claim under the tag it may have.

    A tag counts when a write of ours gave it; another program may only lower it, or raise it with
    evidence that was not there before.
    """
    gone: dict[str, Claim] = {}
    trusted: dict[str, Claim] = {}
    for step in past.steps(path):
        before = {_name(claim): claim for claim in read_claims(path, step.before)}
        after = {_name(claim): claim for claim in read_claims(path, step.after)}
        if step.ours:
            for name, claim in after.items():
                known = before.get(name)
                if known is None or known.tag is not claim.tag:
                    trusted[name] = claim
        else:
            gone |= {name: claim for name, claim in before.items() if name not in after}
            for name, claim in after.items():
                known = trusted.get(name)
                if known is not None and not _is_raised(claim, known):
                    trusted[name] = claim
        for name in after:
            gone.pop(name, None)
    return gone, trusted


def _name(claim: Claim) -> str:
    return claim.id or claim.text


def _is_raised(claim: Claim, known: Claim) -> bool:
    shown = set(claim.evidence) - set(known.evidence)
    return claim.tag.rank > known.tag.rank and known.tag is not Tag.UNKNOWN and not shown


def _removed(past: Past, path: str, claim: Claim) -> Finding:
    said = f"“{_short(claim.text)}”"
    if claim.live:
        return Finding(
            "claim-removed",
            Severity.NOTICE,
            path,
            f"Another program deleted the claim {said}.",
            "Nothing has to be done if that was meant; `vade forget` also finds its copies.",
        )
    there = path in past.survey.notes
    return Finding(
        "struck-line-deleted",
        Severity.DEFECT,
        path,
        f"Another program deleted a struck line, so history is incomplete: {said}.",
        "`vade doctor --fix` puts it back."
        if there
        else f"Bring the file back first: vade history {path}.",
        Mend(path, f"puts back the struck line {said}", _striking_again(past, path, claim))
        if there
        else None,
    )


def _striking_again(past: Past, path: str, claim: Claim) -> Callable[[Draft], None]:
    line = ""
    for step in past.steps(path):
        for found in read_claims(path, step.before):
            if _name(found) == _name(claim) and not found.live:
                lines = split(step.before)[found.span.first - 1 : found.span.last]
                line = "".join(lines).rstrip("\r\n")
                if any(one.live for one in read_claims(path, line)):
                    # The mark stood in a line of its own; without it the claim would hold again.
                    line = strike(line, found.until or _today(past), found.superseded_by)

    def edit(draft: Draft) -> None:
        text = draft.text(path) or ""
        successor = claim_of(text, path, claim.superseded_by) if claim.superseded_by else None
        block = line.splitlines()
        if any(_name(found) == _name(claim) for found in read_claims(path, text)):
            return
        if successor is not None:
            draft.put(path, put_after(text, successor, block))
        else:
            draft.put(path, add(text, path, block))

    return edit


def _today(past: Past) -> date:
    workspace = past.survey.workspace
    return human_day(workspace.clock.now(), workspace.zone)


# ------------------------------------------------------------ logs


def _lost(blocks: Sequence[str], text: str) -> Iterator[str]:
    """Yield the lines of what was appended that the log does not have, each as often as it lacks.

    A block that stands there whole is passed over; of others each line is looked for.
    """
    rest = text.replace("\r\n", "\n")
    broken = []
    for block in blocks:
        whole = block.replace("\r\n", "\n").strip("\n")
        if whole and whole in rest:
            rest = rest.replace(whole, "", 1)
        else:
            broken.append(whole)
    there: dict[str, int] = {}
    for line in rest.split("\n"):
        there[line.rstrip()] = there.get(line.rstrip(), 0) + 1
    for block in broken:
        for line in block.split("\n"):
            bare = line.rstrip()
            if not bare:
                continue
            if there.get(bare, 0) > 0:
                there[bare] -= 1
            else:
                yield bare


def _without_words(block: str, text: str) -> str:
    """Return what was appended with those lines as the log has them of which words were forgotten.

    Somebody may have forgotten them in another clone; a mend must not bring them back.
    """
    if "forgotten " not in text:
        return block
    lines = split(block)
    for there in split(text):
        pieces = _FORGOTTEN.split(there.rstrip())
        if len(pieces) > 1:
            was = re.compile(".*".join(map(re.escape, pieces)))
            lines = [there if was.fullmatch(line.rstrip()) else line for line in lines]
    return "".join(lines)


def _putting_back(past: Past, path: str, blocks: Sequence[str]) -> Callable[[Draft], None]:
    workspace = past.survey.workspace

    def edit(draft: Draft) -> None:
        text = draft.text(path)
        if text is None:
            day = workspace.profile.day_of(path)
            head = header_of_log(workspace, day) if day else ""
            draft.put(path, head + "".join(blocks))
        elif any(True for _ in _lost(blocks, text)):
            draft.put(path, restored(text, blocks))

    return edit


def restored(text: str, blocks: Sequence[str]) -> str:
    """Return a log with every line of `blocks` in it, in their order; none of its own is lost.

    A line goes behind the one that it was logged after; where that is changed, before what
    follows. So an entry that was overwritten stands there beside what overwrote it.
    """
    end = newline_of(text)
    lines = [line.rstrip("\r\n") for line in split(text)]
    wanted = [block.replace("\r\n", "\n").strip("\n").split("\n") for block in blocks]
    starts = [_find_block(lines, block) for block in wanted]
    at = 0
    shift = 0
    for number, block in enumerate(wanted):
        start = starts[number]
        if start is not None:
            at = start + shift + len(block)
            continue
        stop = next((found for found in starts[number + 1 :] if found is not None), len(lines))
        stop += shift if stop < len(lines) else 0
        inserted = _weave(lines, block, at, max(stop, at))
        at, shift = inserted[0], shift + inserted[1]
    return "".join(line + end for line in lines)


def _weave(lines: list[str], block: Sequence[str], at: int, stop: int) -> tuple[int, int]:
    """Put the lines of a block that are missing between `at` and `stop`; return end and count."""
    added = 0
    if at and lines[at - 1].strip():
        at += 1 if at < len(lines) and not lines[at].strip() else 0
    for line in block:
        found = next(
            (
                n
                for n in range(at, min(stop + added, len(lines)))
                if lines[n].rstrip() == line.rstrip()
            ),
            None,
        )
        if found is not None:
            at = found + 1
            continue
        if not line.strip():
            continue
        is_head = line.startswith("#")
        new = ["", line] if is_head and at and lines[at - 1].strip() else [line]
        lines[at:at] = new
        at += len(new)
        added += len(new)
    if at < len(lines) and lines[at].startswith("#"):
        lines.insert(at, "")
        at, added = at + 1, added + 1
    return at, added


def _find_block(lines: Sequence[str], block: Sequence[str]) -> int | None:
    size = len(block)
    for start in range(len(lines) - size + 1):
        if lines[start] == block[0] and list(lines[start : start + size]) == list(block):
            return start
    return None


def _lines(lost: Sequence[str]) -> str:
    return "line is" if len(lost) == 1 else "lines are"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _LONGEST_SHOWN else flat[: _LONGEST_SHOWN - 1].rstrip() + "…"
