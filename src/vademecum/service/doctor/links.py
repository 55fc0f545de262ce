"""Checks of what leads where: links that lead nowhere, map lines without a note, notes unlisted."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator

from vademecum.core.notes import Link, Role
from vademecum.markdown.lines import split
from vademecum.markdown.links import candidates
from vademecum.markdown.listings import targets_in
from vademecum.markdown.maps import read_map
from vademecum.service.doctor.finding import Finding, Mend, Severity
from vademecum.service.doctor.notes import Examined
from vademecum.service.doctor.survey import Survey
from vademecum.writing.draft import Draft
from vademecum.writing.maps import keep_in_step, map_path_of

_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,5}\Z")
_ELSEWHERE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{1,39}:[^:/\s]")
_NOTE_SUFFIXES = (".md", ".markdown")
_SIGNS = re.compile(r"[\W_]+")


def dead_links(survey: Survey) -> Iterator[Finding]:
    """Links that lead to no note, or to no such block or heading in it."""
    for path, note in survey.notes.items():
        if _is_map(survey, note):
            continue  # `dead_map_lines` looks at those
        evidence = {
            line
            for claim in survey.claims.get(path, ())
            if claim.evidence
            for line in range(claim.span.first, claim.span.last + 1)
        }
        for link in note.note.links:
            why = _why_dead(survey, path, link)
            if why:
                yield Finding(
                    "dead-link",
                    Severity.DEFECT if link.line in evidence else Severity.NOTICE,
                    f"{path}:{link.line}",
                    f"The link to {_written(link)} leads nowhere: {why}.",
                    "Correct the link, or write what it should lead to.",
                )


def dead_map_lines(survey: Survey) -> Iterator[Finding]:
    """Lines of maps whose note is not there any more."""
    for path, note in survey.notes.items():
        if not _is_map(survey, note):
            continue
        for entry in read_map(note.text):
            links = [link for link in note.note.links if link.line == entry.line]
            dead = [link for link in links if _why_dead(survey, path, link)]
            if not dead:
                continue
            line = note.lines[entry.line - 1]
            alone = len(dead) == len(links)
            yield Finding(
                "map-dead-line",
                Severity.DEFECT,
                f"{path}:{entry.line}",
                f"The map leads to {entry.target}, which is not there.",
                "`vade doctor --fix` removes the line."
                if alone
                else "Correct the line: it also leads to what is there.",
                Mend(path, f"removes the line to {entry.target}", _dropping(path, line))
                if alone
                else None,
            )


def dead_paths(survey: Survey) -> Iterator[Finding]:
    """Bare paths in a map of lists that name no file."""
    home = survey.workspace.profile.map_path
    note = survey.notes.get(home)
    if note is None or not survey.workspace.profile.listings:
        return
    linked = {(link.line, link.target) for link in note.note.links}
    for line, target in targets_in(note.text):
        if (line, target) in linked or candidates(target, home, survey.catalogue):
            continue
        if not _is_file(survey, home, target):
            yield Finding(
                "map-dead-line",
                Severity.DEFECT,
                f"{home}:{line}",
                f"The map names {target}, which is not there.",
                "Correct the path, or remove it.",
            )


def unlisted(survey: Survey) -> Iterator[Finding]:
    """Notes to which no map leads."""
    workspace = survey.workspace
    top = map_path_of(workspace, "")
    if top not in survey.notes:
        return  # a workspace that keeps no map
    listed = {
        found
        for path, note in survey.notes.items()
        if _is_map(survey, note)
        for link in note.note.links
        for found in candidates(link.target, path, survey.catalogue)
    }
    if workspace.profile.listings:
        named = (target for _, target in targets_in(survey.notes[top].text))
        listed |= {one for name in named for one in candidates(name, top, survey.catalogue)}
    if not (workspace.profile.map_path or listed):
        return  # core memory could be the map, and nobody uses it so
    for path, note in survey.notes.items():
        if note.role is not Role.CONCEPT or path in listed or "/." in f"/{path}":
            continue
        yield Finding(
            "unlisted-note",
            Severity.NOTICE,
            path,
            "No map leads to this note, so whoever reads the map does not know of it.",
            "`vade doctor --fix` adds it to the map of its folder.",
            Mend(path, "adds it to the map", _listing(path)),
        )


LINK_CHECKS: tuple[Callable[[Survey], Iterator[Finding]], ...] = (
    dead_links,
    dead_map_lines,
    dead_paths,
    unlisted,
)
"""Every check of what leads where; each looks at all notes together."""


# ------------------------------------------------------------ their mends


def _dropping(path: str, line: str) -> Callable[[Draft], None]:
    def edit(draft: Draft) -> None:
        lines = split(draft.text(path) or "")
        if line in lines:
            lines.remove(line)
            draft.put(path, "".join(lines))

    return edit


def _listing(path: str) -> Callable[[Draft], None]:
    def edit(draft: Draft) -> None:
        if draft.text(path) is not None:
            keep_in_step(draft, [path])

    return edit


# ------------------------------------------------------------ their steps


def _is_map(survey: Survey, note: Examined) -> bool:
    profile = survey.workspace.profile
    top = map_path_of(survey.workspace, "")
    return note.role is Role.MAP or note.path in (profile.map_path, top)


def _why_dead(survey: Survey, path: str, link: Link) -> str:
    if not link.target:
        found: tuple[str, ...] = (path,)
    else:
        found = candidates(link.target, path, survey.catalogue)
        if not found and link.wiki and _ELSEWHERE.match(link.target):
            return ""  # in another agent's memory, which a check of this one does not open
        if not found:
            what = "note" if _is_note(link.target) else "file"
            return "" if _is_file(survey, path, link.target) else f"there is no such {what}"
    anchor = link.anchor.rpartition("#")[2]
    if not anchor or len(found) > 1:
        return ""
    if anchor.startswith("^"):
        there = anchor[1:] in survey.ids_of(found[0])
        return "" if there else f"{found[0]} has no block {anchor}"
    if not link.wiki or found[0] not in survey.notes:
        return ""
    wanted = _plain(anchor)
    titles = (_plain(section.title) for section in survey.notes[found[0]].note.sections)
    return "" if wanted in titles else f"{found[0]} has no heading “{anchor}”"


def _plain(title: str) -> str:
    return _SIGNS.sub(" ", title.casefold()).strip()


def _is_file(survey: Survey, path: str, target: str) -> bool:
    """Whether a link that is no note's leads to a file or folder, or to what no note could be."""
    base = "" if target.startswith("/") else path.rpartition("/")[0]
    for start in (base, ""):
        joined = posixpath.normpath(posixpath.join(start, target.lstrip("/")))
        if not joined.startswith("..") and (survey.workspace.root / joined).exists():
            return True
    return "/" not in target and not _is_note(target) and target.casefold() in survey.attachments


def _is_note(target: str) -> bool:
    """Whether a link may lead to a note, and to no picture, canvas or other file."""
    return _SUFFIX.search(target) is None or target.casefold().endswith(_NOTE_SUFFIXES)


def _written(link: Link) -> str:
    return f"{link.target}#{link.anchor}" if link.anchor else link.target
