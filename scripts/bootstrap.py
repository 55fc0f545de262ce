"""Set up `.venv` beside this file's directory, on a machine that has only Python 3.11 or newer.

Standard library only: no pip, no ensurepip, no git and no compiler are needed, and the system's own
Python is left as it is. A second run finds everything in place and takes no time.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
ENVIRONMENT = REPOSITORY / ".venv"
OLDEST = (3, 11)


class SetUpFailed(Exception):
    """The environment could not be made; the message says what to do."""


def environment(development: bool) -> Path:
    """Return the Python of a `.venv` in which the project (and its tools) are installed.

    Raises SetUpFailed.
    """
    _need_python()
    python = ENVIRONMENT / "bin" / "python"
    wanted = _fingerprint()
    if _installed(development) == wanted and _answers(python):
        say(f"using {ENVIRONMENT.name}, which is up to date")
        return python
    requirements = ["-e", str(REPOSITORY), *(_development_requirements() if development else [])]
    started = time.monotonic()
    if not _with_uv(python, requirements):
        _with_pip(python, requirements)
    for part in ("runtime", "development") if development else ("runtime",):
        (ENVIRONMENT / f".vade-{part}").write_text(wanted, encoding="utf-8")
    say(f"installed in {time.monotonic() - started:.0f} s")
    return python


def say(line: str) -> None:
    """Print one line of progress at once."""
    print(f"· {line}", flush=True)


def fail(error: Exception) -> int:
    """Print why it ended, in one sentence, and return the exit code."""
    print(f"\n{error}", file=sys.stderr, flush=True)
    return 1


def child_environment() -> dict[str, str]:
    """The environment for programs of `.venv`, without what belongs to another Python."""
    left_out = {"PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__"}
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    kept["PATH"] = f"{ENVIRONMENT / 'bin'}{os.pathsep}{kept.get('PATH', os.defpath)}"
    return kept


def _need_python() -> None:
    """Go on with a newer Python of this machine when this one is too old."""
    if sys.version_info >= OLDEST:
        return
    for minor in range(20, OLDEST[1] - 1, -1):
        if other := shutil.which(f"python3.{minor}"):
            os.execv(other, [other, *sys.argv])
    raise SetUpFailed(
        f"Python {OLDEST[0]}.{OLDEST[1]} or newer is needed; this is {sys.version.split()[0]} "
        f"({sys.executable}) and no newer one is on PATH."
    )


def _fingerprint() -> str:
    """Changes whenever another installation is needed."""
    parts = [sys.version, str(ENVIRONMENT), (REPOSITORY / "pyproject.toml").read_text("utf-8")]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _installed(development: bool) -> str:
    mark = ENVIRONMENT / (".vade-development" if development else ".vade-runtime")
    try:
        return mark.read_text(encoding="utf-8")
    except OSError:
        return ""


def _answers(python: Path) -> bool:
    """Whether the Python of the environment still runs (its base may have been removed)."""
    try:
        done = subprocess.run([python, "-c", "import vademecum"], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def _development_requirements() -> list[str]:
    """Read from pyproject.toml, since a pip older than 25.1 knows no dependency groups."""
    import tomllib  # this file must start on an older Python to say so

    with (REPOSITORY / "pyproject.toml").open("rb") as file:
        return list(tomllib.load(file)["dependency-groups"]["dev"])


def _with_uv(python: Path, requirements: list[str]) -> bool:
    """Install with uv where it is there; False when it is not, or did not manage to."""
    uv = os.environ.get("UV") or shutil.which("uv")
    if not uv:
        return False
    say(f"setting up {ENVIRONMENT.name} with uv")
    made = python.exists() or _quiet(
        [uv, "venv", "--seed", "--python", sys.executable, str(ENVIRONMENT)]
    )
    if made and _quiet([uv, "pip", "install", "--python", str(python), *requirements]):
        return True
    say("uv did not manage to; going on with pip")
    return False


def _quiet(command: list[str]) -> bool:
    try:
        return (
            subprocess.run(command, capture_output=True, cwd=REPOSITORY, check=False).returncode
            == 0
        )
    except OSError:
        return False


def _with_pip(python: Path, requirements: list[str]) -> None:
    say(f"setting up {ENVIRONMENT.name} with Python {sys.version.split()[0]}")
    _make_environment(python)
    if not _quiet([str(python), "-m", "pip", "--version"]):
        _add_pip(python)
    command = [
        *(str(python), "-m", "pip", "install", "--no-compile", "--progress-bar", "off"),
        *("--disable-pip-version-check", "--no-input", "--no-warn-script-location"),
        *requirements,
    ]
    _follow(command)


def _make_environment(python: Path) -> None:
    if _answers(python) or (python.exists() and _quiet([str(python), "-c", ""])):
        return
    try:
        import venv  # its absence is to be told in a sentence

        venv.EnvBuilder(with_pip=False, symlinks=True, clear=True).create(ENVIRONMENT)
    except ImportError as error:
        raise SetUpFailed(
            f"{sys.executable} lacks its standard library module venv ({error}); install the "
            "whole of Python, on Debian and Ubuntu: apt-get install python3"
        ) from error
    except (OSError, subprocess.CalledProcessError) as error:
        raise SetUpFailed(f"{ENVIRONMENT} cannot be made: {error}.") from error


def _add_pip(python: Path) -> None:
    """From the standard library where it has one, else from the package index."""
    if _quiet([str(python), "-m", "ensurepip", "--default-pip"]):
        return
    # Imported here so that an older Python gets as far as its clear sentence.
    from fetch_pip import FetchFailed, fetch_pip

    say("this Python came without pip; fetching it from the package index")
    with tempfile.TemporaryDirectory(prefix="vade-") as directory:
        try:
            wheel = fetch_pip(Path(directory))
        except FetchFailed as error:
            raise SetUpFailed(
                f"pip is missing and cannot be fetched: {error} Check the network, or name your "
                "index in PIP_INDEX_URL and its certificate in PIP_CERT."
            ) from error
        # A wheel is a zip file that Python can run from.
        if not _quiet(
            [str(python), f"{wheel}/pip", "install", "--no-index", "--no-deps", str(wheel)]
        ):
            raise SetUpFailed(f"{wheel.name} was fetched but does not install into {ENVIRONMENT}.")


def _follow(command: list[str]) -> None:
    """Run pip and show what is being downloaded. Raises SetUpFailed with its last words."""
    heard: list[str] = []
    with subprocess.Popen(
        command,
        cwd=REPOSITORY,
        env=child_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            heard.append(line.rstrip())
            if step := _step(line):
                say(step)
    if process.returncode:
        print("\n".join(heard[-15:]), file=sys.stderr)
        raise SetUpFailed("pip could not install the packages; its last lines stand above.")


def _step(line: str) -> str:
    if match := re.match(r"\s*Downloading (\S+?)-[\d.]\S* (\(\S+ [kMG]?B\))", line):
        return f"downloading {match.group(1).rsplit('/', 1)[-1]} {match.group(2)}"
    if line.startswith("Installing collected packages"):
        return "unpacking"
    return ""
