"""Git merges memory through the driver that `vade git setup` registers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from vademecum.service.memory import open_memory
from vademecum.service.merging import merge_file
from vademecum.testing import FrozenClock

pytestmark = pytest.mark.req("B-02")
SOURCE = Path(__file__).resolve().parents[2] / "src"
NOTE = "memory/decisions/api.md"
HEAD = "---\ntype: decision\ntitle: API\n---\n\n# API\n\n"
BASE = f"{HEAD}- [stated] Services talk REST (2026-01-10) ^c7f3a1\n"
STRUCK = BASE.replace(
    "- [stated] Services talk REST (2026-01-10)",
    "- ~~[stated] Services talk REST (2026-01-10)~~ superseded 2026-01-15",
)
EDITED = BASE.replace("talk REST", "talk REST over TLS")


class Clone:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def git(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        environment = {
            "PATH": "/usr/bin:/bin:/usr/local/bin",
            "HOME": str(self.folder.parent),
            "PYTHONPATH": str(SOURCE),
        }
        settings = ["-c", "user.name=O", "-c", "user.email=o@example.org"]
        done = subprocess.run(
            ["git", *settings, *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            env=environment,
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def setup(self) -> None:
        with open_memory(
            self.folder,
            clock=FrozenClock(),
            settings={"state.directory": f"{self.folder}-state", "embedder.provider": "none"},
            variables={},
        ) as memory:
            memory.git("setup")
        driver = f"{sys.executable} -m vademecum merge-file %O %A %B %P --marker-size %L"
        self.git("config", "merge.vade.driver", driver)

    def save(self, path: str, text: str, message: str) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def text(self, path: str = NOTE) -> str:
        return (self.folder / path).read_text()


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    made = Clone(tmp_path / "notes")
    made.folder.mkdir()
    (made.folder / "vade.toml").write_text('[workspace]\nid = "w"\nprofile = "standard"\n')
    made.git("init", "-q", "-b", "main")
    made.setup()
    made.save(NOTE, BASE, "base")
    return made


@pytest.mark.parametrize("swapped", [False, True])
def test_a_strike_and_an_edit_of_one_claim_never_leave_it_live(clone: Clone, swapped: bool) -> None:
    one, two = (EDITED, STRUCK) if swapped else (STRUCK, EDITED)
    clone.git("checkout", "-q", "-b", "side")
    clone.save(NOTE, two, "theirs")
    clone.git("checkout", "-q", "main")
    clone.save(NOTE, one, "ours")
    clone.git("merge", "-q", "side", "-m", "both")
    claim = next(line for line in clone.text().splitlines() if "c7f3a1" in line)
    assert claim == (
        "- ~~[stated] Services talk REST over TLS (2026-01-10)~~ superseded 2026-01-15 ^c7f3a1"
    )
    assert clone.text().count("Services talk") == 1
    assert clone.git("status", "--porcelain").stdout == ""


def test_two_wordings_stop_the_merge_with_both_in_the_file(clone: Clone) -> None:
    clone.git("checkout", "-q", "-b", "side")
    clone.save(NOTE, EDITED, "theirs")
    clone.git("checkout", "-q", "main")
    clone.save(NOTE, BASE.replace("talk REST", "talk REST and MQTT"), "ours")
    done = clone.git("merge", "-q", "side", check=False)
    assert done.returncode == 1
    assert "both sides changed the same claim" in done.stderr
    assert clone.git("status", "--porcelain").stdout == f"UU {NOTE}\n"
    text = clone.text()
    assert "REST over TLS" in text
    assert "REST and MQTT" in text
    assert "> ⚠️ CONFLICT" in text
    assert "status: conflict" in text
    assert "<<<<<<<" not in text


def test_a_rebase_merges_by_claim_too(clone: Clone) -> None:
    clone.git("checkout", "-q", "-b", "side")
    clone.save(NOTE, EDITED, "theirs")
    clone.git("checkout", "-q", "main")
    clone.save(NOTE, STRUCK, "ours")
    clone.git("rebase", "-q", "main", "side")
    assert clone.text().count("Services talk") == 1
    assert "~~[stated] Services talk REST over TLS" in clone.text()


def test_logs_of_both_sides_are_united(clone: Clone) -> None:
    log = "memory/2026-01-20.md"
    clone.git("checkout", "-q", "-b", "side")
    clone.save(log, "# 2026-01-20\n\n### 09:00 — theirs\nA\n", "theirs")
    clone.git("checkout", "-q", "main")
    clone.save(log, "# 2026-01-20\n\n### 08:00 — ours\nB\n", "ours")
    clone.git("merge", "-q", "side", "-m", "both")
    assert clone.text(log) == "# 2026-01-20\n\n### 08:00 — ours\nB\n\n### 09:00 — theirs\nA\n"


def test_what_was_forgotten_here_does_not_come_back_by_a_merge(
    clone: Clone, tmp_path: Path
) -> None:
    with open_memory(
        clone.folder,
        clock=FrozenClock(),
        settings={"state.directory": f"{clone.folder}-state", "embedder.provider": "none"},
        variables={},
    ) as memory:
        memory.forget("^c7f3a1")
    files = []
    for name, text in (("base", ""), ("ours", "# API\n"), ("theirs", BASE + "- Other ^d1d1d1\n")):
        files.append(tmp_path / name)
        files[-1].write_text(text)
    done = merge_file(*files, NOTE, folder=clone.folder, variables={})
    assert "REST" not in files[1].read_text()
    assert "- Other ^d1d1d1" in files[1].read_text()
    assert done.path == NOTE


def test_files_that_are_no_text_stay_as_ours_has_them(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("base", "ours", "theirs")]
    for number, file in enumerate(files):
        file.write_bytes(b"\xff\xfe\x00\x01" * 9 + bytes([number]))
    done = merge_file(*files, "x.md", folder=tmp_path, variables={})
    assert done.status == 1
    assert files[1].read_bytes().endswith(b"\x01")
