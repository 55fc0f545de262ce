"""A search sees what was written just before, by whomever."""

from __future__ import annotations

from typing import Any

import pytest

from vademecum.indexing.elect import elected, is_indexing, is_watching, watching
from vademecum.indexing.refresh import Refresher


@pytest.mark.req("I-01")
def test_what_another_program_did_a_moment_ago_is_found_or_gone(desk: Any) -> None:
    workspace, index = desk.workspace(), desk.index()
    refresher = Refresher(workspace, index)
    for number in range(60):
        refresher.expect_change()
        file = desk.write("a.md", f"# A\n\nheron{number}\n")
        refresher.refresh()
        assert desk.found(index, f"heron{number}") == {"a.md"}
        assert refresher.coverage().notes_on_disk == refresher.coverage().notes_indexed == 1
        file.unlink()
        refresher.expect_change()
        refresher.refresh()
        assert desk.found(index, f"heron{number}") == set()
        assert refresher.coverage().notes_indexed == 0


@pytest.mark.req("I-01")
def test_a_sweep_just_done_is_not_repeated_at_once(desk: Any) -> None:
    calls = [(0.0, 0.1), (0.2, 0.3), (0.4,), (1.09,), (1.11, 1.2)]
    ticks = iter([tick for call in calls for tick in call])
    desk.write("a.md", "# A\n\nheron\n")
    refresher = Refresher(desk.workspace(), desk.index(), seconds=lambda: next(ticks))
    first = refresher.refresh()
    second = refresher.refresh()
    assert second is not first, "reading notes says nothing about what a sweep costs"
    assert refresher.refresh() is refresher.refresh() is second, "0.1 of sweeping, 0.8 of rest"
    assert refresher.refresh() is not second


@pytest.mark.req("I-01")
def test_while_it_rests_a_new_a_gone_and_an_edited_note_are_seen_all_the_same(desk: Any) -> None:
    workspace, index = desk.workspace(), desk.index()
    desk.write("a.md", "# A\n\nheron\n")
    kept = desk.write("below/b.md", "# B\n\nstork\n")
    ticks = iter(number / 10 for number in range(100))
    refresher = Refresher(workspace, index, seconds=lambda: next(ticks))
    refresher.refresh()
    assert refresher.refresh() is refresher.refresh(), "it rests"
    added = desk.write("below/c.md", "# C\n\ncrane\n")
    refresher.refresh()
    assert desk.found(index, "crane") == {"below/c.md"}
    assert refresher.refresh() is refresher.refresh(), "it rests again"
    added.unlink()
    refresher.refresh()
    assert desk.found(index, "crane") == set()
    assert refresher.refresh() is refresher.refresh()
    with kept.open("a") as file:
        file.write("\na bittern as well\n")
    refresher.refresh()
    assert desk.found(index, "bittern") == {"below/b.md"}


@pytest.mark.req("R-05")
def test_while_another_process_indexes_the_coverage_is_incomplete_and_says_why(desk: Any) -> None:
    workspace, index = desk.workspace(), desk.index()
    desk.write("a.md", "# A\n\nheron\n")
    refresher = Refresher(workspace, index)
    with elected(workspace.state):
        report = refresher.refresh()
        assert is_indexing(workspace.state)
    assert not is_indexing(workspace.state)
    assert not report.elected
    assert report.degraded
    coverage = refresher.coverage()
    assert (coverage.notes_on_disk, coverage.notes_indexed, coverage.complete) == (1, 0, False)
    refresher.refresh()
    assert refresher.coverage().complete, "an unfinished sweep is not rested upon"


@pytest.mark.req("I-03")
def test_of_new_passages_a_few_get_their_vectors_on_the_spot_of_many_the_newest(desk: Any) -> None:
    workspace, index = desk.workspace(), desk.index()
    desk.write("a.md", "# A\n\nheron\n")
    refresher = Refresher(workspace, index)
    refresher.refresh(desk.embedder)
    assert refresher.coverage().chunks_embedded == 1
    for number in range(40):
        desk.write(f"{number}.md", f"# N\n\nheron {number}\n")
    refresher.expect_change()
    refresher.refresh(desk.embedder)
    coverage = refresher.coverage()
    assert (coverage.chunks, coverage.chunks_embedded) == (41, 41)
    for number in range(100):
        desk.write(f"more/{number}.md", f"# M\n\ncrane {number}\n")
    refresher.expect_change()
    refresher.refresh(desk.embedder)
    coverage = refresher.coverage()
    assert coverage.chunks == 141
    assert 41 < coverage.chunks_embedded < 141


def test_a_watcher_is_known_to_all_and_there_is_one(desk: Any) -> None:
    state = desk.workspace().state
    assert not is_watching(state)
    with watching(state) as first, watching(state) as second:
        assert first
        assert not second
        assert is_watching(state)
    assert not is_watching(state)
