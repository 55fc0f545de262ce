"""Quarantine: text from outside is kept where it can be read by path and is never served."""

from __future__ import annotations

import hashlib
from datetime import date

from vademecum.core.provenance import Tag
from vademecum.markdown.claims import render_claim
from vademecum.workspace.profiles.profile import Profile

FOLDER = ".quarantine"


def quarantine_path(profile: Profile, day: date) -> str:
    """Return the file that holds what was kept apart on `day`."""
    return f"{_folder(profile)}/{day.isoformat()}.md"


def is_quarantined(profile: Profile, path: str) -> bool:
    """Whether a file is in quarantine."""
    return path.casefold().startswith(f"{_folder(profile)}/".casefold())


def quarantine_id(text: str, reason: str) -> str:
    """Return the block id of a text kept apart for a reason: the same text is kept once a day."""
    return hashlib.blake2b(f"{text}\0{reason}".encode(), digest_size=4).hexdigest() + "q"


def quarantine_header(day: date) -> str:
    """Return what a new file of the quarantine begins with."""
    return (
        f"# Quarantine {day.isoformat()}\n\n"
        "Text from outside, kept apart: never searched, injected or counted. `vade review` rules.\n"
    )


def quarantine_entry(
    time: str, text: str, tag: Tag, day: date, *, reason: str, source: str, actor: str
) -> str:
    """Return the entry of a text that is kept apart, to be appended."""
    line = render_claim(text, tag, since=day, id=quarantine_id(text, reason))
    came = f", from {source}" if source else ""
    return f"\n### {time} — {reason}\n\n{line}\n  > kept apart for {actor}{came}\n"


def _folder(profile: Profile) -> str:
    root = profile.note_folder
    return FOLDER if root in ("", ".") else f"{root}/{FOLDER}"
