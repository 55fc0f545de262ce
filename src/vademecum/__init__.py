"""File-first memory for AI agents: plain Markdown, found in milliseconds, kept true by code."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vademecum.service.memory import Memory as Memory
    from vademecum.service.memory import init as init
    from vademecum.service.memory import open_memory as open_memory

__version__ = "0.1.0"
__all__ = ["Memory", "__version__", "init", "open_memory"]


def __getattr__(name: str) -> object:
    """Load the public names when they are first used: `import vademecum` itself costs nothing."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from vademecum.service import memory  # noqa: PLC0415  the reason is above

    return getattr(memory, name)
