"""Set everything up and pass the tests: `python3 scripts/check.py [--slow] [--quick]`.

Runs what a change must pass: formatting, lint, types, layer contracts, freshness of the generated
reference, tests. `--quick` leaves the tests out, `--slow` adds fault, client and load tests.
Exit code 0 only when all of it passed.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from bootstrap import REPOSITORY, SetUpFailed, child_environment, environment, fail, say

_TEST_PROCESSES = "2"
_MAY_BE_NONE = ("slow tests", "tests alone")


def main(arguments: list[str]) -> int:
    """Return 0 when everything passed."""
    if unknown := set(arguments) - {"--slow", "--quick"}:
        return fail(SetUpFailed(f"Unknown option {unknown.pop()}; there are --quick and --slow."))
    try:
        python = environment(development=True)
    except SetUpFailed as error:
        return fail(error)
    broken = [name for name, command in checks(python, arguments) if not passes(name, command)]
    if broken:
        print(f"\nNot passed: {', '.join(broken)}", flush=True)
        return 1
    return 0


def checks(python: Path, arguments: list[str]) -> list[tuple[str, list[str]]]:
    """Name and command of every check, in the order in which they run."""
    tools = python.parent
    rows: list[tuple[str, list[str]]] = [
        ("format", [str(tools / "ruff"), "format", "--check", "--quiet"]),
        ("lint", [str(tools / "ruff"), "check", "--quiet"]),
        ("types", [str(tools / "mypy"), "--no-error-summary"]),
        ("layers", [str(tools / "lint-imports"), "--no-logo"]),
        ("reference", [str(python), "scripts/reference.py", "--check"]),
    ]
    if "--quick" in arguments:
        return rows
    pytest = [str(python), "-m", "pytest", "-q"]
    rows.append(("tests", [*pytest, "-n", _TEST_PROCESSES]))
    if "--slow" in arguments:
        rows.append(("slow tests", [*pytest, "-m", "slow and not alone", "-n", _TEST_PROCESSES]))
        # One at a time: a load test that shares its cores measures its neighbour.
        rows.append(("tests alone", [*pytest, "-m", "slow and alone"]))
    return rows


def passes(name: str, command: list[str]) -> bool:
    """Run one check, show what it says, and return whether it passed."""
    started = time.monotonic()
    done = subprocess.run(command, cwd=REPOSITORY, env=child_environment(), check=False)
    # pytest says 5 where no test was selected, which is no failure of any of them.
    passed = done.returncode == 0 or (done.returncode == 5 and name in _MAY_BE_NONE)
    say(f"{name}: {'passed' if passed else 'FAILED'} in {time.monotonic() - started:.0f} s")
    return passed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
