"""`vade doctor --okf`: whether the notes are a bundle that other readers take."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vademecum.testing import throwaway_memory


@pytest.mark.req("F-10")
@pytest.mark.parametrize("profile", ["standard", "nanoclaw"])
def test_what_the_verbs_write_is_a_conformant_bundle(profile: str) -> None:
    with throwaway_memory(profile=profile) as memory:
        memory.log("Decided on REST over GraphQL", title="API")
        memory.remember("Services talk GraphQL", tag="stated", kind="decision")
        memory.remember("Services now talk REST", tag="stated", kind="decision")
        memory.remember("Prefers answers in German", tag="stated", kind="preference")
        found = memory.doctor(okf=True)
    own = "memory/system/definition.md:1"  # the doctrine of nanoclaw has its type alone
    assert [one.where for one in found.findings] == ([own] if profile == "nanoclaw" else [])
    assert found.sound
    assert found.checks > 20


@pytest.mark.req("F-10")
def test_a_note_without_a_type_and_one_that_is_no_text_are_defects(tmp_path: Path) -> None:
    with throwaway_memory(root=tmp_path) as memory:
        notes = tmp_path / "workspace" / "memory"
        (notes / "bare.md").write_text("# Bare\n")
        (notes / "latin.md").write_bytes(b"---\ntype: fact\ntitle: a\ndescription: b\n---\n\xe4\n")
        found = memory.doctor(okf=True)
    assert {(one.code, one.where) for one in found.findings} == {
        ("okf/frontmatter/present", "memory/bare.md:1"),
        ("okf/encoding/utf-8", "memory/latin.md:1"),
    }
    assert not found.sound


@pytest.mark.req("F-10")
def test_a_directory_that_is_a_bundle_itself_is_checked_whole(tmp_path: Path) -> None:
    from vademecum.surfaces.cli.main import status_of

    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "orders.md").write_text("---\ntitle: Orders\n---\n")
    before = sorted(path.name for path in tmp_path.rglob("*"))
    assert status_of(["--workspace", str(tmp_path), "doctor", "--okf", "--json"]) == 8
    assert sorted(path.name for path in tmp_path.rglob("*")) == before


@pytest.mark.req("F-10")
def test_the_report_is_one_document(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from vademecum.surfaces.cli.main import status_of

    (tmp_path / "index.md").write_text("# Notes\n")
    assert status_of(["--workspace", str(tmp_path), "doctor", "--okf", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["findings"] == []
