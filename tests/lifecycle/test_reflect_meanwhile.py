"""Looking back on a day whose log a person edits while the model is asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vademecum.core.jobs import JobReport
from vademecum.core.provenance import Tag
from vademecum.markdown.claims import read_claims

from .models import memory_with, program

from vademecum.testing import FrozenClock  # isort: skip  after the module beside

pytestmark = pytest.mark.req("L-02")

DAY = "2026-01-20"
DECIDED = "We decided on REST over GraphQL."
ANNA = "Anna is the new product owner."
FAILED = "Uploads failed because the database was down."
ANSWER = {
    "right": [],
    "wrong": [f"2 | Uploads failed | {FAILED}"],
    "tomorrow": [],
    "insights": [f"2 | person | {ANNA}"],
}


def reflected_while(edit: str, tmp_path: Path) -> tuple[JobReport, JobReport]:
    """Return the reports of two runs; during the first, `edit` is done to `text`, the log."""
    log = str(tmp_path / "workspace" / f"memory/{DAY}.md")
    body = (
        f"import json\ntext = open({log!r}).read()\n"
        f"if 'Early' not in text and 'MQTT' not in text:\n    open({log!r}, 'w').write({edit})\n"
        f"print({json.dumps(ANSWER)!r})"
    )
    clock = FrozenClock(f"{DAY}T09:00:00")
    with memory_with(tmp_path, clock, command=program(tmp_path, body)) as memory:
        memory.log(f"User: {DECIDED}", title="API")
        clock.advance(hours=2)
        memory.log(f"User: I prefer replies in German.\n{FAILED}\n{ANNA}", title="Work")
        return memory.reflect(), memory.reflect()


def claims_of(tmp_path: Path) -> dict[str, Tag]:
    return {
        claim.text: claim.tag
        for file in (tmp_path / "workspace/memory").glob("*/*.md")
        if file.parent.name != "reflections"
        for claim in read_claims(file.name, file.read_text())
        if claim.live and "`" not in claim.text and claim.tag is not Tag.UNKNOWN
    }


def reflection(tmp_path: Path) -> str:
    return (tmp_path / f"workspace/memory/reflections/{DAY}.md").read_text()


EARLY = "'### 08:00 — Early\\n\\nUser: We decided to sail at dawn.\\n\\n'"


def test_lines_that_moved_are_found_where_they_are_now(tmp_path: Path) -> None:
    edit = f"text.replace('### 09:00', {EARLY} + '### 09:00')"
    first, second = reflected_while(edit, tmp_path)
    assert first.declined == () and not any(step.why for step in first.steps)
    assert claims_of(tmp_path) == dict.fromkeys(
        (DECIDED, "I prefer replies in German.", ANNA, "We decided to sail at dawn."), Tag.STATED
    )
    before, later = reflection(tmp_path).split("## Later that day")
    assert "From 2 entries" in before and "sail at dawn" in later
    assert not second.already


def test_an_entry_that_says_something_else_by_then_is_left_to_the_next_run(tmp_path: Path) -> None:
    first, second = reflected_while("text.replace('REST over GraphQL', 'MQTT')", tmp_path)
    assert "1 entry was changed while the model was asked; the next run reads" in first.notes[-1]
    assert "We decided on MQTT." in claims_of(tmp_path) and DECIDED not in claims_of(tmp_path)
    assert "MQTT" in reflection(tmp_path).split("## Later that day")[1]
    assert not second.already


def test_what_the_model_points_to_and_is_gone_by_then_is_declined(tmp_path: Path) -> None:
    first, second = reflected_while("text.replace('was down', 'spoke MQTT')", tmp_path)
    assert {(one.what, one.why) for one in first.declined} == {
        (said, "its entry was changed while the model was asked") for said in (FAILED, ANNA)
    }
    before, later = reflection(tmp_path).split("## Later that day")
    assert "REST" in before and "Uploads failed" not in before
    assert "I prefer replies in German." in claims_of(tmp_path) and "replies in German" in later
    assert not second.already


def test_where_every_entry_was_changed_the_rules_read_what_is_there(tmp_path: Path) -> None:
    edit = "text.replace('REST over GraphQL', 'MQTT').replace('Uploads', 'All uploads')"
    first, second = reflected_while(edit, tmp_path)
    assert "2 entries were changed while the model was asked; made by rules" in first.notes[-1]
    assert {one.why for one in first.declined} == {
        "its entry was changed while the model was asked"
    }
    assert "We decided on MQTT." in claims_of(tmp_path)
    assert "made by rules alone" in reflection(tmp_path)
    assert second.already
