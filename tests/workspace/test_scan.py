"""A scan sees every note, says what it left out and why, and never mistakes failure for absence."""

import os
from pathlib import Path

import pytest

from vademecum.workspace.bounds import stamp_of
from vademecum.workspace.copies import named_after
from vademecum.workspace.ignore import IgnoreRules
from vademecum.workspace.keys import ScanSettings
from vademecum.workspace.scan import Scan, scan

AS_ROOT = os.geteuid() == 0


def plant(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)


def reasons(found: Scan) -> dict[str, str]:
    return {skipped.path: skipped.reason for skipped in found.skipped}


@pytest.mark.req("F-11")
def test_notes_are_found_with_their_stat_and_all_else_is_told(tmp_path: Path) -> None:
    plant(tmp_path, "a.md", "x/b.MARKDOWN", "x/c.txt", ".archive/d.md", ".hidden.md", "x/.git/e.md")
    plant(tmp_path, "node_modules/f/g.md", "x/über.md", "big.md")
    (tmp_path / "big.md").write_text("x" * 5000)
    (tmp_path / "link.md").symlink_to("a.md")
    (tmp_path / "folder-link").symlink_to("x")
    found = scan(tmp_path, ScanSettings(max_bytes=4000))
    assert sorted(found.files) == ["a.md", "x/b.MARKDOWN", "x/über.md"]
    stat = (tmp_path / "a.md").stat()
    stamp = found.files["a.md"]
    assert (stamp.size, stamp.modified, stamp.changed, stamp.inode) == (
        stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino,
    )  # fmt: skip
    assert stamp_of(tmp_path, "a.md") == stamp
    assert stamp_of(tmp_path, "link.md") is None
    assert reasons(found) == {
        ".archive/": "in a dot folder",
        ".hidden.md": "a dot file",
        "x/.git/": "in a dot folder",
        "node_modules/": "left out by default",
        "big.md": "larger than scan.max_bytes (5,000 bytes)",
        "link.md": "a symbolic link, which is not followed",
        "folder-link": "a symbolic link, which is not followed",
    }
    assert found.others == 1


@pytest.mark.req("F-11")
def test_the_ignore_file_and_the_setting_leave_out_and_take_in(tmp_path: Path) -> None:
    plant(tmp_path, "draft-a.md", "draft-keep.md", "x/draft-b.md", "old/c.md", "y/old/d.md", "z.md")
    (tmp_path / ".vadeignore").write_text("# comment\n\ndraft-*.md\n!draft-keep.md\n/old/\n")
    found = scan(tmp_path, ScanSettings(ignore=("z.*",)))
    assert sorted(found.files) == ["draft-keep.md", "y/old/d.md"]
    assert reasons(found)["old/"] == "ignored by /old/"
    assert reasons(found)["z.md"] == "ignored by z.*"


@pytest.mark.parametrize(
    ("pattern", "path", "folder", "matches"),
    [
        ("a.md", "x/y/a.md", False, True),
        ("/a.md", "x/a.md", False, False),
        ("x/a.md", "x/a.md", False, True),
        ("x/a.md", "y/x/a.md", False, False),
        ("**/a.md", "a.md", False, True),
        ("**/x/a.md", "y/x/a.md", False, True),
        ("x/**", "x/y/a.md", False, True),
        ("x/**", "x", True, False),
        ("x/**/a.md", "x/a.md", False, True),
        ("x/**/a.md", "x/y/z/a.md", False, True),
        ("*.md", "x/a.md", False, True),
        ("x/*.md", "x/y/a.md", False, False),
        ("a?.md", "ab.md", False, True),
        ("[ab].md", "b.md", False, True),
        ("[!ab].md", "b.md", False, False),
        ("[a-c]x.md", "bx.md", False, True),
        ("logs/", "logs", True, True),
        ("logs/", "logs", False, False),
        ("\\#a.md", "#a.md", False, True),
        ("\\!a.md", "!a.md", False, True),
        ("# a.md", "# a.md", False, False),
        ("a.md   ", "a.md", False, True),
        ("[z-a].md", "b.md", False, False),
        ("[", "[", False, True),
        ("*a" * 60 + "b", "a" * 200, False, False),
        ("a*b*c.md", "aXbYbZc.md", False, True),
        ("**/a/" * 9 + "b", "a/" * 60 + "c", False, False),
    ],
)
def test_patterns_mean_what_git_says(pattern: str, path: str, folder: bool, matches: bool) -> None:
    assert bool(IgnoreRules([pattern]).decides(path, folder=folder)) is matches


@pytest.mark.req("F-11")
@pytest.mark.parametrize(
    "name",
    [
        "note.sync-conflict-20260120-103000-ABCDEFG.md",
        "note (Kim's conflicted copy 2026-01-20).md",
        "note (conflicted copy 2026-01-20 103000).md",
        "note (Case Conflict).md",
        "note (In Konflikt stehende Kopie von Kim 2026-01-20).md",
        "note (SFConflict kim@example.org 2026-01-20-10-30-00).md",
        "note [conflicted].md",
        "note_DiskStation_Jan-20-103000-2026_Conflict.md",
        "note_conflict-20260120-103000.md",
        "note.orig.md",
    ],
)
def test_conflict_copies_of_sync_tools_are_listed_and_not_indexed(
    tmp_path: Path, name: str
) -> None:
    plant(tmp_path, "note.md", "how to resolve a conflict.md", "v1.2 notes.md", name)
    found = scan(tmp_path, ScanSettings())
    assert sorted(found.files) == ["how to resolve a conflict.md", "note.md", "v1.2 notes.md"]
    assert "conflict copy" in reasons(found)[name]
    assert named_after(name) == "note.md"


