"""Who may read whose memory: one file an owner, which only the owner's side changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

from vademecum.agents import tables
from vademecum.agents.tables import Stamp, Table
from vademecum.core.errors import InvalidConfiguration, InvalidPath
from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later
from vademecum.markdown.kinds import Kind
from vademecum.workspace.config import environment, user_home
from vademecum.workspace.paths import checked

FOLDER = "grants"
_KEYS = frozenset({"reader", "folders", "kinds", "since", "until"})
_HEAD = """\
# Who may read the memory of {owner}: `vade grant` edits this file, and so may you.
# What stands here holds from the next call on, and no longer than it stands here.
"""
_TABLE = later(r"\[\[[ \t]*grant[ \t]*\]\][ \t]*(?:#.*)?\Z")
_KINDS = frozenset(kind.value for kind in Kind)


@dataclass(frozen=True, slots=True)
class Grant:
    """What one agent lets another read; without folders and kinds, every note."""

    reader: str
    owner: str
    folders: tuple[str, ...] = ()
    """Files and folders relative to the owner's workspace."""
    kinds: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    """The last day on which it holds, by the owner's zone."""

    def holds_on(self, day: date) -> bool:
        """Whether it is in force on that day."""
        return self.until is None or day <= self.until

    @property
    def whole(self) -> bool:
        """Whether every note may be read."""
        return not self.folders and not self.kinds


_kept: dict[Path, tuple[Stamp, tuple[Grant, ...]]] = {}


def grants_file(owner: str, variables: Mapping[str, str] | None = None) -> Path:
    """Return where the grants of an agent are, whether or not there are any."""
    home = user_home(environment() if variables is None else variables)
    return home / FOLDER / f"{owner.casefold()}.toml"


def grants_of(owner: str, variables: Mapping[str, str] | None = None) -> tuple[Grant, ...]:
    """Return what the file of `owner` says at this moment, past grants included.

    A stat while the file stays as it was. Raises InvalidConfiguration for anything in it that is
    not understood, such as a misspelt key: it may have been meant as a limit.
    """
    file = grants_file(owner, variables)
    stamp = tables.stamp_of(file)
    if stamp is None:
        return ()
    kept = _kept.get(file)
    if kept is not None and kept[0] == stamp:
        return kept[1]
    read = read_grants(tables.text_in(file), owner, file)
    _kept[file] = (stamp, read)
    return read


def granted(
    reader: str, owner: str, day: date, variables: Mapping[str, str] | None = None
) -> tuple[Grant, ...]:
    """Return the grants under which `reader` may read `owner` on `day`; none where that is unclear.

    A file that cannot be understood grants nothing; `vade doctor` says what is wrong with it.
    """
    try:
        known = grants_of(owner, variables)
    except InvalidConfiguration:
        return ()
    wanted = reader.casefold()
    return tuple(one for one in known if one.reader.casefold() == wanted and one.holds_on(day))


def grant(new: Grant, variables: Mapping[str, str] | None = None) -> Grant:
    """Write a grant into its owner's file, in place of one with the same folders and kinds.

    What else is in the file stays as it is. Raises InvalidConfiguration where the file cannot be
    understood, and what any write raises.
    """
    file = grants_file(new.owner, variables)
    with tables.edited(file) as text:
        before = text() or _HEAD.format(owner=new.owner)
        read_grants(before, new.owner, file)
        kept = _without(before, lambda one: _same(one, new), new.owner, file)
        after = f"{kept.rstrip()}\n\n{_table(new)}"
        read_grants(after, new.owner, file)
        tables.write(file, after)
    return new


def revoke(
    reader: str, owner: str, variables: Mapping[str, str] | None = None
) -> tuple[Grant, ...]:
    """Take every grant of `owner` to `reader` out of its file; return what was taken back.

    It holds from the next call on, also of programs that run. Raises InvalidConfiguration where
    the file cannot be understood, and what any write raises.
    """
    file = grants_file(owner, variables)
    if tables.stamp_of(file) is None:
        return ()
    wanted = reader.casefold()
    with tables.edited(file) as text:
        before = text()
        gone = [g for g in read_grants(before, owner, file) if g.reader.casefold() == wanted]
        if gone:
            tables.write(
                file, _without(before, lambda one: one.reader.casefold() == wanted, owner, file)
            )
    return tuple(gone)


