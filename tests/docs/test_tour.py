"""The README's tour is real: every console block is run on the sample and its output compared."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_the_readme_shows_what_the_commands_print(repository: Path) -> None:
    done = subprocess.run(
        [sys.executable, "scripts/tour.py", "--check"],
        cwd=repository,
        env={**os.environ, "PYTHONPATH": str(repository / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
