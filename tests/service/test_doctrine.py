"""What agents are told to do works as it is told: by command, and with a text editor alone."""

from __future__ import annotations

import re
import shlex
from importlib.resources import files
from pathlib import Path

import pytest

from vademecum.service.memory import init, open_memory
from vademecum.surfaces.cli.main import status_of
from vademecum.surfaces.cli.verb import Call
from vademecum.testing import FrozenClock, small_embedder

NOW = "2026-01-21T09:30:00Z"
PROFILES = ["standard", "openclaw", "nanoclaw", "vault", "gitmem"]


def _commands(text: str) -> list[str]:
    """Return every command of `vade` that a text tells agents to use."""
    return [one for one in re.findall(r"`(vade [^`]+)`", text) if one != "vade"]


@pytest.mark.req("W-09")
@pytest.mark.parametrize("profile", PROFILES)
def test_every_command_that_agents_are_told_is_one(
    tmp_path: Path, profile: str, capsys: pytest.CaptureFixture[str]
) -> None:
    init(tmp_path, profile=profile, clock=FrozenClock(NOW))
    skill = (files("vademecum.service.hosts") / "texts" / "SKILL.md").read_text(encoding="utf-8")
    told = {one for path in tmp_path.rglob("*.md") for one in _commands(path.read_text())}
    assert told
    for command in sorted(told | set(_commands(skill))):
        words = shlex.split(command.replace("PATH:START-END", "PLACE"))[1:]
        place = next(iter(sorted(tmp_path.rglob("*.md")))).relative_to(tmp_path).as_posix()
        words = [f"{place}:1-2" if word == "PLACE" else word for word in words]
        if words[:2] == ["now", "set"] and len(words) == 2:
            words.append("# Now")
        call = Call(str(tmp_path), clock=FrozenClock(NOW), embedder=small_embedder())
        assert status_of(words, call) == 0, (command, capsys.readouterr().err)


@pytest.mark.req("W-09")
def test_a_note_written_by_hand_as_the_doctrine_says_is_recalled_as_meant(tmp_path: Path) -> None:
    init(tmp_path, clock=FrozenClock(NOW))
    doctrine = (tmp_path / "memory" / "system" / "definition.md").read_text()
    form = re.search(r"```markdown\n(.*?)```", doctrine, re.DOTALL)
    struck = re.search(r"`(- ~~\[stated\].*?)`", doctrine)
    assert form is not None
    assert struck is not None
    note = form[1].replace("What it is about", "Data centre")
    note = note.replace("One sentence that holds", "The data centre is in Oslo")
    old = struck[1].replace("The sentence that held before", "The data centre is in Bergen")
    log = "# 2026-01-20\n\n### 10:30 — Title of the entry\nThe data centre moved to Oslo.\n"
    (tmp_path / "memory" / "2026-01-20.md").write_text(log)
    folder = tmp_path / "memory" / "decisions"
    folder.mkdir(exist_ok=True)
    (folder / "2026-01-20-data-centre.md").write_text(f"{note}{old}\n")
    with open_memory(tmp_path, clock=FrozenClock(NOW), embedder=small_embedder()) as memory:
        found = memory.recall("Where is the data centre?").sources
        places = [one for one in found if "The data centre is in" in one.text]
        assert "Oslo" in places[0].text
        assert places[0].provenance == "stated"
        assert places[0].status == "current"
        assert all(one.superseded_by for one in places if "Bergen" in one.text)
        defects = [one for one in memory.doctor().findings if "data-centre" in one.where]
        assert [one.code for one in defects if one.severity == "defect"] == []
