"""Appending, replacing, making and removing files, while others do what they like."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from vademecum.core.changes import Effect, Signature
from vademecum.core.errors import ChangedMeanwhile, InvalidPath, NoteNotFound, ReadOnly
from vademecum.core.ids import new_entry_id
from vademecum.core.provenance import Actor
from vademecum.workspace import syscalls
from vademecum.workspace.files import Files, open_files

AT = datetime(2026, 1, 20, 10, 30, tzinfo=UTC)
NOTE = b"# API\n\n- REST ^aa1\n- JSON ^bb2\n"


def signed(verb: str = "edit", actor: str = "ada") -> Signature:
    return Signature(new_entry_id(AT), AT, Actor(actor, "s"), verb)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root").mkdir()
    return tmp_path / "root"


def no_exchange(_folder: int, first: str, _second: str) -> None:
    raise OSError(errno.EINVAL, "not on this file system", first)


@pytest.fixture(params=["exchange", "link aside"])
def files(
    request: pytest.FixtureRequest, root: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Files]:
    if request.param == "link aside":
        monkeypatch.setattr(syscalls, "exchange", no_exchange)
    yield open_files(root, root.parent / "state")
    assert list(root.rglob(".vade-*")) == [], "a temporary file was left behind"
    assert list((root.parent / "state").glob("journal/*")) == [], "an intent was left behind"


def conflicts(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in root.glob(".vade/conflicts/*")}


# ---------------------------------------------------------------- append and create


@pytest.mark.req("F-06", "B-03")
def test_an_append_says_where_it_landed_and_what_it_added(files: Files, root: Path) -> None:
    first = files.append("log.md", b"\none\n", signed("log"), header=b"# day\n")
    second = files.append("log.md", b"\ntwo\nthree\n", signed("log"), header=b"# day\n")
    assert (root / "log.md").read_bytes() == b"# day\n\none\n\ntwo\nthree\n"
    assert (first.first, first.last, second.first, second.last) == (3, 3, 5, 6)
    assert (first.change.offset, first.change.length) == (6, 5)
    assert (second.change.before, second.change.after) == (
        first.change.after,
        files.read("log.md").digest,
    )
    assert files.records.blobs.get(second.change.added) == b"\ntwo\nthree\n"
    assert list(files.records.ledger.changes()) == [first.change, second.change]


@pytest.mark.req("F-04", "F-06", "B-01")
def test_making_a_file_never_touches_one_that_is_there(files: Files, root: Path) -> None:
    assert files.create("a.md", b"first", signed("init")) is not None
    assert files.create("a.md", b"second", signed("init")) is None
    assert (root / "a.md").read_bytes() == b"first"
    with pytest.raises(InvalidPath, match=r"a\.md"):
        files.create("A.md", b"twin", signed("init"))
    assert [change.effect for change in files.records.ledger.changes()] == [Effect.CREATE]


@pytest.mark.req("F-01")
def test_reading_names_what_is_not_there(files: Files) -> None:
    for path in ("a.md", "memory/a.md"):
        with pytest.raises(NoteNotFound, match=path):
            files.read(path)
        assert not files.exists(path)


# ---------------------------------------------------------------- replace


@pytest.mark.req("B-02")
def test_a_replacement_keeps_both_versions_and_records_the_change(files: Files, root: Path) -> None:
    files.create("note.md", NOTE, signed("init"))
    base = files.read("note.md")
    done = files.replace(base, NOTE.replace(b"REST", b"gRPC"), signed())
    assert (root / "note.md").read_bytes() == done.data == NOTE.replace(b"REST", b"gRPC")
    assert done.change and not done.merged and not done.conflict
    assert files.records.blobs.get(done.change.before) == NOTE
    assert files.records.blobs.get(done.change.after) == done.data
    same = files.replace(files.read("note.md"), done.data, signed())
    assert same.change is None


@pytest.mark.req("B-02")
def test_an_edit_from_an_old_base_is_applied_to_what_the_file_has_become(
    files: Files, root: Path
) -> None:
    files.create("note.md", NOTE, signed("init"))
    base = files.read("note.md")
    longer = NOTE + b"".join(b"- line %d\n" % number for number in range(40))
    files.replace(base, longer, signed(actor="ben"))
    done = files.replace(base, NOTE.replace(b"REST", b"gRPC"), signed())
    assert done.merged
    assert (root / "note.md").read_bytes() == longer.replace(b"REST", b"gRPC")


@pytest.mark.req("B-02")
def test_two_edits_of_one_line_keep_both_versions(files: Files, root: Path) -> None:
    files.create("note.md", NOTE, signed("init"))
    base = files.read("note.md")
    theirs = NOTE.replace(b"REST", b"SOAP") + b"- much more\n" * 30
    (root / "note.md").write_bytes(theirs)
    with pytest.raises(ChangedMeanwhile) as caught:
        files.replace(base, NOTE.replace(b"REST", b"gRPC"), signed())
    assert (root / "note.md").read_bytes() == theirs
    ((name, kept),) = conflicts(root).items()
    assert kept == NOTE.replace(b"REST", b"gRPC")
    assert name.startswith("note.conflict-20260120-103000-") and name.endswith(".md")
    assert name in str(caught.value)


@pytest.mark.req("B-02")
def test_an_edit_of_a_file_that_was_removed_is_kept(files: Files, root: Path) -> None:
    files.create("note.md", NOTE, signed("init"))
    base = files.read("note.md")
    (root / "note.md").unlink()
    with pytest.raises(ChangedMeanwhile):
        files.replace(base, NOTE + b"- more\n", signed())
    assert list(conflicts(root).values()) == [NOTE + b"- more\n"]
    assert not (root / "note.md").exists()


@pytest.mark.req("B-02")
def test_an_edit_that_is_made_anew_leaves_no_record(files: Files, root: Path) -> None:
    files.create("note.md", NOTE, signed("init"))
    base = files.read("note.md")
    (root / "note.md").write_bytes(NOTE.replace(b"REST", b"SOAP"))
    with pytest.raises(ChangedMeanwhile, match="nothing was written"):
        files.replace(base, NOTE.replace(b"REST", b"gRPC"), signed(), aside=False)
    (root / "note.md").unlink()
    with pytest.raises(ChangedMeanwhile, match="nothing was written"):
        files.replace(base, NOTE.replace(b"REST", b"gRPC"), signed(), aside=False)
    assert conflicts(root) == {}


def saved_at_the_swap(save: Callable[[Path], None], root: Path) -> Callable[[int, str, str], None]:
    """Return an exchange before which another program saves, once."""
    exchange = syscalls.exchange
    pending = [save]

    def swap(folder: int, first: str, second: str) -> None:
        if pending:
            pending.pop()(root / "note.md")
        exchange(folder, first, second)

    return swap


@pytest.fixture
def exchanging(root: Path) -> Files:
    return open_files(root, root.parent / "state")


def by_rename(path: Path, content: bytes) -> None:
    beside = path.with_suffix(".swp")
    beside.write_bytes(content)
    beside.replace(path)


def in_place(path: Path, content: bytes) -> None:
    path.write_bytes(content)


@pytest.mark.req("B-02")
@pytest.mark.parametrize("save", [by_rename, in_place])
def test_what_an_editor_saved_in_the_last_moment_is_merged(
    exchanging: Files,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    save: Callable[[Path, bytes], None],
) -> None:
    exchanging.create("note.md", NOTE, signed("init"))
    theirs = NOTE.replace(b"JSON", b"CBOR") + b"- saved\n"
    monkeypatch.setattr(
        syscalls, "exchange", saved_at_the_swap(lambda path: save(path, theirs), root)
    )
    base = exchanging.read("note.md")
    done = exchanging.replace(base, NOTE.replace(b"REST", b"gRPC"), signed())
    assert done.merged and not done.conflict and done.change
    both = theirs.replace(b"REST", b"gRPC")
    assert (root / "note.md").read_bytes() == done.data == both
    assert exchanging.records.blobs.get(done.change.before) == theirs
    assert list(root.rglob(".vade-*")) == []


@pytest.mark.req("B-02")
def test_what_an_editor_saved_and_cannot_be_merged_becomes_a_conflict_record(
    exchanging: Files, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exchanging.create("note.md", NOTE, signed("init"))
    theirs = NOTE.replace(b"REST", b"SOAP")
    monkeypatch.setattr(
        syscalls, "exchange", saved_at_the_swap(lambda path: by_rename(path, theirs), root)
    )
    done = exchanging.replace(exchanging.read("note.md"), NOTE.replace(b"REST", b"gRPC"), signed())
    assert (root / "note.md").read_bytes() == NOTE.replace(b"REST", b"gRPC")
    assert (root / done.conflict).read_bytes() == theirs
    kept = [change for change in exchanging.records.ledger.changes(verb="conflict")]
    assert [change.path for change in kept] == [done.conflict]


@pytest.mark.req("B-02", "B-01")
def test_a_log_entry_that_a_stale_editor_saved_over_is_kept(files: Files, root: Path) -> None:
    files.append("log.md", b"\none\n", signed("log"), header=b"# day\n")
    stale = (root / "log.md").read_bytes()
    files.append("log.md", b"\ntwo\n", signed("log"))
    files.append("log.md", b"\nthree\n", signed("log"))
    by_rename(root / "log.md", stale + b"\nfrom the editor\n")
    files.append("log.md", b"\nfour\n", signed("log"))
    assert (root / "log.md").read_bytes() == stale + b"\nfrom the editor\n\nfour\n"
    assert sorted(conflicts(root).values()) == [b"\nthree\n", b"\ntwo\n"]
    files.append("log.md", b"\nfive\n", signed("log"))
    assert len(conflicts(root)) == 2, "each is kept once"


@pytest.mark.req("B-02")
def test_a_replacement_that_a_stale_editor_saved_over_is_kept(files: Files, root: Path) -> None:
    files.create("note.md", NOTE, signed("init"))
    files.replace(files.read("note.md"), NOTE + b"- added\n", signed())
    by_rename(root / "note.md", NOTE + b"- by the editor\n")
    assert files.reconcile(signed("sync"))
    assert list(conflicts(root).values()) == [NOTE + b"- added\n"]


@pytest.mark.req("B-02")
def test_a_person_who_edits_on_gets_no_conflict_record(files: Files, root: Path) -> None:
    files.create("note.md", NOTE, signed("init"))
    files.replace(files.read("note.md"), NOTE.replace(b"REST", b"gRPC"), signed())
    by_rename(root / "note.md", NOTE.replace(b"- REST ^aa1\n", b"") + b"- own words\n")
    assert files.reconcile(signed("sync")) == []
    files.append("log.md", b"\none\n", signed("log"), header=b"# day\n")
    with (root / "log.md").open("ab") as file:
        file.write(b"\nby hand\n")
    files.append("log.md", b"\ntwo\n", signed("log"))
    assert conflicts(root) == {}


# ---------------------------------------------------------------- remove


@pytest.mark.req("W-06", "B-02")
def test_a_file_is_removed_only_as_it_was_read(files: Files, root: Path) -> None:
    files.create("note.md", NOTE, signed("init"))
    base = files.read("note.md")
    (root / "note.md").write_bytes(NOTE + b"- more\n")
    with pytest.raises(ChangedMeanwhile):
        files.remove(base, signed("undo"))
    assert (root / "note.md").read_bytes() == NOTE + b"- more\n"
    change = files.remove(files.read("note.md"), signed("undo"))
    assert not (root / "note.md").exists()
    assert files.records.blobs.get(change.before) == NOTE + b"- more\n"


# ---------------------------------------------------------------- modes and owners


@pytest.mark.req("B-02")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_a_replacement_keeps_the_mode_under_any_umask(files: Files, root: Path, mode: int) -> None:
    files.create("note.md", NOTE, signed("init"))
    (root / "note.md").chmod(mode)
    before = os.umask(0o022)
    try:
        files.replace(files.read("note.md"), NOTE + b"- more\n", signed())
        files.append("note.md", b"- and more\n", signed())
    finally:
        os.umask(before)
    assert (root / "note.md").stat().st_mode & 0o7777 == mode


@pytest.mark.req("B-02")
def test_a_replacement_keeps_extended_attributes(files: Files, root: Path) -> None:
    files.create("note.md", NOTE, signed("init"))
    try:
        os.setxattr(root / "note.md", "user.origin", b"elsewhere")
    except OSError:
        pytest.skip("this file system has no extended attributes")
    files.replace(files.read("note.md"), NOTE + b"- more\n", signed())
    assert os.getxattr(root / "note.md", "user.origin") == b"elsewhere"


@pytest.mark.req("B-01", "B-02")
def test_a_read_only_file_is_refused_with_advice_also_to_the_superuser(
    files: Files, root: Path
) -> None:
    files.create("note.md", NOTE, signed("init"))
    (root / "note.md").chmod(0o444)
    base = files.read("note.md")
    writes: list[Callable[[], object]] = [
        lambda: files.replace(base, NOTE + b"x\n", signed()),
        lambda: files.append("note.md", b"x\n", signed()),
        lambda: files.remove(base, signed()),
    ]
    for write in writes:
        with pytest.raises(ReadOnly, match=r"note\.md") as caught:
            write()
        assert "chmod" in caught.value.hint
    assert (root / "note.md").read_bytes() == NOTE


UNPRIVILEGED = """
import os, sys
from pathlib import Path
sys.path[:0] = sys.argv[3].split(os.pathsep)
from tests_sign import signed
from vademecum.core.errors import ReadOnly, Unreadable
from vademecum.workspace.files import open_files
os.setgid(65534); os.setuid(65534)
root, state = Path(sys.argv[1]), Path(sys.argv[2])
files = open_files(root, state)
base = files.read("foreign.md")
for write in (
    lambda: files.replace(base, base.data + b"x\\n", signed()),
    lambda: files.append("foreign.md", b"x\\n", signed()),
    lambda: files.create("closed/new.md", b"x\\n", signed()),
):
    try:
        write()
    except ReadOnly as error:
        print(error)
