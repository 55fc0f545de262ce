"""Forgetting: out of every file, with a tombstone, in words and in what rests on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from vademecum.core.errors import ClaimNotFound, InvalidText, Refused, SecretFound
from vademecum.core.ids import digest_of
from vademecum.core.provenance import Actor
from vademecum.workspace.workspace import Workspace
from vademecum.writing.forget import Standing, forget, plan
from vademecum.writing.log import append_entry
from vademecum.writing.tombstones import refuse_forgotten, tombstones
from vademecum.writing.undo import undo

SECRET = "The vault code of the office is 4711 since May"
NOTE = f"""---
type: decision
title: Office
description: {SECRET}
---

# Office

- [stated] {SECRET} (2026-01-10) ^c7f3a1
- [inferred] Anyone with the code may enter (2026-01-11, from [[office#^c7f3a1]]) ^d1d1d1
- [observed] Doors close at six (2026-01-11, from [[office#^c7f3a1]], [[2026-01-11]]) ^e1e1e1
- [stated] The office is in Bern (2026-01-09) ^f1f1f1
"""
DOORS = "---\ntype: lesson\ntitle: Doors\n---\n\n# Doors\n\n"
COPY = f"{DOORS}- ~~{SECRET}.~~ superseded 2026-01-12\n- Keep\n"


@pytest.fixture
def filled(workspace: Workspace, actor: Actor) -> Workspace:
    root = workspace.root
    (root / "memory" / "decisions").mkdir(parents=True)
    (root / "memory" / ".archive").mkdir()
    (root / "memory" / "decisions" / "office.md").write_text(NOTE)
    (root / "memory" / "doors.md").write_text(COPY)
    (root / "memory" / ".archive" / "old.md").write_text(f"Once: {SECRET.lower()}, they said.\n")
    append_entry(workspace, f"Ada says: {SECRET}. Noted.", actor=actor)
    return workspace


def everything(root: Path) -> str:
    return "\n".join(file.read_text() for file in root.rglob("*") if file.is_file())


@pytest.mark.req("B-03")
@pytest.mark.parametrize("text", ["vault code", "4711", "VAULT  Code of"])
def test_a_few_words_lead_to_every_place_that_holds_them(filled: Workspace, text: str) -> None:
    found = plan(filled, [text])
    told = {(place.span.path, place.span.first) for place in found.places}
    assert {
        ("memory/decisions/office.md", 4),
        ("memory/decisions/office.md", 9),
        ("memory/doors.md", 8),
        ("memory/.archive/old.md", 1),
    } <= told
    assert any(path.startswith("memory/2026-") for path, _ in told)


@pytest.mark.req("B-03")
def test_words_are_no_parts_of_others_and_name_the_claims_that_hold_them(
    filled: Workspace,
) -> None:
    assert {place.claim for place in plan(filled, ["Bern"]).places} == {"f1f1f1"}
    with pytest.raises(ClaimNotFound):
        plan(filled, ["Ber"])


@pytest.mark.req("B-03", "B-04")
def test_a_credential_is_no_reason(filled: Workspace, actor: Actor) -> None:
    before = everything(filled.root)
    with pytest.raises(SecretFound):
        forget(filled, ["^c7f3a1"], actor=actor, reason="leaked: ghp_" + "a1B2" * 10)
    assert everything(filled.root) == before


@pytest.mark.req("B-03")
def test_a_fact_is_gone_from_every_file_with_what_rests_on_it(
    filled: Workspace, actor: Actor
) -> None:
    done, _ = forget(filled, ["^c7f3a1"], actor=actor)
    left = everything(filled.root)
    assert "4711" not in left
    assert "may enter" not in left
    standing = {(p.span.path, p.standing) for p in done.places}
    assert ("memory/decisions/office.md", Standing.CLAIM) in standing
    assert ("memory/decisions/office.md", Standing.DERIVED) in standing
    assert ("memory/doors.md", Standing.COPY) in standing
    assert ("memory/2026-01-20.md", Standing.WORDS) in standing
    assert ("memory/.archive/old.md", Standing.WORDS) in standing
    note = (filled.root / "memory/decisions/office.md").read_text()
    assert "- [observed] Doors close at six (2026-01-11, from [[2026-01-11]]) ^e1e1e1" in note
    assert "- [stated] The office is in Bern (2026-01-09) ^f1f1f1" in note
    log = (filled.root / "memory/2026-01-20.md").read_text()
    assert f"Ada says: [forgotten {done.stone}]. Noted." in log
    assert "### 10:30" in log
    assert all(not place.text for place in done.places)


@pytest.mark.req("B-03")
def test_a_tombstone_holds_no_text_and_keeps_the_fact_out(filled: Workspace, actor: Actor) -> None:
    done, _ = forget(filled, ["c7f3a1"], actor=actor, reason="a credential")
    stones = tombstones(filled)
    assert {stone.id for stone in stones.values()} == {done.stone}
    assert {stone.reason for stone in stones.values()} == {"a credential"}
    with pytest.raises(Refused, match="was forgotten on 2026-01-20"):
        refuse_forgotten(filled, f"  {SECRET.upper()}. ")
    refuse_forgotten(filled, "The office is in Bern")


@pytest.mark.req("B-03")
def test_summaries_in_the_ledger_lose_the_text_and_nothing_else(
    filled: Workspace, actor: Actor
) -> None:
    before = list(filled.ledger.changes())
    size = filled.ledger.path.stat().st_size
    done, _ = forget(filled, ["^c7f3a1"], actor=actor)
    after = list(filled.ledger.changes())[: len(before)]
    assert [(c.id, c.path, c.after) for c in after] == [(c.id, c.path, c.after) for c in before]
    assert filled.ledger.path.read_bytes()[:size].count(b"\n") == len(before)
    assert b"4711" not in filled.ledger.path.read_bytes()
    assert b"vault code" not in b"".join(
        file.read_bytes() for file in (filled.state / "trail").iterdir()
    )
    assert done.stone in after[-1].summary


@pytest.mark.req("B-03")
def test_old_versions_stay_until_they_are_purged(filled: Workspace, actor: Actor) -> None:
    done, _ = forget(filled, ["^c7f3a1"], actor=actor)
    assert any("old versions" in one.where for one in done.remains)
    blobs = filled.files.records.blobs
    assert blobs.has(digest_of(NOTE.encode()))


@pytest.mark.req("B-03")
def test_purging_leaves_no_byte_of_the_text_in_the_state(filled: Workspace, actor: Actor) -> None:
    done, _ = forget(filled, ["^c7f3a1"], actor=actor, purge=True)
    blobs = filled.files.records.blobs
    assert not blobs.has(digest_of(NOTE.encode()))
    assert done.versions >= 3
    assert done.remains == ()
    stored = [b.parent.name + b.name for b in blobs.directory.glob("??/*")]
    assert not any(b"4711" in blobs.get(digest) for digest in stored)


@pytest.mark.req("B-03")
def test_a_text_is_never_forgotten_before_it_is_told_apart(filled: Workspace, actor: Actor) -> None:
    before = everything(filled.root)
    shown = plan(filled, ["the office is in bern"])
    assert shown.needs_ids
    assert [place.claim for place in shown.places] == ["f1f1f1"]
    with pytest.raises(Refused):
        forget(filled, ["the office is in bern"], actor=actor)
    with pytest.raises(ClaimNotFound):
        plan(filled, ["nobody ever wrote this"])
    assert everything(filled.root) == before


@pytest.mark.req("B-03")
def test_the_claim_that_was_named_goes_last(filled: Workspace, actor: Actor) -> None:
    done, _ = forget(filled, ["^c7f3a1"], actor=actor)
    notes = [path for path in done.files if not path.endswith("index.md")]
    assert notes[-1] == "memory/decisions/office.md"
    assert len(notes) == 4


@pytest.mark.req("B-03")
def test_an_entry_of_a_log_keeps_its_line_and_time(filled: Workspace, actor: Actor) -> None:
    done, _ = forget(filled, ["memory/2026-01-20.md:6-7"], actor=actor)
    log = (filled.root / "memory/2026-01-20.md").read_text()
    assert "Ada says" not in log
    assert log.count(done.stone) >= 1
    assert "### 10:30" in log


@pytest.mark.req("B-03")
def test_a_reason_must_not_tell_what_it_is_about(filled: Workspace, actor: Actor) -> None:
    before = everything(filled.root)
    with pytest.raises(InvalidText):
        forget(filled, ["^c7f3a1"], actor=actor, reason=f"because {SECRET}")
    assert everything(filled.root) == before


@pytest.mark.req("B-03")
def test_a_note_that_held_nothing_else_is_removed_and_comes_back_on_undo(
    workspace: Workspace, actor: Actor
) -> None:
    note = workspace.root / "memory" / "alone.md"
    note.parent.mkdir()
    text = f"---\ntype: lesson\ntitle: {SECRET}\n---\n\n# {SECRET}\n\n- {SECRET} ^c7f3a1\n"
    note.write_text(text)
    done, _ = forget(workspace, ["^c7f3a1"], actor=actor)
    assert not note.exists()
    undo(workspace, done.stone, actor=actor)
    assert note.read_text() == text
    assert tombstones(workspace) == {}
