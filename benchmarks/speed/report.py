"""The table of a run, and its place in RESULTS.md."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

RESULTS = Path(__file__).resolve().parent.parent / "RESULTS.md"
_BEGIN, _END = "<!-- speed:begin -->", "<!-- speed:end -->"


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement beside its baseline."""

    what: str
    notes: int
    product: str
    baseline: str = ""
    ratio: float | None = None
    target: str = ""


def milliseconds(value: float) -> str:
    """Return seconds as milliseconds, fit for a table."""
    return f"{value * 1000:,.0f} ms" if value >= 0.01 else f"{value * 1000:.2f} ms"


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a Markdown table."""
    lines = [
        "| what | notes | vademecum | baseline | ratio | target |",
        "|---|--:|--:|--:|--:|---|",
    ]
    for row in rows:
        ratio = f"{row.ratio:.2f}" if row.ratio is not None else ""
        cells = [row.what, f"{row.notes:,}", row.product, row.baseline, ratio, row.target]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def machine() -> str:
    """Say on what and when this was measured."""
    load = os.getloadavg()[0]
    now = datetime.now(UTC)
    return (
        f"{now:%Y-%m-%d}, {platform.system()} {platform.machine()}, {_processor()}, "
        f"{os.cpu_count()} cores, {_memory():.0f} GB, Python {platform.python_version()}, "
        f"load at the end {load:.1f}."
    )


def write(rows: Sequence[Row], path: Path = RESULTS) -> None:
    """Put the table between its markers; everything else in the file stays."""
    text = path.read_text(encoding="utf-8")
    before, _, rest = text.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    written = f"{before}{_BEGIN}\n{machine()}\n\n{table(rows)}\n{_END}{after}"
    path.write_text(written, encoding="utf-8")


def _processor() -> str:
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as lines:
            return next(x.partition(":")[2].strip() for x in lines if x.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown processor"


def _memory() -> float:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
