"""Open the index file so that every page is checked as it is read, and tell its errors apart."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from vademecum.core.errors import DiskFull, IndexUnusable, LockTimeout, StateUnwritable

PAGE_SIZE = 8192
"""Large enough that a full-text leaf, a vector and most texts lie within one checked page."""
CHECKSUM_BYTES = 8
_CHECKED_VFS = "cksmvfs"
_CACHE_KIBIBYTES = 48 * 1024
_BUSY_MILLISECONDS = 2_000


@functools.cache
def checked_vfs() -> str | None:
    """Return the name of the VFS that checks page sums, or None where apsw comes without it."""
    # apsw.sqlite_extra would do the same but imports json and importlib.resources on the way.
    directory = Path(apsw.__file__).parent / "sqlite_extra_binaries"
    library = next(directory.glob("cksumvfs.*"), None)
    if library is None:
        return None
    default = apsw.vfs_names()[0]
    loader = apsw.Connection(":memory:")
    try:
        loader.enable_load_extension(True)
        loader.load_extension(str(library), "sqlite3_cksumvfs_init")
    except apsw.ExtensionLoadingError:
        return None
    finally:
        loader.close()
    apsw.set_default_vfs(default)  # loading made it everybody's default; others have not asked
    return _CHECKED_VFS if _CHECKED_VFS in apsw.vfs_names() else None


def open_reader(path: Path) -> apsw.Connection:
    """Open an existing file for reading; never waits for a writer and never writes the file."""
    return _open(path, apsw.SQLITE_OPEN_READONLY)


def open_writer(path: Path) -> apsw.Connection:
    """Open an existing file for writing."""
    connection = _open(path, apsw.SQLITE_OPEN_READWRITE)
    _prepare_writer(connection)
    return connection


def create(path: Path) -> apsw.Connection:
    """Create the file, empty, with checked pages and a write-ahead log."""
    connection = _open(path, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
    connection.execute(f"PRAGMA page_size={PAGE_SIZE}")
    if checked_vfs():
        connection.reserve_bytes("main", CHECKSUM_BYTES)
    connection.execute("PRAGMA journal_mode=WAL")
    _prepare_writer(connection)
    return connection


def load_vectors(connection: apsw.Connection) -> None:
    """Load the vector functions; by path, because importing the package would load numpy."""
    found = importlib.util.find_spec("sqlite_vec")
    if found is None or not found.submodule_search_locations:
        raise IndexUnusable(
            "The package sqlite-vec is not installed, so vectors cannot be compared.",
            hint="Install vademecum again, or search with --keyword.",
        )
    connection.enable_load_extension(True)
    try:
        connection.load_extension(
            str(Path(found.submodule_search_locations[0]) / "vec0"), "sqlite3_vec_init"
        )
    finally:
        connection.enable_load_extension(False)


def why_no_vectors() -> str:
    """Return why vectors cannot be compared on this system, or an empty text."""
    connection = apsw.Connection(":memory:")
    try:
        load_vectors(connection)
    except (IndexUnusable, apsw.Error) as error:
        return str(error).rstrip(".")
    finally:
        connection.close()
    return ""


def page_sums_on(connection: apsw.Connection) -> bool:
    """Tell whether this connection checks the sum of each page that it reads."""
    reserved = connection.reserve_bytes("main")
    return checked_vfs() is not None and reserved == CHECKSUM_BYTES


@contextmanager
def transaction(connection: apsw.Connection, kind: str) -> Iterator[None]:
    """Run the block in a transaction of `kind` (DEFERRED or IMMEDIATE): all of it, or none."""
    connection.execute(f"BEGIN {kind}")
    try:
        yield
    except BaseException:
        if connection.in_transaction:  # SQLite has rolled back itself after some errors
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn what SQLite raises into the product's errors."""
    try:
        yield
    except apsw.FullError as error:
        raise DiskFull(
            f"The disk is full; the index {path} was not changed.",
            hint="Free some space, then run `vade sync`.",
        ) from error
    except (apsw.ReadOnlyError, apsw.PermissionsError) as error:
        raise StateUnwritable(
            f"The index {path} cannot be written: {error}.",
            hint="Make the state directory writable, or set VADE_STATE_DIRECTORY to one that is.",
        ) from error
    except apsw.BusyError as error:
        raise LockTimeout(
            f"Another process holds the index {path} for too long.",
            hint="Try again; if it stays so, see which process runs `vade sync`.",
        ) from error
    except OSError as error:
        raise StateUnwritable(
            f"The directory of the index {path} cannot be used: {error.strerror or error}.",
            hint="Make the state directory writable, or set VADE_STATE_DIRECTORY to one that is.",
        ) from error
    except (apsw.Error, UnicodeDecodeError, ValueError, TypeError) as error:
        # Values of a kind that no writer of ours stored are damage as well.
        raise IndexUnusable(
            f"The index {path} cannot be read: {error}.",
            hint="Your notes are intact; `vade sync` builds the index anew.",
        ) from error


def _open(path: Path, flags: int) -> apsw.Connection:
    connection = apsw.Connection(str(path), flags=flags, vfs=checked_vfs())
    # A page may reach the main file only under a seal (see `generations`), so never on close.
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.set_busy_timeout(_BUSY_MILLISECONDS)
    connection.execute(f"PRAGMA cache_size=-{_CACHE_KIBIBYTES}")
    return connection


def _prepare_writer(connection: apsw.Connection) -> None:
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("PRAGMA wal_autocheckpoint=0")
    connection.execute("PRAGMA journal_size_limit=67108864")
