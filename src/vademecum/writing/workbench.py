"""`now`: show, overwrite or edit the workbench, the one file that may be overwritten whole."""

from __future__ import annotations

import dataclasses

from vademecum.core.changes import Signature, Written
from vademecum.core.errors import (
    AmbiguousTarget,
    ChangedMeanwhile,
    NoteNotFound,
    NotFound,
    OverBudget,
    Unreadable,
)
from vademecum.core.provenance import Actor
from vademecum.markdown.lines import decode, newline_of
from vademecum.workspace.files import Content, Replaced
from vademecum.workspace.workspace import Workspace
from vademecum.writing.guard import check_edit, guarded
from vademecum.writing.signing import check_text, sign, written

_ATTEMPTS = 5


def show(workspace: Workspace) -> Content:
    """Return the workbench as it is. Raises NoteNotFound where there is none."""
    return workspace.files.read(_path(workspace))


def replace(workspace: Workspace, text: str, *, actor: Actor, base: str = "") -> Written:
    """Overwrite the workbench with `text`; the version before stays in the blob store.

    With `base`, the digest of the version that `text` was made from, what others changed since is
    merged, or ChangedMeanwhile raised. Raises InvalidText, SecretFound, OverBudget and what any
    write raises.
    """
    data = guarded(text, "The text", redact=None).rstrip("\n").encode() + b"\n"
    path = _path(workspace)
    _check_budget(workspace, path, data)
    signature = sign(workspace, actor, "now", _summary(text))
    for _ in range(_ATTEMPTS):
        try:
            current = workspace.files.read(path)
        except NoteNotFound:
            made = workspace.files.create(path, data, signature)
            if made is not None:
                return written(made, b"", data)
            continue
        done = _replace_from(workspace, current, base, data, signature)
        if done.change is None:
            return Written("", path, 0, 0, done.digest)
        return written(done.change, current.data, done.data, done)
    raise ChangedMeanwhile(f"{path} kept being removed while it was written.", hint="Try again.")


def edit(workspace: Workspace, old: str, new: str, *, actor: Actor) -> Written:
    """Replace `old`, which occurs exactly once in the workbench, by `new`.

    Raises NotFound, AmbiguousTarget, OverBudget, InvalidText, SecretFound and what any write
    raises.
    """
    path = _path(workspace)
    check_text(old, "The text to replace")
    current = workspace.files.read(path)
    decoded = decode(current.data)
    if newline_of(decoded.text) == "\r\n":
        old, new = _windows(old), _windows(new)
    found = decoded.text.count(old)
    if not found:
        raise NotFound(
            f"{path} does not hold the text to replace.",
            hint="Give it exactly as it stands there: vade now.",
        )
    if found > 1:
        raise AmbiguousTarget(
            f"{path} holds the text to replace {found} times.",
            hint="Give more of the text around it, so that it occurs once.",
        )
    text = decoded.text.replace(old, new)
    check_text(text, "The workbench after the edit")
    check_edit(decoded.text, text, "The workbench after the edit")
    data = decoded.encode(text)
    if len(data) > len(current.data):
        _check_budget(workspace, path, data)
    signature = sign(workspace, actor, "now", _summary(new or old))
    done = workspace.files.replace(current, data, signature)
    if done.change is None:
        return Written("", path, 0, 0, done.digest)
    return written(done.change, current.data, done.data, done)


def _windows(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def _path(workspace: Workspace) -> str:
    path = workspace.profile.workbench_path
    if not path:
        raise NoteNotFound(
            f"The profile {workspace.profile.name} has no workbench.",
            hint="Log what is going on instead: vade log TEXT.",
        )
    return path


def _replace_from(
    workspace: Workspace, current: Content, base: str, data: bytes, signature: Signature
) -> Replaced:
    """Replace from the version with the digest `base`, the present one where none is named."""
    if base in ("", current.digest):
        return workspace.files.replace(current, data, signature)
    try:
        old = workspace.files.records.blobs.get(base)
    except Unreadable:
        why = "made from a version that is not known"
        kept = workspace.files.keep_aside(current.path, data, signature, why)
        raise ChangedMeanwhile(
            f"{current.path} is not the version that the text was made from; "
            f"the text is kept in {kept}.",
            hint="Read it again and repeat the edit from what it says now.",
        ) from None
    return workspace.files.replace(
        dataclasses.replace(current, data=old, digest=base), data, signature
    )


def _check_budget(workspace: Workspace, path: str, data: bytes) -> None:
    budget = workspace.settings.budget.workbench
    size = len(data.decode("utf-8", "replace"))
    if size > budget:
        raise OverBudget(
            f"{path} would have {size:,} characters; its budget is {budget:,}.",
            hint="Keep what matters now and move the rest: vade log TEXT, vade remember TEXT.",
        )


def _summary(text: str) -> str:
    return " ".join(text.split())
