"""Whatever claims a memory holds: exported as a bundle and moved in, they are what they were."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vademecum.core.claims import Claim
from vademecum.core.migration import Phase
from vademecum.core.notes import Span
from vademecum.core.provenance import Tag
from vademecum.markdown.claims import conflict_callout, read_claims, render_claim, strike
from vademecum.markdown.links import Catalogue, candidates
from vademecum.testing import FrozenClock, throwaway_memory

DAYS = st.dates(date(2025, 1, 1), date(2026, 1, 19))
SAID = (
    "services talk REST 山田さん は 東京 端口 是 八千 Zug fährt nach Köln 🙂 it's (maybe) `x` 50 % "
    "a/b [draft] don't naïve 한국어 – “so”"
)
WORDS = st.sampled_from(SAID.split())
TEXTS = st.lists(WORDS, min_size=2, max_size=7).map(" ".join)
TARGETS = st.sampled_from(
    ["2026-01-20#10:30 — API", "2025-06-01", "api-style", "memory/facts/f.md", "人物", "gone"]
)
PATHS = (
    "MEMORY.md",
    "USER.md",
    "memory/candidates.md",
    "memory/decisions/api-style.md",
    "memory/facts/f.md",
    "memory/own folder/人物.md",
    "memory/.archive/facts/old.md",
)
LOGS = {
    "memory/2026-01-20.md": "# 2026-01-20\n\n### 10:30 — API\nDecided on REST.\n",
    "memory/.archive/2025-06-01.md": "# 2025-06-01\n\n### 09:00 — Old\nIt was so.\n",
}


@st.composite
def blocks(draw: st.DrawFn, names: Iterator[int]) -> str:
    """A claim, its successor, or two in conflict, as the verbs write them."""

    def claim(id: str) -> str:
        return render_claim(
            draw(TEXTS),
            draw(st.sampled_from(list(Tag))),
            since=draw(st.none() | DAYS),
            evidence=draw(st.lists(TARGETS, max_size=2, unique=True)),
            slot=draw(st.sampled_from(["", "api style"])),
            id=id,
        )

    first, second = f"c{next(names):05x}", f"c{next(names):05x}"
    kind = draw(st.sampled_from(["live", "nameless", "superseded", "withdrawn", "conflict"]))
    if kind == "live":
        return claim(first) + "\n"
    if kind == "nameless":
        return claim("") + "\n"
    if kind == "withdrawn":
        return strike(claim(first), draw(DAYS)) + "\n"
    if kind == "superseded":
        return f"{strike(claim(first), draw(DAYS), second)}\n{claim(second)}\n"
    day = draw(DAYS) + timedelta(days=1)
    return f"{claim(first)}\n{claim(second)}\n{conflict_callout(day, (first, second), 'which')}\n"


@st.composite
def workspaces(draw: st.DrawFn) -> dict[str, str]:
    names = iter(range(10_000))
    files = dict(LOGS)
    for path in draw(st.lists(st.sampled_from(PATHS), min_size=1, unique=True)):
        frame = draw(
            st.sampled_from(["", "---\ntype: fact\nmine: [a, b]\n---\n\n", "---\na: {b\n---\n"])
        )
        body = draw(st.lists(blocks(names), min_size=1, max_size=4))
        between = draw(
            st.sampled_from(["", "\n", "\n## Part\n\n", "\nProse with [[api-style]].\n\n"])
        )
        files[path] = f"{frame}# {draw(TEXTS)}\n\n{between.join(body)}"
    return files


def claims_in(root: Path) -> dict[str, list[tuple[Claim, tuple[tuple[str, ...], ...]]]]:
    """Every claim by its note, with the notes that its evidence leads to."""
    paths = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.md"))
    catalogue = Catalogue({path: () for path in paths})
    found: dict[str, list[tuple[Claim, tuple[tuple[str, ...], ...]]]] = {}
    for path in paths:
        if path in ("AGENTS.md", "memory/index.md") or path.endswith(("index.md", "definition.md")):
            continue
        for claim in read_claims(path, (root / path).read_text("utf-8")):
            leads = tuple(candidates(link, path, catalogue) for link in claim.evidence)
            placed = replace(claim, span=Span(path, 0, 0, claim.span.digest))
            found.setdefault(path, []).append((placed, leads))
    return found


@pytest.mark.req("F-10")
@pytest.mark.req("W-06")
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(files=workspaces())
def test_a_round_trip_keeps_claims_ids_provenance_and_history(files: dict[str, str]) -> None:
    with TemporaryDirectory() as made:
        home = Path(made)
        state = {"state.directory": str(home / "state")}
        with throwaway_memory(root=home / "a", settings=state) as memory:
            for path, text in files.items():
                (home / "a" / "workspace" / path).parent.mkdir(parents=True, exist_ok=True)
                (home / "a" / "workspace" / path).write_text(text, "utf-8")
            memory.export(home / "bundle", form="okf")
        later = FrozenClock("2026-02-20T10:30:00")
        with throwaway_memory(root=home / "b", settings=state, clock=later) as memory:
            report = memory.migrate(approved=memory.migrate(home / "bundle"))
            assert report.phase is Phase.DONE and report.accounted == report.lines
        held = "".join(path.read_text() for path in (home / "b" / "workspace").rglob("*.md"))
        assert "vade:links" not in held, "what was made for the export stays away"
        before, after = (claims_in(home / side / "workspace") for side in "ab")
        assert after == before
