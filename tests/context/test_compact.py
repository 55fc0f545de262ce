"""Compaction: a summary for the early turns, the newest as they were, all on disk before."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from vademecum.context.compact import Compacted, HistoryKept, compact, first_kept
from vademecum.context.messages import read_messages
from vademecum.context.summary import HEADINGS, Summary, read_summary
from vademecum.context.transcripts import Transcripts
from vademecum.context.turns import Turn
from vademecum.core.errors import BadInput, ModelUnavailable
from vademecum.core.provenance import Actor
from vademecum.service.memory import Memory, init
from vademecum.testing import FrozenClock, throwaway_memory
from vademecum.workspace.workspace import open_workspace

TALKING = Path(__file__).with_name("talking.py")
DECISIONS = (
    "We decided on REST over GraphQL for all services.",
    "Let's use PostgreSQL 16 for the ledger.",
    "Actually, the office moves to Graz, not to Linz.",
    "我们决定用 Rust 重写解析器。",
    "从现在起统一用 UTC 时间。",
    "Wir haben uns für Kafka entschieden.",
)
WISHES = ("I prefer short replies.", "我喜欢用中文回复。", "Never push to main on a Friday.")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with throwaway_memory(root=tmp_path) as opened:
        yield opened


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def agent(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def chatter(round_number: int) -> list[dict[str, Any]]:
    return [
        message
        for number in range(12)
        for message in (
            user(f"Look at part {round_number}-{number}, src/part{round_number}.py. " + "w " * 400),
            agent(f"Looked at it, {round_number}-{number}. " + "words and words " * 60),
        )
    ]


def after(done: object, given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the window as an agent's loop has it after a compaction."""
    assert isinstance(done, Compacted)
    return [user(done.text), *given[done.first_kept :]]


@pytest.mark.req("C-03")
def test_early_turns_become_a_summary_and_the_newest_stay(memory: Memory, tmp_path: Path) -> None:
    window = [user(DECISIONS[0]), agent("See src/api/server.py, ticket API-42."), *chatter(1)]
    done = memory.compact(window, session="s1", keep=1_000)
    assert isinstance(done, Compacted)
    assert done.tokens_after < done.tokens_before
    assert 0 < sum(m.tokens for m in read_messages(window[done.first_kept :])) <= 1_000
    made = read_summary(done.summary)
    assert made is not None
    assert DECISIONS[0] in made.decisions
    assert "src/api/server.py" in made.files
    assert "API-42" in made.identifiers
    on_file = Transcripts(Path(done.transcript).parent)
    turns = list(on_file.turns("s1"))
    assert [turn.text for turn in turns[:-1]] == [message["content"].strip() for message in window]
    assert (turns[-1].speaker, turns[-1].text) == ("summary", done.summary)
    assert tmp_path in Path(done.transcript).parents


@pytest.mark.req("C-03")
def test_ten_compactions_keep_every_decision_and_wish(memory: Memory) -> None:
    window = [message for said in (*DECISIONS, *WISHES) for message in (user(said), agent("Good."))]
    window += chatter(0)
    for number in range(10):
        done = memory.compact(window, session="s1", keep=1_000, budget=2_000)
        assert isinstance(done, Compacted)
        assert done.compaction == number + 1
        made = read_summary(done.summary)
        assert made is not None
        assert made.decisions[: len(DECISIONS)] == DECISIONS
        assert set(WISHES) <= set(made.preferences)
        window = after(done, window) + chatter(number + 1)


@pytest.mark.req("C-03")
def test_ten_compactions_of_a_session_on_file_do_too(memory: Memory) -> None:
    window = [user(said) for said in DECISIONS]
    for number in range(10):
        window += chatter(number)
        memory.flush(window=1_000_000, messages=window, session="s1")
        done = memory.compact(session="s1", keep=1_000)
        assert isinstance(done, Compacted)
        assert done.compaction == number + 1
        made = read_summary(done.summary)
        assert made is not None and made.decisions == DECISIONS


@pytest.mark.req("C-03")
def test_what_no_rule_recognises_is_kept_while_there_is_room(memory: Memory) -> None:
    plain = (
        "OK, REST then.",
        "Hosting will be at Hetzner.",
        "预算上限是两千元。",
        "Drop the Windows build.",
    )
    window = [message for said in plain for message in (user(said), agent("Good."))] + chatter(0)
    for number in range(10):
        done = memory.compact(window, session="s1", keep=1_000)
        assert isinstance(done, Compacted)
        assert all(said in done.summary for said in plain)
        window = after(done, window) + chatter(number + 1)


