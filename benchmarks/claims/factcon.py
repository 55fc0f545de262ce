"""Remember dated facts one by one, in files, and count what ends struck and what a claim costs.

    python -m benchmarks.claims.factcon DATA [--claims 10000] [--limit N]

DATA holds a directory per workspace with `memory/YYYY-MM-DD.md` files of `- fact` lines, and
`questions.jsonl` whose `stale` names lines known to be outdated.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from benchmarks.claims.score_update_stream import (
    Place,
    asked_outdated,
    derived_outdated,
    read_facts,
)

from vademecum.backends.sqlite.index import SqliteIndex
from vademecum.core.claims import Claim
from vademecum.core.provenance import Actor, Tag
from vademecum.indexing.recipe import recipe_of
from vademecum.indexing.sync import sync
from vademecum.markdown.claims import read_claims, render_claim
from vademecum.markdown.kinds import Kind
from vademecum.testing import FrozenClock
from vademecum.workspace.workspace import Workspace, create_workspace
from vademecum.writing.draft import Draft
from vademecum.writing.fresh import FreshClaims
from vademecum.writing.known import is_editable
from vademecum.writing.maps import keep_in_step
from vademecum.writing.notes import new_note
from vademecum.writing.remember import remember
from vademecum.writing.signing import sign

_ACTOR = Actor("benchmark", "s1")
_COLOURS = ("red", "green", "blue", "amber", "violet")


def main() -> None:
    """Run every workspace, then time single claims in a memory that already holds many."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--claims", type=int, default=10_000, help="claims there when timing")
    parser.add_argument("--limit", type=int, default=0, help="facts per workspace, 0: all")
    parser.add_argument("--timed", type=int, default=200, help="claims that are timed")
    parser.add_argument("--show", type=int, default=5, help="errors to print")
    parser.add_argument("--keep", type=Path, help="leave the workspaces here")
    arguments = parser.parse_args()
    lines = (arguments.data / "questions.jsonl").read_text("utf-8").splitlines()
    questions = [json.loads(line) for line in lines]
    with tempfile.TemporaryDirectory() as temporary:
        home = arguments.keep or Path(temporary)
        for folder in sorted(path for path in arguments.data.iterdir() if path.is_dir()):
            facts = read_facts(folder)
            facts = dict(list(facts.items())[: arguments.limit or None])
            mine = [asked for asked in questions if asked["workspace"] == folder.name]
            outdated = {"all outdated": derived_outdated(facts)}
            if not arguments.limit:
                outdated["asked about"] = asked_outdated(facts, mine)
            report(opened(home / folder.name), folder.name, facts, outdated, arguments.show)
        many = opened(home / "many")
        time_claims(many, arguments.claims, arguments.timed)


def opened(root: Path) -> Workspace:
    """Return a new workspace below `root`."""
    variables = {"HOME": str(root), "XDG_STATE_HOME": str(root / "state")}
    return create_workspace(root / "workspace", variables=variables, clock=FrozenClock())


_FILES_AHEAD = 200
"""Files written since the last sweep from which on the index is swept again."""


