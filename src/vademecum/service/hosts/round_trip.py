"""Asking what was put into a host's configuration as the host would: hook and server, once."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator

from vademecum.core.frozen import dataclass
from vademecum.service.hosts.known import Known
from vademecum.service.hosts.pieces import Member, Table
from vademecum.service.hosts.setting import Setting

_SECONDS = 30.0
_PROTOCOL = "2025-06-18"


@dataclass(frozen=True, slots=True)
class Asked:
    """One question to what was put into a host, and how it went."""

    what: str
    """`hook` or `server`."""
    command: str
    works: bool
    told: str
    """What was answered, or why nothing was."""


def asked(host: Known, setting: Setting) -> Iterator[Asked]:
    """Start the hook and the server of a host once each, with the command that it would use."""
    if host.events:
        yield _hook(host, setting)
    for _, piece in host.placed(setting):
        if isinstance(piece, Member | Table) and "vademecum" in piece.keys:
            yield _server(setting)


def _hook(host: Known, setting: Setting) -> Asked:
    event = host.events[0]
    command = setting.command("hook", host.name, event)
    told = {"hook_event_name": event, "source": "startup", "cwd": str(setting.workspace)}
    ran = _ran(command, json.dumps(told), setting)
    if isinstance(ran, str):
        return Asked("hook", command, False, ran)
    if ran.returncode:
        return Asked("hook", command, False, f"it ended with {ran.returncode}: {_last(ran.stderr)}")
    if not ran.stdout.strip():
        return Asked("hook", command, False, "it said nothing; hooks.log of the state says why")
    try:
        json.loads(ran.stdout)
    except ValueError:
        return Asked("hook", command, False, "its answer is no JSON")
    return Asked("hook", command, True, f"{len(ran.stdout):,} characters")


def _server(setting: Setting) -> Asked:
    command = setting.command("mcp")
    about = {"name": "vademecum-doctor", "version": "1"}
    params = {"protocolVersion": _PROTOCOL, "capabilities": {}, "clientInfo": about}
    asking = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    ran = _ran(command, json.dumps(asking) + "\n", setting)
    if isinstance(ran, str):
        return Asked("server", command, False, ran)
    for row in ran.stdout.splitlines():
        try:
            named = json.loads(row)["result"]["serverInfo"]
            return Asked("server", command, True, f"{named['name']} {named['version']}")
        except (ValueError, KeyError, TypeError):
            continue
    return Asked("server", command, False, f"it did not answer: {_last(ran.stderr)}")


def _ran(command: str, text: str, setting: Setting) -> subprocess.CompletedProcess[str] | str:
    """Run a command as hosts do, through a shell; return why where it cannot be waited for."""
    try:
        return subprocess.run(
            command,
            shell=True,  # every word of it is quoted
            input=text,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            cwd=setting.home if setting.home.is_dir() else "/",
            env=dict(setting.variables),
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"it did not answer within {_SECONDS:g} seconds"
    except OSError as error:
        return f"it cannot be started: {error.strerror or error}"


def _last(text: str) -> str:
    rows = [row for row in text.splitlines() if row.strip()]
    return rows[-1].strip()[:200] if rows else "no reason was given"
