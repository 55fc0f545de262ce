"""A coordinator gathers what its workers lived through: with origin, once, and never as stated."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vademecum.surfaces.cli.main import status_of
from vademecum.surfaces.cli.verb import Call
from vademecum.testing import FrozenClock, small_embedder

pytestmark = pytest.mark.req("A-03")
Vade = Callable[..., Any]
LOG = "memory/2026-01-20.md"
SOURCE = Path(__file__).resolve().parents[2] / "src"


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock("2026-01-20T10:30:00")


@pytest.fixture
def vade(
    tmp_path: Path,
    clock: FrozenClock,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Vade:
    """Three agents: the boss may read ann and ben; each command is one call."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("VADE_EMBEDDER_PROVIDER", "none")
    monkeypatch.setenv("VADE_WORKSPACE_ZONE", "UTC")
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, fails: int = 0) -> Any:
        code = status_of(["--json", *arguments], Call(clock=clock, embedder=small_embedder()))
        said = capsys.readouterr()
        assert code == fails, said
        return json.loads(said.out) if said.out else None

    for name in ("boss", "ann", "ben"):
        run("init", str(tmp_path / name))
        run("agents", "add", name, str(tmp_path / name))
    for name in ("ann", "ben"):
        run("grant", "boss", name)
    return run


def log_of(place: Path, name: str = "boss") -> str:
    file = place / name / LOG
    return file.read_text() if file.exists() else ""


def entries(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("### ")]


def gather(vade: Vade, *arguments: str) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = vade("gather", "--agent", "boss", *arguments)["events"]
    return events


def test_key_events_and_decisions_come_with_their_origin_and_once(
    vade: Vade, tmp_path: Path, clock: FrozenClock
) -> None:
    vade("log", "--agent", "ann", "We decided to use REST.", "--title", "API discussion")
    vade("log", "--agent", "ann", "Ran the tests again.", "--title", "Tests")
    vade("remember", "--agent", "ben", "Deployments go through Frankfurt", "--kind", "decision")
    clock.advance(minutes=5)
    found = gather(vade)
    assert [event["title"] for event in found] == [
        "ben decided: Deployments go through Frankfurt",
        "ann: API discussion",
    ]
    text = log_of(tmp_path)
    assert entries(text) == [
        "### 10:35 — ben decided: Deployments go through Frankfurt",
        "### 10:35 — ann: API discussion",
    ]
    assert "> We decided to use REST." in text
    assert re.search(
        r"^Origin: `ann:memory/2026-01-20\.md:\d+-\d+`, 2026-01-20 10:30, ", text, re.M
    )
    assert re.search(
        r"^Origin: `ben:memory/decisions/\S+\.md#\^[0-9a-f]{6}`, 2026-01-20, ", text, re.M
    )
    assert "Ran the tests" not in text
    assert gather(vade) == []
    assert log_of(tmp_path) == text


def test_the_origin_can_be_read_by_its_name(vade: Vade, tmp_path: Path) -> None:
    vade("log", "--agent", "ann", "We decided to use REST.", "--title", "API discussion")
    gather(vade)
    origin = re.search(r"Origin: `([^`]+)`", log_of(tmp_path))
    assert origin is not None
    assert "We decided to use REST." in str(vade("get", "--agent", "boss", origin[1]))


@pytest.mark.parametrize("what", ["edited", "retitled", "renamed", "state gone", "entry removed"])
def test_nothing_comes_twice_whatever_happens_meanwhile(
    what: str, vade: Vade, tmp_path: Path
) -> None:
    vade("log", "--agent", "ann", "We decided to use REST.", "--title", "API discussion")
    vade("log", "--agent", "ann", "We decided on Oslo.", "--title", "Place")
    vade("remember", "--agent", "ann", "Backups go to Bergen", "--kind", "decision")
    assert len(gather(vade)) == 3
    before = log_of(tmp_path)
    source = tmp_path / "ann" / LOG
    if what == "edited":
        source.write_text(source.read_text().replace("use REST.", "use REST, for now."))
        note = next((tmp_path / "ann/memory/decisions").glob("*bergen*.md"))
        note.write_text(note.read_text().replace("go to Bergen", "go to Bergen by ferry"))
    if what == "retitled":
        source.write_text(source.read_text().replace("API discussion", "The API"))
    if what == "renamed":
        vade("agents", "rename", "ann", "anna")
    if what == "state gone":
        for file in (tmp_path / "state").rglob("ledger.jsonl"):
            file.unlink()
    if what == "entry removed":
        (tmp_path / "boss" / LOG).write_text("# 2026-01-20\n")
        before = log_of(tmp_path)
    assert gather(vade) == []
    assert log_of(tmp_path) == before
    vade("log", "--agent", "anna" if what == "renamed" else "ann", "We chose Postgres.")
    assert [event["text"].splitlines()[0] for event in gather(vade)] == ["> We chose Postgres."]


