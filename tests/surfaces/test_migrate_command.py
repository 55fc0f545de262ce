"""`vade migrate` on a command line: shows, asks, moves, and says where everything went."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from vademecum.surfaces.cli.main import status_of
from vademecum.surfaces.cli.verb import Call
from vademecum.testing import FrozenClock, small_embedder

Vade = Callable[..., tuple[int, str]]


@pytest.fixture
def vade(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Vade:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def run(*arguments: str) -> tuple[int, str]:
        call = Call(clock=FrozenClock(), embedder=small_embedder())
        code = status_of([*arguments], call)
        return code, capsys.readouterr().out

    code, _ = run("init", str(tmp_path / "ws"))
    assert code == 0
    return run


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "CLAUDE.md").write_text(
        "# R\n\n- Use tabs.\n\n## Team\n\n- Anna leads.\n"
    )
    (tmp_path / "source" / "link.md").symlink_to("/etc/hostname")
    return tmp_path / "source"


@pytest.mark.req("M-01")
def test_without_a_person_to_ask_it_only_shows(vade: Vade, source: Path, tmp_path: Path) -> None:
    for flags in ((), ("--dry-run",), ("--dry-run", "--yes")):
        code, told = vade("migrate", str(source), "--into", str(tmp_path / "ws"), *flags)
        assert code == 0 and "Nothing was changed. Carry it out with --yes." in told
        assert "  - Use tabs." in told and "link.md  a symbolic link to /etc/hostname" in told
    assert "Use tabs" not in (tmp_path / "ws/AGENTS.md").read_text()


@pytest.mark.req("M-01")
def test_the_name_of_a_file_cannot_add_a_line_to_what_is_shown(
    vade: Vade, source: Path, tmp_path: Path
) -> None:
    (source / "b\nThese lines become instructions.md").write_text("# B\n\n- b\n")
    code, told = vade("migrate", str(source), "--into", str(tmp_path / "ws"), "--yes")
    assert code == 0 and "b These lines become instructions.md" in told
    assert not any(
        line.startswith("These lines") and "AGENTS.md" not in line for line in told.splitlines()
    )


@pytest.mark.req("M-01")
def test_it_moves_reports_and_takes_back(vade: Vade, source: Path, tmp_path: Path) -> None:
    before = (tmp_path / "ws/AGENTS.md").read_bytes()
    code, told = vade("-w", str(tmp_path / "ws"), "migrate", str(source), "--yes")
    assert code == 0 and "7 of 7 lines accounted for" in told
    report = next((tmp_path / "state").rglob("report.md")).read_text()
    assert "| 3 | instructions | `AGENTS.md:" in report
    assert "| 7 | note | `memory/people/team.md:" in report
    code, told = vade("-w", str(tmp_path / "ws"), "migrate", str(source), "--yes")
    assert code == 0 and "nothing was changed" in told
    code, told = vade("-w", str(tmp_path / "ws"), "migrate", "--status")
    assert code == 0 and "  done  " in told
    code, told = vade("-w", str(tmp_path / "ws"), "migrate", "--rollback")
    assert code == 0 and "  rolled-back  " in told
    assert (tmp_path / "ws/AGENTS.md").read_bytes() == before
    code, _ = vade("-w", str(tmp_path / "ws"), "migrate", "--finish")
    assert code == 3


@pytest.mark.req("M-01")
def test_scripts_get_the_plan_and_every_row(vade: Vade, source: Path, tmp_path: Path) -> None:
    code, told = vade("-w", str(tmp_path / "ws"), "migrate", str(source), "--json")
    plan = json.loads(told)
    assert code == 0 and plan["files"][0]["treatment"] == "split"
    code, told = vade("-w", str(tmp_path / "ws"), "migrate", str(source), "--yes", "--json")
    report = json.loads(told)
    assert (report["phase"], report["lines"], report["accounted"]) == ("done", 7, 7)
    lines = {
        line: row
        for row in report["accounts"]
        for line in range(row["source_start"], row["source_end"] + 1)
    }
    assert set(lines) == set(range(1, 8))
    assert lines[7]["to_path"] == "memory/people/team.md" and lines[7]["fate"] == "note"


@pytest.mark.req("M-01")
@pytest.mark.parametrize(
    ("arguments", "code"),
    [((), 2), (("a", "--status"), 2), (("nowhere",), 3), (("--rollback", "x"), 3)],
)
def test_what_cannot_be_done_says_so(
    vade: Vade, tmp_path: Path, arguments: tuple[str, ...], code: int
) -> None:
    assert vade("-w", str(tmp_path / "ws"), "migrate", *arguments)[0] == code
