"""Verbs of a session: what a fresh window opens with, and what was said in earlier ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from vademecum.service.part import Part

if TYPE_CHECKING:
    from vademecum.context.events import BootContext as BootContext
    from vademecum.context.transcript_search import TurnsFound as TurnsFound

# Each verb imports its engine when it is called.
# ruff: noqa: PLC0415


class Waking(Part):
    """The part of `Memory` that serves sessions."""

    def boot(
        self,
        event: str = "startup",
        *,
        budget: int | None = None,
        main_session: bool = True,
        session: str | None = None,
        length: Callable[[str], int] | None = None,
    ) -> BootContext:
        """Return what a context window that begins with `event` opens with, by profile.

        `event` is `startup`, `resume`, `clear` or `compact`. `budget` is the longest text in
        characters as hosts count them, or as `length` counts; without it `budget.boot` of the
        configuration. Without `main_session` (a group, another person's session) private core
        memory is left out. At resume there is only a notice that names files which changed since
        `session` loaded them; without `session` that of the configuration. Nothing is written but
        the mark of what was loaded, in the state directory. Raises BadInput.
        """
        from vademecum.context.boot import boot
        from vademecum.context.events import event_named
        from vademecum.context.fitting import units

        with self._turn:
            return boot(
                self._workspace,
                event_named(event),
                budget=budget,
                main_session=main_session,
                session=self._actor.session if session is None else session,
                length=length or units,
            )

    def transcripts(self, query: str, *, session: str = "", limit: int | None = None) -> TurnsFound:
        """Return what was said in sessions that hooks reported, the best matches first.

        Transcripts are no memory: `search` and `recall` never read them. Raises BadInput.
        """
        from vademecum.context.capture import transcripts_of
        from vademecum.context.transcript_search import search_transcripts

        with self._turn:
            return search_transcripts(
                transcripts_of(self._workspace),
                query,
                limit=limit or self._workspace.settings.search.k,
                session=session,
            )
