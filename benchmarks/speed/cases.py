"""The measurements, each of the product and of its baseline in turn."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO

from benchmarks.corpus import Corpus
from benchmarks.speed import baseline, timing
from benchmarks.speed.report import Row, milliseconds
from benchmarks.speed.timing import alternately, median_of, run, seconds
from vademecum import open_memory

# What the installed script `vade` holds.
_VADE = (sys.executable, "-c", "from vademecum.surfaces.cli.start import run; run()")
_PARAGRAPH = "Measured again and found to be the same as before, which is as it should be. " * 3


@dataclass(slots=True)
class Bench:
    """One corpus, a place for state, and how often to repeat."""

    corpus: Corpus
    place: Path
    repeats: int
    vectors: bool
    """Whether the index gets vectors; making them takes minutes for each 10,000 notes."""
    _number: Iterator[int] = field(default_factory=itertools.count)

    @property
    def root(self) -> Path:
        """The workspace that is measured."""
        return self.corpus.root

    @property
    def state(self) -> Path:
        """The state directory of a run that has all vectors, or all keywords."""
        return self.place / "state"

    def environment(self, state: Path | None = None, *, provider: str = "local") -> dict[str, str]:
        """Return the variables for a process of the product."""
        return {
            **{k: v for k, v in os.environ.items() if not k.startswith("VADE_")},
            "VADE_STATE_DIRECTORY": str(state or self.state),
            "VADE_EMBEDDER_PROVIDER": provider,
        }

    def vade(
        self, *arguments: str, state: Path | None = None, provider: str = "local"
    ) -> timing.Run:
        """Run the command as a shell would."""
        command = [*_VADE, "-w", str(self.root), *arguments]
        return run(command, self.environment(state, provider=provider))

    def identifier(self) -> str:
        """Return the next identifier to ask for."""
        known = self.corpus.identifiers
        return known[next(self._number) % len(known)][0]

    def new_state(self) -> Path:
        """Return an empty directory for the state of one run."""
        path = self.place / "fresh"
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        return path


def keyword_sync(bench: Bench) -> Row:
    """Read everything for the first time, no vectors, whole process; against a plain load."""
    rows = baseline.chunks_of(bench.root)
    peaks = []

    def product() -> float:
        done = bench.vade("sync", "--keyword-only", "--json", state=bench.new_state())
        peaks.append(done.peak)
        return done.wall

    def plain() -> float:
        path = bench.place / "plain.sqlite"
        for old in bench.place.glob("plain.sqlite*"):
            old.unlink()
        table = baseline.PlainTable(path)
        took = seconds(lambda: table.load(rows))
        table.close()
        return took

    ours, theirs = alternately(min(3, bench.repeats), product, plain)
    return Row(
        f"first sync, keywords only, {len(rows):,} chunks (peak {max(peaks):.0f} MB)",
        bench.corpus.notes,
        milliseconds(ours),
        f"{milliseconds(theirs)} (FTS5 load)",
        ours / theirs,
        "≤ 2 ×",
    )


def vector_sync(bench: Bench) -> Row:
    """Make all vectors once; the state is then kept for what follows."""
    done = bench.vade("sync", "--json")
    report = json.loads(done.output)
    embedded = int(report.get("embedded", 0))
    rate = embedded / done.wall if done.wall else 0.0
    return Row(
        f"vectors, {embedded:,} short chunks, {done.wall:.0f} s (peak {done.peak:.0f} MB)",
        bench.corpus.notes,
        f"{rate:.0f} a second",
        target="≥ 10 a second and core at 400 tokens; ≤ 700 MB",
    )


def cold_keyword(bench: Bench) -> list[Row]:
    """A keyword search as a whole process, against bare Python and a plain FTS5 process."""
    peaks = []

    def product() -> float:
        done = bench.vade("search", "--keyword", bench.identifier())
        peaks.append(done.peak)
        return done.wall

    def bare() -> float:
        return run([sys.executable, "-c", "pass"], bench.environment()).wall

    def plain() -> float:
        table = str(bench.place / "plain.sqlite")
        command = [sys.executable, "-c", baseline.PROCESS, table, bench.identifier()]
        return run(command, bench.environment()).wall

    product()  # the first one of a day reads the files into the system's cache
    ours, python = alternately(bench.repeats, product, bare)
    again, fts = alternately(bench.repeats, product, plain)
    notes = bench.corpus.notes
    return [
        Row(
            f"`vade search --keyword`, whole process (peak {max(peaks):.0f} MB)",
            notes,
            milliseconds(ours),
            f"{milliseconds(python)} (bare Python)",
            ours / python,
            f"≤ 3 × + 60 ms = {milliseconds(3 * python + 0.06)}; ≤ 250 MB",
        ),
        Row(
            "the same",
            notes,
            milliseconds(again),
            f"{milliseconds(fts)} (FTS5 process)",
            again / fts,
        ),
    ]


def cold_recall(bench: Bench) -> Row:
    """A recall by meaning as a whole process: its CPU time, since that is what a laptop feels."""
    runs = [bench.vade("recall", _question(bench)) for _ in range(bench.repeats)]
    cpu = median_of(len(runs), iter([one.cpu for one in runs]).__next__)
    wall = median_of(len(runs), iter([one.wall for one in runs]).__next__)
    return Row(
        f"`vade recall`, whole process, CPU (peak {max(one.peak for one in runs):.0f} MB)",
        bench.corpus.notes,
        f"{milliseconds(cpu)} ({milliseconds(wall)} wall)",
        target="≤ 250 ms; ≤ 250 MB",
    )


def _question(bench: Bench) -> str:
    """Return a few words of some note, so that both legs have something to do."""
    number = next(bench._number)
    path = bench.root / bench.corpus.identifiers[number % len(bench.corpus.identifiers)][1]
    words = [w.strip(".") for w in path.read_text(encoding="utf-8").split() if w.islower()]
    return " ".join(words[number % 7 :: 11][:6]) or "question"


def warm(bench: Bench) -> Iterator[Row]:
    """Recall, an idle sync and an append in a process that stays open."""
    notes = bench.corpus.notes
    with open_memory(bench.root, settings={"state.directory": str(bench.state)}) as memory:
        memory.recall(_question(bench))
        table = baseline.PlainTable(bench.place / "plain.sqlite")
        ours, theirs = alternately(
            bench.repeats * 5,
            lambda: seconds(lambda: memory.recall(_question(bench))),
            lambda: seconds(lambda: table.find(_question(bench).split())),
        )
        table.close()
        yield Row(
            "recall, both legs, warm",
            notes,
            milliseconds(ours),
            f"{milliseconds(theirs)} (FTS5 query)",
            ours / theirs,
            "p50 ≤ 25 ms at 100,000 chunks",
        )
        ours, theirs = alternately(
            bench.repeats,
            lambda: seconds(memory.sync),
            lambda: seconds(lambda: baseline.walk(bench.root)),
        )
        yield Row(
            "sync, nothing changed, warm",
            notes,
            milliseconds(ours),
            f"{milliseconds(theirs)} (scandir + stat)",
            ours / theirs,
            "≤ 3 ×",
        )
        plain = bench.root / "plain.log"
        data = f"\n### 10:30 — Measured\n{_PARAGRAPH}\n".encode()
        ours, theirs = alternately(
            bench.repeats * 5,
            lambda: seconds(lambda: memory.log(_PARAGRAPH, title="Measured")),
            lambda: seconds(lambda: baseline.append_and_sync(plain, data)),
        )
        plain.unlink()
        yield Row(
            "`log`, durable, warm",
            notes,
            milliseconds(ours),
            f"{milliseconds(theirs)} (write + fsync)",
            ours / theirs,
            "≤ 2 ×",
        )


def one_changed(bench: Bench) -> Row:
    """`vade sync PATH` after one note was changed by an editor, whole process."""
    path = bench.corpus.identifiers[0][1]

    def product() -> float:
        with (bench.root / path).open("a", encoding="utf-8") as note:
            note.write(f"- [observed] One more line, number {next(bench._number)}\n")
        return bench.vade("sync", path, *() if bench.vectors else ("--keyword-only",)).wall

    return Row(
        "one changed note, `vade sync PATH`, whole process",
        bench.corpus.notes,
        milliseconds(median_of(bench.repeats, product)),
        target="≤ 150 ms",
    )


def watching(bench: Bench) -> Row:
    """From a write by another program to the watcher's report that it is searchable."""
    command = [*_VADE, "-w", str(bench.root), "watch", "--json"]
    environment = bench.environment() | {"VADE_WATCH_DEBOUNCE": "0.2"}
    note = bench.root / bench.corpus.identifiers[1][1]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as watcher:
        assert watcher.stdout is not None
        reports: Queue[float] = Queue()
        listener = Thread(target=_listen, args=(watcher.stdout, reports), daemon=True)
        listener.start()
        try:
            _quiet(reports, 3.0)  # the first look at everything
            took = median_of(bench.repeats, lambda: _noticed(reports, note))
        finally:
            watcher.terminate()
            listener.join()
    return Row(
        "watcher: write to searchable, debounce 0.2 s",
        bench.corpus.notes,
        milliseconds(took),
        "200 ms (debounce)",
        target="debounce + 200 ms",
    )


