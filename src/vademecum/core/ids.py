"""Digests of bytes and identifiers of things that were written."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from hashlib import blake2b

_CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
_BLOCK_ID_ALPHABET = "0123456789abcdef"


def digest_of(content: bytes) -> str:
    """Return the BLAKE2b digest of `content` as 32 hexadecimal characters (128 bits)."""
    return blake2b(content, digest_size=16).hexdigest()


def text_digest(text: str) -> str:
    """Return `digest_of` the UTF-8 bytes of `text`."""
    return digest_of(text.encode("utf-8", "surrogatepass"))


def new_entry_id(at: datetime) -> str:
    """Return a new ledger id: 10 characters of UTC milliseconds, then 8 random ones.

    Ids made later sort later (to the millisecond); two made at once differ by chance of 2⁻⁴⁰.
    """
    milliseconds = int(at.astimezone(UTC).timestamp() * 1000)
    stamp = ""
    for _ in range(10):
        milliseconds, digit = divmod(milliseconds, 32)
        stamp = _CROCKFORD[digit] + stamp
    return stamp + "".join(secrets.choice(_CROCKFORD) for _ in range(8))


def new_block_id(taken: frozenset[str] | set[str]) -> str:
    """Return a new Obsidian block id of six hexadecimal characters that is not in `taken`."""
    while True:
        candidate = "".join(secrets.choice(_BLOCK_ID_ALPHABET) for _ in range(6))
        if candidate not in taken and not candidate.isdigit():
            return candidate
