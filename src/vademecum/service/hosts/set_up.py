"""Setting a host up and taking it back: edits are worked out, and files kept, before the first."""

from __future__ import annotations

import stat
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from vademecum.core.errors import BadInput, ChangedMeanwhile
from vademecum.core.frozen import dataclass
from vademecum.service.hosts.edited import Edited, read, with_pieces, without_pieces
from vademecum.service.hosts.known import Known, known
from vademecum.service.hosts.pieces import Piece, Whole
from vademecum.service.hosts.receipts import Receipt, Receipts
from vademecum.service.hosts.setting import Setting
from vademecum.workspace.disk_errors import failure
from vademecum.workspace.whole import write_whole


@dataclass(frozen=True, slots=True)
class FileDone:
    """What became of one file of a host: `created`, `changed`, `removed` or `unchanged`."""

    path: str
    what: str
    backup: str = ""
    """Where the file is as it was, if it was there."""


@dataclass(frozen=True, slots=True)
class ToPaste:
    """What would go into one file."""

    path: str
    text: str


def pasted(host: str, setting: Setting) -> tuple[ToPaste, ...]:
    """Return what would be put where, file by file. Raises BadInput."""
    grouped = _by_file(_checked(host, setting), setting)
    return tuple(
        ToPaste(str(path), "\n".join(piece.shown() for piece in pieces))
        for path, pieces in grouped.items()
    )


def install(host: str, setting: Setting) -> tuple[FileDone, ...]:
    """Put everything in its place; what is there already is left alone.

    Nothing is written unless every file can be edited. Raises BadInput, ForeignConfiguration,
    Unreadable, StateUnwritable, ChangedMeanwhile, ReadOnly, DiskFull.
    """
    grouped = _by_file(_checked(host, setting), setting)
    edits = [with_pieces(path, pieces) for path, pieces in grouped.items()]
    receipts = Receipts(setting.variables)
    earlier = receipts.of(host, setting.project)
    originals = dict(earlier.originals) if earlier else {}
    for edit in edits:
        if edit.changes and str(edit.path) not in originals:
            data = edit.before
            originals[str(edit.path)] = "" if data is None else receipts.copy(host, edit.path, data)
    folders = _missing(edit.path.parent for edit in edits)
    receipt = Receipt(
        host,
        setting.program,
        str(setting.workspace),
        str(setting.project or ""),
        originals,
        (*(earlier.folders if earlier else ()), *folders),
    )
    if receipt != earlier:
        receipts.keep(receipt)
    return tuple(_done(edit, originals, setting) for edit in edits)


def uninstall(host: str, setting: Setting) -> tuple[FileDone, ...]:
    """Take back what `install` put there, and only that.

    A file that nobody changed since is what it was, to the byte. Raises as `install` does.
    """
    found = _checked(host, setting)
    receipts = Receipts(setting.variables)
    receipt = receipts.of(host, setting.project)
    if receipt is not None:
        setting = receipt.setting(setting.variables)
    edits = [
        _taken_back(path, pieces, receipt) for path, pieces in _by_file(found, setting).items()
    ]
    originals = receipt.originals if receipt else {}
    for edit in edits:
        if _edited_by_user(edit):
            receipts.copy(host, edit.path, edit.before or b"")
    done = tuple(_done(edit, originals, setting) for edit in edits)
    for folder in reversed(receipt.folders if receipt else ()):
        with suppress(OSError):  # somebody else's files are in it
            Path(folder).rmdir()
    receipts.drop(host, setting.project)
    return done


def missing_parts(receipt: Receipt, setting: Setting) -> tuple[str, ...]:
    """Return the files of a host that no longer hold what was put there.

    Raises ForeignConfiguration, Unreadable.
    """
    grouped = _by_file(known(receipt.host), setting)
    return tuple(str(path) for path, pieces in grouped.items() if with_pieces(path, pieces).changes)


def _taken_back(path: Path, pieces: list[Piece], receipt: Receipt | None) -> Edited:
    if receipt is None or str(path) not in receipt.originals:
        return without_pieces(path, pieces, None if receipt is None else b"")
    original = receipt.original(path)
    edit = without_pieces(path, pieces, original)
    if original is None or edit.before is None:
        return edit
    # The same pieces put into the original give what is there: nobody else has changed anything.
    try:
        text = original.decode("utf-8-sig") or "{}\n"
        for piece in pieces:
            text = piece.put(text)
    except ValueError:
        return edit
    mark = b"\xef\xbb\xbf" if original.startswith(b"\xef\xbb\xbf") else b""
    return replace(edit, after=original) if mark + text.encode() == edit.before else edit


def _edited_by_user(edit: Edited) -> bool:
    """Return whether a file of this product goes that holds somebody else's changes."""
    ours = edit.pieces[0]
    return isinstance(ours, Whole) and edit.before not in (None, ours.text.encode())


def _checked(host: str, setting: Setting) -> Known:
    found = known(host)
    if setting.project is not None and not found.projects:
        raise BadInput(
            f"{found.title} has no configuration of its own for a project.",
            hint="Use --scope user.",
        )
    return found


def _by_file(host: Known, setting: Setting) -> dict[Path, list[Piece]]:
    grouped: dict[Path, list[Piece]] = {}
    for path, piece in host.placed(setting):
        # Through links, which people keep their configuration behind.
        grouped.setdefault(path.resolve(), []).append(piece)
    return grouped


def _missing(folders: Iterable[Path]) -> list[str]:
    """Return the folders that will have to be made, outer ones first."""
    found: set[Path] = set()
    for folder in folders:
        while not folder.exists():
            found.add(folder)
            folder = folder.parent
    return [str(folder) for folder in sorted(found)]


def _done(edit: Edited, originals: object, setting: Setting) -> FileDone:
    kept = originals.get(str(edit.path), "") if isinstance(originals, dict) else ""
    if not edit.changes:
        return FileDone(str(edit.path), "unchanged", kept)
    _write(edit, setting)
    if edit.after is None:
        return FileDone(str(edit.path), "removed", kept)
    return FileDone(str(edit.path), "created" if edit.before is None else "changed", kept)


def _write(edit: Edited, setting: Setting) -> None:
    path = edit.path
    try:
        if read(path) != edit.before:
            raise ChangedMeanwhile(
                f"{path} was changed by somebody else just now, so it was left alone.",
                hint="Run the command again.",
            )
        if edit.after is None:
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        made = 0o644 if setting.project else 0o600
        mode = made if edit.before is None else stat.S_IMODE(path.stat().st_mode)
        write_whole(path, edit.after, durable=True)
        path.chmod(mode)
    except OSError as error:
        raise failure(error, str(path), "write") from error
