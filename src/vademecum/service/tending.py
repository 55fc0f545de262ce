"""Verbs of upkeep: heartbeat, reflection, promotion, archive, and who runs them when."""

from __future__ import annotations

import threading

from vademecum.core.provenance import Actor
from vademecum.service.wiring import Parts
from vademecum.workspace.workspace import Workspace


class Tending:
    """The part of `Memory` that tidies memory."""

    _workspace: Workspace
    _parts: Parts
    _actor: Actor
    _turn: threading.RLock

    def _changing(self) -> None:
        raise NotImplementedError
