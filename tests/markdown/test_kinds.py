"""Sentences are sorted into the kinds that have a folder; small talk is not durable."""

import pytest

from vademecum.markdown.kinds import Kind, classify, is_durable

SENTENCES = {
    Kind.DECISION: (
        "We decided on REST over GraphQL",
        "Agreed to ship weekly from now on",
        "We'll use Postgres for billing",
        "Wir haben beschlossen, auf Python 3.12 zu wechseln",
        "我们决定采用灰度发布",
        "次のリリースは来週に決まった",
    ),
    Kind.LESSON: (
        "Lesson: run the migration on a copy first",
        "Never deploy on a Friday afternoon",
        "Turns out the cache was keyed by host name",
        "Beim nächsten Mal zuerst den Index prüfen",
        "教训：上线前一定要备份",
        "次回は先にバックアップを取る",
    ),
    Kind.PREFERENCE: (
        "Mara prefers short answers without preamble",
        "Her favourite editor is Helix",
        "Jonas mag keine Besprechungen vor zehn",
        "用户喜欢简短的回答",
        "田中さんはコーヒーが好き",
    ),
    Kind.PERSON: ("Mara lives in Lisbon", "Jonas wohnt in Graz", "小林住在杭州"),
    Kind.PROJECT: ("The Atlas project ends in March", "Atlas 项目的里程碑在三月"),
    Kind.FACT: ("The staging server listens on port 8443", "服务器的端口是 8443"),
}


@pytest.mark.req("W-03")
@pytest.mark.parametrize(
    ("kind", "text"), [(kind, text) for kind, texts in SENTENCES.items() for text in texts]
)
def test_a_sentence_finds_its_kind(kind: Kind, text: str) -> None:
    assert classify(text).kind is kind


@pytest.mark.req("W-03")
@pytest.mark.parametrize(
    "text", ["ok", "Thanks!", "好的", "ありがとう", "Shall we?", "  ", "你好！"]
)
def test_small_talk_and_questions_do_not_last(text: str) -> None:
    assert not is_durable(text)


@pytest.mark.req("W-03")
def test_a_short_fact_lasts() -> None:
    assert is_durable("Port is 8443")
