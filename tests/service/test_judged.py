"""A configured model judges what no rule is sure of; its power has bounds, and it holds no lock."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from vademecum.core.errors import SecretFound
from vademecum.core.outcomes import (
    Added,
    AlreadyKnown,
    Conflicted,
    LoggedOnly,
    Outcome,
    Quarantined,
    Updated,
)
from vademecum.service.memory import Memory, open_memory
from vademecum.surfaces.rendering.claims import outcome_fields, remembered
from vademecum.testing import FrozenClock, small_embedder, throwaway_memory

READS = """
import json, pathlib, re, sys
asked = sys.stdin.read()
with open({log!r}, "a", encoding="utf-8") as log:
    log.write(asked + "\\0")
older = dict(re.findall(r"^(\\d+)\\. (.*?)(?: \\(since [\\d-]+\\))?$", asked, re.MULTILINE))
answer = {{"same": [], "updates": [], "contradicts": [], "apart": []}}
def said(name, words):
    answer[name] += [number for number, text in older.items() if words in text]
"""
"""The beginning of every model of these tests: what it was asked goes to a file."""

ADDS = """
import sys
from pathlib import Path
from vademecum.testing import throwaway_memory
with throwaway_memory(root=Path(sys.argv[1])) as memory:
    print(memory.remember("Dora reads the nightly report first", tag="stated").claim)
