"""Maps in step: each note in its folder's map, each folder in the map above, up to the top."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from os.path import commonprefix

from vademecum.core.errors import InvalidPath
from vademecum.core.notes import Role
from vademecum.markdown.maps import BEGIN, MapEntry, read_map, render_line, render_map
from vademecum.markdown.topic_index import drop_topic, is_topic_index, put_topic
from vademecum.workspace.paths import portable
from vademecum.workspace.workspace import Workspace
from vademecum.writing.budget import check_budget
from vademecum.writing.draft import Draft
from vademecum.writing.listed import has_room, is_listed, list_folder, list_note
from vademecum.writing.map_entries import CONFLICT_MARK, entry_of

_PARTS = re.compile(r"By the first (\d{1,2}) signs\Z")
_DATED = re.compile(r"\d{4}-\d{2}-\d{2}(?!\d)")
_LENGTHS_OF_DATES = (4, 7, 10)
"""Year, month and day: where dated names may be cut."""
_DESCRIPTIONS = {
    "decisions": "What was decided, one note each",
    "lessons": "What was learnt, one note a topic",
    "preferences": "What is liked and wanted",
    "people": "Who is who, one note a person",
    "projects": "What is being worked on, one note each",
    "facts": "What holds, one note a subject",
}
_ROOM_FOR_PARTS = 0.9
"""Share of the budget at which a map is split, so that the parts have room to grow."""
_HEADING_OF_PARTS = re.compile(r"^### By the first (\d{1,2}) signs$", re.MULTILINE)
_LINE_OF_FOLDER = 300
"""Characters that the line of a folder, or of a part of a map, has at most."""


def keep_in_step(draft: Draft, paths: Iterable[str], gone: Iterable[str] = ()) -> None:
    """Let the maps in `draft` say what they must, so that the notes at `paths` are reached.

    A note that is `gone` leaves its map. Parts written by hand stay byte by byte, and a note they
    already lead to is left to them. A map that would pass its budget is split by the signs at which
    the names begin to differ, dated ones by year or month; the notes stay where they are. Raises
    OverBudget.
    """
    for path in (*paths, *gone):
        if draft.workspace.role_of(path) is not Role.CONCEPT or "/." in f"/{path}":
            continue
        text = None if path in gone else draft.text(path)
        folder, name = _parted(path)
        entry = None if text is None else entry_of(path, name, text)
        if draft.workspace.profile.listings:
            _list(draft, path, entry)
        elif _is_topics(draft):
            _put_topic(draft, path, entry)
        else:
            _climb(draft, folder, name, entry)


def have_room(draft: Draft, paths: Iterable[str]) -> bool:
    """Whether the maps of the notes at `paths` take their lines and are split for none of them.

    False where the map is core memory, or made by another program: it may have claims or a limit.
    """
    profile = draft.workspace.profile
    if not profile.map_path or profile.listings:
        return False
    notes = (path for path in paths if draft.workspace.role_of(path) is Role.CONCEPT)
    return all(_has_room(draft, path) for path in notes)


def _has_room(draft: Draft, path: str) -> bool:
    top = map_path_of(draft.workspace, "")
    folder, name = _parted(path)
    line = len(render_line(entry_of(path, name, draft.text(path) or "")))
    while _takes(draft, map_path_of(draft.workspace, folder), name, line):
        if map_path_of(draft.workspace, folder) == top:
            return True
        folder, own = _parted(folder)
        name, line = f"{own}/index.md", _LINE_OF_FOLDER
    return False


def _takes(draft: Draft, path: str, target: str, line: int) -> bool:
    """Whether the map at `path`, or the part of it where `target` belongs, takes a line."""
    text = draft.text(path) or ""
    if parts := _HEADING_OF_PARTS.search(text):
        below = f"{path.rpartition('/')[0]}/{_key(target, int(parts[1]))}/index.md"
        if not _takes(draft, below, f"../{target}", line):
            return False
        line = _LINE_OF_FOLDER
    return len(text) + line < _limit(draft, path) * _ROOM_FOR_PARTS


def map_path_of(workspace: Workspace, folder: str) -> str:
    """Return the map of a folder; that of the folder of notes, and of the root, is the top map."""
    profile = workspace.profile
    if folder in ("", ".", profile.note_folder):
        return profile.map_path or profile.core_path
    return f"{folder}/index.md"


def bare_map(folder: str) -> str:
    """Return what the map of a folder says when it was made and nothing is in it."""
    return render_map(_new_map(folder), [])


def leave_map(draft: Draft, path: str) -> str:
    """Take the line of the map at `path`, which is gone, out of the map above; return that one."""
    above, own = _parted(_parted(path)[0])
    upper = map_path_of(draft.workspace, above)
    if not any(entry.group for entry in _generated(draft.text(upper) or "")):
        _put(draft, upper, above, _from_map(upper, above, f"{own}/index.md"), None)
    return upper


def _list(draft: Draft, path: str, entry: MapEntry | None) -> None:
    """Put a note into the one map; where that has no more room, into the map of its folder."""
    folder, name = _parted(path)
    inner = map_path_of(draft.workspace, folder)
    apart = inner != map_path_of(draft.workspace, "")
    overflown = apart and BEGIN in (draft.text(inner) or "")
    if not apart or is_listed(draft, path) or (has_room(draft) and not overflown):
        list_note(draft, path, entry)
    elif entry is not None or overflown:
        flagged = _put(draft, inner, folder, name, entry)
        list_folder(draft, inner, flagged=flagged)


def _is_topics(draft: Draft) -> bool:
    """Whether the top map is core memory that another agent keeps as an index of topics."""
    profile = draft.workspace.profile
    top = map_path_of(draft.workspace, "")
    return not profile.map_path and is_topic_index(draft.text(top) or "")


def _put_topic(draft: Draft, path: str, entry: MapEntry | None) -> None:
    """Give a note its line in an index of topics, in the form that its owner writes."""
    top = map_path_of(draft.workspace, "")
    text = draft.text(top) or ""

    def leads(target: str) -> bool:
        return target.removeprefix("./") == path

    if entry is None:
        draft.put(top, drop_topic(text, leads))
        return
    after = put_topic(text, replace(entry, target=path), leads)
    if after != text:
        check_budget(draft.workspace, top, text, after)
        draft.put(top, after)


def _climb(draft: Draft, folder: str, name: str, entry: MapEntry | None) -> None:
    """Put an entry into the map of its folder and see that the maps above lead there."""
    top = map_path_of(draft.workspace, "")
    while True:
        path = map_path_of(draft.workspace, folder)
        target = _from_map(path, folder, name)
        flagged = _put(
            draft, path, folder, target, replace(entry, target=target) if entry else None
        )
        if path == top or entry is None:
            return
        above, own = _parted(folder)
        title = own.replace("-", " ").capitalize()
        description = _DESCRIPTIONS.get(own.casefold(), f"Notes on {own.replace('-', ' ')}")
        entry = MapEntry("", title, description, CONFLICT_MARK if flagged else "")
        folder, name = above, f"{own}/index.md"


def _put(draft: Draft, path: str, folder: str, target: str, entry: MapEntry | None) -> bool:
    """Put one entry into a map or the part of it where it belongs; return whether it is flagged."""
    before = draft.text(path)
    text = _new_map(folder) if before is None else before
    if entry is not None and _has_line(text, entry):
        return CONFLICT_MARK in text
    entries = _generated(text)
    if group := next((found.group for found in entries if found.group), ""):
        entry = _put_into_part(draft, path, target, entry, group)
        target = entry.target
        if _has_line(text, entry):
            return CONFLICT_MARK in text
    kept = [found for found in entries if found.target != target]
    if entry is not None:
        kept.append(entry)
    if kept == entries:
        return CONFLICT_MARK in text
    after = render_map(text, _sorted(kept))
    if not group and len(after) > _limit(draft, path) * _ROOM_FOR_PARTS and len(kept) > 1:
        after = _split(draft, path, text, kept)
    check_budget(draft.workspace, path, text, after)
    draft.put(path, after)
    return CONFLICT_MARK in after


def _generated(text: str) -> list[MapEntry]:
    """Return the generated entries; a heading above all of them is the map's, not their group."""
    return [
        entry if _PARTS.match(entry.group) else replace(entry, group="")
        for entry in read_map(text)
        if entry.generated
    ]


