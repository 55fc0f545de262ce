"""A damaged index never loses a file and never answers wrongly without saying so."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vademecum.backends.embedders.hashing import HashingEmbedder
from vademecum.backends.sqlite.index import SqliteIndex
from vademecum.core.errors import IndexUnusable
from vademecum.core.ports import Index, IndexState, KeywordQuery, Purpose
from vademecum.indexing.recipe import recipe_of
from vademecum.indexing.sync import sync
from vademecum.workspace.workspace import Workspace, open_workspace

EMBEDDER = HashingEmbedder(64)
WORDS = [
    f"{head}{tail}" for head in "bcdfghklmnprstvw" for tail in ("anor", "elim", "odus", "ivek")
]
Answer = tuple[tuple[str, int, str, float], ...]


def make_notes(root: Path, count: int) -> None:
    chance = random.Random(11)
    for number in range(count):
        lines = [" ".join(chance.choices(WORDS, k=9)) for _ in range(12)]
        (root / f"note-{number:03}.md").write_text(
            f"# Note {number}\n\n" + "\n\n".join(lines) + "\n"
        )


def opened(root: Path, state: Path) -> tuple[Workspace, SqliteIndex]:
    workspace = open_workspace(root, variables={"VADE_STATE_DIRECTORY": str(state), "HOME": "/"})
    recipe = recipe_of(workspace.settings.chunk)
    return workspace, SqliteIndex(workspace.state, EMBEDDER.identity, recipe)


def questions() -> list[tuple[KeywordQuery, Any]]:
    chance = random.Random(5)
    found = []
    for _ in range(12):
        terms = tuple(chance.sample(WORDS, 3))
        (vector,) = EMBEDDER.embed([" ".join(terms)], Purpose.QUERY)
        found.append((KeywordQuery(terms), array("f", vector)))
    return found


def answers(index: Index) -> list[Answer]:
    """Return what every question finds on both legs, by place and text, not by number."""
    found: list[Answer] = []
    for query, vector in questions():
        for hits in (index.keyword_hits(query, 2000), index.vector_hits(vector, 2000)):
            chunks = index.chunks([hit.chunk for hit in hits])
            rows = [
                (chunks[hit.chunk].span.path, chunks[hit.chunk].span.first, chunks[hit.chunk].text)
                + (round(hit.score, 4),)
                for hit in hits
            ]
            found.append(tuple(sorted(rows)))
    found.append(tuple((n.path, n.lines, n.title, 0.0) for n in index.notes()))
    return found


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, list[Answer]]:
    """A workspace, the state of a sound index of it, and the right answers.

    The writer was killed, so part of the index is in the file and part in its log.
    """
    base = tmp_path_factory.mktemp("sound")
    root, state = base / "notes", base / "state"
    root.mkdir()
    make_notes(root, 40)
    workspace, index = opened(root, state)
    sync(workspace, index, EMBEDDER)
    index.close()
    for number in (3, 17):
        (root / f"note-{number:03}.md").write_text(f"# Note {number}\n\nrewritten banor celim\n")
    workspace, index = opened(root, state)
    sync(workspace, index, EMBEDDER)
    right = answers(index)
    kept = base / "kept"
    shutil.copytree(state, kept)  # with its log, as a kill would leave it
    index.close()
    return root, kept, right


def database(state: Path) -> Path:
    (found,) = state.rglob("index.sqlite")
    return found


Damage = Callable[[Path, random.Random], None]


def flip(file: Path, chance: random.Random) -> None:
    content = bytearray(file.read_bytes())
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    file.write_bytes(content)


def garbage(file: Path, chance: random.Random) -> None:
    content = bytearray(file.read_bytes())
    at = chance.randrange(len(content) - 64)
    content[at : at + 64] = chance.randbytes(64)
    file.write_bytes(content)


def zeroed_page(file: Path, chance: random.Random) -> None:
    content = bytearray(file.read_bytes())
    page = chance.randrange(len(content) // 8192)
    content[page * 8192 : (page + 1) * 8192] = bytes(8192)
    file.write_bytes(content)


def truncated(file: Path, chance: random.Random) -> None:
    os.truncate(file, chance.randrange(file.stat().st_size))


def head(file: Path, chance: random.Random) -> None:
    content = bytearray(file.read_bytes())
    content[chance.randrange(100)] = chance.randrange(256)
    file.write_bytes(content)


def log_lost(file: Path, chance: random.Random) -> None:
    file.with_name(file.name + "-wal").unlink()
    if chance.random() < 0.5:
        file.with_name(file.name + "-shm").unlink()


def log_flipped(file: Path, chance: random.Random) -> None:
    flip(file.with_name(file.name + "-wal"), chance)


def log_cut(file: Path, chance: random.Random) -> None:
    truncated(file.with_name(file.name + "-wal"), chance)


def absent(file: Path, chance: random.Random) -> None:  # noqa: ARG001  one shape for all
    file.unlink()


DAMAGES: list[tuple[Damage, int]] = [
    (flip, 30),
    (garbage, 30),
    (zeroed_page, 15),
    (truncated, 15),
    (head, 15),
    (log_lost, 2),
    (log_flipped, 6),
    (log_cut, 6),
    (absent, 1),
]
CASES = [
    pytest.param(damage, number, id=f"{damage.__name__}-{number}")
    for damage, times in DAMAGES
    for number in range(times)
]


@pytest.mark.slow
@pytest.mark.req("F-01")
@pytest.mark.parametrize(("damage", "number"), CASES)
def test_a_damaged_index_warns_or_answers_rightly_and_is_mended(
    sound: tuple[Path, Path, list[Answer]], tmp_path: Path, damage: Damage, number: int
) -> None:
    root, kept, right = sound
    before = {path.name: path.read_bytes() for path in root.iterdir()}
    state = tmp_path / "state"
    shutil.copytree(kept, state)
    damage(database(state), random.Random(f"{damage.__name__} {number}"))

    # A reader that may not index: right, warned, or told that something is missing.
    workspace, index = opened(root, state)
    try:
        if answers(index) != right:
            stamps = index.stamps()
            ahead = {path for path, stamp in workspace.scan().files.items()} - stamps.keys()
            moved = [
                path
                for path, stamp in workspace.scan().files.items()
                if path in stamps and stamps[path][0] != stamp
            ]
            complete = index.counts().embedded == index.counts().chunks
            assert ahead or moved or not complete, "wrong, and nothing says so"
    except IndexUnusable as error:
        assert str(error)
    index.close()

    # The indexer mends it.
    workspace, index = opened(root, state)
    report = sync(workspace, index, EMBEDDER)
    try:
        found = answers(index)
    except IndexUnusable:  # found only by this question: the next sync mends it
        report = sync(workspace, index, EMBEDDER)
        found = answers(index)
    assert report.elected
    assert found == right
    if index.verify():  # damage where no question looked: found by the full check, then mended
        index.close()
        workspace, index = opened(root, state)
        assert sync(workspace, index, EMBEDDER).rebuilt
        assert answers(index) == right
        assert index.verify() == []
    index.close()
    assert {path.name: path.read_bytes() for path in root.iterdir()} == before


@pytest.mark.req("F-01")
def test_a_text_that_was_changed_behind_the_index_is_not_returned(
    sound: tuple[Path, Path, list[Answer]], tmp_path: Path
) -> None:
    import apsw

    from vademecum.backends.sqlite.connection import checked_vfs

    root, kept, _ = sound
    state = tmp_path / "state"
    shutil.copytree(kept, state)
    tampering = apsw.Connection(str(database(state)), vfs=checked_vfs())
    tampering.execute("UPDATE chunks SET text = text || '!' WHERE id % 2 = 0")
    tampering.close()
    _, index = opened(root, state)
    with pytest.raises(IndexUnusable, match="damaged text"):
        answers(index)
    assert index.condition().state is IndexState.DAMAGED
    index.close()


@pytest.mark.req("F-01")
def test_the_full_check_names_what_the_pages_cannot_tell(
    sound: tuple[Path, Path, list[Answer]], tmp_path: Path
) -> None:
    import apsw

    from vademecum.backends.sqlite.connection import checked_vfs

    root, kept, _ = sound
    state = tmp_path / "state"
    shutil.copytree(kept, state)
    tampering = apsw.Connection(str(database(state)), vfs=checked_vfs())
    tampering.execute("DELETE FROM chunks_fts WHERE rowid IN (SELECT id FROM chunks LIMIT 3)")
    tampering.execute("DELETE FROM codes WHERE passage % 7 = 0")
    tampering.close()
    _, index = opened(root, state)
    said = " ".join(index.verify())
    assert "chunks_fts_docsize" in said
    assert "codes" in said
    index.close()


@pytest.mark.slow
@pytest.mark.req("I-03")
def test_a_killed_indexer_leaves_an_index_that_the_next_one_completes(tmp_path: Path) -> None:
    root, state = tmp_path / "notes", tmp_path / "state"
    root.mkdir()
    make_notes(root, 120)
    program = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from pathlib import Path\n"
        "from test_index_damage import opened, EMBEDDER, sync\n"
        f"workspace, index = opened(Path({str(root)!r}), Path({str(state)!r}))\n"
        "def tell(stage, done, total): print(stage, done, flush=True)\n"
        "sync(workspace, index, EMBEDDER, progress=tell)\n"
    )
    for stage in ("reading", "embedding", "embedding"):
        with subprocess.Popen(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith(stage):
                    break
            process.send_signal(signal.SIGKILL)
    workspace, index = opened(root, state)
    embedded = index.counts().embedded
    assert index.counts().notes > 0
    report = sync(workspace, index, EMBEDDER)
    assert report.rebuilt == ""
    assert report.embedded is not None
    assert report.embedded.done <= index.counts().chunks - embedded, "what was kept is kept"
    assert index.counts().embedded == index.counts().chunks == 120 * 12
    assert index.verify() == []
    index.close()
