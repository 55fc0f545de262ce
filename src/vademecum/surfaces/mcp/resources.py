"""Notes as resources: their addresses, a list in pages, and reading one in pieces."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, parse_qs, quote, unquote, urlsplit

from vademecum.core.errors import NoteNotFound
from vademecum.core.frozen import dataclass
from vademecum.surfaces.mcp.arguments import Arguments
from vademecum.surfaces.mcp.reading import get

if TYPE_CHECKING:
    from vademecum.service.listing import ListedNote
    from vademecum.service.memory import Memory

SCHEME = "vade"
AUTHORITY = "note"
TEMPLATE = f"{SCHEME}://{AUTHORITY}/{{+path}}{{?lines}}"
PAGE = 100
"""Notes in one page of the list."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some notes by path, and the cursor of what follows; empty at the end."""

    notes: tuple[ListedNote, ...]
    following: str


def page(memory: Memory, cursor: str) -> Page:
    """Return the notes behind `cursor`, which is the last path of the page before."""
    notes = memory.notes()
    start = bisect_right(notes, cursor, key=lambda note: note.path) if cursor else 0
    shown = notes[start : start + PAGE]
    return Page(shown, shown[-1].path if start + PAGE < len(notes) else "")


def address(path: str) -> str:
    """Return the address of a note."""
    return f"{SCHEME}://{AUTHORITY}/{quote(path)}"


def read(memory: Memory, uri: str) -> str:
    """Return a note, or the lines of it that `?lines=3-9` names, as text for a model.

    At most as much as `memory_get` gives, which says where it goes on. Raises what `get` raises;
    an address of another kind is NoteNotFound.
    """
    parts = _parts(uri)
    path = unquote(parts.path).lstrip("/")
    if parts.scheme != SCHEME or parts.netloc != AUTHORITY or not path:
        raise NoteNotFound(
            f"{uri} is no address of a note.", hint=f"Addresses look like {address('NOW.md')}."
        )
    lines = "".join(parse_qs(parts.query).get("lines", [])[:1]) or parts.fragment.lstrip("L")
    target = f"{path}:{lines}" if lines else path
    return get(memory, Arguments({"target": target})).text


def _parts(uri: str) -> SplitResult:
    try:
        return urlsplit(uri)
    except ValueError:  # brackets that hold no address
        return SplitResult("", "", "", "", "")
