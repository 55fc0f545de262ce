"""Entries that tell of a decision in their own words never lead where the decision was replaced."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from vademecum.core.search import Briefing, Status
from vademecum.service.memory import Memory

Write = Callable[[str, str], None]

STYLE = """---
type: decision
title: Services talk tRPC
last_verified: 2026-01-18
---

# Services talk tRPC

- ~~[stated] Services talk GraphQL (2025-03-03)~~ superseded 2025-08-08 by ^bbbbbb ^aaaaaa
- ~~[stated] Services talk REST (2025-08-08)~~ superseded 2026-01-10 by ^cccccc ^bbbbbb
- [stated] Services talk tRPC (2026-01-10) ^cccccc
"""
PEOPLE = """---
type: person
title: Anna
---

# Anna

- ~~[stated] Anna lives in Berlin (2025-03-03)~~ superseded 2025-12-01 by ^eeeeee ^dddddd
- [stated] Anna lives in Graz (2025-12-01) ^eeeeee
"""
LOGS = {
    "memory/2025-03-03.md": "# 2025-03-03\n\n### 10:00 — API\nDecided on GraphQL for the API.\n",
    "memory/2025-08-08.md": "# 2025-08-08\n\n### 11:00 — API again\nDecided on REST over GraphQL.\n"
    "\n### 15:00 — Offsite\nDecided to hold the offsite in Berlin.\n",
    "memory/2026-01-10.md": "# 2026-01-10\n\n### 09:00 — API, third time\n"
    "We moved to tRPC because REST was too loose.\n",
}
LEGS: Any = pytest.mark.parametrize("leg", ["keyword", None])


@pytest.fixture(autouse=True)
def story(write: Write) -> None:
    write("memory/decisions/api-style.md", STYLE)
    write("memory/people/anna.md", PEOPLE)
    for path, text in LOGS.items():
        write(path, text)


def current(answer: Briefing) -> list[str]:
    return [str(one.span) for one in answer.sources if one.status is Status.CURRENT]


@LEGS
@pytest.mark.req("R-04")
def test_the_claim_leads_though_only_logs_have_the_words_of_the_question(
    memory: Memory, leg: Any
) -> None:
    answer = memory.recall("which API did we decide on?", leg=leg)
    assert current(answer)[0] == "memory/decisions/api-style.md:11"
    assert "memory/2025-03-03.md:4" not in current(answer)
    assert "memory/2025-08-08.md:4" not in current(answer)


@LEGS
@pytest.mark.req("R-04")
def test_each_earlier_day_has_the_decision_of_its_time_first(memory: Memory, leg: Any) -> None:
    for day, line in ((date(2025, 5, 1), 9), (date(2025, 9, 1), 10), (date(2026, 1, 15), 11)):
        answer = memory.recall("which API did we decide on?", as_of=day, leg=leg)
        assert current(answer)[0] == f"memory/decisions/api-style.md:{line}"


@LEGS
@pytest.mark.req("R-04")
def test_a_decision_about_something_else_with_the_old_word_still_holds(
    memory: Memory, leg: Any
) -> None:
    answer = memory.recall("where is the offsite?", leg=leg)
    assert current(answer)[0] == "memory/2025-08-08.md:7"
