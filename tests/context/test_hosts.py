from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from vademecum.context.capture import capture, transcripts_of
from vademecum.context.events import BootEvent
from vademecum.context.hosts import HOSTS, host_named
from vademecum.core.errors import BadInput
from vademecum.markdown.recalled import marked
from vademecum.service.memory import Memory
from vademecum.testing import throwaway_memory

INJECTED = marked("## Memory\n\nAda likes tea.", "startup")

CLAUDE = [
    {"type": "summary", "summary": "x"},
    {"type": "attachment", "uuid": "0", "attachment": {"type": "hook_additional_context",
     "content": [INJECTED]}},
    {"type": "user", "uuid": "1", "timestamp": "t1", "message": {"role": "user",
     "content": f"<system-reminder>be nice</system-reminder>\nUse REST.\n{INJECTED}"}},
    {"type": "user", "uuid": "1m", "isMeta": True, "message": {"content": "Caveat"}},
    {"type": "user", "uuid": "1s", "isSidechain": True, "message": {"content": "side"}},
    {"type": "assistant", "uuid": "2", "message": {"role": "assistant", "content": [
        {"type": "thinking", "thinking": "hmm"}, {"type": "text", "text": "I will."},
        {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}}]}},
    {"type": "user", "uuid": "3", "message": {"role": "user", "content": [
        {"type": "tool_result", "content": [{"type": "text", "text": "file.txt"}]}]}},
    {"type": "user", "uuid": "4", "isCompactSummary": True, "message": {"content": "We chose."}},
    {"type": "user", "uuid": "5", "message": {"content": [{"type": "text", "text": INJECTED}]}},
    {"type": "user", "uuid": "6", "message": {"content":
     "<command-name>/compact</command-name>\n <command-args></command-args>"}},
    {"type": "user", "uuid": "8", "message": {"content":
     "<local-command-stdout>Compacted</local-command-stdout>"}},
    {"type": "assistant", "uuid": 7, "message": None},
    ["not", "a", "row"],
]  # fmt: skip


