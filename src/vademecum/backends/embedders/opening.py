"""From settings to an embedder: the one door through which embedders are made."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from vademecum.core.errors import InvalidConfiguration
from vademecum.core.frozen import dataclass
from vademecum.core.ports import Embedder, EmbedderIdentity

if TYPE_CHECKING:
    from vademecum.backends.embedders.known_models import RemoteModel
    from vademecum.backends.embedders.wires import Wire

DEFAULT_PROVIDER = "local"


@dataclass(frozen=True, slots=True)
class EmbedderSettings:
    """Which embedder, and what it needs. Empty text and None mean: the provider's default."""

    provider: str = DEFAULT_PROVIDER
    model: str = ""
    dimensions: int | None = None
    endpoint: str = ""
    """Base address of the server, up to and including its version path."""
    api_key: str = field(default="", repr=False)
    query_prefix: str | None = None
    passage_prefix: str | None = None
    cache_directory: Path | None = None
    threads: int | None = None
    """Texts that the local model embeds at once; by default the cores of this process."""


@dataclass(frozen=True, slots=True)
class _Remote:
    model: str
    endpoint: str
    version_path: str = ""
    """Added to an endpoint that was given without a path."""
    needs_key: bool = False


_REMOTES = {
    "ollama": _Remote("embeddinggemma", "http://127.0.0.1:11434"),
    "openai": _Remote("text-embedding-3-small", "https://api.openai.com/v1", "/v1", True),
    "openai-compatible": _Remote("", "", "/v1"),
    "gemini": _Remote(
        "gemini-embedding-001",
        "https://generativelanguage.googleapis.com/v1beta",
        "/v1beta",
        True,
    ),
    "voyage": _Remote("voyage-4", "https://api.voyageai.com/v1", "/v1", True),
}

PROVIDERS = ("local", *_REMOTES, "hashing", "none")


def open_embedder(
    settings: EmbedderSettings,
    *,
    wait: Callable[[float], None] = time.sleep,
    monotonic: Callable[[], float] = time.monotonic,
) -> Embedder | None:
    """Return the embedder that the settings name; None for the provider ``none``.

    Nothing is loaded and nobody is asked before the first text, so what fails then
    (EmbedderUnavailable) never stops a workspace from opening. `wait` and `monotonic` pace repeats
    to servers.

    Raises InvalidConfiguration when the settings cannot be meant.
    """
    if settings.provider == "none":
        return None
    if settings.provider == "local":
        return _open_local(settings)
    if settings.provider == "hashing":
        return _open_hashing(settings)
    if settings.provider in _REMOTES:
        return _open_remote(settings, _REMOTES[settings.provider], wait, monotonic)
    raise InvalidConfiguration(
        f"There is no embedding provider {settings.provider!r}.",
        hint=f"embedder.provider is one of {', '.join(PROVIDERS)}.",
    )


def _open_local(settings: EmbedderSettings) -> Embedder:
    # Each provider loads only its own modules: http and ssl alone take 30 ms.
    from vademecum.backends.embedders.local import (  # noqa: PLC0415
        LOCAL_IDENTITY,
        LocalEmbedder,
    )

    if settings.model not in ("", LOCAL_IDENTITY.model):
        raise InvalidConfiguration(
            f"The local provider has no model {settings.model!r}, only {LOCAL_IDENTITY.model}.",
            hint="Leave embedder.model out, or choose another embedder.provider.",
        )
    if settings.dimensions not in (None, LOCAL_IDENTITY.dimensions):
        raise InvalidConfiguration(
            f"{LOCAL_IDENTITY.model} has {LOCAL_IDENTITY.dimensions} dimensions and loses its "
            "meaning when they are cut.",
            hint="Leave embedder.dimensions out.",
        )
    return LocalEmbedder(settings.cache_directory, settings.threads)


