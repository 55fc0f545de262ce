"""A list of strings in one column: JSON, which most commands need not load, as most are empty."""

from __future__ import annotations

from collections.abc import Sequence

_EMPTY = "[]"


def written(items: Sequence[str]) -> str:
    """Return the list as one column keeps it."""
    if not items:
        return _EMPTY
    import json  # noqa: PLC0415  the reason is above

    return json.dumps(items, ensure_ascii=False)


def read(column: object) -> tuple[str, ...]:
    """Return the list that a column keeps. Raises ValueError for what `written` did not make."""
    if column == _EMPTY:
        return ()
    import json  # noqa: PLC0415  the reason is above

    return tuple(json.loads(str(column)))
