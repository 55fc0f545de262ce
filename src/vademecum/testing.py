"""Parts for tests of whatever is built on memory: a frozen clock, a small embedder, a workspace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from vademecum.backends.embedders.hashing import HashingEmbedder
from vademecum.core.claims import Claim
from vademecum.core.ports import Clock, Embedder, KeywordQuery

if TYPE_CHECKING:
    from vademecum.service.memory import Memory
    from vademecum.workspace.workspace import Workspace


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


class ClaimsInFiles:
    """A reader of claims that reads the notes anew at each question: slow, never out of date."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def claims_in(self, paths: Sequence[str]) -> Sequence[Claim]:
        """Return every claim of those notes."""
        return [claim for claim in self._all() if claim.span.path in paths]

    def claims_by_id(self, ids: Sequence[str]) -> Sequence[Claim]:
        """Return the claims with those block ids."""
        return [claim for claim in self._all() if claim.id in ids]

    def claims_by_slot(self, keys: Sequence[str], limit: int) -> Sequence[Claim]:
        """Return claims that share a slot key."""
        from vademecum.markdown.compare.keys import claim_keys  # noqa: PLC0415  a clock needs it not

        wanted = set(keys)
        return [claim for claim in self._all() if wanted & set(claim_keys(claim))][:limit]

    def claims_like(self, query: KeywordQuery, limit: int) -> Sequence[Claim]:
        """Return claims that hold one of the terms as a word."""
        wanted = set(query.terms)
        found = (claim for claim in self._all() if wanted & set(claim.text.casefold().split()))
        return list(found)[:limit]

    def _all(self) -> Iterator[Claim]:
        from vademecum.markdown.claims import read_claims  # noqa: PLC0415  a clock needs it not
        from vademecum.markdown.lines import decode  # noqa: PLC0415

        for path in sorted(self._workspace.scan().files):
            yield from read_claims(path, decode(self._workspace.files.read(path).data).text)


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
