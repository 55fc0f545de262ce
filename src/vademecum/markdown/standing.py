"""How a note stands as a whole, and which note a link of evidence names."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from datetime import UTC, date, datetime

from vademecum.core.notes import Note, Properties
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
    successor = next((values.text(key) for key in _SUCCESSOR_KEYS if values.text(key)), "")
    return NoteStanding(
        path=note.path,
        status=values.text("status").strip().casefold(),
        successor=successor.strip().removeprefix("[[").removesuffix("]]"),
        verified=max(_verifications(values), default=None),
        scopes=tuple(
            one.strip().casefold()
            for key in _SCOPE_KEYS
            for one in values.items(key)
            if one.strip()
        ),
        expires=instant_of(values.text("stale_after")),
    )


def _verifications(values: Properties) -> Iterator[date]:
    """Yield the days on which the note was verified, as this product or Open Knowledge Format
    writes them: of the latter one `verified`, or a list."""
    for key in values.values:
        outer, _, inner = key.partition(".")
        if key == "last_verified" or (outer == "verified" and inner.rpartition(".")[2] == "at"):
            found = ISO_DAY.match(values.text(key))
            day = day_of(*found.groups()) if found else None
            if day is not None:
                yield day


def instant_of(text: str) -> datetime | None:
    """Return a time as it is written; without an offset it is one of UTC."""
    try:
        read = datetime.fromisoformat(text.strip()) if text else None
    except ValueError:
        return None
    return read.replace(tzinfo=UTC) if read is not None and read.tzinfo is None else read


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
