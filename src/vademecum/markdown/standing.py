"""How a note stands as a whole, and which note a link of evidence names."""

from __future__ import annotations

import unicodedata

from vademecum.core.notes import Note
from vademecum.core.ports import NoteStanding
from vademecum.markdown.days import ISO_DAY, day_of

_SUCCESSOR_KEYS = ("superseded_by", "replaced_by", "successor")
_SCOPE_KEYS = ("scope", "scopes")
PAST = frozenset({"superseded", "deprecated", "replaced", "obsolete", "retracted", "resolved"})
"""Values of `status` by which a note says that nothing in it holds any more."""


def standing_of_note(note: Note) -> NoteStanding:
    """Return what the frontmatter of a note says of all that is in it."""
    values = note.properties
    if not values.values:
        return NoteStanding(note.path)
    verified = ISO_DAY.match(values.text("last_verified"))
    successor = next((values.text(key) for key in _SUCCESSOR_KEYS if values.text(key)), "")
    return NoteStanding(
        path=note.path,
        status=values.text("status").strip().casefold(),
        successor=successor.strip().removeprefix("[[").removesuffix("]]"),
        verified=day_of(*verified.groups()) if verified else None,
        scopes=tuple(
            one.strip().casefold()
            for key in _SCOPE_KEYS
            for one in values.items(key)
            if one.strip()
        ),
    )


def cited_name(target: str) -> str:
    """Return the last part of a link's path, as it is compared: without anchor, ending and case."""
    path = unicodedata.normalize("NFC", target.partition("#")[0].strip()).casefold()
    return path.rsplit("/", 1)[-1].removesuffix(".md")


def cites(target: str, path: str) -> bool:
    """Whether a link names the note at `path`: by its path, the end of it, or its name alone."""
    named = unicodedata.normalize("NFC", target.partition("#")[0].strip()).casefold()
    named = named.removesuffix(".md").lstrip("./")
    whole = unicodedata.normalize("NFC", path).casefold().removesuffix(".md")
    return bool(named) and (whole == named or whole.endswith("/" + named))
