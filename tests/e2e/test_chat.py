"""`vade chat` as a process, on a scripted model: what one session is told, the next one knows."""

from __future__ import annotations

import importlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from vademecum.surfaces.cli.main import status_of

pytest.importorskip("pydantic_ai", reason="the extra `models` is not installed")

DECISION = "The billing service stores its events in Kafka"
NOBODY = "http://127.0.0.1:9"
"""The port of a service that nobody runs."""


@dataclass
class Talk:
    """A workspace to talk in; `run` is a process of `vade`."""

    notes: Path
    source: Path

    def start(
        self, *arguments: str, endpoint: str, code: str = "", **variables: str
    ) -> subprocess.Popen[str]:
        begun = ["-c", code] if code else ["-m", "vademecum"]
        return subprocess.Popen(
            [sys.executable, *begun, *arguments],
            cwd=self.notes,
            env={
                **os.environ,
                "PYTHONPATH": str(self.source),
                "VADE_MODEL_ENDPOINT": endpoint,
                "VADE_EMBEDDER_PROVIDER": "none",
                **variables,
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, said: str = "", endpoint: str = NOBODY, **more: str) -> Any:
        process = self.start(*arguments, endpoint=endpoint, **more)
        out, err = process.communicate(said, timeout=120)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def heard(self, words: str) -> str:
        """Return what transcripts hold of some words."""
        return str(self.run("search", "--transcripts", words).stdout)


@pytest.fixture
def talk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Talk:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert status_of(["init", str(tmp_path / "notes")]) == 0
    return Talk(tmp_path / "notes", Path(__file__).resolve().parents[2] / "src")


@pytest.fixture
def model() -> Iterator[Any]:
    scripted = importlib.import_module("vademecum_e2e_scripted_model")
    remember = {"text": f"{DECISION}.", "kind": "decision", "tag": "stated"}
    scenes = [
        scripted.Scene("Remember this", (scripted.Call("memory_remember", remember),), "Noted."),
        scripted.Scene("NO_REPLY", (), "preference: Ada wants short replies."),
        scripted.Scene(
            "Where do events go",
            (scripted.Call("memory_recall", {"query": "Where does billing store its events?"}),),
            "They go to Kafka.",
        ),
        scripted.Scene("use a hammer", (scripted.Call("memory_status", {}),), "I have none."),
    ]
    with scripted.ScriptedModel(scenes) as model:
        yield model


@pytest.mark.req("C-01", "C-02", "C-03", "C-04", "C-05", "F-02")
def test_what_one_session_decides_the_next_recalls_with_its_source(talk: Talk, model: Any) -> None:
    (talk.notes / "MEMORY.md").write_text("# Memory\n\n- The house is called Heron.\n")
    small = ("chat", "--model", "openai:scripted", "--window", "4000")
    filler = [f"Filler number {n}: {'more of the same ' * 60}" for n in range(6)]
    said = "\n".join([f"Remember this: {DECISION}.", *filler])
    first = talk.run(*small, said=said, endpoint=f"{model.address}/v1")
    assert first.returncode == 0, first.stderr
    assert first.stdout.splitlines() == ["Noted."] + ["Done."] * 6  # the flush is not shown
    assert "Written down before the window is full: 1." in first.stderr
    assert "The window was compacted" in first.stderr
    begun = model.received[0].body["messages"]
    assert "The house is called Heron." in begun[1]["content"]  # data: not in the instructions
    assert "Heron" not in begun[0]["content"]
    assert begun[0]["role"] == "system"
    assert "Summary of the conversation so far." in model.received[-1].text
    flushes = first.stderr.count("Written down")
    assert sum("about to be compacted" in one.text for one in model.received) == flushes
    logs = "".join(path.read_text() for path in (talk.notes / "memory").glob("20*.md"))
    assert "Ada wants short replies" in logs
    assert "Filler number 0" in talk.heard("Filler number 0")

    model.received.clear()
    second = talk.run(
        *("chat", "--model", "anthropic:scripted", "--once", "Where do events go?", "--json"),
        endpoint=model.address,
    )
    assert second.returncode == 0, second.stderr
    assert '"reply": "They go to Kafka."' in second.stdout
    returned = model.received[-1].text
    assert DECISION in returned
    assert "memory/decisions/" in returned


@pytest.mark.req("F-02")
@pytest.mark.parametrize(("provider", "path"), [("google", ""), ("ollama", "/v1")])
def test_any_provider_is_talked_to_and_offered_six_tools(
    talk: Talk, model: Any, provider: str, path: str
) -> None:
    named = f"{provider}:scripted"
    done = talk.run(
        *("chat", "--model", named, "--once", "-"), said="Go", endpoint=model.address + path
    )
    assert (done.returncode, done.stdout) == (0, "Done.\n")
    offered = {word for word in model.received[0].text.split("\n") if word.startswith("memory_")}
    assert offered == {f"memory_{t}" for t in ("recall", "search", "get", "remember", "log", "now")}


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.req("C-04")
def test_a_provider_that_fails_loses_no_turn_and_the_conversation_goes_on(talk: Talk) -> None:
    done = talk.run("chat", "--model", "openai:any", said="The port is 7411.\nAnd now?\n")
    assert done.returncode == 0
    assert done.stdout == ""
    assert done.stderr.count("error: openai:any did not answer") == 2
    assert "The port is 7411." in talk.heard("7411")
    once = talk.run("chat", "--model", "openai:any", "--once", "The port is 7412.")
    assert once.returncode == 7
    assert "The port is 7412." in talk.heard("7412")


@pytest.mark.req("C-04")
def test_an_interrupted_answer_keeps_what_was_said(talk: Talk) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(60)
        endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}"
        process = talk.start(
            "chat", "--model", "openai:any", "--once", "The port is 7413.", endpoint=endpoint
        )
        asked, _ = silent.accept()
        with asked:
            assert asked.recv(1)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
    assert process.returncode == 130
    assert "The port is 7413." in talk.heard("7413")


