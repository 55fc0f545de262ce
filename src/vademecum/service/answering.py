"""Verbs that answer: recall, search and exact lines, from this memory and from granted ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, Self, TypeAlias

from vademecum.service.part import Part
from vademecum.workspace.workspace import Workspace

if TYPE_CHECKING:
    from datetime import date

    from vademecum.agents.view import View
    from vademecum.core.search import Briefing, Found
    from vademecum.indexing.refresh import Refresher
    from vademecum.service.reading import Excerpt

Leg: TypeAlias = Literal["keyword", "semantic"]

# Each verb imports its engine when it is called: a log entry does not pay for a search engine.
# ruff: noqa: PLC0415


class Answering(Part):
    """The part of `Memory` that answers questions; nothing is changed by it."""

    def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        budget: int | None = None,
        history: bool = False,
        as_of: date | str | None = None,
        scope: str | Sequence[str] = (),
        leg: Leg | None = None,
        origin: str | Sequence[str] = (),
    ) -> Briefing:
        """Answer `query` with a few cited sources within a budget of tokens.

        Without `limit` and `budget` those of the configuration. What is past is left out; `history`
        tells it, each claim with all that it replaced, the oldest first, and `as_of` (a date, or
        `YYYY-MM-DD`) answers with what was known on that day. `scope` leaves out notes whose
        frontmatter names other scopes only. `leg` is that of `search`. `origin` names agents to ask
        instead of this memory, where they grant it (`*`: this memory and all of those); each source
        says whose it is. What changed on disk is read first. Nothing known is an answer: no source,
        and the reason. Raises IndexUnusable, StorageFailed, BadInput, AgentNotFound.
        """
        from vademecum.recall.brief import brief
        from vademecum.service.asking import answered, day_asked, ground, noted

        chosen = self._workspace.settings.search

        def ask() -> Briefing:
            stands_on = ground(
                self._workspace, self._parts, self._refresher(), leg, query=query, claims=True
            )
            return brief(
                stands_on,
                query,
                limit=limit or chosen.k,
                budget=budget or chosen.budget,
                history=history,
                as_of=day_asked(as_of),
                scopes=(scope,) if isinstance(scope, str) else tuple(scope),
                leg=leg,
            )

        def own() -> Briefing:
            told = answered(self._parts, self._refresher(), ask)
            if not history and as_of is None and not self._workspace.granted:
                noted(self._workspace, told)
            return told

        def other(name: str) -> Briefing:
            with self._opened(name) as (memory, view):
                told = memory.recall(
                    query, limit=limit or chosen.k, budget=budget or chosen.budget,
                    history=history, as_of=as_of, scope=scope, leg=leg,
                )  # fmt: skip
                return granted.marked_briefing(told, view)

        with self._turn:
            if not origin:
                return own()
            from vademecum.service import granted

            asked = granted.origins(origin, self._caller, self._workspace.clock)
            return granted.briefing(
                query, asked, own, other, limit=limit or chosen.k, budget=budget or chosen.budget
            )

    def search(
        self,
        query: str,
        *,
        leg: Leg | None = None,
        limit: int | None = None,
        as_of: date | str | None = None,
        scope: str | Sequence[str] = (),
        origin: str | Sequence[str] = (),
    ) -> Found:
        """Return the places that match `query`, best first; any text is a safe query.

        By words and by meaning unless `leg` names one; `keyword` loads no model. What is past is
        marked and stands behind what replaced it. `as_of`, `scope` and `origin` are those of
        `recall`. What changed on disk is read first. Raises IndexUnusable, StorageFailed, BadInput,
        AgentNotFound.
        """
        from vademecum.recall.search import search
        from vademecum.service.asking import answered, day_asked, ground

        most = limit or self._workspace.settings.search.k

        def ask() -> Found:
            return search(
                ground(self._workspace, self._parts, self._refresher(), leg, query=query),
                query,
                leg=leg,
                limit=most,
                as_of=day_asked(as_of),
                scopes=(scope,) if isinstance(scope, str) else tuple(scope),
            )

        def own() -> Found:
            return answered(self._parts, self._refresher(), ask)

        def other(name: str) -> Found:
            with self._opened(name) as (memory, view):
                told = memory.search(query, leg=leg, limit=most, as_of=as_of, scope=scope)
                return granted.marked_found(told, view)

        with self._turn:
            if not origin:
                return own()
            from vademecum.service import granted

            asked = granted.origins(origin, self._caller, self._workspace.clock)
            return granted.found(asked, own, other, limit=most)

    def get(self, target: str, *, limit: int | None = None) -> Excerpt:
        """Return exact lines of one file, or of one that another agent grants: `OWNER:TARGET`.

        `target` is a path, a title or a [[wikilink]], with `:3-7`, `:3`, `:3-`, `#Heading` or
        `#^id` behind it or not; what was archived since is read where it is now. At most `limit`
        characters (0: all); without it 12,000, and 120 lines where no last line is named. Raises
        NoteNotFound, AmbiguousTarget, InvalidPath, Unreadable, BadInput.
        """
        from vademecum.service import reading

        with self._turn:
            if ":" in target and (there := self._granted_lines(target, limit)) is not None:
                return there
            path, content, way = reading.find(
                target, self._content, self._titles, self._archived, self._logs
            )
            return reading.excerpt(path, content, way, limit=limit)

    # ------------------------------------------------------------ for the verbs above

    def _beside(self, workspace: Workspace) -> Self:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    @contextmanager
    def _opened(self, owner: str) -> Iterator[tuple[Self, View]]:
        """Open what `owner` grants this memory's agent, for one call. Raises AgentNotFound."""
        from vademecum.agents.view import view_of

        view = view_of(self._caller, owner, self._workspace.clock)
        memory = self._beside(view.workspace)
        try:
            yield memory, view
        finally:
            memory.close()

    def _granted_lines(self, target: str, limit: int | None) -> Excerpt | None:
        """Return what `OWNER:TARGET` names; None says nothing about why there is nothing."""
        from vademecum.agents.view import address
        from vademecum.core.errors import AgentNotFound, InvalidPath, NoteNotFound
        from vademecum.service import granted

        found = address(self._caller, target)
        if found is None:
            return None
        try:
            with self._opened(found[0]) as (memory, view):
                return granted.marked_excerpt(memory.get(found[1], limit=limit), view)
        except (AgentNotFound, NoteNotFound, InvalidPath):
            return None

    def _refresher(self) -> Refresher:
        if self._kept_fresh is None:
            from vademecum.indexing.refresh import Refresher

            self._kept_fresh = Refresher(self._workspace, self._parts.index)
        return self._kept_fresh

    def _content(self, path: str) -> bytes:
        return self._workspace.files.read(path).data

    def _whole(self, path: str, limit: int | None) -> Excerpt:
        from vademecum.service import reading

        return reading.excerpt(path, self._content(path), reading.Target(path), limit=limit)

    def _archived(self, name: str) -> Sequence[str]:
        from vademecum.workspace.archived import archived_as

        return archived_as(self._workspace, name)

    def _logs(self, name: str) -> Sequence[str]:
        from datetime import date

        from vademecum.workspace.archived import archive_path

        profile = self._workspace.profile
        try:
            log = profile.log_path(date.fromisoformat(name))
        except ValueError:
            return ()
        return (log, archive_path(profile, log)) if name in log else ()

    def _titles(self) -> Iterator[tuple[str, str]]:
        from vademecum.service.catalogue import titles

        return titles(self._workspace)
