"""The mark that recall puts on what it returns, so that it is never taken for evidence."""

from __future__ import annotations

import re

from vademecum.core.patterns import later

RECALL_MARK = "<!-- vade:recall -->"
"""The first line of every bundle that recall renders as text."""

_MARK = later(r"^[\s>#*+-]*<!--[ \t]*vade:recall\b", re.MULTILINE)


def is_recall_output(text: str) -> bool:
    """Whether `text` holds what recall returned: memory repeating itself, which proves nothing."""
    return bool(_MARK.search(text))
