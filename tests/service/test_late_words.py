"""What was said earlier keeps its day, and is not told again once its log is archived."""

from __future__ import annotations

import pytest

from vademecum.core.search import Status
from vademecum.service.memory import Memory
from vademecum.testing import FrozenClock, throwaway_memory


def say(memory: Memory, session: str, *words: str) -> None:
    told = [{"role": "user", "content": word} for word in words]
    memory.flush(messages=told, window=128_000, session=session)


@pytest.mark.req("L-01", "R-04")
def test_what_was_said_in_a_session_whose_log_is_archived_is_not_new_again() -> None:
    clock = FrozenClock("2026-01-05T09:00:00")
    with throwaway_memory(clock=clock) as memory:
        say(memory, "first", "We decided that Heron is written in Go.")
        memory.heartbeat()
        clock.move_to("2026-01-05T23:45:00")
        memory.reflect()
        clock.move_to("2026-01-20T09:00:00")
        memory.remember("Heron is now written in Rust", tag="stated", by_person=True)
        clock.move_to("2026-02-15T09:00:00")
        memory.archive()
        memory.log("Watered the plants")
        memory.heartbeat()
        log = memory.get("memory/2026-02-15.md").text
        sources = memory.recall("Which language is Heron written in?").sources
    assert "Go" not in log
    assert "Rust" in sources[0].text
    assert not any("in Go" in source.text for source in sources if source.status is Status.CURRENT)


@pytest.mark.req("L-01", "L-02", "W-06")
def test_what_is_written_down_days_later_holds_from_the_day_on_which_it_was_said() -> None:
    clock = FrozenClock("2026-01-05T09:00:00")
    with throwaway_memory(clock=clock) as memory:
        say(memory, "first", "We decided that Heron is written in Go.")
        clock.move_to("2026-01-08T09:00:00")
        memory.remember("Heron is now written in Rust", tag="stated", by_person=True)
        clock.move_to("2026-01-09T09:00:00")
        memory.heartbeat()
        clock.move_to("2026-01-09T23:45:00")
        memory.reflect()
        log = memory.get("memory/2026-01-09.md").text
        sources = memory.recall("Which language is Heron written in?").sources
        old = memory.recall("Which language is Heron written in?", as_of="2026-01-06").sources
    assert "- User: We decided that Heron is written in Go. (said 2026-01-05)" in log
    current = [source for source in sources if source.status is Status.CURRENT]
    assert "Rust" in current[0].text
    assert not any(source.claim and "in Go" in source.text for source in current)
    assert any("in Go" in source.text for source in old)
