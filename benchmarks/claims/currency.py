"""Ask for facts that changed, and count how often the answer is the newest, with the old behind it.

    python -m benchmarks.claims.currency DATA [--remembered DIR] [--semantic] [--limit N]

DATA holds a directory per workspace with `memory/YYYY-MM-DD.md` files of `- fact` lines, and
`questions.jsonl` with the `evidence` and `stale` lines of each question. Without `--remembered` the
logs are all there is: nothing was ever claimed. With it, DIR holds the same workspaces after each
line was remembered (`python -m benchmarks.claims.factcon DATA --keep DIR`).

hit@1: the first source says what the evidence line says. fresh first: the evidence is among the
sources and no stale line is before it. stale served: a stale line is among the sources as current.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vademecum.core.search import Hit, Source, Status
from vademecum.service.memory import Memory, open_memory
from vademecum.testing import FrozenClock

_NOW = "2027-12-31T12:00:00"


def main() -> None:
    """Score every workspace and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--remembered", type=Path)
    parser.add_argument("--semantic", action="store_true", help="with the configured model as well")
    parser.add_argument("--limit", type=int, default=0, help="questions per workspace, 0: all")
    parser.add_argument("--show", type=int, default=0, help="questions that failed to print")
    arguments = parser.parse_args()
    lines = (arguments.data / "questions.jsonl").read_text("utf-8").splitlines()
    questions = [json.loads(line) for line in lines]
    for folder in sorted(path for path in arguments.data.iterdir() if path.is_dir()):
        mine = [asked for asked in questions if asked["workspace"] == folder.name]
        mine = mine[: arguments.limit or None]
        source = folder
        if arguments.remembered:
            source = arguments.remembered / folder.name / "workspace"
        with (
            tempfile.TemporaryDirectory() as temporary,
            _opened(source, Path(temporary), arguments.semantic) as memory,
        ):
            memory.sync()
            facts = _facts(folder)
            for leg in ("keyword", None) if arguments.semantic else ("keyword",):
                _report(folder.name, leg, memory, mine, facts, arguments.show)


def _opened(source: Path, home: Path, semantic: bool) -> Memory:
    root = home / "workspace"
    shutil.copytree(source, root)
    settings: dict[str, Any] = {"state.directory": str(home / "state"), "workspace.zone": "UTC"}
    if not semantic:
        settings["embedder.provider"] = "none"
    return open_memory(root, profile="standard", clock=FrozenClock(_NOW), settings=settings)


def _facts(folder: Path) -> dict[tuple[str, int], str]:
    found = {}
    for file in sorted((folder / "memory").glob("*.md")):
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
            if line.startswith("- "):
                found[f"memory/{file.name}", number] = _plain(line[2:])
    return found


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")


def _said(asked: dict[str, Any], key: str, facts: dict[tuple[str, int], str]) -> set[str]:
    return {facts[line["path"], line["start_line"]] for line in asked[key] or ()}


def _report(
    name: str,
    leg: Any,
    memory: Memory,
    questions: list[dict[str, Any]],
    facts: dict[tuple[str, int], str],
    show: int,
) -> None:
    first: list[bool] = []
    fresh: list[bool] = []
    served = 0
    fresh_in_search: list[bool] = []
    took: list[float] = []
    for asked in questions:
        right, stale = _said(asked, "evidence", facts), _said(asked, "stale", facts)
        started = time.perf_counter()
        sources = memory.recall(asked["question"], leg=leg).sources
        took.append(1000 * (time.perf_counter() - started))
        first.append(bool(sources) and _says(sources[0], right))
        if stale:
            fresh.append(_is_fresh_first(sources, right, stale))
            hits = memory.search(asked["question"], leg=leg, limit=20).hits
            fresh_in_search.append(_is_fresh_first(hits, right, stale))
            current = [one for one in sources if one.status is not Status.SUPERSEDED]
            served += any(_says(one, stale - right) for one in current)
        if show and not (first[-1] and (not stale or fresh[-1])):
            show -= 1
            print("  missed", asked["question"], "| right:", right, "| stale:", stale)
            for one in sources[:3]:
                print("     ", one.span, one.status.value, one.text[:100], "|", one.why[:100])
    print(
        f"{name}, {leg or 'hybrid'}: {len(questions)} questions, hit@1 {_share(first)},"
        f" fresh first {_share(fresh)} (in search {_share(fresh_in_search)}) of {len(fresh)},"
        f" stale served as current {served}, recall {statistics.median(took):.1f} ms"
    )


def _share(values: list[bool]) -> str:
    return f"{sum(values) / len(values):.3f}" if values else "-"


def _is_fresh_first(found: Any, right: set[str], stale: set[str]) -> bool:
    places = _places(found, right), _places(found, stale - right)
    evidence, old = (next(one, None) for one in places)
    return evidence is not None and (old is None or evidence < old)


def _places(found: Any, texts: set[str]) -> Iterator[int]:
    return (place for place, one in enumerate(found) if _says(one, texts))


def _says(one: Source | Hit, texts: set[str]) -> bool:
    said = _plain(one.text)
    return any(text in said for text in texts)


if __name__ == "__main__":
    main()
