"""Sync follows the files, whatever happened to them while nobody looked."""

from __future__ import annotations

import os
import shutil
from typing import Any

import pytest

from vademecum.core.ports import IndexState
from vademecum.indexing.elect import elected
from vademecum.indexing.sync import sync

GOOD = "# Good\n\nheron\n"


@pytest.mark.req("I-01", "I-04")
def test_files_that_came_while_nothing_watched_are_found_and_counted(desk: Any) -> None:
    index = desk.index()
    for name in "abc":
        desk.write(f"{name}.md", f"# {name}\n\nheron {name}\n")
    report = desk.sync(index)
    assert (report.elected, report.added, report.changed, report.removed) == (True, 3, 0, 0)
    assert desk.found(index, "heron") == {"a.md", "b.md", "c.md"}
    assert index.counts().notes == len(report.scan.files) == 3


@pytest.mark.req("I-04")
def test_nothing_changed_means_nothing_is_read(desk: Any) -> None:
    index = desk.index()
    file = desk.write("a.md", GOOD)
    os.utime(file, ns=(1, 1))
    desk.sync(index)
    revision = index.counts().revision
    # The stamp of a file just written is not trusted yet: it is looked at once more, not written.
    for _ in range(3):
        report = desk.sync(index)
    assert (report.added, report.changed, report.removed) == (0, 0, 0)
    assert index.counts().revision in (revision, revision + 1)


@pytest.mark.req("I-04")
def test_an_edit_is_followed_even_when_size_and_time_stay_the_same(desk: Any) -> None:
    index = desk.index()
    file = desk.write("a.md", "# A\n\nheron\n")
    before = file.stat()
    desk.sync(index)
    file.write_text("# A\n\nstoat\n")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    report = desk.sync(index)
    assert report.changed == 1
    assert desk.found(index, "stoat") == {"a.md"}
    assert desk.found(index, "heron") == set()


@pytest.mark.req("I-04")
def test_edits_within_one_tick_of_the_clock_are_all_followed(desk: Any) -> None:
    index = desk.index()
    words = [f"word{number:03}" for number in range(120)]
    for word in words:
        desk.write("a.md", f"# A\n\n{word}\n")
        desk.sync(index)
        assert desk.found(index, word) == {"a.md"}


@pytest.mark.req("I-04")
def test_a_touched_file_is_looked_at_and_left_as_it_is(desk: Any) -> None:
    index = desk.index()
    file = desk.write("a.md", GOOD)
    desk.sync(index)
    os.utime(file, ns=(5_000_000_000, 5_000_000_000))
    report = desk.sync(index)
    assert (report.touched, report.changed) == (1, 0)
    assert index.stamps()["a.md"][0].modified == 5_000_000_000
    assert desk.found(index, "heron") == {"a.md"}


@pytest.mark.req("I-04", "I-03")
def test_a_moved_note_is_found_at_its_new_place_alone_and_keeps_its_vectors(desk: Any) -> None:
    index = desk.index()
    workspace = desk.workspace()
    file = desk.write("a.md", GOOD)
    sync(workspace, index, desk.embedder)
    (desk.root / "deep").mkdir()
    file.rename(desk.root / "deep" / "b.md")
    report = sync(workspace, index, desk.embedder)
    assert (report.added, report.moved, report.removed) == (1, 1, 1)
    assert report.embedded.done == 0
    assert desk.found(index, "heron") == {"deep/b.md"}
    assert index.counts().embedded == index.counts().chunks == 1


@pytest.mark.req("I-04", "F-11")
def test_a_deleted_or_archived_note_is_forgotten(desk: Any) -> None:
    index = desk.index()
    desk.write("a.md", GOOD).parent.joinpath(".archive").mkdir()
    desk.write("b.md", GOOD)
    desk.sync(index)
    (desk.root / "a.md").unlink()
    (desk.root / "b.md").rename(desk.root / ".archive" / "b.md")
    assert desk.sync(index).removed == 2
    assert desk.found(index, "heron") == set()


@pytest.mark.req("F-01")
def test_deleting_the_state_directory_changes_no_answer(desk: Any) -> None:
    workspace = desk.workspace()
    index = desk.index(workspace)
    for number in range(30):
        desk.write(f"{number}.md", f"# Note {number}\n\nheron {number}\n\nthe stoat {number % 7}\n")
    sync(workspace, index, desk.embedder)
    (vector,) = desk.embedder.embed(["heron 7"], None)

    def answers(index: Any) -> list[Any]:
        both = [index.vector_hits(vector, 60), index.vector_hits(vector, 60)]
        return [
            sorted((index.chunks([h.chunk])[h.chunk].span, round(h.score, 4)) for h in hits)
            for hits in both
        ] + [desk.found(index, str(number)) for number in range(7)]

    before = answers(index)
    index.close()
    shutil.rmtree(workspace.state)
    again = desk.index(workspace)
    sync(desk.workspace(), again, desk.embedder)
    assert answers(again) == before


@pytest.mark.req("F-01")
def test_an_index_deleted_under_an_open_one_is_built_anew(desk: Any) -> None:
    index = desk.index()
    desk.write("a.md", GOOD)
    workspace = desk.workspace()
    sync(workspace, index)
    shutil.rmtree(workspace.state)
    assert index.condition().state is IndexState.ABSENT
    sync(workspace, index)
    assert desk.found(index, "heron") == {"a.md"}
    assert desk.found(desk.index(), "heron") == {"a.md"}


