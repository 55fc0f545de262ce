"""`vade forget`, `git`, `merge-file`, and what `history` and `undo` took on, from the shell."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from vademecum.surfaces.cli.main import status_of

Run = Callable[..., str]
FACT = "The heliotrope key lies under the third flowerpot"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "notes"
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("VADE_EMBEDDER_PROVIDER", "none")
    monkeypatch.setenv("VADE_WORKSPACE", str(root))
    monkeypatch.delenv("VADE_AGENT", raising=False)
    root.mkdir()
    assert status_of(["init", str(root)]) == 0
    (root / "memory/keys.md").write_text(f"# Keys\n\n- {FACT} ^c7f3a1\n- Another ^d1d1d1\n")
    return root


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], workspace: Path) -> Run:
    assert workspace.is_dir()
    capsys.readouterr()

    def call(*arguments: str, code: int = 0) -> str:
        assert status_of(list(arguments)) == code
        return capsys.readouterr().out

    return call


@pytest.mark.req("B-03", "B-06")
def test_forget_lists_first_and_proves_afterwards(run: Run, workspace: Path) -> None:
    shown = run("forget", FACT)
    assert "memory/keys.md:3 ^c7f3a1" in shown
    assert "Nothing was changed." in shown
    assert "would be forgotten" in run("forget", "^c7f3a1", "--dry-run")
    assert FACT in (workspace / "memory/keys.md").read_text()
    shown = run("forget", "^c7f3a1", "--reason", "asked for")
    assert "proof  no file holds it" in shown
    assert "remains  old versions" in shown
    assert "heliotrope" not in shown
    assert "heliotrope" not in (workspace / "memory/keys.md").read_text()
    run("log", FACT, code=4)
    run("forget", "^nothing", code=3)


@pytest.mark.req("B-03", "B-06")
def test_forgetting_as_json_names_places_without_the_text(run: Run) -> None:
    done = json.loads(run("forget", "^c7f3a1", "--json"))
    assert done["places"][0]["path"] == "memory/keys.md"
    assert done["places"][0]["start"] == 3
    assert done["stone"]
    assert "heliotrope" not in json.dumps(done)


@pytest.mark.req("B-03", "B-06")
def test_history_and_undo_by_claim_actor_and_day(run: Run, workspace: Path) -> None:
    run("--agent", "ada", "log", "One.")
    run("--agent", "bob", "log", "Two.")
    assert "Two." in run("history", "--actor", "bob")
    assert "One." not in run("history", "--actor", "bob")
    assert "No such write" in run("history", "--since", "2999-01-01")
    run("history", "--since", "soon", code=2)
    stone = json.loads(run("forget", "^c7f3a1", "--json"))["stone"]
    assert "forget" in run("history", "^c7f3a1")
    run("undo", code=2)
    run("undo", "x", "--actor", "ada", code=2)
    done = json.loads(run("undo", "--actor", "ada", "--json"))
    assert len(done["written"]) == 1
    logs = "".join(file.read_text() for file in (workspace / "memory").glob("2*.md"))
    assert "One." not in logs
    assert "Two." in logs
    run("undo", stone)
    assert FACT in (workspace / "memory/keys.md").read_text()


@pytest.mark.req("B-02", "B-06")
def test_git_is_set_up_shown_and_removed(run: Run, workspace: Path) -> None:
    run("git", "setup", code=4)
    assert "none: the workspace is in no repository" in run("git")
    subprocess.run(["git", "init", "-q"], cwd=workspace, check=True)
    assert run("git", "setup").count("did  ") == 3
    assert run("git", "setup").count("did  ") == 0
    run("log", "Into history.")
    assert json.loads(run("git", "status", "--json"))["waiting"] == 0
    log = subprocess.run(["git", "log"], cwd=workspace, capture_output=True, text=True, check=True)
    assert "Vade-Entry: " in log.stdout
    assert run("git", "remove").count("did  ") == 3


@pytest.mark.req("B-02", "B-06")
def test_merge_file_ends_as_git_expects(run: Run, tmp_path: Path) -> None:
    files = {"base": "- A ^a1a1a1\n", "ours": "- A, ours ^a1a1a1\n", "theirs": "- A ^a1a1a1\n- B\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    names = [str(tmp_path / name) for name in files]
    run("merge-file", *names, "memory/a.md")
    assert (tmp_path / "ours").read_text() == "- A, ours ^a1a1a1\n- B\n"
    (tmp_path / "theirs").write_text("- A, theirs ^a1a1a1\n")
    run("merge-file", *names, "memory/a.md", code=1)
    assert "CONFLICT" in (tmp_path / "ours").read_text()
    run("merge-file", str(tmp_path / "gone"), *names[1:], code=3)
