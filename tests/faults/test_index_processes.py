"""Several processes at one index: one writes, none waits, nobody sees half of anything."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from vademecum.backends.sqlite.index import SqliteIndex
from vademecum.core.ids import digest_of
from vademecum.core.notes import Chunk, Note, Properties, Role, Span
from vademecum.core.ports import FileStamp, KeywordQuery, NoteRecord, PutNote
from vademecum.indexing.recipe import recipe_of
from vademecum.indexing.sync import sync
from vademecum.workspace.workspace import open_workspace

PROGRAM = """
import sys
from pathlib import Path
from vademecum.backends.sqlite.index import SqliteIndex
from vademecum.indexing.recipe import recipe_of
from vademecum.indexing.sync import sync
from vademecum.workspace.workspace import open_workspace
root, state, wait = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
workspace = open_workspace(root, variables={"VADE_STATE_DIRECTORY": state, "HOME": "/"})
index = SqliteIndex(workspace.state, None, recipe_of(workspace.settings.chunk))
report = sync(workspace, index, wait=wait)
print(int(report.elected), report.added, report.remaining)
index.close()
"""


def started(root: Path, state: Path, wait: float) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-c", PROGRAM, str(root), str(state), str(wait)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def note(path: str, word: str, count: int) -> PutNote:
    nothing = Note(path, path, Role.OTHER, Properties(), (), (), None, count)
    chunks = tuple(
        Chunk(Span(path, line, line), f"{word} {line}", path, 0, None) for line in range(count)
    )
    return PutNote(NoteRecord(nothing, FileStamp(1, 1, 1, 1), digest_of(word.encode())), chunks)


@pytest.mark.slow
@pytest.mark.req("I-03")
def test_processes_that_sync_at_once_index_everything_once(tmp_path: Path) -> None:
    root, state = tmp_path / "notes", tmp_path / "state"
    root.mkdir()
    for number in range(400):
        (root / f"{number}.md").write_text(f"# Note {number}\n\nheron {number}\n")
    running = [started(root, state, wait) for wait in (0.0, 0.0, 60.0, 60.0)]
    said = []
    for process in running:
        out, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        said.append(tuple(map(int, out.split())))
    assert sum(added for _, added, _ in said) == 400
    assert all(elected for elected, _, _ in said[2:]), "who waits is elected in the end"
    workspace = open_workspace(root, variables={"VADE_STATE_DIRECTORY": str(state), "HOME": "/"})
    index = SqliteIndex(workspace.state, None, recipe_of(workspace.settings.chunk))
    assert index.counts().notes == 400
    assert index.verify() == []
    report = sync(workspace, index)
    assert (report.added, report.changed) == (0, 0)
    index.close()


@pytest.mark.req("I-03")
def test_a_reader_answers_while_a_long_write_goes_on_and_never_sees_half_of_it(
    tmp_path: Path,
) -> None:
    writer, reader = SqliteIndex(tmp_path, None), SqliteIndex(tmp_path, None)
    writer.apply([note("a.md", "old", 300)])
    halfway, go_on = threading.Event(), threading.Event()

    class Slow(tuple):  # type: ignore[type-arg]  # it holds whatever it is made of
        def __iter__(self) -> Any:
            for position, chunk in enumerate(tuple.__iter__(self)):
                if position == 150:
                    halfway.set()
                    assert go_on.wait(20)
                yield chunk

    change = note("a.md", "new", 300)
    slow = PutNote(change.record, Slow(change.chunks))
    thread = threading.Thread(target=writer.apply, args=([note("b.md", "new", 9), slow],))
    thread.start()
    assert halfway.wait(20)
    for _ in range(5):
        assert len(reader.keyword_hits(KeywordQuery(("old",)), 999)) == 300
        assert reader.keyword_hits(KeywordQuery(("new",)), 999) == []
        assert reader.counts().notes == 1
    go_on.set()
    thread.join(20)
    assert reader.keyword_hits(KeywordQuery(("old",)), 999) == []
    assert len(reader.keyword_hits(KeywordQuery(("new",)), 999)) == 309
    writer.close()
    reader.close()


@pytest.mark.req("I-03")
def test_one_index_serves_many_threads(tmp_path: Path) -> None:
    index = SqliteIndex(tmp_path, None)
    index.apply([note("a.md", "heron", 50)])
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(15):
                index.apply([note(f"{number}.md", f"word{number}", turn + 1)])
                assert len(index.keyword_hits(KeywordQuery((f"word{number}",)), 99)) == turn + 1
                assert len(index.keyword_hits(KeywordQuery(("heron",)), 99)) == 50
        except BaseException as error:  # noqa: BLE001  a thread's failure is told by the test
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    assert index.verify() == []
    index.close()
