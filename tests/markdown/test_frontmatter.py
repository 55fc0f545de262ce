"""Frontmatter is read as it is written and edited by the line."""

import pytest
import yaml

from vademecum.core.errors import InvalidText, MalformedFrontmatter
from vademecum.markdown.frontmatter import quote, read, remove_key, set_value
from vademecum.markdown.lines import decode

AS_WRITTEN = {
    "v": "1.10",
    "t": "12:30",
    "no": "no",
    "c": "NO",
    "y": "017",
    "z": "0o17",
    "k": "1_000",
    "h": "0x1F",
    "id": "2026-09-01",
    "n": "null",
    "x": "~",
    "e": "1e3",
}


def block_of(text: str) -> str:
    return text[4 : text.index("\n---\n", 3) + 1]


@pytest.mark.req("F-08")
def test_every_scalar_is_the_string_that_stands_in_the_file() -> None:
    text = "---\n" + "".join(f"{key}: {value}\n" for key, value in AS_WRITTEN.items()) + "---\n"
    assert dict(read(text).values) == AS_WRITTEN
    nested = text.replace("---\n", "---\nmeta:\n  type: feedback\n", 1)  # takes the other reader
    assert dict(read(nested).values) == {"meta.type": "feedback", **AS_WRITTEN}


@pytest.mark.req("F-08")
@pytest.mark.parametrize(
    ("block", "values"),
    [
        ("tags: [a, b]", {"tags": ("a", "b")}),
        ("tags:\n  - a\n  - b: c", {"tags": ("a",), "tags.1.b": "c"}),
        ("tags:\n- a\n- 'it''s'\n", {"tags": ("a", "it's")}),
        ("tags:\n- a\n    - b", {"tags": ("a - b",)}),
        ('tags: ["x, y", z]', {"tags": ("x, y", "z")}),
        ("tags: []", {"tags": ()}),
        ("a: # nothing\nb: text # aside", {"a": "", "b": "text"}),
        (
            "a: >\n  folded\n  text\nb: |\n  kept\n  lines\n",
            {"a": "folded text\n", "b": "kept\nlines\n"},
        ),
        ("a: one\n  two", {"a": "one two"}),
        ('a: "\\u00e9\\n"', {"a": "é\n"}),
        ("url: http://example.org:80/x#y", {"url": "http://example.org:80/x#y"}),
        ("title: 日本語 # メモ", {"title": "日本語"}),
        (
            "verified:\n  - by: human:kim\n    at: 2026-01-20",
            {"verified.0.by": "human:kim", "verified.0.at": "2026-01-20"},
        ),
        ("metadata: {type: user, n: 1.10}", {"metadata.type": "user", "metadata.n": "1.10"}),
        ("two words: x\na.b: y\n1st: z", {"two words": "x", "a.b": "y", "1st": "z"}),
        ("", {}),
    ],
)
def test_lists_blocks_and_nesting_are_read(block: str, values: dict[str, object]) -> None:
    properties = read(f"---\n{block}\n---\nbody\n")
    assert (properties.defect, dict(properties.values)) == ("", values)


@pytest.mark.req("F-08")
@pytest.mark.parametrize(
    ("block", "said"),
    [
        ("desc: (REQ/X): read this: now\nx: [", "not valid YAML"),
        ('q: "abc "def" ghi"', "not valid YAML in line 2"),
        ("a: 1\nb: 2\na: 3", "the key a twice"),
        ("a: &x 1\nb: *x", "anchors"),
        ("a: " + "[" * 5000, "not valid YAML"),
        ("a: " + "[" * 40 + "]" * 40, "nested too deeply"),
        ("k: " + "x" * 70_000 + "\n? y", "64 KB"),
        ("a: b\n? [x]\n: y", "no plain text"),
        ("a: b\n- c", "not valid YAML"),
    ],
)
def test_what_cannot_be_read_is_a_defect_and_no_edit_touches_it(block: str, said: str) -> None:
    text = f"---\n{block}\n---\n# Body\n"
    properties = read(text)
    assert said in properties.defect
    assert not properties.values
    for edit in (lambda: set_value(text, "type", "x"), lambda: remove_key(text, "a")):
        with pytest.raises(MalformedFrontmatter):
            edit()


def test_a_block_that_never_ends_is_a_defect() -> None:
    properties = read("---\ntype: x\n# Body\n")
    assert (properties.last, properties.defect) == (0, "the frontmatter has no closing --- line")


