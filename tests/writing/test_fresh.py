"""What was just written is known before any index has looked at it."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from vademecum.core.claims import Claim
from vademecum.core.outcomes import AlreadyKnown, Updated
from vademecum.core.ports import KeywordQuery
from vademecum.core.provenance import Actor, Tag
from vademecum.markdown.kinds import Kind
from vademecum.testing import ClaimsInFiles
from vademecum.workspace.locks import locked
from vademecum.workspace.workspace import Workspace
from vademecum.writing.fresh import FreshClaims
from vademecum.writing.remember import remember


class Snapshot:
    """An index that was made at one moment and not looked after since."""

    def __init__(self, claims: Sequence[Claim] = ()) -> None:
        self._claims = list(claims)

    def claims_by_id(self, ids: Sequence[str]) -> Sequence[Claim]:
        return [claim for claim in self._claims if claim.id in ids]

    def claims_by_slot(self, keys: Sequence[str], limit: int) -> Sequence[Claim]:
        assert keys
        return self._claims[:limit]

    def claims_like(self, query: KeywordQuery, limit: int) -> Sequence[Claim]:
        assert query.terms
        return self._claims[:limit]


@pytest.mark.req("W-02", "B-02")
def test_a_claim_of_another_note_is_found_although_the_index_is_behind(
    workspace: Workspace, actor: Actor
) -> None:
    mine = FreshClaims(workspace, Snapshot())
    remember(
        workspace,
        Snapshot(),
        "Anna lives in Oslo",
        actor=Actor("someone else"),
        tag=Tag.STATED,
        about="memory/notes/moving.md",
    )
    outcome = remember(
        workspace, mine, "Anna lives in Bergen", actor=actor, tag=Tag.STATED, refresh=mine.refresh
    )
    assert isinstance(outcome, Updated)
    assert outcome.span.path == "memory/notes/moving.md"


@pytest.mark.req("W-02", "R-04")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Services talk GraphQL", "Services talk REST"),
        ("The ferry lands at 9:15", "The ferry lands at 10:40"),
        ("Der Laden wählt npm", "Der Laden wählt pnpm"),
    ],
)
def test_what_was_just_written_is_found_by_words_where_no_slot_is_shared(
    workspace: Workspace, actor: Actor, old: str, new: str
) -> None:
    mine = FreshClaims(workspace, Snapshot())
    remember(workspace, mine, old, actor=actor, tag=Tag.STATED, kind=Kind.DECISION)
    outcome = remember(
        workspace,
        mine,
        new,
        actor=actor,
        tag=Tag.STATED,
        kind=Kind.DECISION,
        refresh=mine.refresh,
    )
    assert isinstance(outcome, Updated)
    assert [claim.text for claim in outcome.superseded] == [old]


@pytest.mark.req("F-01")
def test_where_index_and_file_disagree_the_file_wins(workspace: Workspace, actor: Actor) -> None:
    about = "memory/notes/moving.md"
    remember(workspace, Snapshot(), "Anna lives in Oslo", actor=actor, tag=Tag.STATED, about=about)
    old = Snapshot(ClaimsInFiles(workspace).claims_in([about]))
    note = workspace.root / about
    note.write_text(note.read_text().replace("Oslo", "Bergen"))
    outcome = remember(workspace, old, "Anna lives in Bergen", actor=actor, tag=Tag.STATED)
    assert isinstance(outcome, AlreadyKnown)
    assert "~~" not in note.read_text()


@pytest.mark.req("F-01")
def test_a_sweep_takes_over_what_was_kept_beside_the_index(
    workspace: Workspace, actor: Actor
) -> None:
    fresh = FreshClaims(workspace, ClaimsInFiles(workspace))
    kept = remember(workspace, fresh, "Anna lives in Oslo", actor=actor, tag=Tag.STATED)
    fresh.refresh()
    assert len(fresh) == 1
    fresh.through(lambda: remember(workspace, fresh, "Ben lives in Rome", actor=actor))
    assert len(fresh) == 1
    assert [claim.text for claim in fresh.claims_by_id((kept.claim,))] == ["Anna lives in Oslo"]


class Counted(Snapshot):
    """An index that counts how often it is asked by words."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def claims_like(self, query: KeywordQuery, limit: int) -> Sequence[Claim]:
        self.asked += 1
        return super().claims_like(query, limit)


@pytest.mark.req("B-02")
def test_an_index_is_asked_by_words_before_others_wait_and_once_a_call(
    workspace: Workspace, actor: Actor
) -> None:
    index = Counted()
    mine = FreshClaims(workspace, index)
    for calls in (1, 2):
        mine.ask_anew()
        with locked(workspace.state / "locks" / "remember.lock"):
            waiting = threading.Thread(
                target=remember,
                args=(workspace, mine, "Anna lives in Oslo"),
                kwargs={"actor": actor, "tag": Tag.STATED, "refresh": mine.refresh},
            )
            waiting.start()
            for _ in range(600):
                if index.asked == calls:
                    break
                waiting.join(0.05)
            assert index.asked == calls
        waiting.join(30)
        assert index.asked == calls