def _open_hashing(settings: EmbedderSettings) -> Embedder:
    from vademecum.backends.embedders.hashing import (  # noqa: PLC0415  as above
        DEFAULT_DIMENSIONS,
        HashingEmbedder,
    )

    return HashingEmbedder(settings.dimensions or DEFAULT_DIMENSIONS)


def _open_remote(
    settings: EmbedderSettings,
    remote: _Remote,
    wait: Callable[[float], None],
    monotonic: Callable[[], float],
) -> Embedder:
    from vademecum.backends.embedders.exchange import Exchange  # noqa: PLC0415  as above
    from vademecum.backends.embedders.known_models import RemoteModel, remote_model  # noqa: PLC0415
    from vademecum.backends.embedders.remote import RemoteEmbedder  # noqa: PLC0415

    name = settings.model or remote.model
    if not name:
        raise InvalidConfiguration(
            f"The provider {settings.provider} needs the name of a model.",
            hint="Set embedder.model.",
        )
    known = remote_model(name)
    query_prefix = _chosen(settings.query_prefix, known.query_prefix)
    passage_prefix = _chosen(settings.passage_prefix, known.passage_prefix)
    likeness_prefix = _chosen(settings.query_prefix, known.likeness_prefix)
    model = RemoteModel(known.dimensions, query_prefix, passage_prefix, likeness_prefix)
    identity = EmbedderIdentity(
        settings.provider,
        name,
        _dimensions(settings, name, known.dimensions),
        query_prefix,
        passage_prefix,
    )
    wire = _wire(identity, known)
    return RemoteEmbedder(
        identity,
        model,
        wire,
        Exchange(_endpoint(settings, remote), wire.headers(_api_key(settings)), wait=wait),
        api_key_missing=remote.needs_key and not settings.api_key.strip(),
        monotonic=monotonic,
    )


def _chosen(given: str | None, known: str) -> str:
    return known if given is None else given


def _dimensions(settings: EmbedderSettings, name: str, known: int) -> int:
    dimensions = known if settings.dimensions is None else settings.dimensions
    if dimensions < 1:
        raise InvalidConfiguration(
            f"How many dimensions the vectors of {name} have is not known.",
            hint="Set embedder.dimensions to what the model gives.",
        )
    return dimensions


def _wire(identity: EmbedderIdentity, known: RemoteModel) -> Wire:
    from vademecum.backends.embedders.wires import (  # noqa: PLC0415  as above
        GeminiWire,
        OllamaWire,
        OpenAIWire,
        VoyageWire,
    )

    # Asked for only where it differs from the model's own number: servers whose model cannot be
    # cut refuse the field itself. Of a model that is not known it is what to expect.
    cut = known.dimensions not in (0, identity.dimensions)
    dimensions = identity.dimensions if cut else None
    if identity.provider == "ollama":
        return OllamaWire(identity.model, dimensions)
    if identity.provider == "gemini":
        return GeminiWire(identity.model, dimensions, tasks=not known.query_prefix)
    if identity.provider == "voyage":
        return VoyageWire(identity.model, dimensions)
    return OpenAIWire(identity.model, dimensions)


def _endpoint(settings: EmbedderSettings, remote: _Remote) -> str:
    given = (settings.endpoint or remote.endpoint).rstrip("/")
    try:
        address = urlsplit(given)
        valid = address.scheme in ("http", "https") and bool(address.hostname)
        valid = valid and (address.port is None or address.port > 0)
    except ValueError:
        valid = False
    if not valid or not given.isascii() or not given.isprintable() or " " in given:
        raise InvalidConfiguration(
            f"The address {given!r} of the embedding server cannot be used.",
            hint="Set embedder.endpoint to something like http://127.0.0.1:8000/v1.",
        )
    return given if address.path else given + remote.version_path


def _api_key(settings: EmbedderSettings) -> str:
    key = settings.api_key.strip()
    if not key.isascii() or not key.isprintable():
        raise InvalidConfiguration(
            "The API key of the embedder holds characters that no key has.",
            hint="Set embedder.api_key again, without line breaks.",
        )
    return key
