"""Which backends a memory uses: the only module that names them, each built when first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vademecum.workspace.config import cache_home, environment
from vademecum.workspace.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable

    from vademecum.core.models import ChatModel, Model
    from vademecum.core.ports import Embedder, Index


class Parts:
    """Index and embedder of one workspace; whatever is not asked for is not loaded."""

    def __init__(self, workspace: Workspace, embedder: Embedder | None = None) -> None:
        self._workspace = workspace
        self._embedder = embedder
        self._opened = embedder is not None
        self._index: Index | None = None
        self._closing: list[Callable[[], None]] = []

    @property
    def embedder(self) -> Embedder | None:
        """The embedder of the configuration; None where it says `none`.

        It loads its model at the first text. Raises InvalidConfiguration.
        """
        if not self._opened:
            self._embedder = _embedder_of(self._workspace)
            self._opened = True
            if self._embedder is not None:
                self._closing.append(self._embedder.close)
        return self._embedder

    @property
    def model(self) -> Model | None:
        """The model of the configuration; None where it says `none`."""
        chosen = self._workspace.settings.model
        if chosen.provider == "none":
            return None
        if chosen.provider == "chat":
            from vademecum.backends.models.answering import (  # noqa: PLC0415  as below
                AnsweringModel,
            )

            return AnsweringModel(self.chat_model)
        from vademecum.backends.models.command import (  # noqa: PLC0415  rules need none
            CommandModel,
        )

        return CommandModel(chosen.command, chosen.timeout)

    def chat_model(self) -> ChatModel:
        """Return the model that `model.chat` names. Raises BadInput, ModelUnavailable."""
        from vademecum.backends.models.providers import (  # noqa: PLC0415  only a chat has one
            ProviderModel,
        )

        chosen = self._workspace.settings.model
        made = ProviderModel(chosen.chat, chosen.endpoint, chosen.api_key, chosen.timeout)
        self._closing.append(made.close)
        return made

    @property
    def index(self) -> Index:
        """The index of the workspace; nothing is on disk before something is written to it."""
        if self._index is None:
            from vademecum.backends.sqlite.index import (  # noqa: PLC0415  log and now need none
                SqliteIndex,
            )
            from vademecum.indexing.recipe import recipe_of  # noqa: PLC0415  as above

            embedder = self.embedder
            identity = None if embedder is None else embedder.identity
            recipe = recipe_of(self._workspace.settings.chunk, self._workspace.profile.name)
            index: Index = SqliteIndex(self._workspace.state, identity, recipe)
            self._closing.append(index.close)
            self._index = index
        return self._index

    def why_no_vectors(self) -> str:
        """Return why vectors cannot be searched on this system, or an empty text."""
        from vademecum.backends.sqlite.connection import (  # noqa: PLC0415  only the doctor asks
            why_no_vectors,
        )

        return why_no_vectors()

    def close(self) -> None:
        """Release whatever was built here, the newest first; an embedder that was given stays."""
        while self._closing:
            self._closing.pop()()


def _embedder_of(workspace: Workspace) -> Embedder | None:
    from vademecum.backends.embedders.opening import (  # noqa: PLC0415  log and now need none
        EmbedderSettings,
        open_embedder,
    )

    chosen = workspace.settings.embedder
    return open_embedder(
        EmbedderSettings(
            provider=chosen.provider,
            model=chosen.model,
            dimensions=chosen.dimensions or None,
            endpoint=chosen.endpoint,
            api_key=chosen.api_key,
            cache_directory=cache_home(environment()),
            threads=chosen.threads or None,
        )
    )
