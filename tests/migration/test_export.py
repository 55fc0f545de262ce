"""Memory given out: whole or not at all, every claim as it stands, nothing that must stay."""

from __future__ import annotations

import json
import posixpath
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote

import pytest

from vademecum.core.errors import BadInput, NotFound, Refused
from vademecum.markdown.claims import read_claims
from vademecum.service.memory import Memory, open_memory
from vademecum.surfaces.cli.main import status_of
from vademecum.testing import throwaway_memory

PROFILES = ("standard", "openclaw", "nanoclaw", "vault", "gitmem")
DISORDER = {
    "memory/never-closed.md": "---\ntype: [a\n\n# Never closed\n\nSee [[API]].\n",
    "memory/braces.md": "---\nkey: {a: b\n---\n\n# Braces\n\n- [observed] It has braces ^br4ces\n",
    "memory/empty-type.md": "---\ntype:\ntitle: Typeless\n---\n\nText.\n",
    "memory/late-type.md": (
        "---\ntitle: Late\ntype: fact\nmine: [a, b]\n---\n\n- [stated] Late ^1ate00\n"
    ),
    "memory/bare.md": "Only text, and a [[late-type]].\n",
    "memory/lines.md": "---\r\ntitle: Lines\r\n---\r\n\r\n- [stated] Ends in two signs ^cr1f00\r\n",
    "memory/人/名前 (1).md": "# 名前\n\n- [stated] 彼は東京に住んでいる (2026-01-02) ^cjk001\n",
    "memory/log.md": "# Log\n\n## 2026-01-02\n\n* older\n\n## 2026-01-03\n\n* newer\n",
    "memory/topic/log.md": "# Log\n\n## 2026-01-03\n\n* newer\n\n## 2026-01-02\n\n* older\n",
    "memory/rule.md": "---\n\nA rule, and no frontmatter.\n",
    "memory/nothing.md": "",
    "memory/keys.md": "---\nverified: yes\ngenerated: no\nsources: [a]\n---\n\nOwn keys.\n",
}
SECRET = "ghp_" + "a1B2" * 9


def lay(root: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())


def held_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def links_in(text: str) -> Iterator[str]:
    block = text.partition("<!-- vade:links")[2]
    return (unquote(path) for path in re.findall(r"^- \[.*\]\((\S+)\)$", block, re.MULTILINE))


# ---------------------------------------------------------------------- a bundle


@pytest.mark.req("F-10")
@pytest.mark.parametrize("profile", PROFILES)
def test_what_is_exported_is_a_bundle_without_a_defect(profile: str, tmp_path: Path) -> None:
    with throwaway_memory(profile=profile, root=tmp_path) as memory:
        lay(tmp_path / "workspace", DISORDER)
        memory.log("Decided on REST over GraphQL", title="API")
        memory.remember("Services talk GraphQL", tag="stated", kind="decision")
        memory.remember("Services now talk REST", tag="stated", kind="decision")
        memory.now("# Now\n\n- [ ] ship it\n")
        before = held_in(tmp_path / "workspace")
        done = memory.export(tmp_path / "bundle", form="okf")
        assert held_in(tmp_path / "workspace") == before, "nothing in memory is changed"
    variables = {"VADE_STATE_DIRECTORY": str(tmp_path / "other")}
    with open_memory(tmp_path / "bundle", variables=variables) as bundle:
        assert bundle.doctor(okf=True).findings == ()
    assert {one.path for one in done.repaired} == {"memory/never-closed.md", "memory/braces.md"}
    renamed = {one.path for one in done.renamed}
    assert "memory/log.md" in renamed and "memory/topic/log.md" not in renamed


@pytest.mark.req("F-10")
@pytest.mark.parametrize("profile", PROFILES)
def test_no_line_of_a_note_is_changed_or_lost(profile: str, tmp_path: Path) -> None:
    with throwaway_memory(profile=profile, root=tmp_path) as memory:
        workspace = tmp_path / "workspace"
        lay(workspace, DISORDER)
        memory.remember("Services talk GraphQL", tag="stated", kind="decision")
        memory.remember("Services now talk REST", tag="stated", kind="decision")
        done = memory.export(tmp_path / "bundle", form="okf")
    to = {one.path: one.reason for one in done.renamed}
    bundle = held_in(tmp_path / "bundle")
    for path, data in held_in(workspace).items():
        if path == "vade.toml" or posixpath.basename(path) == "index.md":
            continue
        there = bundle[to.get(path, path)]
        lines = iter(there.splitlines(keepends=True))
        moved = [line for line in data.splitlines(keepends=True) if line != b"type:\n"]
        if path == "memory/late-type.md":
            moved.remove(b"type: fact\n")
        assert all(any(line == found for found in lines) for line in moved), path


