"""Forgetting through the library: session transcripts too, with proof, and for good once purged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from vademecum.core.errors import BadInput, Refused
from vademecum.service.memory import Memory
from vademecum.testing import throwaway_memory

CLAIM = "The vault code of the office is 4711"
TURNS = [
    {"role": "user", "content": f"Note this:\n{CLAIM}.\nAnd call Berta, 電話してください。"},
    {"role": "assistant", "content": "Noted: the vault   code of the office is 4711, as of today."},
    {"role": "user", "content": "What else is open?"},
]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with throwaway_memory(root=tmp_path) as opened:
        yield opened


def state_of(tmp_path: Path) -> Path:
    (ledger,) = (tmp_path / "state").rglob("ledger.jsonl")
    return ledger.parent


def in_state(tmp_path: Path) -> list[str]:
    state = state_of(tmp_path)
    return [
        file.relative_to(state).as_posix()
        for file in sorted(state.rglob("*"))
        if file.is_file()
        and not file.is_relative_to(state / "blobs")
        and b"office is 4711" in file.read_bytes()
    ]


@pytest.mark.req("B-03", "C-03")
def test_forgetting_reaches_what_was_said_in_sessions(memory: Memory, tmp_path: Path) -> None:
    memory.flush(messages=TURNS, window=100_000, session="talk")
    kept = memory.remember(CLAIM, tag="stated")
    transcript = state_of(tmp_path) / "transcripts" / "talk.jsonl"
    with transcript.open("ab") as file:  # a crash tore this row
        file.write(f'{{"id":"x","speaker":"user","text":"{CLAIM}, he sa'.encode())
    planned = memory.forget(f"^{kept.claim}", dry_run=True)
    told = [str(place.span) for place in planned.places]
    assert "transcript of talk:1" in told
    assert memory.transcripts("vault code").hits
    done = memory.forget(f"^{kept.claim}")
    assert {"transcript of talk:1", "transcript of talk:2"} <= {
        str(place.span) for place in done.places
    }
    assert "no transcript of a session holds it" in done.proof
    assert not [hit for hit in memory.transcripts("vault code 4711").hits if "4711" in hit.excerpt]
    assert in_state(tmp_path) == []
    # The rest of what was said is as it was, in its rows.
    rows = transcript.read_text().splitlines()
    assert len(rows) == 4
    assert "And call Berta, 電話してください。" in rows[0]
    assert f"Noted: [forgotten {done.stone}], as of today." in rows[1]
    # The window is still open: what it tells again is known, and does not come back.
    memory.flush(messages=TURNS, window=100_000, session="talk")
    assert len(transcript.read_text().splitlines()) == 4
    assert in_state(tmp_path) == []


@pytest.mark.req("B-03")
def test_a_host_s_own_transcript_is_named_as_what_remains(memory: Memory, tmp_path: Path) -> None:
    own = tmp_path / "host.jsonl"
    own.write_text(f'{{"said": "{CLAIM}"}}\n')
    cursors = state_of(tmp_path) / "transcripts" / "cursors"
    cursors.mkdir(parents=True)
    (cursors / "talk.json").write_text(f'{{"file": ["{own}", 1], "offset": 0}}')
    (state_of(tmp_path) / "notes-of-a-job.txt").write_text(f"Planned: {CLAIM}")
    kept = memory.remember(CLAIM, tag="stated")
    done = memory.forget(f"^{kept.claim}", purge=True)
    places = {remains.where for remains in done.remains}
    assert str(own) in places
    assert "notes-of-a-job.txt in the state directory" in places
    assert own.read_text() == f'{{"said": "{CLAIM}"}}\n'


@pytest.mark.req("B-03", "F-07")
def test_what_was_purged_cannot_be_taken_back_in_part(memory: Memory, tmp_path: Path) -> None:
    kept = memory.remember(CLAIM, tag="stated")
    memory.log(f"Ada said: {CLAIM}.")
    done = memory.forget(f"^{kept.claim}", purge=True)
    before = {path: path.read_bytes() for path in (tmp_path / "workspace").rglob("*.*")}
    members = [change.id for change in memory.history(limit=100) if change.verb == "forget"]
    assert len(members) > 2
    for id in (*members, done.stone):
        with pytest.raises(Refused, match="purged"):
            memory.undo(id)
    assert {path: path.read_bytes() for path in (tmp_path / "workspace").rglob("*.*")} == before
    with pytest.raises(Refused, match="forgotten"):
        memory.remember(CLAIM, tag="stated")
    # Without `purge` all of it comes back.
    other = memory.remember("Berta has the second key of the office", tag="stated")
    stone = memory.forget(f"^{other.claim}").stone
    memory.undo(stone)
    assert "second key" in memory.get(other.span.path).text


@pytest.mark.req("B-03")
def test_a_text_without_words_is_refused(memory: Memory) -> None:
    with pytest.raises(BadInput):
        memory.forget("…", dry_run=True)
