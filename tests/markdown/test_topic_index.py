"""An index of topics gets and loses lines, and no other line of it changes."""

from __future__ import annotations

import pytest

from vademecum.markdown.maps import MapEntry
from vademecum.markdown.topic_index import drop_topic, is_topic_index, put_topic

INDEX = "# Memory\n\n- [A](a.md) – one\n- [B](b%20c.md)\n"
ENTRY = MapEntry("facts/x y.md", "X [of] y", "what  x is")


def leads(target: str) -> bool:
    return target == "facts/x y.md"


@pytest.mark.req("B-06")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (INDEX, True),
        (INDEX.replace("\n", "\r\n"), True),
        ("", False),
        ("# Memory\n", False),
        ("- [A](a.md) — one\n\nProse of a person.\n", False),
        ("- [A](a.md) — one\n- the user is Mara\n", False),
        ("- [A](https://example.org/a.md) — one\n", False),
        ("- [A](a.md) — one\n" * 200, False),
    ],
)
def test_only_lines_that_lead_to_topics_make_an_index(text: str, expected: bool) -> None:
    assert is_topic_index(text) is expected


@pytest.mark.req("B-06")
def test_a_line_is_put_behind_the_last_one_with_the_dash_of_the_others() -> None:
    put = put_topic(INDEX, ENTRY, leads)
    assert put == INDEX + "- [X (of) y](facts/x%20y.md) – what x is\n"
    assert put_topic(put, ENTRY, leads) == put
    assert drop_topic(put, leads) == INDEX
    assert put_topic("- [A](a.md)", ENTRY, leads).startswith("- [A](a.md)\n- [X")


@pytest.mark.req("B-06")
def test_a_line_is_never_longer_than_what_is_read_of_one() -> None:
    put = put_topic(INDEX, MapEntry("x.md", "X", "word " * 100), lambda _: False)
    (line,) = put.removeprefix(INDEX).splitlines()
    assert len(line) <= 150 and line.endswith("…")
