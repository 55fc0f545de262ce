"""A note is read with its title, day, sections and links."""

from datetime import date

import pytest

from vademecum.core.notes import Role
from vademecum.markdown.parse import day_in_name, parse_note


@pytest.mark.req("I-02")
@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("memory/2026-01-20.md", date(2026, 1, 20)),
        ("memory/2026-01-20-standup.md", date(2026, 1, 20)),
        ("memory/2026-01-20-0930.md", date(2026, 1, 20)),
        ("20260120.md", date(2026, 1, 20)),
        ("20260120-0930.md", date(2026, 1, 20)),
        ("notes/retro-2026-01-20.md", date(2026, 1, 20)),
        ("2026-13-45.md", None),
        ("2026-W12-Mar13-Mar19.md", None),
        ("2026-01-01--2026-01-07.md", None),
        ("build-12345678901.md", None),
        ("2026-01-20/readme.md", None),
        ("plain.md", None),
    ],
)
def test_a_name_tells_the_day(path: str, day: date | None) -> None:
    assert day_in_name(path) == day


def test_frontmatter_tells_the_day_where_the_name_does_not() -> None:
    text = "---\ncreated: 2026-02-03T10:00:00Z\n---\ntext\n"
    assert parse_note("a.md", text, Role.CONCEPT).date == date(2026, 2, 3)
    assert parse_note("2026-01-20.md", text, Role.LOG).date == date(2026, 1, 20)
    assert parse_note("a.md", "---\ndate: soon\n---\n", Role.CONCEPT).date is None


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Named\n---\n# Headed\n", "Named"),
        ("## Sub\n# Headed\n", "Headed"),
        ("text\n", "name"),
        ("", "name"),
    ],
)
def test_the_title_is_named_or_headed_or_the_file_name(text: str, title: str) -> None:
    assert parse_note("memory/name.md", text, Role.CONCEPT).title == title


@pytest.mark.req("I-02")
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_sections_have_exact_lines_and_their_path(end: str) -> None:
    text = end.join(["---", "type: x", "---", "before", "# A", "## B", "text", "#### D", "## C"])
    note = parse_note("a.md", text, Role.CONCEPT)
    assert [(s.level, s.path, s.first, s.last) for s in note.sections] == [
        (0, (), 4, 4),
        (1, ("A",), 5, 5),
        (2, ("A", "B"), 6, 7),
        (4, ("A", "B", "D"), 8, 8),
        (2, ("A", "C"), 9, 9),
    ]
    assert note.lines == 9


@pytest.mark.req("F-08")
@pytest.mark.parametrize(
    "text",
    [
        '---\nq: "abc "def" ghi"\n---\n# Found\n',
        "---\na: 1\na: 2\n---\n# Found\n",
        "---\ntype: x\n# Found\n",
        "---\na: *b\n---\n# Found\n",
    ],
)
def test_broken_frontmatter_never_hides_the_body(text: str) -> None:
    note = parse_note("a.md", text, Role.CONCEPT)
    assert note.properties.defect
    assert note.title == "Found"


def test_a_note_that_begins_with_a_rule_has_no_frontmatter() -> None:
    note = parse_note("a.md", "---\n\nprose\n\n---\nmore\n", Role.CONCEPT)
    assert (note.properties.defect, note.properties.last) == ("", 0)
    assert note.sections[0].first == 1


@pytest.mark.req("F-10")
def test_links_of_both_kinds_are_found_and_none_in_code() -> None:
    text = (
        "[[Note#Heading|alias]] [[n#^block]] ![[embed.md]] `[[code]]` ``[[a]] ` b``\n"
        '[t](a%20b.md#c "title") [x](<with space.md>) [w](https://e.org/x.md) [m](mailto:a@b.c)\n'
        "| [[cell\\|alias]] | \\[[escaped]] |\n"
        "```\n[[fenced]]\n```\n[ref]: other.md\n[^1]: no.md [[#Here]]\n"
    )
    found = parse_note("a.md", text, Role.CONCEPT).links
    assert [(link.target, link.anchor, link.line, link.wiki) for link in found] == [
        ("Note", "Heading", 1, True),
        ("n", "^block", 1, True),
        ("embed.md", "", 1, True),
        ("a b.md", "c", 2, False),
        ("with space.md", "", 2, False),
        ("cell", "", 3, True),
        ("other.md", "", 7, False),
        ("", "Here", 8, True),
    ]
