"""A real server in a process of its own, and clients of the official SDK that speak to it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from vademecum.service.memory import Memory
from vademecum.surfaces.mcp.calls import call
from vademecum.surfaces.mcp.door import Door
from vademecum.surfaces.mcp.replies import Reply
from vademecum.testing import throwaway_memory

SOURCE = Path(__file__).parents[3] / "src"


@dataclass(frozen=True)
class Home:
    """A directory with a workspace and the state of whoever runs the server."""

    place: Path

    @property
    def workspace(self) -> Path:
        return self.place / "notes"

    @property
    def environment(self) -> dict[str, str]:
        kept = {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE), "LC_ALL": "C.UTF-8"}
        return kept | {"HOME": str(self.place), "VADE_EMBEDDER_PROVIDER": "hashing"}

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "vademecum", "--workspace", str(self.workspace), *arguments]

    def vade(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*arguments),
            env=self.environment,
            cwd=self.place,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    @asynccontextmanager
    async def client(self) -> AsyncIterator[Client]:
        command, *arguments = self.command("mcp")
        started = StdioServerParameters(
            command=command, args=arguments, env=self.environment, cwd=str(self.place)
        )
        async with Client(stdio_client(started)) as client:
            yield client

    def asked(self, question: Callable[[Client], Awaitable[Any]]) -> Any:
        """Start a server, put a question to it and return the answer."""

        async def run() -> Any:
            with anyio.fail_after(60):
                async with self.client() as client:
                    return await question(client)

        return anyio.run(run)


@pytest.fixture
def empty_home(tmp_path: Path) -> Home:
    home = Home(tmp_path)
    home.workspace.mkdir()
    return home


@pytest.fixture
def home(empty_home: Home) -> Home:
    made = empty_home.vade("init", str(empty_home.workspace))
    assert made.returncode == 0, made.stderr
    return empty_home


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with throwaway_memory(root=tmp_path) as opened:
        yield opened


@pytest.fixture
def told(memory: Memory) -> Callable[..., Reply]:
    """Call a tool without a process in between."""
    door = Door(lambda _: memory)
    return lambda name, **arguments: call(door, name, arguments)
