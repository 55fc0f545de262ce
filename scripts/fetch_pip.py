"""Fetch pip's own wheel from the configured package index, for a Python that came without pip.

Standard library only. The wheel is taken as the index describes it: newest final release that this
Python can run, not yanked, and only when its SHA-256 is the one the index gives.
"""

from __future__ import annotations

import base64
import configparser
import hashlib
import html.parser
import json
import os
import re
import ssl
import sys
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from pathlib import Path

# Where pip itself looks when nobody says otherwise.
DEFAULT_INDEX = "https://pypi.org/simple"
_JSON = "application/vnd.pypi.simple.v1+json"
_WHEEL = re.compile(r"pip-(\d+(?:\.\d+)*)-py3-none-any\.whl$")
_SECONDS = 60


class FetchFailed(Exception):
    """pip could not be fetched; the message says why, in one sentence."""


@dataclass(frozen=True)
class Wheel:
    """One file as an index offers it."""

    url: str
    sha256: str
    requires_python: str

    @property
    def name(self) -> str:
        """File name, without anchor and query."""
        return urllib.parse.unquote(urllib.parse.urlsplit(self.url).path.rsplit("/", 1)[-1])

    @property
    def version(self) -> tuple[int, ...]:
        """Its release as numbers; empty for anything that is no final wheel of pip."""
        match = _WHEEL.search(self.name)
        return tuple(int(part) for part in match.group(1).split(".")) if match else ()


def fetch_pip(directory: Path) -> Path:
    """Download pip's wheel into `directory` and return its path. Raises FetchFailed."""
    index = pip_setting("index-url") or DEFAULT_INDEX
    listing = f"{index.rstrip('/')}/pip/"
    wheel = newest(read_listing(*_get(listing, accept=f"{_JSON}, text/html;q=0.5")), listing)
    content, _, _ = _get(wheel.url)
    found = hashlib.sha256(content).hexdigest()
    if found != wheel.sha256:
        raise FetchFailed(f"{wheel.name} does not have the SHA-256 that {_shown(index)} gives.")
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / wheel.name
    path.write_bytes(content)
    return path


def pip_setting(name: str) -> str:
    """Return a setting as pip would read it: environment first, then its configuration files."""
    if value := os.environ.get("PIP_" + name.upper().replace("-", "_")):
        return value
    for path in _configuration_files():
        parser = configparser.RawConfigParser()
        try:
            parser.read(path, encoding="utf-8")
        except (configparser.Error, UnicodeDecodeError):
            continue
        for section in ("install", "global"):
            if value := parser.get(section, name, fallback="").strip():
                return value
    return ""


def read_listing(content: bytes, kind: str, base: str) -> list[Wheel]:
    """Return what a project page of a simple index offers, in either of its two formats."""
    if "json" in kind:
        return [
            Wheel(
                urllib.parse.urljoin(base, file["url"]),
                file.get("hashes", {}).get("sha256", ""),
                file.get("requires-python") or "",
            )
            for file in json.loads(content)["files"]
            if not file.get("yanked")
        ]
    page = _Page(base)
    page.feed(content.decode("utf-8", "replace"))
    return page.wheels


def newest(wheels: list[Wheel], listing: str) -> Wheel:
    """Return the newest final wheel with a digest that this Python can run."""
    usable = [w for w in wheels if w.version and w.sha256 and _runs_here(w.requires_python)]
    if not usable:
        raise FetchFailed(f"{_shown(listing)} offers no pip that this Python can run.")
    return max(usable, key=lambda wheel: wheel.version)


class _Page(html.parser.HTMLParser):
    def __init__(self, base: str) -> None:
        super().__init__()
        self._base = base
        self.wheels: list[Wheel] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag != "a" or not values.get("href") or "data-yanked" in values:
            return
        url, _, anchor = urllib.parse.urljoin(self._base, values["href"]).partition("#")
        sha256 = anchor.removeprefix("sha256=") if anchor.startswith("sha256=") else ""
        self.wheels.append(Wheel(url, sha256, values.get("data-requires-python") or ""))


def _runs_here(requires_python: str) -> bool:
    for major, minor in re.findall(r">=\s*(\d+)\.(\d+)", requires_python):
        if (int(major), int(minor)) > sys.version_info[:2]:
            return False
    return True


def _configuration_files() -> list[Path]:
    if (named := os.environ.get("PIP_CONFIG_FILE")) is not None:
        return [] if named == os.devnull else [Path(named)]
    home = Path(os.environ.get("HOME") or "/nonexistent")
    user = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    machine = os.environ.get("XDG_CONFIG_DIRS") or "/etc/xdg"
    return [
        user / "pip/pip.conf",
        home / ".pip/pip.conf",
        Path("/etc/pip.conf"),
        *(Path(directory) / "pip/pip.conf" for directory in machine.split(":")),
    ]


def _get(url: str, accept: str = "*/*") -> tuple[bytes, str, str]:
    """Return body, content type and final address."""
    parts = urllib.parse.urlsplit(url)
    headers = {"Accept": accept, "User-Agent": "vademecum-bootstrap"}
    if parts.username:
        login = (
            f"{urllib.parse.unquote(parts.username)}:{urllib.parse.unquote(parts.password or '')}"
        )
        headers["Authorization"] = "Basic " + base64.b64encode(login.encode()).decode()
        parts = parts._replace(netloc=parts.netloc.rpartition("@")[2])
    request = urllib.request.Request(urllib.parse.urlunsplit(parts), headers=headers)
    try:
        with _opener().open(request, timeout=_SECONDS) as answer:
            return answer.read(), answer.headers.get("Content-Type", ""), answer.geturl()
    except urllib.error.HTTPError as error:
        with error:  # it holds the connection
            told = f"{_shown(url)} answers {error.code} {error.reason}."
        raise FetchFailed(told) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise FetchFailed(f"{_shown(url)} cannot be read: {reason}.") from error


def _opener() -> urllib.request.OpenerDirector:
    certificates = (
        pip_setting("cert")
        or os.environ.get("REQUESTS_CA_BUNDLE")
        or os.environ.get("CURL_CA_BUNDLE")
        or None  # then SSL_CERT_FILE and SSL_CERT_DIR, else the system's own
    )
    folder = certificates if certificates and Path(certificates).is_dir() else None
    context = ssl.create_default_context(cafile=None if folder else certificates, capath=folder)
    handlers: list[urllib.request.BaseHandler] = [urllib.request.HTTPSHandler(context=context)]
    if proxy := pip_setting("proxy"):
        handlers.append(urllib.request.ProxyHandler({"http": proxy, "https": proxy}))
    return urllib.request.build_opener(*handlers)


def _shown(url: str) -> str:
    """The address without a password, fit for a message."""
    parts = urllib.parse.urlsplit(url)
    return urllib.parse.urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
