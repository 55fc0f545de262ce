from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.context.transcripts import Transcripts
from vademecum.context.turns import Turn
from vademecum.core.errors import BadInput
from vademecum.testing import throwaway_memory


def said(transcripts: Transcripts, session: str = "one") -> list[tuple[str, str]]:
    return [(turn.speaker, turn.text) for turn in transcripts.turns(session)]


@pytest.mark.req("C-04")
def test_a_turn_is_kept_once_however_often_it_is_told(tmp_path: Path) -> None:
    kept = Transcripts(tmp_path)
    turn = Turn("id-1", "user", 'Hello\nthere "quoted" ünïcode 🦉 \udcff')
    assert len(kept.append("one", [turn, turn])) == 1
    assert kept.append("one", [turn]) == ()
    assert len(said(kept)) == 1
    assert said(kept)[0][1].startswith('Hello\nthere "quoted" ünïcode 🦉')


@pytest.mark.req("C-04")
def test_a_turn_that_was_reported_as_it_happened_is_recognised_in_the_hosts_transcript(
    tmp_path: Path,
) -> None:
    kept = Transcripts(tmp_path)
    kept.append("one", [Turn("", "user", "Yes")])
    kept.append("one", [Turn("", "user", "Yes")])  # delivered twice
    kept.append("one", [Turn("", "assistant", "Done.")])
    kept.append("one", [Turn("", "user", "Yes")])  # said again
    assert [text for _, text in said(kept)] == ["Yes", "Done.", "Yes"]
    host = [Turn("u1", "user", "Yes "), Turn("a1", "assistant", "Done."), Turn("u2", "user", "Yes")]
    for _ in range(3):
        assert kept.append("one", host) == ()
    assert len(said(kept)) == 3
    kept.append("one", [Turn("u3", "user", "Yes")])  # a third one, which nobody had reported
    assert len(said(kept)) == 4


@pytest.mark.req("C-04")
def test_a_session_id_never_leads_out_of_the_directory(tmp_path: Path) -> None:
    kept = Transcripts(tmp_path / "transcripts")
    for session in ("../../evil", "/etc/passwd", "a/b", ".", "..", ".hidden", "x" * 300, "nul\0"):
        kept.append(session, [Turn("1", "user", session)])
        assert said(kept, session) == [("user", session)]
        assert kept.path(session).parent == tmp_path / "transcripts"
    assert {path.name for path in tmp_path.iterdir()} == {"transcripts"}


@pytest.mark.req("C-04")
def test_transcripts_are_private_to_their_owner(tmp_path: Path) -> None:
    kept = Transcripts(tmp_path / "transcripts")
    kept.append("one", [Turn("1", "user", "secret")])
    assert kept.path("one").stat().st_mode & 0o077 == 0
    assert (tmp_path / "transcripts").stat().st_mode & 0o077 == 0


TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40)


@pytest.mark.req("C-04")
@settings(max_examples=60, deadline=None)
@given(turns=st.lists(TEXTS, min_size=1, max_size=5), torn=TEXTS, cut=st.floats(0, 1))
def test_whatever_a_crash_leaves_of_the_last_row_no_acknowledged_turn_is_lost(
    turns: list[str], torn: str, cut: float
) -> None:
    with tempfile.TemporaryDirectory() as made:
        kept = Transcripts(Path(made))
        for number, text in enumerate(turns):
            kept.append("one", [Turn(f"t{number}", "user", text)])
        path = kept.path("one")
        whole = path.stat().st_size
        kept.append("one", [Turn("torn", "user", torn)])
        os.truncate(path, whole + int(cut * (path.stat().st_size - whole)))
        kept.append("one", [Turn("next", "assistant", "after")])
        kept.append("one", [Turn("torn", "user", torn)])  # the host tells it once more
        found = {turn.id: turn.text for turn in kept.turns("one")}
        expected = {f"t{number}": text for number, text in enumerate(turns)}
        assert found == {**expected, "next": "after", "torn": torn}


@pytest.mark.req("C-04")
def test_transcripts_are_found_on_request_and_never_as_memory(tmp_path: Path) -> None:
    with throwaway_memory(root=tmp_path) as memory:
        kept = Transcripts(memory._workspace.state / "transcripts")
        kept.append("one", [Turn("1", "user", "The ZEBRA crosses at noon", "2026-01-20T10:00:00")])
        kept.append("one", [Turn("2", "assistant", "Noted: noon.", "2026-01-20T10:00:01")])
        kept.append("two", [Turn("1", "user", "斑马在中午过马路", "2026-01-20T11:00:00")])
        found = memory.transcripts("zebra at noon")
        assert [(hit.session, hit.line, hit.turn.id) for hit in found.hits] == [
            ("one", 1, "1"), ("one", 2, "2")
        ]  # fmt: skip
        assert found.hits[0].score > found.hits[1].score
        assert memory.transcripts("斑马").hits[0].session == "two"
        assert memory.transcripts("noon", session="two").hits == ()
        assert memory.search("zebra", leg="keyword").hits == ()
        assert "ZEBRA" not in repr(memory.search("zebra")) + repr(memory.recall("zebra"))
        assert memory.transcripts("giraffe").hits == ()
        with pytest.raises(BadInput):
            memory.transcripts("  ")


@pytest.mark.req("C-04")
def test_transcripts_go_when_nothing_was_added_for_long(tmp_path: Path) -> None:
    kept = Transcripts(tmp_path)
    for session in ("old", "new"):
        kept.append(session, [Turn("1", "user", "x")])
    os.utime(kept.path("old"), (1_000_000, 1_000_000))
    now = kept.path("new").stat().st_mtime
    assert kept.prune(0, now) == 0
    assert kept.prune(90, now) == 1
    assert [one.session for one in kept.sessions()] == ["new"]
