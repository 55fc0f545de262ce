"""Import beliefs as claims, ask, and count what must and what must not be among the sources.

    python -m benchmarks.claims.precision DATA [--semantic] [--show N]

DATA holds PrecisionMemBench: `beliefs.seed.json` and `retrieval.cases.json`. Each belief becomes a
note with aliases, scope and status; what another one replaced is struck and names it. Beliefs that
are pinned, and open questions, are told before anything is asked, so they are counted apart.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vademecum.service.memory import Memory, open_memory
from vademecum.testing import FrozenClock

_FOLDERS = {"preference": "preferences", "decision": "decisions", "entity": "facts"}
_USER = "test-user"
_OTHERS = {"b-other-user-leak-check"}


def main() -> None:
    """Import, ask every case and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--semantic", action="store_true", help="with the configured model as well")
    parser.add_argument("--show", type=int, default=0, help="cases that went wrong to print")
    arguments = parser.parse_args()
    beliefs = json.loads((arguments.data / "beliefs.seed.json").read_text("utf-8"))
    cases = json.loads((arguments.data / "retrieval.cases.json").read_text("utf-8"))
    for leg in ("keyword", None) if arguments.semantic else ("keyword",):
        with tempfile.TemporaryDirectory() as temporary:
            home = Path(temporary)
            paths = {written(home / "workspace", one): one["_id"] for one in mine(beliefs)}
            with opened(home) as memory:
                memory.sync(vectors=leg is None)
                report(memory, leg, cases, beliefs, paths, arguments.show)


def mine(beliefs: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the beliefs of the user who asks; another user's are in another workspace."""
    return (one for one in beliefs if one["user_id"] == _USER and one["_id"] not in _OTHERS)


def opened(home: Path) -> Memory:
    """Open the workspace below `home` without reading anybody's configuration."""
    settings: dict[str, Any] = {"state.directory": str(home / "state"), "workspace.zone": "UTC"}
    clock = FrozenClock("2026-10-10T12:00:00")
    return open_memory(home / "workspace", profile="standard", clock=clock, settings=settings)


def written(root: Path, belief: dict[str, Any]) -> str:
    """Write a belief as a note and return its path."""
    id = belief["_id"].removeprefix("b-")
    path = f"memory/{_FOLDERS.get(belief['type'], 'facts')}/{id}.md"
    day = belief["created_at"][:10]
    changed = belief["updated_at"][:10]
    line = f"[stated] {belief['content']} ({day})"
    status = "active"
    if belief["superseded_by"]:
        after = belief["superseded_by"].removeprefix("b-")
        line, status = f"~~{line}~~ superseded {changed} by ^{after}", "superseded"
    if belief["resolved_at"]:
        status = "resolved"
    kind = "question" if belief["type"] == "open_question" else belief["type"]
    head = [
        f"type: {kind}",
        f"title: {belief['canonical_name'].replace('_', ' ')}",
        f"aliases: {json.dumps(belief['aliases'])}",
        f"scope: {json.dumps(belief['scope'])}",
        f"status: {status}",
        f"priority: {'core' if belief['pinned'] else 'important'}",
        f"last_verified: {belief['last_reinforced_at'][:10]}",
    ]
    related = "".join(
        f"- related: [[{other.removeprefix('b-')}]]\n" for other in belief.get("participants") or ()
    )
    text = "---\n" + "\n".join(head) + f"\n---\n\n- {line} ^{id}\n{related}"
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return path


def report(
    memory: Memory,
    leg: Any,
    cases: list[dict[str, Any]],
    beliefs: list[dict[str, Any]],
    paths: dict[str, str],
    show: int,
) -> None:
    """Ask every case of the user and print precision, recall and what broke a must-not."""
    by_id = {one["_id"]: one for one in beliefs}
    apart = {one["_id"] for one in beliefs if one["pinned"] or one["type"] == "open_question"}
    returned = right = wanted = exact = asked = 0
    broken = []
    for case in cases:
        expected = case["expect"].get("relevantBeliefs", {})
        if case.get("userId", _USER) != _USER:
            continue
        asked += 1
        most = (case.get("budget") or {}).get("maxBeliefs", 12)
        sources = memory.recall(
            case["query"], leg=leg, scope=case["scope"], limit=max(1, most), budget=4000
        ).sources
        found = list(dict.fromkeys(paths[one.span.path] for one in sources))
        past = [one for one in found if by_id[one]["superseded_by"] or by_id[one]["resolved_at"]]
        outside = [one for one in found if not set(by_id[one]["scope"]) & set(case["scope"])]
        banned = [one for part in case["expect"].values() for one in part.get("mustExclude", ())]
        pinned_banned = set(case["expect"].get("pinnedFacts", {}).get("mustExclude", ())) & apart
        broken += [(case["caseId"], one) for one in {*past, *outside}]
        broken += [
            (case["caseId"], one) for one in found if one in banned and one not in pinned_banned
        ]
        if "shouldOnlyInclude" not in expected:
            continue
        relevant = [one for one in found if one not in apart][: max(0, most)]
        should = set(expected["shouldOnlyInclude"])
        returned += len(relevant)
        right += len(should & set(relevant))
        wanted += len(should)
        exact += set(relevant) == should
        if show and set(relevant) != should:
            show -= 1
            print(f"  {case['caseId']}: {case['query'][:90]!r}")
            print(f"      missing {sorted(should - set(relevant))}")
            print(f"      too much {sorted(set(relevant) - should)}")
    print(
        f"{leg or 'hybrid'}: {asked} cases, precision {right / max(1, returned):.3f} at recall"
        f" {right / wanted:.3f}, exactly right {exact}, must-not broken {len(broken)} {broken[:9]}"
    )


if __name__ == "__main__":
    main()
