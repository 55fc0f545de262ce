"""A vault of Obsidian opened where it is: nothing in it is changed, and all in it is understood."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from vademecum.service.memory import Memory, open_memory
from vademecum.testing import FrozenClock, small_embedder

HOME = """\
---
aliases: [Start, Anfang]
tags: [a, b/c]
related: "[[Projekte/Haus]]"
cssclasses:
  - wide
date: 2026-01-02
done: false
---
# Home

> [!note]- Folded
> Inside it [[Haus#Plan]]

> [!warning]
> - a line of a callout

![[bild.png|300]] ![[doc.pdf#page=3]] ![[clip.mp3]] ![[board.canvas]] ![alt](img/bild%202.png)
![[Haus]] ![[Haus#^abc-1]] [[Anfang]] [[haus|Haus!]] [[#Home]] [[Haus#Plan#Details]]
[by path](Projekte/Haus.md) [by name](Haus.md) [spaced](<Projekte/Haus.md>)
![[missing.png]] [[Nowhere]] [[Haus#Nothing]] [[Haus#^n0where]]

- [ ] a task
- The house has a red door
"""
VAULT = {
    "Home.md": HOME,
    "Projekte/Haus.md": (
        "# Haus\n\n## Plan\n\n### Details\n\nA garden lies behind it. ^abc-1\n\n"
        "| a | b |\n|---|---|\n| [[Home\\|H]] | x |\n\n^tab1\n"
    ),
    "Daily/2026-01-03.md": "# 2026-01-03\n\n- 09:00 was at [[Haus]]\n",
    "テスト ノート.md": "[[Home]] を見る\n",
    ".obsidian/app.json": '{"useMarkdownLinks":false}',
    ".obsidian/plugins/x/README.md": "# A plugin of secrets\n",
    ".trash/Old.md": "# Thrown away\n",
    "board.canvas": '{"nodes":[]}',
    "base.base": "x: 1\n",
    "img/bild 2.png": "x",
    "bild.png": "x",
    "doc.pdf": "x",
    "clip.mp3": "x",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    for path, text in VAULT.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    return root


@pytest.fixture
def memory(vault: Path, tmp_path: Path) -> Iterator[Memory]:
    with open_memory(
        vault,
        clock=FrozenClock(),
        embedder=small_embedder(),
        settings={"state.directory": str(tmp_path / "state"), "workspace.zone": "UTC"},
        variables={},
    ) as made:
        yield made


def unchanged(vault: Path) -> bool:
    return all((vault / path).read_text("utf-8") == text for path, text in VAULT.items())


@pytest.mark.req("F-10")
def test_the_doctor_names_exactly_what_leads_nowhere(memory: Memory, vault: Path) -> None:
    found = [(one.where, one.sentence) for one in memory.doctor().findings if "link" in one.code]
    assert found == [
        ("Home.md:21", "The link to missing.png leads nowhere: there is no such file."),
        ("Home.md:21", "The link to Nowhere leads nowhere: there is no such note."),
        (
            "Home.md:21",
            "The link to Haus#Nothing leads nowhere: Projekte/Haus.md has no heading “Nothing”.",
        ),
        (
            "Home.md:21",
            "The link to Haus#^n0where leads nowhere: Projekte/Haus.md has no block ^n0where.",
        ),
    ]
    assert unchanged(vault)


@pytest.mark.req("F-10")
@pytest.mark.parametrize("name", ["Anfang", "[[Start]]", "[[Home|the way]]", "home"])
def test_a_note_is_read_by_its_alias_and_link(memory: Memory, name: str) -> None:
    assert memory.get(name).span.path == "Home.md"


@pytest.mark.req("F-10")
def test_blocks_are_read_and_hidden_folders_are_left_alone(memory: Memory, vault: Path) -> None:
    assert memory.get("[[Haus#^abc-1]]").text.strip() == "A garden lies behind it. ^abc-1"
    assert memory.recall("what lies behind the house?").sources
    for words in ("plugin of secrets", "thrown away"):
        hits = memory.search(words, leg="keyword").hits
        assert all(not hit.span.path.startswith(".") for hit in hits)
    assert unchanged(vault)


@pytest.mark.req("F-10")
def test_writing_into_a_vault_changes_no_file_that_was_there(memory: Memory, vault: Path) -> None:
    memory.remember("The garden gate is green", tag="stated")
    memory.log("Painted the gate", title="Gate")
    assert unchanged(vault)
    assert memory.recall("what colour has the garden gate?").sources
