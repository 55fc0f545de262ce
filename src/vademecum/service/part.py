"""What the parts of `Memory` have in common; `Memory` itself brings it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vademecum.agents.scope import Caller
    from vademecum.core.provenance import Actor
    from vademecum.indexing.refresh import Refresher
    from vademecum.service.remembering import Remembering
    from vademecum.service.turns import Turn
    from vademecum.service.wiring import Parts
    from vademecum.workspace.workspace import Workspace


class Part:
    """A part of `Memory`: some of its verbs, over what all of them share."""

    _workspace: Workspace
    _parts: Parts
    _actor: Actor
    _caller: Caller
    _turn: Turn
    _remembering: Remembering | None
    """Kept between calls, once there was one."""
    _kept_fresh: Refresher | None

    def _changing(self) -> None:
        """Note that the call will change files."""
        raise NotImplementedError  # Memory does it, which all parts are put together in
