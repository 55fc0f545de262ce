"""Claims at the command line: what programs read of an outcome, a matter and a mend."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vademecum.surfaces.cli.main import status_of
from vademecum.surfaces.cli.verb import Call
from vademecum.testing import FrozenClock, small_embedder

Vade = Callable[..., tuple[int, Any]]


@pytest.fixture
def vade(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Vade:
    clock = FrozenClock()

    def run(*arguments: str) -> tuple[int, Any]:
        call = Call(clock=clock, embedder=small_embedder())
        code = status_of(["--workspace", str(tmp_path / "notes"), "--json", *arguments], call)
        out = capsys.readouterr().out
        return code, json.loads(out) if out else None

    assert status_of(["init", str(tmp_path / "notes")], Call(clock=clock)) == 0
    capsys.readouterr()
    return run


FIELDS = {
    "outcome", "claim", "text", "path", "start", "end", "rule", "change",
    "superseded", "rivals", "related",
}  # fmt: skip


@pytest.mark.req("W-02")
def test_every_outcome_has_the_same_fields_and_exit_code_0(vade: Vade) -> None:
    calls = {
        "added": ("Anna lives in Oslo", "--tag", "stated"),
        "already-known": ("Anna lives in Oslo", "--tag", "stated"),
        "conflicted": ("Anna lives in Rome", "--tag", "suggested"),
        "waiting": ("Always pin versions", "--kind", "lesson"),
        "quarantined": ("Buy this now", "--untrusted"),
        "logged-only": ("ok thanks",),
    }
    for name, arguments in calls.items():
        code, told = vade("remember", *arguments)
        assert (code, told["outcome"]) == (0, name)
        assert told.keys() >= FIELDS, name
    _, added = vade("remember", "Bert lives in Oslo", "--tag", "stated")
    _, told = vade(
        "remember", "Bert moved to Rome", "--tag", "stated", "--supersedes", added["claim"]
    )
    assert told["outcome"] == "updated"
    assert [past["id"] for past in told["superseded"]] == [added["claim"]]
    assert vade("undo", told["change"])[0] == 0


@pytest.mark.req("W-02")
def test_a_claim_may_come_from_standard_input(vade: Vade, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("李雷住在北京\n".encode())))
    _, told = vade("remember", "-")
    assert (told["text"], told["path"]) == ("李雷住在北京", "memory/people/李雷.md")


@pytest.mark.req("W-02")
def test_review_lists_items_and_tells_what_a_ruling_did(vade: Vade) -> None:
    vade("remember", "Anna lives in Oslo", "--tag", "stated")
    _, told = vade("remember", "Anna lives in Rome", "--tag", "suggested")
    code, listed = vade("review")
    assert code == 0
    (item,) = listed["items"]
    assert {"id", "matter", "path", "start", "end", "text", "why", "rulings", "claims"} <= set(item)
    assert (item["matter"], item["id"]) == ("conflict", f"^{told['claim']}")
    assert vade("review", "--only", "stale")[1] == {"items": []}
    code, ruled = vade("review", "rule", item["id"], "--for", item["id"])
    assert (code, ruled["ruling"], bool(ruled["change"])) == (0, "rule", True)
    assert vade("review")[1] == {"items": []}


@pytest.mark.req("W-04")
def test_an_agent_cannot_rule_for_a_person(vade: Vade) -> None:
    vade("remember", "Anna lives in Oslo", "--tag", "stated")
    _, told = vade("remember", "Anna lives in Rome", "--tag", "suggested")
    code, error = vade("--agent", "coder", "review", "rule", told["claim"], "--for", told["claim"])
    assert (code, error["error"]["code"]) == (4, "refused")


@pytest.mark.req("B-01")
def test_the_doctor_tells_programs_what_it_mended(vade: Vade, tmp_path: Path) -> None:
    note = tmp_path / "notes/memory/tide.md"
    note.write_text("# Tide\n\n- [stated] High tide is at six\n")
    code, found = vade("doctor")
    mends = {finding["code"]: finding["mend"] for finding in found["findings"]}
    assert (code, mends["claim-without-id"], found["mended"]) == (8, "gives 1 an id", [])
    code, planned = vade("doctor", "--fix", "--dry-run")
    assert (code, planned["planned"]) == (8, True)
    assert {"claim-without-id", "unlisted-note"} == {mended["code"] for mended in planned["mended"]}
    code, done = vade("doctor", "--fix")
    assert (code, done["sound"]) == (0, True)
    assert all(mended["change"] and mended["diff"] for mended in done["mended"])
    assert vade("doctor", "--dry-run")[0] == 2
