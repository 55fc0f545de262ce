"""The files in which agents and grants are written down: TOML that a person may edit too."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from vademecum.core.errors import InvalidConfiguration, VademecumError
from vademecum.workspace.plain_toml import read_plain

Table: TypeAlias = Mapping[str, object]
Stamp: TypeAlias = tuple[int, int, int, int]

_LARGEST = 1_048_576


def stamp_of(path: Path) -> Stamp | None:
    """Return what tells one version of a file from the next; None where there is no file.

    Raises InvalidConfiguration where the system does not say, or a link leads to nothing: what is
    written there may forbid the very call that asks.
    """
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        if path.is_symlink() or (path.parent.is_symlink() and not path.parent.exists()):
            raise _unreadable(path, "it is a link to what is not there") from None
        return None
    except OSError as error:
        raise _unreadable(path, error.strerror or "no reason given") from error
    if not stat.S_ISREG(found.st_mode) or found.st_size > _LARGEST:
        raise _unreadable(path, "it is no regular file of at most 1 MB")
    if found.st_mode & stat.S_IWOTH or found.st_uid not in (0, os.getuid()):
        raise _unreadable(path, "another user of this machine may write it")
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def text_in(path: Path) -> str:
    """Return the text of a file, empty where there is none. Raises InvalidConfiguration."""
    if stamp_of(path) is None:
        return ""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise _unreadable(path, error.strerror or "no reason given") from error
    except UnicodeDecodeError as error:
        raise _unreadable(path, "it is not UTF-8") from error


def tables_in(text: str, path: Path) -> Table:
    """Return what the TOML `text` of the file `path` says. Raises InvalidConfiguration."""
    plain = read_plain(text)
    if plain is not None:
        return plain
    import tomllib  # noqa: PLC0415  several milliseconds, which a plain file goes without

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidConfiguration(
            f"{path} is not valid TOML: {error}.",
            hint="Correct that line; until then nothing is shared and no agent is known.",
        ) from error


@contextlib.contextmanager
def edited(path: Path) -> Iterator[Callable[[], str]]:
    """Hold the lock of the file for a block that reads it, by the function given, and writes it.

    Raises LockTimeout, StateUnwritable.
    """
    from vademecum.workspace.locks import locked  # noqa: PLC0415  whoever only reads goes without

    with locked(path.with_name(f".{path.name}.lock")):
        yield lambda: text_in(path)


def write(path: Path, text: str) -> None:
    """Put `text` at `path` all at once, durable and readable by its owner alone.

    A link, as those who keep their configuration elsewhere have one, stays a link. Raises what any
    write raises.
    """
    from vademecum.workspace.disk_errors import failure  # noqa: PLC0415  as above
    from vademecum.workspace.whole import make_folders, write_whole  # noqa: PLC0415  as above

    target = Path(os.path.realpath(path))
    try:
        make_folders(target.parent)
        with contextlib.suppress(FileNotFoundError):
            if target.read_bytes() == text.encode():
                return
            beside = target.with_name(f".{target.name}.new")
            beside.unlink(missing_ok=True)
            write_whole(beside, text.encode(), durable=True)
            beside.chmod(stat.S_IMODE(target.stat().st_mode))
            beside.replace(target)
            return
        write_whole(target, text.encode(), durable=True)
    except OSError as error:
        raise failure(error, str(path), "write") from error


def quoted(value: str) -> str:
    """Return `value` as a string of TOML. Raises InvalidConfiguration for what none can hold."""
    if any(sign < " " or sign == "\x7f" or "\ud800" <= sign <= "\udfff" for sign in value):
        raise InvalidConfiguration(f"{value!r} holds a character that no such file can hold.")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def wrong(path: Path, where: str, said: str) -> VademecumError:
    """Return the error that a file says something which it may not."""
    return InvalidConfiguration(
        f"{path}: {where} {said}.", hint="Correct it by hand; nothing was changed."
    )


def _unreadable(path: Path, reason: str) -> InvalidConfiguration:
    return InvalidConfiguration(
        f"{path} cannot be read: {reason}.",
        hint="Make it readable: who may read whose memory stands there.",
    )
