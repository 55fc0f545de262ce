"""A host's configuration gets memory and nothing else, and is as it was before afterwards."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
import tomllib
from pathlib import Path

import pytest

from vademecum import __version__
from vademecum.context.hosts import host_named
from vademecum.core.errors import BadInput, ForeignConfiguration
from vademecum.service import installing
from vademecum.service.hosts import set_up
from vademecum.service.hosts.known import KNOWN, known
from vademecum.service.hosts.pieces import Whole
from vademecum.service.hosts.setting import Setting
from vademecum.service.memory import init, open_memory

HOSTS = [host.name for host in KNOWN]


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    (tmp_path / "home").mkdir()
    (tmp_path / "my notes").mkdir()
    variables = {"HOME": str(tmp_path / "home")}
    return Setting(("/opt/my tools/vade",), tmp_path / "my notes", None, variables)


def _files(folder: Path) -> dict[str, bytes]:
    """Return every file of the user's, the state directory left out."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in found
        if ".local" not in path.parts
    }


def _write(setting: Setting, name: str, text: str) -> Path:
    path = setting.home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("host", HOSTS)
def test_a_second_run_changes_nothing(host: str, setting: Setting) -> None:
    set_up.install(host, setting)
    before = _files(setting.home)
    assert [done.what for done in set_up.install(host, setting)] == ["unchanged"] * len(before)
    assert _files(setting.home) == before


@pytest.mark.parametrize("host", HOSTS)
def test_taking_back_leaves_an_empty_home_as_empty_as_it_was(host: str, setting: Setting) -> None:
    set_up.install(host, setting)
    set_up.uninstall(host, setting)
    assert [path.name for path in setting.home.iterdir()] == [".local"]


def test_commands_are_absolute_and_quoted(setting: Setting) -> None:
    set_up.install("claude-code", setting)
    held = json.loads((setting.home / ".claude" / "settings.json").read_text())
    command = held["hooks"]["SessionStart"][0]["hooks"][0]["command"]
    workspace = str(setting.workspace)
    assert shlex.split(command) == [
        "/opt/my tools/vade", "--workspace", workspace, "hook", "claude-code", "SessionStart",
    ]  # fmt: skip
    server = json.loads((setting.home / ".claude.json").read_text())["mcpServers"]["vademecum"]
    assert server["command"] == "/opt/my tools/vade"
    assert server["args"] == ["--workspace", workspace, "mcp"]


