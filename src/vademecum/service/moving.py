"""Verbs of moving in and out: migration from other systems, export to them."""

from __future__ import annotations

from vademecum.core.provenance import Actor
from vademecum.service.turns import Turn
from vademecum.service.wiring import Parts
from vademecum.workspace.workspace import Workspace


class Moving:
    """The part of `Memory` that takes in what others left, and gives it back."""

    _workspace: Workspace
    _parts: Parts
    _actor: Actor
    _turn: Turn

    def _changing(self) -> None:
        raise NotImplementedError
