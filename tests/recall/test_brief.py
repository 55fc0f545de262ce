"""A briefing is a few cited sources from the cheapest level that answers, within its budget."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from vademecum.core.provenance import Tag
from vademecum.core.search import Freshness, Level, Status
from vademecum.service.memory import Memory

Write = Callable[[str, str], None]

STYLE = """---
type: decision
title: API style
description: How services talk to each other
tags: [architecture]
---

# API style

- [stated] Services talk REST (2026-01-10) ^c7f3a1
- ~~[stated] Services talk GraphQL (2025-12-01)~~ superseded 2026-01-10 by ^c7f3a1
"""


@pytest.mark.req("R-01")
@pytest.mark.parametrize(
    "query", ["API style", "[[API style]]", "memory/decisions/style.md", "style", "api STYLE?"]
)
def test_a_note_that_is_named_is_read(memory: Memory, write: Write, query: str) -> None:
    write("memory/decisions/style.md", STYLE)
    answer = memory.recall(query)
    assert answer.level is Level.FILE
    assert {source.span.path for source in answer.sources} == {"memory/decisions/style.md"}


@pytest.mark.req("R-01")
def test_a_line_of_the_map_that_says_it_all_is_enough(memory: Memory, write: Write) -> None:
    write("memory/decisions/style.md", STYLE)
    answer = memory.recall("how do services talk to each other?")
    assert answer.level is Level.MAP
    assert answer.sources[0].span.path == "memory/decisions/style.md"


@pytest.mark.req("R-01")
def test_everything_else_is_searched_for(memory: Memory, write: Write) -> None:
    write("memory/decisions/style.md", STYLE)
    assert memory.recall("did we pick REST?").level is Level.SEARCH


@pytest.mark.req("R-03")
def test_a_source_says_where_it_stands_and_how_far_it_holds(memory: Memory, write: Write) -> None:
    write("memory/decisions/style.md", STYLE)
    source = memory.recall("Do we use REST?").sources[0]
    assert (source.span.path, source.span.first) == ("memory/decisions/style.md", 10)
    assert source.provenance is Tag.STATED
    assert source.status is Status.CURRENT
    assert source.freshness is Freshness.FRESH
    assert source.claim == "c7f3a1"
    assert "rest" in source.why


@pytest.mark.req("R-04")
def test_a_struck_line_is_marked_and_never_comes_first(memory: Memory, write: Write) -> None:
    write("memory/decisions/style.md", STYLE)
    statuses = [source.status for source in memory.recall("Is it GraphQL or REST?").sources]
    assert statuses[0] is Status.CURRENT
    assert statuses == sorted(statuses, key=lambda status: status is Status.SUPERSEDED)


@pytest.mark.req("R-03")
@pytest.mark.parametrize("budget", [20, 60, 200])
def test_the_budget_is_kept(memory: Memory, write: Write, budget: int) -> None:
    for number in range(20):
        write(f"memory/n{number}.md", f"# N{number}\n\nThe heron {'walks and ' * 30} {number}.\n")
    answer = memory.recall("heron", budget=budget)
    assert answer.sources
    assert answer.tokens <= budget


@pytest.mark.req("R-03")
def test_five_sources_of_distinct_text_at_most(memory: Memory, write: Write) -> None:
    for number in range(12):
        write(
            f"memory/n{number}.md", f"# N{number}\n\nThe heron nests.\n\nHeron number {number}.\n"
        )
    sources = memory.recall("heron nests number").sources
    assert len(sources) == 5
    assert len({source.text for source in sources}) == 5


@pytest.mark.req("R-03")
def test_no_file_takes_every_place(memory: Memory, write: Write) -> None:
    lines = "".join(f"- heron sighting {number}\n\nno bird\n\n" for number in range(20))
    write("memory/birds.md", f"# Birds\n\n{lines}")
    write("memory/lake.md", "# Lake\n\nA heron was at the lake, a sighting of joy.\n")
    taken = [source.span.path for source in memory.recall("heron sighting").sources]
    assert "memory/lake.md" in taken


@pytest.mark.req("R-03")
def test_lines_that_follow_each_other_are_one_source(memory: Memory, write: Write) -> None:
    write("memory/birds.md", "# Birds\n\n- heron at dawn\n- heron at dusk\n")
    source, *_ = memory.recall("heron dawn dusk").sources
    assert (source.span.first, source.span.last) == (3, 4)
    assert source.text == "- heron at dawn\n- heron at dusk"


@pytest.mark.req("R-05")
def test_nothing_known_is_told_from_an_index_that_lacks_notes(memory: Memory, write: Write) -> None:
    write("memory/a.md", "# A\n\nheron\n")
    answer = memory.recall("§§")
    assert answer.sources == ()
    assert answer.reason
    assert answer.coverage.complete
    assert memory.recall("heron").coverage.notes_indexed >= 1


@pytest.mark.req("R-06", "R-03")
def test_what_a_source_cites_is_what_stands_there(
    memory: Memory, write: Write, tmp_path: Path
) -> None:
    write("memory/decisions/style.md", STYLE)
    for source in memory.recall("REST").sources:
        lines = (tmp_path / "workspace" / source.span.path).read_text().split("\n")
        assert source.text == "\n".join(lines[source.span.first - 1 : source.span.last])


@pytest.mark.req("R-01", "W-04")
def test_a_line_of_the_map_that_an_agent_only_concluded_does_not_end_the_search(
    memory: Memory,
) -> None:
    memory.remember("Marlin talks gRPC to its clients", tag="stated", by_person=True)
    memory.remember("Marlin may talk tRPC to its clients", tag="inferred")
    answer = memory.recall("What does Marlin talk to its clients?")
    assert answer.level is Level.SEARCH
    assert any("gRPC" in source.text for source in answer.sources)
