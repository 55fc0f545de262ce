"""The table of a run, and its place in RESULTS.md."""

from __future__ import annotations

from benchmarks.quarter.run import Measured
from benchmarks.speed.report import RESULTS, machine


def table(measured: Measured, model: str) -> str:
    """Return what a run came to as Markdown."""
    lines = [
        "| day | truths | recalled as current | in the first source | corrected: newest is current"
        " | corrected: old one is history | past told as present | told in conversation only"
        " | chunks | ms a recall |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for one in measured.asked:
        every = one.kept + one.changed
        cells = (
            one.day,
            every,
            f"{one.quality:.3f}",
            f"{one.first_right / max(1, every):.3f}",
            f"{one.changed_right} of {one.changed}",
            f"{one.history_right} of {one.changed}",
            one.past_as_present,
            f"{one.spoken_right} of {one.spoken}",
            f"{one.chunks:,}",
            f"{one.milliseconds:.1f}",
        )
        lines.append(f"| {' | '.join(str(cell) for cell in cells)} |")
    lines.append("")
    lines.append(
        f"Model: {model}. {measured.writes:,} writes, {len(measured.lost)} lost lines; core memory"
        f" {measured.core_peak:,} of {measured.core_budget:,} characters at most;"
        f" {measured.declined} proposals declined; {measured.seconds:.0f} s."
    )
    lines += [f"lost: {text}" for text in measured.lost[:20]]
    return "\n".join(lines)


def write(measured: Measured, model: str) -> None:
    """Put the table between the markers of its model; everything else in the file stays."""
    begin, end = f"<!-- quarter-{model}:begin -->", f"<!-- quarter-{model}:end -->"
    text = RESULTS.read_text(encoding="utf-8")
    if begin not in text:
        text = f"{text.rstrip()}\n\n{begin}\n{end}\n"
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    said = f"{before}{begin}\n{machine()}\n\n{table(measured, model)}\n{end}{after}"
    RESULTS.write_text(said, encoding="utf-8")
