"""Score the claim comparison on the labelled pairs; prints what each split and language gets."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from vademecum.markdown.compare import Contradicts, Same, Updates, compare, normalise

OUTCOMES = {Same: "NOOP", Updates: "UPDATE", Contradicts: "CONFLICT"}


def main() -> None:
    """Read the pairs, compare each, print tables and (for one split) the errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--errors", choices=("dev", "test", "none"), default="dev")
    parser.add_argument("--pairs", type=Path, default=Path(__file__).with_name("pairs.jsonl"))
    arguments = parser.parse_args()
    rows = [json.loads(line) for line in arguments.pairs.read_text("utf-8").splitlines()]
    tables: dict[tuple[str, str], Counter[str]] = {}
    for row in rows:
        verdict = compare(normalise(row["new"]), normalise(row["old"]))
        outcome = OUTCOMES.get(type(verdict), "ADD")
        right = outcome == row["expect"]
        for name in ("all", row["language"]):
            table = tables.setdefault((row["split"], name), Counter())
            table["pairs"] += 1
            table["exact"] += right
            table["accepted"] += right or outcome in row["accept"]
            wanted = row["expect"] == "UPDATE"
            table["to strike"] += wanted
            table["struck"] += wanted and outcome == "UPDATE"
            stray = not right and outcome not in row["accept"]
            table["false strikes"] += stray and outcome == "UPDATE"
            table["false conflicts"] += row["expect"] != "CONFLICT" and outcome == "CONFLICT"
            table["false noop"] += row["expect"] != "NOOP" and outcome == "NOOP"
        if row["split"] == arguments.errors and not (right or outcome in row["accept"]):
            print(
                f"{row['id']} {row['kind']:13} want {row['expect']:8} got {outcome:8} "
                f"[{verdict.rule}]  {row['old']}  |  {row['new']}"
            )
    for (split, name), table in sorted(tables.items()):
        print(split, name, dict(table))


if __name__ == "__main__":
    main()
