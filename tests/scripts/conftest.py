"""The scripts as modules, and a package index on the loopback address."""

from __future__ import annotations

import http.server
import importlib.util
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture(scope="session")
def script() -> Callable[[str], ModuleType]:
    """Return a function that loads `scripts/NAME.py`, which is no part of the package."""

    def load(name: str) -> ModuleType:
        path = REPOSITORY / "scripts" / f"{name}.py"
        spec = importlib.util.spec_from_file_location(f"scripts_{name}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module  # dataclasses look their module up
        spec.loader.exec_module(module)
        return module

    return load


@dataclass
class Shelf:
    """What the index on the loopback address serves, and what it was asked."""

    address: str
    pages: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)


@pytest.fixture
def shelf() -> Iterator[Shelf]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.asked.append((self.path, self.headers.get("Authorization", "")))
            kind, body = served.pages.get(self.path, ("", b""))
            self.send_response(200 if kind else 404)
            self.send_header("Content-Type", kind or "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Keep the output of the tests clean."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        served = Shelf(f"127.0.0.1:{server.server_port}")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield served
        server.shutdown()
