"""New notes: frontmatter, heading and nothing else, in the form of the workspace's profile."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from vademecum.core.patterns import later
from vademecum.markdown.frontmatter import quote
from vademecum.markdown.kinds import Kind

LONGEST_DESCRIPTION = 140
_LINK = later(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_MARKER = later(r"\A\s*[-*+][ \t]+")
_PLACEHOLDER = later(
    r"Nothing yet\. Keep here the few durable facts[^#]*?The first fact replaces this note\.\r?\n"
)
_CATEGORIES = {Kind.DECISION: "decision", Kind.LESSON: "lessons", Kind.PERSON: "person"}


def without_placeholder(text: str) -> str:
    """Return `text` without the paragraph that a new core memory waits for its first fact with."""
    return _PLACEHOLDER.sub("", text, count=1)


def described(text: str) -> str:
    """Return a claim as the one-line description of its note.

    Of links only their labels: on a map, the only link of a line is the one to its note.
    """
    text = _LINK.sub(r"\1", _MARKER.sub("", text, count=1))
    if len(text) <= LONGEST_DESCRIPTION:
        return text
    return text[: LONGEST_DESCRIPTION - 1].rstrip() + "…"


def new_note(kind: Kind, title: str, description: str, today: date, *, profile: str) -> str:
    """Return a note without claims; `type` comes first. Vaults also get the keys they ask for."""
    properties = "".join(
        f"{key}: {value}\n" for key, value in _properties(kind, title, description, today, profile)
    )
    return f"---\n{properties}---\n\n# {title}\n\n"


def _properties(
    kind: Kind, title: str, description: str, today: date, profile: str
) -> Iterator[tuple[str, str]]:
    yield "type", kind.value
    yield "title", quote(title)
    yield "description", quote(description)
    if profile == "vault":
        yield "date", today.isoformat()
        yield "category", _CATEGORIES.get(kind, kind.value)
        yield "priority", "🟡"
        yield "tags", "[]"
    yield "created", today.isoformat()
    if profile == "gitmem" and kind is Kind.DECISION:
        yield "valid_as_of", today.isoformat()
    yield "last_verified", today.isoformat()
    yield "status", "active"
