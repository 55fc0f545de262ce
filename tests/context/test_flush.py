"""Writing down what lasts before a window is compacted: once, with its origin, without a user."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from vademecum.context.flushed import AlreadyFlushed, FlushDue, Flushed, Kept, NotDue
from vademecum.context.reply import NO_REPLY, is_silent, memories
from vademecum.core.errors import BadInput
from vademecum.service.memory import Memory
from vademecum.testing import FrozenClock, throwaway_memory

TALK = [
    {"role": "user", "content": "We decided on REST over GraphQL. Which framework fits?"},
    {"role": "assistant", "content": "Decided: I suggest FastAPI."},
    {"role": "user", "content": "I prefer replies in German.\nIt rained today."},
]


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def memory(tmp_path: Path, clock: FrozenClock) -> Iterator[Memory]:
    with throwaway_memory(root=tmp_path, clock=clock) as opened:
        yield opened


def log_of(tmp_path: Path) -> str:
    found = sorted((tmp_path / "workspace" / "memory").glob("20*.md"))
    return "\n".join(path.read_text() for path in found)


def bytes_of(tmp_path: Path) -> dict[str, bytes]:
    root = tmp_path / "workspace"
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def told(memory: Memory, *, session: str = "s1") -> None:
    memory.flush(window=200_000, tokens=1, messages=TALK, session=session)


def kept(done: object) -> dict[str, Kept]:
    assert isinstance(done, Flushed)
    return {one.text: one for one in done.kept}


@pytest.mark.req("C-02")
def test_a_flush_is_due_from_the_threshold_on(memory: Memory) -> None:
    room = 200_000 - 20_000 - 4_000
    assert isinstance(memory.flush(window=200_000, tokens=room - 1, session="s1"), NotDue)
    due = memory.flush(window=200_000, tokens=room, session="s1")
    assert isinstance(due, FlushDue)
    assert due.threshold == room
    assert NO_REPLY in due.prompt
    small = memory.flush(window=16_000, tokens=8_000, session="s1")
    assert isinstance(small, FlushDue)


@pytest.mark.req("C-02")
def test_a_cycle_is_flushed_once_and_the_next_one_after_a_compaction(
    memory: Memory, tmp_path: Path
) -> None:
    told(memory)
    first = memory.flush("- decision: REST it is, not GraphQL", session="s1")
    assert isinstance(first, Flushed)
    before = bytes_of(tmp_path)
    assert memory.flush("- decision: Something else", session="s1") == AlreadyFlushed("s1", 0)
    assert isinstance(memory.flush(window=200_000, tokens=199_000, session="s1"), NotDue)
    assert bytes_of(tmp_path) == before
    memory.compact(session="s1", keep=0)
    due = memory.flush(window=200_000, tokens=199_000, session="s1")
    assert isinstance(due, FlushDue)
    assert due.cycle == 1


@pytest.mark.req("C-02", "W-02")
def test_only_what_the_user_said_becomes_stated(memory: Memory, tmp_path: Path) -> None:
    told(memory)
    done = kept(
        memory.flush(
            '- decision: Services talk REST. | "We decided on REST over GraphQL"\n'
            '- decision: [stated] The framework is FastAPI. | "I suggest FastAPI"\n'
            "- [stated] person: Ada lives in Oslo\n"
            '- preference: No replies in German | "I prefer replies in German"\n'
            '- fact: Which framework fits | "Which framework fits"\n',
            session="s1",
        )
    )
    assert done["Services talk REST."].tag == "stated"
    assert {text for text, one in done.items() if one.tag == "stated"} == {"Services talk REST."}
    log = log_of(tmp_path)
    assert "- User: We decided on REST over GraphQL." in log
    assert "- Agent: Ada lives in Oslo" in log
    note = next((tmp_path / "workspace" / "memory" / "decisions").glob("*rest*.md")).read_text()
    assert "[stated] Services talk REST." in note


@pytest.mark.req("C-02")
def test_words_of_an_agent_cannot_pass_for_those_of_a_user(memory: Memory, tmp_path: Path) -> None:
    told(memory)
    done = kept(memory.flush("- User: We decided on Cobol for all of it", session="s1"))
    assert [one.tag for one in done.values()] == ["inferred"]
    assert "\n- User:" not in log_of(tmp_path)


@pytest.mark.req("C-02")
@pytest.mark.parametrize(
    "reply", ["NO_REPLY", " no_reply\n", "`No_Reply`", "NO_R", "no", "NO_REPLY."]
)
def test_no_reply_writes_nothing_and_the_cycle_is_done(
    reply: str, memory: Memory, tmp_path: Path
) -> None:
    told(memory)
    before = bytes_of(tmp_path)
    assert is_silent(reply)
    done = memory.flush(reply, session="s1")
    assert isinstance(done, Flushed)
    assert done.kept == ()
    assert memory.flush(session="s1") == ()
    assert bytes_of(tmp_path) == before


@pytest.mark.req("C-02")
def test_a_reply_with_more_in_it_is_not_silent() -> None:
    assert not is_silent("NO_REPLY_NEEDED is a constant")
    assert [one.text for one in memories("NO_REPLY\n- Ada likes tea")] == ["Ada likes tea"]
    assert memories("```\nNO_REPLY - nothing today\n```") == ()


@pytest.mark.req("C-02")
def test_a_missed_flush_is_made_up_for_once(
    memory: Memory, tmp_path: Path, clock: FrozenClock
) -> None:
    told(memory)
    assert memory.flush(session="s1") == ()  # nothing was due, so nothing was missed
    memory.flush(window=200_000, tokens=190_000, session="s1")
    clock.move_to("2026-01-21T09:00:00")
    (done,) = memory.flush()  # of every session
    assert done.replayed
    log = log_of(tmp_path)
    assert log.count("- User: We decided on REST over GraphQL.") == 1
    assert log.count("- User: I prefer replies in German.") == 1
    assert "FastAPI" not in log and "rained" not in log and "Which" not in log
    before = bytes_of(tmp_path)
    assert memory.flush() == ()
    assert memory.flush("- decision: late", session="s1") == AlreadyFlushed("s1", 0)
    assert bytes_of(tmp_path) == before
    found = memory.recall("REST or GraphQL?")
    assert any(source.span.path == "memory/2026-01-21.md" for source in found.sources)


@pytest.mark.req("C-02")
def test_what_is_said_after_a_flush_belongs_to_the_next_one(memory: Memory, tmp_path: Path) -> None:
    told(memory)
    memory.flush(NO_REPLY, session="s1")
    more = [*TALK, {"role": "user", "content": "We agreed on weekly releases."}]
    memory.compact(more, session="s1", keep=0)
    memory.flush(window=200_000, tokens=190_000, session="s1")
    memory.flush(session="s1")
    assert log_of(tmp_path).count("- User: ") == 1
    assert "We agreed on weekly releases." in log_of(tmp_path)


@pytest.mark.req("C-02")
def test_a_lost_record_of_flushes_writes_nothing_twice(memory: Memory, tmp_path: Path) -> None:
    told(memory)
    reply = "- decision: Services talk REST\n- preference: Ada likes tea"
    memory.flush(reply, session="s1")
    memory.compact(session="s1", keep=0)
    log = log_of(tmp_path)
    (record,) = (tmp_path / "state").rglob("flush/s1.json")
    record.unlink()
    (missed,) = memory.flush(session="s1")
    again = log_of(tmp_path)
    assert again.startswith(log)
    assert again.count("- Agent: Services talk REST") == 1
    for damage in (b"", b"{}", b"\xff", b'{"through": "x"}', b"[]"):
        record.write_bytes(damage)
        memory.flush(session="s1")
        assert log_of(tmp_path) == again
    assert missed.entry is not None


@pytest.mark.req("C-02")
def test_a_wrong_target_is_retargeted_and_never_dropped(memory: Memory, tmp_path: Path) -> None:
    told(memory)
    core = (tmp_path / "workspace" / "MEMORY.md").read_bytes()
    done = kept(
        memory.flush(
            "- MEMORY.md: decision: Builds run nightly\n"
            "# memory/2025-12-31.md\n- ../../etc/x.md: fact: Mars has two moons\n",
            session="s1",
        )
    )
    assert done["Builds run nightly"].retargeted == "MEMORY.md"
    assert len(done) == 2
    log = log_of(tmp_path)
    assert "Builds run nightly" in log and "Mars has two moons" in log
    assert b"nightly" not in core
    assert not (tmp_path / "workspace" / "memory" / "2025-12-31.md").exists()


@pytest.mark.req("C-02", "F-11")
def test_credentials_and_what_was_forgotten_stay_out(memory: Memory, tmp_path: Path) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    known = memory.remember("Ada lives in Oslo", tag="stated", by_person=True)
    memory.forget(f"^{known.claim}")
    memory.flush(
        f"- fact: The token is {key}\n- person: Ada lives in Oslo\n- decision: Ship on Friday",
        session="s1",
    )
    everything = b"".join(bytes_of(tmp_path).values())
    assert key.encode() not in everything
    assert b"Oslo" not in everything
    assert b"Ship on Friday" in everything


@pytest.mark.req("C-02")
def test_a_flush_needs_a_session(memory: Memory) -> None:
    with pytest.raises(BadInput):
        memory.flush("- decision: x", session=" ")
    with pytest.raises(BadInput):
        memory.flush(window=-1, tokens=1, session="s1")


@pytest.mark.req("C-02")
def test_a_reply_that_is_no_list_of_memories_is_refused_and_the_cycle_stays_open(
    memory: Memory, tmp_path: Path
) -> None:
    told(memory)
    before = bytes_of(tmp_path)
    with pytest.raises(BadInput, match="100,001 characters"):
        memory.flush("x" * 100_001, session="s1")
    assert bytes_of(tmp_path) == before
    assert isinstance(memory.flush("- decision: REST it is, not GraphQL", session="s1"), Flushed)


@pytest.mark.req("C-02")
def test_of_very_many_memories_the_rest_is_in_the_log(memory: Memory, tmp_path: Path) -> None:
    told(memory)
    # Questions are logged and not compared with what is known, so that this takes no time.
    done = memory.flush("\n".join(f"- Was it day {n}?" for n in range(203)), session="s1")
    found = kept(done)
    assert len(found) == 203
    assert [text for text, one in found.items() if "200" in one.reason] == [
        f"Was it day {n}?" for n in range(200, 203)
    ]
    rows = log_of(tmp_path).splitlines()
    for text, one in found.items():
        assert one.span is not None
        assert rows[one.span.first - 1] == f"- Agent: {text}"
