"""`vade install` and `vade uninstall` from the shell."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from vademecum.service.memory import init


@pytest.fixture
def home(tmp_path: Path) -> Path:
    init(tmp_path / "notes")
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def _vade(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run `vade` as a user whose home is `home`, in the workspace beside it."""
    return subprocess.run(
        [sys.executable, "-m", "vademecum", *words],
        capture_output=True,
        text=True,
        cwd=home.parent / "notes",
        env={
            "HOME": str(home),
            "PATH": os.defpath,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        },
        check=False,
    )


@pytest.mark.req("C-01")
def test_installing_says_what_was_done_and_that_it_answers(home: Path) -> None:
    done = _vade(home, "install", "claude-code")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"created  {home}/.claude/settings.json" in done.stdout
    assert "answers  hook:" in done.stdout
    assert "answers  server: vademecum" in done.stdout
    again = json.loads(_vade(home, "install", "claude-code", "--json").stdout)
    assert {file["what"] for file in again["files"]} == {"unchanged"}
    gone = _vade(home, "uninstall", "claude-code")
    assert gone.returncode == 0
    assert f"removed  {home}/.claude/settings.json" in gone.stdout
    assert not (home / ".claude").exists()


def test_printing_does_nothing(home: Path) -> None:
    done = _vade(home, "install", "codex", "--print")
    assert done.returncode == 0
    assert "[mcp_servers.vademecum]" in done.stdout
    assert str(home / ".codex" / "hooks.json") in done.stdout
    assert list(home.iterdir()) == []


def test_a_file_with_comments_is_refused_with_what_to_paste(home: Path) -> None:
    (home / ".cursor").mkdir()
    (home / ".cursor" / "mcp.json").write_text('{\n  // mine\n  "mcpServers": {}\n}\n')
    done = _vade(home, "install", "cursor")
    assert done.returncode == 4
    assert "holds comments" in done.stderr
    assert '"vademecum": {"command"' in done.stderr
    assert [path.name for path in (home / ".cursor").iterdir()] == ["mcp.json"]


def test_without_a_workspace_nothing_is_set_up(home: Path) -> None:
    done = _vade(home, "install", "gemini", "--workspace", str(home / "none"))
    assert done.returncode == 3
    assert list(home.iterdir()) == []


def test_an_unknown_host_is_named_with_those_that_are_known(home: Path) -> None:
    done = _vade(home, "install", "emacs")
    assert done.returncode == 2
    assert "claude-code" in done.stderr
