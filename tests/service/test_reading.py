"""Which file and which lines a target names, and how much of them is given."""

from __future__ import annotations

import pytest

from vademecum.core.errors import AmbiguousTarget, BadInput, InvalidPath, NoteNotFound
from vademecum.service.reading import CHARACTERS, LINES, Excerpt, Target, excerpt, find

FILES = {
    "memory/api.md": b"# API style\n\n## Why\nREST\n### Detail\nmore\n## Then\nend ^c7f3a1\n",
    "memory/long.md": b"".join(b"line %d\n" % number for number in range(1, 301)),
    "a/index.md": b"# A\n",
    "b/index.md": b"# B\n",
    "odd:3.md": b"odd\n",
}
TITLES = [("memory/api.md", "API style"), ("a/index.md", "A"), ("b/index.md", "B")]


def read(path: str) -> bytes:
    if path.startswith("/") or ".." in path:
        raise InvalidPath(f"The path {path!r} leaves the workspace.")
    if path not in FILES:
        raise NoteNotFound(path)
    return FILES[path]


def get(target: str, limit: int | None = None) -> Excerpt:
    path, content, way = find(target, read, lambda: TITLES)
    return excerpt(path, content, way, limit=limit)


@pytest.mark.req("R-06")
@pytest.mark.parametrize(
    ("target", "first", "last"),
    [
        ("memory/api.md", 1, 8),
        ("memory/api", 1, 8),
        ("memory/api.md:3-4", 3, 4),
        ("memory/api.md:4", 4, 4),
        ("memory/api.md:7-", 7, 8),
        ("memory/api.md:7-99", 7, 8),
        ("API style", 1, 8),
        ("api STYLE:2-3", 2, 3),
        ("[[api]]", 1, 8),
        ("[[api#Why|the reason]]", 3, 6),
        ("[[api#^c7f3a1]]", 8, 8),
        ("API style#Then", 7, 8),
    ],
)
def test_a_path_a_title_or_a_link_names_lines(target: str, first: int, last: int) -> None:
    given = get(target)
    assert (given.span.path, given.span.first, given.span.last) == ("memory/api.md", first, last)
    expected = b"".join(FILES["memory/api.md"].splitlines(keepends=True)[first - 1 : last])
    assert given.content == expected == given.text.encode()


@pytest.mark.req("R-06")
def test_a_file_whose_name_ends_like_a_range_is_still_found() -> None:
    assert get("odd:3").text == "odd\n"


@pytest.mark.req("R-06")
def test_what_is_not_given_is_said() -> None:
    given = get("memory/long.md")
    assert given.span.last == LINES
    assert str(given.following) == f"memory/long.md:{LINES + 1}-300"
    rest = get(str(given.following))
    assert rest.span.last == 300
    assert rest.following is None
    assert given.content + rest.content == FILES["memory/long.md"]


@pytest.mark.req("R-06")
def test_a_range_given_by_its_end_is_not_cut_at_a_number_of_lines() -> None:
    assert get("memory/long.md:1-250").span.last == 250


@pytest.mark.req("R-06")
def test_one_endless_line_is_cut_and_said_to_be() -> None:
    long = b"x" * (CHARACTERS + 1) + b"\nnext\n"
    _, _, way = find("memory/api.md", read, lambda: [])
    given = excerpt("memory/api.md", long, way)
    assert given.cut
    assert len(given.text) == CHARACTERS
    assert excerpt("memory/api.md", long, way, limit=0).content == long


@pytest.mark.req("R-06")
@pytest.mark.parametrize(
    "content",
    [b"", b"no newline", b"\xef\xbb\xbfmark\r\nsecond\r\n", b"bad \xff byte\nNUL \x00\n", b"\n\n"],
)
def test_bytes_are_exact_whatever_they_are(content: bytes) -> None:
    _, _, way = find("memory/api.md", read, lambda: [])
    assert excerpt("memory/api.md", content, way).content == content


@pytest.mark.req("R-06")
def test_a_name_that_several_notes_answer_to_is_refused_and_they_are_listed() -> None:
    with pytest.raises(AmbiguousTarget) as refused:
        get("[[index]]")
    assert "a/index.md" in refused.value.hint
    assert "b/index.md" in refused.value.hint


@pytest.mark.req("R-06", "A-01")
@pytest.mark.parametrize("target", ["../secret.md", "/etc/passwd", "/etc/passwd:1-2"])
def test_a_path_out_of_the_workspace_is_refused_as_such(target: str) -> None:
    with pytest.raises(InvalidPath):
        get(target)


@pytest.mark.req("R-06")
@pytest.mark.parametrize(
    ("target", "error"),
    [
        ("", BadInput),
        ("[[ ]]", BadInput),
        ("memory/api.md:0-3", BadInput),
        ("memory/api.md:5-3", BadInput),
        ("memory/api.md:99", NoteNotFound),
        ("memory/api.md#Nowhere", NoteNotFound),
        ("memory/api.md#^ffffff", NoteNotFound),
        ("No such thing", NoteNotFound),
    ],
)
def test_what_is_not_there_is_said(target: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        get(target)


@pytest.mark.req("R-06")
def test_lines_that_are_not_there_are_told_with_the_last_that_is() -> None:
    with pytest.raises(NoteNotFound, match=r"a\.md has no line 5; its last one is 1\."):
        excerpt("a.md", b"one\n", Target("a.md", first=5, last=5))
