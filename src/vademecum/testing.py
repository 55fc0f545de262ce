"""Parts for tests of whatever is built on memory: a frozen clock, a small embedder, a workspace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from vademecum.backends.embedders.hashing import HashingEmbedder
from vademecum.core.ports import Clock, Embedder

if TYPE_CHECKING:
    from vademecum.service.memory import Memory


class FrozenClock:
    """A clock that stands still until it is moved.

    `instant` is ISO 8601; without an offset it is local to `zone`.
    """

    def __init__(self, instant: str = "2026-01-20T10:30:00", zone: str = "UTC") -> None:
        self.zone = ZoneInfo(zone)
        self._instant = self._read(instant)

    def now(self) -> datetime:
        """Return the instant at which the clock stands, aware, in its zone."""
        return self._instant

    def move_to(self, instant: str) -> None:
        """Put the clock at another instant, earlier or later."""
        self._instant = self._read(instant)

    def advance(self, **duration: float) -> None:
        """Move the clock on; the arguments are those of `timedelta`, such as `minutes=5`."""
        self._instant += timedelta(**duration)

    def _read(self, instant: str) -> datetime:
        read = datetime.fromisoformat(instant)
        return read.replace(tzinfo=self.zone) if read.tzinfo is None else read.astimezone(self.zone)


def small_embedder() -> Embedder:
    """Return an embedder that knows spelling only: no model, no network, the same everywhere."""
    return HashingEmbedder()


@contextmanager
def throwaway_memory(
    *,
    profile: str = "standard",
    clock: Clock | None = None,
    embedder: Embedder | None = None,
    root: Path | None = None,
) -> Iterator[Memory]:
    """Give a memory of its own, scaffolded, whose workspace and state are gone afterwards.

    Its clock stands at 2026-01-20 10:30 UTC and its embedder is `small_embedder()` unless others
    are given. With `root`, workspace and state are made below it and stay.
    """
    from tempfile import TemporaryDirectory  # noqa: PLC0415  a clock alone needs neither

    from vademecum.service.memory import init, open_memory  # noqa: PLC0415

    with TemporaryDirectory(prefix="vademecum-") as made:
        place = root or Path(made)
        given = clock or FrozenClock()
        settings: dict[str, str | int | float | bool | tuple[str, ...]] = {
            "state.directory": str(place / "state"),
            "workspace.zone": "UTC",
        }
        init(place / "workspace", profile=profile, clock=given, settings=settings, variables={})
        with open_memory(
            place / "workspace",
            clock=given,
            embedder=embedder or small_embedder(),
            settings=settings,
            variables={},
        ) as memory:
            yield memory
