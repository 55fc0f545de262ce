"""The form in which each host wants what is to be put into its window."""

from __future__ import annotations

import json

_CONTEXT_KEYS = {"cursor": "additional_context", "opencode": "additionalContext"}


def printed(host: str, event: str, text: str) -> str:
    """Return the JSON document that gives `text` to the window of `host` at `event`.

    Hosts that are not listed take the form that Claude Code introduced, where the event's name
    comes back as it was given.
    """
    key = _CONTEXT_KEYS.get(host)
    inner: dict[str, object] = {"hookEventName": event, "additionalContext": text}
    fields = {key: text} if key else {"hookSpecificOutput": inner}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
