"""Which function answers which tool, and every error of memory told as a tool tells it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from vademecum.core.errors import VademecumError
from vademecum.surfaces.mcp import reading, writing
from vademecum.surfaces.mcp.arguments import Arguments, checked
from vademecum.surfaces.mcp.door import Door
from vademecum.surfaces.mcp.offers import BY_NAME
from vademecum.surfaces.mcp.replies import Reply, failure

if TYPE_CHECKING:
    from vademecum.service.memory import Memory

ANSWERS: Mapping[str, Callable[[Memory, Arguments], Reply]] = {
    "memory_recall": reading.recall,
    "memory_search": reading.search,
    "memory_get": reading.get,
    "memory_remember": writing.remember,
    "memory_log": writing.log,
    "memory_now": writing.now,
    "memory_review": writing.review,
    "memory_status": writing.status,
}


def call(door: Door, name: str, arguments: Mapping[str, object] | None, client: str = "") -> Reply:
    """Carry out one call of a tool that is offered; what goes wrong is a reply too."""
    try:
        given = checked(BY_NAME[name], arguments)
        return ANSWERS[name](door.memory(client), given)
    except VademecumError as error:
        return failure(error)
    except Exception as error:  # noqa: BLE001  the edge: a model gets a sentence, not a broken call
        told = f"vademecum failed unexpectedly: {type(error).__name__}: {error}"
        return failure(VademecumError(told, hint="This is a defect of vademecum; report it."))
