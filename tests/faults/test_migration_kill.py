"""SIGKILL at any system call of a migration: it can be taken back to identical bytes, or go on."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

MIGRATING = Path(__file__).parent / "migrating.py"
CALLS = """write pwrite64 fsync ftruncate rename renameat renameat2 link linkat unlink unlinkat
mkdir mkdirat rmdir fchmod chmod"""
CHANGING = frozenset(CALLS.split())
KINDS = ("move", "inside", "back")
Run = Callable[..., Any]
Held = dict[str, bytes]


@pytest.fixture(scope="session")
def migrating() -> ModuleType:
    """Return the program as a module, for its source and its way of opening."""
    spec = importlib.util.spec_from_file_location("migrating", MIGRATING)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def held(root: Path) -> Held:
    found = {}
    for folder, _, names in os.walk(root):
        inner = Path(folder).relative_to(root).as_posix()
        found[f"{inner}/"] = b""
        for name in names:
            found[f"{inner}/{name}"] = (Path(folder) / name).read_bytes()
    return found


def before(root: Path, kind: str, migrating: ModuleType, place: Path) -> Held:
    """Return what the workspace holds before a migration begins."""
    del root
    made = place / "before"
    if not made.exists():
        (made / "memory").mkdir(parents=True)
        (made / "memory" / "log.md").write_bytes(b"# day\n\nfirst\n")
        (made / "memory" / "note.md").write_bytes(b"# note\n\n- old ^aa1\n- other ^bb2\n")
        if kind == "inside":
            migrating.lay(made / "old")
    return held(made)


def check(
    run: Run, migrating: ModuleType, place: Path, kind: str, point: tuple[str, int], *, on: bool
) -> None:
    """Kill at one call; then go on and compare with a whole run, or take back at once."""
    name, ordinal = point
    where = f"{kind}, killed at {name} number {ordinal + 1}"
    left = run(kind, "-e", f"inject={name}:signal=SIGKILL:when={ordinal + 1}", program=MIGRATING)
    was = before(left.root, kind, migrating, place)
    source = migrating.source_of(left.root, kind)
    with migrating.opened(left.root, left.state) as memory:
        if on and kind != "back":
            memory.migrate(
                approved=memory.migrate(source if source.exists() else left.root / "old")
            )
            assert held(left.root) == held(place / "whole"), where
        standings = memory.migrate()
        if standings and standings[-1].phase.value != "rolled-back":
            back = memory.migrate(rollback=standings[-1].id)
            assert back.left == (), where
    assert held(left.root) == was, where
    laid = held(source)
    assert {path for path in laid if not path.endswith("/")} == {
        f"./{path}" if "/" not in path else path for path in migrating.SOURCE
    }, where
    assert list(left.root.rglob(".vade*")) == [], where
    assert list(left.state.glob("*/journal/*")) == [], where


def points(run: Run, migrating: ModuleType, place: Path, kind: str) -> list[tuple[str, int]]:
    """Return the calls of a whole run that change something; keep what the run made."""
    whole = run(kind, program=MIGRATING)
    assert whole.acknowledged, whole.said
    if kind == "back":
        assert held(whole.root) == before(whole.root, kind, migrating, place)
    else:
        import shutil

        shutil.copytree(whole.root, place / "whole")
    return [(name, ordinal) for name, ordinal, _ in whole.calls() if name in CHANGING]


@pytest.mark.req("M-01")
@pytest.mark.parametrize("kind", KINDS)
def test_a_migration_that_was_killed_is_taken_back_or_goes_on(
    run: Run, migrating: ModuleType, tmp_path: Path, kind: str
) -> None:
    every = points(run, migrating, tmp_path, kind)
    sampled = every[3 :: max(len(every) // 4, 1)]  # many more are in the slow test
    for number, point in enumerate(sampled):
        check(run, migrating, tmp_path, kind, point, on=bool(number % 2))


@pytest.mark.slow
@pytest.mark.req("M-01")
@pytest.mark.parametrize("kind", KINDS)
def test_a_migration_may_be_killed_anywhere(
    run: Run, migrating: ModuleType, tmp_path: Path, kind: str
) -> None:
    every = points(run, migrating, tmp_path, kind)
    for number, point in enumerate(every[:: max(len(every) // 60, 1)]):
        check(run, migrating, tmp_path, kind, point, on=bool(number % 2))
