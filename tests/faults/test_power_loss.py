"""A loss of power at any system call tears nothing, and what was acknowledged is there after it."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from vademecum.core.changes import Signature
from vademecum.core.ids import new_entry_id
from vademecum.core.provenance import Actor
from vademecum.workspace.files import open_files

HERE = Path(__file__).parent
AT = datetime(2026, 1, 20, 11, 0, tzinfo=UTC)
LOG = b"# day\n\nfirst\n"
NOTE = b"# note\n\n- old ^aa1\n- other ^bb2\n"
NEXT = b"\nnext\n"
# kind: file, its content before, after
KINDS: dict[str, tuple[str, bytes | None, bytes | None]] = {
    "append": ("log.md", LOG, LOG + b"\nentry\n"),
    "new": ("new.md", None, b"# day\n\nentry\n"),
    "replace": ("note.md", NOTE, NOTE.replace(b"old", b"new")),
    "remove": ("note.md", NOTE, None),
}
Run = Callable[..., Any]


def load_disk_model() -> ModuleType:
    specification = importlib.util.spec_from_file_location("disk_model", HERE / "disk_model.py")
    assert specification and specification.loader
    module = importlib.util.module_from_spec(specification)
    sys.modules["disk_model"] = module
    specification.loader.exec_module(module)
    return module


disk_model = load_disk_model()


def check_every_state(run: Run, kind: str, tmp_path: Path, **how: Any) -> int:
    """Replay one write and check each state the disk could be in; return how many there were."""
    traced = run(kind, **how)
    assert traced.acknowledged
    place = traced.root.parent
    disk = disk_model.Disk.holding(place, {"root/memory/log.md": LOG, "root/memory/note.md": NOTE})
    checked: set[tuple[bool, frozenset[tuple[str, bytes | None]]]] = set()
    acknowledged = False
    for line in traced.trace:
        acknowledged = acknowledged or disk.apply(line).startswith(b"ack ")
        for state in disk.states():
            key = (acknowledged, frozenset(state.items()))
            if key not in checked:
                checked.add(key)
                found = tmp_path / f"state-{len(checked)}"
                disk_model.put_on_disk(state, place, found)
                check_state(found, kind, acknowledged, f"{kind}, after {line[:90]}")
    return len(checked)


def check_state(found: Path, kind: str, acknowledged: bool, where: str) -> None:
    name, old, new = KINDS[kind]
    path = found / "root" / "memory" / name
    files = open_files(found / "root", found / "state")

    def content() -> bytes | None:
        return path.read_bytes() if path.exists() else None

    if acknowledged:
        assert content() == new, where
    files.recover()
    left = content()
    if kind == "append":  # at most a torn tail
        assert left is not None and left.startswith(LOG) and KINDS[kind][2].startswith(left), where
    else:
        assert left in (old, new), where
    if acknowledged:
        assert left == new, where
        ours = [change for change in files.records.ledger.changes() if change.actor == "ada"]
        assert len(ours) == 1, where
        for digest in filter(None, (ours[0].before,)):
            assert kind == "append" or files.records.blobs.has(digest), where
    signature = Signature(new_entry_id(AT), AT, Actor("ben"), "log")
    files.append(f"memory/{name}", NEXT, signature, header=b"# day\n")
    after = content()
    assert after is not None and after.endswith(b"\n" + NEXT), where
    assert after.startswith(left or b"# day\n"), where


@pytest.mark.req("B-02", "F-02")
@pytest.mark.parametrize("kind", KINDS)
def test_power_lost_at_any_call_leaves_old_or_new(run: Run, kind: str, tmp_path: Path) -> None:
    assert check_every_state(run, kind, tmp_path) > 20


@pytest.mark.req("B-02", "B-07")
@pytest.mark.parametrize("kind", KINDS)
def test_the_check_notices_when_nothing_is_synced(run: Run, kind: str, tmp_path: Path) -> None:
    program = tmp_path / "without_fsync.py"
    program.write_text(
        "import os, runpy, sys\n"
        "os.fsync = lambda descriptor: None\n"
        f"sys.argv[0] = {str(HERE / 'operation.py')!r}\n"
        "runpy.run_path(sys.argv[0], run_name='__main__')\n"
    )
    with pytest.raises(AssertionError):
        check_every_state(run, kind, tmp_path, program=program)


@pytest.mark.req("B-02", "B-07")
@pytest.mark.parametrize("kind", ["new", "replace", "remove"])
def test_the_check_notices_when_names_are_not_synced(run: Run, kind: str, tmp_path: Path) -> None:
    program = tmp_path / "without_folder_fsync.py"
    program.write_text(
        "import os, runpy, stat, sys\n"
        "real = os.fsync\n"
        "def files_only(descriptor):\n"
        "    if not stat.S_ISDIR(os.fstat(descriptor).st_mode):\n"
        "        real(descriptor)\n"
        "os.fsync = files_only\n"
        f"sys.argv[0] = {str(HERE / 'operation.py')!r}\n"
        "runpy.run_path(sys.argv[0], run_name='__main__')\n"
    )
    with pytest.raises(AssertionError):
        check_every_state(run, kind, tmp_path, program=program)
