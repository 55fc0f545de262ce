"""What every index promises, whichever backend keeps it."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from vademecum.core.errors import IndexUnusable
from vademecum.core.notes import Role
from vademecum.core.ports import (
    ColumnWeights,
    DropNote,
    EmbedderIdentity,
    FileStamp,
    Index,
    IndexState,
    KeywordQuery,
    PutNote,
    TouchNote,
    Vector,
)

Put = Callable[..., PutNote]
OTHER = EmbedderIdentity("hashing", "other", 4)


def ask(index: Index, *terms: str, **more: Any) -> list[str]:
    """Return the texts that a keyword query finds, best first."""
    return texts(index, index.keyword_hits(KeywordQuery(terms, **more), 50))


def texts(index: Index, hits: Sequence[Any]) -> list[str]:
    found = index.chunks([hit.chunk for hit in hits])
    return [found[hit.chunk].text for hit in hits]


def axis(number: int, size: int = 8, lean: float = 0.0) -> Vector:
    """Return the unit vector along an axis, leaning a little to the next one."""
    values = [0.0] * size
    values[number] = math.sqrt(1 - lean * lean)
    values[(number + 1) % size] += lean
    return array("f", values)


def give_vectors(index: Index, vectors: dict[str, Vector]) -> None:
    """Give each pending passage the vector of the word that it holds."""
    index.put_vectors(
        [
            (one.digest, vector)
            for one in index.pending(100)
            for word, vector in vectors.items()
            if word in one.passage
        ]
    )


# ---------------------------------------------------------------------- being there


@pytest.mark.req("R-05")
def test_an_index_that_was_never_written_is_absent_and_answers_as_an_empty_one(
    index: Index,
) -> None:
    assert index.condition().state is IndexState.ABSENT
    assert index.counts().notes == index.counts().chunks == index.counts().revision == 0
    assert not index.stamps()
    assert not index.notes()
    assert ask(index, "anything") == []
    assert index.vector_hits(axis(0), 5) == []
    assert index.document_frequency(["anything"]) == {"anything": 0}
    assert not index.chunks([1])
    assert not index.section("a.md", 0)
    assert not index.pending(5)
    assert not index.verify()


@pytest.mark.req("I-03")
def test_what_one_process_applied_another_finds(open_index: Any, put: Put) -> None:
    writer, reader = open_index(), open_index(None)
    assert ask(reader, "heron") == []
    writer.apply([put("a.md", "# A\n\nA heron stands.\n")])
    assert ask(reader, "heron") == ["A heron stands."]
    assert reader.condition().state is IndexState.READY


def test_a_closed_index_refuses_to_answer(index: Index, put: Put) -> None:
    index.apply([put("a.md", "# A\n\nheron\n")])
    index.close()
    with pytest.raises(IndexUnusable):
        index.counts()


# ---------------------------------------------------------------------- notes and chunks


@pytest.mark.req("I-02")
def test_a_chunk_comes_back_with_lines_heading_day_role_and_order(index: Index, put: Put) -> None:
    text = "# Log\n\n## Morning\n\nfirst thing\n\nsecond thing\n\n## Evening\n\nthird thing\n"
    index.apply([put("memory/2026-01-20.md", text, role=Role.LOG)])
    (hit,) = index.keyword_hits(KeywordQuery(("second",), weights=ColumnWeights(near=0.0)), 1)
    chunk = index.chunks([hit.chunk])[hit.chunk]
    assert chunk.id == hit.chunk
    assert (chunk.span.path, chunk.span.first, chunk.span.last) == ("memory/2026-01-20.md", 7, 7)
    assert chunk.text == "second thing"
    assert chunk.heading.endswith("Log › Morning")
    assert str(chunk.date) == "2026-01-20"
    assert chunk.role is Role.LOG
    assert chunk.span.digest
    section = index.section("memory/2026-01-20.md", chunk.section)
    assert [one.text for one in section] == ["first thing", "second thing"]
    assert section[1] == chunk
    assert section[1].ordinal == section[0].ordinal + 1
    assert section[1].id == section[0].id + 1


@pytest.mark.req("R-01")
def test_a_note_is_summed_up_by_title_description_kind_tags_and_day(index: Index, put: Put) -> None:
    head = "---\ntype: decision\ntitle: Style\ndescription: How we talk\ntags: [api, team]\n---\n"
    index.apply([put("z.md", "# Z\n"), put("b/2026-02-03-style.md", head + "\ntext\n")])
    first, second = index.notes()
    assert (first.path, second.path) == ("b/2026-02-03-style.md", "z.md")
    assert (first.title, first.description, first.kind) == ("Style", "How we talk", "decision")
    assert first.tags == ("api", "team")
    assert (str(first.date), first.role) == ("2026-02-03", "concept")
    assert first.lines == 8
    assert first.digest == index.stamps()["b/2026-02-03-style.md"][1]


@pytest.mark.req("R-01")
def test_notes_are_told_by_name_or_by_the_words_of_their_line_in_any_case(
    index: Index, put: Put
) -> None:
    def note(title: str, description: str = "") -> str:
        return f"---\ntitle: {title}\ndescription: {description}\ntags: [Kite]\n---\n\ntext\n"

    index.apply(
        [
            put("One.md", note("Herons", "Where they NEST")),
            put("b/two.md", note("Große Straße", "Der Weg zum Nest")),
            put("b/three.md", note("Étude")),
            put("b/four.md", note("The\u3000Kelvin \u212a")),
        ]
    )

    def told(name: str, *words: str) -> set[str]:
        return {one.path for one in index.notes_told_by(name, words)}

    assert {"One.md"} <= told("herons") & told("one") & told("one.md") & told("", "nest", "kite")
    assert {"b/two.md"} <= told("grosse strasse") & told("große straße") & told("b/two")
    assert {"b/two.md"} <= told("", "strasse", "nest")
    assert {"b/three.md"} <= told("étude") & told("three")
    assert {"b/four.md"} <= told("the kelvin k")
    assert {"One.md", "b/two.md"} <= told("", "nest", *("nest" for _ in range(2_000)))


@pytest.mark.req("I-04")
def test_putting_a_note_again_replaces_all_of_it(index: Index, put: Put) -> None:
    index.apply([put("a.md", "# A\n\nheron\n\notter\n\nstoat\n")])
    index.apply([put("a.md", "# A\n\nheron\n\nbadger\n", modified=2)])
    assert ask(index, "otter", "stoat", weights=ColumnWeights(near=0.0)) == []
    assert ask(index, "badger", weights=ColumnWeights(near=0.0)) == ["badger"]
    assert (index.counts().notes, index.counts().chunks) == (1, 2)
    assert index.stamps()["a.md"][0].modified == 2
    assert not index.verify()


@pytest.mark.req("I-04")
def test_a_note_may_grow_and_shrink_without_end(index: Index, put: Put) -> None:
    lines = [f"- line{number} of the list" for number in range(60)]
    for size in (1, 3, 40, 60, 2, 59):
        index.apply([put("a.md", "# A\n\n" + "\n".join(lines[:size]) + "\n")])
        assert index.counts().chunks == size
        section = index.section("a.md", 0)
        assert [chunk.text for chunk in section] == lines[:size]
        assert [chunk.ordinal for chunk in section] == list(range(size))
        assert not index.verify()


@pytest.mark.req("I-04")
def test_a_dropped_note_is_gone_from_every_answer(index: Index, put: Put) -> None:
    index.apply([put("a.md", "# A\n\nheron\n"), put("b.md", "# B\n\notter\n")])
    give_vectors(index, {"heron": axis(0), "otter": axis(1)})
    (chunk,) = [hit.chunk for hit in index.keyword_hits(KeywordQuery(("heron",)), 5)]
    index.apply([DropNote("a.md"), DropNote("never-there.md")])
    assert ask(index, "heron") == []
    assert not index.chunks([chunk])
    assert texts(index, index.vector_hits(axis(0), 5)) == ["otter"]
    assert index.document_frequency(["heron", "otter"]) == {"heron": 0, "otter": 1}
    assert list(index.stamps()) == ["b.md"]
    assert (index.counts().notes, index.counts().chunks, index.counts().embedded) == (1, 1, 1)
    assert not index.verify()


@pytest.mark.req("I-04")
def test_a_touched_note_keeps_its_chunks_and_gets_the_new_stamp(index: Index, put: Put) -> None:
    index.apply([put("a.md", "# A\n\nheron\n")])
    digest = index.stamps()["a.md"][1]
    index.apply(
        [TouchNote("a.md", FileStamp(9, 8, 7, 6)), TouchNote("b.md", FileStamp(1, 1, 1, 1))]
    )
    assert index.stamps() == {"a.md": (FileStamp(9, 8, 7, 6), digest)}
    assert ask(index, "heron") == ["heron"]


def test_one_batch_may_speak_of_a_note_more_than_once(index: Index, put: Put) -> None:
    index.apply([put("a.md", "# A\n\nheron\n"), put("a.md", "# A\n\notter\n"), DropNote("a.md")])
    assert index.counts().notes == index.counts().chunks == 0
    index.apply([DropNote("a.md"), put("a.md", "# A\n\nheron\n"), put("a.md", "# A\n\notter\n")])
    assert ask(index, "heron", "otter") == ["otter"]
    assert not index.verify()


def test_a_batch_that_fails_leaves_nothing_behind(index: Index, put: Put) -> None:
    index.apply([put("a.md", "# A\n\nheron\n")])
    broken: Any = "no change at all"
    good = put("b.md", "# B\n\notter\n")
    bad = PutNote(good.record, (broken,))
    with pytest.raises(AttributeError):
        index.apply([good, DropNote("a.md"), bad])
    assert list(index.stamps()) == ["a.md"]
    assert ask(index, "heron") == ["heron"]
    assert ask(index, "otter") == []


def test_the_revision_grows_with_every_change(index: Index, put: Put) -> None:
    seen = [index.counts().revision]
    index.apply([put("a.md", "# A\n\nheron\n")])
    seen.append(index.counts().revision)
    give_vectors(index, {"heron": axis(0)})
    seen.append(index.counts().revision)
    index.apply([DropNote("a.md")])
    seen.append(index.counts().revision)
    assert seen == sorted(set(seen))


# ---------------------------------------------------------------------- the lexical leg


@pytest.mark.req("R-02")
def test_a_chunk_matches_when_it_holds_any_term_and_more_terms_are_better(
    index: Index, put: Put
) -> None:
    noise = [put(f"n{number}.md", f"# N\n\nnothing {number}\n") for number in range(9)]
    index.apply([*noise, put("a.md", "# A\n\nheron\n"), put("b.md", "# B\n\nheron otter\n")])
    hits = index.keyword_hits(KeywordQuery(("heron", "otter")), 10)
    assert texts(index, hits) == ["heron otter", "heron"]
    assert hits[0].score > hits[1].score > 0
    assert len(index.keyword_hits(KeywordQuery(("heron", "otter")), 1)) == 1
    assert index.keyword_hits(KeywordQuery(("heron",)), 0) == []


@pytest.mark.req("R-02")
def test_scores_are_those_of_bm25_over_weighted_columns(index: Index, put: Put) -> None:
    index.apply([put(f"n{number}.md", f"# N\n\nnothing {number}\n") for number in range(9)])
    index.apply([put("a.md", "# Heron\n\nheron heron otter\n")])
    (hit,) = index.keyword_hits(KeywordQuery(("heron",), weights=ColumnWeights(heading=3.0)), 5)
    lengths = [3.0] * 9 + [4.0]  # title and text of each
    idf = math.log((10 - 1 + 0.5) / 1.5)
    times = 2 * 1.0 + 1 * 3.0
    norm = 1.2 * (0.25 + 0.75 * 4.0 / (sum(lengths) / 10))
    assert hit.score == pytest.approx(idf * times * 2.2 / (times + norm), rel=1e-4)


@pytest.mark.req("R-02")
def test_words_are_folded_and_stemmed_alike_in_text_and_question(index: Index, put: Put) -> None:
    index.apply([put("a.md", "# A\n\nWe were DECIDING at the Café\n")])
    assert ask(index, "decided") == ask(index, "cafe") == ["We were DECIDING at the Café"]
    assert index.document_frequency(["decides", "café", "none"]) == {
        "decides": 1,
        "café": 1,
        "none": 0,
    }


@pytest.mark.req("R-02")
@pytest.mark.parametrize(
    "hostile", ['"', "*", "NEAR(", "col:x", "a AND", "-", "", " ", "^a", "(", "'", "\x00", "a\x00b"]
)
def test_a_term_is_data_whatever_it_is(index: Index, put: Put, hostile: str) -> None:
    index.apply([put("a.md", "# A\n\nheron\n")])
    query = KeywordQuery((hostile, "heron"), phrases=((hostile, hostile),), prefixes=(hostile,))
    assert texts(index, index.keyword_hits(query, 5)) == ["heron"]
    assert set(index.document_frequency([hostile])) == {hostile}


@pytest.mark.req("R-02")
def test_a_phrase_counts_only_where_its_terms_stand_together(index: Index, put: Put) -> None:
    index.apply([put("a.md", "# A\n\nold red barn\n"), put("b.md", "# B\n\nred old barn\n")])
    hits = index.keyword_hits(KeywordQuery((), phrases=(("old", "red"),)), 5)
    assert texts(index, hits) == ["old red barn"]


@pytest.mark.req("R-02")
def test_a_prefix_finds_a_single_character_of_an_unspaced_script(index: Index, put: Put) -> None:
    index.apply([put("a.md", "# A\n\n季度预算评审\n"), put("b.md", "# B\n\n全量上线\n")])
    hits = index.keyword_hits(KeywordQuery((), prefixes=("算",)), 5)
    assert texts(index, hits) == ["季度预算评审"]


@pytest.mark.req("R-02")
def test_a_column_of_weight_zero_is_not_searched(index: Index, put: Put) -> None:
    index.apply([put("a.md", "# Bird\n\nheron\n\nstoat\n")])
    assert len(ask(index, "stoat")) == 2
    assert ask(index, "stoat", weights=ColumnWeights(near=0)) == ["stoat"]
    assert ask(index, "bird", weights=ColumnWeights(heading=0)) == []
    assert ask(index, "stoat", weights=ColumnWeights(0, 0, 0, 0)) == []


# ---------------------------------------------------------------------- the vector leg


@pytest.mark.req("I-03")
def test_passages_wait_for_vectors_the_newest_note_first(index: Index, put: Put) -> None:
    index.apply([put("old.md", "# Old\n\nheron\n", modified=5)])
    index.apply([put("new.md", "# New\n\notter\n", modified=9)])
    index.apply([put("mid.md", "# Mid\n\nstoat\n", modified=7)])
    assert [one.passage.split("\n")[1] for one in index.pending(2)] == ["otter", "stoat"]
    assert len(index.pending(9)) == 3


@pytest.mark.req("R-02")
def test_the_nearest_chunks_come_first_with_their_cosine(index: Index, put: Put) -> None:
    index.apply([put("a.md", "# A\n\nheron\n\notter\n\nstoat\n")])
    give_vectors(index, {"heron": axis(0), "otter": axis(0, lean=0.5), "stoat": axis(4)})
    hits = index.vector_hits(axis(0), 3)
    assert texts(index, hits) == ["heron", "otter", "stoat"]
    assert [hit.score for hit in hits] == pytest.approx([1.0, math.sqrt(0.75), 0.0], abs=2e-3)
    assert index.vector_hits(axis(0), 1) == hits[:1]


@pytest.mark.req("R-02")
def test_among_measures_exactly_the_chunks_that_are_named(index: Index, put: Put) -> None:
    index.apply([put("a.md", "# A\n\nheron\n\notter\n\nstoat\n"), put("b.md", "# B\n\nnewt\n")])
    give_vectors(index, {"heron": axis(0), "otter": axis(0, lean=0.5), "stoat": axis(4)})
    ids = [chunk.id for chunk in index.section("a.md", 0)]
    newt = index.section("b.md", 0)[0].id
    hits = index.vector_hits(axis(0), 9, among=[ids[2], ids[1], newt, 10_000])
    assert texts(index, hits) == ["otter", "stoat"]
    assert index.vector_hits(axis(0), 9, among=[]) == []


@pytest.mark.req("I-03")
def test_equal_passages_share_one_vector(index: Index, put: Put) -> None:
    index.apply([put("a.md", "# Same\n\nheron\n"), put("b.md", "# Same\n\nheron\n")])
    (waiting,) = index.pending(9)
    index.put_vectors([(waiting.digest, axis(0))])
    assert not index.pending(9)
    assert index.counts().embedded == 2
    assert texts(index, index.vector_hits(axis(0), 9)) == ["heron", "heron"]
    index.apply([DropNote("a.md")])
    assert texts(index, index.vector_hits(axis(0), 9)) == ["heron"]
    assert index.counts().embedded == 1
    assert not index.verify()


@pytest.mark.req("I-03")
def test_text_that_comes_back_needs_no_second_vector(index: Index, put: Put) -> None:
    index.apply([put("a.md", "# A\n\nheron\n")])
    give_vectors(index, {"heron": axis(0)})
    index.apply([DropNote("a.md")])
    assert index.vector_hits(axis(0), 9) == []
    index.apply([put("elsewhere.md", "# A\n\nheron\n")])
    assert not index.pending(9)
    assert texts(index, index.vector_hits(axis(0), 9)) == ["heron"]
    assert index.counts().embedded == 1


@pytest.mark.req("I-03")
def test_a_vector_that_arrives_too_late_finds_nothing_yet_is_kept(index: Index, put: Put) -> None:
    index.apply([put("a.md", "# A\n\nheron\n")])
    (waiting,) = index.pending(9)
    index.apply([DropNote("a.md")])
    index.put_vectors([(waiting.digest, axis(0))])
    assert index.vector_hits(axis(0), 9) == []
    assert index.counts().embedded == 0
    index.apply([put("b.md", "# A\n\nheron\n")])
    assert texts(index, index.vector_hits(axis(0), 9)) == ["heron"]


@pytest.mark.req("I-04")
def test_another_identity_turns_off_only_the_vector_leg(open_index: Any, put: Put) -> None:
    index = open_index()
    index.apply([put("a.md", "# A\n\nheron\n")])
    give_vectors(index, {"heron": axis(0)})
    other = open_index(OTHER)
    assert other.vector_hits(axis(0, size=4), 9) == []
    assert other.counts().embedded == 0
    assert len(other.pending(9)) == 1
    assert ask(other, "heron") == ["heron"]
    assert other.condition().state is IndexState.READY


@pytest.mark.req("I-04")
def test_several_identities_keep_their_vectors_side_by_side(open_index: Any, put: Put) -> None:
    index, other = open_index(), open_index(OTHER)
    index.apply([put("a.md", "# A\n\nheron\n")])
    give_vectors(index, {"heron": axis(0)})
    give_vectors(other, {"heron": axis(1, size=4)})
    assert texts(index, index.vector_hits(axis(0), 9)) == ["heron"]
    assert texts(other, other.vector_hits(axis(1, size=4), 9)) == ["heron"]
    assert not index.verify()


@pytest.mark.req("I-04")
def test_vectors_of_other_dimensions_are_refused_and_harm_nothing(index: Index, put: Put) -> None:
    index.apply([put("a.md", "# A\n\nheron\n")])
    (waiting,) = index.pending(9)
    with pytest.raises(IndexUnusable):
        index.put_vectors([(waiting.digest, axis(0, size=4))])
    assert len(index.pending(9)) == 1
    assert ask(index, "heron") == ["heron"]
    assert index.vector_hits(axis(0, size=4), 9) == []


def test_an_index_without_an_identity_answers_keywords_alone(open_index: Any, put: Put) -> None:
    index = open_index(None)
    index.apply([put("a.md", "# A\n\nheron\n")])
    assert ask(index, "heron") == ["heron"]
    assert index.vector_hits(axis(0), 9) == []
    with pytest.raises(IndexUnusable):
        index.put_vectors([("00" * 16, axis(0))])


@pytest.mark.req("R-02")
def test_tidying_changes_no_answer(index: Index, put: Put) -> None:
    words = ["heron", "otter", "stoat", "newt", "vole"]
    index.apply([put(f"{word}.md", f"# {word}\n\nthe {word} swims\n") for word in words])
    give_vectors(index, {word: axis(number) for number, word in enumerate(words)})
    before = (ask(index, "heron", "swims"), texts(index, index.vector_hits(axis(2, lean=0.3), 3)))
    index.tidy()
    assert before == (
        ask(index, "heron", "swims"),
        texts(index, index.vector_hits(axis(2, lean=0.3), 3)),
    )
    assert index.document_frequency(["swims"]) == {"swims": 5}
    assert not index.verify()


# ---------------------------------------------------------------------- successors


@pytest.mark.req("I-04")
def test_an_index_of_other_rules_is_outdated_and_serves_until_its_successor_is_published(
    open_index: Any, put: Put
) -> None:
    old = open_index(recipe="one")
    old.apply([put("a.md", "# A\n\nheron\n")])
    give_vectors(old, {"heron": axis(0)})
    new = open_index(recipe="two")
    assert new.condition().state is IndexState.OUTDATED
    assert new.condition().reason
    assert ask(new, "heron") == ["heron"]
    fresh = new.renew()
    fresh.apply([put("a.md", "# A\n\nheron\n"), put("b.md", "# B\n\notter\n")])
    assert ask(new, "otter") == ask(old, "otter") == []
    fresh.publish()
    assert ask(new, "otter") == ask(old, "otter") == ask(fresh, "otter") == ["otter"]
    assert new.condition().state is IndexState.READY
    assert open_index(recipe="two").condition().state is IndexState.READY
    assert texts(new, new.vector_hits(axis(0), 5)) == ["heron"], "unchanged text has its vector"
    assert len(new.pending(9)) == 1
    fresh.close()
    assert not new.verify()


@pytest.mark.req("I-04")
def test_a_successor_that_was_never_published_changes_nothing(open_index: Any, put: Put) -> None:
    index = open_index()
    index.apply([put("a.md", "# A\n\nheron\n")])
    fresh = index.renew()
    fresh.apply([put("b.md", "# B\n\notter\n")])
    fresh.close()
    assert list(open_index().stamps()) == ["a.md"]
    index.tidy()
    assert list(open_index().stamps()) == ["a.md"]


@pytest.mark.req("R-02")
def test_a_query_can_be_limited_to_the_days_that_a_question_names(index: Index, put: Put) -> None:
    index.apply(
        [
            put("memory/2026-01-05.md", "# 2026-01-05\n\nheron at dawn\n"),
            put("memory/2026-02-01.md", "# 2026-02-01\n\nheron at dusk\n"),
            put("undated.md", "# U\n\nheron\n"),
        ]
    )
    assert ask(index, "heron", days=(("2026", "01"),)) == ["heron at dawn"]
    assert set(ask(index, "heron", days=(("01", "05"), ("02", "01")))) == {
        "heron at dawn",
        "heron at dusk",
    }
    assert ask(index, "otter", days=(("2026", "01"),)) == []


@pytest.mark.req("I-02")
def test_the_chunks_of_a_note_follow_each_other(index: Index, put: Put) -> None:
    index.apply([put("a.md", "# A\n\n- one\n- two\n- three\n"), put("b.md", "# B\n\nheron\n")])
    ids = [chunk.id for chunk in index.section("a.md", 0)]
    assert ids == list(range(ids[0], ids[0] + 3))


@pytest.mark.req("B-03", "I-03")
def test_what_is_erased_leaves_no_vector_and_takes_none_that_was_under_way(
    open_index: Any, put: Put
) -> None:
    index = open_index()
    index.apply([put("a.md", "# A\n\nheron\n"), put("b.md", "# B\n\nnewt\n")])
    give_vectors(index, {"heron": axis(0), "newt": axis(1)})
    index.apply([put("c.md", "# C\n\nstoat\n")])
    (under_way,) = index.pending(9)
    index.apply([DropNote("a.md"), DropNote("c.md")])
    assert index.erase_unused() == 2
    index.put_vectors([(under_way.digest, axis(3))])
    assert ask(index, "heron") == []
    assert texts(index, index.vector_hits(axis(1), 9)) == ["newt"]
    index.apply([put("a.md", "# A\n\nheron\n"), put("c.md", "# C\n\nstoat\n")])
    assert len(index.pending(9)) == 2
    assert not index.verify()
    assert ask(open_index(), "newt") == ["newt"]
