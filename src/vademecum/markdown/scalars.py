"""One scalar of frontmatter: its text as YAML, and the string that YAML text stands for."""

from __future__ import annotations

from vademecum.core.errors import InvalidText
from vademecum.core.patterns import later

_PLAIN = later(r"[^\W\d_][^\n\r\t\\]*\Z")
_DATE = later(r"\d{4}-\d{2}-\d{2}\Z")
# What some YAML reader takes for a boolean, a null or a number when it stands without quotes.
_RESERVED = frozenset(
    ("y", "n", "yes", "no", "on", "off", "true", "false", "null", "none", "nan", "inf")
)
_PRINTABLE = later(
    "[\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]*\\Z"
)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_COMMENT = later(r"[ \t]#")
_TAIL = later(r"[ \t]+#|[ \t]*\Z")
_INDICATORS = "[]{},#&*!|>'\"%@`"


def quote(value: str, *, listed: bool = False) -> str:
    """Return `value` as a YAML scalar that every YAML reader takes for exactly this string.

    Plain where that is safe, in double quotes with escapes where not. `listed` also keeps apart
    the signs that end an item of an inline list. Raises InvalidText for NUL and lone surrogates.
    """
    if "\0" in value or any("\ud800" <= sign <= "\udfff" for sign in value):
        raise InvalidText("a frontmatter value cannot hold NUL characters or lone surrogates")
    if _is_plain(value) and not (listed and set(value) & set(",[]{}?:")):
        return value
    if _PRINTABLE.match(value) and '"' not in value and "\\" not in value:
        return f'"{value}"'
    return '"' + "".join(_escape(sign) for sign in value) + '"'


def is_date(text: str) -> bool:
    """Whether `text` is written like an ISO day."""
    return bool(_DATE.match(text))


def _is_plain(value: str) -> bool:
    return (
        bool(_PLAIN.match(value))
        and ": " not in value
        and " #" not in value
        and value[-1] not in ": \xa0"
        and value.lower() not in _RESERVED
        and bool(_PRINTABLE.match(value))
    )


def _escape(sign: str) -> str:
    if sign in _ESCAPES:
        return _ESCAPES[sign]
    if _PRINTABLE.match(sign):
        return sign
    code = ord(sign)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def read_scalar(text: str) -> tuple[str, str] | None:
    """Return the string a one-line scalar stands for and the comment behind it.

    `text` has no blanks at its ends. None says that it takes a full YAML reader to tell: escapes,
    anchors, tags, nested collections, or something that is no YAML at all.
    """
    sign = text[:1]
    if sign == '"' or sign == "'":
        return _read_quoted(text, sign)
    comment = ""
    if "#" in text and (found := _COMMENT.search(text)):
        text, comment = text[: found.start()].rstrip(" \t"), text[found.start() :]
    elif sign == "#":
        return "", text
    if not text:
        return "", comment
    if (
        sign in _INDICATORS
        or (sign in "-?:" and text[1:2] in ("", " ", "\t"))
        or ": " in text
        or ":\t" in text
        or text[-1] == ":"
        or not (text.isascii() and text.isprintable() or _PRINTABLE.match(text))
    ):
        return None
    return text, comment


def _read_quoted(text: str, sign: str) -> tuple[str, str] | None:
    if sign == '"':
        end = text.find('"', 1)
        value = text[1:end]
        if end < 0 or "\\" in value:
            return None
    else:
        end = 1
        while (end := text.find("'", end)) >= 0 and text[end + 1 : end + 2] == "'":
            end += 2
        if end < 0:
            return None
        value = text[1:end].replace("''", "'")
    rest = text[end + 1 :]
    if not _PRINTABLE.match(value) or not _TAIL.match(rest):
        return None
    return value, rest


def read_inline_list(text: str) -> tuple[tuple[str, ...], str] | None:
    """Return the items of `[a, b]` and the comment behind it, None where it takes a full reader."""
    end = text.find("]")
    rest = text[end + 1 :]
    if end < 0 or not _TAIL.match(rest):
        return None
    inner = text[1:end].strip(" \t")
    if not inner:
        return (), rest
    if not inner.isascii() and not _PRINTABLE.match(inner):
        return None
    items = []
    for part in inner.split(","):
        item = read_scalar(part.strip(" \t"))
        if item is None or item[1] or not item[0] or set(item[0]) & set("[{}\"'#"):
            return None
        items.append(item[0])
    return tuple(items), rest