def test_without_the_extra_one_sentence_says_what_to_install(talk: Talk) -> None:
    hidden = (
        "import sys; sys.modules['pydantic_ai'] = None; "
        "from vademecum.surfaces.cli.start import run; run()"
    )
    done = talk.run("chat", "--model", "openai:any", "--once", "Hello", code=hidden)
    assert done.returncode == 7
    assert done.stderr.splitlines() == [
        "error: A conversation with openai needs packages that are not installed.",
        "hint: Install the extra: pip install 'vademecum[models]'.",
    ]


def test_a_model_that_cannot_be_meant_and_a_missing_key_are_told(
    talk: Talk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VADE_WORKSPACE", str(talk.notes))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert status_of(["chat", "--once", "Hello"]) == 2
    assert "No model is named" in capsys.readouterr().err
    assert status_of(["chat", "--model", "gpt", "--once", "Hello"]) == 2
    assert "providers are openai, anthropic, google, ollama" in capsys.readouterr().err
    assert status_of(["chat", "--model", "openai:any", "--once", "Hello"]) == 7
    assert "Set OPENAI_API_KEY or VADE_MODEL_API_KEY" in capsys.readouterr().err


@pytest.mark.req("C-03")
def test_the_same_model_writes_summaries_where_it_is_chosen(talk: Talk) -> None:
    scripted = importlib.import_module("vademecum_e2e_scripted_model")
    names = ("decisions", "open_threads", "files", "identifiers", "preferences", "statements")
    summary: dict[str, list[str]] = {name: [] for name in names}
    summary |= {"goal": ["Bring the heron home"], "next_step": ["Open the gate"]}
    asked = scripted.Scene("Summarise it", (scripted.Call("give_answer", summary),))
    (talk.notes / "window.json").write_text(
        '[{"role": "user", "content": "The heron is away."},'
        ' {"role": "assistant", "content": "I look for it."},'
        f' {{"role": "user", "content": "{"It is far away. " * 200}"}}]'
    )
    with scripted.ScriptedModel([asked]) as model:
        done = talk.run(
            *("compact", "--session", "s1", "--messages", "window.json", "--keep", "100"),
            endpoint=f"{model.address}/v1",
            VADE_MODEL_PROVIDER="chat",
            VADE_MODEL_CHAT="openai:scripted",
        )
    assert done.returncode == 0, done.stderr
    assert "Bring the heron home" in done.stdout
