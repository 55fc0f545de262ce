"""Text is cut once, the same way for the index and for the question."""

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.markdown import tokens
from vademecum.markdown.tokens import FTS5_TOKENIZER, QueryTerms, index_text, query_terms


def match(query: QueryTerms) -> str:
    parts = [f'"{term.text}"' + ("*" if term.kind == "prefix" else "") for term in query.terms]
    parts += ['"' + " ".join(phrase) + '"' for phrase in query.phrases]
    return " OR ".join(parts)


def finds(text: str, query: str) -> bool:
    db = apsw.Connection(":memory:")
    db.execute(f'CREATE VIRTUAL TABLE f USING fts5(body, tokenize="{FTS5_TOKENIZER}")')
    db.execute("INSERT INTO f VALUES (?)", (index_text(text),))
    expression = match(query_terms(query))
    return bool(expression and db.execute("SELECT 1 FROM f WHERE f MATCH ?", (expression,)).get)


@pytest.mark.req("R-02")
@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("陆明强在一月完成了紧急抢修", "抢修"),
        ("陆明强在一月完成了紧急抢修", "修"),  # the last character of a run
        ("東京タワーの展望台", "タワー"),
        ("서울에서 만났다", "서울"),
        ("ภาษาไทยเป็นภาษาที่ง่าย", "ไทย"),
        ("ภาษาไทยเป็นภาษาที่ง่าย", "ย"),
        ("हिन्दी में लिखा", "हिन्दी"),
        ("用户ID已经更改", "用户ID"),
        ("Meet at the cafe", "café"),
        ("wohnt in der Hauptstrasse", "Hauptstraße"),
        ("she painted lakes", "painting a lake"),
        ("ＡＢＣ１２３", "abc123"),
    ],
)
def test_a_word_is_found_in_every_script(text: str, query: str) -> None:
    assert finds(text, query)


@pytest.mark.req("R-02")
@pytest.mark.parametrize(
    ("text", "whole", "piece"),
    [
        ("released v9.14.3-rc7 today", "v9.14.3-rc7", "rc7"),
        ("error ERR_0x7F31 again", "ERR_0x7F31", "0x7f31"),
        ("see src/app/main.py", "src/app/main.py", "main"),
        ("call getUserName first", "getUserName", "user"),
        ("ticket OPS-4812 is open", "OPS-4812", "4812"),
    ],
)
def test_an_identifier_is_found_whole_and_in_pieces(text: str, whole: str, piece: str) -> None:
    assert finds(text, whole)
    assert finds(text, piece)


@pytest.mark.req("R-02")
def test_signs_that_make_a_name_are_kept() -> None:
    assert query_terms("C++").phrases == (("c", "plusplus"),)
    assert query_terms("C#").phrases == (("c", "sharp"),)
    assert finds("written in C++", "C++")


@pytest.mark.req("R-02")
def test_stop_words_are_dropped_in_the_language_of_the_question() -> None:
    assert [term.text for term in query_terms("Wann war die Besprechung?").terms] == [
        "besprechung",
    ]
    assert [term.text for term in query_terms("When did the war die down?").terms] == [
        "war",
        "die",
        "down",
    ]


@pytest.mark.req("R-02")
def test_a_question_of_stop_words_alone_still_asks_for_them() -> None:
    assert [term.text for term in query_terms("to be or not to be").terms] == [
        "to",
        "be",
        "or",
        "not",
    ]


@pytest.mark.req("R-02")
def test_words_in_quotation_marks_are_a_phrase() -> None:
    assert query_terms('who said "red lake house"?').phrases == (("red", "lake", "house"),)
    assert finds("the 用户ID changed", '"用户ID changed"')


@pytest.mark.req("R-02")
@given(st.text())
def test_any_text_is_a_safe_query_that_finds_itself(text: str) -> None:
    if not query_terms(text).empty:
        assert finds(text, text)


@pytest.mark.req("R-02")
@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("東京はどこですか", ["東京", "京は"]),
        ("他什么时候去北京", ["候去", "去北", "北京"]),
        ("언제 서울에 가나요", ["서울", "울에"]),
    ],
)
def test_pairs_of_particles_are_dropped_from_a_question(question: str, kept: list[str]) -> None:
    assert [term.text for term in query_terms(question).terms] == kept


@pytest.mark.req("R-02")
@given(st.text(st.characters(max_codepoint=127)))
def test_plain_text_is_cut_as_the_rules_for_all_scripts_cut_it(text: str) -> None:
    assert list(tokens._scan(text)) == list(tokens._scan_any(text))


@pytest.mark.req("R-02")
@given(st.text(alphabet="aB9_-./+#:>\\@ \0"))
def test_plain_identifiers_are_cut_as_the_rules_for_all_scripts_cut_them(text: str) -> None:
    assert list(tokens._scan(text)) == list(tokens._scan_any(text))