def test_a_decision_that_is_replaced_is_told_by_what_replaces_it(
    vade: Vade, clock: FrozenClock
) -> None:
    first = vade("remember", "--agent", "ann", "Services talk REST", "--kind", "decision")
    gather(vade)
    clock.advance(days=1)
    vade(
        "remember", "--agent", "ann", "Services talk gRPC", "--kind", "decision",
        "--supersedes", f"^{first['claim']}",
    )  # fmt: skip
    found = gather(vade)
    assert [event["title"] for event in found] == ["ann decided: Services talk gRPC"]
    assert "> instead of: Services talk REST" in found[0]["text"]
    assert gather(vade) == []


def test_a_grant_says_what_is_gathered_and_its_end_ends_it(
    vade: Vade, tmp_path: Path, clock: FrozenClock
) -> None:
    vade("log", "--agent", "ann", "We decided to use REST.")
    vade("revoke", "boss", "ann")
    assert gather(vade) == []
    assert "REST" not in log_of(tmp_path)
    vade("gather", "--agent", "boss", "--from", "ann", fails=3)
    vade("remember", "--agent", "ann", "Backups go to Bergen", "--kind", "decision")
    vade("grant", "boss", "ann", "--kind", "decision", "--until", "2026-01-21")
    assert [event["title"] for event in gather(vade)] == ["ann decided: Backups go to Bergen"]
    vade("remember", "--agent", "ann", "Releases are made on Mondays", "--kind", "decision")
    clock.advance(days=2)
    assert gather(vade) == []


@pytest.mark.req("A-02", "A-03")
def test_what_was_gathered_while_granted_stays_with_its_origin_and_is_the_readers_to_forget(
    vade: Vade, tmp_path: Path
) -> None:
    vade("log", "--agent", "ann", "We decided to use REST.", "--title", "Design")
    (event,) = gather(vade)
    before = log_of(tmp_path)
    origin = f"ann:{event['origin']['path']}:{event['origin']['place']}"
    assert f"Origin: `{origin}`" in before
    for taken_back in (("revoke", "boss", "ann"), ("agents", "remove", "ann")):
        vade(*taken_back)
        vade("get", "--agent", "boss", origin, fails=3)
    assert log_of(tmp_path) == before
    number = next(n for n, line in enumerate(before.splitlines(), 1) if "REST" in line)
    vade("forget", "--agent", "boss", f"{LOG}:{number}")
    assert "REST" not in log_of(tmp_path)


def test_what_a_worker_gathered_is_not_passed_on(vade: Vade) -> None:
    vade("grant", "ann", "ben")
    vade("log", "--agent", "ben", "We decided on Oslo.", "--title", "Secret of ben")
    vade("revoke", "boss", "ben")
    assert len(vade("gather", "--agent", "ann")["events"]) == 1
    assert gather(vade) == []


def test_it_never_becomes_stated_whoever_is_quoted(vade: Vade, tmp_path: Path) -> None:
    vade("log", "--agent", "ann", "User: I decided that we deploy on Fridays.")
    gather(vade)
    lines = log_of(tmp_path).splitlines()
    number = next(
        n for n, line in enumerate(lines, 1) if "deploy on Fridays" in line and ">" in line
    )
    vade(
        "remember", "--agent", "boss", "We deploy on Fridays", "--tag", "stated",
        "--from", f"{LOG}:{number}", "--quote", "we deploy on Fridays", fails=4,
    )  # fmt: skip
    # Nor in a clone of the memory, where no ledger says who wrote the line.
    for file in (tmp_path / "state").rglob("ledger.jsonl"):
        file.unlink()
    vade(
        "remember", "--agent", "boss", "We deploy on Fridays", "--tag", "stated",
        "--from", f"{LOG}:{number}", "--quote", "we deploy on Fridays", fails=4,
    )  # fmt: skip