SETTINGS = """{
    "model" : "opus",   "env": {"A": "1.10"},
    "hooks": {
        "Stop": [
            {"matcher": "", "hooks": [{"type": "command", "command": "notify  done"}]}
        ],
        "PreToolUse": []
    },
    "ünïcode": "\\u00e9 é"
}
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_what_others_set_stays_to_the_byte(setting: Setting, newline: str, mark: str) -> None:
    text = mark + SETTINGS.replace("\n", newline)
    path = _write(setting, ".claude/settings.json", text)
    path.chmod(0o640)
    set_up.install("claude-code", setting)
    after = path.read_bytes().decode()
    rows = after.split(newline)
    for row in text.split(newline):  # in their order, with nothing but commas added
        while rows and rows[0].rstrip(",") != row.rstrip(","):
            rows.pop(0)
        assert rows, row
    held = json.loads(after.removeprefix("\ufeff"))
    assert len(held["hooks"]["Stop"]) == 2
    assert path.stat().st_mode & 0o777 == 0o640
    set_up.uninstall("claude-code", setting)
    assert path.read_bytes().decode() == text


def test_what_others_add_meanwhile_stays_when_memory_goes(setting: Setting) -> None:
    path = _write(setting, ".claude/settings.json", SETTINGS)
    set_up.install("claude-code", setting)
    held = json.loads(path.read_text())
    held["theme"] = "dark"
    held["hooks"]["SessionStart"].insert(0, {"hooks": [{"type": "command", "command": "date"}]})
    path.write_text(json.dumps(held))
    set_up.uninstall("claude-code", setting)
    expected = json.loads(SETTINGS)
    expected["theme"] = "dark"
    expected["hooks"]["SessionStart"] = [{"hooks": [{"type": "command", "command": "date"}]}]
    assert json.loads(path.read_text()) == expected


def test_another_workspace_takes_the_place_of_the_first_one(setting: Setting) -> None:
    path = _write(setting, ".claude/settings.json", SETTINGS)
    set_up.install("claude-code", setting)
    other = setting.workspace.parent / "other"
    other.mkdir()
    set_up.install("claude-code", Setting(setting.program, other, None, setting.variables))
    assert str(setting.workspace) not in path.read_text()
    assert len(json.loads(path.read_text())["hooks"]["SessionStart"]) == 1
    set_up.uninstall("claude-code", setting)
    assert path.read_text() == SETTINGS


def test_hooks_that_came_twice_are_there_once_again(setting: Setting) -> None:
    path = setting.home / ".claude" / "settings.json"
    set_up.install("claude-code", setting)
    before = path.read_text()
    held = json.loads(before)
    held["hooks"]["Stop"] *= 2
    path.write_text(json.dumps(held, indent=2) + "\n")
    set_up.install("claude-code", setting)
    assert path.read_text() == before


def test_memory_goes_even_where_nobody_knows_what_was_there_before(setting: Setting) -> None:
    path = _write(setting, ".claude/settings.json", SETTINGS)
    set_up.install("claude-code", setting)
    shutil.rmtree(setting.home / ".local")
    set_up.uninstall("claude-code", setting)
    expected = json.loads(SETTINGS)
    assert json.loads(path.read_text()) == expected
    assert not (setting.home / ".claude.json").exists()


def test_the_file_is_kept_before_its_first_edit(setting: Setting) -> None:
    path = _write(setting, ".claude/settings.json", SETTINGS)
    done = {file.path: file for file in set_up.install("claude-code", setting)}
    assert Path(done[str(path)].backup).read_text() == SETTINGS


@pytest.mark.parametrize(
    ("name", "host", "text"),
    [
        (".claude/settings.json", "claude-code", '{\n  // mine\n  "model": "opus"\n}\n'),
        (".claude/settings.json", "claude-code", '{"a": 1, "a": 2}'),
        (".claude/settings.json", "claude-code", '{"hooks": {"Stop": "none"}}'),
        (".claude/settings.json", "claude-code", "[]"),
        (".openclaw/openclaw.json", "openclaw", "{mcp: {servers: {}},}"),
        (".codex/config.toml", "codex", 'model = "a"\nmodel = "b"\n'),
        (".codex/config.toml", "codex", 'mcp_servers = { mine = { command = "x" } }\n'),
    ],
)
def test_a_file_that_could_be_damaged_is_left_alone_with_what_to_paste(
    setting: Setting, name: str, host: str, text: str
) -> None:
    path = _write(setting, name, text)
    before = _files(setting.home)
    with pytest.raises(ForeignConfiguration) as caught:
        set_up.install(host, setting)
    assert str(path) in str(caught.value)
    assert "/opt/my tools/vade" in caught.value.hint
    assert _files(setting.home) == before


CONFIG = """# my model
model = "gpt-5"   # the good one

[mcp_servers.mine]
command = "x"

[projects."/home/me"]
trust_level = "trusted"
# the end"""


def test_comments_and_order_of_codex_stay(setting: Setting) -> None:
    path = _write(setting, ".codex/config.toml", CONFIG)
    set_up.install("codex", setting)
    assert path.read_text().startswith(CONFIG)
    held = tomllib.loads(path.read_text())["mcp_servers"]["vademecum"]
    assert held["command"] == "/opt/my tools/vade"
    assert held["required"] is True
    path.write_text(path.read_text() + "\n[features]\nweb = true\n")
    set_up.uninstall("codex", setting)
    assert path.read_text() == CONFIG + "\n\n[features]\nweb = true\n"


def test_codex_configuration_that_nobody_touched_is_what_it_was(setting: Setting) -> None:
    path = _write(setting, ".codex/config.toml", CONFIG)
    set_up.install("codex", setting)
    set_up.uninstall("codex", setting)
    assert path.read_text() == CONFIG


def test_a_configuration_behind_a_link_is_edited_where_it_is(setting: Setting) -> None:
    real = _write(setting, "dotfiles/settings.json", SETTINGS)
    (setting.home / ".claude").mkdir()
    (setting.home / ".claude" / "settings.json").symlink_to(real)
    set_up.install("claude-code", setting)
    assert (setting.home / ".claude" / "settings.json").is_symlink()
    assert "hook claude-code" in real.read_text()


