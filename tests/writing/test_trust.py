"""Trust: a tag is lowered freely, and raised only by a quote that can be found again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from vademecum.core.errors import BadInput, EvidenceMissing, SecretFound
from vademecum.core.notes import Span
from vademecum.core.outcomes import Added, AlreadyKnown, Conflicted, Outcome, Quarantined
from vademecum.core.provenance import Actor, Tag
from vademecum.testing import ClaimsInFiles
from vademecum.workspace.workspace import Workspace
from vademecum.writing.log import append_entry
from vademecum.writing.remember import remember

Remembering = Callable[..., Outcome]
CLAIM = "We cache sessions in Redis"


@pytest.fixture
def keep(workspace: Workspace, actor: Actor) -> Remembering:
    reader = ClaimsInFiles(workspace)

    def call(text: str, tag: Tag | None, **rest: object) -> Outcome:
        return remember(workspace, reader, text, actor=actor, tag=tag, person="ada", **rest)  # type: ignore[arg-type]  # keywords of several types

    return call


def logged(workspace: Workspace, text: str, who: str = "ada") -> str:
    entry = append_entry(workspace, text, actor=Actor(who), title="Caching")
    return f"{entry.path}:{entry.first}-{entry.last}"


def line(workspace: Workspace, outcome: Outcome) -> str:
    text = (workspace.root / outcome.span.path).read_text()
    return text.splitlines()[outcome.span.first - 1]


@pytest.mark.req("W-04")
def test_without_a_tag_an_agent_infers_and_a_person_states(
    workspace: Workspace, keep: Remembering
) -> None:
    assert "[inferred]" in line(workspace, keep("The cache is warm", None))
    assert "[stated]" in line(workspace, keep("The cache is large", None, by_person=True))


@pytest.mark.req("W-04", "W-02")
def test_a_suggestion_never_becomes_a_decision_by_being_repeated(
    workspace: Workspace, keep: Remembering
) -> None:
    first = keep(CLAIM, Tag.SUGGESTED)
    before = line(workspace, first)
    with pytest.raises(EvidenceMissing):
        keep(CLAIM, Tag.STATED)
    assert line(workspace, first) == before


@pytest.mark.req("W-04")
def test_a_quote_of_a_person_raises_the_tag_and_stays_as_evidence(
    workspace: Workspace, keep: Remembering
) -> None:
    keep(CLAIM, Tag.SUGGESTED)
    source = logged(workspace, "Yes, let us cache   SESSIONS\nin Redis.")
    known = keep(CLAIM, Tag.STATED, source=source, quote="cache sessions in redis")
    assert isinstance(known, AlreadyKnown)
    assert line(workspace, known).startswith(
        "- [stated] We cache sessions in Redis (2026-01-20, from [[2026-01-20#10:30 — Caching]])"
    )


@pytest.mark.req("W-04")
@pytest.mark.parametrize(
    ("said", "who", "ceiling"),
    [
        ("User: we cache sessions in Redis", "agent-7", Tag.STATED),
        ("We cache sessions in Redis", "ada", Tag.STATED),
        ("We cache sessions in Redis", "agent-7", Tag.OBSERVED),
        ("Tool result: we cache sessions in Redis", "ada", Tag.OBSERVED),
        ("Assistant: we cache sessions in Redis", "ada", Tag.INFERRED),
    ],
)
def test_a_span_proves_no_more_than_who_speaks_there(
    workspace: Workspace, keep: Remembering, said: str, who: str, ceiling: Tag
) -> None:
    source = logged(workspace, said, who)
    order = sorted(
        (tag for tag in Tag if tag is not Tag.UNKNOWN), key=lambda tag: tag.rank, reverse=True
    )
    for tag in order:
        if tag.rank > ceiling.rank:
            with pytest.raises(EvidenceMissing):
                keep(CLAIM, tag, source=source, quote="cache sessions in Redis")
    outcome = keep(CLAIM, ceiling, source=source, quote="cache sessions in Redis")
    assert isinstance(outcome, Added)
    assert f"[{ceiling.value}]" in line(workspace, outcome)


@pytest.mark.req("W-04")
def test_a_claim_resting_on_several_spans_carries_the_least_of_them(
    workspace: Workspace, keep: Remembering
) -> None:
    weak = keep("Sessions are small", Tag.INFERRED)
    strong = keep("Redis is fast", Tag.STATED)
    sources = [f"{weak.span.path}:{weak.span.first}", f"{strong.span.path}:{strong.span.first}"]
    quotes = ["Sessions are small", "Redis is fast"]
    with pytest.raises(EvidenceMissing):
        keep(CLAIM, Tag.STATED, source=sources, quote=quotes)
    outcome = keep(CLAIM, Tag.INFERRED, source=sources, quote=quotes)
    assert line(workspace, outcome).count("[[") == 2


@pytest.mark.req("W-04")
def test_a_quote_has_to_stand_where_it_is_said_to_stand(
    workspace: Workspace, keep: Remembering
) -> None:
    source = logged(workspace, "We cache sessions in Redis")
    for quote in ("cache pages in Redis", "in", "e"):
        with pytest.raises(EvidenceMissing):
            keep(CLAIM, Tag.STATED, source=source, quote=quote)
    with pytest.raises(EvidenceMissing):
        keep(CLAIM, Tag.STATED, source="memory/2026-01-20.md:90", quote="cache sessions")
    with pytest.raises(BadInput):
        keep(CLAIM, Tag.STATED, quote="cache sessions")
    with pytest.raises(EvidenceMissing):
        keep(
            CLAIM,
            Tag.STATED,
            source=Span("memory/2026-01-20.md", 1, 8, "0" * 32),
            quote="cache sessions",
        )


@pytest.mark.req("B-04")
def test_what_a_page_says_goes_into_quarantine(workspace: Workspace, keep: Remembering) -> None:
    source = logged(workspace, "Web page: caching sessions in Redis is always safe")
    outcome = keep("Caching in Redis is safe", None, source=source, quote="Redis is always safe")
    assert isinstance(outcome, Quarantined)


@pytest.mark.req("W-04")
@pytest.mark.parametrize(
    ("claim", "said", "quote", "speaks"),
    [
        ("The API port is 8081", "User: the kettle is broken", "the kettle is broken", False),
        ("Anna lives in Oslo", "User: Anna likes cheese a lot", "Anna likes cheese", False),
        ("Anna lives in Oslo", "User: I am Anna and moved to Oslo", "moved to Oslo", True),
        ("安娜住在上海", "用户：我喜欢喝茶和散步", "我喜欢喝茶", False),
        ("安娜住在上海", "用户：我上个月搬到上海了", "搬到上海了", True),
        ("Die Miete beträgt 900 Euro", "User: ab Mai zahle ich 900 Euro", "900 Euro", True),
        ("アンナは大阪に住んでいる", "ユーザー：大阪へ引っ越した", "大阪へ引っ越した", True),
    ],
)
def test_a_quote_about_something_else_is_no_evidence(
    workspace: Workspace, keep: Remembering, claim: str, said: str, quote: str, speaks: bool
) -> None:
    known = keep(claim, Tag.SUGGESTED)
    source = logged(workspace, said)
    outcome = keep(claim, Tag.STATED, source=source, quote=quote)
    assert ("[stated]" in line(workspace, known)) is speaks
    assert ("says nothing of the claim" in "".join(outcome.notes)) is not speaks


@pytest.mark.req("W-04")
def test_what_an_agent_calls_stated_is_inferred_until_it_quotes_who_said_it(
    workspace: Workspace,
) -> None:
    reader = ClaimsInFiles(workspace)

    def by(name: str, text: str, **rest: object) -> Outcome:
        return remember(
            workspace, reader, text, actor=Actor(name), tag=Tag.STATED, person="ada", **rest  # type: ignore[arg-type]  # keywords of several types
        )  # fmt: skip

    told = by("bot", CLAIM)
    assert "- [inferred] We cache" in line(workspace, told)
    assert "inferred, not stated" in told.notes[0]
    assert not by("ada", "The harbour opens at six").notes
    source = logged(workspace, "User: we cache sessions in Redis", "bot")
    assert "[inferred]" in line(workspace, by("bot", CLAIM, source=source))
    by("bot", CLAIM, source=source, quote="cache sessions in Redis")
    assert "- [stated] We cache" in line(workspace, told)
    # Nor does it strike what a person stated.
    assert isinstance(by("bot", "The harbour opens at seven"), Conflicted)


@pytest.mark.req("W-02")
def test_naming_what_was_struck_before_is_said(keep: Remembering) -> None:
    first = keep("Anna lives in Oslo", Tag.STATED, since=date(2026, 1, 2))
    second = keep("Anna lives in Rome", Tag.STATED, since=date(2026, 1, 9))
    third = keep("The move to Bern is off", Tag.STATED, supersedes=(first.claim,))
    assert isinstance(third, Added)
    assert third.notes == (
        f"^{first.claim} was struck already on 2026-01-09 by ^{second.claim}; "
        "nothing more was done to it.",
    )
    # Repeating the call that struck it says nothing of the kind.
    again = keep("The move to Bern is on", Tag.STATED, supersedes=(third.claim,))
    assert keep("The move to Bern is on", Tag.STATED, supersedes=(third.claim,)).notes == ()
    assert again.notes == ()


@pytest.mark.req("B-04")
@pytest.mark.parametrize("where", ["actor", "session"])
def test_a_credential_is_no_name_of_who_writes(workspace: Workspace, where: str) -> None:
    secret = "ghp_" + "a1B2" * 9
    who = Actor(secret) if where == "actor" else Actor("bot", secret)
    with pytest.raises(SecretFound) as refused:
        remember(workspace, ClaimsInFiles(workspace), CLAIM, actor=who)
    assert secret not in str(refused.value)
    with pytest.raises(SecretFound):
        append_entry(workspace, "A quiet day", actor=who)
    assert list(workspace.ledger.changes()) == []


@pytest.mark.req("W-04")
def test_a_person_vouches_for_whom_the_log_quotes_and_an_agent_cannot(
    workspace: Workspace,
) -> None:
    reader = ClaimsInFiles(workspace)
    source = logged(workspace, f"Grace: {CLAIM}.")

    def cited(who: str) -> Outcome:
        return remember(
            workspace, reader, CLAIM,
            actor=Actor(who), tag=Tag.STATED, person="ada", source=source, quote=CLAIM,
        )  # fmt: skip

    with pytest.raises(EvidenceMissing, match="at most"):
        cited("helper")
    assert "[stated]" in line(workspace, cited("ada"))
