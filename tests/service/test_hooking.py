from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from vademecum.context.transcripts import Transcripts
from vademecum.context.turns import Turn
from vademecum.service.hooking import HookAnswer, answer
from vademecum.service.memory import init


def asked(root: Path, event: str, **fields: object) -> HookAnswer:
    given = {"session_id": "s", "cwd": str(root), **fields}
    return answer("codex", event, given, limit=9500, length=len)


@pytest.mark.req("C-04")
def test_old_transcripts_go_behind_the_answer_that_opens_a_window(tmp_path: Path) -> None:
    root = tmp_path / "notes"
    init(root)
    assert asked(root, "SessionStart", source="startup").rest is None  # nothing was ever said
    state = Path(asked(root, "UserPromptSubmit", prompt="Hello").state)
    kept = Transcripts(state / "transcripts")
    kept.append("old", [Turn("1", "user", "Long ago")])
    os.utime(kept.path("old"), (1_000_000, 1_000_000))
    done = asked(root, "SessionStart", source="startup")
    assert kept.path("old").exists()
    assert done.rest is not None
    done.rest()
    assert [one.session for one in kept.sessions()] == ["s"]


@pytest.mark.req("C-01")
def test_a_smaller_budget_of_the_configuration_holds_for_hooks_too(tmp_path: Path) -> None:
    root = tmp_path / "notes"
    init(root)
    (root / "vade.toml").write_text('[workspace]\nprofile = "standard"\n[budget]\nboot = 1500\n')
    (root / "MEMORY.md").write_text("- a line of it\n" * 1000)
    text = asked(root, "SessionStart", source="startup").text
    assert 1000 < len(text) <= 1500


@pytest.mark.req("C-01")
def test_a_reported_turn_that_cannot_be_kept_is_a_complaint(tmp_path: Path) -> None:
    root = tmp_path / "notes"
    init(root)
    state = Path(asked(root, "UserPromptSubmit", prompt="Hello").state)
    (state / "transcripts/s.jsonl").unlink()
    (state / "transcripts/s.jsonl").mkdir()
    done = asked(root, "UserPromptSubmit", prompt="Hello")
    assert done.text == ""
    (complaint,) = done.complaints
    assert "state directory" in complaint
    json.dumps(complaint)
