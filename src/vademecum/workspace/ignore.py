"""Which files are left out: patterns written as in .gitignore, matched by path."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vademecum.core.frozen import dataclass

FILE = ".vadeignore"

DEFAULT_FOLDERS = frozenset(
    (
        "node_modules",
        "bower_components",
        "__pycache__",
        "venv",
        "site-packages",
        "@eadir",
        "lost+found",
        "$recycle.bin",
    )
)
"""Folders, by casefolded name, that hold other people's Markdown or none."""

_MOST_FOLDER_STARS = 3
"""Of `**` in one pattern; one with more names nothing."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    written: str
    matcher: re.Pattern[str]
    folders_only: bool
    negated: bool


class IgnoreRules:
    """Patterns in order; the last one that matches decides, `!` takes a file in again.

    As with Git, nothing below a folder that is left out can be taken in again.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self._patterns = [
            pattern for line in lines if (pattern := _pattern(line.rstrip("\r\n"))) is not None
        ]
        self._patterns.reverse()
        self.empty = not self._patterns

    def decides(self, path: str, *, folder: bool) -> str | None:
        """Return the pattern that leaves `path` out, empty where one takes it in, None where none.

        `path` is relative to the root; a folder's is without a final slash.
        """
        for pattern in self._patterns:
            if (folder or not pattern.folders_only) and pattern.matcher.match(path):
                return "" if pattern.negated else pattern.written
        return None


def _pattern(line: str) -> _Pattern | None:
    text = line.rstrip(" ") if not line.endswith("\\ ") else line
    if not text or text.startswith("#"):
        return None
    written = text
    negated = text.startswith("!")
    text = text.removeprefix("!")
    folders_only = text.endswith("/")
    text = text.rstrip("/")
    anchored = "/" in text
    text = text.removeprefix("/")
    if not text:
        return None
    try:
        matcher = re.compile(
            ("" if anchored else "(?:.*/)?") + _expression(text) + r"\Z", re.DOTALL
        )
    except re.error:
        return None
    return _Pattern(written, matcher, folders_only, negated)


def _expression(text: str) -> str:
    folders = text.split("/")
    if folders.count("**") > _MOST_FOLDER_STARS:
        raise re.error("too many **")
    parts = []
    for ordinal, name in enumerate(folders):
        last = ordinal == len(folders) - 1
        if name == "**":
            parts.append(".+" if last else "(?:.*/)?")
        else:
            parts.append(_name_expression(name) + ("" if last else "/"))
    return "".join(parts)


def _name_expression(name: str) -> str:
    """Return the expression for one name.

    What follows a star is taken where it first fits, for good: only the last star has to try, so
    no pattern can make matching slow.
    """
    runs = _runs(name)
    middle = "".join(f"(?>[^/]*?{run})" for run in runs[1:-1])
    return runs[0] + middle + (f"[^/]*{runs[-1]}" if len(runs) > 1 else "")


def _runs(name: str) -> list[str]:
    """Return the expressions of what stands between the stars of a name."""
    runs = [""]
    at = 0
    while at < len(name):
        if name[at] == "*":
            runs.append("")
            while name[at : at + 1] == "*":
                at += 1
        elif name[at] == "[":
            part, at = _class(name, at)
            runs[-1] += part
        else:
            escaped = name[at] == "\\" and at + 1 < len(name)
            at += escaped
            runs[-1] += "[^/]" if name[at] == "?" and not escaped else re.escape(name[at])
            at += 1
    return runs


def _class(text: str, at: int) -> tuple[str, int]:
    """Return the expression for a `[…]` at `at` and where it ends; a lone bracket is itself."""
    end = text.find("]", at + 2)
    if end < 0:
        return re.escape("["), at + 1
    inner = text[at + 1 : end]
    negated = inner[:1] in ("!", "^")
    body = inner[negated:].replace("\\", "\\\\").replace("[", "\\[").replace("^", "\\^")
    return f"(?!/)[{'^' if negated else ''}{body}]", end + 1
