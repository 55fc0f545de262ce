"""Entries of the log that hold what was said in a session: written once, found again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from vademecum.core.clock import human_day
from vademecum.core.errors import NoteNotFound
from vademecum.core.notes import Span
from vademecum.core.provenance import Actor
from vademecum.markdown.entries import read_entries
from vademecum.markdown.lines import decode, split
from vademecum.markdown.secrets import redact
from vademecum.markdown.wording import words_of
from vademecum.workspace.archived import archive_path
from vademecum.writing.log import append_entry

if TYPE_CHECKING:
    from vademecum.context.cycles import History
    from vademecum.core.entries import Entry
    from vademecum.workspace.workspace import Workspace


def logged(
    workspace: Workspace, history: History, cycle: int, rows: Sequence[str], actor: Actor
) -> tuple[Span, ...]:
    """Write the rows that no flush of the session has written yet; return its entries.

    The entries of this cycle come first. The ledger is asked too: an entry that a person took back
    stays away.
    """
    about = about_session(history.session)
    title = f"{about}{cycle + 1}"
    paths, taken_back = _paths(workspace, about, title)
    entries = [entry for path in paths for entry in entries_about(workspace, path, about)]
    titles = (title, f"{title}, continued")
    own = [entry for entry in entries if entry.title in titles]
    held = {words_of(row) for entry in entries for row in entry.body.splitlines()}
    missing = [row for row in map(redact, rows) if words_of(row) not in held]
    if missing and not (taken_back and not own):
        origin = f"Kept before compaction {cycle + 1} of the session, from what was said in it."
        written = append_entry(
            workspace,
            "\n".join([origin, "", *missing]),
            actor=actor,
            title=titles[bool(own)],
            redact=True,
        )
        entries += [
            entry
            for entry in entries_about(workspace, written.path, title)
            if entry.span.first >= written.first
        ]
    entries.sort(key=lambda entry: entry.title not in titles)
    return tuple(entry.span for entry in entries)


def about_session(session: str) -> str:
    """Return how the titles of all entries begin that hold what was said in a session."""
    named = "".join(s if s.isalnum() or s in "._-" else "-" for s in session)[:64]
    return f"Memory flush, session {redact(named)}, cycle "


def held_rows(workspace: Workspace, session: str) -> set[str]:
    """Return the words of every row that entries about the session hold."""
    about = about_session(session)
    paths, _ = _paths(workspace, about, "")
    return {
        words_of(row)
        for path in paths
        for entry in entries_about(workspace, path, about)
        for row in entry.body.splitlines()
    }


def _paths(workspace: Workspace, about: str, title: str) -> tuple[Sequence[str], bool]:
    """Return the logs with entries of the session, and whether one of that title was written."""
    today = human_day(workspace.clock.now(), workspace.zone)
    paths = {workspace.profile.log_path(today): None}
    written = False
    for change in workspace.ledger.changes(verb="log"):
        if change.summary.startswith(about):
            paths[change.path] = None
            written = written or change.summary == title
    return tuple(paths), written


def entries_about(workspace: Workspace, path: str, about: str) -> Iterator[Entry]:
    """Yield the entries of the log at `path`, archived or not, whose titles begin with `about`."""
    day = workspace.profile.day_of(path)
    for place in (path, archive_path(workspace.profile, path)):
        with suppress(NoteNotFound):
            text = decode(workspace.files.read(place).data).text
            for entry in read_entries(place, text, day) if day else ():
                if entry.title.startswith(about):
                    yield entry


def places_in(workspace: Workspace, entries: Sequence[Span]) -> Mapping[str, Span]:
    """Return the words of each row of those entries, with its line."""
    places: dict[str, Span] = {}
    for entry in entries:
        with suppress(NoteNotFound):
            lines = split(decode(workspace.files.read(entry.path).data).text)
            for number in range(entry.first, min(entry.last, len(lines)) + 1):
                words = words_of(lines[number - 1])
                places.setdefault(words, Span(entry.path, number, number))
    return places


def line_of(places: Mapping[str, Span], said: str, *, of: str = "- Agent:") -> Span | None:
    """Return the line that holds what an agent, or the user, said."""
    speaker, wanted = words_of(of), words_of(redact(said))
    whole = places.get(f"{speaker} {wanted}")
    holding = (at for row, at in places.items() if row.startswith(speaker) and wanted in row)
    return whole or next(holding, None)