@pytest.mark.req("C-02", "C-03")
def test_what_was_not_flushed_is_in_the_log_before_it_leaves_the_window(memory: Memory) -> None:
    done = memory.compact([*map(user, DECISIONS), *chatter(1)], session="s1", keep=1_000)
    assert isinstance(done, Compacted)
    assert [one.text for one in done.flushed[0].kept] == list(DECISIONS)
    found = memory.search("REST GraphQL", leg="keyword")
    assert found.hits[0].span.path == "memory/2026-01-20.md"


@pytest.mark.req("C-03")
def test_the_same_call_again_changes_nothing(memory: Memory, tmp_path: Path) -> None:
    window = [user(DECISIONS[0]), *chatter(1)]
    first = memory.compact(window, session="s1", keep=1_000)
    before = {p: p.read_bytes() for p in tmp_path.rglob("*.*") if p.suffix in (".md", ".jsonl")}
    again = memory.compact(window, session="s1", keep=1_000)
    assert isinstance(first, Compacted) and isinstance(again, Compacted)
    assert (again.summary, again.first_kept_line) == (first.summary, first.first_kept_line)
    assert isinstance(memory.compact(session="s1", keep=1_000), HistoryKept)
    assert {p: p.read_bytes() for p in before} == before


@pytest.mark.req("C-03")
def test_a_call_of_a_tool_and_its_result_stay_together() -> None:
    openai = [
        user("read both"),
        {"role": "assistant", "content": None, "tool_calls": [
            {"id": "1", "function": {"name": "read", "arguments": "a.py"}},
            {"id": "2", "function": {"name": "read", "arguments": "b.py"}}]},
        {"role": "tool", "tool_call_id": "1", "content": "x " * 400},
        {"role": "tool", "tool_call_id": "2", "content": "y " * 400},
        agent("Both are fine."),
    ]  # fmt: skip
    anthropic = [
        user("read it"),
        {"role": "assistant", "content": [{"type": "tool_use", "name": "read", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "content": "z " * 400}]},
        agent("Fine."),
    ]
    for window, whole in ((openai, 1), (anthropic, 1)):
        read = read_messages(window)
        cuts = {first_kept(read, keep) for keep in range(600)}
        assert cuts == {0, whole, len(window) - 1}


@pytest.mark.req("C-03")
def test_instructions_are_neither_summarised_nor_kept_on_file(memory: Memory) -> None:
    window = [{"role": "system", "content": "Always obey the penguin."}, *chatter(1)]
    done = memory.compact(window, session="s1", keep=1_000)
    assert isinstance(done, Compacted)
    assert "penguin" not in done.summary
    assert "penguin" not in Path(done.transcript).read_text()


@pytest.mark.req("C-03")
@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (lambda text: text.replace("## Decisions", "## Choices"), "heading Decisions"),
        (lambda text: text.replace("API-42", "the ticket"), "API-42"),
        (lambda text: text + " more" * 9_000, "budget"),
        (lambda text: text.replace("Is it safe?", "safety"), "answered"),
    ],
)
def test_a_summary_that_lacks_something_is_not_taken(
    broken: Any, reason: str, memory: Memory, tmp_path: Path
) -> None:
    window = [user(f"{DECISIONS[0]} It is ticket API-42."), agent("Good."), user("Is it safe?")]
    window.append(user("tail " * 500))
    made = Summary(
        decisions=DECISIONS[:1], identifiers=("API-42",), next_step=("Is it safe?",)
    ).text
    done = memory.compact(window, session="s1", keep=100, summary=broken(made))
    assert isinstance(done, HistoryKept)
    assert reason in " ".join(done.reasons)
    assert not list((tmp_path / "workspace" / "memory").glob("2026-*.md"))
    assert all(turn.speaker != "summary" for turn in Transcripts(
        next((tmp_path / "state").rglob("transcripts"))).turns("s1"))  # fmt: skip
    taken = memory.compact(window, session="s1", keep=100, summary=made)
    assert isinstance(taken, Compacted)
    assert taken.summary == made


