"""Run every question set through the product and plain BM25; print the table, or write it.

    python -m benchmarks.quality DATA [--only NAME ...] [--write]

DATA holds one directory a set (`locomo`, `cmrc2018`, `xquad_de`, `lifebench_zh`, `factcon`), each
with `questions.jsonl` and its workspaces; sets that are not there are left out. The project's own
sets are always run. Everything is measured with the default configuration.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.quality import questions as sets
from benchmarks.quality.report import Row, table, write
from benchmarks.quality.scorer import (
    Lines,
    Question,
    Text,
    first_ranks,
    fresh_first,
    hit_at,
    mean,
    ndcg_at,
    pooled,
    recall_at,
    recall_within,
    section_recall_at,
    touches,
)
from benchmarks.quality.systems import plain_bm25, product

Answered = list[tuple[Question, list[Lines], Text]]
Metric = Callable[[Question, list[Lines], Text], float]


def recall(k: int) -> Metric:
    """Recall of evidence in the first `k` results."""
    return lambda q, found, _: recall_at(first_ranks(found, q.evidence), len(q.evidence), k)


def hit(k: int, *, overlap: bool = False) -> Metric:
    """Whether any evidence is in the first `k` results."""
    covers = {"covers": touches} if overlap else {}
    return lambda q, found, _: hit_at(first_ranks(found, q.evidence, **covers), k)


def ndcg(k: int) -> Metric:
    """Discounted gain of the first `k` results."""
    return lambda q, found, _: ndcg_at(first_ranks(found, q.evidence), len(q.evidence), k)


def within(budget: int) -> Metric:
    """Recall of evidence in `budget` characters."""
    return lambda q, found, text: recall_within(found, q.evidence, text, budget)


def sections(k: int) -> Metric:
    """Recall of evidence sections in the first `k` sections."""
    return lambda q, found, text: section_recall_at(found, q.evidence, text, k)


MEASURED: dict[str, list[tuple[str, Metric, str, str]]] = {
    "locomo": [
        ("LoCoMo, recall in 2,000 characters", within(2000), "", "≥ .80"),
        ("LoCoMo, recall in 4,000 characters", within(4000), "", "≥ .87"),
        ("LoCoMo, recall in 8,000 characters", within(8000), "", "≥ .91"),
        ("LoCoMo, recall@5, one line a unit", recall(5), "", "≥ .60"),
        ("LoCoMo, nDCG@10, one line a unit", ndcg(10), "", "≥ .55"),
        ("LoCoMo, recall@10 by section", sections(10), "", "≥ .955"),
        ("LoCoMo multi-hop, recall in 4,000 characters", within(4000), "multi-hop", "≥ .60"),
    ],
    "cmrc2018": [("CMRC2018 (Chinese), recall@5", recall(5), "", "≥ .990")],
    "lifebench_zh": [("LifeBench (Chinese), hit@5", hit(5, overlap=True), "", "≥ .84")],
    "xquad_de": [("XQuAD German, recall@5", recall(5), "", "≥ .98")],
    "factcon": [
        ("FactConsolidation, hit@1", hit(1), "", ""),
        ("FactConsolidation, fresh first", lambda q, found, _: fresh_first(found, q), "", ""),
    ],
}


def answered(corpus: sets.Corpus, scratch: Path, *, by_product: bool) -> Answered:
    """Ask every question of a set."""
    results: Answered = []
    for name, directory in corpus.workspaces.items():
        text = Text(lambda path, root=directory: (root / path).read_text(encoding="utf-8"))
        opened = product(directory, scratch) if by_product else plain_bm25(directory)
        with opened as ask:
            results += [(q, ask(q.text), text) for q in corpus.questions if q.workspace == name]
    return results


def rows_of(
    corpus: sets.Corpus, measured: Sequence[tuple[str, Metric, str, str]], scratch: Path
) -> Iterator[Row]:
    """Measure one set."""
    begun = time.monotonic()
    ours = answered(corpus, scratch, by_product=True)
    plain = answered(corpus, scratch, by_product=False)
    print(f"{corpus.name}: {len(ours)} questions, {time.monotonic() - begun:.0f} s", flush=True)
    for what, metric, kind, target in measured:
        values = [
            [metric(*one) for one in results if kind in ("", one[0].kind)]
            for results in (ours, plain)
        ]
        if what.endswith("fresh first"):
            values = [
                [metric(*one) for one in results if one[0].stale] for results in (ours, plain)
            ]
        yield Row(what, len(values[0]), mean(values[0]), mean(values[1]), target)


def own_rows(scratch: Path) -> Iterator[Row]:
    """Measure the project's own sets."""
    for language in ("de", "zh"):
        corpus = sets.across(language, scratch)
        what = f"question in English, note in {language}, recall@5"
        yield from rows_of(corpus, [(what, recall(5), "", "≥ .90")], scratch)
    every: list[Row] = []
    for language in sets.LANGUAGES:
        corpus = sets.paraphrases(language, scratch)
        every += rows_of(
            corpus, [(f"paraphrase, {language}, recall@5", recall(5), "", "")], scratch
        )
    count = sum(row.questions for row in every)
    ours, plain = (
        pooled([getattr(row, side) for row in every]) for side in ("product", "baseline")
    )
    yield Row("paraphrase, all six languages, recall@5", count, ours, plain, "≥ .80")
    yield from every


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="directory of question sets")
    parser.add_argument("--only", nargs="*", help="names of sets; `own` for the project's own")
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    options = parser.parse_args()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as made:
        scratch = Path(made)
        for name, measured in MEASURED.items():
            if (options.data / name).is_dir() and (not options.only or name in options.only):
                rows += rows_of(sets.on_disk(options.data / name), measured, scratch)
        if not options.only or "own" in options.only:
            rows += own_rows(scratch)
    print(table(rows))
    if options.write:
        write(rows)


if __name__ == "__main__":
    main()