def codex(ordinal: int, kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": f"t{ordinal}", "ordinal": ordinal, "type": kind, "payload": payload}


def message(ordinal: int, role: str, text: str) -> dict[str, Any]:
    kind = "input_text" if role != "assistant" else "output_text"
    content = [{"type": kind, "text": text}]
    return codex(ordinal, "response_item", type="message", role=role, content=content)


def item(ordinal: int, kind: str, text: str) -> dict[str, Any]:
    inner = {"type": kind, "content": [{"type": "text", "text": text}]}
    return codex(ordinal, "event_msg", type="item_completed", item=inner)


CODEX = [
    codex(0, "session_meta", id="s"),
    message(1, "developer", INJECTED),
    message(2, "user", "# AGENTS.md instructions for /x\n\nObey."),
    message(3, "user", "<environment_context>cwd</environment_context>"),
    message(4, "user", "Use REST."),
    item(5, "UserMessage", "Use REST."),
    codex(6, "response_item", type="function_call", name="shell", arguments='{"cmd":"ls"}'),
    codex(7, "response_item", type="function_call_output", output="file.txt"),
    item(8, "AgentMessage", "I will."),
    message(9, "assistant", "I will."),
]
GEMINI = [
    {"sessionId": "s", "startTime": "t"},
    {"id": "1", "type": "user", "content": "Use REST.\n<hook_context>\nAda\n</hook_context>"},
    {"$set": {"lastUpdated": "t"}},
    {"id": "2", "type": "gemini", "content": [{"text": "I will."}]},
    {"id": "3", "type": "info", "content": "updated"},
]
ROWS: dict[str, list[Any]] = {"claude-code": CLAUDE, "codex": CODEX, "gemini": GEMINI}
SAID = [("user", "Use REST."), ("assistant", "I will.")]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with throwaway_memory(root=tmp_path) as made:
        yield made


def tell(memory: Memory, host: str, event: str, **fields: Any) -> None:
    spoken = host_named(host)
    given = {"session_id": "s", **fields}
    capture(memory._workspace, spoken, spoken.heard(event, given), given)


def on_file(memory: Memory, *speakers: str) -> list[tuple[str, str]]:
    turns = transcripts_of(memory._workspace).turns("s")
    return [(turn.speaker, turn.text) for turn in turns if turn.speaker in speakers]


@pytest.mark.req("C-04")
@pytest.mark.parametrize("host", ROWS)
def test_a_hosts_transcript_is_taken_over_without_what_was_put_into_it(
    memory: Memory, tmp_path: Path, host: str
) -> None:
    path = tmp_path / "host.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS[host]) + '{"torn": ')
    ends = "precompress" if host == "gemini" else "precompact"
    for _ in range(2):
        tell(memory, host, ends, transcript_path=str(path))
    assert on_file(memory, "user", "assistant") == SAID
    kept = transcripts_of(memory._workspace)
    kept.cursor("s").unlink()  # a lost cursor reads all rows again and adds nothing
    before = kept.path("s").read_bytes()
    tell(memory, host, ends, transcript_path=str(path))
    assert kept.path("s").read_bytes() == before
    assert "Ada" not in before.decode()


@pytest.mark.req("C-04")
def test_tools_and_summaries_are_kept_apart_from_what_was_said(
    memory: Memory, tmp_path: Path
) -> None:
    path = tmp_path / "host.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in CLAUDE))
    tell(memory, "claude-code", "postcompact", compact_summary="Chose REST.",
         transcript_path=str(path))  # fmt: skip
    assert on_file(memory, "tool") == [("tool", 'Bash {"command": "ls"}'), ("tool", "→ file.txt")]
    assert on_file(memory, "summary") == [("summary", "Chose REST.")]


@pytest.mark.req("C-04")
@pytest.mark.parametrize("early", [True, False])
@pytest.mark.parametrize("host", ["claude-code", "codex"])
def test_what_hooks_report_and_what_the_transcript_tells_is_kept_once(
    memory: Memory, tmp_path: Path, host: str, early: bool
) -> None:
    path = tmp_path / "host.jsonl"
    rows = [json.dumps(row) + "\n" for row in ROWS[host]]
    reply = next(n for n, row in enumerate(rows) if "I will." in row)
    path.write_text("".join(rows[:reply]) if early else "")
    tell(memory, host, "userpromptsubmit", prompt="Use REST.", transcript_path=str(path))
    assert on_file(memory, "user", "assistant") == SAID[:1]
    tell(memory, host, "stop", last_assistant_message="I will.", transcript_path=str(path))
    assert on_file(memory, "user", "assistant") == SAID
    path.write_text("".join(rows))
    tell(memory, host, "sessionend", transcript_path=str(path))
    assert on_file(memory, "user", "assistant") == SAID


@pytest.mark.req("C-04")
def test_a_long_transcript_is_read_bit_by_bit(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "host.jsonl"
    row = {"type": "user", "message": {"content": "x" * 30_000}}
    rows = [json.dumps({**row, "uuid": f"u{n}"}) + "\n" for n in range(150)]
    path.write_text("".join(rows))
    spoken = host_named("claude-code")
    fields = {"session_id": "s", "transcript_path": str(path)}
    heard = spoken.heard("sessionend", fields)
    assert capture(memory._workspace, spoken, heard, fields).more
    while capture(memory._workspace, spoken, heard, fields).more:
        pass
    assert len(on_file(memory, "user")) == 150


@pytest.mark.req("C-04")
@pytest.mark.parametrize("path", ["", "relative.jsonl", "/nonexistent/x", "/", "/dev/zero", "\0"])
def test_a_transcript_that_is_no_file_is_passed_over(memory: Memory, path: str) -> None:
    tell(memory, "claude-code", "userpromptsubmit", prompt="Hello", transcript_path=path)
    assert on_file(memory, "user") == [("user", "Hello")]


@pytest.mark.req("C-04")
def test_what_a_subagent_does_is_not_the_conversation(memory: Memory) -> None:
    tell(memory, "claude-code", "userpromptsubmit", prompt="Hello", agent_id="a")
    assert on_file(memory, "user") == []


@pytest.mark.req("C-04", "B-04")
def test_a_credential_that_was_said_is_not_kept(memory: Memory) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    for _ in range(2):
        tell(memory, "gemini", "beforeagent", prompt=f"Use {token} for now")
    (said,) = on_file(memory, "user")
    assert token not in said[1]
    assert said[1].startswith("Use [redacted:")
    assert said[1].endswith("for now")


@pytest.mark.req("C-04")
def test_capture_can_be_turned_off(tmp_path: Path) -> None:
    from vademecum.service.memory import init, open_memory

    given = {"state.directory": str(tmp_path / "state"), "transcripts.capture": False}
    init(tmp_path / "w", settings=given, variables={})
    with open_memory(tmp_path / "w", settings=given, variables={}) as memory:
        tell(memory, "gemini", "beforeagent", prompt="Hello")
        assert on_file(memory, "user") == []


@pytest.mark.req("C-01")
def test_only_a_known_source_begins_a_window() -> None:
    for host in ("claude-code", "codex", "gemini"):
        spoken = host_named(host)
        assert spoken.heard("sessionstart", {"source": "startup"}).boot is BootEvent.STARTUP
        for source in ("", None, 7, "reincarnation", ["startup"]):
            assert spoken.heard("sessionstart", {"source": source}).boot is None
        assert not spoken.heard("sessionstart", {}).known
        assert not spoken.heard("brandnewevent", {}).known
    assert host_named("claude-code").heard("sessionstart", {"source": "fork"}).boot is (
        BootEvent.RESUME
    )


@pytest.mark.req("C-04")
def test_plugins_and_editors_report_their_turns_too(memory: Memory) -> None:
    tell(memory, "opencode", "chatmessage", sessionID="s", role="user", messageID="m1",
         parts=[{"type": "text", "text": "Use REST."}])  # fmt: skip
    tell(memory, "cursor", "beforesubmitprompt", conversation_id="s", prompt="Use gRPC.")
    assert on_file(memory, "user") == [("user", "Use REST."), ("user", "Use gRPC.")]


@pytest.mark.req("C-04")
@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("value", [None, 7, "", [], {}, [[]], {"role": 3}, True])
def test_no_form_of_input_makes_a_host_fail(host: str, value: object) -> None:
    spoken = host_named(host)
    keys = ("session_id", "sessionID", "cwd", "directory", "workspace_roots", "transcript_path",
            "source", "prompt", "prompt_response", "last_assistant_message", "parts", "text",
            "role", "type", "uuid", "id", "message", "payload", "content")  # fmt: skip
    fields = dict.fromkeys(keys, value)
    assert isinstance(spoken.session(fields) + spoken.folder(fields), str)
    for event in ("sessionstart", "userpromptsubmit", "stop", "beforeagent", "chatmessage",
                  "beforesubmitprompt", "postcompact"):  # fmt: skip
        spoken.heard(event, fields)
    for kind in ("user", "assistant", "gemini", "response_item", value):
        spoken.turns({**fields, "type": kind, "id": "1", "uuid": "1"})
        spoken.turns({"type": kind, "uuid": "1", "message": {"content": value}})
        spoken.turns({"payload": {"type": "message", "role": "user", "content": value}})
        spoken.turns({"payload": {"type": "item_completed", "item": {"type": value}}})


def test_an_unknown_host_is_refused() -> None:
    with pytest.raises(BadInput):
        host_named("netscape")