def _put_into_part(
    draft: Draft, path: str, target: str, entry: MapEntry | None, group: str
) -> MapEntry:
    """Put an entry into the part of a split map where it belongs; return the part's own line."""
    found = _PARTS.match(group)
    key = _key(target, int(found[1]) if found else 1)
    below = f"{path.rpartition('/')[0]}/{key}"
    inner = f"../{target}"
    moved = replace(entry, target=inner) if entry else None
    flagged = _put(draft, f"{below}/index.md", below, inner, moved)
    return _part_line(key, group, flagged=flagged)


def _part_line(key: str, group: str, *, flagged: bool) -> MapEntry:
    return MapEntry(f"{key}/index.md", f"{key}…", "", CONFLICT_MARK if flagged else "", group)


def _sorted(entries: Iterable[MapEntry]) -> list[MapEntry]:
    return sorted(entries, key=lambda found: (found.group, found.target.casefold()))


def _split(draft: Draft, path: str, text: str, entries: list[MapEntry]) -> str:
    """Move the entries of a map into one map for each beginning that their names have."""
    names = [entry for entry in entries if not entry.target.endswith("/index.md")]
    kept = [entry for entry in entries if entry.target.endswith("/index.md")]
    if not names:
        return render_map(text, entries)
    length = _length([_bare(entry.target) for entry in names])
    parts: dict[str, list[MapEntry]] = {}
    for entry in names:
        parts.setdefault(_key(entry.target, length), []).append(entry)
    for key, held in sorted(parts.items()):
        below = f"{path.rpartition('/')[0]}/{key}/index.md"
        moved = [replace(entry, target=f"../{entry.target}", group="") for entry in held]
        base = draft.text(below)
        text_of_part = f"# {key}\n\n" if base is None else base
        targets = {entry.target for entry in moved}
        there = [entry for entry in _generated(text_of_part) if entry.target not in targets]
        draft.put(below, render_map(text_of_part, _sorted([*there, *moved])))
        flagged = any(CONFLICT_MARK in entry.marks for entry in held)
        kept.append(_part_line(key, f"By the first {length} signs", flagged=flagged))
    return render_map(text, _sorted(kept))


