"""Remembering through the library: over the real index, whatever the embedder does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from vademecum.core.errors import BadInput, EmbedderUnavailable, SecretFound
from vademecum.core.outcomes import Added, AlreadyKnown, Conflicted, Updated
from vademecum.core.ports import EmbedderIdentity, Purpose, Vector
from vademecum.core.provenance import Tag
from vademecum.markdown.kinds import Kind
from vademecum.service.memory import Memory, open_memory
from vademecum.surfaces.cli.remember import KINDS, TAGS
from vademecum.surfaces.cli.review import ACTIONS, MATTERS
from vademecum.testing import FrozenClock, small_embedder, throwaway_memory


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with throwaway_memory(root=tmp_path) as opened:
        yield opened


@pytest.mark.req("W-02")
def test_each_outcome_says_what_became_of_the_claim(memory: Memory) -> None:
    first = memory.remember("Anna lives in Oslo", tag="stated", since="2026-01-02")
    assert isinstance(first, Added)
    assert isinstance(memory.remember("Anna lives in Oslo", tag="stated"), AlreadyKnown)
    second = memory.remember("Anna lives in Rome", tag="stated")
    assert isinstance(second, Updated)
    assert [claim.id for claim in second.superseded] == [first.claim]
    assert isinstance(memory.remember("Anna lives in Bern", tag="suggested"), Conflicted)


@pytest.mark.req("W-02", "F-01")
def test_what_an_editor_wrote_a_moment_ago_is_known(memory: Memory, tmp_path: Path) -> None:
    note = tmp_path / "workspace/memory/anna.md"
    note.write_text("# Anna\n\n- [stated] Anna lives in Oslo (2026-01-02) ^a1b2c3\n")
    assert isinstance(memory.remember("Anna lives in Rome", tag="stated"), Updated)
    assert "~~[stated] Anna lives in Oslo" in note.read_text()


@pytest.mark.req("B-02", "W-02")
def test_what_another_memory_wrote_is_known(memory: Memory, tmp_path: Path) -> None:
    memory.remember("The harbour opens at six", tag="stated")
    with open_memory(
        tmp_path / "workspace",
        clock=FrozenClock(),
        embedder=small_embedder(),
        settings={"state.directory": str(tmp_path / "state")},
        variables={},
    ) as other:
        other.remember("Anna lives in Oslo", tag="stated")
    assert isinstance(memory.remember("Anna lives in Oslo", tag="stated"), AlreadyKnown)


class Failing:
    """An embedder on this machine that fails."""

    identity = EmbedderIdentity("local", "broken", 8)

    def embed(self, texts: object, purpose: Purpose) -> list[Vector]:
        del texts, purpose
        raise EmbedderUnavailable("The model cannot be read.")

    def close(self) -> None:
        """Nothing to close."""


@pytest.mark.req("R-07", "W-02")
def test_an_embedder_that_fails_stops_no_write(tmp_path: Path) -> None:
    with throwaway_memory(root=tmp_path, embedder=Failing()) as memory:
        memory.remember("Anna lives in Oslo", tag="stated")
        assert isinstance(memory.remember("Anna lives in Rome", tag="stated"), Updated)


@pytest.mark.req("W-04")
def test_only_a_person_at_the_terminal_states_without_saying_so(memory: Memory) -> None:
    said = memory.remember("Anna lives in Oslo", by_person=True)
    guessed = memory.remember("Bert lives in Rome")
    assert "[stated] Anna" in memory.get(said.span.path).text
    assert "[inferred] Bert" in memory.get(guessed.span.path).text


@pytest.mark.req("W-04", "W-09")
def test_an_agent_may_call_stated_what_a_user_said_on_file(memory: Memory, tmp_path: Path) -> None:
    turns = [
        {"role": "user", "content": "Please note: invoices are sent as PDF in landscape format."},
        {"role": "assistant", "content": "Invoices could go out weekly."},
    ]
    memory.flush(messages=turns, window=100_000, session="talk")
    with open_memory(
        tmp_path / "workspace",
        agent="bot",
        clock=FrozenClock(),
        embedder=small_embedder(),
        settings={"state.directory": str(tmp_path / "state")},
        variables={},
    ) as bot:
        claim = "Invoices are always sent as PDF in landscape format"
        planned = bot.remember(claim, tag="stated", quote="sent as PDF in landscape", dry_run=True)
        said = bot.remember(claim, tag="stated", quote="sent as PDF in landscape")
        again = bot.remember(claim, tag="stated", quote="sent as PDF in landscape")
        thought = bot.remember("Invoices could go out weekly", tag="stated")
        assert (type(planned), type(said), type(again)) == (Added, Added, AlreadyKnown)
        assert planned.notes == said.notes == ()
        line = bot.get(f"{said.span.path}:{said.span.first}").text
        assert line.startswith("- [stated] Invoices are always sent")
        assert "from [[2026-01-20#" in line
        log = bot.get("memory/2026-01-20.md").text
        assert log.count("User: Please note: invoices are sent as PDF in landscape format.") == 1
        assert "[inferred] Invoices could" in bot.get(thought.span.path).text
        assert "inferred, not stated" in thought.notes[0]


@pytest.mark.req("W-02")
def test_a_dry_run_says_the_same_and_writes_nothing(memory: Memory, tmp_path: Path) -> None:
    before = sorted(path for path in (tmp_path / "workspace").rglob("*"))
    planned = memory.remember("Anna lives in Oslo", tag="stated", dry_run=True)
    assert (type(planned), planned.change) == (Added, "")
    assert sorted(path for path in (tmp_path / "workspace").rglob("*")) == before


@pytest.mark.req("W-02")
@pytest.mark.parametrize("slip", [{"kind": "opinion"}, {"tag": "sworn"}, {"since": "yesterday"}])
def test_a_slip_is_bad_input(memory: Memory, slip: dict[str, str]) -> None:
    with pytest.raises(BadInput):
        memory.remember("Anna lives in Oslo", **slip)  # type: ignore[arg-type]


@pytest.mark.req("B-04")
def test_a_credential_is_left_out_of_log_and_claim_when_asked(memory: Memory) -> None:
    secret = "ghp_" + "a1B2" * 9
    with pytest.raises(SecretFound):
        memory.log(f"The token is {secret}")
    done = memory.log(f"The token is {secret}", redact=True)
    assert secret not in memory.get(done.path).text
    kept = memory.remember(f"The deploy token is {secret}", tag="stated", redact=True)
    assert secret not in memory.get(kept.span.path).text


def test_the_command_line_knows_every_kind_tag_matter_and_ruling() -> None:
    from vademecum.core.review import Matter, Ruling

    assert set(KINDS) == set(Kind)
    assert set(TAGS) == set(Tag) - {Tag.UNKNOWN}
    assert set(MATTERS) == set(Matter)
    assert set(ACTIONS) == {*Ruling, "list"}
