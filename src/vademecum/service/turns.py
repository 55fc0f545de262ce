"""The turn of a call: one at a time, and none that the registry of agents does not allow."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType


class Turn:
    """What every verb is carried out within.

    `check` is asked at the beginning of each call, so that whatever was sealed since memory was
    opened is closed to the very next one; what it raises ends the call before anything is read.
    """

    def __init__(self, check: Callable[[], None] = lambda: None) -> None:
        self._check = check
        self._lock = threading.RLock()

    def check(self) -> None:
        """Ask whether a call may go on that takes no turn because it goes on for long.

        It asks again before each time it reads. Raises what ends a call.
        """
        self._check()

    @contextmanager
    def last(self) -> Iterator[None]:
        """Take the turn without being asked anything: what was opened is closed in any case."""
        with self._lock:
            yield

    def __enter__(self) -> None:
        self._lock.acquire()
        try:
            self._check()
        except BaseException:
            self._lock.release()
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._lock.release()
