"""Names that are safe, names that every system can hold, names that are one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.core.errors import InvalidPath
from vademecum.workspace.paths import checked, key_of, portable

LEAVING = [
    "",
    ".",
    "./",
    "/",
    "..",
    "../x.md",
    "a/../../x.md",
    "memory/../x.md",
    "memory/..",
    "/etc/passwd",
    "//server/share",
    "C:/x.md",
    "c:x.md",
    "..\\x.md",
    "memory\\x.md",
    "\\\\server\\share",
    "%2e%2e/x.md",
    "..%2fx.md",
    "%2E%2E%5Cx.md",
    "a%00.md",
    "a\0.md",
    "a\n.md",
    "a\x7f.md",
    "a\x1b[31m.md",
    "a\ud800.md",
    "memory/",
    "memory/.",
    "x" * 256,
    "ä" * 128,
    "/".join(["folder"] * 200),
]
UNPORTABLE = [
    "con",
    "CON.md",
    "memory/nul.txt",
    "Aux .md",
    "com1.md",
    "LPT9",
    "com².md",
    "conin$",
    "ab:c.md",
    "a?.md",
    "a*.md",
    'a"b.md',
    "a<b.md",
    "a|b.md",
    "name.",
    "name ",
    " name.md",
    "folder./x.md",
    "folder /x.md",
    "a\u202eb.md",
    "a\u200bb.md",
    ".git/hooks/post-commit",
    "sub/.GIT/config",
    "git~1/config",
]


@pytest.mark.req("B-01")
@pytest.mark.parametrize("path", LEAVING)
def test_a_path_that_could_leave_the_workspace_is_refused_in_one_sentence(path: str) -> None:
    for check in (checked, portable):
        with pytest.raises(InvalidPath) as caught:
            check(path)
        sentence = str(caught.value)
        assert sentence.endswith(".") and "\n" not in sentence and "\0" not in sentence
        assert caught.value.hint


@pytest.mark.req("B-01")
@pytest.mark.parametrize("path", UNPORTABLE)
def test_a_name_that_some_system_cannot_hold_is_read_but_never_made(path: str) -> None:
    with pytest.raises(InvalidPath):
        portable(path)
    assert checked(path)


@pytest.mark.req("F-01")
@pytest.mark.parametrize(
    ("path", "clean"),
    [
        ("memory/2026-01-20.md", "memory/2026-01-20.md"),
        ("./memory//x.md", "memory/x.md"),
        ("memory/café.md", "memory/café.md"),
        ("memory/cafe\u0301.md", "memory/caf\u00e9.md"),
        ("日本語/会議.md", "日本語/会議.md"),
        ("🚀.md", "🚀.md"),
        (".archive/old.md", ".archive/old.md"),
        ("concert.md", "concert.md"),
        ("a..b.md", "a..b.md"),
        ("100%.md", "100%.md"),
        ("a b.md", "a b.md"),
    ],
)
def test_an_ordinary_path_is_taken_in_its_composed_form(path: str, clean: str) -> None:
    assert portable(path) == clean
    assert portable(clean) == clean


@pytest.mark.req("F-01")
def test_spellings_that_are_one_file_somewhere_share_a_key() -> None:
    assert key_of("Café.md") == key_of("CAFE\u0301.MD")
    assert key_of("straße.md") == key_of("STRASSE.md")
    assert key_of("a.md") != key_of("b.md")


@pytest.mark.req("B-01")
@given(st.text(max_size=40))
def test_whatever_passes_stays_below_its_folder(path: str) -> None:
    try:
        clean = checked(path)
    except InvalidPath:
        return
    parts = clean.split("/")
    assert parts and all(part not in ("", ".", "..") for part in parts)
    assert not clean.startswith("/") and "\0" not in clean and "\\" not in clean
