"""One user's machine: a workspace, the real clients, and a scripted model for all of them."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

_HERE = Path(__file__).resolve().parent


def _beside(name: str) -> ModuleType:
    """Return the module of that name in this folder, which is on no path."""
    full = f"vademecum_e2e_{name}"
    if full not in sys.modules:
        spec = spec_from_file_location(full, _HERE / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[full] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules[full])
    return sys.modules[full]


clients = _beside("clients")
scripted = _beside("scripted_model")


@dataclass
class Desk:
    """A user's machine. `say` is what a user types into a client; requests are the model's."""

    folder: Path
    model: Any
    installed: dict[str, Any] = field(default_factory=dict)
    looked_at: int = 0

    @property
    def home(self) -> Path:
        """The user's home, where all clients keep their configuration."""
        return self.folder / "home"

    @property
    def notes(self) -> Path:
        """The workspace."""
        return self.folder / "notes"

    def vade(self, *words: str, given: str = "") -> str:
        """Run `vade` as the user and return what it printed."""
        ran = subprocess.run(
            [str(self.program), *words],
            input=given,
            capture_output=True,
            text=True,
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], "HOME": str(self.home)},
            check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    @property
    def program(self) -> Path:
        """`vade`, as a program that needs no variables to be set."""
        program = self.folder / "vade"
        if not program.exists():
            path = shlex.quote(os.pathsep.join(filter(None, sys.path)))
            start = f"PYTHONPATH={path} exec {shlex.quote(sys.executable)} -m vademecum"
            program.write_text(f'#!/bin/sh\n{start} "$@"\n')
            program.chmod(0o755)
        return program

    def client(self, host: str) -> Any:
        """Return a client with memory installed; the test is skipped where there is no client."""
        if host not in self.installed:
            try:
                program = clients.installed(host)
            except clients.NotInstalled as why:
                pytest.skip(f"{host} cannot be installed here: {why}")
            place = self.folder / "projects" / host
            made = clients.CLIENTS[host](program, self.home, place, self.model.address)
            words = ("--workspace", str(self.notes), "install", host, "--program")
            self.vade(*words, str(self.program))
            self.installed[host] = made
        return self.installed[host]

    def client_with_plugin(self, host: str, plugins: Path) -> Any:
        """Return a client that has the plugin instead, works in the workspace and knows `vade`."""
        try:
            program = clients.installed(host)
        except clients.NotInstalled as why:
            pytest.skip(f"{host} cannot be installed here: {why}")
        made = clients.CLIENTS[host](program, self.home, self.notes, self.model.address)
        made.path = f"{self.program.parent}:"
        made.add_plugin(plugins, "vademecum")
        return made

    def news(self) -> list[Any]:
        """Return the requests since the last look."""
        found = self.model.received[self.looked_at :]
        self.looked_at = len(self.model.received)
        return found

    def hook(self, host: str, event: str, **fields: object) -> str:
        """Call the hook that is installed in a client, as it would, and return its answer."""
        words = ("--workspace", str(self.notes), "hook", host, event)
        told = self.vade(*words, given=json.dumps({"hook_event_name": event, **fields}))
        if not told:
            return ""
        answer = json.loads(told)
        context = answer.get("hookSpecificOutput", answer).get("additionalContext", "")
        assert isinstance(context, str)
        return context


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with scripted.ScriptedModel(SCENES) as model:
        made = Desk(tmp_path, model)
        made.home.mkdir()
        made.vade("init", str(made.notes))
        yield made


PREFERENCE = "Invoices are always sent as PDF in landscape format"
DECISION = "The billing service stores its events in Kafka"

SCENES = (
    scripted.Scene(
        "SCENE-TELL",
        (
            scripted.Call(
                "memory_remember",
                {
                    "text": PREFERENCE,
                    "kind": "preference",
                    "tag": "stated",
                    "quote": ["invoices are sent as PDF in landscape"],
                },
            ),
            scripted.Call(
                "memory_remember",
                {
                    "text": DECISION,
                    "kind": "decision",
                    "tag": "stated",
                    "quote": ["the billing service stores events in Kafka"],
                },
            ),
        ),
        "Both are kept.",
    ),
    scripted.Scene(
        "SCENE-ASK",
        (
            scripted.Call("memory_recall", {"query": "In which format are invoices sent?"}),
            scripted.Call("memory_recall", {"query": "Where does billing store its events?"}),
        ),
        "PDF in landscape format, and Kafka.",
    ),
)
