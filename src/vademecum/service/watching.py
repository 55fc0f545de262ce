"""The verb `watch`: words at once after each burst of changes, vectors in the background."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from vademecum.core.errors import Refused, VademecumError
from vademecum.core.search import Degradation
from vademecum.indexing.elect import watching
from vademecum.indexing.embed import embed_pending
from vademecum.indexing.sync import SyncReport, sync
from vademecum.indexing.watch import watch
from vademecum.service.wiring import Parts
from vademecum.workspace.workspace import Workspace

_SLICE = 5.0
"""Seconds of embedding after which it is looked whether to stop."""
_WAIT = 10.0
"""Seconds that another indexer is waited for."""


def keep_watch(
    workspace: Workspace,
    parts: Parts,
    on_sync: Callable[[SyncReport], None],
    *,
    stop: threading.Event,
    on_degraded: Callable[[Degradation], None],
    check: Callable[[], None],
) -> None:
    """Sync after each burst of changes until `stop` is set; `on_sync` hears what each one did.

    `check` is asked before anything is read; what it raises ends the watch. Raises Refused when
    another process watches this workspace already.
    """
    with watching(workspace.state) as won:
        if not won:
            raise Refused(
                f"Another process watches {workspace.root} already.",
                hint="One watcher is enough for all; `vade status` shows it.",
            )
        with _embedding(workspace, parts, stop, on_degraded, check) as wake:

            def changed() -> None:
                check()
                report = sync(workspace, parts.index, wait=_WAIT)
                on_sync(report)
                wake.set()

            debounce = workspace.settings.watch.debounce
            watch(workspace.root, changed, stop=stop, debounce=debounce, on_degraded=on_degraded)


@contextmanager
def _embedding(
    workspace: Workspace,
    parts: Parts,
    stop: threading.Event,
    on_degraded: Callable[[Degradation], None],
    check: Callable[[], None],
) -> Iterator[threading.Event]:
    """Embed in a thread of its own whatever is pending when the event is set."""
    wake = threading.Event()
    over = threading.Event()
    embedder = parts.embedder
    index = parts.index

    def work() -> None:
        while not over.is_set():
            wake.wait()
            wake.clear()
            if over.is_set() or stop.is_set() or embedder is None:
                continue
            try:
                check()
            except VademecumError:
                return  # whoever watches hears of it at the next burst
            done = embed_pending(workspace.state, index, embedder, seconds=_SLICE)
            if done.degraded is not None:
                on_degraded(done.degraded)
            elif done.done and done.remaining:
                wake.set()

    thread = threading.Thread(target=work, name="vade-embedding", daemon=True)
    thread.start()
    try:
        yield wake
    finally:
        over.set()
        wake.set()
        thread.join(timeout=_SLICE)
