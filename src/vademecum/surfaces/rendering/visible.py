"""Text from memory made safe to show: nothing in it can steer a terminal or hide what it says."""

from __future__ import annotations

from vademecum.core.patterns import later

# Controls except tab and newline, C1, bidirectional marks and overrides, invisible operators, line
# and paragraph separators, byte order mark, lone surrogates, interlinear marks and tag characters.
# Zero-width joiner and non-joiner stay: emoji, Persian and the Indic scripts need them.
_UNSAFE = later(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    r"""Return `text` with every unsafe character written as an escape such as `\x1b` or `\u202e`.

    A carriage return before a newline is dropped, since it only ends the line.
    """
    return _UNSAFE.sub(lambda match: escape(match.group()), text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """Return `visible` text with every run of blanks, newlines included, as one space."""
    return visible(" ".join(text.split()))


def escape(character: str) -> str:
    r"""Return the shortest of `\xNN`, `\uNNNN` and `\UNNNNNNNN` that names `character`."""
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def escape_json(document: str) -> str:
    r"""Return a JSON document with unsafe characters as JSON escapes; it parses to the same value.

    Characters beyond U+FFFF become surrogate pairs, as JSON asks for. Newlines and tabs that lay
    the document out stay.
    """
    return _UNSAFE.sub(lambda match: _json_escape(ord(match.group())), document)


def _json_escape(code: int) -> str:
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