@pytest.mark.req("F-10")
def test_the_root_index_declares_the_version_and_each_index_leads_to_its_notes(
    memory: Memory, workspace: Path, tmp_path: Path
) -> None:
    lay(workspace, DISORDER)
    memory.remember("Services talk REST", tag="stated", kind="decision")
    memory.export(tmp_path / "bundle")
    bundle = tmp_path / "bundle"
    assert (bundle / "index.md").read_text().startswith('---\nokf_version: "0.1"\n---\n\n# ')
    reached = set()
    for index in bundle.rglob("index.md"):
        for name in re.findall(r"^\* \[.*?\]\((\S+)\)", index.read_text(), re.MULTILINE):
            target = index.parent / unquote(name)
            assert target.exists(), (index, name)
            reached.add(target.resolve())
    notes = {path.resolve() for path in bundle.rglob("*.md") if path.name != "index.md"}
    assert notes <= reached
    assert (
        "# Decision\n\n* [Services talk REST]("
        in (bundle / "memory" / "decisions" / "index.md").read_text()
    )


@pytest.mark.req("F-10")
def test_wikilinks_of_prose_and_of_claims_can_be_followed(
    memory: Memory, workspace: Path, tmp_path: Path
) -> None:
    claim = "- [stated] Services talk REST (2026-01-10, from [[2026-01-10#09:00 — API]]) ^cccccc\n"
    lay(
        workspace,
        {
            "memory/2026-01-10.md": "# 2026-01-10\n\n### 09:00 — API\nREST.\n",
            "memory/decisions/api.md": f"# API style\n\n{claim}\nSee [[Who is who]], [[gone]].\n",
            "memory/people/all the.md": "# Who is who\n\n[plain](../decisions/api.md) [[api]]\n",
        },
    )
    memory.export(tmp_path / "bundle")
    bundle = tmp_path / "bundle" / "memory"
    text = (bundle / "decisions" / "api.md").read_text()
    assert claim in text
    assert list(links_in(text)) == ["../2026-01-10.md", "../people/all the.md"]
    assert list(links_in((bundle / "people" / "all the.md").read_text())) == ["../decisions/api.md"]
    assert len(read_claims("x.md", text)) == 1, "links are no claims"


@pytest.mark.req("F-10")
def test_a_map_with_words_of_its_own_goes_out_beside_the_index(
    memory: Memory, workspace: Path, tmp_path: Path
) -> None:
    with (workspace / "memory" / "index.md").open("a") as file:
        file.write("\nAsk Mara before you change the map.\n")
    done = memory.export(tmp_path / "bundle")
    note = (tmp_path / "bundle" / "memory" / "index-note.md").read_text()
    assert note.startswith("---\ntype: map\n") and "Ask Mara before" in note
    assert ("memory/index.md", "memory/index-note.md") in {
        (one.path, one.reason) for one in done.renamed
    }


# ---------------------------------------------------------------------- what stays


@pytest.mark.req("B-04")
@pytest.mark.parametrize("form", ["okf", "obsidian", "json"])
def test_quarantine_credentials_and_other_hidden_files_never_go_out(
    memory: Memory, workspace: Path, tmp_path: Path, form: str
) -> None:
    lay(
        workspace,
        {
            "memory/.quarantine/2026-01-01.md": "# Quarantine\n\n- [stated] POISONED ^p01s0n\n",
            "memory/.archive/2025-01-01.md": "# 2025-01-01\n\n### 09:00 — Old\nARCHIVED\n",
            "memory/keys.md": f"# Keys\n\n- [stated] The token is {SECRET} ^t0ken0\n",
            ".git/HEAD.md": "GIT\n",
            ".env.md": "HIDDEN\n",
            "data.bin": "BINARY",
        },
    )
    (workspace / "memory" / "link.md").symlink_to(tmp_path / "outside.md")
    (tmp_path / "outside.md").write_text("OUTSIDE\n")
    done = memory.export(tmp_path / "out", form=form)
    out = tmp_path / "out"
    told = b"".join(held_in(out).values()) if out.is_dir() else out.read_bytes()
    for word in (b"POISONED", SECRET.encode(), b"GIT\n", b"HIDDEN", b"BINARY", b"OUTSIDE"):
        assert word not in told
    assert b"ARCHIVED" in told and b"[redacted: github-token]" in told
    assert [one.path for one in done.redacted] == ["memory/keys.md"]
    assert "memory/link.md" in {one.path for one in done.passed}


