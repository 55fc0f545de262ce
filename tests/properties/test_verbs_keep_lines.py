"""Whatever verbs come in whatever order, no line is lost; 500 writes told twice change nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vademecum.core.errors import BadInput, ChangedMeanwhile, NotFound, Refused
from vademecum.core.review import Ruling
from vademecum.markdown.claims import read_claims
from vademecum.service.memory import Memory
from vademecum.testing import FrozenClock, throwaway_memory

_CLAIMS = (
    "Anna lives in Oslo",
    "Anna lives in Rome",
    "Anna does not live in Rome",
    "The API runs on port 8080",
    "From now on the API runs on port 9090",
    "The docs are written in English",
    "The docs should be written in German, not English",
    "Lesson learned: haste breaks the build",
    "安娜住在上海",
    "安娜搬到了北京",
)
_TAGS = ("stated",) * 5 + ("observed", "inferred", "suggested")
_EXPECTED = (Refused, NotFound, BadInput, ChangedMeanwhile)
_VERBS = ("remember",) * 6 + ("untrusted", "log", "review", "review", "forget", "undo", "mend")
_STEPS = st.lists(
    st.tuples(
        st.sampled_from(_VERBS),
        st.sampled_from(_CLAIMS),
        st.sampled_from(_TAGS),
        st.integers(0, 1000),
    ),
    min_size=10,
    max_size=16,
)


@contextmanager
def _memory() -> Iterator[tuple[Memory, FrozenClock, Path]]:
    clock = FrozenClock()
    with TemporaryDirectory() as made, throwaway_memory(clock=clock, root=Path(made)) as memory:
        yield memory, clock, Path(made) / "workspace"


def _said(root: Path) -> set[str]:
    """Return what claims and logs say, live or struck, wherever it stands; maps only repeat it."""
    found: set[str] = set()
    for path in root.rglob("*.md"):
        if path.name != "index.md":
            text = path.read_text("utf-8")
            found |= {claim.text for claim in read_claims("n", text)}
            found |= {row.strip() for row in text.splitlines()}
    return found & set(_CLAIMS)


def _take(memory: Memory, step: tuple[str, str, str, int]) -> set[str]:
    """Carry out one step; return the claims that it may take away."""
    verb, text, tag, pick = step
    if verb == "remember":
        since = None if pick % 3 else date(2026, 1, 1) + timedelta(days=pick % 6)
        memory.remember(text, tag=tag, since=since, by_person=bool(pick % 2))
    elif verb == "untrusted":
        memory.remember(text, untrusted=True)
    elif verb == "log":
        memory.log(text)
    elif verb == "review":
        _rule(memory, pick)
    elif verb == "forget":
        return _forget(memory, text)
    elif verb == "undo":
        changes = memory.history(limit=50)
        if changes:
            memory.undo(changes[pick % len(changes)].id)
            return set(_CLAIMS)
    else:
        memory.doctor(fix=True)
    return set()


def _rule(memory: Memory, pick: int) -> None:
    items = memory.review()
    if not items:
        return
    item = items[pick % len(items)]
    ruling = item.rulings[pick // 7 % len(item.rulings)]
    choice = f"^{item.claims[pick // 3 % len(item.claims)].id}" if item.claims else ""
    tag = "inferred" if ruling is Ruling.RELEASE else None
    choice = choice if ruling in (Ruling.RULE, Ruling.MERGE) else ""
    memory.review(ruling.value, item.id, choice=choice, tag=tag, by_person=True)


def _forget(memory: Memory, text: str) -> set[str]:
    """Forget a claim by the ids that its words lead to; what is not a line of its own may stay."""
    found = memory.forget(text, dry_run=True).places
    ids = [f"^{place.claim}" for place in found if place.claim and place.text == text]
    if not ids:
        return set()
    memory.forget(ids)
    with pytest.raises(Refused):
        memory.remember(text, tag="stated")
    return {text}


@pytest.mark.req("W-06", "B-01", "B-03")
@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_STEPS)
def test_no_sequence_of_verbs_loses_a_line(steps: list[tuple[str, str, str, int]]) -> None:
    with _memory() as (memory, clock, root):
        for step in steps:
            clock.advance(hours=13)
            before = _said(root)
            try:
                may_go = _take(memory, step)
            except _EXPECTED:
                may_go = set()
            assert before - may_go <= _said(root), step


@pytest.mark.req("W-02", "F-01")
@pytest.mark.slow
def test_five_hundred_writes_told_twice_change_no_byte_the_second_time() -> None:
    rows = (Path(__file__).parents[2] / "benchmarks/claims/pairs.jsonl").read_text("utf-8")
    pairs = [json.loads(row) for row in rows.splitlines()][:250]
    with _memory() as (memory, _, root):
        told = [
            (text, date(2026, 1, 1) + timedelta(days=number // 20))
            for number, text in enumerate(
                [pair["old"] for pair in pairs] + [pair["new"] for pair in pairs]
            )
        ]
        assert len(told) == 500
        for text, since in told:
            memory.remember(text, tag="stated", since=since)
        before = _tree(root)
        changed = [
            text for text, since in told if memory.remember(text, tag="stated", since=since).change
        ]
        assert changed == []
        assert _tree(root) == before


def _tree(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()}
