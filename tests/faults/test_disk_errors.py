"""A full, failing or forbidden disk: a clear refusal, the old content, and the next write works."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from vademecum.core.changes import Signature
from vademecum.core.ids import new_entry_id
from vademecum.core.provenance import Actor

AT = datetime(2026, 1, 20, 11, 0, tzinfo=UTC)
LOG = b"# day\n\nfirst\n"
NOTE = b"# note\n\n- old ^aa1\n- other ^bb2\n"
KINDS: dict[str, tuple[str, bytes | None, bytes | None]] = {
    "append": ("log.md", LOG, LOG + b"\nentry\n"),
    "new": ("new.md", None, b"# day\n\nentry\n"),
    "replace": ("note.md", NOTE, NOTE.replace(b"old", b"new")),
    "remove": ("note.md", NOTE, None),
}
FAILING = {
    "ENOSPC": {"write", "linkat", "mkdir", "renameat2", "openat"},
    "EDQUOT": {"write", "mkdir"},
    "EIO": {"write", "fsync", "pread64", "renameat2", "unlinkat", "read"},
    "EROFS": {"openat", "linkat", "mkdir", "unlinkat"},
}
Run = Callable[..., Any]


def check_with_error(run: Run, kind: str, name: str, ordinal: int, error: str) -> None:
    where = f"{kind}, {error} at {name} number {ordinal + 1}"
    left = run(kind, "-e", f"inject={name}:error={error}:when={ordinal + 1}")
    file, old, new = KINDS[kind]
    assert "Traceback" not in left.said, where
    assert left.content(file) in (old, new), where
    if left.acknowledged:
        assert left.content(file) == new, where
    elif left.said:  # the error may have hit the saying itself
        assert left.said.startswith("refused "), where
        assert left.said.count(".") >= 1 and "/" in left.said, where
    left.files.recover()
    happened = left.content(file) == new
    assert left.content(file) in (old, new), where
    signature = Signature(new_entry_id(AT), AT, Actor("ben"), "log")
    left.files.append(f"memory/{file}", b"\nnext\n", signature, header=b"# day\n")
    after = (new if happened else old) or b"# day\n"
    assert left.content(file) == after + b"\nnext\n", where
    ours = [change for change in left.files.records.ledger.changes() if change.actor == "ada"]
    assert len(ours) == int(happened), where
    assert list(left.root.rglob(".vade-*")) == [], where


def points(run: Run, kind: str, names: set[str]) -> list[tuple[str, int]]:
    whole = run(kind)
    assert whole.acknowledged
    return [(name, ordinal) for name, ordinal, _ in whole.calls() if name in names]


@pytest.mark.req("B-02")
@pytest.mark.parametrize("kind", ["append", "replace"])
@pytest.mark.parametrize("error", ["ENOSPC", "EIO"])
def test_an_error_of_the_disk_loses_nothing(run: Run, kind: str, error: str) -> None:
    every = points(run, kind, FAILING[error] - {"read", "openat"})
    for point in every[::4]:
        check_with_error(run, kind, *point, error)


@pytest.mark.slow
@pytest.mark.req("B-02")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("error", FAILING)
def test_no_error_of_the_disk_at_any_call_loses_anything(run: Run, kind: str, error: str) -> None:
    for point in points(run, kind, FAILING[error]):
        check_with_error(run, kind, *point, error)


FULL = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from vademecum.core.changes import Signature
from vademecum.core.errors import DiskFull
from vademecum.core.ids import new_entry_id
from vademecum.core.provenance import Actor
from vademecum.workspace.files import open_files
at = datetime(2026, 1, 20, tzinfo=UTC)
def signed(): return Signature(new_entry_id(at), at, Actor("ada"), "log")
root, state = Path(sys.argv[1]), Path(sys.argv[2])
files = open_files(root, state)
(root / "note.md").write_bytes(b"- line\\n" * 1000)
acknowledged, refused = [], 0
for number in range(60):
    try:
        files.append("log.md", b"\\n%d %s\\n" % (number, b"x" * 1500), signed(), header=b"# d\\n")
        acknowledged.append(number)
    except DiskFull as error:
        refused += 1
        assert "log.md" in str(error) or "state" in str(error), error
before = files.read("note.md")
try:
    files.replace(before, before.data + b"- more\\n", signed())
except DiskFull:
    assert (root / "note.md").read_bytes() == before.data
text = (root / "log.md").read_text()
lines = [int(line.split()[0]) for line in text.splitlines() if line.endswith("x" * 1500)]
assert lines == acknowledged, (lines, acknowledged)
assert text.endswith("\\n")
assert refused and acknowledged
(root / "filler").unlink()
files.append("log.md", b"\\nafterwards\\n", signed())
assert (root / "log.md").read_text().endswith("\\nafterwards\\n")
print("kept", len(acknowledged), "refused", refused)
"""


@pytest.mark.req("B-02")
@pytest.mark.parametrize("where", ["workspace", "both"])
def test_a_disk_that_fills_up_refuses_and_keeps_what_it_has(tmp_path: Path, where: str) -> None:
    small = tmp_path / "small"
    small.mkdir()
    state = tmp_path / "state" if where == "workspace" else small / "state"
    script = (
        f"mount -t tmpfs -o size=128k none {small} && mkdir {small}/root && "
        f"head -c 40000 /dev/zero > {small}/root/filler && "
        'exec "$0" -c "$1" "$2" "$3"'
    )
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, sys.executable, FULL, f"{small}/root", str(state)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    if "unshare" in done.stderr or "mount:" in done.stderr:
        pytest.skip("this container does not let a test mount a small disk")
    assert done.returncode == 0, done.stderr[-2000:]
    assert "kept" in done.stdout
