"""Erasing what the records keep of a forgotten text: summaries always, old versions on purpose."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from vademecum.core.errors import Unreadable
from vademecum.markdown.claims import read_claims
from vademecum.markdown.lines import decode
from vademecum.markdown.wording import key_of, occurrences, words_of
from vademecum.workspace.disk_errors import state_translated
from vademecum.workspace.ledger import decode as decode_change
from vademecum.workspace.locks import locked
from vademecum.workspace.workspace import Workspace

_WINDOW = 16
"""Characters in a row that a summary has to share with a text to count as telling it."""
_SHORTEST = 10
"""Bytes from which a text is looked for inside of a summary."""
_SUMMARY = re.compile(rb'("summary":)("(?:[^"\\]|\\.)*")')


def erase_summaries(workspace: Workspace, texts: Sequence[str], stone: str) -> int:
    """Overwrite summaries in the ledger that tell one of `texts`; return how many those were.

    Lines keep their length, so whoever reads the ledger from an offset on is not misled.
    """
    records = workspace.files.records
    tells = _teller(texts)
    erased = 0
    with locked(workspace.state / "locks" / "ledger.lock"):
        files = [records.ledger.path, *sorted(records.trail.directory.glob("*"))]
        for file in files:
            if file.is_file():
                erased += _overwrite(file, tells, stone)
    return erased


def erase_blobs(workspace: Workspace, texts: Sequence[str]) -> int:
    """Remove the stored versions that hold one of `texts` for good; return how many those were.

    The ledger goes on naming their digests; undoing a change that needs one says that it is gone.
    """
    blobs = workspace.files.records.blobs
    patterns = [pattern for text in texts if (pattern := occurrences(text))]
    keys = {key_of(text) for text in texts}
    removed = 0
    for file in sorted(blobs.directory.glob("??/*")):
        digest = file.parent.name + file.name
        try:
            text = decode(blobs.get(digest)).text
        except Unreadable:
            continue
        if any(pattern.search(text) for pattern in patterns) or any(
            key_of(claim.text) in keys for claim in read_claims("", text)
        ):
            removed += blobs.remove(digest)
    return removed


def _teller(texts: Sequence[str]) -> Callable[[str], bool]:
    """Return whether a summary tells one of `texts`, whole or the beginning of it."""
    whole = {key_of(text) for text in texts}
    windows = {
        words[start : start + _WINDOW]
        for words in map(words_of, texts)
        for start in range(max(1, len(words) - _WINDOW + 1))
        if len(words) >= _WINDOW
    }

    def tells(summary: str) -> bool:
        words = words_of(summary)
        if key_of(summary) in whole or any(
            re.search(rf"(?<!\w){re.escape(key)}(?!\w)", words)
            for key in whole
            if len(key.encode()) >= _SHORTEST
        ):
            return True
        return any(
            words[start : start + _WINDOW] in windows for start in range(len(words) - _WINDOW + 1)
        )

    return tells


def _overwrite(file: Path, tells: Callable[[str], bool], stone: str) -> int:
    erased = 0
    with state_translated(file), file.open("r+b") as opened:
        offset = 0
        for line in opened.read().splitlines(keepends=True):
            change = decode_change(line)
            found = _SUMMARY.search(line)
            if change is not None and found and tells(change.summary):
                opened.seek(offset + found.start(2))
                opened.write(_as_long(found[2], stone))
                erased += 1
            offset += len(line)
        opened.flush()
    return erased


def _as_long(old: bytes, stone: str) -> bytes:
    """Return a JSON string of as many bytes that says no more than that something was forgotten."""
    for said in (f"[forgotten {stone}]", "[forgotten]", ""):
        new = json.dumps(said).encode()
        if len(new) <= len(old):
            return new[:-1] + b" " * (len(old) - len(new)) + b'"'
    return old
