"""Signing a change: who, when, by which verb; and reporting where it went."""

from __future__ import annotations

from vademecum.core.changes import Change, Signature, Written
from vademecum.core.errors import InvalidText, SecretFound
from vademecum.core.ids import new_entry_id
from vademecum.core.provenance import Actor
from vademecum.markdown.secrets import find_secrets
from vademecum.workspace.files import Replaced
from vademecum.workspace.workspace import Workspace

LONGEST_SUMMARY = 120
"""Characters of a summary in the ledger."""


def sign(
    workspace: Workspace,
    actor: Actor,
    verb: str,
    summary: str = "",
    *,
    undoes: str = "",
    group: str = "",
) -> Signature:
    """Return a new signature at the present instant of the workspace's clock."""
    now = workspace.clock.now().astimezone(workspace.zone)
    who = Actor(check_name(actor.name), check_name(actor.session))
    return Signature(
        new_entry_id(now), now, who, verb, summary[:LONGEST_SUMMARY], undoes=undoes, group=group
    )


def check_text(text: str, what: str) -> str:
    """Return `text` with `\\n` as its line ends, once a note may hold it. Raises InvalidText."""
    _check_characters(text, what)
    if not text.strip():
        raise InvalidText(f"{what} is empty.", hint="Say what should be written.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def check_name(name: str) -> str:
    """Return the name of an actor or session once the ledger may hold it.

    Raises InvalidText, and SecretFound for one that looks like a credential: somebody pasted it in
    the wrong place.
    """
    _check_characters(name, "The name of the actor or session")
    if found := find_secrets(name):
        raise SecretFound(
            f"The name of the actor or session looks like a credential ({found[0].rule}), "
            "so nothing was written.",
            hint="Name who writes: --agent NAME, actor.name, actor.session.",
        )
    return " ".join(name.split())


def _check_characters(text: str, what: str) -> None:
    if "\0" in text:
        raise InvalidText(f"{what} holds a NUL character.", hint="Remove it; notes are plain text.")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise InvalidText(
            f"{what} holds half of a surrogate pair, which no file can store.",
            hint="Decode the text anew from its source as UTF-8.",
        )


def written(
    change: Change, before: bytes, after: bytes, outcome: Replaced | None = None
) -> Written:
    """Return the report of `change`: the lines of `after` that differ from `before`."""
    first, last = changed_lines(before, after)
    merged = outcome is not None and outcome.merged
    conflict = outcome.conflict if outcome is not None else ""
    return Written(change.id, change.path, first, last, change.after, merged, conflict)


def changed_lines(before: bytes, after: bytes) -> tuple[int, int]:
    """Return the first and last line of `after`, from 1, that differ from `before`.

    Where lines were only removed, both name the line that followed them; 0 for an empty file.
    """
    old, new = before.splitlines(), after.splitlines()
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and old[head] == new[head]:
        head += 1
    foot = 0
    while foot < shorter - head and old[-1 - foot] == new[-1 - foot]:
        foot += 1
    first = min(head + 1, len(new))
    return first, max(first, len(new) - foot)
