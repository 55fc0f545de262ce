"""The watcher hints after each burst, and says so when the system does not let it watch."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from vademecum.core.search import Degradation
from vademecum.indexing import watch as module
from vademecum.indexing.watch import watch

_PATIENCE = 20.0


@contextmanager
def running(root: Path, **settings: Any) -> Iterator[tuple[queue.Queue[int], list[Degradation]]]:
    """Watch in a thread; give the queue of calls and what was said to be degraded."""
    calls: queue.Queue[int] = queue.Queue()
    said: list[Degradation] = []
    stop = threading.Event()
    thread = threading.Thread(
        target=watch,
        args=(root, lambda: calls.put(1)),
        kwargs={"stop": stop, "on_degraded": said.append, **settings},
    )
    thread.start()
    try:
        calls.get(timeout=_PATIENCE)  # the sweep at the start
        yield calls, said
    finally:
        stop.set()
        thread.join(_PATIENCE)
        assert not thread.is_alive()


def write_until_heard(calls: queue.Queue[int], file: Path) -> None:
    """Write until the watcher is up; it does not say when it begins to listen."""
    for number in range(200):
        file.write_text(f"heron {number}\n")
        try:
            calls.get(timeout=0.3)
        except queue.Empty:
            continue
        return
    raise AssertionError("never heard")


@pytest.mark.req("I-01")
def test_a_changed_note_is_hinted_at_and_a_burst_is_one_hint(tmp_path: Path) -> None:
    with running(tmp_path, debounce=0.15) as (calls, said):
        write_until_heard(calls, tmp_path / "first.md")
        while not calls.empty():
            calls.get()
        for number in range(300):
            (tmp_path / f"{number}.md").write_text("heron\n")
        calls.get(timeout=_PATIENCE)
        assert calls.qsize() <= 5
        assert said == []


@pytest.mark.req("I-01")
def test_notes_in_a_folder_that_came_later_are_hinted_at(tmp_path: Path) -> None:
    with running(tmp_path, debounce=0.05) as (calls, _):
        write_until_heard(calls, tmp_path / "first.md")
        while not calls.empty():
            calls.get()
        (tmp_path / "later" / "deep").mkdir(parents=True)
        write_until_heard(calls, tmp_path / "later" / "deep" / "a.md")


@pytest.mark.req("I-01")
def test_without_watching_it_sweeps_and_says_so_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_instances(*_: object) -> Iterator[None]:
        raise OSError(28, "No space left on device")
        yield

    monkeypatch.setattr(module, "_bursts", no_instances)
    with running(tmp_path, sweep_every=0.01) as (calls, said):
        for _ in range(3):
            calls.get(timeout=_PATIENCE)
        assert [one.part for one in said] == ["watcher"]
        assert "No space left" in said[0].reason
        assert "every 0.01 seconds" in said[0].remedy


@pytest.mark.req("I-01")
def test_a_root_that_is_gone_is_said_not_raised(tmp_path: Path) -> None:
    with running(tmp_path / "absent", sweep_every=0.01) as (calls, said):
        calls.get(timeout=_PATIENCE)
        assert said