def _listen(lines: IO[str], reports: Queue[float]) -> None:
    """Note when each report came that tells of a change."""
    for line in lines:
        if (report := json.loads(line)).get("added") or report.get("changed"):
            reports.put(time.perf_counter())


def _quiet(reports: Queue[float], pause: float) -> None:
    """Wait until nothing was reported for `pause` seconds."""
    with contextlib.suppress(Empty):
        while True:
            reports.get(timeout=pause)


def _noticed(reports: Queue[float], note: Path) -> float:
    _quiet(reports, 0.6)
    with note.open("a", encoding="utf-8") as file:
        file.write(f"- [observed] Written at {time.perf_counter()}\n")
    started = time.perf_counter()
    return reports.get(timeout=30) - started


def hook(bench: Bench) -> Row:
    """The hook that opens a fresh window, as a whole process, beside bare Python."""
    event = bench.place / "event.json"
    event.write_text(
        json.dumps({"session_id": "bench", "cwd": str(bench.root), "source": "startup"})
    )
    (bench.root / "MEMORY.md").write_text("# Memory\n\n" + "- [stated] A fact holds.\n" * 200)

    def product() -> float:
        return run([*_VADE, "hook", "claude-code", "SessionStart"], bench.environment(), event).wall

    def bare() -> float:
        return run([sys.executable, "-c", "pass"], bench.environment()).wall

    product()
    ours, python = alternately(bench.repeats, product, bare)
    return Row(
        "`vade hook` at the start of a session, whole process",
        bench.corpus.notes,
        milliseconds(ours),
        f"{milliseconds(python)} (bare Python)",
        ours / python,
        f"≤ 2 × + 40 ms = {milliseconds(2 * python + 0.04)}",
    )


def beside_qmd(bench: Bench, program: str) -> Row:
    """The same keyword search by qmd, where it is installed."""
    home = bench.place / "qmd"
    environment = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
    environment |= {"XDG_CONFIG_HOME": str(home / "config"), "NO_COLOR": "1"}
    if not home.is_dir():
        home.mkdir()
        run([program, "collection", "add", str(bench.root), "--name", "bench"], environment)

    def theirs() -> float:
        return run([program, "search", bench.identifier()], environment).wall

    def ours() -> float:
        return bench.vade("search", "--keyword", bench.identifier()).wall

    product, other = alternately(bench.repeats, ours, theirs)
    return Row(
        "`vade search --keyword` beside `qmd search`, whole processes",
        bench.corpus.notes,
        milliseconds(product),
        f"{milliseconds(other)} (qmd)",
        product / other,
        "faster",
    )


Case = Callable[[Bench], Row | list[Row] | Iterator[Row]]
KEYWORD_CASES: tuple[Case, ...] = (keyword_sync, cold_keyword, hook, one_changed)
VECTOR_CASES: tuple[Case, ...] = (vector_sync, cold_recall, warm, watching)
