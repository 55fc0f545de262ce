"""`later`: regular expressions that are compiled when they are first used, not at each start."""

from __future__ import annotations

import re
from typing import Any, cast


class _Later:
    """Becomes like the compiled pattern, attribute by attribute, as they are asked for."""

    def __init__(self, source: str, flags: int) -> None:
        self._written = (source, flags)

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(*self._written), name)
        setattr(self, name, found)
        return found


def later(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return what `re.compile` would; an error in `source` shows at the first use.

    A pattern takes a fifth of a millisecond to compile, some take two, and a command needs few of
    those it imports. Where every command needs it, or a loop runs it per character, compile it.
    """
    return cast("re.Pattern[str]", _Later(source, flags))