shared = files.read("shared.md")
try:
    files.replace(shared, shared.data + b"x\\n", signed())
except ReadOnly as error:
    print(error)
try:
    files.read("barred/note.md")
except Unreadable as error:
    print(error)
"""


@pytest.mark.req("B-02")
@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can become somebody else")
def test_a_foreign_file_is_refused_to_an_ordinary_user(tmp_path: Path) -> None:
    root, state = tmp_path / "root", tmp_path / "state"
    (root / "closed").mkdir(parents=True)
    (root / "barred").mkdir(mode=0o700)
    state.mkdir()
    for parent in (root, state, *tmp_path.parents):
        if parent.stat().st_uid == os.geteuid() and str(parent).startswith(str(Path("/tmp"))):
            parent.chmod(parent.stat().st_mode | 0o055)
    tmp_path.chmod(0o755)
    os.chown(state, 65534, 65534)
    root.chmod(0o777)
    (root / "foreign.md").write_bytes(NOTE)
    (root / "shared.md").write_bytes(NOTE)
    (root / "shared.md").chmod(0o666)
    helper = tmp_path / "tests_sign.py"
    helper.write_text(
        "from datetime import datetime, UTC\n"
        "from vademecum.core.changes import Signature\n"
        "from vademecum.core.ids import new_entry_id\n"
        "from vademecum.core.provenance import Actor\n"
        "AT = datetime(2026, 1, 20, tzinfo=UTC)\n"
        "def signed():\n"
        "    return Signature(new_entry_id(AT), AT, Actor('nobody'), 'edit')\n"
    )
    search = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", UNPRIVILEGED, str(root), str(state), search],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    refusals = done.stdout.splitlines()
    assert [
        name in line
        for name, line in zip(
            ("foreign.md", "foreign.md", "closed/new.md", "shared.md", "may not enter the folder"),
            refusals,
            strict=True,
        )
    ] == [True] * 5
    assert (root / "foreign.md").read_bytes() == (root / "shared.md").read_bytes() == NOTE
    assert (root / "shared.md").stat().st_uid == 0
