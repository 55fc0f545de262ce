"""The wish that work end: whoever works or waits for long asks for it and stops without loss."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from threading import Event


class StopAsked(Exception):
    """Ends a job between two of its steps; it goes on from there the next time."""


class Stopping:
    """Whether the work of one memory is to end: within `by`, once its event is set."""

    def __init__(self) -> None:
        self._event: Event | None = None

    @contextmanager
    def by(self, event: Event) -> Iterator[None]:
        """Let work within a block end once the event is set."""
        before, self._event = self._event, event
        try:
            yield
        finally:
            self._event = before

    def wanted(self) -> bool:
        """Whether it is to end now."""
        return self._event is not None and self._event.is_set()

    def check(self) -> None:
        """Raise StopAsked where it is to end now."""
        if self.wanted():
            raise StopAsked
