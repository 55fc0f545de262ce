"""A workspace as a vault of Obsidian: the same notes, with what is archived in plain sight.

Wikilinks, block ids, properties and tags are what notes have anyway. Links that the vault would
not find (by title, or from a folder above) are named again at the end of their note, as ones that
it does. Nothing of `.obsidian` is written, embeds stay as they are.
"""

from __future__ import annotations

import posixpath

from vademecum.core.errors import VademecumError
from vademecum.core.migration import Passed
from vademecum.core.notes import Link, Note
from vademecum.markdown.frontmatter import set_value
from vademecum.migration.bodies import encoded
from vademecum.migration.export.going_out import (
    Names,
    Progress,
    Told,
    catalogue_of,
    claims_of,
    leaving,
    paths_out,
)
from vademecum.migration.export.okf import leads_plainly, links_of, markdown_path, with_links
from vademecum.migration.export.placing import Folder
from vademecum.workspace.workspace import Workspace


def write_vault(
    workspace: Workspace, out: Folder, told: Told, progress: Progress
) -> dict[str, str]:
    """Write the vault; return the path there of every note. Raises StorageFailed."""
    paths = paths_out(workspace, told)
    catalogue = catalogue_of(workspace, paths, progress)
    names = _names(workspace.profile.archive_folder, paths)
    written: dict[str, str] = {}
    for one in leaving(workspace, paths, told, progress):
        to = written[one.path] = names[one.path]
        if one.note.properties.defect:
            told.repaired.append(Passed(one.path, f"{one.note.properties.defect}; left as it is"))
        told.claims += len(claims_of(workspace, one))
        text = with_tags(one.text, one.note)
        links = links_of(one, to, catalogue, names, leads_in_vault)
        out.write(to, encoded(with_links(text, links)), one.path)
    return written


def leads_in_vault(link: Link, path: str, there: str) -> bool:
    """Whether Obsidian finds the file at `there` by a link: its path, the end of it, its name."""
    if not link.wiki and leads_plainly(link, path, there):
        return True
    target = link.target.casefold().removesuffix(".md")
    if target.startswith(("/", ".")):
        return False
    return f"/{there.casefold().removesuffix('.md')}".endswith(f"/{target}")


def with_tags(text: str, note: Note) -> str:
    """Return a text whose tags are ones: no blanks in them, no sign before them."""
    tags = note.properties.items("tags")
    fit = tuple("-".join(tag.lstrip("#").split()) for tag in tags)
    if fit == tags or not isinstance(note.properties.values.get("tags"), tuple):
        return text
    try:
        return set_value(text, "tags", fit)
    except VademecumError:
        return text


def _names(archive: str, paths: list[str]) -> dict[str, str]:
    """Return the path of each note in the vault, where a hidden archive is none."""
    folder, _, name = archive.rpartition("/")
    seen = posixpath.join(folder, name.lstrip("."))
    names = Names()
    given: dict[str, str] = {}
    archived = [path for path in paths if archive and path.startswith(f"{archive}/")]
    for path in (*sorted(set(paths) - set(archived)), *archived):
        plain = f"{seen}{path[len(archive) :]}" if path in archived else path
        given[path] = names.give(markdown_path(plain))
    return given
