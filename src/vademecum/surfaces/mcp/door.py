"""The memory behind a server: opened at the first call that needs it, in the caller's name."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vademecum.service.memory import Memory

Opening = Callable[[str], "Memory"]
"""Opens the memory for writes in the name of the caller that is given."""

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_NAME = 40


class Door:
    """One memory for all calls of a server; calls may come from several threads.

    Where it cannot be opened, each call says why and the next one tries again: a workspace that is
    made meanwhile is found.
    """

    def __init__(self, opening: Opening, caller: str = "") -> None:
        self._opening = opening
        self._caller = caller
        """In whose name everything is written, where clients come and go."""
        self._turn = threading.Lock()
        self._memory: Memory | None = None

    def memory(self, client: str = "") -> Memory:
        """Return the memory. Raises what opening one raises."""
        with self._turn:
            if self._memory is None:
                self._memory = self._opening(agent_named(self._caller or client))
            return self._memory

    def close(self) -> None:
        """Close the memory if it was opened."""
        with self._turn:
            if self._memory is not None:
                self._memory.close()
                self._memory = None


def agent_named(client: str) -> str:
    """Return the name in which a client of that name writes.

    It is never that of a person: the client chooses its own, and evidence asks who wrote a line.
    """
    name = _NOT_IN_NAMES.sub("-", client).strip("-")[:_LONGEST_NAME].lower()
    return f"mcp/{name}" if name else "mcp"