@pytest.mark.req("F-11")
@pytest.mark.parametrize(
    "name", ["note 2.md", "note (1).md", "note-DESKTOP-7A2B3C4.md", "note-Kims-MacBook-Pro.md"]
)
def test_a_name_that_may_be_anybodys_is_a_copy_only_if_what_it_holds_says_so(
    tmp_path: Path, name: str
) -> None:
    note = "# Harbour\n\n- [stated] The crane is red (2026-01-10) ^c7f3a1\n"
    (tmp_path / "note.md").write_text(note)
    (tmp_path / name).write_text("# Harbour\n\nAnother sprint, with plans of its own.\n")
    assert sorted(scan(tmp_path, ScanSettings()).files) == sorted(["note.md", name])
    (tmp_path / name).write_text(note.replace("red", "blue"))
    found = scan(tmp_path, ScanSettings())
    assert list(found.files) == ["note.md"]
    assert "conflict copy" in reasons(found)[name]
    assert scan(tmp_path, ScanSettings(), [name]).files == {}
    (tmp_path / "note.md").unlink()
    assert list(scan(tmp_path, ScanSettings()).files) == [name]


@pytest.mark.req("I-01")
def test_a_root_that_is_not_there_is_a_failure_and_nothing_is_gone(tmp_path: Path) -> None:
    found = scan(tmp_path / "absent", ScanSettings())
    assert found.files == {}
    assert [failed.path for failed in found.failed] == ["./"]
    assert not found.is_gone("a.md")


@pytest.mark.req("I-01")
@pytest.mark.skipif(AS_ROOT, reason="root may read everything")
def test_what_lies_in_an_unreadable_folder_is_not_gone(tmp_path: Path) -> None:
    plant(tmp_path, "a.md", "x/b.md")
    (tmp_path / "x").chmod(0)
    try:
        found = scan(tmp_path, ScanSettings())
    finally:
        (tmp_path / "x").chmod(0o755)
    assert [failed.path for failed in found.failed] == ["x/"]
    assert not found.is_gone("x/b.md")
    assert found.is_gone("y/b.md")


def test_what_failed_above_a_note_keeps_it() -> None:
    from vademecum.workspace.scan import Skipped

    found = Scan({}, (), (Skipped("x/", "cannot be read"), Skipped("odd.md", "cannot be read")))
    gone = [path for path in ("x/b.md", "x/y/c.md", "xy.md", "odd.md") if found.is_gone(path)]
    assert gone == ["xy.md"]


def test_names_are_nfc_and_a_twin_is_told(tmp_path: Path) -> None:
    plant(tmp_path, "u\u0308ber.md")
    assert sorted(scan(tmp_path, ScanSettings()).files) == ["über.md"]
    plant(tmp_path, "über.md")
    found = scan(tmp_path, ScanSettings())
    assert sorted(found.files) == ["über.md"]
    assert "accents" in reasons(found)["über.md"]


def test_names_that_are_no_text_are_told_and_left_out(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"bad\xff.md")).write_text("x")
    (tmp_path / "two\nlines.md").write_text("x")
    found = scan(tmp_path, ScanSettings())
    assert found.files == {}
    assert set(reasons(found)) == {"bad\\xff.md", "two\\x0alines.md"}


def test_a_pipe_named_like_a_note_is_left_out(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert reasons(scan(tmp_path, ScanSettings())) == {"pipe.md": "not a regular file"}


@pytest.mark.req("F-11")
def test_a_scan_within_some_places_sees_them_by_the_same_rules_and_nothing_else(
    tmp_path: Path,
) -> None:
    for path in ("a.md", "x/b.md", "x/y/c.md", "x/y/.d.md", "z/e.md", "z/node_modules/f.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("text\n")
    whole = scan(tmp_path, ScanSettings())

    for places, expected in (
        (["x/y"], ["x/y/c.md"]),
        (["x/y/"], ["x/y/c.md"]),
        (["a.md", "z"], ["a.md", "z/e.md"]),
        (["x/y/.d.md", "z/node_modules/f.md", "gone.md"], []),
        (["."], sorted(whole.files)),
    ):
        found = scan(tmp_path, ScanSettings(), places)
        assert sorted(found.files) == expected
        assert found.files.items() <= whole.files.items()


@pytest.mark.req("F-11")
def test_a_name_with_control_characters_is_listed_on_one_line(tmp_path: Path) -> None:
    plant(tmp_path, "tab\t.md", "red\x1b[31m.md", "fold\ner/a.md")
    found = scan(tmp_path, ScanSettings())
    assert found.files == {}
    assert sorted(reasons(found)) == [
        "fold\\x0aer/",
        "red\\x1b[31m.md",
        "tab\\x09.md",
    ]


@pytest.mark.req("A-01", "F-11")
def test_a_workspace_below_is_not_read_with_the_one_above(tmp_path: Path) -> None:
    plant(tmp_path, "vade.toml", "a.md", "agents/b.md", "agents/ada/vade.toml", "agents/ada/c.md")
    plant(tmp_path, "agents/ada/memory/d.md")
    found = scan(tmp_path, ScanSettings())
    assert sorted(found.files) == ["a.md", "agents/b.md"]
    assert reasons(found) == {"agents/ada/": "a workspace of its own"}
    assert found.is_gone("agents/ada/c.md"), "what an index knew of it goes"
    assert sorted(scan(tmp_path / "agents" / "ada", ScanSettings()).files) == [
        "c.md",
        "memory/d.md",
    ]
