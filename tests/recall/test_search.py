"""Search finds by words, by meaning and by day, and says why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from vademecum.core.errors import EmbedderUnavailable
from vademecum.core.ports import EmbedderIdentity, Purpose, Vector
from vademecum.core.roles import Role
from vademecum.service.memory import Memory
from vademecum.testing import FrozenClock, small_embedder, throwaway_memory

Write = Callable[[str, str], None]


def paths(memory: Memory, query: str, **more: object) -> list[str]:
    return [hit.span.path for hit in memory.search(query, **more).hits]  # type: ignore[arg-type]  # keywords of several types


@pytest.mark.req("R-02")
@pytest.mark.parametrize(
    "query", ["What is the state of OPS-4812?", "OPS-4812", "ops-4812 please", "ERR_0x7F31"]
)
def test_an_identifier_that_one_line_holds_comes_first(
    memory: Memory, write: Write, query: str
) -> None:
    for number in range(40):
        write(
            f"memory/projects/n{number}.md", f"# N{number}\n\nThe state of ticket OPS-{number}.\n"
        )
    write("memory/projects/it.md", "# It\n\nWe closed OPS-4812 after ERR_0x7F31 went away.\n")
    assert paths(memory, query)[0] == "memory/projects/it.md"


@pytest.mark.req("R-02")
@pytest.mark.parametrize("place", [0, 5, 10])
def test_where_a_claim_stands_in_its_note_says_nothing_of_it(
    memory: Memory, write: Write, place: int
) -> None:
    facts = [f"Heron has fact {number}" for number in range(10)]
    facts.insert(place, "Heron is written in Kotlin")
    lines = "".join(f"- [stated] {fact}\n" for fact in facts)
    write("memory/facts/heron.md", f"# Heron\n\n{lines}")
    for number in range(20):
        write(
            f"memory/facts/{number}.md", f"# N{number}\n\n- [stated] N{number} is written in Go\n"
        )
    sources = memory.recall("Which language is Heron written in?", leg="keyword").sources
    assert "Kotlin" in sources[0].text


@pytest.mark.req("R-02")
def test_a_name_that_one_line_holds_is_among_the_first(memory: Memory, write: Write) -> None:
    for number in range(30):
        write(f"memory/n{number}.md", f"# N{number}\n\nLunch with the team, number {number}.\n")
    write("memory/k.md", "# K\n\n" + "A long line about many other things. " * 8 + "Kowalski.\n")
    assert "memory/k.md" in paths(memory, "When was the lunch with the team and Kowalski?")[:3]


@pytest.mark.req("R-02")
@pytest.mark.parametrize(
    "query",
    ['"', "NEAR(", "a AND b OR", "*", "col:x", "C++", "-", "\x00", "'; DROP TABLE", "((", "😀"],
)
@pytest.mark.parametrize("leg", [None, "keyword", "semantic"])
def test_any_text_is_a_safe_query(
    memory: Memory, write: Write, query: str, leg: str | None
) -> None:
    write("memory/a.md", "# A\n\nheron and otter\n")
    memory.search(query, leg=leg)  # type: ignore[arg-type]  # keywords of several types
    memory.recall(query)


@pytest.mark.req("R-02", "R-05")
@pytest.mark.parametrize("query", ["", "   ", "?!§", "🦜"])
def test_a_query_without_a_word_finds_nothing_and_says_so(
    memory: Memory, write: Write, query: str
) -> None:
    write("memory/a.md", "# A\n\nheron\n")
    found = memory.search(query)
    assert found.hits == ()
    assert "no word" in found.reason


@pytest.mark.req("R-02")
def test_signs_that_no_index_holds_are_found_in_the_files(memory: Memory, write: Write) -> None:
    write("memory/a.md", "# A\n\nThe operator is <=>x<=> here.\n")
    (hit,) = memory.search("tor is <=>x", leg="keyword").hits
    assert (hit.span.path, hit.span.first) == ("memory/a.md", 3)
    assert hit.why


@pytest.mark.req("R-02")
def test_signs_alone_are_found_where_they_are_written(memory: Memory, write: Write) -> None:
    write("memory/a.md", "# A\n\nThe party was 🦜 loud.\n")
    assert paths(memory, "🦜") == ["memory/a.md"]


@pytest.mark.req("R-05")
def test_nothing_known_is_an_answer(memory: Memory, write: Write) -> None:
    write("memory/a.md", "# A\n\nheron\n")
    found = memory.search("photosynthesis", leg="keyword")
    assert (found.hits, found.degraded) == ((), ())
    assert found.reason.startswith("Nothing known")


@pytest.mark.req("R-02")
def test_the_day_that_a_question_names_decides_between_like_lines(
    memory: Memory, write: Write
) -> None:
    for month in range(1, 13):
        write(f"memory/2025-{month:02}-14.md", f"# 2025-{month:02}-14\n\n- Repaired the boiler.\n")
    assert paths(memory, "What was repaired in May?")[0] == "memory/2025-05-14.md"
    assert paths(memory, "Was wurde am 14. Oktober repariert, boiler?")[0].endswith("10-14.md")
    assert paths(memory, "3月14日 boiler")[0] == "memory/2025-03-14.md"
    assert "near the time asked about" in memory.search("boiler in May").hits[0].why


@pytest.mark.req("R-02")
def test_who_is_named_is_listened_to(memory: Memory, write: Write) -> None:
    lines = "- **Ann:** I love the lake house.\n- **Bob:** Ann, I love the lake house as well.\n"
    write("memory/2026-01-05.md", f"# 2026-01-05\n\n### 10:00 — Talk\n\n{lines}")
    assert memory.search("What does Bob love?").hits[0].text.startswith("- **Bob:**")
    assert memory.search("What does Ann love?").hits[0].text.startswith("- **Ann:**")


@pytest.mark.req("R-02")
def test_copies_of_a_note_are_one_hit(memory: Memory, write: Write) -> None:
    for folder in ("memory/projects", "memory/lessons", "memory/people"):
        write(f"{folder}/same.md", "# Same\n\nThe heron nests in April.\n")
    assert len(memory.search("heron nests", leg="keyword").hits) == 1


@pytest.mark.req("R-03")
def test_every_hit_says_why_it_is_there(memory: Memory, write: Write) -> None:
    write("memory/a.md", "# Harbour\n\nThe harbour closes at ten.\n")
    (hit, *_) = memory.search("when does the harbour close?", leg="keyword").hits
    assert "harbour" in hit.why
    assert hit.legs.semantic is None
    assert hit.legs.lexical is not None and 0 < hit.legs.lexical <= 1


@pytest.mark.req("R-02")
def test_one_leg_alone_answers(memory: Memory, write: Write) -> None:
    write("memory/a.md", "# A\n\nThe heron nests in April.\n")
    memory.sync()
    (by_meaning, *_) = memory.search("heron nests in April", leg="semantic").hits
    assert by_meaning.legs.lexical is None
    assert by_meaning.span.path == "memory/a.md"


class _Silent:
    """An embedder whose service does not answer."""

    identity = EmbedderIdentity("remote", "silent", 8)

    def embed(self, texts: Sequence[str], purpose: Purpose) -> list[Vector]:
        del texts, purpose
        raise EmbedderUnavailable("The service at example.org did not answer.", hint="Try again.")

    def close(self) -> None:
        return


@pytest.mark.req("R-07", "R-02")
def test_a_failing_provider_leaves_the_words_and_says_so(tmp_path: Path) -> None:
    with throwaway_memory(embedder=_Silent(), clock=FrozenClock(), root=tmp_path) as memory:
        (tmp_path / "workspace/memory/a.md").write_text("# A\n\nThe heron nests in April.\n")
        found = memory.search("heron")
        assert found.hits[0].span.path == "memory/a.md"
        assert any("did not answer" in part.reason for part in found.degraded)


@pytest.mark.req("R-02")
@pytest.mark.parametrize("fusion", ["weighted", "rank"])
def test_both_fusions_put_what_both_legs_agree_on_first(tmp_path: Path, fusion: str) -> None:
    from vademecum.service.memory import init, open_memory

    settings = {"state.directory": str(tmp_path / "state"), "search.fusion": fusion}
    init(tmp_path / "w", settings=settings, variables={})
    (tmp_path / "w/memory/a.md").write_text("# A\n\nThe heron nests in April.\n")
    (tmp_path / "w/memory/b.md").write_text("# B\n\nThe otter sleeps in March.\n")
    with open_memory(
        tmp_path / "w", settings=settings, variables={}, embedder=small_embedder()
    ) as memory:
        assert paths(memory, "heron nests in April")[0] == "memory/a.md"


@pytest.mark.req("R-02")
@pytest.mark.parametrize("query", ['"', "'", "“", "«"])
def test_a_quotation_mark_alone_is_looked_for_as_it_stands(
    memory: Memory, write: Write, query: str
) -> None:
    write("memory/marks.md", 'She said "so", he\'d said “so” and «so».\n')
    hits = memory.search(query).hits
    assert hits
    assert all(query in hit.text for hit in hits)


@pytest.mark.req("R-03")
def test_a_lone_match_by_words_has_a_score(memory: Memory, write: Write) -> None:
    write("memory/a.md", "The quokka lives here.\n")
    (hit,) = memory.search("quokka", leg="keyword").hits
    assert hit.score > 0.3
    assert hit.legs.lexical == 1.0


@pytest.mark.req("R-03", "F-03")
def test_a_backup_within_the_tree_stands_behind_what_is_lived_in(
    memory: Memory, write: Write
) -> None:
    write("memory/backup-2026-01/lamp.md", "# Lamp\n\nThe lamp burns 7 watts.\n")
    write(
        "memory/house.md", "# House\n\nOf the things here, the lamp burns 9 watts, as measured.\n"
    )
    hits = memory.search("the lamp burns how many watts", leg="keyword").hits
    assert [hit.span.path for hit in hits] == ["memory/house.md", "memory/backup-2026-01/lamp.md"]


@pytest.mark.req("R-03")
def test_lines_of_maps_stand_behind_those_of_notes(memory: Memory) -> None:
    for name in ("Tidal", "Onyx", "Cedar", "Lantern"):
        memory.remember(f"Alerts of {name} go to the channel of {name}", tag="stated")
    hits = memory.search("Which channel do alerts of Lantern go to?", leg="keyword", limit=5).hits
    roles = [hit.role for hit in hits]
    assert roles == sorted(roles, key=lambda role: role is Role.MAP)
    assert "Lantern" in hits[0].text


@pytest.mark.req("R-04")
def test_a_decision_about_another_thing_is_not_past_with_the_value_of_this_one(
    memory: Memory,
) -> None:
    memory.remember("Alerts of Onyx go to the channel #on-call", tag="stated", since="2026-01-02")
    memory.remember("Alerts of Onyx now go to the channel #red", tag="stated", since="2026-01-09")
    memory.log("We decided that alerts of Lantern go to the channel #on-call.", title="Alerts")
    sources = memory.recall("Which channel do alerts of Lantern go to?").sources
    assert any("Lantern" in source.text and "#on-call" in source.text for source in sources)
