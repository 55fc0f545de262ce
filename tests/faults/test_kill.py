"""SIGKILL at any system call leaves the old or the new file, and nothing to repair by hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from vademecum.core.changes import Effect, Signature
from vademecum.core.ids import new_entry_id
from vademecum.core.provenance import Actor

AT = datetime(2026, 1, 20, 11, 0, tzinfo=UTC)
LOG = b"# day\n\nfirst\n"
NOTE = b"# note\n\n- old ^aa1\n- other ^bb2\n"
# kind: file, its content before, after; what the next append adds is the same for all
KINDS: dict[str, tuple[str, bytes | None, bytes | None]] = {
    "append": ("log.md", LOG, LOG + b"\nentry\n"),
    "new": ("new.md", None, b"# day\n\nentry\n"),
    "replace": ("note.md", NOTE, NOTE.replace(b"old", b"new")),
    "remove": ("note.md", NOTE, None),
}
CHANGING = {
    "write",
    "pwrite64",
    "fsync",
    "ftruncate",
    "rename",
    "renameat",
    "renameat2",
    "link",
    "linkat",
    "unlink",
    "unlinkat",
    "mkdir",
    "mkdirat",
    "fchmod",
}

Run = Callable[..., Any]


def signed() -> Signature:
    return Signature(new_entry_id(AT), AT, Actor("ben"), "log")


def points(run: Run, kind: str) -> list[tuple[str, int]]:
    """Return every system call of one undisturbed write: name, and which one of that name."""
    whole = run(kind)
    assert whole.acknowledged
    assert whole.content(KINDS[kind][0]) == KINDS[kind][2]
    return [(name, ordinal) for name, ordinal, _ in whole.calls()]


def check_after_kill(run: Run, kind: str, name: str, ordinal: int) -> bool:
    """Kill at one call, check what is left, write on; return whether the write had happened."""
    where = f"{kind}, killed at {name} number {ordinal + 1}"
    left = run(kind, "-e", f"inject={name}:signal=SIGKILL:when={ordinal + 1}")
    file, old, new = KINDS[kind]
    assert left.content(file) in (old, new), where
    if left.acknowledged:
        assert left.content(file) == new, where
    left.files.recover()
    happened = left.content(file) == new
    assert left.content(file) in (old, new), where
    verbs = [change for change in left.files.records.ledger.changes() if change.actor == "ada"]
    assert len(verbs) == int(happened), f"{where}: the ledger says {verbs}"
    if happened and kind != "remove":
        assert verbs[0].after == left.files.read(f"memory/{file}").digest, where
    following = left.files.append(f"memory/{file}", b"\nnext\n", signed(), header=b"# day\n")
    after = (new if happened else old) or b"# day\n"
    assert left.content(file) == after + b"\nnext\n", where
    assert following.change.effect is Effect.APPEND
    assert list(left.root.rglob(".vade*")) == [], where
    assert list(left.state.glob("journal/*")) == [], where
    assert left.files.records.ledger.defects() == (), where
    return happened


@pytest.mark.req("B-02", "F-02")
@pytest.mark.parametrize("kind", KINDS)
def test_a_kill_at_a_call_that_changes_something_leaves_old_or_new(run: Run, kind: str) -> None:
    changing = [point for point in points(run, kind) if point[0] in CHANGING]
    sampled = [*changing[::3], changing[-1]]  # all of them are in the slow test
    happened = [check_after_kill(run, kind, *point) for point in sampled]
    assert not happened[0] and happened[-1]
    assert happened == sorted(happened), "once it has happened it stays so"


@pytest.mark.slow
@pytest.mark.req("B-02", "F-02")
@pytest.mark.parametrize("kind", KINDS)
def test_a_kill_at_any_call_leaves_old_or_new(run: Run, kind: str) -> None:
    every = points(run, kind)
    assert len(every) > 40
    for point in every:
        check_after_kill(run, kind, *point)
