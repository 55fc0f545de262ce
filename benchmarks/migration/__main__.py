"""Moving a large folder in: `python -m benchmarks.migration [--notes N] [--megabytes M]`.

Writes a folder of plain Markdown of that size from a seed, moves it into an empty workspace by
`vade migrate --yes`, moves it in again, and takes it back; each a process of its own, measured with
its CPU time and peak memory. The baseline is reading and writing the same bytes, each file synced.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.speed.report import machine
from benchmarks.speed.timing import Run, run

_WORDS = 4_000
_FOLDERS = 40


def generate(root: Path, notes: int, megabytes: int, seed: int = 7) -> int:
    """Write the folder; return how many lines it has."""
    chance = random.Random(seed)
    words = [
        "".join(chance.choice("bdfgklmnprstvz") + chance.choice("aeiou") for _ in range(3))
        for _ in range(_WORDS)
    ]
    size, lines = megabytes * 1_000_000 // notes, 0
    for number in range(notes):
        folder = root / f"area-{number % _FOLDERS:02d}"
        folder.mkdir(parents=True, exist_ok=True)
        rows = [f"# {' '.join(chance.choices(words, k=3)).title()} {number}", ""]
        length = len(rows[0])
        while length < size:
            row = " ".join(chance.choices(words, k=chance.randint(6, 22)))
            kind = chance.random()
            if kind < 0.3:
                row = f"- {row}"
            elif kind < 0.35:
                row = f"## {row[:40]}"
            elif kind < 0.4:
                row = ""
            rows.append(row)
            length += len(row) + 1
        (folder / f"note-{number:05d}.md").write_text("\n".join(rows) + "\n")
        lines += len(rows)
    return lines


def plain_copy(source: Path, target: Path) -> float:
    """Return the seconds that reading every file, and writing it durably, takes."""
    started = time.perf_counter()
    for path in sorted(source.rglob("*.md")):
        to = target / path.relative_to(source)
        to.parent.mkdir(parents=True, exist_ok=True)
        with to.open("wb") as file:
            file.write(path.read_bytes())
            file.flush()
            os.fsync(file.fileno())
    return time.perf_counter() - started


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=1_000)
    parser.add_argument("--megabytes", type=int, default=30)
    given = parser.parse_args()
    place = Path(tempfile.mkdtemp(prefix="vade-migration-"))
    try:
        lines = generate(place / "source", given.notes, given.megabytes)
        copied = plain_copy(place / "source", place / "copy")
        environment = {
            **os.environ,
            "XDG_STATE_HOME": str(place / "state"),
            "XDG_CONFIG_HOME": str(place / "config"),
            "VADE_EMBEDDER_PROVIDER": "none",
        }
        vade = [sys.executable, "-m", "vademecum", "--workspace", str(place / "workspace")]
        run([*vade, "init", str(place / "workspace")], environment)
        move = [*vade, "migrate", str(place / "source"), "--yes"]
        print(f"{machine()} {given.notes:,} notes, {given.megabytes} MB, {lines:,} lines.\n")
        print("| what | wall | CPU | peak | baseline |")
        print("|---|--:|--:|--:|--:|")
        _row("move in", run(move, environment), f"{copied:,.1f} s (copy, each file synced)")
        _row("again: nothing changes", run(move, environment), "")
        _row("roll back", run([*vade, "migrate", "--rollback"], environment), "")
        left = sum(1 for _ in (place / "workspace").rglob("note-*.md"))
        print(f"\n{left} of the notes are left after the rollback.")
    finally:
        shutil.rmtree(place)


def _row(what: str, took: Run, baseline: str) -> None:
    print(f"| {what} | {took.wall:,.1f} s | {took.cpu:,.1f} s | {took.peak:,.0f} MB | {baseline} |")


if __name__ == "__main__":
    main()