"""
Asking = Callable[..., Memory]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Asking]:
    """Open a memory whose model is a program that answers by `answers`, lines of Python."""
    with ExitStack() as open_ones:
        open_ones.enter_context(throwaway_memory(root=tmp_path))

        def opening(answers: str, timeout: float = 30.0) -> Memory:
            program = tmp_path / f"model-{abs(hash(answers))}.py"
            log = str(tmp_path / "asked.txt")
            program.write_text(READS.format(log=log) + answers + "\nprint(json.dumps(answer))\n")
            return open_ones.enter_context(
                open_memory(
                    tmp_path / "workspace",
                    clock=FrozenClock(),
                    embedder=small_embedder(),
                    settings={
                        "state.directory": str(tmp_path / "state"),
                        "model.provider": "command",
                        "model.command": (sys.executable, str(program)),
                        "model.timeout": timeout,
                    },
                    variables={},
                )
            )

        yield opening


def asked(tmp_path: Path) -> list[str]:
    log = tmp_path / "asked.txt"
    return log.read_text("utf-8").split("\0")[:-1] if log.exists() else []


def line(memory: Memory, outcome: Outcome) -> str:
    return memory.get(f"{outcome.span.path}:{outcome.span.first}").text


OLD = "The nightly report is mailed to Berta"
NEW = "Since the reorganisation Carl gets the nightly report by mail"


@pytest.mark.req("W-02")
def test_a_paraphrase_that_no_rule_sees_is_struck_on_a_model_s_word(
    opened: Asking, tmp_path: Path
) -> None:
    plain = opened("", 0.1)
    first = plain.remember(OLD, tag="stated", since="2026-01-02")
    # No rule is sure of it: without a model both stand.
    assert isinstance(plain.remember(NEW, tag="stated", dry_run=True), Added)
    memory = opened("said('updates', 'Berta')")
    done = memory.remember(NEW, tag="stated")
    assert isinstance(done, Updated)
    assert [claim.id for claim in done.superseded] == [first.claim]
    assert "a model" in done.rule
    assert not done.notes
    assert f"superseded 2026-01-20 by ^{done.claim}" in memory.get(first.span.path).text
    told = asked(tmp_path)[-1]
    assert OLD in told
    assert NEW in told


@pytest.mark.req("W-02", "W-04")
@pytest.mark.parametrize("tag", ["inferred", "suggested"])
def test_a_model_strikes_nothing_that_is_better_founded(opened: Asking, tag: str) -> None:
    memory = opened("said('updates', 'Berta')")
    first = memory.remember(OLD, tag="stated", since="2026-01-02")
    done = memory.remember(NEW, tag=tag)
    assert isinstance(done, Conflicted)
    assert [claim.id for claim in done.rivals] == [first.claim]
    assert f"- [stated] {OLD}" in memory.get(first.span.path).text


@pytest.mark.req("W-02", "R-04")
def test_a_model_strikes_nothing_that_is_newer(opened: Asking) -> None:
    memory = opened("said('updates', 'Berta')")
    live = memory.remember(OLD, tag="stated", since="2026-01-10")
    done = memory.remember(NEW, tag="stated", since="2026-01-05")
    assert isinstance(done, Updated)
    assert done.claim == live.claim
    assert [claim.text for claim in done.superseded] == [NEW]


@pytest.mark.req("W-02")
def test_a_model_may_find_known_contradicted_or_apart(opened: Asking) -> None:
    memory = opened("said('same', 'Berta'); said('contradicts', 'crane'); said('apart', 'quay')")
    first = memory.remember(OLD, tag="stated")
    known = memory.remember("Berta is the one who receives the report every night", tag="stated")
    assert isinstance(known, AlreadyKnown)
    assert known.claim == first.claim
    memory.remember("The crane lifts barges at the north pier", tag="stated")
    against = memory.remember("No barges are lifted at the north pier by anybody", tag="stated")
    assert isinstance(against, Conflicted)
    memory.remember("The quay wall was painted in spring", tag="stated")
    assert isinstance(memory.remember("Painted walls at the quay peel", tag="stated"), Added)


@pytest.mark.req("W-02", "W-04")
def test_a_model_that_finds_the_same_neither_raises_a_tag_nor_loses_a_number(
    opened: Asking,
) -> None:
    memory = opened("said('same', 'report'); said('same', 'crane')")
    guess = memory.remember(OLD, tag="inferred")
    done = memory.remember("Berta receives the report every night", tag="stated")
    assert isinstance(done, Updated)
    assert f"~~[inferred] {OLD}" in memory.get(guess.span.path).text
    memory.remember("The crane at the pier lifts barges of heavy weight", tag="stated")
    other = memory.remember("Barges of 40 tonnes are what the crane can lift", tag="stated")
    assert isinstance(other, Added)


@pytest.mark.req("W-02", "R-07")
@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ("raise SystemExit('the model is asleep')", "ended with 1"),
        ("print('Yes.'); raise SystemExit", "printed no JSON"),
        ("answer = {'updates': ['7']}", "printed no JSON"),
        ("answer['updates'] = ['99']", "was not shown"),
        ("answer['updates'] = ['^c7f3a1']", "was not shown"),
        ("said('updates', 'Berta'); said('apart', 'Berta')", "two things"),
        ("pass", "nothing of any claim"),
    ],
)
def test_an_answer_that_cannot_be_used_leaves_it_to_rules_and_is_said(
    opened: Asking, answers: str, why: str
) -> None:
    memory = opened(answers)
    memory.remember(OLD, tag="stated")
    done = memory.remember(NEW, tag="stated")
    assert isinstance(done, Added)
    assert why in " ".join(done.notes)
    assert outcome_fields(done)["notes"] == done.notes
    assert why in "\n".join(row.plain for row in remembered(done, dry_run=False))
    # Where rules are sure, they decide as ever.
    memory.remember("Anna lives in Oslo", tag="stated")
    assert isinstance(memory.remember("Anna lives in Rome", tag="stated"), Updated)


@pytest.mark.req("W-02", "R-07")
def test_a_model_that_takes_too_long_is_not_waited_for(opened: Asking) -> None:
    memory = opened("import time; time.sleep(60)", timeout=0.2)
    memory.remember(OLD, tag="stated")
    done = memory.remember(NEW, tag="stated")
    assert isinstance(done, Added)
    assert "took longer than 0.2 seconds" in done.notes[0]


@pytest.mark.req("W-02")
def test_a_model_is_asked_only_where_its_answer_can_matter(opened: Asking, tmp_path: Path) -> None:
    memory = opened("said('apart', '')")
    first = memory.remember(OLD, tag="stated")  # nothing is near yet
    memory.remember(OLD, tag="stated")  # known
    assert isinstance(memory.remember("Is the nightly report mailed to Berta?"), LoggedOnly)
    page = memory.remember("Web pages say that the report is mailed", untrusted=True)
    assert isinstance(page, Quarantined)
    memory.remember(NEW, tag="stated", supersedes=first.claim)
    secret = "ghp_" + "a1B2" * 9
    with pytest.raises(SecretFound):
        memory.remember(f"The report is mailed with {secret}", tag="stated")
    assert asked(tmp_path) == []


@pytest.mark.req("W-02", "B-04")
def test_a_credential_that_stands_in_a_note_is_shown_to_no_model(
    opened: Asking, tmp_path: Path
) -> None:
    memory = opened("said('apart', '')")
    kept = memory.remember(OLD, tag="stated")
    secret = "ghp_" + "a1B2" * 9
    note = tmp_path / "workspace" / kept.span.path
    note.write_text(note.read_text() + f"- [stated] The nightly report uses {secret} ^abc123\n")
    memory.remember(NEW, tag="stated")
    (told,) = asked(tmp_path)
    assert OLD in told
    assert secret not in told


@pytest.mark.req("W-02", "B-02")
def test_what_changes_while_a_model_stalls_survives_and_what_was_said_of_it_is_dropped(
    opened: Asking, tmp_path: Path
) -> None:
    stall = tmp_path / "stall"
    os.mkfifo(stall)
    memory = opened(
        f"open({str(stall)!r}, 'w').close()\n"  # says that it was asked
        f"open({str(stall)!r}).read()\n"  # and waits
        "for word in ('Berta', 'quay'): said('updates', word)"
    )
    with throwaway_memory(root=tmp_path) as writer:  # no model: it only fills the notes
        edited = writer.remember(OLD, tag="stated", since="2026-01-02")
        other = writer.remember(
            "The report on the quay is due nightly", tag="stated", since="2026-01-02"
        )
        removed = writer.remember("The nightly report has a cover", tag="stated")
    done: list[Outcome] = []
    stalled = threading.Thread(target=lambda: done.append(memory.remember(NEW, tag="stated")))
    stalled.start()
    with stall.open():
        pass  # the model was asked, and stalls
    workspace = tmp_path / "workspace"
    # Another process adds a claim, an editor edits one, and takes one out.
    added = subprocess.run(
        [sys.executable, "-c", ADDS, str(tmp_path)], capture_output=True, text=True, check=True
    ).stdout.strip()
    words = "The nightly report is mailed to Berta and Emil"
    note = workspace / edited.span.path
    note.write_text(note.read_text().replace(OLD, words))
    note = workspace / removed.span.path
    gone = f"- [stated] {removed.text} (2026-01-20) ^{removed.claim}\n"
    note.write_text(note.read_text().replace(gone, ""))
    # The same memory goes on as well: nothing of it waits for the model.
    meanwhile = memory.remember("The harbour opens at six", tag="stated")
    stall.write_text("")
    stalled.join()
    (outcome,) = done
    everything = "\n".join(p.read_text() for p in workspace.rglob("*.md") if p.name != "index.md")
    assert isinstance(outcome, Updated)
    assert [claim.id for claim in outcome.superseded] == [other.claim]
    assert f"^{edited.claim}" in outcome.notes[0]
    assert f"- [stated] {words} (2026-01-02) ^{edited.claim}" in everything
    assert f"^{added}\n" in everything
    assert f"^{removed.claim}" not in everything
    assert meanwhile.text in everything
    assert everything.count(NEW) == 1 + everything.count(f"description: {NEW}")
