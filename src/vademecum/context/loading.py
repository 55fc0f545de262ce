"""Reading the files of a context: regular files below the root, what still holds of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from vademecum.context.events import LeftOut
from vademecum.context.injected import Wanted
from vademecum.core.errors import NotFound, VademecumError
from vademecum.core.frozen import dataclass
from vademecum.markdown.lines import decode, is_binary
from vademecum.markdown.living import living_text, without_frontmatter
from vademecum.workspace.beneath import Root
from vademecum.workspace.disk_errors import translated

if TYPE_CHECKING:
    from vademecum.workspace.workspace import Workspace

MISSING = "(missing file)"
UNAVAILABLE = "(unavailable during this hook invocation)"
_MOST_BYTES = 1_000_000
"""Of a larger file the first megabyte is read, of a log the last."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file that was read, and the text that may be put in."""

    wanted: Wanted
    text: str
    size: int = 0
    """Bytes of the file where it is too large to be read whole, else 0."""


def load(
    workspace: Workspace, wanted: Sequence[Wanted]
) -> tuple[tuple[Loaded, ...], tuple[LeftOut, ...]]:
    """Return the texts of the files that are there, and those that cannot be put in, with reasons.

    Missing and empty files are in neither; of one that its profile requires, a line says so.
    """
    root = Root(workspace.root, bounds=workspace.bounds, by_kernel=False)
    loaded: list[Loaded] = []
    left_out: list[LeftOut] = []
    for one in wanted:
        try:
            text, defect, size = _read(root, one)
        except (NotFound, FileNotFoundError):
            if one.required:
                loaded.append(Loaded(one, MISSING))
            continue
        except VademecumError as error:
            text, defect, size = "", str(error), 0
        if defect:
            left_out.append(LeftOut(one.path, defect))
            text = UNAVAILABLE if one.slim else ""
        if text:
            loaded.append(Loaded(one, text, size))
    found = any(one.text != MISSING for one in loaded)
    return (tuple(loaded) if found else ()), tuple(left_out)


def _read(root: Root, wanted: Wanted) -> tuple[str, str, int]:
    """Return what may be put in of a file, what is wrong with it, and its size if it was cut."""
    data, start, size = _bytes(root, wanted)
    if is_binary(data):
        return "", f"{wanted.path} is not text.", 0
    decoded = decode(data)
    if decoded.defect:
        return "", f"{wanted.path} {decoded.defect}.", 0
    text = decoded.text.partition("\n")[2] if start else decoded.text
    text = living_text(wanted.path, text)
    living = (text if wanted.framed else without_frontmatter(text)).strip()
    return living, "", size if size > _MOST_BYTES else 0


def _bytes(root: Root, wanted: Wanted) -> tuple[bytes, int, int]:
    with root.place(wanted.path) as place:
        descriptor = root.open_file(place, os.O_RDONLY)
        try:
            with translated(wanted.path, "read"):
                size = os.fstat(descriptor).st_size
                start = max(size - _MOST_BYTES, 0) if wanted.newest_last else 0
                data = os.pread(descriptor, _MOST_BYTES, start)
                return _whole_signs(data, size, start), start, size
        finally:
            os.close(descriptor)


def _whole_signs(data: bytes, size: int, start: int) -> bytes:
    """Return the bytes without a character that the limit has cut in two."""
    if start:
        data = data[max(data.find(b"\n"), 0) :]
    elif size > len(data):
        with suppress(ValueError):
            data = data[: data.rindex(b"\n") + 1]
    return data
