"""Verbs between agents: who there is, who may read whom, what is gathered, how teams meet."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from vademecum.service.part import Part

if TYPE_CHECKING:
    from vademecum.agents.gather import Gathered as Gathered
    from vademecum.agents.grants import Grant as Grant
    from vademecum.service.granting import Granted as Granted

# Each verb imports its engine when it is called.
# ruff: noqa: PLC0415


class Sharing(Part):
    """The part of `Memory` that deals with other agents."""

    def grant(
        self,
        reader: str,
        *,
        folder: str | Sequence[str] = (),
        kind: str | Sequence[str] = (),
        until: date | str | None = None,
    ) -> Grant:
        """Let the agent `reader` read this memory: all of it, or folders and kinds of notes.

        It holds from its next call on, through `until` if that is given. It may read, never write,
        and each answer names this agent. A second grant with the same limits replaces the first.
        Raises BadInput, AgentNotFound, NoteNotFound for a folder without a note, and what any
        write raises.
        """
        from vademecum.service import granting

        with self._turn:
            return granting.grant(
                self._workspace, self._caller, reader,
                folders=_several(folder), kinds=_several(kind), until=until,
            )  # fmt: skip

    def revoke(self, reader: str) -> tuple[Grant, ...]:
        """Take back all that `reader` may read of this memory; return what that was.

        It holds from its next call on, also in programs that run, whichever member of a group
        granted it. Raises BadInput, NotFound where there is nothing to take back, and what any
        write raises.
        """
        from vademecum.service import granting

        with self._turn:
            return granting.revoke(self._workspace, self._caller, reader)

    def grants(self) -> Granted:
        """Return who may read this memory, and whose memory its agent may read."""
        from vademecum.service import granting

        with self._turn:
            return granting.granted(self._workspace, self._caller)

    def gather(
        self,
        agents: str | Sequence[str] = (),
        *,
        since: date | str | None = None,
        dry_run: bool = False,
    ) -> Gathered:
        """Fold what is new in the memory of other agents into today's log; return what that is.

        That are key events of their logs and decisions that are new or hold no longer, as far as
        grants let this agent read them at this moment, from `agents` or all. Each is logged once,
        with its origin, whatever was renamed, edited or killed since, and is evidence of nothing.
        `since` is the first day to look at, else 30 days back. Raises BadInput, AgentNotFound,
        Refused while another one runs, and what any write raises.
        """
        from vademecum.service import gathering

        with self._turn:
            if not dry_run:
                self._changing()
            return gathering.gathered(
                self._workspace, self._caller, _several(agents),
                session=self._actor.session, since=since, dry_run=dry_run,
            )  # fmt: skip


def _several(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)
