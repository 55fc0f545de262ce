"""Whatever is remembered in whatever order: no line is lost, and a second time changes nothing."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vademecum.core.errors import Refused
from vademecum.core.provenance import Actor, Tag
from vademecum.markdown.claims import read_claims
from vademecum.markdown.kinds import Kind
from vademecum.testing import ClaimsInFiles, FrozenClock
from vademecum.workspace.workspace import Workspace, create_workspace
from vademecum.writing.guard import guarded_claim
from vademecum.writing.remember import remember

_PEOPLE = ("Anna", "Ben", "李雷")
_PLACES = ("Oslo", "Rome", "北京", "Bonn")
_TEXTS = st.one_of(
    st.builds("{} lives in {}".format, st.sampled_from(_PEOPLE), st.sampled_from(_PLACES)),
    st.builds("{} does not live in {}".format, st.sampled_from(_PEOPLE), st.sampled_from(_PLACES)),
    st.builds("The API runs on port {}".format, st.sampled_from((80, 443, 8080))),
    st.builds("Lesson learned: {} breaks the build".format, st.sampled_from(("haste", "sleep"))),
    st.sampled_from(("ok thanks", "User prefers tea", "User prefers coffee")),
)
_CALLS = st.lists(
    st.tuples(
        _TEXTS,
        st.sampled_from((Tag.STATED, Tag.OBSERVED, Tag.INFERRED, Tag.SUGGESTED)),
        st.integers(0, 5),
        st.sampled_from(("s1", "s2", "s3")),
        st.sampled_from((False, False, False, True)),
    ),
    max_size=12,
)
_SLOWLY = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@contextmanager
def _throwaway() -> Iterator[Workspace]:
    with tempfile.TemporaryDirectory() as made:
        variables = {"HOME": made, "XDG_STATE_HOME": f"{made}/state"}
        yield create_workspace(Path(made, "w"), variables=variables, clock=FrozenClock())


def _said(workspace: Workspace) -> set[str]:
    """Return every claim, live, struck, waiting or kept apart, and every line of a log."""
    found = set()
    for path in workspace.root.rglob("*.md"):
        text = path.read_text("utf-8")
        if path.name == "index.md":
            continue
        found |= {claim.text for claim in read_claims("n", text)}
        found |= {text_line for text_line in text.splitlines() if text_line == "ok thanks"}
    return found


def _call(workspace: Workspace, call: tuple[str, Tag, int, str, bool]) -> bool:
    text, tag, days, session, untrusted = call
    try:
        remember(
            workspace,
            ClaimsInFiles(workspace),
            text,
            actor=Actor("ada", session),
            tag=tag,
            since=date(2026, 1, 1) + timedelta(days=days),
            untrusted=untrusted,
        )
    except Refused:
        return False
    return True


@pytest.mark.req("W-06", "B-01")
@_SLOWLY
@given(_CALLS)
def test_no_order_of_claims_loses_a_line(calls: list[tuple[str, Tag, int, str, bool]]) -> None:
    with _throwaway() as workspace:
        held: set[str] = set()
        for call in calls:
            before = _said(workspace)
            assert held <= before
            if _call(workspace, call):
                held.add(call[0])
        now = _said(workspace)
        assert held <= now


@pytest.mark.req("W-02", "F-01")
@_SLOWLY
@given(_CALLS)
def test_the_same_claims_again_change_no_byte(
    calls: list[tuple[str, Tag, int, str, bool]],
) -> None:
    calls = sorted(calls, key=lambda call: call[2])  # told in the order in which they hold
    with _throwaway() as workspace:
        for call in calls:
            _call(workspace, call)
        before = _tree(workspace)
        for call in calls:
            _call(workspace, call)
        again = _tree(workspace)
        assert again == before


def _tree(workspace: Workspace) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in workspace.root.rglob("*.md")}


@pytest.mark.req("F-08", "W-02")
@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_any_text_reads_back_from_its_note_as_it_was_remembered(text: str) -> None:
    with _throwaway() as workspace:
        try:
            clean = guarded_claim(text)
        except Exception:  # noqa: BLE001  text that no note may hold is another test's
            return
        outcome = remember(
            workspace,
            ClaimsInFiles(workspace),
            text,
            actor=Actor("ada"),
            tag=Tag.STATED,
            kind=Kind.FACT,
        )
        path = workspace.root / outcome.span.path
        (claim,) = read_claims("n", path.read_text("utf-8"))
        assert (claim.text, claim.tag, claim.id) == (clean, Tag.STATED, outcome.claim)
