"""Which backends a memory uses: the only module that names them, each built when first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vademecum.service.stopping import Stopping
from vademecum.workspace.config import cache_home, environment
from vademecum.workspace.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable

    from vademecum.core.models import ChatModel, Model, Respondent
    from vademecum.core.ports import Embedder, Index
    from vademecum.core.provenance import Actor


class Parts:
    """Index, embedder and model of one workspace; whatever is not asked for is not loaded."""

    def __init__(
        self,
        workspace: Workspace,
        embedder: Embedder | None = None,
        respondent: Respondent | None = None,
    ) -> None:
        self._workspace = workspace
        self._embedder = embedder
        self._respondent = respondent
        self._opened = embedder is not None
        self._index: Index | None = None
        self._closing: list[Callable[[], None]] = []
        self.stopping = Stopping()
        """Ends a question to a model that is under way; by default nothing does."""

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

    def model_for(self, actor: Actor) -> Model | None:
        """Return the model of the configuration, asked in that name; None where it says `none`.

        Each question is in the ledger, in the bounds of `model.daily_cost` and
        `model.daily_tokens`.
        """
        respondent = self._respondent_of()
        if respondent is None:
            return None
        from vademecum.service.metering import Meter, MeteredModel  # noqa: PLC0415  rules need none

        return MeteredModel(respondent, Meter(self._workspace, actor, self.stopping))

    def chat_model(self, actor: Actor) -> ChatModel:
        """Return the model to talk to, on the same meter. Raises BadInput, ModelUnavailable."""
        from vademecum.service.metering import Meter, MeteredChat  # noqa: PLC0415  as above

        chosen = self._workspace.settings.model
        return MeteredChat(
            self._provider_model(chosen.chat or chosen.name),
            Meter(self._workspace, actor, self.stopping),
        )

    def _respondent_of(self) -> Respondent | None:
        chosen = self._workspace.settings.model
        if self._respondent is not None or chosen.provider == "none":
            return self._respondent
        if chosen.provider == "command":
            from vademecum.backends.models.command import (  # noqa: PLC0415  rules need none
                CommandModel,
            )

            self._respondent = CommandModel(chosen.command, chosen.timeout, self.stopping.wanted)
        else:
            from vademecum.backends.models.answering import (  # noqa: PLC0415  as above
                AnsweringModel,
            )

            named = chosen.name or chosen.chat
            self._respondent = AnsweringModel(lambda: self._provider_model(named))
        return self._respondent

    def _provider_model(self, named: str) -> ChatModel:
        from vademecum.backends.models.providers import (  # noqa: PLC0415  only a chat has one
            ProviderModel,
        )

        chosen = self._workspace.settings.model
        # There is one key; it is never sent to another provider than the one it was found for.
        keyed = (chosen.chat or chosen.name).partition(":")[0] == named.partition(":")[0]
        made = ProviderModel(
            named,
            chosen.endpoint,
            chosen.api_key if keyed else "",
            chosen.timeout,
            self.stopping.wanted,
        )
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
