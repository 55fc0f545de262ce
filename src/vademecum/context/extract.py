"""Names in a conversation that have to be kept to the letter: files, addresses, identifiers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vademecum.core.patterns import later

_NAMED_URL = r"https?://[^\s<>()\"'`，。]+[^\s<>()\"'`，。.,;:!?]"
_URL = later(_NAMED_URL)
_IDENTIFIER = later(
    rf"{_NAMED_URL}"
    r"|\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"
    r"|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b"
    r"|(?<![\w-])[A-Z][A-Z0-9]{1,9}-\d{1,7}\b"
    r"|(?<![\w&])#\d{1,7}\b|\^[0-9a-z]{6,12}\b"
    r"|\bv?\d+\.\d+\.\d+(?:[-.+]\w+)*\b"
    r"|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b"
)
_FILE = later(
    r"(?<![\w/.@:+-])(?:~/|\.{0,2}/)?(?:[\w.@+-]+/)*[\w@+-][\w.@+-]*\."
    r"(?:py|pyi|md|mdx|tsx?|jsx?|mjs|json|jsonl|toml|ya?ml|rs|go|java|kt|swift|rb|php|cs|c|h|cc|cpp|hpp"
    r"|sh|zsh|sql|html?|css|scss|txt|csv|tsv|lock|ini|cfg|conf|env|xml|ipynb|proto|tf|ex|lua|r)\b"
    r"(?![\w/])"
)


def files_in(text: str) -> Iterator[str]:
    """Yield the paths of files that a text names."""
    for found in _FILE.finditer(_URL.sub(" ", text)):
        yield found[0]


def identifiers_in(text: str) -> Iterator[str]:
    """Yield what has to be kept to the letter: addresses, hashes, tickets, versions, variables."""
    for found in _IDENTIFIER.finditer(text):
        yield found[0]


def latest(texts: Iterable[str], most: int) -> tuple[str, ...]:
    """Return the last `most` different texts, each where it stands last."""
    found: dict[str, None] = {}
    for text in texts:
        found.pop(text, None)
        found[text] = None
    return tuple(found)[-most:]