@pytest.mark.req("I-04")
def test_a_root_that_cannot_be_looked_at_deletes_nothing(desk: Any) -> None:
    index = desk.index()
    desk.write("a.md", GOOD)
    workspace = desk.workspace()
    sync(workspace, index)
    desk.root.rename(desk.base / "elsewhere")
    report = sync(workspace, index)
    assert report.removed == 0
    assert report.scan.failed
    assert desk.found(index, "heron") == {"a.md"}


@pytest.mark.req("F-08", "I-04")
def test_one_bad_file_is_named_and_stops_nothing(desk: Any) -> None:
    index = desk.index()
    desk.write("good.md", GOOD)
    (desk.root / "binary.md").write_bytes(bytes(range(256)) * 40)
    (desk.root / "latin.md").write_bytes("# Caf\xe9\n\nheron\n".encode("latin-1"))
    (desk.root / "yaml.md").write_text("---\n: [broken\n---\n\nheron\n")
    (desk.root / "empty.md").write_bytes(b"")
    report = desk.sync(index)
    assert {bad.path for bad in report.defective} == {"binary.md", "latin.md"}
    assert all(bad.reason for bad in report.defective)
    assert desk.found(index, "heron") == {"good.md", "latin.md", "yaml.md"}
    assert index.counts().notes == 5
    assert desk.sync(index).defective == (), "it is not read again before it changes"


@pytest.mark.req("I-04")
def test_paths_restrict_a_sync_to_files_and_folders(desk: Any) -> None:
    index = desk.index()
    for path in ("a.md", "deep/b.md", "deep/c.md", "deeper/d.md"):
        desk.write(path, GOOD)
    sync(desk.workspace(), index, paths=["a.md", "deep/"])
    assert desk.found(index, "heron") == {"a.md", "deep/b.md", "deep/c.md"}


@pytest.mark.req("R-05")
def test_a_sync_out_of_time_says_what_remains_and_the_newest_notes_are_in(desk: Any) -> None:
    index = desk.index()
    for number in range(450):
        file = desk.write(f"{number:03}.md", f"# {number}\n\nheron\n")
        os.utime(file, ns=(number * 10**9, number * 10**9))
    report = sync(desk.workspace(), index, seconds=0.0)
    assert 0 < report.remaining < 450
    assert index.counts().notes == 450 - report.remaining
    newest = sorted(index.stamps())
    assert newest == [f"{number:03}.md" for number in range(report.remaining, 450)]
    assert sync(desk.workspace(), index).remaining == 0
    assert index.counts().notes == 450


@pytest.mark.req("I-03")
def test_who_loses_the_election_changes_nothing_and_says_so(desk: Any) -> None:
    index = desk.index()
    workspace = desk.workspace()
    desk.write("a.md", GOOD)
    with elected(workspace.state) as won:
        assert won
        report = sync(workspace, index)
    assert not report.elected
    assert report.remaining == 1
    assert report.degraded[0].part == "index"
    assert index.counts().notes == 0
    assert sync(workspace, index).elected


@pytest.mark.req("I-04")
def test_other_rules_of_cutting_rebuild_the_text_and_keep_every_vector_they_can(desk: Any) -> None:
    desk.write("a.md", "# A\n\n- heron\n- stoat\n\nend\n")
    before = desk.workspace()
    old = desk.index(before)
    sync(before, old, desk.embedder)
    assert old.counts().chunks == 3
    after = desk.workspace(**{"chunk.unit": "section"})
    index = desk.index(after)
    assert index.condition().state is IndexState.OUTDATED
    stages = []
    report = sync(after, index, desk.embedder, progress=lambda *seen: stages.append(seen))
    assert report.rebuilt
    assert stages[-1][0] == "embedding"
    assert index.condition().state is IndexState.READY
    assert index.counts().chunks == index.counts().embedded == 1
    assert old.counts().chunks == 1, "who has the old one open goes over"
    back = desk.workspace()
    again = desk.index(back)
    assert sync(back, again, desk.embedder).embedded.done == 0, "those passages have vectors still"


@pytest.mark.req("I-04", "I-03")
def test_another_embedder_makes_only_vectors_anew(desk: Any) -> None:
    from vademecum.backends.embedders.hashing import HashingEmbedder

    desk.write("a.md", GOOD)
    workspace = desk.workspace()
    sync(workspace, desk.index(), desk.embedder)
    other = HashingEmbedder(16)
    index = desk.index(identity=other.identity)
    assert index.counts().embedded == 0
    assert desk.found(index, "heron") == {"a.md"}
    report = sync(workspace, index, other)
    assert (report.rebuilt, report.changed, report.touched) == ("", 0, report.touched)
    assert report.embedded.done == 1
    first = desk.index()
    assert sync(workspace, first, desk.embedder).embedded.done == 0


@pytest.mark.req("I-04")
def test_a_search_with_little_time_leaves_an_outdated_index_in_service(desk: Any) -> None:
    desk.write("a.md", "# A\n\n- heron\n- stoat\n")
    sync(desk.workspace(), desk.index())
    after = desk.workspace(**{"chunk.unit": "section"})
    index = desk.index(after)
    desk.write("b.md", "# B\n\nnewt\n")
    report = sync(after, index, seconds=5.0)
    assert report.degraded[0].remedy
    assert desk.found(index, "heron", "newt") == {"a.md", "b.md"}
