"""Turns: what was said in a session, normalised from whatever host it was said in."""

from __future__ import annotations

import json
from typing import Literal, cast

from vademecum.core.frozen import dataclass
from vademecum.core.ids import text_digest

Speaker = Literal["user", "assistant", "tool", "summary"]
UNCONFIRMED = "~"
"""Ids that begin with it were made from the words, until the host tells its own."""
_SPEAKERS = ("user", "assistant", "tool", "summary")


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing that was said or done in a session."""

    id: str
    """The host's own id of it; empty where it tells none: an unconfirmed one is made then."""
    speaker: Speaker
    text: str
    at: str = ""
    """When, ISO 8601; empty where the host does not say."""
    host: str = ""
    was: str = ""
    """`words` of the turn as it was said, where some of it was forgotten since."""

    @property
    def words(self) -> str:
        """What makes two reports of one turn the same: speaker and words, not the blanks."""
        return self.was or text_digest(f"{self.speaker}\0{' '.join(self.text.split())}")


def encode(turn: Turn) -> bytes:
    """Return the row of a turn; its id stands first, so that it can be found without parsing."""
    row = {"id": turn.id, "speaker": turn.speaker, "text": turn.text}
    more = (("at", turn.at), ("host", turn.host), ("was", turn.was))
    row |= {key: value for key, value in more if value}
    return _row(row)


def encode_alias(id: str, same: str) -> bytes:
    """Return the row that says that the turn `id` is on file already, as `same`."""
    return _row({"id": id, "as": same})


def decode(line: bytes | str) -> Turn | None:
    """Return the turn of a row; None for an alias and for what cannot be read."""
    try:
        row = json.loads(line)
        if "as" in row or row["speaker"] not in _SPEAKERS:
            return None
        at, host = str(row.get("at", "")), str(row.get("host", ""))
        speaker = cast("Speaker", row["speaker"])
        was = str(row.get("was", ""))
        return Turn(str(row["id"]), speaker, str(row["text"]), at, host, was)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _row(fields: dict[str, str]) -> bytes:
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace") + b"\n"
