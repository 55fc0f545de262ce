"""Maps that are one file of lists, as vaults and Git memories keep them, in step with the notes."""

from __future__ import annotations

from collections.abc import Callable

from vademecum.core.errors import Unreadable
from vademecum.core.forms import Listing
from vademecum.markdown.days import ISO_DAY
from vademecum.markdown.frontmatter import read
from vademecum.markdown.lines import decode
from vademecum.markdown.listings import Listed, drop_row, has_row, put_row
from vademecum.markdown.maps import MapEntry
from vademecum.markdown.standing import PAST
from vademecum.workspace.workspace import Workspace
from vademecum.writing.budget import check_budget, limit_of
from vademecum.writing.draft import Draft
from vademecum.writing.map_entries import entry_of

_NEW = "# Memory\n"
_FULL = 0.9
"""Share of its budget from which on new notes go to a list in their own folder."""
_STATUS = {"": "✅", "active": "✅", "stable": "✅", "conflict": "🔀", "unverified": "⚠️"}
_PRIORITY = {"core": "🔴", "important": "🟡", "reference": "⚪"}
_MOST_KEYWORDS = 6
_SHORTEST_KEYWORD = 3


def is_listed(draft: Draft, path: str) -> bool:
    """Whether a line of the one map leads to the note at `path`."""
    workspace = draft.workspace
    text = draft.text(workspace.profile.map_path) or ""
    return has_row(text, listing_of(workspace, path), _leading_to(workspace, path))


def has_room(draft: Draft) -> bool:
    """Whether the one map may have a further line; the last of its room is for folders."""
    home = draft.workspace.profile.map_path
    limit = limit_of(draft.workspace, home)
    return limit is None or len(draft.text(home) or "") <= limit * _FULL


def list_note(draft: Draft, path: str, entry: MapEntry | None) -> None:
    """Let the one map say what the note at `path` is, or, without entry, that it is gone."""
    workspace = draft.workspace
    text = draft.text(workspace.profile.map_path) or _NEW
    listing, leads = listing_of(workspace, path), _leading_to(workspace, path)
    if entry is None:
        _put(draft, drop_row(text, listing, leads))
        return
    now = _listed(workspace, path, draft.text(path) or "", entry)
    _put(draft, put_row(text, listing, leads, _before(draft, path, entry), now))


def list_folder(draft: Draft, path: str, *, flagged: bool) -> None:
    """Let the one map lead to the map `path` of a folder, which lists what it has no room for."""
    workspace = draft.workspace
    listing = listing_of(workspace, path)
    title = f"More {listing.heading.casefold()}"
    row = Listed(_link(workspace, path), path, title, description=title, flagged=flagged)
    text = draft.text(workspace.profile.map_path) or _NEW
    _put(draft, put_row(text, listing, _leading_to(workspace, path), row, row))


def _put(draft: Draft, after: str) -> None:
    home = draft.workspace.profile.map_path
    before = draft.text(home)
    if after != (_NEW if before is None else before):
        check_budget(draft.workspace, home, before or "", after)
        draft.put(home, after)


def listing_of(workspace: Workspace, path: str) -> Listing:
    """Return the section of the one map that lists the note at `path`."""
    profile = workspace.profile
    below = path.removeprefix(f"{profile.note_folder}/")
    folder, inner, _ = below.partition("/")
    name = folder if inner else ""
    known = {listing.folder: listing for listing in profile.listings}
    if name in known:
        return known[name]
    return Listing(name, name.replace("-", " ").capitalize(), known[""].columns)


def _listed(workspace: Workspace, path: str, text: str, entry: MapEntry) -> Listed:
    properties = read(text)
    status = properties.text("status").casefold()
    priority = properties.text("priority").strip()
    verified = ISO_DAY.search(properties.text("last_verified"))
    past = entry.struck or status in PAST
    tags = properties.items("tags") or tuple(
        word for word in entry.title.casefold().split() if len(word) >= _SHORTEST_KEYWORD
    )
    return Listed(
        link=_link(workspace, path),
        path=path,
        title=entry.title,
        priority=_PRIORITY.get(priority.casefold(), priority),
        status="~~superseded~~" if past else _STATUS.get(status, status),
        verified=verified[0] if verified else "",
        description=entry.description,
        keywords=", ".join(tags[:_MOST_KEYWORDS]),
        past=past,
        flagged=status == "conflict",
    )


def _before(draft: Draft, path: str, entry: MapEntry) -> Listed | None:
    """Return what the map was told of the note before, by its text at that time."""
    text = draft.before(path)
    if text and text == draft.text(path):  # it is written already, as by `undo`
        text = _displaced(draft.workspace, path)
    if not text:
        return None
    return _listed(draft.workspace, path, text, entry_of(path, entry.target, text))


def _displaced(workspace: Workspace, path: str) -> str:
    """Return what the note said before the last write to it, as far as that is kept."""
    last = workspace.ledger.last(path)
    if last is None or not last.before:
        return ""
    try:
        return decode(workspace.files.records.blobs.get(last.before)).text
    except Unreadable:
        return ""


def _link(workspace: Workspace, path: str) -> str:
    inner = path.removeprefix(f"{workspace.profile.note_folder}/")
    return f"[[{inner.removesuffix('.md')}]]"


def _leading_to(workspace: Workspace, path: str) -> Callable[[str, bool], bool]:
    """Return what tells whether a target, in the section of the note or another, means it."""
    whole = path.casefold().removesuffix(".md")
    inner = whole.removeprefix(f"{workspace.profile.note_folder.casefold()}/")
    name = whole.rpartition("/")[2]

    def leads(target: str, own_section: bool) -> bool:
        wanted = target.casefold().removesuffix(".md").lstrip("./")
        if wanted == name and wanted != inner:
            return own_section
        return wanted in (whole, inner)

    return leads
