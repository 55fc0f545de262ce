"""Title and text of a log entry, such that nothing after it in the log is read differently."""

from __future__ import annotations

import re

from vademecum.markdown.outline import Kind, classify

LONGEST_TITLE = 72
"""Characters of a title that is taken from the text."""

_MARKUP = re.compile(r"^[\s#>*+-]*(?:\d+[.)]\s)?")
_CLOSING = re.compile(r"(?:^|\s)(#+)$")


def safe_title(title: str, text: str) -> str:
    """Return `title` on one line, or the first words of `text` where it is blank."""
    words = " ".join(title.split()) or _first_words(text)
    closing = _CLOSING.search(words)
    # Trailing number signs would be read as the end of the heading and not be shown.
    return words[: closing.start(1)] + "\\" + closing.group(1) if closing else words


def safe_text(text: str) -> str:
    """Return `text` for `entries.render_entry`, which takes care of headings and code fences.

    Here are the two things that our own reader passes over and other programs do not: a line of
    `===` or `---` below text would make it a heading there, and a comment that is never closed
    would hide the rest of the log. Text in code is untouched.
    """
    lines = text.strip("\n").split("\n")
    kinds = classify(lines)
    safe: list[str] = []
    for line, kind in zip(lines, kinds, strict=True):
        safe.extend(_safe_line(line, kind, safe[-1] if safe else ""))
    if _comment_is_open(lines, kinds):
        safe.append("-->")
    return "\n".join(safe)


def _first_words(text: str) -> str:
    line = next((found for row in text.split("\n") if (found := _MARKUP.sub("", row).strip())), "")
    words = " ".join((line or text).split())
    if len(words) <= LONGEST_TITLE:
        return words
    cut = words[: LONGEST_TITLE + 1].rfind(" ")
    return words[: cut if cut > LONGEST_TITLE // 2 else LONGEST_TITLE] + "…"


def _safe_line(line: str, kind: Kind, previous: str) -> list[str]:
    marks = set(line.strip())
    if kind is Kind.RULE and previous.strip():
        if marks == {"="}:
            return ["\\" + line.strip()]
        if marks == {"-"}:
            return ["", line]
    return [line]


def _comment_is_open(lines: list[str], kinds: list[Kind]) -> bool:
    shown = "\n".join(
        line for line, kind in zip(lines, kinds, strict=True) if kind is not Kind.CODE
    )
    start = shown.rfind("<!--")
    return start >= 0 and "-->" not in shown[start:]
