"""Eight processes at work in one memory for a minute; `python -m benchmarks.load` has it longer."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from vademecum.indexing.elect import elected
from vademecum.service.memory import open_memory
from vademecum.testing import FrozenClock, throwaway_memory
from vademecum.workspace.workspace import open_workspace

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.req("B-02")
def test_eight_processes_for_a_minute_lose_nothing_and_wait_for_nobody(tmp_path: Path) -> None:
    """History-checked; no lock that others wait for is held longer than a second."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.load", "--seconds", "60", "--place", str(tmp_path)],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": f"{REPOSITORY / 'src'}{os.pathsep}{REPOSITORY}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Longest holds" in done.stdout


@pytest.mark.req("B-02", "W-03")
def test_a_claim_waits_for_no_other_process_that_indexes(tmp_path: Path) -> None:
    """While another one indexes, what the ledger knows of is compared, and nothing is lost."""
    with throwaway_memory(root=tmp_path) as memory:
        memory.remember("Services talk REST", kind="decision")
        indexing = threading.Event()
        ended = threading.Event()

        def index() -> None:
            with elected(next((tmp_path / "state").glob("*/locks")).parent):
                indexing.set()
                ended.wait(30)

        other = threading.Thread(target=index)
        other.start()
        indexing.wait(30)
        done = memory.remember("Services talk gRPC", kind="decision")
        waited = not other.is_alive()
        ended.set()
        other.join()
        assert not waited
        assert type(done).__name__ == "Updated"
        assert "gRPC" in memory.recall("what do services talk?").sources[0].text


@pytest.mark.req("B-02", "B-07")
@pytest.mark.parametrize("what", ["lost", "twice", "invented", "behind the ledger's back"])
def test_the_check_of_the_history_sees_what_is_amiss(what: str, tmp_path: Path) -> None:
    sys.path.insert(0, str(REPOSITORY))
    try:
        from benchmarks.load.history import Checker, History
    finally:
        sys.path.remove(str(REPOSITORY))
    settings = {"state.directory": str(tmp_path / "state"), "embedder.provider": "none"}
    root = tmp_path / "notes"
    root.mkdir()
    (root / "vade.toml").write_text('[workspace]\nid = "w"\nprofile = "standard"\nzone = "UTC"\n')
    history = History()
    with open_memory(root, clock=FrozenClock(), settings=settings, variables={}) as memory:
        for _ in range(3):
            one = history.begin("log", "t")
            one.changes = (memory.log(f"Crate {one.word} went to the garden.").change,)
            one.end = "ok"
    workspace = open_workspace(root, flags=settings, variables={})
    assert list(Checker(workspace, history).problems()) == []
    log = root / "memory" / "2026-01-20.md"
    word = history.operations[1].word
    text = log.read_text()
    if what == "lost":
        log.write_text(text.replace(f"Crate {word} went to the garden.\n", ""))
    if what == "twice":
        log.write_text(f"{text}Crate {word} went to the garden.\n")
    if what == "invented":
        log.write_text(text.replace(word, "zqt99z"))
    if what == "behind the ledger's back":
        log.write_text(text + "\n")
    told = list(Checker(open_workspace(root, flags=settings, variables={}), history).problems())
    assert told
