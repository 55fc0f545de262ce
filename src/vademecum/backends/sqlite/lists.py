"""A list of strings in one column: JSON, read without loading the library for it where it can."""

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
    text = str(column)
    if text == _EMPTY:
        return ()
    if text[:2] == '["' and text[-2:] == '"]' and "\\" not in text:
        # Without an escape, no item holds a quotation mark.
        return tuple(text[2:-2].split('", "'))
    import json  # noqa: PLC0415  the reason is above

    return tuple(json.loads(text))
