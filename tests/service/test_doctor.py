"""What the doctor finds: one workspace for each defect, and nothing in a sound one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from vademecum.core.errors import EmbedderUnavailable, InvalidConfiguration
from vademecum.core.ports import EmbedderIdentity, Purpose, Vector
from vademecum.service.doctor.finding import Finding, Severity, unopened
from vademecum.service.memory import Memory, open_memory
from vademecum.testing import FrozenClock, small_embedder, throwaway_memory


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with throwaway_memory(root=tmp_path) as opened:
        yield opened


def codes(memory: Memory) -> set[str]:
    return {finding.code for finding in memory.doctor().findings}


def only(memory: Memory, code: str) -> Finding:
    found = [finding for finding in memory.doctor().findings if finding.code == code]
    assert len(found) == 1, memory.doctor().findings
    return found[0]


@pytest.mark.req("B-01")
def test_a_sound_workspace_has_no_finding(memory: Memory) -> None:
    memory.log("All is well.")
    memory.sync()
    assert memory.doctor().findings == ()
    assert memory.doctor().sound


BROKEN: list[tuple[str, str, bytes, str]] = [
    ("malformed-frontmatter", "memory/a.md", b"---\ntype: [x\n---\n# A\n", "memory/a.md:3"),
    ("invalid-text", "memory/a.md", b"# A\n\nodd \xff byte\n", "memory/a.md:3"),
    ("invalid-text", "memory/a.md", b"# A\n\x00\n", "memory/a.md:2"),
    ("utf-16", "memory/a.md", "# A\n".encode("utf-16"), "memory/a.md"),
    (
        "conflict-markers",
        "memory/a.md",
        b"# A\n<<<<<<< ours\none\n=======\ntwo\n>>>>>>> theirs\n",
        "memory/a.md:2",
    ),
    (
        "log-heading",
        "memory/2026-01-19.md",
        b"# 2026-01-18\n\n### 10:00 - x\ny\n",
        "memory/2026-01-19.md:1",
    ),
    (
        "unfinished-line",
        "memory/2026-01-19.md",
        b"# 2026-01-19\n\n### 10:00 - x\ntor",
        "memory/2026-01-19.md:4",
    ),
    ("over-budget", "MEMORY.md", b"# Core\n\n" + b"fact\n" * 4000, "MEMORY.md"),
    ("skipped-file", "memory/big.md", b"x" * 5_000_001, "memory/big.md"),
    (
        "conflict-copy",
        "memory/a.sync-conflict-20260101-101010-ABCDEFG.md",
        b"# A\n",
        "memory/a.sync-conflict-20260101-101010-ABCDEFG.md",
    ),
    (
        "conflict-record",
        ".vade/conflicts/a.conflict-20260101-101010-ab12.md",
        b"# A\n",
        ".vade/conflicts/a.conflict-20260101-101010-ab12.md",
    ),
]


@pytest.mark.req("B-01", "F-08")
@pytest.mark.parametrize(("code", "path", "content", "where"), BROKEN)
def test_each_defect_of_a_file_is_found_where_it_is_and_left_as_it_is(
    memory: Memory, tmp_path: Path, code: str, path: str, content: bytes, where: str
) -> None:
    file = tmp_path / "workspace" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    finding = only(memory, code)
    assert finding.where == where
    assert finding.sentence.endswith(".")
    assert finding.remedy
    assert file.read_bytes() == content


@pytest.mark.req("B-01")
def test_markers_that_a_note_only_talks_about_are_no_defect(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "workspace" / "memory" / "git.md").write_text("# Git\n\n<<<<<<< is a marker\n")
    assert "conflict-markers" not in codes(memory)


@pytest.mark.req("F-11", "B-01")
def test_what_is_left_out_on_purpose_is_no_finding(memory: Memory, tmp_path: Path) -> None:
    for folder in (".obsidian", "node_modules"):
        (tmp_path / "workspace" / folder).mkdir()
        (tmp_path / "workspace" / folder / "x.md").write_text("# X\n")
    assert "skipped-file" not in codes(memory)


@pytest.mark.req("A-01", "B-01")
def test_a_workspace_inside_is_said_to_be_closed_also_by_path(
    memory: Memory, tmp_path: Path
) -> None:
    inner = tmp_path / "workspace" / "memory" / "inner"
    inner.mkdir()
    (inner / "vade.toml").touch()
    assert "closed to this one, also by path" in only(memory, "skipped-file").remedy


def damage_index(state: Path) -> None:
    (index,) = state.rglob("index.sqlite")
    with index.open("r+b") as file:
        file.seek(100)
        file.write(os.urandom(20_000))


def damage_ledger(state: Path) -> None:
    (ledger,) = state.rglob("ledger.jsonl")
    with ledger.open("ab") as file:
        file.write(b'{"id": "torn\n')


@pytest.mark.req("I-03", "B-01", "B-03")
@pytest.mark.parametrize(
    ("damage", "code"), [(damage_index, "index-damaged"), (damage_ledger, "ledger-damaged")]
)
def test_damage_of_the_state_is_a_defect(
    memory: Memory, tmp_path: Path, damage: Callable[[Path], None], code: str
) -> None:
    memory.log("Before the damage.")
    memory.sync()
    memory.close()
    damage(tmp_path / "state")
    with again(tmp_path) as opened:
        assert code in codes(opened)
        assert not opened.doctor().sound


def again(tmp_path: Path, **settings: str) -> Memory:
    return open_memory(
        tmp_path / "workspace",
        clock=FrozenClock(),
        embedder=small_embedder(),
        settings={"state.directory": str(tmp_path / "state"), **settings},
        variables={},
    )


@pytest.mark.req("I-01", "R-05")
def test_an_index_that_is_behind_is_a_notice_only(memory: Memory, tmp_path: Path) -> None:
    memory.sync()
    (tmp_path / "workspace" / "memory" / "new.md").write_text("# New\n")
    finding = only(memory, "index-behind")
    assert finding.severity is Severity.NOTICE
    assert memory.doctor().sound


@pytest.mark.req("I-04")
def test_missing_vectors_are_a_notice(memory: Memory) -> None:
    memory.sync(vectors=False)
    assert only(memory, "vectors-missing").severity is Severity.NOTICE


class Silent:
    """An embedder whose service does not answer."""

    identity = EmbedderIdentity("ollama", "embeddinggemma", 8)

    def embed(self, texts: object, purpose: Purpose) -> list[Vector]:
        del texts, purpose
        raise EmbedderUnavailable("Nothing answers at 127.0.0.1:11434.", hint="Start it.")

    def close(self) -> None:
        """Nothing to close."""


@pytest.mark.req("R-07", "B-01")
def test_an_embedder_that_does_not_answer_is_a_defect(tmp_path: Path) -> None:
    with throwaway_memory(root=tmp_path, embedder=Silent()) as memory:
        finding = only(memory, "embedder-unavailable")
        assert finding.remedy == "Start it."
        assert "11434" in finding.sentence


@pytest.mark.req("B-01")
def test_a_state_directory_that_cannot_be_written_is_a_defect(tmp_path: Path) -> None:
    with throwaway_memory(root=tmp_path):
        pass
    (tmp_path / "occupied").write_text("")
    with again(tmp_path, **{"state.directory": str(tmp_path / "occupied")}) as memory:
        assert "state-unwritable" in codes(memory)


@pytest.mark.req("B-01")
def test_an_api_key_that_others_can_read_is_a_defect(tmp_path: Path) -> None:
    with throwaway_memory(root=tmp_path):
        pass
    own = tmp_path / "config" / "vademecum" / "config.toml"
    own.parent.mkdir(parents=True)
    own.write_text('[embedder]\napi_key = "not-a-real-key"\n')

    def found() -> set[str]:
        with open_memory(
            tmp_path / "workspace",
            embedder=small_embedder(),
            settings={"state.directory": str(tmp_path / "state")},
            variables={"XDG_CONFIG_HOME": str(tmp_path / "config"), "HOME": str(tmp_path)},
        ) as memory:
            assert all("not-a-real-key" not in row.value for row in memory.config())
            return codes(memory)

    own.chmod(0o644)
    assert "key-exposed" in found()
    own.chmod(0o600)
    assert "key-exposed" not in found()


@pytest.mark.req("F-06")
def test_a_workspace_without_a_zone_gets_a_notice(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    with open_memory(
        tmp_path / "notes",
        embedder=small_embedder(),
        settings={"state.directory": str(tmp_path / "state")},
        variables={},
    ) as memory:
        assert only(memory, "zone-unset").severity is Severity.NOTICE


@pytest.mark.req("B-01")
def test_a_configuration_that_cannot_be_read_is_itself_a_finding() -> None:
    diagnosis = unopened(InvalidConfiguration("vade.toml sets x.", hint="Remove it."))
    assert not diagnosis.sound
    assert diagnosis.findings[0].code == "invalid-configuration"


@pytest.mark.req("F-11", "B-01")
def test_a_note_that_cannot_be_read_is_found_at_its_path(memory: Memory, tmp_path: Path) -> None:
    linked = tmp_path / "workspace" / "memory" / "linked.md"
    (tmp_path / "outside").write_text("text\n")
    linked.hardlink_to(tmp_path / "outside")
    (finding,) = (one for one in memory.doctor().findings if one.code == "invalid-path")
    assert finding.where == "memory/linked.md"
