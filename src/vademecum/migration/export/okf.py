"""A workspace as a bundle of the Open Knowledge Format, version 0.1.

Every note keeps its path, so links between them lead where they led. Claim lines stay byte for
byte; a note gets the frontmatter it lacks above them, and below them plain links to what its
wikilinks mean. Each folder gets an index; a map with words of its own goes out beside that.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator

from vademecum.core.errors import VademecumError
from vademecum.core.migration import Passed
from vademecum.core.notes import Link
from vademecum.markdown.leading import render_links
from vademecum.markdown.lines import decode, newline_of, split
from vademecum.markdown.links import Catalogue, candidates
from vademecum.markdown.maps import read_map
from vademecum.markdown.okf import check_bundle
from vademecum.markdown.outline import Kind, classify
from vademecum.migration.bodies import encoded
from vademecum.migration.export.folders import Folders
from vademecum.migration.export.framing import framed
from vademecum.migration.export.going_out import (
    Leaving,
    Names,
    Progress,
    Told,
    catalogue_of,
    claims_of,
    leaving,
    paths_out,
)
from vademecum.migration.export.placing import Folder
from vademecum.workspace.workspace import Workspace

Leads = Callable[[Link, str, str], bool]
"""Whether a link of the file at one path leads a reader of the export to the file at another."""


def write_okf(workspace: Workspace, out: Folder, told: Told, progress: Progress) -> dict[str, str]:
    """Write the bundle; return the path there of every note. Raises StorageFailed."""
    paths = paths_out(workspace, told)
    catalogue = catalogue_of(workspace, paths, progress)
    names = _names(workspace, paths)
    folders = Folders()
    scaffold = {file.path.casefold(): file.text for file in workspace.scaffold()}
    written: dict[str, str] = {}
    for one in leaving(workspace, paths, told, progress):
        to = names[one.path]
        if to.startswith("\0"):  # a map: its folder gets an index anyway
            if not _has_words(one, scaffold.get(one.path.casefold(), "")):
                continue
            to = to[1:]
        told.claims += len(claims_of(workspace, one))
        _write(one, to, out, told, folders, links_of(one, to, catalogue, names, leads_plainly))
        written[one.path] = to
    for path, text in folders:
        out.write(path, text.encode("utf-8", "surrogateescape"))
    return written


def links_of(
    one: Leaving, to: str, catalogue: Catalogue, names: dict[str, str], leads: Leads
) -> Iterator[tuple[str, str]]:
    """Yield label and relative path of each link that does not lead a reader there by itself."""
    seen: set[str] = set()
    folder = posixpath.dirname(to)
    for link in one.note.links:
        label = f"{link.target}#{link.anchor}" if link.anchor else link.target
        if not link.target or label in seen:
            continue
        found = candidates(link.target, one.path, catalogue)
        there = names.get(found[0], "") if len(found) == 1 else ""
        if there.startswith("\0"):  # a map: the index of its folder lists the same
            there = posixpath.join(posixpath.dirname(there[1:]), "index.md")
        if not there or there == to or leads(link, to, there):
            continue
        seen.add(label)
        yield label, posixpath.relpath(there, folder or ".")


def leads_plainly(link: Link, path: str, there: str) -> bool:
    """Whether it is a plain link whose very path is that of the note."""
    if link.wiki:
        return False
    if link.target.startswith("/"):
        meant = posixpath.normpath(link.target).lstrip("/")
    else:
        meant = posixpath.normpath(posixpath.join(posixpath.dirname(path), link.target))
    return there in (meant, f"{meant}.md")


def _write(
    one: Leaving,
    to: str,
    out: Folder,
    told: Told,
    folders: Folders,
    links: Iterator[tuple[str, str]],
) -> None:
    if posixpath.basename(to) == "log.md":
        out.write(to, encoded(one.text), one.path)
        folders.add(to, "log", "Log", "")
        return
    made = framed(one.note, one.text, one.role)
    if made.defect:
        reason = f"{made.defect}; a new block stands above what it has"
        told.repaired.append(Passed(one.path, reason))
    out.write(to, encoded(with_links(made.text, links)), one.path)
    folders.add(to, made.type, made.title, made.description)


def with_links(text: str, links: Iterator[tuple[str, str]]) -> str:
    """Return a text with the block of its links at its end."""
    end = newline_of(text)
    block = render_links(links, end)
    if not block:
        return text
    return text + ("" if text.endswith("\n") else end) + end + block


def _names(workspace: Workspace, paths: list[str]) -> dict[str, str]:
    """Return the path of each note in the bundle; that of a map begins with NUL."""
    names = Names()
    maps = [path for path in paths if _name(path) == "index.md"]
    given: dict[str, str] = {}
    for path in paths:
        if _name(path) == "log.md":
            given[path] = names.give(_log_path(workspace, path))
        elif _name(path) != "index.md":
            given[path] = names.give(markdown_path(path))
    for path in maps:
        folder = posixpath.dirname(path)
        given[path] = "\0" + names.give(posixpath.join(folder, "index-note.md"))
    return given


def _name(path: str) -> str:
    return posixpath.basename(path).casefold()


def markdown_path(path: str) -> str:
    """Return the path of a note with the one ending that all readers know."""
    stem, _, ending = path.rpartition(".")
    return f"{stem}.md" if ending.casefold() == "markdown" else path


def _log_path(workspace: Workspace, path: str) -> str:
    """Return the reserved name for a log that is written as the format asks, else another one."""
    try:
        text = decode(workspace.files.read(path).data).text
    except VademecumError:
        text = ""
    breaches = check_bundle({"log.md": text}, now=workspace.clock.now())
    reserved = path.endswith("log.md") and not any(one.rule.required for one in breaches)
    return path if reserved else f"{path[: -len('.md')]}-note.md"


def _has_words(one: Leaving, scaffold: str) -> bool:
    """Whether a map says something besides its headings and its generated lines."""
    lines = split(one.text)
    kinds = classify(lines, one.note.properties.last)
    generated = {entry.line for entry in read_map(one.text) if entry.generated}
    known = {line.strip() for line in split(scaffold)}
    silent = (Kind.BLANK, Kind.HEADING, Kind.COMMENT, Kind.FRONTMATTER, Kind.RULE)
    return any(
        kind not in silent and number not in generated and lines[number - 1].strip() not in known
        for number, kind in enumerate(kinds, start=1)
    )
