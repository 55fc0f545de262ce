"""Two processes remember at once: nothing is lost and nothing is there twice."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable

import pytest

from vademecum.markdown.claims import read_claims
from vademecum.workspace.workspace import Workspace

WRITER = """
import sys
from pathlib import Path
from vademecum.core.provenance import Actor, Tag
from vademecum.testing import ClaimsInFiles, FrozenClock
from vademecum.workspace.workspace import open_workspace
from vademecum.writing.remember import remember

root, home, name, count = sys.argv[1:]
print("ready", flush=True)
sys.stdin.readline()
variables = {"HOME": home, "XDG_STATE_HOME": home + "/state"}
workspace = open_workspace(Path(root), variables=variables, clock=FrozenClock())
reader = ClaimsInFiles(workspace)
for number in range(int(count)):
    for text, about in (
        (f"Shared machine {number} runs on port {8000 + number}", f"memory/notes/{name}.md"),
        (f"Machine {name}{number} runs on port {9000 + number}", ""),
    ):
        remember(workspace, reader, text, actor=Actor(name, name), tag=Tag.STATED, about=about)
"""


@pytest.mark.req("B-02", "W-02")
@pytest.mark.parametrize("count", [12, pytest.param(50, marks=pytest.mark.slow)])
def test_two_processes_lose_nothing_and_repeat_nothing(
    workspace: Workspace, reachable: Callable[[Workspace], set[str]], count: int
) -> None:
    home = str(workspace.root.parent)
    running = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(workspace.root), home, name, str(count)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("a", "b")
    ]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in running:  # both are loaded: now they run side by side
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in running:
        process.communicate()
    assert [process.returncode for process in running] == [0, 0]
    claims = [
        claim
        for path in workspace.root.rglob("*.md")
        if path.name != "index.md"
        for claim in read_claims("n", path.read_text("utf-8"))
    ]
    texts = Counter(claim.text for claim in claims)
    wanted = {f"Shared machine {n} runs on port {8000 + n}" for n in range(count)}
    wanted |= {f"Machine {who}{n} runs on port {9000 + n}" for who in "ab" for n in range(count)}
    assert texts == Counter(dict.fromkeys(wanted, 1))
    assert all(claim.live for claim in claims)
    assert len({claim.id for claim in claims}) == len(claims)
    assert {path for path in workspace.scan().files if "/facts/" in path} <= reachable(workspace)
    assert not [path for path in workspace.root.rglob("*") if "conflict" in path.name.casefold()]
