"""Progress on standard error, for whatever takes longer than a second."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

_FIRST = 1.0
_AGAIN_TERMINAL = 0.1
_AGAIN_PIPE = 10.0


class Progress:
    """Call it with what is going on, how much is done and how much there is."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._next = time.monotonic() + _FIRST
        self._drawn = False

    def __call__(self, doing: str, done: int, total: int) -> None:
        """Show the state, at most ten times a second on a terminal and rarely elsewhere."""
        instant = time.monotonic()
        if instant < self._next:
            return
        said = f"{doing}: {done:,} of {total:,}" if total else f"{doing}: {done:,}"
        self._next = instant + (_AGAIN_TERMINAL if self._terminal else _AGAIN_PIPE)
        self._write(f"\r\x1b[K{said}" if self._terminal else f"{said}\n")
        self._drawn = self._terminal

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        del kind, error, trace
        if self._drawn:
            self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except BrokenPipeError:
            self._next = float("inf")
