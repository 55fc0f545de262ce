"""Taking turns: one decides on claims at a time, and one writes maps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from vademecum.workspace.locks import locked
from vademecum.workspace.workspace import Workspace


@contextmanager
def claims_turn(workspace: Workspace) -> Iterator[None]:
    """Be the only one who decides on claims for the block; others wait.

    Raises LockTimeout, StateUnwritable.
    """
    with locked(workspace.state / "locks" / "remember.lock"):
        yield


@contextmanager
def maps_turn(workspace: Workspace) -> Iterator[None]:
    """Be the only one who brings maps in step for the block; others wait.

    Within it notes are read, maps written, and notes that are to be gone removed, so that no map
    leads to what went meanwhile. Whoever has the turn of claims takes this one after it, nobody the
    other way round. Raises LockTimeout, StateUnwritable.
    """
    with locked(workspace.state / "locks" / "maps.lock"):
        yield
