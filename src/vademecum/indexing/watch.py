"""Notice changes soon: a hint to sweep, never the mechanism that correctness stands on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from vademecum.core.search import Degradation
from vademecum.workspace.scan import SUFFIXES

_TICK_MILLISECONDS = 500
_TICKS_PER_SWEEP = 120
"""Events can be lost (a full queue says nothing), so a sweep comes round each minute anyway."""
_SWEEP_WITHOUT_EVENTS = 5.0
_LONGEST_BURST = 2
"""A burst is cut after this many times the debounce."""


def watch(
    root: Path,
    on_change: Callable[[], None],
    *,
    stop: threading.Event,
    debounce: float = 1.5,
    on_degraded: Callable[[Degradation], None] | None = None,
    sweep_every: float = _SWEEP_WITHOUT_EVENTS,
) -> None:
    """Call `on_change` after each burst of changes below `root`, until `stop` is set.

    A burst ends with `debounce` seconds of quiet. It is called once at the start and once a minute
    without events, too. Where the system cannot watch (no instances left, a file system without
    events), `on_degraded` is told once and `on_change` is called every `sweep_every` seconds.
    """
    on_change()
    reason = ""
    try:
        for _ in _bursts(root, stop, debounce):
            on_change()
    except OSError as error:
        reason = error.strerror or str(error)
    except RuntimeError as error:  # what watchfiles raises for what its Rust side reports
        reason = str(error)
    if stop.is_set():
        return
    if on_degraded is not None:
        on_degraded(
            Degradation(
                "watcher",
                f"The system does not report changes below {root}: {reason or 'watching ended'}.",
                f"Changes are noticed by a sweep every {sweep_every:g} seconds and at each search.",
            )
        )
    while not stop.wait(sweep_every):
        on_change()


def _bursts(root: Path, stop: threading.Event, debounce: float) -> Iterator[None]:
    import watchfiles  # noqa: PLC0415  42 ms that only a watcher needs

    quiet = max(1, int(debounce * 1000))
    changes = watchfiles.watch(
        root,
        watch_filter=lambda _change, path: _matters(root, path),
        debounce=_LONGEST_BURST * quiet,
        step=quiet,
        stop_event=stop,
        rust_timeout=_TICK_MILLISECONDS,
        yield_on_timeout=True,
        raise_interrupt=True,
        recursive=True,
    )
    # The first tick closes the gap between the sweep at the start and the first watch that stood.
    idle = _TICKS_PER_SWEEP
    for burst in changes:
        idle += 1
        if burst or idle > _TICKS_PER_SWEEP:
            idle = 0
            yield None


def _matters(root: Path, path: str) -> bool:
    """Tell whether an event can concern a note: a note, or a folder that came, went or moved."""
    parts = Path(path).relative_to(root).parts if path.startswith(str(root)) else ()
    if any(part.startswith(".") for part in parts[:-1]):
        return False
    name = parts[-1] if parts else ""
    return name.lower().endswith(SUFFIXES) or "." not in name or name == ".vadeignore"
