"""A memory that was opened before its agent was sealed: every method of it is closed at once.

The calls are made from the methods of `Memory`: one without an entry in `CALLS` fails here.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.agents.conftest import Installation
from tests.agents.walk import words_in

from vademecum.core.errors import Sealed, VademecumError
from vademecum.service import enrolling
from vademecum.service.memory import Memory
from vademecum.service.serving import Event

AGENT = "worker"

CALLS: Mapping[str, tuple[Callable[[Memory], object], ...]] = {
    "archive": (lambda memory: memory.archive(dry_run=True),),
    "boot": (lambda memory: memory.boot(),),
    "compact": (lambda memory: memory.compact(session="s"),),
    "config": (lambda memory: memory.config(),),
    "doctor": (lambda memory: memory.doctor(), lambda memory: memory.doctor(okf=True)),
    "export": (lambda memory: memory.export("out"),),
    "flush": (lambda memory: memory.flush(session="s"), lambda memory: memory.flush("- x")),
    "forget": (lambda memory: memory.forget("tea"),),
    "gather": (lambda memory: memory.gather(dry_run=True),),
    "get": (lambda memory: memory.get("MEMORY.md"),),
    "git": (lambda memory: memory.git(), lambda memory: memory.git("setup")),
    "grant": (lambda memory: memory.grant("other"),),
    "grants": (lambda memory: memory.grants(),),
    "heartbeat": (lambda memory: memory.heartbeat(),),
    "history": (lambda memory: memory.history(),),
    "log": (lambda memory: memory.log("Something happened."),),
    "migrate": (lambda memory: memory.migrate(), lambda memory: memory.migrate("source")),
    "notes": (lambda memory: memory.notes(),),
    "now": (lambda memory: memory.now(), lambda memory: memory.now("# Now\n")),
    "promote": (lambda memory: memory.promote(),),
    "recall": (lambda memory: memory.recall("tea"),),
    "reflect": (lambda memory: memory.reflect(),),
    "remember": (lambda memory: memory.remember("The pot is green"),),
    "restore": (lambda memory: memory.restore("all"),),
    "review": (lambda memory: memory.review(),),
    "revoke": (lambda memory: memory.revoke("other"),),
    "schedule": (lambda memory: memory.schedule(kind="cron"),),
    "search": (lambda memory: memory.search("tea"),),
    "serve": (
        lambda memory: memory.serve(lambda _: None, once=True),
        lambda memory: memory.serve(lambda _: None),
    ),
    "status": (lambda memory: memory.status(),),
    "sync": (lambda memory: memory.sync(),),
    "transcripts": (lambda memory: memory.transcripts("tea"),),
    "undo": (lambda memory: memory.undo(session="s"),),
    "watch": (lambda memory: memory.watch(lambda _: None),),
}


def remove() -> None:
    enrolling.remove(AGENT)


def rename() -> None:
    enrolling.rename(AGENT, "another")


def test_every_method_is_called() -> None:
    """`close` is the one that has to work in any case."""
    methods = {name for name, _ in inspect.getmembers(Memory, callable) if name[0] != "_"}
    assert set(CALLS) == methods - {"close"}


@pytest.mark.req("A-01")
@pytest.mark.parametrize("seal", [remove, rename])
def test_no_method_answers_or_writes_once_the_agent_is_gone(
    installation: Installation, seal: Callable[[], None]
) -> None:
    root = installation.agent(AGENT)
    memory = installation.open(AGENT)
    memory.log("Tea was drunk.", title="Tea")
    memory.sync()
    state = Path(memory.status().state)
    before = words_in(root, state)
    seal()
    for calls in CALLS.values():
        for call in calls:
            with pytest.raises(Sealed, match=AGENT):
                call(memory)
    assert words_in(root, state) == before


class Running:
    """A call in a thread, and the error that ended it."""

    def __init__(self, call: Callable[[], None]) -> None:
        self.error: VademecumError | None = None
        self._call = call
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def ended(self) -> bool:
        self._thread.join(timeout=60)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            self._call()
        except VademecumError as error:
            self.error = error


@pytest.mark.req("A-01")
@pytest.mark.parametrize("seal", [remove, rename])
def test_a_watch_that_runs_ends_before_it_reads_any_more(
    installation: Installation, monkeypatch: pytest.MonkeyPatch, seal: Callable[[], None]
) -> None:
    monkeypatch.setenv("VADE_WATCH_DEBOUNCE", "0.05")
    root = installation.agent(AGENT)
    memory = installation.open(AGENT)
    heard = threading.Semaphore(0)
    reports: list[Any] = []

    def hear(report: Any) -> None:
        reports.append(report)
        heard.release()

    watch = Running(lambda: memory.watch(hear))
    assert heard.acquire(timeout=60)  # the sweep at the start; one more tells that events come
    (root / "memory" / "seen.md").write_text("# Seen\n", encoding="utf-8")
    assert heard.acquire(timeout=60)
    count = len(reports)
    seal()
    (root / "memory" / "unseen.md").write_text("# Unseen\n", encoding="utf-8")
    assert watch.ended()
    assert isinstance(watch.error, Sealed)
    assert len(reports) in (count, count + 1)  # a sweep may have been under way


@pytest.mark.req("A-01")
def test_a_service_that_runs_ends_too(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VADE_WATCH_DEBOUNCE", "0.05")
    root = installation.agent(AGENT)
    memory = installation.open(AGENT)
    heard = threading.Semaphore(0)

    def hear(_event: Event) -> None:
        heard.release()

    service = Running(lambda: memory.serve(hear))
    assert heard.acquire(timeout=60)
    remove()
    (root / "memory" / "unseen.md").write_text("# Unseen\n", encoding="utf-8")
    assert service.ended()
    assert isinstance(service.error, Sealed)