def test_a_project_has_its_own_configuration(setting: Setting, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    own = Setting(setting.program, setting.workspace, project, setting.variables)
    set_up.install("claude-code", own)
    assert sorted(_files(project)) == [
        ".claude/settings.json", ".claude/skills/vademecum/SKILL.md", ".mcp.json",
    ]  # fmt: skip
    assert _files(setting.home) == {}
    set_up.uninstall("claude-code", own)
    assert list(project.iterdir()) == []
    with pytest.raises(BadInput):
        set_up.install("openclaw", own)


def test_variables_say_where_the_configuration_is(setting: Setting, tmp_path: Path) -> None:
    variables = {
        **setting.variables,
        "CLAUDE_CONFIG_DIR": str(tmp_path / "c"),
        "CODEX_HOME": str(tmp_path / "x"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }
    moved = Setting(setting.program, setting.workspace, None, variables)
    set_up.install("claude-code", moved)
    set_up.install("codex", moved)
    assert (tmp_path / "c" / "settings.json").is_file()
    server = json.loads((tmp_path / "c" / ".claude.json").read_text())["mcpServers"]["vademecum"]
    assert server["env"] == {"XDG_STATE_HOME": str(tmp_path / "state")}
    held = tomllib.loads((tmp_path / "x" / "config.toml").read_text())
    assert held["mcp_servers"]["vademecum"]["env"] == {"XDG_STATE_HOME": str(tmp_path / "state")}
    assert _files(setting.home) == {}


# ---------------------------------------------------------------- the round trip


def _real(tmp_path: Path) -> tuple[tuple[str, ...], Path, dict[str, str]]:
    variables = {
        "HOME": str(tmp_path),
        "PATH": os.defpath,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }
    root = tmp_path / "notes"
    init(root)
    return (sys.executable, "-m", "vademecum"), root, variables


@pytest.mark.req("C-01")
def test_hook_and_server_are_asked_once_as_the_host_would(tmp_path: Path) -> None:
    program, root, variables = _real(tmp_path)
    done = installing.install("codex", program=program, root=root, variables=variables)
    assert [(one.what, one.works) for one in done.asked] == [("hook", True), ("server", True)]
    assert "/hooks" in done.afterwards


def test_a_program_that_does_not_answer_is_told(tmp_path: Path) -> None:
    _, root, variables = _real(tmp_path)
    done = installing.install("gemini", program=("/bin/false",), root=root, variables=variables)
    assert not done.works
    assert all(not one.works for one in done.asked)


def test_the_doctor_asks_each_installed_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, root, variables = _real(tmp_path)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    installing.install("gemini", program=program, root=root)
    with open_memory(root) as memory:
        assert not [one for one in memory.doctor().findings if one.code.startswith("host-")]
        (tmp_path / ".gemini" / "settings.json").write_text("{}")
        assert [one.code for one in memory.doctor().findings if one.code.startswith("host-")] == [
            "host-incomplete"
        ]
        installing.install("gemini", program=("/bin/false",), root=root)
        codes = [one.code for one in memory.doctor().findings if one.code.startswith("host-")]
        assert codes == ["host-silent", "host-silent"]
        installing.uninstall("gemini")
        assert not [one for one in memory.doctor().findings if one.code.startswith("host-")]


# ---------------------------------------------------------------- the plugin


def _plugin() -> Path:
    return Path(__file__).parents[2] / "plugins" / "vademecum"


def test_the_plugin_says_what_the_program_says() -> None:
    manifest = json.loads((_plugin() / ".claude-plugin" / "plugin.json").read_text())
    market = json.loads((_plugin().parent / ".claude-plugin" / "marketplace.json").read_text())
    assert manifest["version"] == market["plugins"][0]["version"] == __version__
    skill = (_plugin() / "skills" / "vademecum" / "SKILL.md").read_text()
    shipped = [piece for _, piece in known("claude-code").placed(_nobody())][-1]
    assert isinstance(shipped, Whole)
    assert skill == shipped.text


def test_the_plugin_has_the_hooks_that_install_gives() -> None:
    held = json.loads((_plugin() / "hooks" / "hooks.json").read_text())["hooks"]
    assert tuple(held) == known("claude-code").events == known("codex").events
    for event, items in held.items():
        assert items[0]["hooks"][0]["command"] == f"vade hook claude-format {event}"


@pytest.mark.req("C-04")
def test_the_plugin_reads_the_transcripts_of_both() -> None:
    host = host_named("claude-format")
    claude = {
        "type": "user", "uuid": "1", "timestamp": "2026-11-30T10:00:00Z",
        "message": {"role": "user", "content": "hello"},
    }  # fmt: skip
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hello"}]}
    codex = {"type": "response_item", "timestamp": "2026-11-30T10:00:00Z", "payload": said}
    assert [turn.host for row in (claude, codex) for turn in host.turns(row)] == [
        "claude-code", "codex",
    ]  # fmt: skip


def _nobody() -> Setting:
    return Setting(("/vade",), Path("/notes"), None, {"HOME": "/nobody"})
