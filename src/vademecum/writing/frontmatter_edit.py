"""Changing one property of a note, and not one other byte of it."""

from __future__ import annotations

from vademecum.core.changes import Written
from vademecum.core.errors import AppendOnly, MalformedFrontmatter
from vademecum.core.notes import PropertyValue, Role
from vademecum.core.provenance import Actor
from vademecum.markdown.frontmatter import remove_key, set_value
from vademecum.markdown.lines import decode
from vademecum.workspace.workspace import Workspace
from vademecum.writing.signing import sign, written


def set_property(
    workspace: Workspace, path: str, key: str, value: PropertyValue | None, *, actor: Actor
) -> Written:
    """Give the property `key` of the note at `path` the `value`, or remove it for None.

    Only the line of that key changes; a note without frontmatter gets one. Raises
    MalformedFrontmatter, with the file as it was, where the block cannot be edited safely,
    AppendOnly for a log, NoteNotFound and what any write raises.
    """
    current = workspace.files.read(path)
    if workspace.profile.role_of(current.path) is Role.LOG:
        raise AppendOnly(
            f"{current.path} is a log, which may only grow.",
            hint="Add an entry instead: vade log TEXT.",
        )
    decoded = decode(current.data)
    try:
        text = _edited(decoded.text, key, value)
    except MalformedFrontmatter as error:
        raise MalformedFrontmatter(
            f"{current.path} was not changed. {error}", hint=error.hint
        ) from error
    signature = sign(workspace, actor, "property", f"{key} of {current.path}")
    done = workspace.files.replace(current, decoded.encode(text), signature)
    if done.change is None:
        return Written("", current.path, 0, 0, done.digest)
    return written(done.change, current.data, done.data, done)


def _edited(text: str, key: str, value: PropertyValue | None) -> str:
    return remove_key(text, key) if value is None else set_value(text, key, value)
