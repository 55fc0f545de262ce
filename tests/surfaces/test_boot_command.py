from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from vademecum.service.memory import init
from vademecum.surfaces.cli.main import status_of


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    init(tmp_path / "notes")
    monkeypatch.chdir(tmp_path / "notes")
    yield tmp_path / "notes"


@pytest.mark.req("C-01")
def test_boot_prints_the_context_and_names_beside_it_what_was_left_out(
    root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (root / "NOW.md").write_bytes(b"caf\xe9\n")
    assert status_of(["boot"]) == 0
    out, err = capfd.readouterr()
    assert out.startswith("<!-- vade:recall startup -->\n")
    assert out.endswith("<!-- /vade:recall -->\n")
    assert "### NOW.md" not in out
    assert err.startswith("not loaded: NOW.md: ")
    assert status_of(["boot", "--json"]) == 0
    made = json.loads(capfd.readouterr().out)
    assert made["left_out"][0]["path"] == "NOW.md"
    assert [part["path"] for part in made["parts"]][0] == "MEMORY.md"


@pytest.mark.usefixtures("root")
@pytest.mark.req("C-01")
def test_boot_with_an_event_it_does_not_know_prints_nothing_but_the_reason(
    capfd: pytest.CaptureFixture[str],
) -> None:
    for event in ("", "Startup", "reboot"):
        assert status_of(["boot", "--event", event]) == 2
        out, err = capfd.readouterr()
        assert out == ""
        assert "no event" in err


@pytest.mark.req("C-01")
def test_boot_takes_budget_profile_and_group(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (root / "MEMORY.md").write_text("# Memory\n" + "- Private.\n" * 500)
    assert status_of(["boot", "--budget", "700"]) == 0
    out = capfd.readouterr().out
    assert len(out) <= 701
    assert status_of(["boot", "--group"]) == 0
    assert "Private" not in capfd.readouterr().out
    assert status_of(["boot", "--profile", "nanoclaw"]) == 0
    out = capfd.readouterr().out
    assert "### memory/system/definition.md" in out
    assert "### NOW.md" not in out


@pytest.mark.usefixtures("root")
@pytest.mark.req("C-04")
def test_a_search_in_transcripts_takes_no_option_of_a_search_in_memory(
    capfd: pytest.CaptureFixture[str],
) -> None:
    for more in (["--keyword"], ["--as-of", "2026-01-01"], ["--explain"]):
        assert status_of(["search", "--transcripts", "otter", *more]) == 2
    assert status_of(["search", "--session", "s", "otter"]) == 2
    capfd.readouterr()
    assert status_of(["search", "--transcripts", "otter"]) == 0
    assert capfd.readouterr().out == "0 turns in 0 transcripts\n"
