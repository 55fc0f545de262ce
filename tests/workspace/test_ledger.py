"""The ledger keeps every change, whoever records at once and whatever is torn."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from vademecum.core.changes import Change, Effect
from vademecum.core.errors import LedgerEntryNotFound
from vademecum.workspace.ledger import Ledger

CHANGE = Change(
    id="01k0000000aaaaaaaa",
    at=datetime(2026, 11, 1, 1, 30, fold=1, tzinfo=ZoneInfo("America/New_York")),
    actor="Ada",
    session="s1",
    verb="log",
    effect=Effect.APPEND,
    path="memory/2026-11-01 – Café.md",
    before="",
    after="d" * 32,
    offset=12,
    length=7,
    summary='quotes " and\nnewlines \\ and 🚀',
)
RECORDER = """
import sys
from dataclasses import replace
from pathlib import Path
from vademecum.workspace.ledger import Ledger, decode
ledger = Ledger(Path(sys.argv[1]))
change = decode(sys.stdin.buffer.read())
for number in range(int(sys.argv[3])):
    ledger.record(replace(change, id=f"{sys.argv[2]}-{number}", summary="x" * (number % 500)))
"""


@pytest.mark.req("B-03")
def test_a_change_comes_back_with_the_instant_it_was_made_at(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "state" / "ledger.jsonl")
    ledger.record(CHANGE)
    (found,) = ledger.changes()
    assert replace(found, at=CHANGE.at) == CHANGE
    assert found.at.timestamp() == CHANGE.at.timestamp()
    assert found.at.utcoffset() == CHANGE.at.utcoffset()


@pytest.mark.req("B-03")
def test_changes_are_found_by_what_they_are(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.record(CHANGE)
    ledger.record(replace(CHANGE, id="2", actor="Ben", verb="now", path="NOW.md"))
    ledger.record(replace(CHANGE, id="3", session="s2", summary='"Ada" and "NOW.md"'))

    def ids(**wanted: str) -> list[str]:
        return [change.id for change in ledger.changes(**wanted)]

    assert ids() == [CHANGE.id, "2", "3"]
    assert ids(actor="Ben") == ids(path="NOW.md") == ids(verb="now") == ids(id="2") == ["2"]
    assert ids(actor="Ada", session="s2") == ["3"]
    assert ids(actor="nobody") == []
    assert ledger.change("2").actor == "Ben"
    last = ledger.last("NOW.md")
    assert last is not None and last.id == "2"
    with pytest.raises(LedgerEntryNotFound, match="nobody"):
        ledger.change("nobody")


@pytest.mark.req("B-03")
@pytest.mark.parametrize("torn", [b'{"id":"x', b"\x00\x00\x00", b"\xff\xfe garbage", b"[]", b"7"])
def test_a_torn_line_harms_no_other(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "ledger.jsonl"
    ledger = Ledger(path)
    ledger.record(CHANGE)
    with path.open("ab") as file:
        file.write(torn)
    assert [change.id for change in ledger.changes()] == [CHANGE.id]
    ledger.record(replace(CHANGE, id="2"))
    assert [change.id for change in ledger.changes()] == [CHANGE.id, "2"]
    assert ledger.defects() == (2,)


@pytest.mark.req("B-03")
def test_fields_of_a_later_version_are_passed_over(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.record(CHANGE)
    line = ledger.path.read_text().replace('{"id"', '{"novelty":[1],"id"')
    ledger.path.write_text(line)
    assert next(ledger.changes()).id == CHANGE.id


@pytest.mark.req("B-02", "B-03")
def test_a_ledger_that_is_shorter_than_it_was_is_read_from_its_beginning(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.record(CHANGE)
    ledger.record(CHANGE)
    _, offset = ledger.since(0)
    ledger.path.unlink()
    ledger.record(CHANGE)
    changes, after = ledger.since(offset)
    assert [change.id for change in changes] == [CHANGE.id]
    assert after == ledger.size()
    assert ledger.since(after) == ((), after)


@pytest.mark.req("B-02", "B-03")
def test_processes_that_record_at_once_lose_no_line(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    Ledger(tmp_path / "one.jsonl").record(CHANGE)
    line = (tmp_path / "one.jsonl").read_bytes()
    running = []
    for name in "abc":
        process = subprocess.Popen(
            [sys.executable, "-c", RECORDER, str(path), name, "60"], stdin=subprocess.PIPE
        )
        assert process.stdin
        process.stdin.write(line)
        process.stdin.close()
        running.append(process)
    assert [process.wait() for process in running] == [0, 0, 0]
    ids = [change.id for change in Ledger(path).changes()]
    assert len(ids) == len(set(ids)) == 180
    assert [number for number in ids if number.startswith("a")] == [f"a-{n}" for n in range(60)]
