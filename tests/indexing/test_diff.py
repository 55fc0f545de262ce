"""What is looked at, what counts as gone, and which stamps are not to be trusted yet."""

from __future__ import annotations

import pytest

from vademecum.core.ports import FileStamp
from vademecum.indexing.diff import plan, settled_stamp
from vademecum.workspace.scan import Scan, Skipped

SECOND = 1_000_000_000
NOW = 1_800_000_000 * SECOND + 123_456_789


def stamp(modified: int = 5, size: int = 1) -> FileStamp:
    return FileStamp(size, modified, modified, 7)


def scanned(*paths: str, failed: tuple[str, ...] = ()) -> Scan:
    files = {path: stamp(number) for number, path in enumerate(paths)}
    return Scan(files, (), tuple(Skipped(path, "cannot be read") for path in failed))


@pytest.mark.req("I-04")
@pytest.mark.parametrize("part", ["size", "modified", "changed", "inode"])
def test_a_move_of_any_part_of_a_stamp_means_look(part: str) -> None:
    parts = {"size": 1, "modified": 5, "changed": 5, "inode": 7}
    known = {"a.md": (FileStamp(**parts), "digest")}
    there = Scan({"a.md": FileStamp(**{**parts, part: 99})}, ())
    assert plan(there, known).look == ("a.md",)
    assert plan(Scan({"a.md": FileStamp(**parts)}, ()), known).empty


@pytest.mark.req("I-04")
def test_the_newest_are_looked_at_first() -> None:
    assert plan(scanned("old.md", "mid.md", "new.md"), {}).look == ("new.md", "mid.md", "old.md")


@pytest.mark.req("I-04")
def test_what_could_not_be_looked_at_is_not_gone() -> None:
    known = {path: (stamp(), "digest") for path in ("a.md", "shut/b.md", "open/c.md", "d.md")}
    assert plan(scanned("a.md", failed=("shut/", "d.md")), known).gone == ("open/c.md",)
    assert plan(scanned(failed=("./",)), known).gone == ()


@pytest.mark.req("I-04")
def test_paths_limit_both_lists_and_a_folder_is_no_prefix_of_a_name() -> None:
    known = {path: (stamp(), "digest") for path in ("deep/gone.md", "gone.md", "deeper/gone.md")}
    there = scanned("deep/new.md", "deeper/new.md", "new.md")
    limited = plan(there, known, ["deep"])
    assert (limited.look, limited.gone) == (("deep/new.md",), ("deep/gone.md",))
    assert plan(there, known, ["."]) == plan(there, known)


@pytest.mark.req("I-04")
@pytest.mark.parametrize(
    ("age", "trusted"), [(-1, False), (0, False), (5_000_000, False), (50_000_000, True)]
)
def test_a_stamp_of_about_now_is_remembered_so_that_it_is_looked_at_again(
    age: int, trusted: bool
) -> None:
    fresh = stamp(NOW - age)
    remembered = settled_stamp(fresh, NOW)
    assert (remembered == fresh) is trusted
    assert plan(Scan({"a.md": fresh}, ()), {"a.md": (remembered, "d")}).empty is trusted


@pytest.mark.req("I-04")
def test_where_stamps_are_whole_seconds_about_now_is_longer() -> None:
    whole = stamp(NOW // SECOND * SECOND - SECOND)
    assert settled_stamp(whole, NOW) != whole
    older = stamp(NOW // SECOND * SECOND - 3 * SECOND)
    assert settled_stamp(older, NOW) == older
