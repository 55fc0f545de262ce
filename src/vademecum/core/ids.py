"""Digests of bytes and identifiers of things that were written."""

from __future__ import annotations

# What hashlib has too; but that loads OpenSSL first, 3 ms at every start.
from _blake2 import blake2b
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count

__all__ = [
    "blake2b",
    "block_ids_of",
    "digest_of",
    "new_block_id",
    "new_entry_id",
    "text_digest",
]

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
    return stamp + _chosen(_CROCKFORD, 8)


def new_block_id(taken: frozenset[str] | set[str]) -> str:
    """Return a new Obsidian block id of six hexadecimal characters that is not in `taken`."""
    while True:
        candidate = _chosen(_BLOCK_ID_ALPHABET, 6)
        if candidate not in taken and not candidate.isdigit():
            return candidate


def block_ids_of(text: str) -> Iterator[str]:
    """Yield the block ids that a claim with that text may get, the first first: always the same.

    Whoever writes the same claim again, after a stop or in another clone, comes to the same id.
    """
    for turn in count():
        candidate = text_digest(f"{turn} {text}")[:6]
        if not candidate.isdigit():
            yield candidate


def _chosen(alphabet: str, count: int) -> str:
    import secrets  # noqa: PLC0415  3 ms that whoever only reads goes without

    return "".join(secrets.choice(alphabet) for _ in range(count))
