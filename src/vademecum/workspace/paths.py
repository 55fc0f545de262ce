"""Names of files: which paths are safe to open, which every system can hold, which are the same."""

from __future__ import annotations

import re
import unicodedata

from vademecum.core.errors import InvalidPath
from vademecum.core.patterns import later

LONGEST_NAME = 255
"""Bytes of UTF-8 that one component may have on the file systems in use."""
LONGEST_PATH = 1024
"""Bytes of UTF-8 of a whole relative path; leaves room for the root on every system."""

_ENCODED = later(r"%(2e|2f|5c|00)", re.IGNORECASE)
_DRIVE = later(r"[A-Za-z]:")
_FORBIDDEN = frozenset('<>:"|?*')
_RESERVED = later(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])", re.IGNORECASE)
_INVISIBLE = frozenset(
    "\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
)
_GIT = frozenset({".git", "git~1"})
_HINT = "Give a path relative to the workspace, such as memory/decisions/api.md."


def key_of(path: str) -> str:
    """Return what two spellings of one name share: NFC and casefolded.

    Two paths with equal keys are one file on some system, so a workspace holds at most one of them.
    """
    folded = unicodedata.normalize("NFC", path).casefold()
    return unicodedata.normalize("NFC", folded)


def checked(path: str) -> str:
    """Return `path` in NFC without `.` components once nothing in it can leave the workspace.

    This is what every access needs, also to files that came from elsewhere under odd names.
    Raises InvalidPath.
    """
    _check_characters(path)
    if path.startswith("/") or _DRIVE.match(path):
        raise _invalid(path, "is absolute")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise _invalid(path, "climbs out of its folder with '..'")
    if not parts or path.endswith(("/", "/.")):
        raise _invalid(path, "names no file")
    clean = unicodedata.normalize("NFC", "/".join(parts))
    if any(len(part.encode()) > LONGEST_NAME for part in clean.split("/")):
        raise _invalid(path, f"has a name of more than {LONGEST_NAME} bytes")
    if len(clean.encode()) > LONGEST_PATH:
        raise _invalid(path, f"has more than {LONGEST_PATH} bytes")
    return clean


def portable(path: str) -> str:
    """Return `checked(path)` once every system could hold a file of that name.

    This is what a file needs that is about to be made. Raises InvalidPath.
    """
    clean = checked(path)
    for part in clean.split("/"):
        _check_part(path, part)
    return clean


def _check_characters(path: str) -> None:
    if not path:
        raise InvalidPath("The path is empty.", hint=_HINT)
    if "\0" in path:
        raise _invalid(path, "holds a NUL byte")
    if any("\ud800" <= character <= "\udfff" for character in path):
        raise _invalid(path, "is not valid Unicode")
    if any(unicodedata.category(character) == "Cc" for character in path):
        raise _invalid(path, "holds a control character")
    if "\\" in path:
        raise _invalid(path, "holds a backslash; folders are separated by '/'")
    if _ENCODED.search(path):
        raise _invalid(path, "holds a percent-encoded dot or separator")


def _check_part(path: str, part: str) -> None:
    if part.endswith((".", " ")):
        raise _invalid(path, f"has the name '{part}', which ends with a dot or a space")
    if part.startswith(" "):
        raise _invalid(path, f"has the name '{part}', which begins with a space")
    if wrong := sorted(_FORBIDDEN.intersection(part)):
        raise _invalid(path, f"holds '{wrong[0]}', which not every system allows in a name")
    if _INVISIBLE.intersection(part):
        raise _invalid(path, "holds an invisible character")
    if _RESERVED.fullmatch(part.split(".")[0].rstrip()):
        raise _invalid(path, f"has the name '{part}', which Windows reserves for a device")
    if part.casefold() in _GIT:
        raise _invalid(path, "lies in Git's own folder")


def _invalid(path: str, why: str) -> InvalidPath:
    shown = path if len(path) <= 80 else path[:77] + "…"
    return InvalidPath(f"The path {shown!r} {why}.", hint=_HINT)