@pytest.mark.req("F-10")
@pytest.mark.parametrize("form", ["okf", "obsidian"])
def test_only_an_unchanged_earlier_export_is_replaced(
    memory: Memory, tmp_path: Path, form: str
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    memory.export(out, form=form)
    lay(out, {".git/HEAD": "ref: main\n", ".obsidian/app.json": "{}"})
    memory.remember("Services talk REST", tag="stated", kind="decision")
    memory.export(out, form=form)
    assert any("decisions" in path for path in held_in(out))
    assert (out / ".git" / "HEAD").read_text() == "ref: main\n"
    assert (out / ".obsidian" / "app.json").read_text() == "{}"
    before = held_in(out)
    memory.export(out, form=form)
    assert held_in(out) == before
    for change in ("NOW.md", "memory/new.md"):
        (out / change).write_text("Edited there.\n")
        with pytest.raises(Refused, match=re.escape(change)):
            memory.export(out, form=form)
        assert (out / change).read_text() == "Edited there.\n"
        (out / change).unlink()
        if change in before:
            (out / change).write_bytes(before[change])
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


@pytest.mark.req("F-10")
def test_places_that_are_refused(memory: Memory, workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("mine\n")
    (tmp_path / "link").symlink_to(tmp_path / "empty")
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("mine\n")
    for form in ("okf", "obsidian", "json"):
        for place in (workspace / "out", workspace, tmp_path, tmp_path / "link", tmp_path / "file"):
            with pytest.raises(Refused):
                memory.export(place, form=form)
        with pytest.raises(NotFound):
            memory.export(tmp_path / "no" / "where", form=form)
    with pytest.raises(Refused):
        memory.export(tmp_path / "other")
    with pytest.raises(BadInput):
        memory.export(tmp_path / "out", form="pdf")
    assert held_in(tmp_path / "other") == {"mine.txt": b"mine\n"}
    with throwaway_memory(root=tmp_path / "second") as second:
        memory.export(tmp_path / "empty")
        with pytest.raises(Refused):
            second.export(tmp_path / "empty")


class Stopped(Exception):
    pass


@pytest.mark.req("F-10")
@pytest.mark.parametrize("form", ["okf", "obsidian", "json"])
def test_an_export_that_fails_leaves_what_was_there(
    memory: Memory, tmp_path: Path, form: str
) -> None:
    def stop(doing: str, done: int, _total: int) -> None:
        if doing == "writing" and done == 3:
            raise Stopped

    names = {path.name for path in tmp_path.iterdir()}
    with pytest.raises(Stopped):
        memory.export(tmp_path / "out", form=form, progress=stop)
    assert {path.name for path in tmp_path.iterdir()} == names
    memory.export(tmp_path / "out", form=form)
    out = tmp_path / "out"
    before = held_in(out) if out.is_dir() else {"": out.read_bytes()}
    with pytest.raises(Stopped):
        memory.export(tmp_path / "out", form=form, progress=stop)
    assert (held_in(out) if out.is_dir() else {"": out.read_bytes()}) == before
    assert {path.name for path in tmp_path.iterdir()} == names | {"out"}


KILLED = """\
import os, signal, sys
from vademecum.service.memory import open_memory

def kill(doing, done, total):
    if doing == "writing" and done == total - 1:
        os.kill(os.getpid(), signal.SIGKILL)

root, state, to, form = sys.argv[1:]
with open_memory(root, settings={"state.directory": state}, variables={}) as memory:
    memory.export(to, form=form, progress=kill)
"""


@pytest.mark.req("F-10")
@pytest.mark.usefixtures("workspace")
@pytest.mark.parametrize("form", ["okf", "json"])
def test_an_export_that_was_killed_leaves_nothing_at_its_place(
    memory: Memory, tmp_path: Path, form: str
) -> None:
    lay(tmp_path / "workspace", {"memory/large.md": "# Large\n\n" + "Words of prose.\n" * 20_000})
    places = [*(str(tmp_path / name) for name in ("workspace", "state", "out")), form]
    died = subprocess.run([sys.executable, "-c", KILLED, *places], check=False)
    assert died.returncode == -signal.SIGKILL
    assert not (tmp_path / "out").exists()
    assert len(list(tmp_path.glob(".out.vade-*"))) == 1
    memory.export(tmp_path / "out", form=form)
    assert not list(tmp_path.glob(".out.vade-*")), "the rest of the killed one is gone"
    assert (tmp_path / "out").exists()


# ---------------------------------------------------------------------- a vault


@pytest.mark.req("F-10")
def test_a_vault_finds_all_that_links_name(memory: Memory, workspace: Path, tmp_path: Path) -> None:
    lay(
        workspace,
        {
            "memory/.archive/2025-01-01.md": "# 2025-01-01\n\n### 09:00 — Old\nIt was so.\n",
            "memory/people/mara-w.md": "---\ntags: [our team, '#core']\n---\n# Mara Weber\n",
            "memory/a.md": (
                "# A\n\n![[picture.png]] ![[mara-w]]\n\n- [stated] X (from [[2025-01-01#09:00 — "
                "Old]]) ^aaaaaa\n\n[[Mara Weber]] [[mara-w|her]] [up](/people/mara-w.md)\n"
            ),
        },
    )
    memory.export(tmp_path / "vault", form="obsidian")
    vault = tmp_path / "vault"
    assert (vault / "memory" / "archive" / "2025-01-01.md").is_file()
    text = (vault / "memory" / "a.md").read_text()
    assert text.startswith((workspace / "memory" / "a.md").read_text())
    assert text.count("(people/mara-w.md)") == 2, "by title, and from a folder above"
    assert "tags: [our-team, core]" in (vault / "memory" / "people" / "mara-w.md").read_text()
    assert not (vault / ".obsidian").exists()


# ---------------------------------------------------------------------- data


@pytest.mark.req("F-10")
def test_json_tells_the_same_as_a_document_and_in_lines(
    memory: Memory, workspace: Path, tmp_path: Path
) -> None:
    lay(workspace, {path: text for path, text in DISORDER.items() if text})
    memory.log("Decided on REST", title="API")
    memory.remember("Services talk GraphQL", tag="stated", kind="decision")
    memory.remember("Services now talk REST", tag="stated", kind="decision")
    for _ in range(2):
        done = memory.export(tmp_path / "all.json", form="json")
        memory.export(tmp_path / "all.jsonl", form="json")
    document = json.loads((tmp_path / "all.json").read_text())
    head, *rows = [json.loads(row) for row in (tmp_path / "all.jsonl").read_text().splitlines()]
    notes = document.pop("notes")
    assert document == head and notes == rows
    assert (head["format"], head["version"], head["zone"]) == ("vademecum-export", 1, "UTC")
    by_path = {note["path"]: note for note in notes}
    (log,) = by_path["memory/2026-03-20.md"]["entries"]
    assert (log["time"], log["title"], log["body"]) == ("10:30", "API", "Decided on REST")
    claims = [claim for note in notes for claim in note["claims"]]
    assert len(claims) == done.claims
    old, new = [claim for claim in claims if claim["text"].startswith("Services")]
    assert (old["struck"], old["until"], old["superseded_by"]) == (True, "2026-03-20", new["id"])
    assert (new["tag"], new["since"], new["until"]) == ("stated", "2026-03-20", None)
    for note in notes:
        assert note["text"] == (workspace / note["path"]).read_bytes().decode()
    (link,) = by_path["memory/bare.md"]["links"]
    assert (link["target"], link["to"]) == ("late-type", "memory/late-type.md")


# ---------------------------------------------------------------------- the command


@pytest.mark.req("F-10")
def test_the_command_says_what_went_out_and_refuses_with_its_code(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VADE_STATE_DIRECTORY", str(tmp_path / "state"))

    def run(*words: str) -> int:
        return status_of(["-w", str(tmp_path / "w"), *words])

    assert status_of(["init", str(tmp_path / "w")]) == 0
    capfd.readouterr()
    assert run("export", str(tmp_path / "out"), "--to", "okf", "--json") == 0
    told = json.loads(capfd.readouterr().out)
    assert told["form"] == "okf" and told["to"] == str(tmp_path / "out") and told["notes"] > 3
    assert run("export", str(tmp_path / "out"), "--to", "obsidian") == 0
    assert "notes" in capfd.readouterr().out
    assert run("export", str(tmp_path / "w" / "in"), "--to", "okf") == 4
    assert run("export", str(tmp_path / "out"), "--to", "pdf") == 2
    assert run("export", str(tmp_path / "no" / "out"), "--to", "okf") == 3