EDITED = (
    "---\r\n# about\r\ntype:   decision # kind\r\n'ver': 1.10\r\nno: no\r\n"
    "tags:\r\n  - a\r\n  - b\r\n\r\n# below\r\ndesc: >\r\n  folded\r\n  text\r\n"
    'q: "x: y"\r\n---\r\nBody 1.10\r\n'
)


@pytest.mark.req("F-08")
@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        ("type", "lesson", "type:   decision # kind", "type:   lesson # kind"),
        ("ver", "1.20", "'ver': 1.10", "'ver': \"1.20\""),
        ("tags", ("a", "c, d"), "tags:\r\n  - a\r\n  - b\r\n", 'tags: [a, "c, d"]\r\n'),
        ("desc", "short", "desc: >\r\n  folded\r\n  text\r\n", "desc: short\r\n"),
        ("q", "z", 'q: "x: y"', "q: z"),
        ("last_verified", "2026-01-20", "---\r\nBody", "last_verified: 2026-01-20\r\n---\r\nBody"),
    ],
)
def test_only_the_lines_of_the_key_change(key: str, value: str, old: str, new: str) -> None:
    assert set_value(EDITED, key, value) == EDITED.replace(old, new)


@pytest.mark.req("F-08")
def test_a_key_is_removed_with_its_lines_and_nothing_else() -> None:
    assert remove_key(EDITED, "tags") == EDITED.replace("tags:\r\n  - a\r\n  - b\r\n", "")
    assert remove_key(EDITED, "absent") == EDITED
    assert remove_key("---\na: 1\n---\nx", "a") == "---\n---\nx"


@pytest.mark.req("F-08")
def test_type_comes_first_and_other_new_keys_last() -> None:
    text = "---\ntitle: T\n---\nbody\n"
    text = set_value(set_value(text, "status", "active"), "type", "lesson")
    assert text == "---\ntype: lesson\ntitle: T\nstatus: active\n---\nbody\n"
    assert set_value("# Body\n", "type", "lesson") == "---\ntype: lesson\n---\n\n# Body\n"


def test_a_byte_order_mark_survives_an_edit() -> None:
    content = b"\xef\xbb\xbf---\ntype: a\n---\nx\n"
    decoded = decode(content)
    edited = decoded.encode(set_value(decoded.text, "type", "b"))
    assert edited == content.replace(b"type: a", b"type: b")


@pytest.mark.parametrize(
    "text",
    [
        "---\nmeta:\n  type: x\n---\n",
        "---\n{type: x}\n---\n",
        "---\nmeta: {type: x}\n---\n",
    ],
)
def test_a_key_without_a_line_of_its_own_is_not_edited(text: str) -> None:
    for key in ("type", "meta.type"):
        if key in read(text).values:
            with pytest.raises(MalformedFrontmatter, match="read back"):
                set_value(text, key, "y")


TITLES = [
    "a: b", "a #b", "#a", "- a", "-", "?", ": x", "'quoted'", '"quoted"', "it's", 'say "x"', "yes",
    "No", "on", "~", "null", "1.10", "12:30", "1e3", "0x1F", "2026-01-20", "🚀 launch",
    "two\nlines",
    "tab\there", "", " ", " lead", "trail ", "x:", "[a]", "{a}", "@a", "%a", "&a", "*a", "!a", "|",
    ">", "=", "<<", "---", "...", "a\\b", "\u2028", "\x85", "\x07", "\ufeff", "é", "日本：語",
    "true",
    "a, b", ".inf", "!!str x", "`x`", "a: ", "\r\n", "\\", "'", '"', "\U0001f468\u200d\U0001f469",
]  # fmt: skip


@pytest.mark.req("F-08")
@pytest.mark.parametrize("title", TITLES)
def test_case_8_a_strict_reader_takes_exactly_the_same_title_back(title: str) -> None:
    for text in ("body\n", "---\ntype: note\ntitle: old # why\n---\nbody\n"):
        edited = set_value(text, "title", title)
        assert yaml.safe_load(block_of(edited))["title"] == title
        assert read(edited).values["title"] == title
        listed = set_value(text, "tags", (title, "b"))
        assert yaml.safe_load(block_of(listed))["tags"] == [title, "b"]


@pytest.mark.parametrize("value", ["nul\0", "\ud800"])
def test_a_value_that_yaml_cannot_hold_is_refused(value: str) -> None:
    with pytest.raises(InvalidText):
        set_value("x", "title", value)


def test_ordinary_words_stand_without_quotes() -> None:
    assert [quote(text) for text in ("API style", "l'été", "日本語", "a-b_c.d", "x (y)")] == [
        "API style", "l'été", "日本語", "a-b_c.d", "x (y)",
    ]  # fmt: skip