def _length(names: list[str]) -> int:
    """Return at which length the names begin to differ; dated ones are cut after a whole part."""
    length = len(commonprefix(names)) + 1
    if all(_DATED.match(name) for name in names):
        return next((cut for cut in _LENGTHS_OF_DATES if cut >= length), length)
    return length


def _key(target: str, length: int) -> str:
    """Return the part in which a name belongs, which is also the name of the part's folder.

    In a map that was not split before, signs beyond ASCII are told apart by their page of Unicode
    only: there are thousands of them.
    """
    begin = _bare(target)[:length]
    if target.count("../") == 0 and not begin[-1:].isascii():
        begin = f"{begin[:-1]}u{ord(begin[-1]) >> 8:02x}"
    key = begin.strip(" .-") or "other"
    try:
        return portable(key)
    except InvalidPath:
        return f"{key}_"


def _bare(target: str) -> str:
    return target.rpartition("/")[2].removesuffix(".md").casefold()


def _limit(draft: Draft, path: str) -> int:
    budget = draft.workspace.settings.budget
    return budget.core if path == draft.workspace.profile.core_path else budget.map


def _has_line(text: str, entry: MapEntry) -> bool:
    line = render_line(entry)
    return f"\n{line}\n" in text or f"\n{line}\r\n" in text


def _new_map(folder: str) -> str:
    return f"# {folder.rpartition('/')[2].replace('-', ' ').capitalize() or 'Memory'}\n\n"


def _from_map(path: str, folder: str, name: str) -> str:
    """Return how the map at `path` names a note of `folder`."""
    base = path.rpartition("/")[0]
    if base == folder or folder in ("", "."):
        return name
    inner = folder.removeprefix(f"{base}/") if base else folder
    return f"{inner}/{name}"


def _parted(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    return folder, name
