"""The sample memory answers the questions that come with it, and is as tidy as it preaches."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from vademecum import Memory, open_memory

_EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
_QUESTIONS = tomllib.loads((_EXAMPLES / "questions.toml").read_text(encoding="utf-8"))["question"]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    place = tmp_path_factory.mktemp("sample")
    shutil.copytree(_EXAMPLES / "workspace", place / "workspace")
    state = {"state.directory": str(place / "state")}
    with open_memory(place / "workspace", settings=state) as opened:
        opened.sync()
        yield opened


@pytest.mark.req("R-01", "R-02", "R-03", "R-07")
@pytest.mark.parametrize("question", _QUESTIONS, ids=lambda question: question["ask"])
def test_every_question_is_answered_from_the_note_that_knows(
    memory: Memory, question: dict[str, Any]
) -> None:
    answer = memory.recall(question["ask"])
    assert answer.degraded == ()
    assert {s.span.path for s in answer.sources} & {question["path"], *question["also"]}
    assert any(question["holds"] in source.text for source in answer.sources)


@pytest.mark.req("R-07")
def test_the_first_question_shares_no_word_with_the_first_source(memory: Memory) -> None:
    # The README shows this one: it must be found by meaning alone, and come first.
    first = _QUESTIONS[0]
    (source, *_) = memory.recall(first["ask"], limit=1).sources
    assert source.span.path == first["path"]
    assert first["holds"] in source.text
    assert _content_words(first["ask"]) & _content_words(source.text) == set()


def _content_words(text: str) -> set[str]:
    empty = {"what", "is", "the", "for", "a", "as", "at", "in", "of", "and", "to"}
    return set(re.findall(r"[a-z]+", text.lower())) - empty


def test_every_link_and_id_of_the_sample_holds() -> None:
    notes = {path.stem: path for path in (_EXAMPLES / "workspace").rglob("*.md")}
    dead, ids = [], []
    for path in notes.values():
        text = path.read_text(encoding="utf-8")
        for target in re.findall(r"\[\[([^\]]+)\]\]", text):
            name, _, heading = target.partition("#")
            there = notes[name].read_text(encoding="utf-8") if name in notes else ""
            if not there or (heading and f"### {heading}\n" not in there):
                dead.append(f"{path.name}: {target}")
        ids += re.findall(r"(?<!by) \^([0-9a-z]{6})$", text, re.M)
    assert dead == []
    assert len(ids) == len(set(ids)) > 50


def test_the_top_map_of_the_sample_reaches_every_concept() -> None:
    memory = _EXAMPLES / "workspace" / "memory"
    reached, todo = set(), [memory / "index.md"]
    while todo:
        page = todo.pop()
        if page in reached:
            continue
        reached.add(page)
        if page.name == "index.md":
            links = re.findall(r"\]\(([^)]+\.md)\)", page.read_text(encoding="utf-8"))
            todo += [page.parent / link for link in links]
    concepts = {path for path in memory.rglob("*.md") if path.parent.name != "memory"}
    assert {path.resolve() for path in concepts} - {path.resolve() for path in reached} == {
        (memory / "system" / "index.md").resolve()
    }
