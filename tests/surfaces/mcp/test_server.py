"""The server as a client sees it: started as a process, spoken to over its standard streams."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from vademecum.service.verbs import VERBS

TOOLS = [
    "memory_recall",
    "memory_search",
    "memory_get",
    "memory_remember",
    "memory_log",
    "memory_now",
    "memory_review",
    "memory_status",
]


def wire(value: Any) -> Any:
    return value.model_dump(by_alias=True, exclude_none=True, mode="json")


@pytest.mark.req("B-06")
def test_a_client_lists_and_calls_every_tool(home: Any) -> None:
    calls = {
        "memory_log": {"text": "User: we deploy on Tuesdays only.", "title": "Deploys"},
        "memory_remember": {"text": "Anna prefers tabs over spaces", "kind": "preference"},
        "memory_recall": {"query": "when do we deploy?"},
        "memory_search": {"query": "tabs"},
        "memory_now": {"text": "# Now\n\nShip on Tuesday.\n"},
        "memory_get": {"target": "NOW.md"},
        "memory_review": {},
        "memory_status": {},
    }

    async def question(client: Client) -> tuple[Any, dict[str, Any]]:
        listed = await client.list_tools()
        return listed, {name: await client.call_tool(name, given) for name, given in calls.items()}

    listed, answers = home.asked(question)
    assert [tool.name for tool in listed.tools] == TOOLS
    assert set(calls) == set(TOOLS)
    for name, answer in answers.items():
        assert not answer.is_error, (name, answer)
        assert answer.content[0].text
        assert isinstance(answer.structured_content, dict)
    assert "Tuesdays" in json.dumps(answers["memory_recall"].structured_content["sources"])
    assert "Ship on Tuesday." in answers["memory_get"].content[0].text
    assert answers["memory_status"].structured_content["profile"] == "standard"


@pytest.mark.req("B-06")
def test_all_tools_together_take_at_most_8_kilobytes_and_are_annotated(home: Any) -> None:
    listed = home.asked(lambda client: client.list_tools())
    tools = [wire(tool) for tool in listed.tools]
    assert len(tools) <= 8
    assert len(json.dumps(tools, ensure_ascii=False).encode()) <= 8192
    writing = {"memory_remember", "memory_log", "memory_now", "memory_review"}
    for tool in tools:
        hints = tool["annotations"]
        assert hints["readOnlyHint"] is (tool["name"] not in writing)
        assert hints["destructiveHint"] is False
        assert hints["openWorldHint"] is False
        assert hints["idempotentHint"] is (tool["name"] != "memory_log")


def test_the_tools_are_those_of_the_verbs() -> None:
    assert sorted(TOOLS) == sorted(verb.tool for verb in VERBS if verb.tool)


@pytest.mark.req("B-06")
def test_a_client_is_told_when_to_use_memory(home: Any) -> None:
    async def question(client: Client) -> str:
        return client.instructions or ""

    told = home.asked(question)
    assert "memory_recall before" in told
    assert "memory_remember" in told
    assert len(told) < 600


@pytest.mark.req("B-06")
def test_notes_are_listed_and_read_as_resources(home: Any) -> None:
    note = home.workspace / "memory" / "deep sea ✓.md"
    note.write_text("".join(f"line {n}\n" for n in range(1, 301)))

    async def question(client: Client) -> tuple[Any, ...]:
        listed = (await client.list_resources()).resources
        found = next(one for one in listed if one.name == "memory/deep sea ✓.md")
        whole = await client.read_resource(found.uri)
        part = await client.read_resource(f"{found.uri}?lines=299-300")
        templates = await client.list_resource_templates()
        for wrong in ("vade://note/none.md", "file:///etc/passwd", "vade://note/../../etc/passwd"):
            with pytest.raises(MCPError):
                await client.read_resource(wrong)
        return found, whole.contents[0].text, part.contents[0].text, templates

    found, whole, part, templates = home.asked(question)
    assert found.uri.startswith("vade://note/memory/deep%20sea")
    assert (found.mime_type, found.size) == ("text/markdown", note.stat().st_size)
    assert "line 1\n" in whole
    assert "line 121" not in whole
    assert 'memory_get {"target": "memory/deep sea ✓.md:121-300"}' in whole
    assert "line 299\nline 300" in part
    assert "line 298" not in part
    assert templates.resource_templates[0].uri_template.startswith("vade://note/")


def test_a_long_list_of_notes_comes_in_pages(home: Any) -> None:
    for number in range(230):
        (home.workspace / "memory" / f"n{number:03}.md").write_text("# n\n")

    async def question(client: Client) -> list[list[str]]:
        pages, cursor = [], None
        while True:
            page = await client.list_resources(cursor=cursor)
            pages.append([one.name for one in page.resources])
            cursor = page.next_cursor
            if not cursor:
                return pages

    pages = home.asked(question)
    names = [name for page in pages for name in page]
    assert max(map(len, pages)) == 100
    assert len(names) == len(set(names)) >= 230
    assert names == sorted(names)


@pytest.mark.req("B-06")
def test_prompts_for_flush_and_reflection_name_the_tools(home: Any) -> None:
    async def question(client: Client) -> tuple[Any, str, str]:
        listed = (await client.list_prompts()).prompts
        flush = await client.get_prompt("flush", {})
        reflect = await client.get_prompt("reflect", {"day": "2026-01-20"})
        with pytest.raises(MCPError, match="no prompt 'nothing'"):
            await client.get_prompt("nothing", {})
        return listed, flush.messages[0].content.text, reflect.messages[0].content.text

    listed, flush, reflect = home.asked(question)
    assert [one.name for one in listed] == ["flush", "reflect"]
    assert "memory_remember" in flush and "NO_REPLY" in flush and "{argument}" not in flush
    assert "memory_review" in reflect and reflect.endswith("day: 2026-01-20")


def test_a_missing_workspace_is_an_answer_and_is_found_once_it_is_made(empty_home: Any) -> None:
    empty_home.workspace.rmdir()

    async def question(client: Client) -> tuple[Any, Any]:
        missing = await client.call_tool("memory_status", {})
        made = await anyio.to_thread.run_sync(empty_home.vade, "init", str(empty_home.workspace))
        assert made.returncode == 0, made.stderr
        return missing, await client.call_tool("memory_status", {})

    missing, found = empty_home.asked(question)
    assert missing.is_error
    assert missing.structured_content["error"]["code"] == "workspace-not-found"
    assert "vade init" in missing.content[0].text
    assert not found.is_error


def test_an_unknown_tool_is_an_error_of_the_protocol_that_names_the_tools(home: Any) -> None:
    async def question(client: Client) -> None:
        with pytest.raises(MCPError, match="no tool 'memory_erase'; there are memory_recall"):
            await client.call_tool("memory_erase", {})

    home.asked(question)


@pytest.mark.req("F-05")
def test_what_a_client_writes_is_in_its_name_and_of_one_session(home: Any) -> None:
    async def question(client: Client) -> None:
        await client.call_tool("memory_log", {"text": "one"})
        await client.call_tool("memory_now", {"text": "# Now\n\ntwo\n"})

    home.asked(question)
    home.asked(question)
    rows = json.loads(home.vade("history", "--json").stdout)["changes"]
    written = [row for row in rows if row["verb"] in {"log", "now"}]
    assert {row["actor"].partition("/")[0] for row in written} == {"mcp"}
    assert len({row["session"] for row in written}) == 2
    assert "" not in {row["session"] for row in written}


@pytest.mark.req("F-06")
def test_two_servers_under_forty_parallel_writes_show_all_forty_in_both(home: Any) -> None:
    words = [f"parallel{number:02}" for number in range(40)]

    async def write(client: Client, word: str) -> None:
        answer = await client.call_tool(
            "memory_log", {"text": f"{word} was written", "title": word}
        )
        assert not answer.is_error, answer

    async def question(first: Client) -> list[set[str]]:
        async with home.client() as second:
            async with anyio.create_task_group() as group:
                for number, word in enumerate(words):
                    group.start_soon(write, (first, second)[number % 2], word)
            found = []
            for client in (first, second):
                seen = set()
                for word in words:
                    given = {"query": word, "leg": "keyword", "limit": 1}
                    answer = await client.call_tool("memory_search", given)
                    hits = answer.structured_content["hits"]
                    seen |= {word} if hits and word in hits[0]["text"] else set()
                found.append(seen)
            return found

    assert home.asked(question) == [set(words), set(words)]


def test_text_that_was_cut_within_an_emoji_is_answered(home: Any) -> None:
    # Written by hand: the client of the SDK refuses to send what others do send.
    messages = [
        '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": '
        '"2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}}',
        '{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        '{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "memory_log", '
        '"arguments": {"text": "whole \\ud83d\\ude00, half \\ud83d and \\\\ud83d in letters"}}}',
    ]
    with subprocess.Popen(
        home.command("mcp"),
        env=home.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("\n".join(messages) + "\n")
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.stdin.close()
        assert process.wait(20) == 0
    done = answers[1]["result"]
    assert not done["isError"]
    log = (home.workspace / done["structuredContent"]["path"]).read_text()
    assert "whole 😀, half \ufffd and \\ud83d in letters" in log
