"""What goes out: every note and the archive, read once more without credentials."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field

from vademecum.core.claims import Claim
from vademecum.core.errors import VademecumError
from vademecum.core.frozen import dataclass
from vademecum.core.migration import Passed
from vademecum.core.notes import Note, Role
from vademecum.indexing.claims import holds_claims
from vademecum.markdown.claims import read_claims
from vademecum.markdown.lines import decode, is_binary
from vademecum.markdown.links import Catalogue
from vademecum.markdown.names import called
from vademecum.markdown.parse import parse_note
from vademecum.migration.bodies import Body, body_of
from vademecum.workspace.archived import archived_notes, live_path, logs_by_name
from vademecum.workspace.paths import key_of
from vademecum.workspace.workspace import Workspace
from vademecum.writing.quarantine import is_quarantined

Progress = Callable[[str, int, int], None]


@dataclass(slots=True)
class Told:
    """What there is to tell of an export besides the files."""

    redacted: list[Passed] = field(default_factory=list)
    repaired: list[Passed] = field(default_factory=list)
    passed: list[Passed] = field(default_factory=list)
    claims: int = 0
    notes: int = 0


@dataclass(frozen=True, slots=True)
class Leaving:
    """One note on its way out."""

    path: str
    role: Role
    body: Body
    note: Note

    @property
    def text(self) -> str:
        """What goes out of it."""
        return self.body.text


def paths_out(workspace: Workspace, told: Told) -> list[str]:
    """Return the notes that go out, by path; what stays is told with its reason.

    Quarantine stays, so does whatever is in other dot folders, of other agents, or no Markdown.
    """
    scan = workspace.scan()
    archive = workspace.profile.archive_folder
    paths = {*scan.files, *archived_notes(workspace)}
    told.passed += [
        Passed(one.path, one.reason)
        for one in (*scan.skipped, *scan.failed)
        if one.path.rstrip("/") != archive
    ]
    if scan.others:
        told.passed.append(Passed("", f"files that are no Markdown: {scan.others:,}"))
    return sorted(path for path in paths if not is_quarantined(workspace.profile, path))


def catalogue_of(workspace: Workspace, paths: list[str], progress: Progress) -> Catalogue:
    """Return the names by which links find the notes; archived ones by where they lay as well."""
    names: dict[str, tuple[str, ...]] = {}
    for number, path in enumerate(paths):
        progress("reading notes", number, len(paths))
        try:
            text = decode(workspace.files.read(path).data).text
        except VademecumError:
            continue
        note = parse_note(path, text, workspace.role_of(path))
        names[path] = called(note)
    moved = {live_path(workspace.profile, path): path for path in paths}
    earlier = {old: new for old, new in moved.items() if old != new}
    return Catalogue(names, earlier, logs_by_name(workspace.profile, names))


def claims_of(workspace: Workspace, one: Leaving) -> tuple[Claim, ...]:
    """Return the claims of a note; lines of logs, maps and instructions are none."""
    if not holds_claims(workspace, live_path(workspace.profile, one.path)):
        return ()
    return read_claims(one.path, one.text)


def leaving(
    workspace: Workspace, paths: list[str], told: Told, progress: Progress
) -> Iterator[Leaving]:
    """Yield each note that can be read; what was found in it is told."""
    for number, path in enumerate(paths):
        progress("writing", number, len(paths))
        try:
            data = workspace.files.read(path).data
        except VademecumError as error:
            told.passed.append(Passed(path, str(error)))
            continue
        if is_binary(data):
            told.passed.append(Passed(path, "no text"))
            continue
        decoded = decode(data)
        if decoded.defect:
            reason = f"{decoded.defect}; U+FFFD stands in their place"
            told.repaired.append(Passed(path, reason))
        elif decoded.encoding != "utf-8":
            told.repaired.append(Passed(path, f"was {decoded.encoding}, is UTF-8"))
        body = body_of(decoded.text)
        for line, rule in sorted({*body.redacted.items(), *body.dropped}):
            told.redacted.append(Passed(path, f"{rule}, line {line}"))
        role = workspace.role_of(path)
        told.notes += 1
        yield Leaving(path, role, body, parse_note(path, body.text, role))


class Names:
    """The paths of an export: none twice, whatever the system makes of case and accents."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def give(self, path: str) -> str:
        """Return `path`, numbered where something has it, and take it."""
        stem, dot, ending = path.rpartition(".")
        number = 1
        while True:
            numbered = path if number == 1 else f"{stem}-{number}{dot}{ending}"
            if key_of(numbered) not in self._taken:
                self._taken.add(key_of(numbered))
                return numbered
            number += 1


def renamed(names: dict[str, str]) -> tuple[Passed, ...]:
    """Return the notes that have another path in the export."""
    return tuple(Passed(path, to) for path, to in names.items() if path != to)
