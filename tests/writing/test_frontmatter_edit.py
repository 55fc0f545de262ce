"""One property changes; every other byte of the note stays."""

from __future__ import annotations

import pytest
import yaml

from vademecum.core.errors import MalformedFrontmatter, VademecumError
from vademecum.core.provenance import Actor
from vademecum.workspace.workspace import Workspace
from vademecum.writing.frontmatter_edit import set_property

NOTE = (
    b"\xef\xbb\xbf---\r\ntype: decision # why\r\nversion: 1.10\r\nat: 12:30\r\nno: no\r\n"
    b"# a comment\r\nlast_verified: 2026-01-01\r\n---\r\n\r\n# Body \xf0\x9f\x9a\x80\r\nno newline"
)


def put(workspace: Workspace, content: bytes, name: str = "note.md") -> str:
    (workspace.root / "memory").mkdir(exist_ok=True)
    (workspace.root / "memory" / name).write_bytes(content)
    return f"memory/{name}"


@pytest.mark.req("F-08", "B-03")
def test_only_the_line_of_the_key_changes(workspace: Workspace, actor: Actor) -> None:
    path = put(workspace, NOTE)
    written = set_property(workspace, path, "last_verified", "2026-01-20", actor=actor)
    changed = NOTE.replace(b"2026-01-01", b"2026-01-20")
    assert (workspace.root / path).read_bytes() == changed
    assert (written.first, written.last) == (7, 7)
    change = workspace.ledger.change(written.change)
    assert (change.verb, workspace.files.records.blobs.get(change.before)) == ("property", NOTE)


@pytest.mark.req("F-08")
@pytest.mark.parametrize(
    "block",
    [
        b"---\ntype: [decision\n---\nbody: xylophone\n",
        b"---\ndescription: (REQ/X): read this\n---\nbody\n",
        b'---\nq: "abc "def" ghi"\n---\nbody\n',
        b"---\ntype: note\ntype: other\n---\nbody\n",
        b"---\ntype: note\nnever closed\n",
    ],
)
def test_a_note_whose_frontmatter_does_not_parse_stays_as_it_is(
    workspace: Workspace, actor: Actor, block: bytes
) -> None:
    path = put(workspace, block)
    before = (workspace.root / path).stat()
    with pytest.raises(MalformedFrontmatter) as caught:
        set_property(workspace, path, "status", "active", actor=actor)
    assert str(caught.value)
    assert (workspace.root / path).read_bytes() == block
    assert (workspace.root / path).stat().st_mtime_ns == before.st_mtime_ns
    assert list(workspace.ledger.changes()) == []


@pytest.mark.req("F-08")
@pytest.mark.parametrize(
    "title",
    [
        "a: b",
        "# not a comment",
        "x # y",
        '"quoted"',
        "it's",
        "- dash",
        "yes",
        "no",
        "null",
        "1.10",
        "12:30",
        "017",
        "🚀 launch",
        "two\nlines",
        " padded ",
        "",
        "[[link]]",
        "{a: b}",
        "@at",
        "%percent",
        "*star",
        "&anchor",
        "!tag",
        "a\\b",
        "tab\there",
    ],
)
def test_a_strict_parser_reads_back_exactly_the_title_that_was_set(
    workspace: Workspace, actor: Actor, title: str
) -> None:
    path = put(workspace, b"---\ntype: note\n---\nbody\n")
    try:
        set_property(workspace, path, "title", title, actor=actor)
    except VademecumError:
        assert (workspace.root / path).read_bytes() == b"---\ntype: note\n---\nbody\n"
        pytest.fail(f"{title!r} was refused")
    block = (workspace.root / path).read_text().split("---\n")[1]
    assert yaml.safe_load(block) == {"type": "note", "title": title}
