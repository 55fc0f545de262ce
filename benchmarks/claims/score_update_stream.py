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
from typing import Any

from vademecum.markdown.compare import ClaimIndex, Same, Updates, compare, normalise

FORMS = (
    r"(?P<s>.+) (?P<r>(?:is|was|are) (?:a )?\w+ (?:with|of|in|by|to|for)(?: the \w+ of)?)"
    r" (?P<v>.+)",
    r"(?P<s>.+) (?P<r>(?:died|worked|works|speaks|plays) (?:in )?the \w+ of) (?P<v>.+)",
    r"(?P<s>.+)(?P<r>'s child is) (?P<v>.+)",
    r"(?P<r>The headquarters of) (?P<s>.+) is located in the city of (?P<v>.+)",
    r"(?P<r>The name of the current head of) (?P<s>.+) is (?P<v>.+)",
    r"(?P<r>The (?:company that produced|type of music that|univeristy where)) (?P<s>.+)"
    r" is (?P<v>.+)",
    r"(?P<r>The [A-Za-z ]+? of) (?P<s>.+) is (?P<v>.+)",
)
"""The sentence forms of the set; used to label it, never to compare."""
ORDERED = FORMS[2:] + FORMS[:2]


Place = tuple[str, int]


def relation_of(fact: str) -> tuple[str, str, str]:
    """Read a fact as subject, relation and value; a fact of no known form is its own subject."""
    fact = re.sub(r"\.$", "", fact)
    for form in ORDERED:
        match = re.fullmatch(form, fact)
        if match:
            return match["s"], match["r"], match["v"]
    return fact, "of no known form", ""


def slot_of(fact: str) -> tuple[str, str]:
    """Subject and relation of a fact."""
    subject, relation, _ = relation_of(fact)
    return subject, relation


def main() -> None:
    """Run every workspace and print recall and precision of strikes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--show", type=int, default=10, help="errors to print")
    arguments = parser.parse_args()
    with (arguments.data / "questions.jsonl").open(encoding="utf-8") as file:
        questions = [json.loads(line) for line in file]
    for workspace in sorted(path for path in arguments.data.iterdir() if path.is_dir()):
        facts = read_facts(workspace)
        mine = [question for question in questions if question["workspace"] == workspace.name]
        report(workspace.name, facts, mine, arguments.show)


def read_facts(workspace: Path) -> dict[Place, str]:
    """Every fact of a workspace by place, in the order of dates and lines."""
    facts: dict[Place, str] = {}
    for file in sorted((workspace / "memory").glob("*.md")):
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
            if line.startswith("- "):
                facts[f"memory/{file.name}", number] = line[2:].strip()
    return facts


def asked_outdated(facts: dict[Place, str], questions: list[dict[str, Any]]) -> set[Place]:
    """Outdated lines that questions name, without those about another subject than the answer."""
    found = set()
    for question in questions:
        about = {slot_of(facts[line["path"], line["start_line"]]) for line in question["evidence"]}
        for line in question.get("stale") or ():
            place = (line["path"], line["start_line"])
            if slot_of(facts[place]) in about:
                found.add(place)
    return found


def stream(facts: dict[Place, str]) -> tuple[dict[Place, tuple[str, str]], set[Place]]:
    """Compare each fact with those still standing; return what was struck and what was known."""
    index = ClaimIndex()
    places = {str(number): place for number, place in enumerate(facts)}
    struck: dict[Place, tuple[str, str]] = {}
    known = set()
    for identity, place in places.items():
        new = normalise(facts[place])
        same = False
        for other in index.candidates(new):
            verdict = compare(new, index.get(other))
            if isinstance(verdict, Updates):
                index.remove(other)
                struck[places[other]] = (facts[place], verdict.rule)
            same = same or isinstance(verdict, Same)
        if same:
            known.add(place)
        else:
            index.add(identity, new)
    return struck, known


def report(name: str, facts: dict[Place, str], questions: list[dict[str, Any]], show: int) -> None:
    """Run one workspace and print its figures and errors."""
    outdated, asked = derived_outdated(facts), asked_outdated(facts, questions)
    started = time.perf_counter()
    struck, known = stream(facts)
    cost = 1000 * (time.perf_counter() - started) / len(facts)
    gone = set(struck) | (known & outdated)
    false = [place for place in struck if place not in outdated]
    missed = [place for place in outdated if place not in gone]
    others = len(facts) - len(outdated)
    print(f"{name}: {len(facts)} facts, {cost:.3f} ms each, {len(known)} already known")
    for label, wanted in (("outdated, asked about", asked), ("outdated, all", outdated)):
        print(f"  {label:22} {len(wanted):5}  struck {len(wanted & gone) / len(wanted):.4f}")
    print(f"  all others             {others:5}  struck {len(false) / others:.4f} ({len(false)})")
    print("  rules", dict(Counter(rule for _, rule in struck.values())))
    print("  missed", dict(Counter(slot_of(facts[place])[1] for place in missed)))
    for place in false[:show]:
        print("  false ", facts[place], " <- ", *struck[place])
    for place in missed[:show]:
        print("  missed", facts[place])


def derived_outdated(facts: dict[Place, str]) -> set[Place]:
    """Lines whose subject and relation come again later with another value."""
    groups: dict[tuple[str, str], list[tuple[Place, str]]] = defaultdict(list)
    for place, text in facts.items():
        subject, relation, value = relation_of(text)
        groups[subject, relation].append((place, value))
    return {place for rows in groups.values() for place, value in rows if value != rows[-1][1]}


if __name__ == "__main__":
    main()
