"""Names of notes: what a text is about, without how it is introduced and where it is cut."""

from __future__ import annotations

import pytest

from vademecum.writing.names import topic

pytestmark = pytest.mark.req("W-03")


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("From now on alerts of Heron go to #ops.", "alerts of Heron go to #ops"),
        ("We decided that services talk REST.", "services talk REST"),
        ("Going forward, releases carry a date.", "releases carry a date"),
        ("Ab sofort gilt die neue Frist.", "gilt die neue Frist"),
        ("Wir haben beschlossen, dass Heron in Rust läuft.", "Heron in Rust läuft"),
        ("我们决定缓存用 Redis。", "缓存用 Redis"),
        ("从现在起，部署在周五。", "部署在周五"),
        ("Now or never.", "Now or never"),
        ("我们决定。", "我们决定。"),
    ],
)
def test_a_topic_leaves_out_how_a_text_is_introduced(text: str, about: str) -> None:
    assert topic(text, words=9) == about


@pytest.mark.parametrize(
    ("text", "words", "about"),
    [
        ("Read release notes of the editor today", 4, "Read release notes"),
        ("Invoices are rendered with Typst, not LaTeX", 6, "Invoices are rendered with Typst"),
        ("Server von Heron steht in der Halle", 5, "Server von Heron steht"),
        ("What is it made of", 6, "What is it made of"),
    ],
)
def test_a_topic_does_not_end_in_words_that_lead_to_what_was_cut_off(
    text: str, words: int, about: str
) -> None:
    assert topic(text, words=words) == about


@pytest.mark.req("W-03")
def test_a_title_does_not_say_now() -> None:
    assert topic("Delta Bridge now runs in the region eu-west-1", 3) == "Delta Bridge runs"
    assert topic("Now and then it fails") == "Now and then it fails"
