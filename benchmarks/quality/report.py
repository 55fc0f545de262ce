"""The table of a run, and its place in RESULTS.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.quality.scorer import Mean
from benchmarks.speed.report import RESULTS, machine

_BEGIN, _END = "<!-- quality:begin -->", "<!-- quality:end -->"


@dataclass(frozen=True, slots=True)
class Row:
    """One figure beside that of plain BM25 on the same files in the same run."""

    what: str
    questions: int
    product: Mean
    baseline: Mean
    target: str = ""


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a Markdown table."""
    lines = [
        "| what | questions | vademecum | ± | plain BM25 | target |",
        "|---|--:|--:|--:|--:|---|",
    ]
    for row in rows:
        cells = (
            row.what,
            f"{row.questions:,}",
            f"{row.product.value:.3f}",
            f"{row.product.half_width:.3f}",
            f"{row.baseline.value:.3f}",
            row.target,
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def write(rows: Sequence[Row]) -> None:
    """Put the table between its markers; everything else in the file stays."""
    text = RESULTS.read_text(encoding="utf-8")
    before, _, rest = text.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    said = (
        f"{machine()} One default configuration for everything. Questions without evidence and"
        " adversarial ones are left out. Plain BM25: FTS5 over single lines with the same tokens,"
        " stop words dropped. ± is half of the 95 % interval over questions."
    )
    RESULTS.write_text(
        f"{before}{_BEGIN}\n{said}\n\n{table(rows)}\n{_END}{after}", encoding="utf-8"
    )