class Indexed:
    """The real index, and over it what was written since it was swept."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        recipe = recipe_of(workspace.settings.chunk, workspace.profile.name)
        self._index = SqliteIndex(workspace.state, None, recipe)
        self.reader = FreshClaims(workspace, self._index)
        sync(workspace, self._index)

    def refresh(self) -> None:
        """Look at what was written; sweep when that has become much."""
        if len(self.reader) > _FILES_AHEAD:
            self.reader.through(lambda: sync(self._workspace, self._index))
        self.reader.refresh()


def report(
    workspace: Workspace,
    name: str,
    facts: dict[Place, str],
    outdated: dict[str, set[Place]],
    show: int,
) -> None:
    """Remember every fact of a workspace and print the shares of what was struck."""
    held = Indexed(workspace)
    outcomes: Counter[str] = Counter()
    costs = []
    for (path, _), fact in facts.items():
        since = date.fromisoformat(Path(path).stem)
        started = time.perf_counter()
        outcome = remember(
            workspace,
            held.reader,
            fact,
            actor=_ACTOR,
            tag=Tag.STATED,
            since=since,
            refresh=held.refresh,
        )
        costs.append(time.perf_counter() - started)
        outcomes[type(outcome).__name__] += 1
    live = {claim.text for claim in in_files(workspace) if claim.live}
    gone = {place for place, fact in facts.items() if fact not in live}
    print(f"{name}: {len(facts)} facts, {dict(outcomes)}, p50 {_milliseconds(costs)}")
    every = set().union(*outdated.values())
    for label, places in outdated.items():
        print(
            f"  {label:14} {len(places):5}  struck {len(places & gone) / max(len(places), 1):.4f}"
        )
    others = facts.keys() - every
    wrong = sorted(others & gone)
    print(f"  {'all others':14} {len(others):5}  struck {len(wrong) / len(others):.4f}")
    for place in wrong[:show]:
        print("  wrongly struck", facts[place])
    for place in sorted(every - gone)[:show]:
        print("  still standing", facts[place])


def time_claims(workspace: Workspace, count: int, timed: int) -> None:
    """Time claims of each outcome in a memory that holds `count` claims."""
    fill(workspace, count)
    held = Indexed(workspace)
    clock = workspace.clock
    assert isinstance(clock, FrozenClock)
    clock.advance(days=40)
    costs: dict[str, list[float]] = {}
    for number in range(timed):
        texts = (
            f"The favourite colour of newcomer {number} is red",
            f"The favourite colour of person {number * 7} is {_COLOURS[(number + 1) % 5]}",
            f"The favourite colour of person {number * 11 + 1} is {_colour(number * 11 + 1)}",
        )
        for text in texts:
            started = time.perf_counter()
            outcome = remember(
                workspace, held.reader, text, actor=_ACTOR, tag=Tag.STATED, refresh=held.refresh
            )
            spent = time.perf_counter() - started
            costs.setdefault(type(outcome).__name__, []).append(spent)
    every = [cost for found in costs.values() for cost in found]
    print(f"in a memory of {sum(1 for _ in in_files(workspace))} claims")
    for name, found in sorted(costs.items()):
        print(f"  {name:14} {len(found):5}  p50 {_milliseconds(found)}")
    print(f"  {'all':14} {len(every):5}  p50 {_milliseconds(every)}")
    bare = [_replaced(workspace, number) for number in range(timed)]
    print(f"  {'one bare write':14} {len(bare):5}  p50 {_milliseconds(bare)}")


def _replaced(workspace: Workspace, number: int) -> float:
    """Return what one durable replacement of a small note costs here and now."""
    files = workspace.files
    path = "memory/preferences/person-0.md"
    started = time.perf_counter()
    base = files.read(path)
    files.replace(base, base.data + b"%d\n" % number, sign(workspace, _ACTOR, "bare"))
    return time.perf_counter() - started


def in_files(workspace: Workspace) -> Iterator[Claim]:
    """Yield every claim of the notes as they are on disk."""
    for path in workspace.scan().files:
        if is_editable(workspace, path):
            yield from read_claims(path, Draft(workspace).text(path) or "")


def fill(workspace: Workspace, count: int) -> None:
    """Put `count` claims into notes of their own, with the maps that lead there."""
    draft = Draft(workspace)
    today = date(2026, 1, 20)
    paths = []
    for number in range(count):
        text = f"The favourite colour of person {number} is {_colour(number)}"
        path = f"memory/preferences/person-{number}.md"
        line = render_claim(text, Tag.STATED, since=today, id=f"f{number:06d}")
        note = new_note(Kind.PREFERENCE, f"Person {number}", text, today, profile="standard")
        draft.put(path, f"{note}{line}\n")
        paths.append(path)
    keep_in_step(draft, paths)
    for path in draft.changed():
        file = workspace.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(draft.text(path) or "", "utf-8")


def _colour(number: int) -> str:
    return _COLOURS[number % 5]


def _milliseconds(costs: list[float]) -> str:
    return f"{1000 * statistics.median(costs):.1f} ms"


if __name__ == "__main__":
    main()
