"""Live through a quarter with memory and its jobs, and ask about all that was told on the way.

    python -m benchmarks.quarter [--days 90] [--model none|scripted] [--embedder local|hashing|none]

Results go to `RESULTS.md` between the markers of this benchmark with `--write`.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from benchmarks.quarter.report import table, write
from benchmarks.quarter.run import Quarter

CHECKPOINTS = (10, 30, 60, 90)


def main() -> None:
    """Run one quarter and print what it came to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=90)
    parser.add_argument("--model", choices=("none", "scripted"), default="none")
    parser.add_argument("--embedder", choices=("local", "hashing", "none"), default="local")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--show", type=int, default=5, help="errors to print at each checkpoint")
    parser.add_argument("--keep", type=Path, help="leave the workspace here")
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    arguments = parser.parse_args()
    points = [day for day in CHECKPOINTS if day <= arguments.days] or [arguments.days]
    with tempfile.TemporaryDirectory() as temporary:
        quarter = Quarter(
            arguments.keep or Path(temporary),
            seed=arguments.seed,
            model=arguments.model,
            embedder=arguments.embedder,
            show=arguments.show,
        )
        measured = quarter.live(arguments.days, points)
    print(table(measured, arguments.model))
    if arguments.write:
        write(measured, arguments.model)


if __name__ == "__main__":
    main()
