"""`vade flush` and `vade compact` from the shell, and the sweep before a host compacts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vademecum.service.hooking import answer
from vademecum.surfaces.cli.main import status_of

Run = Callable[..., str]
TALK = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "We decided on REST for all services."},
    {"role": "assistant", "content": "Good. " + "filler words " * 400},
    {"role": "user", "content": "Go on."},
]


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
    (tmp_path / "window.json").write_text(json.dumps(TALK))
    return root


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], workspace: Path) -> Run:
    assert workspace.is_dir()
    capsys.readouterr()

    def call(*arguments: str, code: int = 0) -> str:
        assert status_of(list(arguments)) == code
        return capsys.readouterr().out

    return call


def in_log(workspace: Path, text: str) -> int:
    return sum(p.read_text().count(text) for p in (workspace / "memory").glob("20*.md"))


@pytest.mark.req("C-02")
def test_a_script_asks_flushes_and_is_told_when_that_was_done(run: Run, workspace: Path) -> None:
    window = str(workspace.parent / "window.json")
    asked = ("flush", "--session", "s1", "--window", "100000", "--json")
    assert json.loads(run(*asked, "--messages", window))["due"] is False
    due = json.loads(run(*asked, "--tokens", "99000"))
    assert due["due"] is True and "NO_REPLY" in due["prompt"]
    reply = 'decision: All services talk REST | "We decided on REST"'
    done = json.loads(run("flush", "--session", "s1", reply, "--json"))
    assert done["already"] is False
    assert [(one["text"], one["outcome"], one["tag"]) for one in done["kept"]] == [
        ("All services talk REST", "added", "stated")
    ]
    assert json.loads(run("flush", "--session", "s1", reply, "--json"))["already"] is True
    assert json.loads(run("flush", "--json")) == {"replayed": []}
    assert "no flush was missed" in run("flush")
    assert in_log(workspace, "- Agent: All services talk REST") == 1


@pytest.mark.req("C-03")
def test_a_script_gets_the_new_window(run: Run, workspace: Path) -> None:
    window = str(workspace.parent / "window.json")
    asked = ("compact", "--session", "s1", "--messages", window, "--json")
    kept = json.loads(run(*asked))
    assert kept["compacted"] is False and kept["messages"] == TALK
    done = json.loads(run(*asked, "--keep", "100"))
    assert done["compacted"] is True
    system, summary, last = done["messages"]
    assert (system, last) == (TALK[0], TALK[-1])
    assert "We decided on REST for all services." in summary["content"]
    assert summary["content"] == done["text"]


@pytest.mark.req("C-03")
def test_what_is_no_window_is_said_in_a_sentence(run: Run, workspace: Path) -> None:
    bad = workspace.parent / "bad.json"
    for text in ("nothing", "{}", "3", '[{"content": "x"}]'):
        bad.write_text(text)
        run("compact", "--session", "s1", "--messages", str(bad), code=2)
    run("compact", "--session", "s1", "--messages", str(workspace / "missing.json"), code=2)
    run("compact", code=2)


@pytest.mark.req("C-02", "C-04")
def test_what_lasts_is_in_the_log_before_a_host_compacts(run: Run, workspace: Path) -> None:
    assert run("status")

    def hook(event: str, **fields: Any) -> None:
        given = {"session_id": "h1", "cwd": str(workspace), **fields}
        done = answer("claude-code", event, given, limit=9_500, length=len)
        assert done.complaints == ()

    hook("UserPromptSubmit", prompt="I prefer replies in German. What is next?")
    for _ in range(2):
        hook("PreCompact")
    assert in_log(workspace, "- User: I prefer replies in German.") == 1
    hook("PostCompact", compact_summary="They talked.")
    hook("UserPromptSubmit", prompt="We decided to ship on Friday.")
    hook("PreCompact")
    assert in_log(workspace, "- User: We decided to ship on Friday.") == 1
    assert in_log(workspace, "- User:") == 2
