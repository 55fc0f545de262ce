"""Workspaces as people of four other systems have them, with the disorder that real ones hold."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from vademecum.service.memory import Memory, open_memory
from vademecum.testing import FrozenClock, small_embedder

NOW = "2026-03-10T10:30:00"
ZONE = "Europe/Berlin"

OPENCLAW = {
    "AGENTS.md": "# Agents\n\nBe brief.\n\n## Tools\nThe printer is called Otto.\n",
    "SOUL.md": "# Soul\n\nCalm and exact.\n",
    "IDENTITY.md": "# Identity\n\nName: Molly 🦞\n",
    "USER.md": (
        "# User\n\n"
        "<!-- observed: 2026-01-04 | status: superseded -->\n\n- Answer in French.\n\n"
        "<!-- observed: 2026-02-01 | status: active -->\n\n- Answer in German.\n"
    ),
    "MEMORY.md": (
        "# Memory\n\n- The office is in Trondheim <!-- trigger: office, address -->\n"
        "- Backups run at 04:10 <!-- importance: 7 -->\n"
        "- Falcon is written in Rust <!-- project: github.com/acme/falcon -->\n"
        "- ~~The office is in Molde~~\n"
    ),
    "HEARTBEAT.md": "# Heartbeat\n\nLook at the queue.\n",
    "NOW.md": "# Now\n\nWaiting for the parts.\n",
    "LESSONS.md": "# Lessons\n\n- Never deploy on a Friday.\n",
    "DREAMS.md": "# Dreams\n\nThe week was long.\n",
    "memory/2026-03-09.md": (
        "# 2026-03-09\n\n## 02:14 UTC — Heartbeat\nQuiet.\n\n"
        "### [23:23 GMT+7] Call\nThe gearbox was ordered from Hansen.\n"
    ),
    "memory/2026-03-10-standup.md": "# Standup\n\nBerta takes over the sensor board.\n",
    "memory/20260308.md": "# 20260308\n\n- 9:00 AM EST paid the invoice of Lindqvist\n",
    "memory/2026-03-07-0930.md": "# Session\n\nuser: hello\nassistant: hi\n",
    "memory/2026-W10-Mar02-Mar08.md": "# Week 10\n\nThe flood gate was painted green.\n",
    "memory/topics/gearbox.md": "# Gearbox\n\nThe gearbox has seven cogs.\n",
    "memory/dreaming/deep/2026-03-09.md": "# Deep Sleep\n\nPromoted nothing.\n",
    "memory/.dreams/phase-signals.json": "{}\n",
    "memory/imports/claude-code/prefs.md": "# Prefs\n\nThe editor is Helix.\n",
}

VAULT = {
    "NOW.md": (
        "# NOW\n\n> 🎯 **Mission** finish the mill\n\n## Today (03/10)\n- ✅ sharpen the saw\n\n"
        "## P0 Priorities\n\n| # | Item | Status | Owner |\n|---|---|---|---|\n"
        "| 1 | mill stone | ⚠️ | Ada |\n\n*Updated: 2026-03-10 09:00*\n"
    ),
    "AGENTS.md": "# Agents\n\nRead NOW, then the index.\n",
    "HEARTBEAT.md": "# Heartbeat\n",
    "memory/INDEX.md": (
        "# Memory Vault Index\n\nHand-written above.\n\n## Lessons\n\n"
        "| File             | Priority | Status | Last verified | Note          |\n"
        "|------------------|----------|--------|---------------|---------------|\n"
        "| [[deploy]]       | 🔴       | ✅     | 2026-02-20    | my own words  |\n"
        "| ~~[[old-way]]~~  | ⚪       | ~~superseded~~ | 2025-12-01 | skip      |\n\n"
        "## Decisions\n\n| File | Note |\n|---|---|\n"
        "| [[decisions/2026-02-01-mill-stone]] | The mill stone is granite |\n\n"
        "## People\n\n| File | Priority | Status | Note |\n|---|---|---|---|\n"
        "| [[people/李雷]] | 🟡 | ✅ | lives in Harbin |\n\nWritten by hand below.\n"
    ),
    "memory/2026-03-09.md": (
        "# 2026-03-09\n\n### 07:10 — Boot\nRead all.\n\n"
        "### 23:35 — Late\nThe water wheel turned backwards.\n\n### 00:48 — Later\nStill.\n"
    ),
    "memory/lessons/deploy.md": (
        "---\ntitle: Deploy\ndate: 2026-01-02\ncategory: lessons\npriority: 🔴\nstatus: active\n"
        "last_verified: 2026-02-20\ntags: [deploy]\n---\n\n# Deploy\n\n"
        "- Deploys need two reviewers\n> [Superseded 2026-02-20]\n"
        "- Deploys need three reviewers\n"
    ),
    "memory/lessons/old-way.md": (
        "---\ntitle: Old way\ndate: 2025-10-01\ncategory: lessons\npriority: ⚪\n"
        "status: superseded\nlast_verified: 2025-12-01\ntags: []\n---\n\n# Old way\n\n"
        "- The sluice opens by hand\n"
    ),
    "memory/decisions/2026-02-01-mill-stone.md": (
        "---\ntitle: Mill stone\ndate: 2026-02-01\ncategory: decision\npriority: 🟡\n"
        "status: active\nlast_verified: 2026-02-01\ntags: []\n"
        "description: The mill stone is granite\n---\n\n"
        "# Mill stone\n\n- The mill stone is granite\n"
    ),
    "memory/people/李雷.md": (
        "---\ntitle: 李雷\ndate: 2026-01-01\ncategory: person\npriority: 🟡\nstatus: active\n"
        "last_verified: 2026-02-02\ntags: []\n---\n\n# 李雷\n\n- 李雷住在哈尔滨\n"
    ),
    "memory/preferences/user-preferences.md": "# Preferences\n\n- User prefers tea\n",
    "memory/reflections/2026-03-09.md": "# 2026-03-09\n\nThe plan held.\n",
    "memory/actions/open/task.md": "# Grease the axle\n",
    "memory/.archive/2025-01-02.md": "# 2025-01-02\n\nThe barn burnt.\n",
}

NANOCLAW = {
    "CLAUDE.md": "<!-- Composed at spawn -->\n# Agent\n",
    "instructions.prepend.md": "You are Andy, and you whisper.\n",
    "conversations/2026-03-09.md": "# Chat\n\nuser: the lighthouse is blue\n",
    "memory/index.md": (
        '---\nokf_version: "0.1"\n---\n\n# Memory Index\n\n## Core Memory\n\n'
        "- The user is Ines, a harbour pilot\n\n## Map\n\n"
        "- [Memory system](system/definition.md) - how memory works\n"
        "- [Harbour](harbour/index.md) - the harbour\n- [Gone](gone.md) - a dead pointer\n"
    ),
    "memory/system/index.md": "# Memory System\n\n- [Definition](definition.md)\n",
    "memory/system/definition.md": "---\ntype: system\n---\n\n# Agent Memory System\n\nBe lean.\n",
    "memory/harbour/index.md": "# Harbour\n\n- [Lighthouse](lighthouse.md) - the light\n",
    "memory/harbour/lighthouse.md": (
        "---\ntype: place\ntitle: Lighthouse\nheight: 31\n---\n\n"
        "The lighthouse is white and blinks every nine seconds.\n\n"
        "# Citations\n[1] [chart](x.pdf)\n"
    ),
    "memory/harbour/unlisted.md": "---\ntitle: Unlisted\ntype: note\n---\nThe crane is yellow.\n",
    "memory/loose.md": "No frontmatter: the buoy is number four.\n",
    "memory/log.md": "# Log\n\n## [2026-03-01] hygiene\n- Repaired: nothing\n",
}

GITMEM = {
    "memory-lint.json": "{}\n",
    "AGENTS.md": "# Agents\n",
    "MEMORY.md": (
        "# MEMORY\n\n## Active Context\n\n- `memory/context/sprint.md`\n\n## People\n\n"
        "| Name | Role | Detail file | Trigger keywords |\n|---|---|---|---|\n"
        "| Kim | baker | `memory/people/kim.md` | bread, kim |\n\n## Projects\n\n"
        "| Name | Status | Detail file | Trigger keywords |\n|---|---|---|---|\n"
        "| Oven | active | `memory/projects/oven.md` | oven |\n\n## Current Decisions\n\n"
        "- [Flour](memory/decisions/flour.md) - which flour\n\n"
        "## Daily Logs\n\n`memory/YYYY-MM-DD.md`\n\nLast updated: 2026-03-01\n"
    ),
    "memory/people/kim.md": "# Kim\n\n- [stated] Kim bakes rye bread\n",
    "memory/projects/oven.md": (
        "# Oven\n\n## Status\nactive\n\n## Facts\n\n"
        "- ~~[stated] The oven burns coal~~ superseded 2026-02-01 (gas was laid)\n"
        "- [stated] The oven burns gas\n- [OBSERVED] The oven door is iron\n"
        "- The shelf is beech [inferred]\n\n## Open Loops\n"
    ),
    "memory/decisions/flour.md": "# Flour\n\n- [stated] The flour is spelt\n",
    "memory/context/sprint.md": "# Sprint\n\n- repair the chimney\n",
    "memory/2026-03-09.md": "# 2026-03-09\n\n- 08:10 lit the oven\n- 09:40 burnt the first loaf\n",
    "memory/archive/2025-05-05.md": "# 2025-05-05\n\n- 08:00 bought the bakery\n",
}

TREES: Mapping[str, Mapping[str, str]] = {
    "openclaw": OPENCLAW,
    "vault": VAULT,
    "nanoclaw": NANOCLAW,
    "gitmem": GITMEM,
}

MESS: Mapping[str, bytes] = {
    "memory/2026-02-11.md": (
        b"# 2026-02-11\r\n\r\n### 07:30-09:15 Range\r\nThe kettle whistled.\r\n\r\n"
        b"### ~13:00 About\r\nLunch.\r\n\r\n### 9:00 AM EST Early\r\nOut of order.\r\n"
    ),
    "memory/2026-02-12.md": (
        "# Thursday, the twelfth\n\n## 同じ（02:26）会議\n決めた。\n\n# Thursday, the twelfth\n\n"
        "### 25:71 impossible\nStill read.\n"
    ).encode(),
    "memory/2026-02-13.md": b"nothing but text, no heading, no final newline: a marmot passed",
    "memory/2026-02-14.md": (
        b"# 2026-02-14\n\n### 08:00 - Code\n```python\nprint(1)\n\n### 09:00 - Behind it\n"
        b"The fence was never closed, the otter swam on.\n"
    ),
    "memory/notes/\N{OCTOPUS} emoji name.md": "# 🐙 Tentacles\n\nEight of them.\n".encode(),
    "memory/notes/会議メモ.md": "# 会議\n\n次の会議は大阪で開く。\n".encode(),
    "memory/notes/bom.md": b"\xef\xbb\xbf# Bom\n\nThe walrus has a byte order mark.\n",
    "memory/notes/broken.md": b"---\ntitle: [never closed\nstatus: : :\n---\n\nThe badger digs.\n",
    "memory/notes/dashes.md": b"---\nThis begins with a rule. The heron waits.\n",
    "memory/notes/empty.md": b"",
    "memory/notes/repeated.md": b"# Same\n\none\n\n# Same\n\ntwo\n\n#### Same\n\nthree\n",
    "memory/backup-2026-02/MEMORY.md": b"# Memory\n\nAn old copy: the office is in Molde.\n",
    "memory/backup-2026-02/memory/2026-02-11.md": b"# 2026-02-11\n\nThe kettle whistled.\n",
}

HUGE = "memory/2026-02-28.md"


def huge_log() -> bytes:
    """Return a log of 300 KB, of which one entry says something that nothing else does."""
    line = "Nothing to report from the quay today. " * 30
    entries = [f"\n### {n % 24:02d}:{n % 60:02d} — Tick {n}\n{line}\n" for n in range(260)]
    entries[150] = "\n### 11:40 — Found\nThe platypus key is under the third stone.\n"
    return f"# 2026-02-28\n{''.join(entries)}".encode()


def plant(root: Path, files: Mapping[str, str | bytes]) -> None:
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())


def state_of(root: Path) -> dict[str, str]:
    """Return what every file and folder below the root is: content, time and number."""
    found = {}
    for path in sorted(root.rglob("*")):
        stat = path.stat()
        said = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        when = stat.st_mtime_ns if path.is_file() else 0
        found[path.relative_to(root).as_posix()] = f"{said} {when} {stat.st_ino} {stat.st_mode}"
    return found


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(NOW, ZONE)


@pytest.fixture
def tree(tmp_path: Path) -> Callable[[str], Path]:
    """Return the root of a workspace as somebody has it, tidy or with the mess of real ones."""

    def make(name: str, *, messy: bool = False) -> Path:
        root = tmp_path / "theirs"
        plant(root, TREES[name])
        if messy:
            plant(root, MESS)
            plant(root, {HUGE: huge_log()})
        return root

    return make


Opening = Callable[[Path], AbstractContextManager[Memory]]


@pytest.fixture
def opening(tmp_path: Path, clock: FrozenClock) -> Opening:
    @contextmanager
    def opened(root: Path) -> Iterator[Memory]:
        settings = {
            "state.directory": str(tmp_path / "state"),
            "workspace.zone": ZONE,
            "actor.name": "ada",
        }
        with open_memory(
            root, clock=clock, embedder=small_embedder(), settings=settings, variables={}
        ) as memory:
            yield memory

    return opened


@pytest.fixture(name="state_of")
def state_of_fixture() -> Callable[[Path], dict[str, str]]:
    return state_of
