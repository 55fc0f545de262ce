"""Verbs between agents: who there is, who may read whom, what is gathered, how teams meet."""

from __future__ import annotations

from vademecum.core.provenance import Actor
from vademecum.service.turns import Turn
from vademecum.service.wiring import Parts
from vademecum.workspace.workspace import Workspace


class Sharing:
    """The part of `Memory` that deals with other agents."""

    _workspace: Workspace
    _parts: Parts
    _actor: Actor
    _turn: Turn

    def _changing(self) -> None:
        raise NotImplementedError
