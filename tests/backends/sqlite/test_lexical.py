"""What the engine cuts by itself, and how it is asked."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vademecum.backends.sqlite.index import SqliteIndex
from vademecum.backends.sqlite.lexical import cut_line, match_expression
from vademecum.core.ports import KeywordQuery
from vademecum.markdown.tokens import FTS5_TOKENIZER, index_text

_ENGINE = apsw.Connection(":memory:")
_HEAD, _, _CATEGORIES = FTS5_TOKENIZER.partition(" categories ")
_NAME, *_ARGUMENTS = _HEAD.split()
_TOKENIZE = _ENGINE.fts5_tokenizer(_NAME, [*_ARGUMENTS, "categories", _CATEGORIES.strip("'")])

PLAIN = st.text(
    alphabet="abzAZ019 \t.,;:_-/\\@+#'\"()[]{}*=<>|~^&%$!?`“”„‘’–—…€›ÀéößÄЖяёЁ", max_size=40
)


def tokens(text: str) -> list[str]:
    found = _TOKENIZE(
        text.encode("utf-8", "replace"),
        apsw.FTS5_TOKENIZE_DOCUMENT,
        None,
        include_offsets=False,
        include_colocated=False,
    )
    return [str(token) for token in found]


@pytest.mark.req("R-02")
@given(PLAIN | st.text(max_size=40))
@example("C++ and C# but a # b ++ c")
@example("getUserName HTTPServer v9.14.3-rc7 ERR_0x7F31 src/app.py")
@example("x" * 70 + " " + "y" * 63)
@example("a\x00b soft\u00adhyphen zero\u200bwidth ﬁ ² ½")
@example("ΣΊΣΥΦΟΣ straße İstanbul")
@example("用户 しりとり สวัสดี नमस्ते")
def test_the_engine_gets_the_same_tokens_however_a_line_is_cut(line: str) -> None:
    assert tokens(cut_line(line)) == tokens(index_text(line))


@pytest.mark.req("R-02")
@given(st.lists(st.text(max_size=8), max_size=5), st.text(max_size=8))
def test_no_text_whatever_is_syntax(terms: list[str], prefix: str) -> None:
    engine = apsw.Connection(":memory:")
    engine.execute("CREATE VIRTUAL TABLE t USING fts5(body, heading, date, near)")
    query = match_expression(KeywordQuery(tuple(terms), (tuple(terms),), (prefix,)))
    if query:
        engine.execute("SELECT * FROM t WHERE t MATCH ?", (query,)).fetchall()


@pytest.mark.req("R-02")
def test_the_plan_of_each_search_stays_what_was_measured(tmp_path: Path) -> None:
    from vademecum.backends.sqlite import connection, lexical, rows, schema, vectors

    index = SqliteIndex(tmp_path, None)
    index.apply([])
    index.close()
    file = connection.open_reader(tmp_path / "index.sqlite")

    def plan(sql: str, count: int) -> list[str]:
        explained = file.execute(f"EXPLAIN QUERY PLAN {sql}", (1,) * count)
        return [str(row[3]) for row in explained]

    assert plan(lexical._SELECT, 3) == ["SCAN chunks_fts VIRTUAL TABLE INDEX 32:rM4"]
    by_id = plan(f"{rows._CHUNK} WHERE c.id IN (?, ?)", 2)
    assert [step.split(" USING")[0] for step in by_id] == ["SEARCH c", "SEARCH n", "SEARCH p"]
    assert all("PRIMARY KEY" in step for step in by_id)
    codes = "SELECT passage FROM codes WHERE layout=? AND cluster IN (?, ?)"
    assert plan(codes, 3) == ["SEARCH codes USING PRIMARY KEY (layout=? AND cluster=?)"]
    pending = plan(vectors._PENDING, 2)
    assert pending[0] == "SCAN n USING INDEX notes_newest"
    assert not any("SCAN" in step or "TEMP" in step for step in pending[1:])
    assert schema.number(file, "notes") == 0
    file.close()