def drop_agent(
    name: str, owners: Iterable[str], variables: Mapping[str, str] | None = None
) -> None:
    """Take back every grant to and from an agent that is no more. Raises what `revoke` raises."""
    for owner in owners:
        if owner != name:
            revoke(name, owner, variables)
    grants_file(name, variables).unlink(missing_ok=True)


def copy_agent(
    old: str, new: str, owners: Iterable[str], variables: Mapping[str, str] | None = None
) -> None:
    """Let every grant to and from an agent be one under its new name as well.

    Those under the old one stay, until `drop_agent`. Raises as `grant` does.
    """
    for owner in owners:
        for one in grants_of(owner, variables):
            if one.reader.casefold() == old.casefold():
                grant(replace(one, reader=new), variables)
    file, copied = grants_file(old, variables), grants_file(new, variables)
    if tables.stamp_of(file) is not None and file != copied:
        with tables.edited(file) as text:
            tables.write(copied, text())


def _same(one: Grant, other: Grant) -> bool:
    return (one.reader.casefold(), set(one.folders), set(one.kinds)) == (
        other.reader.casefold(),
        set(other.folders),
        set(other.kinds),
    )


def _without(text: str, fits: Callable[[Grant], bool], owner: str, file: Path) -> str:
    """Return the text without the tables of the grants that fit."""
    known = read_grants(text, owner, file)
    lines = text.splitlines(keepends=True)
    heads = [at for at, line in enumerate(lines) if _TABLE.match(line.strip())]
    if len(heads) != len(known):
        raise tables.wrong(file, "its tables", "are written in a form that cannot be edited here")
    kept, end = lines[: heads[0]] if heads else lines, 0
    for number, one in enumerate(known):
        end = heads[number + 1] if number + 1 < len(heads) else len(lines)
        if not fits(one):
            kept += lines[heads[number] : end]
    return "".join(kept)


def _table(one: Grant) -> str:
    rows = ["[[grant]]", f"reader = {tables.quoted(one.reader)}"]
    for key, values in (("folders", one.folders), ("kinds", one.kinds)):
        if values:
            rows.append(f"{key} = [{', '.join(map(tables.quoted, values))}]")
    for key, day in (("since", one.since), ("until", one.until)):
        if day is not None:
            rows.append(f"{key} = {day.isoformat()}")
    return "\n".join(rows) + "\n"


def read_grants(text: str, owner: str, file: Path) -> tuple[Grant, ...]:
    """Return the grants in the text of a file. Raises InvalidConfiguration."""
    read = dict(tables.tables_in(text, file))
    rows = read.pop("grant", [])
    if read or not isinstance(rows, list):
        where = next(iter(read), "grant")
        raise tables.wrong(file, where, "is there, where only [[grant]] tables are expected")
    return tuple(_grant(file, owner, row) for row in rows)


def _grant(file: Path, owner: str, row: Table) -> Grant:
    reader = row.get("reader", "")
    where = f"the grant to {reader or 'nobody'}"
    if unknown := sorted(set(row) - _KEYS):
        raise tables.wrong(file, where, f"has the key {unknown[0]}, which no grant has")
    if not isinstance(reader, str) or not reader:
        raise tables.wrong(file, where, "has no reader")
    folders = tuple(_folder(file, where, one) for one in _texts(file, where, row, "folders"))
    kinds = _texts(file, where, row, "kinds")
    if wrong := sorted(set(kinds) - _KINDS):
        raise tables.wrong(
            file, where, f"has the kind {wrong[0]!r}; kinds are {', '.join(sorted(_KINDS))}"
        )
    since, until = (_day(file, where, row, key) for key in ("since", "until"))
    return Grant(reader, owner, folders, kinds, since, until)


def _texts(file: Path, where: str, row: Table, key: str) -> tuple[str, ...]:
    given = row.get(key)
    if given is None:
        return ()
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given) or not given:
        raise tables.wrong(file, where, f"has {key} that are no list of texts")
    return tuple(given)


def _folder(file: Path, where: str, written: str) -> str:
    try:
        return checked(written.rstrip("/"))
    except InvalidPath as error:
        raise tables.wrong(file, where, f"names a folder that cannot be one ({error})") from error


def _day(file: Path, where: str, row: Table, key: str) -> date | None:
    given = row.get(key)
    try:
        if given is None or type(given) is date:
            return given
        if isinstance(given, str):
            return date.fromisoformat(given)
    except ValueError:
        pass
    raise tables.wrong(file, where, f"has no day, such as 2026-12-31, as its {key}")