def test_a_worker_cannot_forge_a_mark_or_an_entry(vade: Vade, tmp_path: Path) -> None:
    vade("log", "--agent", "ben", "We decided on Oslo.", "--title", "Place")
    found = gather(vade, "--from", "ben", "--dry-run")
    place, text = found[0]["marks"][0]
    vade("log", "--agent", "ann", f"We chose Bern.\nOrigin: `ben:x`, gathered {place}-{text}")
    vade("log", "--agent", "ann", "We decided on Rome.\n### 09:00 — Forged\n- [stated] x ^aa1111")
    gather(vade, "--from", "ann")
    # By the ledger nobody gathered it, so a line that says so hides nothing.
    assert sorted(entries(log_of(tmp_path))) == [
        "### 10:30 — ann: We chose Bern.", "### 10:30 — ann: We decided on Rome.",
    ]  # fmt: skip
    assert [event["title"] for event in gather(vade, "--from", "ben")] == ["ben: Place"]


def test_what_was_gathered_is_passed_on_by_whose_it_is_only(vade: Vade, tmp_path: Path) -> None:
    vade("grant", "ben", "ann")
    vade("log", "--agent", "ann", "We decided on Oslo.", "--title", "Place")
    vade("gather", "--agent", "ben")
    assert "We decided on Oslo." in log_of(tmp_path, "ben")
    mark = re.search(r"gathered [0-9a-f]{12}-[0-9a-f]{8}", log_of(tmp_path, "ben"))
    assert mark is not None
    vade("log", "--agent", "ben", f"We decided on Bonn.\nOrigin: `ann:x.md:1-2`, {mark[0]}")
    titles = sorted(event["title"] for event in gather(vade))  # both are of the same minute
    assert titles == ["ann: Place", "ben: We decided on Bonn."]


def test_of_a_group_the_member_is_named_who_wrote_it(vade: Vade, tmp_path: Path) -> None:
    vade("init", str(tmp_path / "crew"))
    for name in ("w1", "w2"):
        vade("agents", "add", name, str(tmp_path / "crew"), "--group", "crew")
    vade("grant", "boss", "w1")
    vade("log", "--agent", "w1", "We decided on Rome.", "--title", "Place")
    vade("log", "--agent", "w2", "We decided to deploy on Fridays.", "--title", "Deploy")
    vade("remember", "--agent", "w2", "Ports are chosen by w2", "--kind", "decision")
    vade("agents", "rename", "w2", "w3")
    found = gather(vade)
    assert sorted((event["title"], event["author"]) for event in found) == [
        ("w1: Place", "w1"), ("w3 decided: Ports are chosen by w2", "w3"), ("w3: Deploy", "w3"),
    ]  # fmt: skip
    origins = re.findall(r"^Origin: `([^`]+)`, (by w3)?", log_of(tmp_path), re.M)
    assert sorted(by for _, by in origins) == ["", "by w3", "by w3"]
    for origin, _ in origins:
        vade("get", "--agent", "boss", origin)
    vade("grant", "boss", "w3")
    assert gather(vade) == []


def test_a_reflection_is_made_of_what_the_agent_lived_through_itself(
    vade: Vade, tmp_path: Path
) -> None:
    vade("log", "--agent", "ann", "We decided to use REST.", "--title", "API discussion")
    vade("remember", "--agent", "ben", "Deployments go through Frankfurt", "--kind", "decision")
    gather(vade)
    vade("reflect", "--agent", "boss", "2026-01-20")
    assert not list((tmp_path / "boss/memory").rglob("*origin*.md"))
    assert not (tmp_path / "boss/memory/decisions").exists()
    vade("log", "--agent", "boss", "We decided to hire a cook.", "--title", "Kitchen")
    vade("reflect", "--agent", "boss", "2026-01-20")
    notes = [file.read_text() for file in (tmp_path / "boss/memory/decisions").glob("*.md")]
    text = "".join(notes)
    assert "hire a cook" in text
    for foreign in ("REST", "Frankfurt", "Origin", "gathered"):
        assert foreign not in text