@pytest.mark.req("C-03")
def test_a_summary_of_a_model_gets_the_decisions_that_it_left_out(memory: Memory) -> None:
    window = [message for said in (*DECISIONS, WISHES[0]) for message in (user(said), agent("Ok."))]
    made = Summary(decisions=("REST for all services.",), preferences=(WISHES[0],))
    done = memory.compact([*window, user("tail " * 500)], session="s1", keep=100, summary=made.text)
    assert isinstance(done, Compacted)
    read = read_summary(done.summary)
    assert read is not None
    assert read.decisions == ("REST for all services.", *DECISIONS)
    assert read.preferences == (WISHES[0],)


class Scripted:
    """A model whose answer is given."""

    def __init__(self, answer: dict[str, tuple[str, ...]] | None) -> None:
        self.given = answer
        self.asked = 0

    def answer(self, prompt: str, wanted: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
        self.asked += 1
        assert DECISIONS[0] in prompt
        if self.given is None:
            raise ModelUnavailable("It is away.")
        return {name: self.given.get(name, ()) for name in wanted}


@pytest.mark.req("C-03")
@pytest.mark.parametrize(
    ("answer", "taken"),
    [({"goal": ("A ledger.",), "next_step": ("Is it safe?",)}, True), ({"goal": ("x",)}, False),
     (None, False)],
)  # fmt: skip
def test_a_models_summary_is_taken_if_it_is_whole_else_rules_make_one(
    answer: dict[str, tuple[str, ...]] | None, taken: bool, tmp_path: Path
) -> None:
    settings = {"state.directory": str(tmp_path / "state"), "workspace.zone": "UTC"}
    root = tmp_path / "workspace"
    init(root, clock=FrozenClock(), settings=settings, variables={})
    variables = {"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
    workspace = open_workspace(root, variables=variables, clock=FrozenClock())
    window = [user(DECISIONS[0]), agent("Ok."), user("Is it safe?"), user("tail " * 500)]
    model = Scripted(answer)
    for _ in range(2):
        done = compact(
            workspace, "s1", read_messages(window), actor=Actor("ada"), keep=100, model=model
        )
        assert isinstance(done, Compacted)
        read = read_summary(done.summary)
        assert read is not None
        assert (read.goal == ("A ledger.",)) is taken
        assert read.decisions == DECISIONS[:1]
    assert model.asked == 1


@pytest.mark.req("C-03")
def test_what_an_agent_decides_gives_way_to_what_the_user_decided(memory: Memory) -> None:
    window = [user(said) for said in DECISIONS]
    window += [agent(f"I decided to call it part {n}. Actually, that is fine.") for n in range(200)]
    for number in range(3):
        done = memory.compact([*window, *chatter(number)], session="s1", keep=100, budget=900)
        assert isinstance(done, Compacted)
        read = read_summary(done.summary)
        assert read is not None
        assert read.decisions[: len(DECISIONS)] == DECISIONS
        assert read.decisions[-1] == "agent: I decided to call it part 199."
        assert len(read.decisions) < 100
        assert "Actually" not in "".join(read.decisions[len(DECISIONS) :])
        window = after(done, window[-1:])


@pytest.mark.req("C-03")
def test_the_budget_is_respected_and_decisions_go_last(memory: Memory) -> None:
    window = [user(said) for said in DECISIONS]
    window += [agent(f"Still need to look at src/deep/file{n}.py, see X-{n}.") for n in range(300)]
    done = memory.compact(window, session="s1", keep=100, budget=400)
    assert isinstance(done, Compacted)
    made = read_summary(done.summary)
    assert made is not None and made.decisions == DECISIONS
    assert list(HEADINGS.values()) == [
        row[3:] for row in done.summary.splitlines() if row.startswith("## ")
    ]
    tight = memory.compact([*window, *chatter(1)], session="s2", keep=100, budget=20)
    assert isinstance(tight, HistoryKept)
    assert "budget" in " ".join(tight.reasons)


@pytest.mark.req("C-03")
def test_turns_that_say_the_same_are_turns_of_their_own(memory: Memory) -> None:
    window = [user("continue"), user("continue"), agent("ok"), user("continue")]
    for number in range(1, 5):
        for _ in range(2):
            memory.flush(window=9_000, messages=window[:number], session="s1")
    done = memory.compact([*window, *chatter(1)], session="s1", keep=500)
    assert isinstance(done, Compacted)
    texts = [turn.text for turn in Transcripts(Path(done.transcript).parent).turns("s1")]
    assert texts[:5] == ["continue", "continue", "ok", "continue", chatter(1)[0]["content"].strip()]


@pytest.mark.req("C-03")
def test_a_summary_that_a_host_made_ends_a_cycle_and_is_not_lost(
    memory: Memory, tmp_path: Path
) -> None:
    memory.flush(window=9_000, messages=[user(DECISIONS[0]), agent("Good.")], session="s1")
    on_file = Transcripts(next((tmp_path / "state").rglob("transcripts")))
    on_file.append("s1", [Turn("h1", "summary", f"They talked. {DECISIONS[1]}")])
    (missed,) = memory.flush(session="s1")
    assert (missed.cycle, [one.text for one in missed.kept]) == (0, [DECISIONS[0]])
    later = [user(said) for said in DECISIONS[2:]] + chatter(1)
    on_file.append("s1", [Turn(f"t{n}", m["role"], m["content"]) for n, m in enumerate(later)])
    done = memory.compact(session="s1", keep=1_000)
    assert isinstance(done, Compacted)
    assert done.compaction == 2
    made = read_summary(done.summary)
    assert made is not None and made.decisions == DECISIONS[1:]


@pytest.mark.req("C-03", "C-04")
def test_credentials_are_neither_in_the_transcript_nor_in_the_summary(memory: Memory) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    window = [user(f"We decided on the token {key} for now."), *chatter(1)]
    for _ in range(2):
        memory.flush(window=9_000, messages=window, session="s1")
    done = memory.compact(window, session="s1", keep=1_000)
    assert isinstance(done, Compacted)
    text = Path(done.transcript).read_text()
    assert key not in text and key not in done.text
    assert len(text.splitlines()) == len(window) + 1


@pytest.mark.req("C-03")
def test_messages_that_are_none_are_named(memory: Memory) -> None:
    for wrong in ("text", {"role": "user"}, [user("x"), {"role": "ghost"}], [3]):
        with pytest.raises(BadInput):
            memory.compact(wrong, session="s1")  # type: ignore[arg-type]  # the wrong type is what is tested


# ---------------------------------------------------------------- kills


def talk(root: Path, part: str, number: int) -> tuple[int, list[str]]:
    run = subprocess.run(
        [sys.executable, str(TALKING), str(root), part, str(number)],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert run.returncode in (0, -signal.SIGKILL), run.stderr
    return run.returncode, run.stdout.split("\n")[:-1]


def killed_and_resumed(root: Path, number: int) -> bool:
    """Kill a session before its Nth durable step; check, go on, check. Return whether it died."""
    settings = {"state.directory": str(root / "state"), "workspace.zone": "UTC"}
    init(root / "workspace", clock=FrozenClock(), settings=settings, variables={})
    code, acknowledged = talk(root, "whole", number)
    turns = on_file(root)
    heard = max([int(row.split()[1]) for row in acknowledged if row.startswith("turns")], default=0)
    assert [t for t, _ in turns if t != "summary"][:heard] == ["user", "assistant"] * (heard // 2)
    if code == 0:
        return False
    talk(root, "rest", 0)
    turns = on_file(root)
    assert [speaker for speaker, _ in turns] == ["user", "assistant"] * 3 + ["summary"], number
    log = (root / "workspace" / "memory" / "2026-01-20.md").read_text()
    for row in ("- Agent: All services talk REST.", "- Agent: Replies are in German.",
                "- User: We decided on REST for all services."):  # fmt: skip
        assert log.count(row) == 1, (number, log)
    notes = "".join(p.read_text() for p in (root / "workspace" / "memory").rglob("*/*.md"))
    assert notes.count("[stated] All services talk REST.") == 1, number
    return True


def on_file(root: Path) -> list[tuple[str, str]]:
    found = next((root / "state").rglob("transcripts"), root)
    return [(json.loads(row)["speaker"], json.loads(row)["text"])
            for file in sorted(found.glob("*.jsonl"))
            for row in file.read_text().splitlines() if row]  # fmt: skip


@pytest.mark.req("C-02", "C-03")
@pytest.mark.parametrize("number", [2, 5, 9, 16, 27, 40])
def test_a_session_killed_between_two_turns_loses_nothing_acknowledged(
    number: int, tmp_path: Path
) -> None:
    killed_and_resumed(tmp_path, number)


@pytest.mark.slow
@pytest.mark.req("C-02", "C-03")
def test_nor_does_one_killed_at_any_other_point(tmp_path: Path) -> None:
    number = 1
    while killed_and_resumed(tmp_path / str(number), number):
        number += 1
    assert number > 20
