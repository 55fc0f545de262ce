"""The `git` command goes on for a while when its caller is killed, and keeps the caller's lock."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from vademecum.core.errors import LockTimeout
from vademecum.workspace.locks import locked

CALLER = """
import sys
from pathlib import Path
from vademecum.workspace.git.command import Git, handing_on
from vademecum.workspace.locks import locked
place = Path(sys.argv[1])
with locked(place / "lock") as lock, handing_on(lock):
    Git(str(place / "git"), place, {"PATH": "/usr/bin:/bin"}).run("update-ref")
"""


@pytest.mark.req("B-02")
def test_a_git_whose_caller_was_killed_keeps_the_lock_until_it_has_ended(tmp_path: Path) -> None:
    for name in ("begun", "end"):
        os.mkfifo(tmp_path / name)
    script = tmp_path / "git"
    script.write_text("#!/bin/sh\necho > begun\nread line < end\n")
    script.chmod(0o755)
    caller = subprocess.Popen([sys.executable, "-c", CALLER, str(tmp_path)])
    (tmp_path / "begun").read_text()
    caller.send_signal(signal.SIGKILL)
    caller.wait()
    with pytest.raises(LockTimeout), locked(tmp_path / "lock", timeout=0.0):
        pass
    (tmp_path / "end").write_text("now\n")
    with locked(tmp_path / "lock", timeout=30.0):
        pass
