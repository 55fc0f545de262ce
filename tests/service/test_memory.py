"""Memory as a whole: what a program that imports it may rely on."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

import vademecum
from vademecum.core.errors import Refused, WorkspaceNotFound
from vademecum.service.memory import Memory, init, open_memory
from vademecum.testing import FrozenClock, small_embedder, throwaway_memory


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def memory(tmp_path: Path, clock: FrozenClock) -> Iterator[Memory]:
    with throwaway_memory(root=tmp_path, clock=clock) as opened:
        yield opened


def again(tmp_path: Path) -> Memory:
    return open_memory(
        tmp_path / "workspace",
        clock=FrozenClock(),
        embedder=small_embedder(),
        settings={"state.directory": str(tmp_path / "state")},
        variables={},
    )


@pytest.mark.req("W-01", "I-01")
def test_what_was_just_written_is_found_at_once(memory: Memory) -> None:
    for number in range(3):
        memory.log(f"The {number}th heron was seen.", title=f"Bird {number}")
        found = memory.search("heron", leg="keyword", limit=9)
        assert len(found.hits) == number + 1


@pytest.mark.req("I-01", "F-01")
def test_files_that_others_add_are_found_without_a_watcher_and_counted(
    memory: Memory, tmp_path: Path
) -> None:
    memory.search("anything", leg="keyword")
    for name in ("a", "b", "c"):
        (tmp_path / "workspace" / "memory" / f"{name}.md").write_text(
            f"# {name}\n\nquokka {name}\n"
        )
    assert len(memory.search("quokka", leg="keyword", limit=9).hits) == 3
    on_disk = len(list((tmp_path / "workspace").rglob("*.md")))
    coverage = memory.status().coverage
    assert coverage.notes_on_disk == coverage.notes_indexed == on_disk


@pytest.mark.req("F-02")
def test_another_process_and_another_embedder_go_on_where_the_first_stopped(
    memory: Memory, tmp_path: Path
) -> None:
    memory.log("The lighthouse keeper is called Ana.")
    memory.now("Ask Ana about the lamp.")
    memory.sync()
    memory.close()
    with open_memory(
        tmp_path / "workspace",
        clock=FrozenClock("2027-05-01T08:00:00"),
        settings={"state.directory": str(tmp_path / "state"), "embedder.provider": "none"},
        variables={},
    ) as later:
        assert "Ana" in later.recall("lighthouse keeper").sources[0].text
        assert later.now().text == "Ask Ana about the lamp.\n"
        assert [change.verb for change in later.history(limit=2)] == ["now", "log"]


@pytest.mark.req("F-01", "I-03")
def test_without_its_state_directory_memory_gives_the_same_answers(
    memory: Memory, tmp_path: Path
) -> None:
    memory.log("Herons nest in the old mill.", title="Birds")
    before = memory.search("heron mill", leg="keyword")
    memory.close()
    shutil.rmtree(tmp_path / "state")
    with again(tmp_path) as anew:
        after = anew.search("heron mill", leg="keyword")
    assert [hit.span for hit in after.hits] == [hit.span for hit in before.hits]


@pytest.mark.req("F-06", "B-01")
def test_an_agent_writes_in_its_own_name(memory: Memory, tmp_path: Path) -> None:
    del memory
    with open_memory(
        tmp_path / "workspace",
        agent="scout",
        settings={"state.directory": str(tmp_path / "state")},
        variables={},
    ) as scout:
        scout.log("Found the path.")
        assert scout.history(limit=1)[0].actor == "scout"


@pytest.mark.req("F-07", "B-02")
def test_a_workbench_edit_from_an_older_version_is_merged(memory: Memory) -> None:
    memory.now("one\n\ntwo\n\nthree\n")
    base = memory.now()
    memory.now("ONE", replacing="one")
    done = memory.now("one\n\ntwo\n\nTHREE\n", base=base.digest)
    assert done.merged
    assert memory.now().text == "ONE\n\ntwo\n\nTHREE\n"


@pytest.mark.req("R-06")
def test_a_file_below_a_dot_folder_is_read_by_path_and_not_found_by_search(
    memory: Memory, tmp_path: Path
) -> None:
    cold = tmp_path / "workspace" / "memory" / ".cold"  # names still lead into the archive alone
    cold.mkdir(parents=True)
    (cold / "old.md").write_text("# Old\n\nthe axolotl\n")
    assert memory.get("memory/.cold/old.md:3").text == "the axolotl\n"
    assert memory.search("axolotl", leg="keyword").hits == ()
    with pytest.raises(vademecum.core.errors.NoteNotFound):
        memory.get("Old")


@pytest.mark.req("R-06")
def test_a_title_in_any_note_names_it(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "workspace" / "memory" / "x.md").write_text("# Tide tables\n\nHigh at noon.\n")
    assert memory.get("tide tables:3").text == "High at noon.\n"
    assert memory.get("[[Tide tables]]").span.path == "memory/x.md"


@pytest.mark.req("I-04")
def test_words_are_searchable_before_vectors_are_made_and_that_is_said(memory: Memory) -> None:
    memory.log("A kestrel over the dunes.")
    report = memory.sync(vectors=False)
    assert report.embedded is None
    found = memory.search("kestrel", leg="keyword")
    assert found.hits
    assert found.coverage.chunks_embedded < found.coverage.chunks
    assert memory.status().pending == found.coverage.chunks
    memory.sync()
    assert memory.status().pending == 0


@pytest.mark.req("B-06")
def test_eight_threads_use_one_memory(memory: Memory) -> None:
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(5):
                memory.log(f"thread {number} turn {turn} pelican")
                memory.search("pelican", leg="keyword")
        except BaseException as error:  # noqa: BLE001  told below
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(memory.search("pelican", leg="keyword", limit=100).hits) == 40


@pytest.mark.req("I-01")
def test_the_watcher_reads_what_changes_and_only_one_watches(
    memory: Memory, tmp_path: Path
) -> None:
    stop, seen = threading.Event(), threading.Semaphore(0)
    watcher = threading.Thread(
        target=memory.watch, args=(lambda _: seen.release(),), kwargs={"stop": stop}
    )
    watcher.start()
    assert seen.acquire(timeout=30)
    with again(tmp_path) as second, pytest.raises(Refused):
        second.watch(lambda _: None, stop=stop)
    assert memory.status().watching
    path = tmp_path / "workspace" / "memory" / "new.md"
    path.write_text("# New\n\nbittern\n")
    while seen.acquire(timeout=30) and memory.status().new:
        pass
    stop.set()
    watcher.join(timeout=30)
    assert not watcher.is_alive()
    assert not memory.status().watching
    assert memory.status().new == 0


@pytest.mark.req("B-06")
def test_what_is_returned_cannot_be_changed(memory: Memory) -> None:
    done = memory.log("Sealed.")
    with pytest.raises(FrozenInstanceError):
        done.path = "elsewhere"  # type: ignore[misc]  # that it cannot be set is what is tested


@pytest.mark.req("F-04")
def test_a_second_init_changes_nothing(tmp_path: Path) -> None:
    settings = {"state.directory": str(tmp_path / "state")}
    first = init(tmp_path / "notes", settings=settings, variables={})
    before = {path: path.read_bytes() for path in (tmp_path / "notes").rglob("*.*")}
    second = init(tmp_path / "notes", settings=settings, variables={})
    assert second.created == ()
    assert set(second.kept) == set(first.created)
    assert {path: path.read_bytes() for path in (tmp_path / "notes").rglob("*.*")} == before


@pytest.mark.req("A-01")
def test_a_workspace_is_named_by_argument_variable_or_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"state.directory": str(tmp_path / "state")}
    for name in ("one", "two"):
        init(tmp_path / name, settings=settings, variables={})
    monkeypatch.chdir(tmp_path / "one" / "memory")
    named = {"VADE_WORKSPACE": str(tmp_path / "two")}

    def root(where: str | None, variables: dict[str, str]) -> str:
        with open_memory(where, settings=settings, variables=variables) as opened:
            return Path(opened.status().root).name

    assert root(None, {}) == "one"
    assert root(None, named) == "two"
    assert root(str(tmp_path / "one"), named) == "one"
    monkeypatch.chdir("/")
    with pytest.raises(WorkspaceNotFound):
        open_memory(variables={})


@pytest.mark.req("B-06")
def test_the_package_offers_its_names_and_no_others() -> None:
    assert vademecum.open_memory is open_memory
    assert vademecum.Memory is Memory
    with pytest.raises(AttributeError):
        _ = vademecum.nothing
