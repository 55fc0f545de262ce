"""The generated reference says what the code says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_the_generated_reference_is_fresh(repository: Path) -> None:
    done = subprocess.run(
        [sys.executable, "scripts/reference.py", "--check"],
        cwd=repository,
        env={**os.environ, "PYTHONPATH": str(repository / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
