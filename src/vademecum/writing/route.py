"""`route`: which note a claim belongs in, by its kind, its subject and the workspace's profile."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from vademecum.core.errors import AppendOnly, NoteNotFound, Refused
from vademecum.core.frozen import dataclass
from vademecum.core.notes import Role
from vademecum.markdown.kinds import Kind, classify
from vademecum.markdown.lines import decode
from vademecum.markdown.links import Catalogue, resolve
from vademecum.markdown.parse import parse_note
from vademecum.workspace.paths import portable
from vademecum.workspace.workspace import Workspace
from vademecum.writing.budget import NOTE_BUDGET, limit_of
from vademecum.writing.decide import NormalClaim
from vademecum.writing.names import (
    as_written,
    is_about_the_user,
    is_wish_of_the_user,
    person_in,
    project_in,
    slug,
    topic,
)

FOLDERS: Mapping[Kind, str] = {
    Kind.DECISION: "decisions",
    Kind.LESSON: "lessons",
    Kind.PREFERENCE: "preferences",
    Kind.PERSON: "people",
    Kind.PROJECT: "projects",
    Kind.FACT: "facts",
}
_LONGEST_TITLE = 72
_ROUND_DIRECTIVE = 160
"""Characters of a directive besides its text: its line of status, tag, evidence and id."""
_REFUSED = {
    Role.WORKBENCH: "is the workbench, which is overwritten",
    Role.MAP: "is a map, which only leads to notes",
    Role.IDENTITY: "belongs to whoever set up this memory",
    Role.INSTRUCTIONS: "holds instructions, which memory never writes",
    Role.ARCHIVE: "is archived",
    Role.CANDIDATES: "holds what waits at the gate",
    Role.REFLECTION: "is a reflection",
}


@dataclass(frozen=True, slots=True)
class Route:
    """The note a claim goes to when nothing it replaces stands elsewhere."""

    path: str
    kind: Kind
    rule: str
    title: str
    """Of the note, if it has to be made."""
    heading: str = ""
    """Section of the note, where the call named one."""


def kind_of(text: str, given: Kind | None) -> tuple[Kind, str]:
    """Return the kind of a claim and the rule that says so."""
    if given is not None:
        return given, "the kind was given"
    found = classify(text)
    return found.kind, found.rule


def route(
    workspace: Workspace,
    claim: NormalClaim,
    text: str,
    kind: Kind,
    rule: str,
    *,
    about: str = "",
    day: date,
) -> Route:
    """Return where a claim goes. `about` (path, title or wikilink) wins over its kind.

    A decision gets a note of its own, dated `day`. A person, project or other subject that can be
    told has one note each; preferences and people without a name go to the user's own note. A note
    that is full is followed by a numbered one. Raises NoteNotFound, AmbiguousTarget, AppendOnly,
    Refused, InvalidPath for an `about` that cannot take claims.
    """
    if about:
        path, heading = _about(workspace, about)
        stem = path.rpartition("/")[2].removesuffix(".md")
        return Route(path, kind, "the note was named", stem.replace("-", " "), heading)
    title = _shortened(_title(kind, claim, text))
    if kind is Kind.PREFERENCE and is_wish_of_the_user(text) and _takes_directive(workspace, text):
        why = "directives about the user have a file"
        return Route(workspace.profile.directives_path, kind, f"{rule}; {why}", "User")
    name = slug(title)
    if kind is Kind.DECISION:
        name = f"{day.isoformat()}-{slug(topic(text))}"
    elif kind is Kind.PREFERENCE and title == "User preferences":
        name = "user-preferences"
    folder = _within(workspace.profile.note_folder, FOLDERS[kind])
    return Route(_with_room(workspace, folder, name), kind, rule, title)


def _title(kind: Kind, claim: NormalClaim, text: str) -> str:
    if kind is Kind.DECISION:
        return topic(text, words=12)
    if kind is Kind.LESSON:
        return topic(text)
    if kind is Kind.PROJECT:
        return project_in(text) or _subject(claim, text)
    if kind is Kind.PREFERENCE:
        return "User preferences" if is_wish_of_the_user(text) else _named(text, "User preferences")
    if kind is Kind.PERSON:
        return "User" if is_about_the_user(text) else _named(text, _subject(claim, text))
    return _subject(claim, text)


def _named(text: str, otherwise: str) -> str:
    return person_in(text) or otherwise


def _subject(claim: NormalClaim, text: str) -> str:
    """Return what the claim gives a value to, else its first words."""
    subjects = [frame.subject.split("\x1e")[0].strip() for frame in claim.frames]
    named = [subject for subject in subjects if subject]
    return as_written(min(named, key=len), text) if named else topic(text, words=4)


def _shortened(title: str) -> str:
    words = " ".join(title.split())
    return words if len(words) <= _LONGEST_TITLE else words[: _LONGEST_TITLE - 1].rstrip() + "…"


def _with_room(workspace: Workspace, folder: str, name: str) -> str:
    number = 1
    while True:
        path = f"{folder}/{name}.md" if number == 1 else f"{folder}/{name}-{number}.md"
        stamp = workspace.stamp_of(path)
        if stamp is None or stamp.size < NOTE_BUDGET:
            return portable(path)
        number += 1


def _takes_directive(workspace: Workspace, text: str) -> bool:
    """Whether the profile has a file of directives, and room in it for this one."""
    path = workspace.profile.directives_path
    limit = limit_of(workspace, path) if path else None
    if not path or limit is None:
        return False
    stamp = workspace.stamp_of(path)
    return (stamp.size if stamp else 0) + len(text.encode()) + _ROUND_DIRECTIVE <= limit


def _within(folder: str, name: str) -> str:
    return name if folder in ("", ".") else f"{folder}/{name}"


def _about(workspace: Workspace, about: str) -> tuple[str, str]:
    target, _, heading = about.strip().removeprefix("[[").removesuffix("]]").partition("#")
    target = target.split("|")[0].strip()
    path = _existing(workspace, target)
    if path is None:
        if not target.endswith(".md"):
            raise NoteNotFound(
                f"No note answers to {about!r}.",
                hint="Give the path of a new note instead: memory/people/anna.md.",
            )
        path = portable(target)
    role = workspace.role_of(path)
    if role is Role.LOG:
        raise AppendOnly(
            f"{path} is a log, which may only grow.", hint="Log it instead: vade log TEXT."
        )
    if path == workspace.profile.core_path:
        role = Role.CORE if workspace.profile.core_holds_claims else Role.MAP
    elif path == workspace.profile.directives_path:
        role = Role.CORE
    if role in _REFUSED or "/." in f"/{path}":
        raise Refused(
            f"{path} {_REFUSED.get(role, 'is out of memory')} and takes no claims.",
            hint="Name another note, or leave it to the kind of the claim.",
        )
    return path, heading.strip()


def _existing(workspace: Workspace, target: str) -> str | None:
    """Return the note that `target` names; titles are read only when no path fits."""
    for spelled in (target, f"{target}.md"):
        if spelled.endswith(".md") and workspace.stamp_of(spelled) is not None:
            return portable(spelled)
    paths = sorted(workspace.scan().files)
    found = resolve(target, "", Catalogue({path: () for path in paths}))
    if found is None and not target.endswith(".md"):
        titled = {path: (_title_of(workspace, path),) for path in paths}
        found = resolve(target, "", Catalogue(titled))
    return found


def _title_of(workspace: Workspace, path: str) -> str:
    text = decode(workspace.files.read(path).data).text
    return parse_note(path, text, workspace.role_of(path)).title
