"""Set everything up and ask a sample memory a question: `python3 scripts/try.py [DIRECTORY]`.

Installs into `.venv`, copies the sample workspace to DIRECTORY (`demo/` unless you name another),
reads it into an index with the bundled embedder, and ends with a cited answer to a question none of
whose words stands in the note. A demo that is there already is kept as it is, with what you wrote.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from bootstrap import REPOSITORY, SetUpFailed, child_environment, environment, fail, say

SAMPLE = REPOSITORY / "examples" / "workspace"
QUESTIONS = REPOSITORY / "examples" / "questions.toml"


def main(arguments: list[str]) -> int:
    """Return 0 when the answer was found and shown."""
    if arguments[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    demo = Path(arguments[0] if arguments else REPOSITORY / "demo").absolute()
    try:
        python = environment(development=False)
        copy_sample(demo)
    except SetUpFailed as error:
        return fail(error)
    vade = str(python.parent / "vade")
    say("reading the notes into the index")
    if code := run([vade, "--workspace", str(demo), "sync"]):
        return code
    question = first_question()
    print(f"\n$ vade recall {shlex.quote(question)}", flush=True)
    if code := run([vade, "--workspace", str(demo), "recall", question, "-k", "1"]):
        return code
    print_next(demo)
    return 0


def copy_sample(demo: Path) -> None:
    """Copy the sample unless something is there. Raises SetUpFailed."""
    if demo.exists() and any(demo.iterdir()):
        say(f"using {demo} as it is")
        return
    try:
        shutil.copytree(SAMPLE, demo, dirs_exist_ok=True)
    except OSError as error:
        raise SetUpFailed(f"The sample cannot be copied to {demo}: {error}.") from error
    say(f"copied the sample workspace to {demo}")


def first_question() -> str:
    """Return the question whose words the answering note does not hold."""
    import tomllib  # bootstrap has made sure of Python 3.11 by now

    with QUESTIONS.open("rb") as file:
        return str(tomllib.load(file)["question"][0]["ask"])


def run(command: list[str]) -> int:
    """Run one command as a person would and return its exit code."""
    return subprocess.run(command, env=child_environment(), check=False).returncode


def print_next(demo: Path) -> None:
    """Say what to type next."""
    print(
        f"""
No word of that question stands in the note; it was found by what it means. Go on:

  source {REPOSITORY / ".venv" / "bin" / "activate"}
  cd {demo}
  vade recall "Do services talk GraphQL?"
  vade search ERR_TIDE_17
  vade log "Tried vademecum" --title "First steps"
"""
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
