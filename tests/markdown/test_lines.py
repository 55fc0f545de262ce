"""Bytes become text and lines without losing a byte or a line number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.core.errors import InvalidText
from vademecum.markdown.lines import decode, is_binary, newline_of, split


@given(st.text(alphabet=st.sampled_from("a\n\r\u2028\u0085\f\v ")))
def test_lines_joined_are_the_text(text: str) -> None:
    lines = split(text)
    assert "".join(lines) == text
    assert all("\n" not in line[:-1] for line in lines)


@pytest.mark.req("F-01")
def test_only_a_line_feed_ends_a_line() -> None:
    assert split("a\u2028b\u0085c\rd\x0be\x0cf\nlast") == ["a\u2028b\u0085c\rd\x0be\x0cf\n", "last"]


@pytest.mark.parametrize("text", ["", "one", "one\n", "one\r\ntwo", "\n\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"])
def test_text_goes_back_into_the_bytes_it_came_from(text: str, encoding: str) -> None:
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    content = mark + text.encode(encoding)
    decoded = decode(content)
    assert (decoded.text, decoded.defect) == (text, "")
    assert decoded.encode(decoded.text) == content


@pytest.mark.req("F-08")
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"one\ntwo \xff\xfe\nthree\n", "line 2"),
        (b"one\n\0\0\nthree\n", "NUL bytes (first in line 2)"),
    ],
)
def test_what_is_no_text_is_named_and_leaves_line_numbers_right(content: bytes, said: str) -> None:
    decoded = decode(content)
    assert said in decoded.defect
    assert split(decoded.text)[2] == "three\n"
    assert "\0" not in decoded.text
    with pytest.raises(InvalidText, match="would lose"):
        decoded.encode(decoded.text)


@pytest.mark.req("F-11")
def test_a_picture_named_like_a_note_is_binary_and_a_torn_log_is_not() -> None:
    picture = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4
    torn = "# 2026-01-20\n\n### 10:30 — Über\ntext".encode()[:-3] + b"\xc3" + b"\0" * 4096
    assert is_binary(picture)
    assert not is_binary(torn)
    assert not is_binary("text".encode("utf-16"))
    assert not is_binary(b"")


def test_the_line_end_of_a_note_is_the_one_most_lines_have() -> None:
    assert newline_of("a\r\nb\r\nc\n") == "\r\n"
    assert newline_of("a\r\nb\nc\n") == "\n"
    assert newline_of("") == "\n"
