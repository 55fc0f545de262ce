"""Question sets: those on disk under a data directory, and the two that come with the project."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.quality.scorer import Lines, Question

OWN = Path(__file__).resolve().parent / "sets"
LANGUAGES = ("en", "de", "es", "zh", "ja", "ko")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Workspaces by name, each a directory of Markdown, and the questions to them."""

    name: str
    workspaces: dict[str, Path]
    questions: tuple[Question, ...]


def on_disk(directory: Path) -> Corpus:
    """Read `questions.jsonl` and the workspaces beside it; what has no evidence is left out."""
    questions = tuple(_questions(directory / "questions.jsonl"))
    names = {question.workspace for question in questions}
    return Corpus(directory.name, {name: directory / name for name in sorted(names)}, questions)


def _questions(path: Path) -> Iterator[Question]:
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row.get("evidence") and not row.get("adversarial"):
            yield Question(
                workspace=row["workspace"],
                text=row["question"],
                evidence=_lines(row["evidence"]),
                stale=_lines(row.get("stale") or []),
                kind=row.get("category_name", ""),
            )


def _lines(rows: list[dict[str, object]]) -> tuple[Lines, ...]:
    found = [
        Lines(str(row["path"]), int(str(row["start_line"])), int(str(row["end_line"])))
        for row in rows
    ]
    return tuple(dict.fromkeys(found))


def paraphrases(language: str, directory: Path) -> Corpus:
    """Write the notes of one language and ask for them in that language, in other words."""
    rows = [row for row in _rows("paraphrase.tsv") if row["language"] == language]
    asked = [(row["topic"], row["question"]) for row in rows]
    return _own(f"paraphrase {language}", language, rows, asked, directory)


def across(language: str, directory: Path) -> Corpus:
    """Write the notes of one language and ask for them in English."""
    rows = [row for row in _rows("paraphrase.tsv") if row["language"] == language]
    asked = [(row["topic"], row["question"]) for row in _rows("crosslingual.tsv")]
    return _own(f"English to {language}", language, rows, asked, directory)


def _rows(name: str) -> list[dict[str, str]]:
    head, *lines = (OWN / name).read_text(encoding="utf-8").splitlines()
    columns = head.split("\t")
    return [dict(zip(columns, line.split("\t"), strict=True)) for line in lines]


def _own(
    name: str,
    language: str,
    rows: list[dict[str, str]],
    asked: list[tuple[str, str]],
    directory: Path,
) -> Corpus:
    """One note a file, named by a number, so that no name gives an answer away."""
    place = directory / name.replace(" ", "-")
    (place / "memory").mkdir(parents=True)
    paths: dict[str, str] = {}
    for number, row in enumerate(rows, 1):
        paths[row["topic"]] = f"memory/{number:02}.md"
        (place / paths[row["topic"]]).write_text(row["note"] + "\n", encoding="utf-8")
    questions = tuple(
        Question(language, text, (Lines(paths[topic], 1, 1),)) for topic, text in asked
    )
    return Corpus(name, {language: place}, questions)
