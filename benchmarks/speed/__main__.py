"""Measure speed: `python -m benchmarks.speed [--notes N ...] [--write]`."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks.corpus import Corpus, write_corpus
from benchmarks.speed import cases, report
from benchmarks.speed.report import Row

# Making vectors for more takes many minutes on a small machine; --vectors asks for it.
_MOST_WITH_VECTORS = 1_000


def main(arguments: list[str]) -> int:
    """Measure, print the table, and write it into RESULTS.md when asked to."""
    given = _parser().parse_args(arguments)
    rows: list[Row] = []
    for notes in given.notes:
        with tempfile.TemporaryDirectory(prefix="vade-bench-", dir=given.place) as place:
            corpus = _corpus(Path(place), notes, given.directory)
            vectors = given.vectors or notes <= _MOST_WITH_VECTORS
            rows += _measure(cases.Bench(corpus, Path(place), given.repeats, vectors))
    if given.write:
        report.write(rows)
    print(report.machine(), report.table(rows), sep="\n\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks.speed", description=__doc__)
    parser.add_argument("--notes", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--directory", type=Path, help="measure a copy of this workspace instead")
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--vectors", action="store_true", help="make vectors at any size")
    parser.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    parser.add_argument("--place", type=Path, help="directory for corpora and indexes")
    return parser


def _corpus(place: Path, notes: int, directory: Path | None) -> Corpus:
    root = place / "workspace"
    if directory is None:
        return write_corpus(root, notes)
    shutil.copytree(directory, root)
    paths = [path.relative_to(root).as_posix() for path in sorted(root.rglob("*.md"))]
    # No identifiers are known in a foreign workspace; the names of its notes stand in for them.
    named = tuple((Path(path).stem, path) for path in paths[:: max(1, len(paths) // 100)])
    return Corpus(root, len(paths), 0, named)


def _measure(bench: cases.Bench) -> list[Row]:
    rows: list[Row] = []
    chosen = cases.KEYWORD_CASES
    if bench.vectors:
        # Vectors come second, so that what follows finds a complete index.
        chosen = (cases.keyword_sync, *cases.VECTOR_CASES, *cases.KEYWORD_CASES[1:])
    else:
        bench.vade("sync", "--keyword-only")
    for case in chosen:
        print(f"{bench.corpus.notes} notes: {case.__name__}", file=sys.stderr, flush=True)
        measured = case(bench)
        rows += [measured] if isinstance(measured, Row) else list(measured)
    if program := shutil.which("qmd"):
        try:
            rows.append(cases.beside_qmd(bench, program))
        except RuntimeError as error:  # a peer that fails costs its own row, not the others
            print(f"qmd did not run: {error}", file=sys.stderr, flush=True)
    return rows


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
