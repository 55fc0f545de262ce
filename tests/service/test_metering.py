"""Models on a meter: asked twice at most, each question in the ledger, bounded by the day."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from vademecum.context.compact import Compacted
from vademecum.core.changes import Change, Effect
from vademecum.core.errors import ModelUnavailable, Refused
from vademecum.core.models import Model
from vademecum.core.provenance import Actor
from vademecum.service.memory import Memory, open_memory
from vademecum.surfaces.rendering.files import history
from vademecum.testing import FrozenClock, ScriptedModel, throwaway_memory

WANTED = {"lessons": "what was learnt"}
GOOD = {"lessons": ["Ship on Mondays."]}


def model_of(memory: Memory, session: str = "reflect-2026-01-20") -> Model:
    model = memory._parts.model_for(Actor("job:reflect", session))
    assert model is not None
    return model


def asks(memory: Memory) -> list[Change]:
    return list(reversed(memory.history(verb="ask", limit=100)))


@pytest.mark.req("L-02")
def test_an_answer_of_another_form_is_asked_for_once_more_with_what_is_amiss() -> None:
    script = ScriptedModel(["I would say so.", GOOD])
    with throwaway_memory(model=script) as memory:
        assert model_of(memory).answer("What was learnt?", WANTED) == {
            "lessons": ("Ship on Mondays.",)
        }
    first, second = script.asked
    assert second.startswith(first)
    assert "could not be used" in second and "lessons" in second


@pytest.mark.req("L-02")
def test_nonsense_twice_is_no_answer_and_was_recorded_twice() -> None:
    script = ScriptedModel(["{}", '{"lessons": 3}', GOOD])
    with throwaway_memory(model=script) as memory:
        with pytest.raises(ModelUnavailable, match="asked twice"):
            model_of(memory).answer("What was learnt?", WANTED)
        assert len(script.asked) == len(asks(memory)) == 2


@pytest.mark.req("B-03")
def test_the_ledger_says_who_asked_what_it_took_and_history_shows_it(tmp_path: Path) -> None:
    script = ScriptedModel([GOOD], cost=0.0123)
    with throwaway_memory(model=script, root=tmp_path) as memory:
        memory.log("Shipped on a Monday.")
        model_of(memory).answer("What was learnt?", WANTED)
        (asked,) = asks(memory)
        assert (asked.actor, asked.session) == ("job:reflect", "reflect-2026-01-20")
        assert (asked.effect, asked.path, asked.before, asked.after) == (Effect.ASK, "", "", "")
        assert asked.usage is not None
        assert asked.usage.cost == 0.0123 and asked.usage.sent > 3 and asked.usage.estimated
        told = ["".join(piece for piece, _ in row.pieces) for row in history(memory.history())]
        assert "$0.0123" in told[0] and "about" in told[0]
        assert memory.history(session="reflect-2026-01-20") == (asked,)
        assert memory._workspace.ledger.defects() == ()


@pytest.mark.req("B-03")
def test_a_question_is_nothing_to_undo_to_commit_or_to_diagnose(tmp_path: Path) -> None:
    script = ScriptedModel(lambda _prompt, _wanted: GOOD)
    with throwaway_memory(model=script, root=tmp_path) as memory:
        root = tmp_path / "workspace"
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        memory.git("setup")
        model_of(memory).answer("What was learnt?", WANTED)
        memory.log("Shipped on a Monday.")
        model_of(memory).answer("What was learnt?", WANTED)
        standing = memory.git("commit")
        assert standing.waiting == 0
        with pytest.raises(Refused, match="changed no file"):
            memory.undo(asks(memory)[0].id)
        taken_back = memory.undo(session="reflect-2026-01-20")
        assert (taken_back.written, taken_back.left) == ((), ())
        assert not [f for f in memory.doctor().findings if "ledger" in f.code]


@pytest.mark.req("L-02")
@pytest.mark.parametrize(
    ("settings", "cost", "key"),
    [({"model.daily_tokens": 60}, None, "model.daily_tokens"),
     ({"model.daily_cost": 0.02}, 0.011, "model.daily_cost"),
     ({"model.daily_cost": 0.001, "model.price_in": 20.0, "model.price_out": 20.0}, None,
      "model.daily_cost")],
)  # fmt: skip
def test_beyond_the_bound_of_a_local_day_the_model_is_not_to_be_had_until_the_next(
    settings: dict[str, Any], cost: float | None, key: str
) -> None:
    clock = FrozenClock("2026-01-20T23:30:00", "America/New_York")  # the 21st already in UTC
    script = ScriptedModel(lambda _prompt, _wanted: GOOD, cost=cost)
    settings = {**settings, "workspace.zone": "America/New_York"}
    with throwaway_memory(model=script, clock=clock, settings=settings) as memory:
        model = model_of(memory)
        with pytest.raises(ModelUnavailable) as caught:
            for _ in range(20):
                model.answer("What was learnt by the whole team in all of this long week?", WANTED)
        assert key in caught.value.hint
        spent = len(script.asked)
        assert 1 <= spent < 5
        clock.move_to("2026-01-21T00:10:00")
        model.answer("What was learnt?", WANTED)
        assert len(script.asked) == spent + 1


@pytest.mark.req("L-02")
@pytest.mark.parametrize(
    ("bound", "asked"), [({"model.daily_tokens": 15}, 1), ({"model.daily_cost": 0.01}, 1), ({}, 3)]
)
def test_another_process_cannot_pass_the_bound_while_an_answer_is_awaited(
    bound: dict[str, Any], asked: int, tmp_path: Path
) -> None:
    refused: list[str] = []

    def meanwhile(_prompt: str, _wanted: Mapping[str, str]) -> dict[str, list[str]]:
        refused.append(try_once())
        return GOOD

    def try_once() -> str:
        try:
            model_of(other).answer("What was learnt?", WANTED)
        except ModelUnavailable as error:
            return str(error)
        return ""

    first, second = ScriptedModel(meanwhile, cost=0.01), ScriptedModel([GOOD, GOOD], cost=0.01)
    settings, clock = {**bound, "model.timeout": 0.1}, FrozenClock()
    with throwaway_memory(model=first, root=tmp_path, clock=clock, settings=settings) as memory:
        state = {"state.directory": str(Path(memory.status().state).parent)}
        other = open_memory(
            tmp_path / "workspace",
            model=second,
            clock=clock,
            settings={**settings, **state},
            variables={},
        )
        with other:
            model_of(memory).answer("What was learnt?", WANTED)
            refused.append(try_once())
        assert len(first.asked) + len(second.asked) == len(asks(memory)) == asked
    if bound:
        assert "not done in 0.1 seconds" in refused[0]
        assert "are spent" in refused[1]
    else:
        assert refused == ["", ""]


@pytest.mark.req("L-02")
def test_a_bound_in_dollars_without_a_price_is_not_passed_in_silence() -> None:
    script = ScriptedModel(lambda _prompt, _wanted: GOOD, cost=None)
    with throwaway_memory(model=script, settings={"model.daily_cost": 5.0}) as memory:
        model_of(memory).answer("What was learnt?", WANTED)
        with pytest.raises(ModelUnavailable, match="scripted costs is not known"):
            model_of(memory).answer("What was learnt?", WANTED)


@pytest.mark.req("C-03")
def test_where_the_bound_is_reached_a_summary_is_by_rules_and_says_so() -> None:
    script = ScriptedModel(lambda _prompt, _wanted: GOOD)
    said = [{"role": "user", "content": "We decided on REST. " + "word " * 400}] * 4
    with throwaway_memory(model=script, settings={"model.daily_tokens": 1}) as memory:
        done = memory.compact(said, session="s1", keep=100)
    assert isinstance(done, Compacted)
    assert not script.asked
    assert [one.part for one in done.degraded] == ["model"]
    assert "tokens are spent" in done.degraded[0].reason


@pytest.mark.req("L-02")
def test_a_program_is_a_model_whose_tokens_are_estimated_and_priced_by_configuration(
    tmp_path: Path,
) -> None:
    program = tmp_path / "model"
    program.write_text('#!/bin/sh\ncat >/dev/null\necho \'{"lessons": ["x"]}\'\n')
    program.chmod(0o755)
    settings: Mapping[str, Any] = {
        "model.provider": "command",
        "model.command": (str(program),),
        "model.price_in": 1_000_000.0,
    }
    with throwaway_memory(settings=settings) as memory:
        model_of(memory).answer("What was learnt?", WANTED)
        usage = asks(memory)[0].usage
    assert usage is not None
    assert usage.model == "model" and usage.estimated
    assert usage.cost == usage.sent > 0


@pytest.mark.req("L-02", "B-03")
@pytest.mark.parametrize("ends", ["exec sleep 60", "cat >/dev/null; exit 3"])
def test_a_request_that_gets_no_answer_is_in_the_ledger_and_counts(
    tmp_path: Path, ends: str
) -> None:
    program = tmp_path / "model"
    program.write_text(f"#!/bin/sh\n{ends}\n")
    program.chmod(0o755)
    settings: Mapping[str, Any] = {
        "model.provider": "command",
        "model.command": (str(program),),
        "model.timeout": 0.3,
        "model.daily_tokens": 160,
    }
    with throwaway_memory(settings=settings) as memory:
        reasons: list[str] = []
        for _ in range(4):
            with pytest.raises(ModelUnavailable) as caught:
                model_of(memory).answer("What was learnt? " * 10, WANTED)
            reasons.append(str(caught.value))
        asked = asks(memory)
    assert 1 <= len(asked) < 4
    assert all("tokens are spent" in reason for reason in reasons[len(asked) :])
    assert asked[0].usage is not None and asked[0].usage.sent > 40 and asked[0].usage.received == 0
    assert asked[0].summary == "asked model, which gave no answer"


@pytest.mark.req("L-02")
def test_what_no_request_was_made_for_is_in_no_ledger(tmp_path: Path) -> None:
    settings = {"model.provider": "command", "model.command": (str(tmp_path / "nothing"),)}
    with throwaway_memory(settings=settings) as memory:
        with pytest.raises(ModelUnavailable, match="cannot be run"):
            model_of(memory).answer("What was learnt?", WANTED)
        assert asks(memory) == []


@pytest.mark.req("R-07")
def test_pydantic_ai_and_chat_mean_the_same_and_either_key_names_the_model(tmp_path: Path) -> None:
    with throwaway_memory(root=tmp_path):
        pass
    for provider in ("pydantic-ai", "chat"):
        for key in ("model.name", "model.chat"):
            settings = {"model.provider": provider, key: "openai:", "state.directory": "x"}
            settings["state.directory"] = str(tmp_path / "state")
            with (
                open_memory(tmp_path / "workspace", settings=settings, variables={}) as memory,
                pytest.raises(ModelUnavailable, match="'openai:' names no model"),
            ):
                model_of(memory).answer("What was learnt?", WANTED)


@pytest.mark.req("R-07")
def test_a_key_goes_to_no_other_provider_than_its_own(tmp_path: Path) -> None:
    with throwaway_memory(root=tmp_path):
        pass
    settings = {
        "model.provider": "pydantic-ai",
        "model.name": "anthropic:claude-of-my-own",
        "model.chat": "openai:gpt-of-my-own",
        "state.directory": str(tmp_path / "state"),
    }
    variables = {"OPENAI_API_KEY": "for-openai-alone"}
    with (
        open_memory(tmp_path / "workspace", settings=settings, variables=variables) as memory,
        pytest.raises(ModelUnavailable, match="no key for anthropic"),
    ):
        model_of(memory).answer("What was learnt?", WANTED)
