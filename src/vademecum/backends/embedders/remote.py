"""An embedder behind a wire: batches, checks what came back, and stops asking when told no."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from vademecum.backends.embedders.exchange import Exchange, Patience, Rejected, TooLarge
from vademecum.backends.embedders.known_models import RemoteModel
from vademecum.backends.embedders.readable import readable
from vademecum.backends.embedders.vectors import NoDirection, unit
from vademecum.backends.embedders.wires import Wire
from vademecum.core.errors import EmbedderUnavailable
from vademecum.core.ports import EmbedderIdentity, Purpose, Vector

LARGEST_BATCH_BYTES = 96_000
"""UTF-8 length of one request's texts: fewer tokens than the strictest provider allows."""

_QUERY_PATIENCE = Patience(seconds=10, attempts=2, longest_wait=1)
_BULK_PATIENCE = Patience(seconds=60, attempts=4, longest_wait=30)
_REST_SECONDS = 30.0

# Refusals of this one request; everything else is refused to whoever asks.
_ABOUT_THE_TEXTS = frozenset({400, 422})

_EXPLAINED = {
    401: "the API key is wrong",
    403: "the API key may not do this",
    404: "there is no such model or address",
}


class RemoteEmbedder:
    """Vectors from a server. Safe to use from several threads.

    A query is asked at most twice within 21 seconds; anything else is repeated up to four times.
    After a refusal that repeating cannot mend (key, model, format, dimensions) the server is not
    asked again by this object; after silence it is left alone for half a minute.
    """

    def __init__(
        self,
        identity: EmbedderIdentity,
        model: RemoteModel,
        wire: Wire,
        exchange: Exchange,
        *,
        api_key_missing: bool = False,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._identity = identity
        self._model = model
        self._wire = wire
        self._exchange = exchange
        self._monotonic = monotonic
        self._guard = threading.Lock()
        self._refusal: EmbedderUnavailable | None = None
        self._silence: tuple[float, EmbedderUnavailable] | None = None
        if api_key_missing:
            self._refusal = EmbedderUnavailable(
                f"The provider {identity.provider} needs an API key and none is configured.",
                hint="Set embedder.api_key; keyword search works meanwhile.",
            )

    @property
    def identity(self) -> EmbedderIdentity:
        """Return what its vectors may be compared with."""
        return self._identity

    def embed(self, texts: Sequence[str], purpose: Purpose) -> list[Vector]:
        """Return one unit vector a text, in order.

        Raises EmbedderUnavailable, transient when asking later can help.
        """
        prefix = self._model.prefix(purpose)
        # Servers refuse an empty text.
        ready = [prefix + readable(text) or " " for text in texts]
        vectors: list[Vector] = []
        for batch in _batches(ready, self._wire.largest_batch):
            vectors += self._embed_batch(batch, purpose)
        return vectors

    def close(self) -> None:
        """Close the connections."""
        self._exchange.close()

    def _embed_batch(self, batch: list[str], purpose: Purpose) -> list[Vector]:
        self._raise_known_failure()
        patience = _QUERY_PATIENCE if purpose is Purpose.QUERY else _BULK_PATIENCE
        try:
            answer = self._exchange.post(
                self._wire.path(), self._wire.body(batch, purpose), patience
            )
        except TooLarge as error:
            if len(batch) == 1:
                raise self._said_no(f"a text is too large for it ({error})") from error
            half = len(batch) // 2
            return self._embed_batch(batch[:half], purpose) + self._embed_batch(
                batch[half:], purpose
            )
        except Rejected as error:
            failure = self._said_no(f"{_explained(error.status)} ({error})")
            if error.status not in _ABOUT_THE_TEXTS:
                self._refusal = failure
            raise failure from error
        except EmbedderUnavailable as error:
            with self._guard:
                self._silence = (self._monotonic() + _REST_SECONDS, error)
            raise
        return self._checked(answer, len(batch))

    def _checked(self, answer: Any, expected: int) -> list[Vector]:
        try:
            raw = self._wire.vectors(answer)
            lengths = {len(values) for values in raw}
            vectors = [unit(values) for values in raw]
        except NoDirection as error:
            # A fault of one text, so the next one may be asked for.
            raise self._said_no("a vector is all zero or not finite") from error
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            self._refusal = self._said_no("its answer is not in the expected format")
            raise self._refusal from error
        if len(vectors) != expected:
            self._refusal = self._said_no(f"it gave {len(vectors)} vectors for {expected} texts")
            raise self._refusal
        if lengths != {self._identity.dimensions}:
            found = ", ".join(map(str, sorted(lengths)))
            self._refusal = EmbedderUnavailable(
                f"The model {self._identity.model} gave vectors of {found} dimensions where "
                f"{self._identity.dimensions} were expected.",
                hint="Set embedder.dimensions to what the model gives; the index is then rebuilt.",
            )
            raise self._refusal
        return vectors

    def _raise_known_failure(self) -> None:
        if self._refusal is not None:
            raise self._refusal.with_traceback(None)
        with self._guard:
            silence = self._silence
            if silence is not None and self._monotonic() >= silence[0]:
                self._silence = silence = None
        if silence is not None:
            raise silence[1].with_traceback(None)

    def _said_no(self, reason: str) -> EmbedderUnavailable:
        return EmbedderUnavailable(
            f"The provider {self._identity.provider} made no vectors with "
            f"{self._identity.model}: {reason}.",
            hint="Check embedder.api_key, embedder.model and embedder.endpoint; keyword search "
            "works meanwhile.",
        )


def _explained(status: int) -> str:
    return _EXPLAINED.get(status, f"it answered {status}")


def _batches(texts: list[str], largest: int) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        length = len(text.encode())
        if batch and (len(batch) == largest or size + length > LARGEST_BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += length
    if batch:
        yield batch
