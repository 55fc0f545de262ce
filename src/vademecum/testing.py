"""Parts for tests of whatever is built on memory: a frozen clock, a small embedder, a workspace."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from zoneinfo import ZoneInfo

from vademecum.backends.embedders.hashing import HashingEmbedder
from vademecum.backends.models.command import objects_in
from vademecum.core.changes import Usage
from vademecum.core.claims import Claim
from vademecum.core.errors import ModelUnavailable
from vademecum.core.models import Reply, Respondent, texts_under
from vademecum.core.ports import Clock, Embedder, KeywordQuery
from vademecum.markdown.sizes import estimate_tokens

if TYPE_CHECKING:
    from vademecum.service.memory import Memory
    from vademecum.workspace.workspace import Workspace

ScriptedAnswer: TypeAlias = "Mapping[str, Sequence[str]] | str | Exception"


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


class ScriptedModel:
    """A model that answers what it is told to, for `open_memory(model=…)`.

    `answers` is a sequence, used up one a request, or a function of prompt and wanted names. An
    answer is texts under names, a text as a program would print it, or an error to raise; when
    the sequence is used up, the model is not to be had. `asked` holds every prompt.
    """

    name = "scripted"

    def __init__(
        self,
        answers: Iterable[ScriptedAnswer] | Callable[[str, Mapping[str, str]], ScriptedAnswer],
        *,
        cost: float | None = 0.0,
    ) -> None:
        self._answers = answers if callable(answers) else iter(answers)
        self._cost = cost
        self.asked: list[str] = []

    def ask(self, prompt: str, wanted: Mapping[str, str]) -> Reply:
        """Answer as the script says; tokens are estimated. Raises ModelUnavailable."""
        self.asked.append(prompt)
        if callable(self._answers):
            said = self._answers(prompt, wanted)
        else:
            said = next(self._answers, ModelUnavailable("The script has no further answer."))
        if isinstance(said, Exception):
            raise said
        printed = said if isinstance(said, str) else json.dumps(said)
        usage = Usage(
            self.name, estimate_tokens(prompt), estimate_tokens(printed), self._cost, estimated=True
        )
        for found in objects_in(printed):
            if (texts := texts_under(found, wanted)) is not None:
                return Reply(texts, usage)
        return Reply(None, usage, f"There is no JSON object with {', '.join(wanted)}.")


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
        from vademecum.markdown.lines import decode  # noqa: PLC0415  a clock alone needs none of it

        for path in sorted(self._workspace.scan().files):
            yield from read_claims(path, decode(self._workspace.files.read(path).data).text)


@contextmanager
def throwaway_memory(
    *,
    profile: str = "standard",
    clock: Clock | None = None,
    embedder: Embedder | None = None,
    model: Respondent | None = None,
    settings: Mapping[str, str | int | float | bool | tuple[str, ...]] | None = None,
    root: Path | None = None,
) -> Iterator[Memory]:
    """Give a memory of its own, scaffolded, whose workspace and state are gone afterwards.

    Its clock stands at 2026-01-20 10:30 UTC and its embedder is `small_embedder()` unless others
    are given; `settings` are further keys. With `root`, workspace and state are made below it and
    stay.
    """
    from tempfile import TemporaryDirectory  # noqa: PLC0415  a clock alone needs neither

    from vademecum.service.memory import init, open_memory  # noqa: PLC0415  a clock alone needs none of it

    with TemporaryDirectory(prefix="vademecum-") as made:
        place = root or Path(made)
        given = clock or FrozenClock()
        chosen: dict[str, str | int | float | bool | tuple[str, ...]] = {
            "state.directory": str(place / "state"),
            "workspace.zone": "UTC",
            **(settings or {}),
        }
        init(place / "workspace", profile=profile, clock=given, settings=chosen, variables={})
        with open_memory(
            place / "workspace",
            clock=given,
            embedder=embedder or small_embedder(),
            model=model,
            settings=chosen,
            variables={},
        ) as memory:
            yield memory
