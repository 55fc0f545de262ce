"""The real clients: where each is installed, and how it is started without a keyboard."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

SECONDS = 120
_INSTALL_SECONDS = 600


class NotInstalled(Exception):
    """Why a client is not there."""


@dataclass(frozen=True)
class Package:
    """A client in the npm registry."""

    name: str
    version: str
    binary: str


PACKAGES = {
    "claude-code": Package("@anthropic-ai/claude-code", "2.1.332", "claude"),
    "codex": Package("@openai/codex", "0.171.0", "codex"),
    "gemini": Package("@google/gemini-cli", "0.61.0", "gemini"),
    "opencode": Package("opencode-ai", "1.18.33", "opencode"),
}


def installed(host: str) -> Path:
    """Return a client's program; it is installed once and kept. Raises NotInstalled."""
    package = PACKAGES[host]
    folder = _cache() / f"{host}-{package.version}"
    program = folder / "node_modules" / ".bin" / package.binary
    complete = folder / "complete"
    if complete.is_file() and program.exists():
        return program
    npm = shutil.which("npm")
    if npm is None:
        raise NotInstalled("npm is not there")
    folder.mkdir(parents=True, exist_ok=True)
    words = [npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund"]
    try:
        ran = subprocess.run(
            [*words, "--loglevel=error", f"{package.name}@{package.version}"],
            capture_output=True,
            text=True,
            timeout=_INSTALL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise NotInstalled("npm took too long") from None
    if ran.returncode or not program.exists():
        rows = ran.stderr.strip().splitlines() or ["npm gave no reason"]
        raise NotInstalled(f"{package.name}@{package.version}: {rows[-1][:200]}")
    complete.touch()
    return program


def _cache() -> Path:
    named = os.environ.get("VADEMECUM_TEST_CLIENTS")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(named) if named else home / "vademecum-test-clients"


@dataclass(frozen=True)
class Ran:
    """One run of a client."""

    session: str
    output: str


@dataclass
class Client:
    """A client with a home of its own that speaks to a model at `address`."""

    program: Path
    home: Path
    folder: Path
    address: str

    host = ""
    path = ""

    def __post_init__(self) -> None:
        self.home.mkdir(parents=True, exist_ok=True)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.prepare()

    def prepare(self) -> None:
        """Write the configuration that a user would have before memory is installed."""

    def variables(self) -> dict[str, str]:
        """Return what the client has to know beside PATH and HOME."""
        return {}

    def run(self, prompt: str, session: str = "") -> Ran:
        """Say `prompt` in a new session, or in one from before."""
        raise NotImplementedError

    def compact(self, session: str, prompt: str) -> bool:
        """Compact a session for real, then say `prompt` in it.

        False where that cannot be done without a keyboard.
        """
        del session, prompt
        return False

    def environment(self) -> dict[str, str]:
        """Return the whole environment of the client."""
        path = f"{self.path}{self.program.parent}:{os.environ['PATH']}"
        return {"PATH": path, "HOME": str(self.home), "NO_COLOR": "1", **self.variables()}

    def started(self, *words: str, more: Mapping[str, str] | None = None) -> str:
        """Run the program and return what it printed."""
        ran = subprocess.run(
            [str(self.program), *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            cwd=self.folder,
            env={**self.environment(), **(more or {})},
            check=False,
        )
        told = f"{ran.stderr[-2000:]}\n{ran.stdout[-2000:]}"
        assert ran.returncode == 0, f"{self.host} ended with {ran.returncode}:\n{told}"
        return ran.stdout


class ClaudeCode(Client):
    host = "claude-code"

    def variables(self) -> dict[str, str]:
        quiet = (
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
            "DISABLE_TELEMETRY",
            "DISABLE_AUTOUPDATER",
            "DISABLE_ERROR_REPORTING",
        )
        named = {"ANTHROPIC_BASE_URL": self.address, "ANTHROPIC_API_KEY": "sk-none"}
        return {**named, **dict.fromkeys(quiet, "1")}

    def run(self, prompt: str, session: str = "") -> Ran:
        resumed = ["--resume", session] if session else []
        output = self.started(
            "-p", prompt, *resumed, "--output-format", "json", "--model", "claude-sonnet-4-5",
            "--allowedTools", "mcp__vademecum,mcp__plugin_vademecum_vademecum",
        )  # fmt: skip
        told = json.loads(output)
        return Ran(told["session_id"], output)

    def add_plugin(self, marketplace: Path, name: str) -> None:
        """Install a plugin from a directory, as a user would."""
        self.started("plugin", "marketplace", "add", str(marketplace))
        self.started("plugin", "install", f"{name}@{name}", "--scope", "user")

    def compact(self, session: str, prompt: str) -> bool:
        self.run("/compact", session)
        self.run(prompt, session)
        return True


class Codex(Client):
    host = "codex"

    def prepare(self) -> None:
        folder = self.home / ".codex"
        folder.mkdir(exist_ok=True)
        (folder / "config.toml").write_text(
            f"""# a model on this machine
model = "scripted"
model_provider = "scripted"
approval_policy = "never"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "{self.address}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false
"""
        )

    def variables(self) -> dict[str, str]:
        return {"SCRIPTED_KEY": "none"}

    def run(self, prompt: str, session: str = "", *more: str) -> Ran:
        # Somebody at the keyboard approves the hooks once, with /hooks.
        options = ["--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", *more]
        resumed = ["resume", session] if session else []
        output = self.started("exec", *resumed, *options, prompt)
        rows = [json.loads(row) for row in output.splitlines() if row.startswith("{")]
        begun = [row["thread_id"] for row in rows if row.get("type") == "thread.started"]
        return Ran(begun[0] if begun else session, output)

    def add_plugin(self, marketplace: Path, name: str) -> None:
        """Install a plugin from a directory, as a user would."""
        self.started("plugin", "marketplace", "add", str(marketplace))
        self.started("plugin", "add", f"{name}@{name}")

    def compact(self, session: str, prompt: str) -> bool:
        self.run(prompt, session, "-c", "model_auto_compact_token_limit=50")
        return True


class Gemini(Client):
    host = "gemini"

    def prepare(self) -> None:
        folder = self.home / ".gemini"
        folder.mkdir(exist_ok=True)
        settings = {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
        }
        (folder / "settings.json").write_text(json.dumps(settings, indent=2))

    def variables(self) -> dict[str, str]:
        return {
            "GEMINI_API_KEY": "none",
            "GOOGLE_GEMINI_BASE_URL": self.address,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "GEMINI_TELEMETRY_ENABLED": "false",
        }

    def run(self, prompt: str, session: str = "") -> Ran:
        resumed = ["--resume", session] if session else []
        output = self.started(
            "-p", prompt, *resumed, "--approval-mode", "yolo", "--output-format", "json",
            "-m", "gemini-2.5-flash",
        )  # fmt: skip
        told = json.loads(output[output.index("{") :])
        return Ran(str(told.get("session_id", "")), output)


class OpenCode(Client):
    host = "opencode"

    def prepare(self) -> None:
        folder = self.home / ".config" / "opencode"
        folder.mkdir(parents=True, exist_ok=True)
        models: dict[str, Any] = {"scripted": {"name": "scripted", "tool_call": True}}
        options = {"baseURL": f"{self.address}/v1", "apiKey": "none"}
        provider = {
            "npm": "@ai-sdk/openai-compatible", "name": "here", "options": options,
            "models": models,
        }  # fmt: skip
        settings = {
            "$schema": "https://opencode.ai/config.json",
            "model": "here/scripted",
            "small_model": "here/scripted",
            "share": "disabled",
            "permission": {"*": "allow"},
            "provider": {"here": provider},
        }
        (folder / "opencode.json").write_text(json.dumps(settings, indent=2))

    def variables(self) -> dict[str, str]:
        return {
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        }

    def run(self, prompt: str, session: str = "") -> Ran:
        resumed = ["--session", session] if session else []
        output = self.started("run", "--format", "json", *resumed, prompt)
        rows = [json.loads(row) for row in output.splitlines() if row.startswith("{")]
        named = [row["sessionID"] for row in rows if row.get("sessionID")]
        return Ran(named[0] if named else session, output)

    def compact(self, session: str, prompt: str) -> bool:
        with self.serving() as address:
            body = json.dumps({"providerID": "here", "modelID": "scripted"}).encode()
            asked = Request(f"{address}/session/{session}/summarize", body)
            asked.add_header("content-type", "application/json")
            with urlopen(asked, timeout=SECONDS) as answer:
                assert json.load(answer) is True
        self.run(prompt, session)
        return True

    @contextmanager
    def serving(self) -> Iterator[str]:
        """Serve as OpenCode does for its other surfaces, and yield the address."""
        words = [str(self.program), "serve", "--hostname", "127.0.0.1", "--port", "0"]
        with subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=self.folder,
            env=self.environment(),
            start_new_session=True,
        ) as process:
            try:
                assert process.stdout is not None
                for row in process.stdout:
                    if found := re.search(r"http://\S+", row):
                        yield found[0]
                        break
            finally:
                os.killpg(process.pid, signal.SIGTERM)


CLIENTS = {client.host: client for client in (ClaudeCode, Codex, Gemini, OpenCode)}
