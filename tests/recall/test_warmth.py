"""Temperature in search: of what matches about as well, the warmer comes first; never more."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from vademecum.service.memory import Memory
from vademecum.testing import FrozenClock, throwaway_memory

TODAY = date(2026, 3, 1)


def days_ago(days: int) -> date:
    return TODAY - timedelta(days=days)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    clock = FrozenClock(f"{TODAY}T10:00:00")
    with throwaway_memory(root=tmp_path, clock=clock) as opened:
        yield opened


def note(place: Path, name: str, body: str, *, made: date, priority: str = "reference") -> str:
    path = f"memory/facts/{name}.md"
    file = place / "workspace" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"---\npriority: {priority}\ncreated: {made}\n---\n\n# {name}\n\n{body}\n")
    return path


def order(memory: Memory, query: str, as_of: str | None = None) -> list[str]:
    """Return the facts that match by words, whose scores are exactly equal here."""
    hits = memory.search(query, leg="keyword", as_of=as_of).hits
    return [hit.span.path for hit in hits if "/facts/" in hit.span.path]


@pytest.mark.req("L-05")
@pytest.mark.parametrize("swapped", [False, True])
def test_of_two_that_match_as_well_the_younger_note_comes_first(
    memory: Memory, tmp_path: Path, swapped: bool
) -> None:
    old, new = ("zeta", "alpha") if swapped else ("alpha", "zeta")
    cold = note(tmp_path, old, "Crates of lemons lie in the north.", made=days_ago(300))
    warm = note(tmp_path, new, "Crates of oranges lie in the south.", made=days_ago(1))
    assert order(memory, "where do crates lie") == [warm, cold]
    why = {hit.span.path: hit.why for hit in memory.search("crates lie", leg="keyword").hits}
    # What is warm today was not so on another day, and is not asked for by one.
    by_words_alone = order(memory, "crates lie", as_of=str(TODAY))
    assert sorted(by_words_alone) == sorted((warm, cold))
    assert ("behind what is warmer" in why[cold]) is (by_words_alone[0] == cold)
    assert "behind what is warmer" not in why[warm]


@pytest.mark.req("L-05")
def test_references_of_the_week_and_priority_warm_a_note_up(memory: Memory, tmp_path: Path) -> None:
    made = days_ago(300)
    plain = note(tmp_path, "alpha", "Crates of lemons lie in the north.", made=made)
    linked = note(tmp_path, "beta", "Crates of oranges lie in the south.", made=made)
    log = tmp_path / "workspace" / "memory" / f"{days_ago(2)}.md"
    log.write_text(f"# {days_ago(2)}\n\n### 09:00 — x\n[[beta]], [[beta]], [[beta]]\n")
    found = order(memory, "where do crates lie")
    assert found == [linked, plain]
    core = note(tmp_path, "gamma", "Crates of apples lie in the west.", made=made, priority="🔴")
    found = order(memory, "where do crates lie")
    assert found == [linked, core, plain]


@pytest.mark.req("L-05", "R-02")
def test_what_matches_better_or_exactly_stays_first_however_cold(
    memory: Memory, tmp_path: Path
) -> None:
    better = note(tmp_path, "alpha", "The crane at the quay lifts lemons.", made=days_ago(900))
    note(tmp_path, "beta", "A crane flew by.", made=days_ago(0), priority="core")
    assert order(memory, "which crane lifts lemons at the quay")[0] == better
    ticket = note(tmp_path, "gamma", "Fixed in CRN-4711.", made=days_ago(900))
    assert order(memory, "CRN-4711")[0] == ticket