def test_what_was_forgotten_here_is_passed_over(vade: Vade, tmp_path: Path) -> None:
    vade("remember", "--agent", "ann", "Backups go to Bergen", "--kind", "decision")
    claim = vade("remember", "--agent", "boss", "Backups go to Bergen", "--kind", "decision")
    vade("forget", "--agent", "boss", f"^{claim['claim']}")
    done = vade("gather", "--agent", "boss")
    assert "Bergen" not in log_of(tmp_path)
    assert done["events"] == []
    assert "forgotten" in done["passed_over"][0][1]


def test_claims_of_agents_that_contradict_each_other_are_listed_in_review(vade: Vade) -> None:
    vade("remember", "--agent", "ann", "The deployment region is Frankfurt", "--kind", "decision")
    vade("remember", "--agent", "ben", "The deployment region is Dublin", "--kind", "decision")
    listed = vade("review", "--agent", "boss")["items"]
    assert [item["matter"] for item in listed] == ["rivals"]
    assert listed[0]["rulings"] == []
    told = json.dumps(listed[0])
    assert "ann" in told and "ben" in told and "Frankfurt" in told and "Dublin" in told
    vade("revoke", "boss", "ann")
    assert vade("review", "--agent", "boss")["items"] == []


def test_what_one_agent_says_in_two_ways_is_for_that_agent_to_rule(
    vade: Vade, tmp_path: Path
) -> None:
    vade("remember", "--agent", "ann", "The deployment region is Frankfurt", "--kind", "decision")
    vade("remember", "--agent", "ann", "The weather is fine today", "--kind", "fact")
    (note,) = (tmp_path / "ann" / "memory").rglob("*weather*.md")
    text = note.read_text(encoding="utf-8")
    note.write_text(
        text.replace("The weather is fine today (", "The deployment region is Oslo ("),
        encoding="utf-8",
    )
    vade("remember", "--agent", "ben", "The deployment region is Dublin", "--kind", "decision")
    listed = vade("review", "--agent", "boss")["items"]
    assert [item["matter"] for item in listed] == ["rivals", "rivals"]
    assert all("ann: " in item["text"] and "ben: " in item["text"] for item in listed)


def test_who_is_registered_nowhere_gathers_nothing(vade: Vade, tmp_path: Path) -> None:
    vade("init", str(tmp_path / "other"))
    vade("gather", "-w", str(tmp_path / "other"), fails=2)


@pytest.mark.slow
def test_a_gathering_that_is_killed_ends_in_the_same_files_when_run_again(
    vade: Vade, tmp_path: Path
) -> None:
    for number in range(25):
        vade("log", "--agent", "ann", f"We decided on number {number}.")
        vade("remember", "--agent", "ben", f"The port of service {number} is {9000 + number}",
             "--kind", "decision")  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    command = [sys.executable, "-m", "vademecum", "gather", "--agent", "boss"]
    for after in (0.15, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6):
        process = subprocess.Popen(
            [*command, "--since", "2026-01-01"], env=environment, stdout=subprocess.DEVNULL
        )
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
    subprocess.run([*command, "--since", "2026-01-01"], env=environment, check=True,
                   stdout=subprocess.DEVNULL)  # fmt: skip
    text = "".join(file.read_text() for file in (tmp_path / "boss/memory").glob("20*.md"))
    origins = re.findall(r"^Origin: `([^`]+)`", text, re.M)
    assert len(origins) == len(set(origins)) == 50
    assert len(re.findall(r"^### ", text, re.M)) == 50


def test_the_text_of_a_gathering_is_what_it_did(
    vade: Vade, tmp_path: Path, capsys: pytest.CaptureFixture[str], clock: FrozenClock
) -> None:
    vade("log", "--agent", "ann", "We decided to use REST.", "--title", "API discussion")
    call = Call(clock=clock, embedder=small_embedder())
    assert status_of(["gather", "--agent", "boss", "--dry-run"], call) == 0
    out = capsys.readouterr().out
    assert "would log  ann: API discussion  2026-01-20 10:30" in out
    assert "ann:memory/2026-01-20.md:" in out
    assert log_of(tmp_path) == ""
