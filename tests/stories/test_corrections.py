"""A value is corrected once; everything that still tells the old one is known for what it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from vademecum.core.search import Freshness, Status
from vademecum.service.memory import Memory
from vademecum.testing import FrozenClock, throwaway_memory

QUESTION = "what is the staging database called?"


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock("2025-12-01T09:00:00")


@pytest.fixture
def memory(tmp_path: Path, clock: FrozenClock) -> Iterator[Memory]:
    with throwaway_memory(clock=clock, root=tmp_path) as opened:
        yield opened


@pytest.mark.req("R-04", "W-06", "W-07")
@pytest.mark.parametrize("leg", ["keyword", None])
def test_a_corrected_value_is_served_and_its_copies_are_reported(
    memory: Memory, clock: FrozenClock, tmp_path: Path, leg: Any
) -> None:
    memory.remember("The staging database is called heron-1", tag="stated")
    root = tmp_path / "workspace/memory"
    (root / "projects").mkdir(exist_ok=True)
    (root / "projects/deploy.md").write_text(
        "# Deploy\n\nThe staging database is called heron-1. A dump takes an hour.\n"
    )
    (root / "2025-12-03.md").write_text(
        "# 2025-12-03\n\n### 10:00 — Backup\nThe staging database is called heron-1.\n"
    )
    assert "heron-1" in memory.recall(QUESTION, leg=leg).sources[0].text
    clock.move_to("2026-01-15T09:00:00")
    memory.remember("The staging database is called otter-2", tag="stated")

    sources = memory.recall(QUESTION, leg=leg).sources
    assert "otter-2" in sources[0].text
    assert (str(sources[0].date), sources[0].provenance.value) == ("2026-01-15", "stated")
    for copy in ("memory/projects/deploy.md:3", "memory/2025-12-03.md:4"):
        assert copy in sources[0].why
    for source in sources:
        assert "heron-1" not in source.text or source.status is Status.SUPERSEDED
    copies = [hit for hit in memory.search(QUESTION, leg=leg).hits if "heron-1" in hit.text]
    assert {hit.status for hit in copies} == {Status.SUPERSEDED}
    assert {hit.freshness for hit in copies} == {Freshness.STALE}

    history = memory.recall(QUESTION, leg=leg, history=True).sources
    old = next(one for one in history if "heron-1" in one.text)
    assert (str(old.date), str(old.until)) == ("2025-12-01", "2026-01-15")
    then = memory.recall(QUESTION, leg=leg, as_of="2026-01-01").sources
    assert "heron-1" in then[0].text
    assert [one.text for one in then if "otter-2" in one.text] == []
