"""pip is fetched from the index that pip itself would use, and only when its digest is right."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

Load = Callable[[str], ModuleType]
_WHEEL = b"the wheel"
_RIGHT = hashlib.sha256(_WHEEL).hexdigest()


def _file(version: str, **changes: Any) -> dict[str, Any]:
    name = f"pip-{version}-py3-none-any.whl"
    return {"filename": name, "url": f"../files/{name}", "hashes": {"sha256": _RIGHT}, **changes}


def _json(*files: dict[str, Any]) -> tuple[str, bytes]:
    return "application/vnd.pypi.simple.v1+json", json.dumps({"files": files}).encode()


def _serve(shelf: Any, *files: dict[str, Any]) -> None:
    shelf.pages["/simple/pip/"] = _json(*files)
    for file in files:
        shelf.pages[f"/simple/files/{file['filename']}"] = ("application/zip", _WHEEL)


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("PIP_INDEX_URL", "PIP_CONFIG_FILE", "PIP_CERT", "PIP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def test_the_newest_final_release_that_runs_here_is_taken(
    script: Load, shelf: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _serve(
        shelf,
        _file("9.0"),
        _file("25.10"),
        _file("25.9"),
        _file("26.0b1"),
        _file("27.0", **{"requires-python": ">=3.99"}),
        _file("28.0", yanked=True),
        _file("29.0", hashes={}),
    )
    monkeypatch.setenv("PIP_INDEX_URL", f"http://{shelf.address}/simple/")
    path = script("fetch_pip").fetch_pip(tmp_path / "wheels")
    assert (path.name, path.read_bytes()) == ("pip-25.10-py3-none-any.whl", _WHEEL)


def test_an_index_that_speaks_only_html_is_read_as_well(
    script: Load, shelf: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "pip-25.1-py3-none-any.whl"
    page = f'<a href="{name}#sha256={_RIGHT}" data-requires-python="&gt;=3.9">{name}</a>'
    page += f'<a href="pip-30-py3-none-any.whl#sha256={_RIGHT}" data-yanked="">x</a>'
    shelf.pages["/simple/pip/"] = ("text/html", page.encode())
    shelf.pages[f"/simple/pip/{name}"] = ("application/zip", _WHEEL)
    monkeypatch.setenv("PIP_INDEX_URL", f"http://{shelf.address}/simple")
    assert script("fetch_pip").fetch_pip(tmp_path).name == name


def test_a_wheel_with_another_digest_is_not_written(
    script: Load, shelf: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _serve(shelf, _file("25.1", hashes={"sha256": "0" * 64}))
    monkeypatch.setenv("PIP_INDEX_URL", f"http://{shelf.address}/simple")
    module = script("fetch_pip")
    with pytest.raises(module.FetchFailed, match="SHA-256"):
        module.fetch_pip(tmp_path / "wheels")
    assert not (tmp_path / "wheels").exists()


def test_the_index_of_pips_own_configuration_is_used_with_its_login_kept_out_of_messages(
    script: Load, shelf: Any, tmp_path: Path
) -> None:
    configuration = tmp_path / "config" / "pip" / "pip.conf"
    configuration.parent.mkdir(parents=True)
    configuration.write_text(
        f"[global]\nindex-url = http://me:s%40fe@{shelf.address}/private\n", encoding="utf-8"
    )
    module = script("fetch_pip")
    with pytest.raises(module.FetchFailed) as told:
        module.fetch_pip(tmp_path)
    path, login = shelf.asked[0]
    assert path == "/private/pip/"
    assert base64.b64decode(login.removeprefix("Basic ")) == b"me:s@fe"
    assert "s%40fe" not in str(told.value)
    assert f"http://{shelf.address}/private/pip/" in str(told.value)


def test_the_environment_wins_over_the_configuration(
    script: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = tmp_path / "pip.conf"
    named.write_text("[install]\nindex-url = http://install\n[global]\nindex-url = http://global\n")
    module = script("fetch_pip")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(named))
    assert module.pip_setting("index-url") == "http://install"
    monkeypatch.setenv("PIP_INDEX_URL", "http://environment")
    assert module.pip_setting("index-url") == "http://environment"
