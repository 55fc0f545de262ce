"""Review: what waits for a person, and what each ruling does to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from vademecum.core.errors import BadInput, ClaimNotFound, Refused
from vademecum.core.outcomes import Conflicted, Quarantined, Waiting
from vademecum.core.review import Item, Matter, Ruled, Ruling
from vademecum.core.search import Freshness
from vademecum.service.memory import Memory
from vademecum.testing import FrozenClock, throwaway_memory


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def memory(tmp_path: Path, clock: FrozenClock) -> Iterator[Memory]:
    with throwaway_memory(root=tmp_path, clock=clock) as opened:
        yield opened


@pytest.fixture
def root(memory: Memory, tmp_path: Path) -> Path:
    del memory  # the workspace is there once it was opened
    return tmp_path / "workspace"


def tree(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def notes(root: Path) -> dict[str, bytes]:
    """Return all files but maps, which undo brings in step instead of taking back."""
    return {path: data for path, data in tree(root).items() if "index.md" not in path}


def only(memory: Memory, matter: Matter) -> Item:
    found = [item for item in memory.review() if item.matter is matter]
    assert len(found) == 1, memory.review()
    return found[0]


@pytest.fixture
def rule(memory: Memory, root: Path) -> Callable[..., Ruled]:
    """Rule; check that a second time changes nothing, and that undo brings back every note."""

    def call(ruling: Ruling, target: str, **rest: str) -> Ruled:
        before = notes(root)
        done = memory.review(ruling, target, by_person=True, **rest)
        assert done.change
        after = tree(root)
        assert {c.verb for c in memory.history(limit=1)} == {"review"}
        again = memory.review(ruling, target, by_person=True, **rest)
        assert (again.change, tree(root)) == ("", after)
        taken = memory.undo(done.change)
        assert taken
        assert notes(root) == before
        memory.undo(memory.history(limit=1)[0].group or memory.history(limit=1)[0].id)
        assert tree(root) == after
        return done

    return call


# ------------------------------------------------------------ conflicts


def conflict(memory: Memory, clock: FrozenClock) -> Conflicted:
    memory.remember("Anna lives in Oslo", tag="stated")
    clock.move_to("2026-01-25T10:00:00")
    found = memory.remember("Anna lives in Rome", tag="suggested")
    assert isinstance(found, Conflicted)
    return found


@pytest.mark.req("W-02", "B-01")
def test_a_conflict_is_listed_with_both_sides_and_ruled_for_one(
    memory: Memory, root: Path, clock: FrozenClock, rule: Callable[..., Ruled]
) -> None:
    made = conflict(memory, clock)
    item = only(memory, Matter.CONFLICT)
    assert item.id == f"^{made.claim}"
    assert {claim.text for claim in item.claims} == {"Anna lives in Oslo", "Anna lives in Rome"}
    winner = made.rivals[0].id
    done = rule(Ruling.RULE, item.id, choice=f"^{winner}")
    assert [claim.live for claim in done.claims] == [True, False]
    note = (root / made.span.path).read_text()
    assert f"superseded 2026-01-25 by ^{winner} (ruled)" in note
    assert "CONFLICT" not in note
    assert "status: active" in note
    assert "🔀" not in (root / "memory/people/index.md").read_text()
    assert not memory.review()


@pytest.mark.req("W-02")
def test_the_newcomer_can_win_a_conflict(
    memory: Memory, clock: FrozenClock, rule: Callable[..., Ruled]
) -> None:
    made = conflict(memory, clock)
    done = rule(Ruling.RULE, made.rivals[0].id, choice=made.claim)
    assert done.claims[0].text == "Anna lives in Rome"
    assert done.claims[0].live


@pytest.mark.req("W-02")
def test_a_conflict_as_a_vault_writes_it_is_ruled_too(
    memory: Memory, root: Path, rule: Callable[..., Ruled]
) -> None:
    note = root / "memory/anna.md"
    note.write_text(
        "# Anna\n\n- Anna lives in Oslo\n- Anna lives in Rome\n> ⚠️ CONFLICT (2026-01-02): which?\n"
    )
    item = only(memory, Matter.CONFLICT)
    assert item.id == "memory/anna.md:4"
    rule(Ruling.RULE, item.id, choice=item.id)
    text = note.read_text()
    assert "- ~~Anna lives in Oslo~~ superseded 2026-01-20 by ^" in text
    assert "CONFLICT (" not in text


@pytest.mark.req("W-02")
def test_a_person_may_let_both_sides_stand(
    memory: Memory, clock: FrozenClock, rule: Callable[..., Ruled]
) -> None:
    made = conflict(memory, clock)
    done = rule(Ruling.KEEP, made.claim)
    assert all(claim.live for claim in done.claims)
    assert not [item for item in memory.review() if item.matter is not Matter.STALE]


@pytest.mark.req("W-04", "B-04")
def test_what_only_people_rule_an_agent_cannot(
    memory: Memory, root: Path, clock: FrozenClock
) -> None:
    made = conflict(memory, clock)
    waiting = memory.remember("Always pin versions", kind="lesson", tag="inferred")
    apart = memory.remember("Buy this now", untrusted=True)
    before = tree(root)
    for ruling, target, rest in (
        ("rule", made.claim, {"choice": made.claim}),
        ("keep", waiting.claim, {}),
        ("release", apart.claim, {"tag": "stated"}),
    ):
        with pytest.raises(Refused):
            memory.review(ruling, target, **rest)
    assert tree(root) == before


@pytest.mark.req("W-02")
def test_two_claims_that_are_no_sides_of_one_conflict_cannot_be_ruled(
    memory: Memory, clock: FrozenClock
) -> None:
    made = conflict(memory, clock)
    other = memory.remember("The harbour opens at six", tag="stated")
    with pytest.raises(BadInput):
        memory.review("rule", made.claim, choice=other.claim, by_person=True)
    with pytest.raises(ClaimNotFound):
        memory.review("rule", made.claim, choice="^ffffff", by_person=True)
    with pytest.raises(BadInput):
        memory.review("rule", made.claim, by_person=True)


# ------------------------------------------------------------ the gate


@pytest.mark.req("W-05")
def test_a_person_lets_a_candidate_pass_with_its_id_and_signals(
    memory: Memory, root: Path, rule: Callable[..., Ruled]
) -> None:
    waiting = memory.remember("Always pin versions", kind="lesson", tag="inferred")
    assert isinstance(waiting, Waiting)
    item = only(memory, Matter.CANDIDATE)
    assert "1 of 3 signals" in item.why
    done = rule(Ruling.KEEP, item.id)
    (held,) = done.claims
    assert (held.id, held.span.path) == (waiting.claim, "memory/lessons/pin-versions.md")
    note = (root / held.span.path).read_text()
    assert "> signal 2026-01-20" in note
    assert waiting.claim not in (root / "memory/candidates.md").read_text()


@pytest.mark.req("W-05", "W-06")
def test_a_candidate_that_is_dropped_stays_readable_and_begins_anew(
    memory: Memory, root: Path, rule: Callable[..., Ruled]
) -> None:
    waiting = memory.remember("Always pin versions", kind="lesson", tag="inferred")
    rule(Ruling.DROP, waiting.claim)
    text = (root / "memory/candidates.md").read_text()
    assert "~~[inferred] Always pin versions" in text
    assert "(dropped)" in text
    assert not memory.review()
    again = memory.remember("Always pin versions", kind="lesson", tag="inferred")
    assert isinstance(again, Waiting)
    assert again.weight == 1


# ------------------------------------------------------------ quarantine


@pytest.mark.req("B-04")
def test_what_is_in_quarantine_comes_out_under_a_persons_tag_only(
    memory: Memory, root: Path, rule: Callable[..., Ruled]
) -> None:
    apart = memory.remember("Anna lives in Oslo", untrusted=True)
    assert isinstance(apart, Quarantined)
    item = only(memory, Matter.QUARANTINE)
    with pytest.raises(BadInput):
        memory.review("release", item.id, by_person=True)
    with pytest.raises(BadInput):
        memory.review("keep", item.id, by_person=True)
    done = rule(Ruling.RELEASE, item.id, tag="stated")
    assert done.claims[0].span.path == "memory/people/anna.md"
    kept = (root / apart.span.path).read_text()
    assert "~~[suggested] Anna lives in Oslo" in kept
    assert not kept.startswith("---"), "its file gets no frontmatter"


@pytest.mark.req("B-04", "W-06")
def test_what_is_dropped_from_quarantine_is_struck_there(
    memory: Memory, root: Path, rule: Callable[..., Ruled]
) -> None:
    apart = memory.remember("Buy this now", untrusted=True)
    rule(Ruling.DROP, apart.claim)
    assert "~~[suggested] Buy this now" in (root / apart.span.path).read_text()
    assert not memory.review()


# ------------------------------------------------------------ duplicates


@pytest.mark.req("W-02", "W-06")
def test_duplicates_are_merged_into_the_one_that_is_named_with_all_evidence(
    memory: Memory, root: Path, rule: Callable[..., Ruled]
) -> None:
    entry = memory.log("User: I live in Oslo.", title="Talk")
    made = memory.remember("Anna lives in Oslo", tag="stated")
    copy = root / "memory/copy.md"
    copy.write_text(
        f"# Copy\n\n- [stated] Anna lives in Oslo. (2026-01-02, from [[{entry.path}]]) ^a1b2c3\n"
    )
    item = only(memory, Matter.DUPLICATE)
    assert item.id == "^a1b2c3", "the one with evidence"
    rule(Ruling.MERGE, made.claim)
    stays = (root / made.span.path).read_text()
    assert f"from [[{entry.path}]]" in stays
    struck = copy.read_text()
    assert f"superseded 2026-01-20 by ^{made.claim} (duplicate of [[" in struck
    assert struck.rstrip().endswith("^a1b2c3")
    assert not memory.review()


# ------------------------------------------------------------ stale


@pytest.mark.req("W-07")
def test_a_note_that_nobody_verified_for_more_than_30_days_is_stale_until_it_is_kept(
    memory: Memory, root: Path, clock: FrozenClock, rule: Callable[..., Ruled]
) -> None:
    made = memory.remember("Anna lives in Oslo", tag="stated")
    clock.move_to("2026-02-19T10:00:00")
    assert not memory.review()
    clock.move_to("2026-02-20T10:00:00")
    item = only(memory, Matter.STALE)
    assert item.id == made.span.path
    rule(Ruling.KEEP, item.id)
    assert "last_verified: 2026-02-20" in (root / made.span.path).read_text()
    assert not memory.review()


@pytest.mark.req("W-07")
def test_a_note_past_its_own_mark_is_stale_until_it_is_kept(
    memory: Memory, root: Path, clock: FrozenClock, rule: Callable[..., Ruled]
) -> None:
    mark = "---\ntype: fact\nstale_after: 2026-02-01T09:00:00+00:00\n"
    folder = root / "memory" / "facts"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "rent.md").write_text(
        f"{mark}---\n\n- [stated] The rent is 900 (2026-01-20) ^a1b2c3\n"
    )
    (folder / "lease.md").write_text(f"{mark}---\n\n# Lease\n\nIt runs until spring.\n")
    (folder / "old.md").write_text(f"{mark}status: deprecated\n---\n\n# Old lease\n\nIt ran.\n")
    clock.move_to("2026-02-01T08:59:00")
    assert not memory.review()
    clock.move_to("2026-02-01T09:00:00")
    prose, rent = memory.review()
    assert (prose.id, prose.rulings) == ("memory/facts/lease.md", (Ruling.KEEP,))
    assert prose.text == "# Lease\nIt runs until spring."
    assert (rent.id, rent.rulings) == ("memory/facts/rent.md", (Ruling.KEEP, Ruling.DROP))
    assert rent.why == "its `stale_after` was 2026-02-01"
    for item in (prose, rent):
        rule(Ruling.KEEP, item.id)
        text = (root / item.id).read_text()
        assert "stale_after" not in text
        assert "last_verified: 2026-02-01" in text
    assert not memory.review()
    assert memory.recall("How much is the rent?").sources[0].freshness is Freshness.FRESH


@pytest.mark.req("W-07", "W-06")
def test_a_stale_claim_that_no_longer_holds_is_struck_as_ended(
    memory: Memory, root: Path, clock: FrozenClock, rule: Callable[..., Ruled]
) -> None:
    made = memory.remember("Anna lives in Oslo", tag="stated")
    clock.move_to("2026-03-20T10:00:00")
    rule(Ruling.DROP, f"{made.span.path}:{made.span.first}")
    text = (root / made.span.path).read_text()
    assert "superseded 2026-03-20 (ended)" in text
    assert "status: superseded" in text


@pytest.mark.req("F-06", "B-01")
def test_a_line_of_a_log_cannot_be_dropped(memory: Memory, root: Path) -> None:
    entry = memory.log("- [stated] Anna lives in Oslo", title="Talk")
    before = tree(root)
    with pytest.raises(Refused):
        memory.review("drop", f"{entry.path}:{entry.last}", by_person=True)
    assert tree(root) == before


# ------------------------------------------------------------ kept versions


@pytest.mark.req("B-02")
def test_a_copy_of_a_sync_tool_is_folded_into_its_note(memory: Memory, root: Path) -> None:
    made = memory.remember("Anna lives in Oslo", tag="stated")
    note = root / made.span.path
    copy = note.with_name("anna.sync-conflict-20260120-101010-ABCDEFG.md")
    copy.write_text(note.read_text() + "- [stated] Anna likes tea (2026-01-20) ^a1b2c3\n")
    item = only(memory, Matter.VERSION)
    assert "Anna likes tea" in item.text
    done = memory.review("merge", item.id)
    assert not copy.exists()
    text = note.read_text()
    assert text.count("Anna lives in Oslo (") == 1
    assert "Anna likes tea" in text
    memory.undo(done.change)
    assert copy.exists()
    assert "Anna likes tea" not in note.read_text()


@pytest.mark.req("B-02", "B-03")
def test_what_was_forgotten_does_not_come_back_with_a_kept_version(
    memory: Memory, root: Path
) -> None:
    made = memory.remember("Anna lives in Oslo", tag="stated")
    note = root / made.span.path
    old = note.read_text()
    index = note.with_name("index.md")
    listed = index.read_text()
    memory.remember("Bob lives in Rome", tag="stated")
    memory.forget(f"^{made.claim}", purge=True)
    for path, text in ((note, old), (index, listed)):
        path.with_name(f"{path.stem}.sync-conflict-20260120-101010-ABCDEFG.md").write_text(text)
    note.write_text("# Anna\n\nShe is away.\n")
    for item in memory.review():
        memory.review("merge", item.id)
    assert memory.review() == ()
    assert "Oslo" not in note.read_text() + index.read_text()
    assert "bob.md" in index.read_text()


@pytest.mark.req("B-02", "W-06")
def test_a_kept_version_that_is_dropped_can_be_brought_back(memory: Memory, root: Path) -> None:
    record = root / ".vade/conflicts/a.conflict-20260101-101010-ab12.md"
    record.parent.mkdir(parents=True)
    record.write_text("# A\n\nA line.\n")
    item = only(memory, Matter.VERSION)
    done = memory.review("drop", item.id)
    assert not record.exists()
    memory.undo(done.change)
    assert record.read_text() == "# A\n\nA line.\n"


@pytest.mark.req("W-02")
def test_a_memory_without_doubts_has_nothing_to_review(memory: Memory) -> None:
    memory.log("All is well.")
    memory.remember("Anna lives in Oslo", tag="stated")
    assert memory.review() == ()
    with pytest.raises(BadInput):
        memory.review("bless", "^a1b2c3")
