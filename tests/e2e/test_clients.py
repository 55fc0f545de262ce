"""Real clients, on a scripted model: memory reaches each once, and what one is told all know."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.alone, pytest.mark.req("C-01", "C-03", "W-09")]

CLIENTS = ["claude-code", "codex", "gemini", "opencode"]
BUDGET = 9_500
MARKS = re.compile(r"vade:recall (startup|resume|clear|compact)")
PREFERENCE = "Invoices are always sent as PDF in landscape format"
DECISION = "The billing service stores its events in Kafka"
# Gemini CLI drops the message that carries a hook's context when it resumes a session.
FORGETFUL = {"gemini"}


def _marks(request: Any) -> list[str]:
    return MARKS.findall(request.text)


def _injected(request: Any, event: str = "startup") -> str:
    """Return what was injected at an event, with its marks."""
    text = request.text.replace("&lt;", "<").replace("&gt;", ">")
    found = re.search(rf"<!-- vade:recall {event} -->.*?<!-- /vade:recall -->", text, re.DOTALL)
    return found[0] if found else ""


@pytest.mark.parametrize("host", CLIENTS)
def test_a_window_opens_with_memory_once_and_resuming_adds_nothing(desk: Any, host: str) -> None:
    rows = "".join(f"- [stated] Rule {n} of the house, as agreed.\n" for n in range(1, 400))
    (desk.notes / "MEMORY.md").write_text(f"# Memory\n\n- The house is called Heron.\n{rows}")
    client = desk.client(host)
    begun = client.run("Hello there")
    first = desk.news()
    assert first
    for request in first:
        assert _marks(request) == ["startup"]
        injected = _injected(request)
        assert len(injected) <= BUDGET
        assert len(injected) > BUDGET * 0.8, "the client has put most of it aside"
        assert "The house is called Heron." in injected
    client.run("Hello again", begun.session)
    again = desk.news()
    assert again
    assert "Hello again" in again[-1].text
    for request in again:
        assert _marks(request) == ([] if host in FORGETFUL else ["startup"])


@pytest.mark.parametrize(
    ("one", "another"),
    [
        ("claude-code", "codex"),
        ("codex", "claude-code"),
        ("opencode", "gemini"),
        ("gemini", "opencode"),
    ],
)
def test_what_one_client_was_told_another_recalls_with_its_source_after_compaction(
    desk: Any, one: str, another: str
) -> None:
    teller, asker = desk.client(one), desk.client(another)
    told = teller.run(
        "SCENE-TELL From now on invoices are sent as PDF in landscape. "
        "We decided that the billing service stores events in Kafka."
    )
    kept = desk.news()[-1].text
    for claim in (PREFERENCE, DECISION):
        assert f"{_place(desk.notes, claim)[0]}" in kept, kept[-3000:]
    _check_compaction(desk, teller, told.session)

    desk.news()
    asker.run("SCENE-ASK How do invoices go out, and where are billing events?")
    requests = desk.news()
    for request in requests:
        assert _marks(request) == ["startup"]
        assert 0 < len(_injected(request)) <= BUDGET
    answered = requests[-1].text
    for claim in (PREFERENCE, DECISION):
        path, line = _place(desk.notes, claim)
        # As attributes or as JSON, whichever the client shows to its model.
        places = (f'path="{path}" lines="{line}"', f'"path":"{path}","start":{line},"end":{line}')
        assert any(place in answered for place in places), answered[-3000:]
        assert claim in answered


def _check_compaction(desk: Any, client: Any, session: str) -> None:
    """Compact, for real where that goes; memory is in the new window once, within its budget."""
    desk.news()
    if client.compact(session, "What is next?"):
        request = desk.news()[-1]
        assert "What is next?" in request.text
        # Compacting from outside resumes the session, which is told what it has changed itself.
        assert [mark for mark in _marks(request) if mark != "resume"] == ["compact"]
        injected = _injected(request, "compact")
    else:
        fields = {"session_id": session, "cwd": str(client.folder)}
        assert desk.hook(client.host, "PreCompress", trigger="auto", **fields) == ""
        injected = desk.hook(client.host, "SessionStart", source="compress", **fields)
    assert 0 < len(injected) <= BUDGET
    assert "memory/index.md" in injected


def _place(notes: Path, claim: str) -> tuple[str, int]:
    """Return the one line of memory, outside of maps and frontmatter, that holds a claim."""
    found = []
    for path in sorted(notes.rglob("*.md")):
        for number, row in enumerate(path.read_text().splitlines(), 1):
            if row.startswith("- [stated]") and claim in row:
                found.append((path.relative_to(notes).as_posix(), number))
    assert len(found) == 1, (claim, found)
    return found[0]


@pytest.mark.parametrize("host", CLIENTS)
def test_what_was_said_is_on_file_until_memory_is_taken_out_again(desk: Any, host: str) -> None:
    client = desk.client(host)
    client.run("The heron nests in April")
    told = ("search", "--transcripts", "heron April")
    assert "The heron nests in April" in desk.vade("--workspace", str(desk.notes), *told)
    kept = "".join(path.read_text() for path in desk.home.rglob("transcripts/*.jsonl"))
    assert "vade:recall" not in kept
    assert '"Done."' in kept
    # The client has written into its configuration by now, too.
    assert "host-" not in desk.vade("--workspace", str(desk.notes), "doctor")
    desk.vade("uninstall", host)
    desk.news()
    client.run("Hello without memory")
    for request in desk.news():
        assert _marks(request) == []
        assert "memory_recall" not in request.text


@pytest.mark.parametrize("host", ["claude-code", "codex"])
def test_one_plugin_serves_claude_code_and_codex(desk: Any, host: str) -> None:
    for claim, kind in ((PREFERENCE, "preference"), (DECISION, "decision")):
        words = ("remember", claim, "--kind", kind, "--tag", "stated")
        desk.vade("--workspace", str(desk.notes), *words)
    client = desk.client_with_plugin(host, Path(__file__).parents[2] / "plugins")
    client.run("SCENE-ASK How do invoices go out, and where are billing events?")
    requests = desk.news()
    for request in requests:
        assert _marks(request) == ["startup"]
    for claim in (PREFERENCE, DECISION):
        assert f'"path":"{_place(desk.notes, claim)[0]}"' in requests[-1].text
    kept = "".join(path.read_text() for path in desk.home.rglob("transcripts/*.jsonl"))
    assert f'"host":"{host}"' in kept
    assert "PDF in landscape format, and Kafka." in kept
    assert "vade:recall startup" not in kept
