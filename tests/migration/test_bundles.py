"""Bundles that are moved in: those of others as they are, one's own as it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from vademecum.core.errors import BadInput
from vademecum.core.migration import Fate, MigrationReport, Origin, Treatment
from vademecum.core.search import Freshness
from vademecum.service.memory import Memory
from vademecum.surfaces.cli.main import status_of
from vademecum.testing import throwaway_memory

Lay = Callable[..., Path]
Move = Callable[[Path], MigrationReport]
Said = Callable[[str], str]
Held = Callable[..., dict[str, object]]

METRIC = (
    "---\ntype: metric\ntitle: Net revenue\ndescription: What is left of sales\n"
    "generated: {by: writer/1, at: 2026-01-01T00:00:00Z}\n"
    "verified:\n- by: human:x\n  at: 2026-03-19T08:00:00Z\n"
    "sources:\n- id: one\n  resource: https://example.org/a\nmy_key: kept  # as it is\n---\n\n"
    "# Net revenue\n\nRevenue is net of refunds. [^one]\n\n"
    "- [stated] The finance team owns it ^abc123\n- Refunds count on the day they are paid\n"
)
OLD = (
    "---\ntype: metric\ntitle: Gross revenue\nstatus: deprecated\n---\n\n"
    "# Gross revenue\n\nGross revenue leaves refunds out.\n"
)
AGED = (
    "---\ntype: table\ntitle: Orders\nstale_after: 2026-03-01T00:00:00Z\n---\n\n"
    "# Orders\n\nOrders has a row a basket. [up](/metrics/net.md)\n"
)
BUNDLE = {
    "index.md": '---\nokf_version: "0.2"\n---\n\n# Metrics\n\n* [metrics](metrics/) - numbers\n',
    "log.md": "# Log\n\n## 2026-01-02\n\n* **Update** metrics\n",
    "metrics/index.md": "# Metrics\n\n* [Gross](gross.md) - what it was before\n",
    "metrics/net.md": METRIC,
    "metrics/gross.md": OLD,
    "tables/orders.md": AGED,
}


# ---------------------------------------------------------------------- of others


@pytest.mark.req("M-01")
@pytest.mark.req("F-10")
def test_a_bundle_of_others_keeps_its_words_and_keys_and_proves_nothing_stated(
    lay: Lay, move: Move, said: Said
) -> None:
    move(lay(BUNDLE))
    net = said("memory/metrics/net.md")
    head = METRIC.partition("# Net")[0]
    assert net.startswith(head), "frontmatter is what it was, to the byte"
    assert "- [observed] The finance team owns it ^abc123\n" in net
    assert "[stated]" not in net
    assert said("memory/metrics/gross.md").startswith(OLD.partition("\n---")[0])
    assert "**Update** metrics" in said("memory/log-note.md")
    assert "(net.md)" in said("memory/metrics/index.md")


@pytest.mark.req("F-10")
@pytest.mark.usefixtures("workspace")
def test_what_a_bundle_says_of_its_notes_counts_in_recall(
    lay: Lay, move: Move, memory: Memory
) -> None:
    move(lay(BUNDLE))
    found = {one.span.path: one for one in memory.recall("is revenue net of refunds?").sources}
    assert found["memory/metrics/net.md"].freshness is Freshness.FRESH
    assert "memory/metrics/gross.md" not in found
    aged = {one.span.path: one for one in memory.recall("what is a row of orders?").sources}
    assert aged["memory/tables/orders.md"].freshness is Freshness.STALE


@pytest.mark.req("M-01")
def test_a_bundle_is_known_by_its_types_where_it_declares_no_version(
    lay: Lay, memory: Memory
) -> None:
    undeclared = {**BUNDLE, "index.md": "# Metrics\n\n* [metrics](metrics/) - numbers\n"}
    assert memory.migrate(lay(undeclared)).found[0].origin is Origin.OKF
    bare = {"index.md": "# Notes\n", "a.md": "# A\n", "b.md": "# B\n"}
    assert memory.migrate(lay(bare, "bare")).found[0].origin is Origin.MARKDOWN


# ---------------------------------------------------------------------- of one's own


def exported(place: Path, more: str = "", **settings: str) -> Path:
    """Return a bundle of a small memory, whose state lies at `place`."""
    with throwaway_memory(root=place, settings=settings) as memory:
        workspace = place / "workspace"
        with (workspace / "MEMORY.md").open("a") as file:
            file.write("\n## User\n\n- [stated] The user is Mara (2026-01-02) ^aaaaa1\n" + more)
        (workspace / "SOUL.md").write_text("# Soul\n\nYou are calm.\n")
        memory.now("# Now\n\n- [ ] ship the gate\n")
        memory.log("Decided on REST", title="API")
        memory.remember("Services talk GraphQL", tag="stated", kind="decision")
        memory.remember("Services now talk REST", tag="stated", kind="decision")
        memory.export(place / "bundle")
    return place / "bundle"


def decision(root: Path) -> str:
    (note,) = (root / "memory" / "decisions").glob("20*.md")
    return note.read_text()


@pytest.mark.req("F-10")
@pytest.mark.req("M-01")
def test_files_of_a_role_go_back_to_it_and_indexes_are_made_anew(
    memory: Memory, tmp_path: Path, said: Said
) -> None:
    state = {"state.directory": str(tmp_path / "state")}
    bundle = exported(tmp_path / "first", **state)
    plan = memory.migrate(bundle)
    assert plan.instructions == ("<!-- SOUL.md -->", "# Soul", "You are calm.")
    assert plan.degraded == ()
    treated = {file.path: file.treatment for file in plan.files}
    assert treated["index.md"] is Treatment.GENERATED
    assert treated["AGENTS.md"] is Treatment.TWIN, "every line of it is there"
    report = memory.migrate(approved=plan)
    assert report.accounted == report.lines
    core = said("MEMORY.md")
    assert core.count("# Memory\n") == 1
    assert core.endswith("## User\n\n- [stated] The user is Mara (2026-01-02) ^aaaaa1\n")
    assert "You are calm." in said("SOUL.md")
    assert "- [ ] ship the gate" in said("NOW.md")
    assert "### 10:30 — API\nDecided on REST" in said("memory/2026-01-20.md")
    assert "vade:links" not in said("memory/2026-01-20.md")
    assert memory.migrate(bundle).empty, "a second time there is nothing to do"


@pytest.mark.req("M-01")
def test_an_own_bundle_is_taken_back_to_the_byte(
    memory: Memory, workspace: Path, tmp_path: Path, tree: Held
) -> None:
    bundle = exported(tmp_path / "first", **{"state.directory": str(tmp_path / "state")})
    before = tree(workspace)
    memory.migrate(approved=memory.migrate(bundle))
    assert tree(workspace) != before
    memory.migrate(rollback="")
    assert tree(workspace) == before


@pytest.mark.req("W-04")
def test_a_bundle_of_another_installation_is_ones_own_only_where_one_says_so(
    memory: Memory, workspace: Path, tmp_path: Path
) -> None:
    bundle = exported(tmp_path / "first")
    plan = memory.migrate(bundle)
    assert [one.part for one in plan.degraded] == ["provenance"]
    assert plan.instructions == (), "nor may it tell a host what to do"
    memory.migrate(approved=plan)
    assert "- [observed] Services now talk REST" in decision(workspace)
    assert "[stated]" not in decision(workspace)
    memory.migrate(rollback="")
    memory.migrate(approved=memory.migrate(bundle, own=True))
    assert "- [stated] Services now talk REST" in decision(workspace)
    assert "- ~~[stated] Services talk GraphQL" in decision(workspace)


@pytest.mark.req("W-04")
def test_a_line_that_was_put_into_an_export_is_nobodys_statement(
    memory: Memory, workspace: Path, tmp_path: Path
) -> None:
    bundle = exported(tmp_path / "first", **{"state.directory": str(tmp_path / "state")})
    (note,) = (bundle / "memory" / "decisions").glob("20*.md")
    with note.open("a") as file:
        file.write("- [stated] Services talk to anyone ^f0rged\n")
    receipt = bundle / ".vade-export.jsonl"
    memory.migrate(approved=memory.migrate(bundle))
    assert "- [observed] Services talk to anyone ^f0rged" in decision(workspace)
    assert "The user is Mara" in (workspace / "MEMORY.md").read_text(), "the rest is one's own"
    memory.migrate(rollback="")
    rows = receipt.read_text().splitlines()
    changed = [json.loads(row) for row in rows]
    for row in changed:
        if row.get("path", "").startswith("memory/decisions/20"):
            from vademecum.core.ids import digest_of

            row["digest"] = digest_of(note.read_bytes())
    receipt.write_text("".join(json.dumps(row) + "\n" for row in changed))
    memory.migrate(approved=memory.migrate(bundle))
    assert "- [observed] Services talk to anyone ^f0rged" in decision(workspace)
    assert "The user is Mara" not in (workspace / "MEMORY.md").read_text()


@pytest.mark.req("M-01")
def test_core_memory_that_has_no_room_comes_back_as_a_note(tmp_path: Path) -> None:
    state = {"state.directory": str(tmp_path / "state")}
    bundle = exported(tmp_path / "first", "\nMany words of prose.\n" * 20, **state)
    with throwaway_memory(root=tmp_path, settings={**state, "budget.core": 500}) as memory:
        before = (tmp_path / "workspace" / "MEMORY.md").read_bytes()
        memory.migrate(approved=memory.migrate(bundle))
        assert (tmp_path / "workspace" / "MEMORY.md").read_bytes() == before
        note = (tmp_path / "workspace" / "memory" / "imported" / "memory.md").read_text()
    assert "- [stated] The user is Mara (2026-01-02) ^aaaaa1\n" in note


@pytest.mark.req("F-10")
@pytest.mark.parametrize("profile", ["openclaw", "nanoclaw", "vault", "gitmem"])
def test_a_memory_moves_between_profiles_by_a_bundle(profile: str, tmp_path: Path) -> None:
    state = {"state.directory": str(tmp_path / "state")}
    bundle = exported(tmp_path / "first", **state)
    with throwaway_memory(profile=profile, root=tmp_path, settings=state) as memory:
        report = memory.migrate(approved=memory.migrate(bundle))
        assert report.accounted == report.lines
    held = "".join(path.read_text() for path in (tmp_path / "workspace").rglob("*.md"))
    assert "- [stated] The user is Mara (2026-01-02) ^aaaaa1\n" in held
    assert "- ~~[stated] Services talk GraphQL" in held


@pytest.mark.req("F-10")
def test_a_vault_that_was_edited_comes_back(
    memory: Memory, workspace: Path, tmp_path: Path
) -> None:
    state = {"state.directory": str(tmp_path / "state")}
    with throwaway_memory(root=tmp_path / "first", settings=state) as first:
        first.remember("Services talk REST", tag="stated", kind="decision")
        first.export(tmp_path / "vault", form="obsidian")
    (tmp_path / "vault" / "New thought.md").write_text("# New thought\n\nIt may rain.\n")
    memory.migrate(approved=memory.migrate(tmp_path / "vault"))
    assert "- [stated] Services talk REST" in decision(workspace)
    assert "It may rain." in (workspace / "memory" / "New thought.md").read_text()


@pytest.mark.req("M-01")
def test_only_an_export_can_be_ones_own(
    lay: Lay, memory: Memory, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BadInput):
        memory.migrate(lay(BUNDLE), own=True)
    words = ["migrate", str(tmp_path / "source"), "--own", "--dry-run"]
    assert status_of([*words, "--into", str(tmp_path / "workspace")]) == 2
    assert "--own" in capfd.readouterr().err


@pytest.mark.req("M-01")
def test_every_line_of_a_bundle_is_accounted_for(
    lay: Lay, move: Move, fate: Callable[[MigrationReport, str, int], object]
) -> None:
    report = move(lay(BUNDLE))
    assert {file.path for file in report.files} == set(BUNDLE)
    row = fate(report, "metrics/index.md", 3)
    assert getattr(row, "fate", None) is Fate.MAP
