"""Feed dated facts in order, each to the claims still standing, and count what ends struck.

Expects a directory per workspace with ``memory/YYYY-MM-DD.md`` files of ``- fact`` lines, and
beside them ``questions.jsonl`` whose ``stale`` names lines known to be outdated. What is outdated
is derived as well: lines of one subject and relation with a later, different value.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter, defaultdict
from pathlib import Path

from vademecum.writing.compare import ClaimIndex, Same, Updates, compare, normalise

FORMS = (
    r"(?P<s>.+) (?P<r>(?:is|was|are) (?:a )?\w+ (?:with|of|in|by|to|for)(?: the \w+ of)?) (?P<v>.+)",
    r"(?P<s>.+) (?P<r>(?:died|worked|works|speaks|plays) (?:in )?the \w+ of) (?P<v>.+)",
    r"(?P<s>.+)(?P<r>'s child is) (?P<v>.+)",
    r"(?P<r>The headquarters of) (?P<s>.+) is located in the city of (?P<v>.+)",
    r"(?P<r>The name of the current head of) (?P<s>.+) is (?P<v>.+)",
    r"(?P<r>The (?:company that produced|type of music that|univeristy where)) (?P<s>.+) is (?P<v>.+)",
    r"(?P<r>The [A-Za-z ]+? of) (?P<s>.+) is (?P<v>.+)",
)
"""The sentence forms of the set; used to label it, never to compare."""
ORDERED = FORMS[2:] + FORMS[:2]


def relation_of(fact: str) -> tuple[str, str, str] | None:
    """Read a fact as subject, relation and value."""
    for form in ORDERED:
        match = re.fullmatch(form, fact)
        if match:
            return match["s"], match["r"], match["v"]
    return None


def main() -> None:
    """Run every workspace and print recall and precision of strikes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--show", type=int, default=10, help="errors to print")
    arguments = parser.parse_args()
    questions = [json.loads(line) for line in (arguments.data / "questions.jsonl").open(encoding="utf-8")]
    for workspace in sorted(path for path in arguments.data.iterdir() if path.is_dir()):
        asked = {
            (line["path"], line["start_line"])
            for question in questions
            if question["workspace"] == workspace.name
            for line in question.get("stale") or ()
        }
        _run(workspace, asked, arguments.show)


def _run(workspace: Path, asked: set[tuple[str, int]], show: int) -> None:
    facts: list[tuple[tuple[str, int], str]] = []
    for file in sorted((workspace / "memory").glob("*.md")):
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
            if line.startswith("- "):
                facts.append(((f"memory/{file.name}", number), line[2:].strip()))
    outdated = _outdated(facts)
    index, rules = ClaimIndex(), Counter[str]()
    struck: dict[tuple[str, int], tuple[str, str]] = {}
    noops: set[tuple[str, int]] = set()
    places = {str(number): place for number, (place, _) in enumerate(facts)}
    started = time.perf_counter()
    for number, (place, text) in enumerate(facts):
        new = normalise(text)
        known = False
        for identity in index.candidates(new):
            verdict = compare(new, index.get(identity))
            if isinstance(verdict, Updates):
                index.remove(identity)
                struck[places[identity]] = (text, verdict.rule)
                rules[verdict.rule] += 1
            known = known or isinstance(verdict, Same)
        if known:
            noops.add(place)
        else:
            index.add(str(number), new)
    seconds = time.perf_counter() - started
    texts = dict(facts)
    gone = set(struck) | {place for place in noops if place in outdated}
    false = [place for place in struck if place not in outdated]
    missed = [place for place in outdated if place not in gone]
    print(f"{workspace.name}: {len(facts)} facts, {1000 * seconds / len(facts):.3f} ms each, rules {dict(rules)}")
    print(f"  asked outdated {len(asked)}: struck {len(asked & gone) / max(1, len(asked)):.4f}")
    print(f"  derived outdated {len(outdated)}: struck {1 - len(missed) / max(1, len(outdated)):.4f}; "
          f"others {len(facts) - len(outdated)}: struck {len(false)}; already known {len(noops)}")
    print(f"  asked but not derived {len(asked - outdated)}")
    for place in false[:show]:
        print("  FALSE ", texts[place], " <- ", *struck[place])
    for place in missed[:show]:
        print("  MISSED", texts[place])
    if missed:
        print("  missed by form", Counter((relation_of(texts[p].rstrip(".")) or "  ")[1] for p in missed).most_common(12))


def _outdated(facts: list[tuple[tuple[str, int], str]]) -> set[tuple[str, int]]:
    groups: dict[tuple[str, str], list[tuple[tuple[str, int], str]]] = defaultdict(list)
    unread = 0
    for place, text in facts:
        read = relation_of(re.sub(r"\.$", "", text))
        if read:
            groups[read[0], read[1]].append((place, read[2]))
        else:
            unread += 1
    if unread:
        print("  facts of no known form:", unread)
    return {
        place for rows in groups.values() for place, value in rows if value != rows[-1][1]
    }


if __name__ == "__main__":
    main()
