"""One writer at a time, also after one that died."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from vademecum.core.errors import LockTimeout, StateUnwritable
from vademecum.workspace.locks import lock_of, locked

HOLDER = """
import sys
from pathlib import Path
from vademecum.workspace.locks import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.mark.req("B-02")
def test_a_second_holder_waits_and_is_told_which_lock(tmp_path: Path) -> None:
    side = tmp_path / "locks" / "a.lock"
    with locked(side), pytest.raises(LockTimeout, match=r"a\.lock"), locked(side, timeout=0.05):
        pass
    with locked(side, timeout=0.05):
        pass


@pytest.mark.req("B-02")
def test_threads_exclude_each_other_too(tmp_path: Path) -> None:
    side = tmp_path / "a.lock"
    count = 0

    def work() -> None:
        nonlocal count
        for _ in range(100):
            with locked(side):
                seen = count
                os.sched_yield()
                count = seen + 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert count == 400


@pytest.mark.req("B-02")
@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="who waits is seen in /proc only")
def test_who_came_first_is_served_first(tmp_path: Path) -> None:
    side = tmp_path / "a.lock"
    served: list[int] = []

    def work(number: int) -> None:
        with locked(side):
            served.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(5)]
    with locked(side):
        for number, thread in enumerate(threads, 1):
            thread.start()
            looks = iter(range(100_000))
            while _waiting_for(side) < number:
                assert next(looks, None) is not None, "nobody waits where the kernel sees it"
    for thread in threads:
        thread.join()
    assert served == [0, 1, 2, 3, 4]


@pytest.mark.req("B-02")
def test_a_wait_ends_when_it_is_not_wanted_any_more(tmp_path: Path) -> None:
    side = tmp_path / "a.lock"

    def no_more() -> None:
        raise KeyboardInterrupt

    with locked(side), pytest.raises(KeyboardInterrupt), locked(side, meanwhile=no_more):
        pass
    with locked(side, timeout=1.0):
        pass


@pytest.mark.req("B-02")
def test_who_gave_up_waiting_holds_nothing_later(tmp_path: Path) -> None:
    side = tmp_path / "a.lock"
    with locked(side), pytest.raises(LockTimeout), locked(side, timeout=0.02):
        pass
    for _ in range(20):
        with locked(side, timeout=1.0):
            pass


def _waiting_for(side: Path) -> int:
    inode = f":{side.stat().st_ino} "
    rows = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    return sum("-> FLOCK" in row and inode in row for row in rows)


@pytest.mark.req("B-02")
def test_the_lock_of_a_killed_process_is_free_at_once(tmp_path: Path) -> None:
    side = tmp_path / "a.lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(side)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout and holder.stdout.readline() == b"held\n"
        with pytest.raises(LockTimeout), locked(side, timeout=0.0):
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        with locked(side, timeout=1.0):
            pass


@pytest.mark.req("B-02")
def test_all_spellings_of_a_name_share_one_lock(tmp_path: Path) -> None:
    assert lock_of(tmp_path, "Café.md") == lock_of(tmp_path, "cafe\u0301.MD")


@pytest.mark.req("B-02")
def test_a_state_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StateUnwritable, match="file"), locked(tmp_path / "file" / "a.lock"):
        pass
