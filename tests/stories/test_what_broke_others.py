"""What is known to have broken memories of this kind, rebuilt: each comes out right here."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from vademecum.core.errors import AppendOnly, MalformedFrontmatter, ReadOnly
from vademecum.core.provenance import Actor
from vademecum.service.memory import Memory, init, open_memory
from vademecum.testing import FrozenClock, throwaway_memory
from vademecum.workspace.workspace import Workspace, open_workspace
from vademecum.writing.frontmatter_edit import set_property
from vademecum.writing.signing import sign

ME = Actor("tester")
NOTE = "---\ntype: fact\ntitle: Port\n---\n\n# Port\n\n- [stated] The port is 8080 ^aaaaa1\n"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with throwaway_memory(root=tmp_path) as opened:
        yield opened


@pytest.fixture
def root(tmp_path: Path, memory: Memory) -> Path:
    del memory
    return tmp_path / "workspace"


@pytest.fixture
def workspace(tmp_path: Path, root: Path) -> Workspace:
    settings = {"state.directory": str(tmp_path / "state")}
    return open_workspace(root, flags=settings, variables={}, clock=FrozenClock())


@pytest.mark.req("B-02")
def test_an_edit_from_an_old_base_leaves_what_another_wrote_meanwhile(
    root: Path, workspace: Workspace
) -> None:
    (root / "memory/port.md").write_text(NOTE)
    base = workspace.files.read("memory/port.md")
    longer = NOTE + "".join(f"- [observed] Line {n} of the other writer\n" for n in range(60))
    (root / "memory/port.md").write_text(longer)
    edited = base.data.replace(b"8080", b"9090")
    done = workspace.files.replace(base, edited, sign(workspace, ME, "edit", "port"))
    assert done.merged
    assert (root / "memory/port.md").read_text() == longer.replace("8080", "9090")


@pytest.mark.req("F-06", "F-08")
def test_a_log_cut_in_a_character_opens_and_goes_on_with_a_line_of_its_own(
    memory: Memory, root: Path
) -> None:
    path = root / memory.log("The heron was seen at pier two.", title="Birds").path
    path.write_bytes(path.read_bytes() + "Ein Gruß".encode()[:-1] + b"\xff\x00\xfe")
    torn = path.read_bytes()
    assert "heron" in memory.recall("heron").sources[0].text
    assert any(path.name in finding.where for finding in memory.doctor().findings)
    memory.log("The bittern, too.", title="More birds")
    after = path.read_bytes()
    assert after.startswith(torn + b"\n")
    assert after.decode(errors="replace").endswith("The bittern, too.\n")


@pytest.mark.req("F-08")
def test_a_note_with_broken_frontmatter_is_found_and_never_rewritten(
    memory: Memory, root: Path, workspace: Workspace
) -> None:
    broken = b'---\ntype: fact\ntitle: "Dry dock: left\n---\n\n# Dock\n\nThe crane is Dutch.\n'
    (root / "memory/dock.md").write_bytes(broken)
    with pytest.raises(MalformedFrontmatter, match=r"dock\.md"):
        set_property(workspace, "memory/dock.md", "status", "active", actor=ME)
    assert (root / "memory/dock.md").read_bytes() == broken
    assert memory.recall("crane").sources[0].span.path == "memory/dock.md"


@pytest.mark.req("F-08")
@pytest.mark.parametrize(
    "title",
    ["a: b", "# one", "say \"so\" 'so'", "- item", "yes", "1.10", "12:30", "🚢 boat", "two\nlines"],
)
def test_any_title_is_read_back_by_a_strict_parser_as_it_was_given(
    root: Path, workspace: Workspace, title: str
) -> None:
    (root / "memory/port.md").write_text(NOTE)
    set_property(workspace, "memory/port.md", "title", title, actor=ME)
    block = (root / "memory/port.md").read_text().split("---\n")[1]
    assert yaml.safe_load(block)["title"] == title


@pytest.mark.req("F-06", "B-01")
def test_no_verb_writes_todays_log_anew(memory: Memory, root: Path, workspace: Workspace) -> None:
    path = memory.log("The first line.", title="One").path
    first = (root / path).read_bytes()
    memory.log("# 2026-01-20\n\n### 00:00 — Forged", title="Two")
    memory.now("Something else.")
    with pytest.raises(AppendOnly):
        set_property(workspace, path, "title", "New", actor=ME)
    with pytest.raises(AppendOnly):
        memory.remember("The port is 9090", about=path, tag="stated")
    assert (root / path).read_bytes().startswith(first)


@pytest.mark.req("F-06")
def test_an_hour_after_midnight_belongs_to_the_local_day(tmp_path: Path) -> None:
    clock = FrozenClock("2026-03-31T19:53:00+00:00", zone="Asia/Shanghai")
    settings = {"state.directory": str(tmp_path / "state"), "workspace.zone": "Asia/Shanghai"}
    init(tmp_path / "w", clock=clock, settings=settings, variables={})
    with open_memory(tmp_path / "w", clock=clock, settings=settings, variables={}) as memory:
        written = memory.log("夜班交接。", title="交接")
    assert written.path == "memory/2026-04-01.md"
    assert "### 03:53 — 交接" in (tmp_path / "w" / written.path).read_text()


@pytest.mark.req("I-01")
def test_files_that_nobody_watched_are_found_at_once_and_counted(
    memory: Memory, root: Path
) -> None:
    for word in ("osprey", "plover", "dunlin"):
        (root / f"memory/{word}.md").write_text(f"# {word}\n\nA {word} on the mole.\n")
    assert {memory.search(word).hits[0].span.path for word in ("osprey", "plover", "dunlin")} == {
        "memory/osprey.md",
        "memory/plover.md",
        "memory/dunlin.md",
    }
    coverage = memory.search("osprey").coverage
    on_disk = [one for one in root.rglob("*.md") if "/." not in str(one.relative_to(root))]
    assert coverage.notes_indexed == coverage.notes_on_disk == len(on_disk)


@pytest.mark.req("R-02")
def test_a_ticket_id_is_first_among_near_neighbours_with_the_real_model(tmp_path: Path) -> None:
    settings = {"state.directory": str(tmp_path / "state")}
    init(tmp_path / "w", settings=settings, variables={})
    for number in range(12):
        text = (
            f"# Payment {number}\n\nThe payment ticket about refunds was closed on day {number}.\n"
        )
        (tmp_path / f"w/memory/n{number}.md").write_text(text)
    (tmp_path / "w/memory/odd.md").write_text("# Odd\n\nSee TKT-48813 before anything.\n")
    with open_memory(tmp_path / "w", settings=settings, variables={}) as memory:
        memory.sync()
        found = memory.search("what did the payment refund ticket TKT-48813 say?")
    assert found.coverage.chunks == found.coverage.chunks_embedded
    assert found.hits[0].span.path == "memory/odd.md"


@pytest.mark.req("R-02", "F-10")
@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("東京の桟橋は改装中です", "桟橋"),
        ("我们周四评审季度预算", "预算"),
        ("부두의 조명을 바꾸었다", "조명"),
        ("Причал закрыт до весны", "причал"),
        ("Η προβλήτα είναι κλειστή", "προβλήτα"),
        ("الرصيف مغلق اليوم", "الرصيف"),
        ("המזח סגור היום", "המזח"),
        ("ท่าเรือปิดวันนี้", "ท่าเรือ"),
        ("घाट आज बंद है", "घाट"),
        ("Meet at the café by pier two", "cafe"),
        ("The crew voted 🚀 for the new boat", "🚀"),
    ],
)
def test_each_script_is_found_by_a_piece_of_itself(
    memory: Memory, root: Path, text: str, piece: str
) -> None:
    (root / "memory/other.md").write_text("# Other\n\nNothing of the kind.\n")
    (root / "memory/script.md").write_text(f"# Note\n\n{text}\n")
    assert memory.search(piece, leg="keyword").hits[0].span.path == "memory/script.md"


@pytest.mark.req("R-02", "R-05")
@pytest.mark.parametrize("query", ["pre-edit", "don't", "a/b", "C++", 'say "so', "*.tmp", "NEAR(x"])
def test_signs_of_a_query_language_are_only_text(memory: Memory, root: Path, query: str) -> None:
    (root / "memory/signs.md").write_text(f"# Signs\n\nHere it says {query} and no more.\n")
    assert memory.search(query, leg="keyword").hits[0].span.path == "memory/signs.md"


@pytest.mark.req("R-05")
@pytest.mark.parametrize("query", ["", "   ", "col:x"])
def test_a_query_that_says_nothing_gets_nothing_and_the_reason(memory: Memory, query: str) -> None:
    found = memory.search(query, leg="keyword")
    assert found.hits == ()
    assert found.reason


@pytest.mark.req("F-01", "B-01")
def test_modes_are_kept_and_a_read_only_file_is_refused(
    memory: Memory, root: Path, workspace: Workspace
) -> None:
    note = root / "memory/port.md"
    note.write_text(NOTE)
    note.chmod(0o600)
    before = os.umask(0o022)
    try:
        set_property(workspace, "memory/port.md", "status", "active", actor=ME)
    finally:
        os.umask(before)
    assert stat.S_IMODE(note.stat().st_mode) == 0o600
    note.chmod(0o444)
    kept = note.read_bytes()
    with pytest.raises(ReadOnly, match=r"port\.md"):
        set_property(workspace, "memory/port.md", "status", "conflict", actor=ME)
    assert note.read_bytes() == kept
    del memory


@pytest.mark.req("F-01")
def test_without_its_state_a_memory_answers_fifty_questions_as_before(tmp_path: Path) -> None:
    words = [
        "heron",
        "osprey",
        "plover",
        "dunlin",
        "bittern",
        "gull",
        "tern",
        "crane",
        "stork",
        "egret",
    ]
    places = ["pier", "mole", "dock", "quay", "slip"]
    with throwaway_memory(root=tmp_path) as memory:
        for number, word in enumerate(words):
            lines = [f"- The {word} stood on the {place} ({number}).\n" for place in places]
            text = f"# {word}\n\n" + "".join(lines)
            (tmp_path / f"workspace/memory/{word}.md").write_text(text)
        questions = [f"which {word} on the {place}?" for word in words for place in places]
        memory.sync()
        before = [[str(hit.span) for hit in memory.search(q).hits] for q in questions]
    shutil.rmtree(tmp_path / "state")
    with throwaway_memory(root=tmp_path) as memory:
        memory.sync()
        after = [[str(hit.span) for hit in memory.search(q).hits] for q in questions]
    assert len(questions) == 50
    assert all(before)
    assert after == before
