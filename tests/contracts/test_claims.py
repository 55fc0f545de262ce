"""What every index promises of claims, whichever backend keeps them."""

from __future__ import annotations

from typing import Any

import pytest

from vademecum.core.claims import Claim
from vademecum.core.ids import text_digest
from vademecum.core.notes import Role, Span
from vademecum.core.ports import (
    DropNote,
    FileStamp,
    Index,
    KeyedClaim,
    KeywordQuery,
    NoteRecord,
    PutClaims,
    PutNote,
    TouchNote,
)
from vademecum.core.provenance import Tag
from vademecum.markdown.chunk import ChunkRules, chunk_note
from vademecum.markdown.claims import read_claims
from vademecum.markdown.compare.keys import claim_keys
from vademecum.markdown.names import keys_asked
from vademecum.markdown.parse import parse_note

API = """---
type: decision
status: active
last_verified: 2026-01-20
scope: [code, Work]
---
# API style

- [stated] Services talk REST (2026-01-20, from [[2026-01-20#10:30 — API]]) ^c7f3a1
- ~~[stated] Services talk GraphQL (2026-01-10)~~ superseded 2026-01-20 by ^c7f3a1 ^aaaaaa
- [observed] The gateway listens on port 8080
"""


def claimed(path: str, text: str, *, modified: int = 1, later: bool = False) -> PutNote:
    note = parse_note(path, text, Role.CONCEPT)
    record = NoteRecord(note, FileStamp(len(text), modified, modified, 1), text_digest(text))
    claims = None if later else keyed(path, text)
    return PutNote(record, chunk_note(note, text, ChunkRules()), claims)


def keyed(path: str, text: str) -> tuple[KeyedClaim, ...]:
    return tuple(KeyedClaim(claim, keys_of(claim)) for claim in read_claims(path, text))


def keys_of(claim: Claim) -> Any:
    return lambda: claim_keys(claim)


def said(claims: Any) -> list[str]:
    return [claim.text for claim in claims]


@pytest.mark.req("R-04")
def test_a_claim_comes_back_as_it_was_read(index: Index) -> None:
    index.apply([claimed("b.md", API), claimed("a.md", "- [stated] Tea is green ^t1t1t1\n")])
    found = index.claims_in(["b.md", "a.md", "none.md"])
    assert said(found) == [
        "Tea is green",
        "Services talk REST",
        "Services talk GraphQL",
        "The gateway listens on port 8080",
    ]
    assert tuple(found[1:]) == read_claims("b.md", API)


@pytest.mark.req("R-04")
def test_claims_are_found_by_line_and_by_id(index: Index) -> None:
    index.apply([claimed("b.md", API), claimed("c.md", "- [stated] A copy ^c7f3a1\n")])
    (rest,) = index.claims_at([Span("b.md", 9, 9)])
    assert rest.text == "Services talk REST"
    assert said(index.claims_at([Span("b.md", 8, 10), Span("b.md", 9, 9)])) == [
        "Services talk REST",
        "Services talk GraphQL",
    ]
    assert said(index.claims_by_id(["aaaaaa", "c7f3a1", "", "nobody"])) == [
        "Services talk GraphQL",
        "Services talk REST",
        "A copy",
    ]


@pytest.mark.req("W-02")
def test_rivals_are_found_by_the_keys_of_their_slot(index: Index) -> None:
    index.apply([claimed("b.md", API)])
    rival = Claim("", "The gateway listens on port 9090", Tag.STATED, Span("x.md", 1, 1))
    assert "The gateway listens on port 8080" in said(index.claims_by_slot(claim_keys(rival), 10))
    assert len(index.claims_by_slot(claim_keys(rival), 0)) == 0
    assert said(index.claims_by_slot(["no such key"], 10)) == []
    keys = set(claim_keys(rival))
    taken = index.slots_taken([*keys, "no such key", *(f"other {at}" for at in range(700))])
    assert taken and taken <= keys
    assert all(bool(index.claims_by_slot([key], 1)) == (key in taken) for key in keys)


@pytest.mark.req("W-02")
def test_a_declared_slot_is_a_key_of_its_own(index: Index) -> None:
    index.apply([claimed("b.md", "- [stated] Nine it is <!-- slot: Stand-up hour --> ^abc123\n")])
    other = Claim("", "Ten", Tag.STATED, Span("x.md", 1, 1), slot="stand-up  HOUR")
    assert said(index.claims_by_slot(claim_keys(other), 5)) == ["Nine it is"]


@pytest.mark.req("R-04")
def test_claims_are_found_by_what_they_cite(index: Index) -> None:
    index.apply([claimed("memory/b.md", API)])
    assert said(index.claims_by_evidence(["memory/2026-01-20.md"])) == ["Services talk REST"]
    assert said(index.claims_by_evidence(["2026-01-20.md", "memory/2026-01-20.md"])) == [
        "Services talk REST"
    ]
    assert said(index.claims_by_evidence(["memory/2026-01-21.md"])) == []
    index.apply([claimed("memory/c.md", "- [stated] X (2026-01-20, from [[other/2026-01-20]])\n")])
    assert said(index.claims_by_evidence(["memory/2026-01-20.md"])) == ["Services talk REST"]


@pytest.mark.req("W-02")
def test_claims_are_found_by_their_words(index: Index) -> None:
    index.apply(
        [claimed("b.md", API), claimed("a.md", "- Der Zug fährt nach Köln\n- 服务使用端口\n")]
    )
    assert said(index.claims_like(KeywordQuery(("gateway", "listens")), 5))[0].startswith(
        "The gate"
    )
    assert said(index.claims_like(KeywordQuery(("koln",)), 5)) == ["Der Zug fährt nach Köln"]
    assert said(index.claims_like(KeywordQuery(("端口",), days=(("2026",),)), 5)) == [
        "服务使用端口"
    ]
    assert said(index.claims_like(KeywordQuery(("services",)), 1)) != []
    assert said(index.claims_like(KeywordQuery(('"', "NEAR(", "col:x")), 5)) == []


@pytest.mark.req("W-07")
def test_a_note_says_how_it_stands_as_a_whole(index: Index) -> None:
    index.apply([claimed("b.md", API), claimed("a.md", "- tea\n")])
    standings = index.standings(["a.md", "b.md", "none.md"])
    assert set(standings) == {"b.md"}
    assert (standings["b.md"].status, str(standings["b.md"].verified)) == ("active", "2026-01-20")
    assert standings["b.md"].scopes == ("code", "work")
    index.apply([claimed("b.md", "---\nstatus: superseded\nsuperseded_by: '[[c]]'\n---\n# B\n")])
    (standing,) = index.standings(["b.md"]).values()
    assert (standing.status, standing.successor) == ("superseded", "c")
    ends = "---\nstale_after: 2026-01-20T10:30:00+02:00\n---\n# B\n"
    index.apply([claimed("b.md", ends)])
    (standing,) = index.standings(["b.md"]).values()
    assert standing.expires is not None
    assert standing.expires.isoformat() == "2026-01-20T10:30:00+02:00"


@pytest.mark.req("R-04")
def test_an_index_knows_whether_anything_in_it_is_superseded(index: Index) -> None:
    assert not index.has_superseded()
    index.apply([claimed("a.md", "- tea\n")])
    assert not index.has_superseded()
    index.apply([claimed("b.md", API)])
    assert index.has_superseded()
    index.apply([DropNote("b.md")])
    assert not index.has_superseded()


@pytest.mark.req("I-04")
def test_claims_go_with_their_note(index: Index) -> None:
    index.apply([claimed("b.md", API), claimed("a.md", "- tea\n")])
    index.apply([claimed("b.md", API.replace("REST", "tRPC"), modified=2)])
    assert said(index.claims_by_id(["c7f3a1"])) == ["Services talk tRPC"]
    assert said(index.claims_like(KeywordQuery(("rest",)), 5)) == []
    index.apply([TouchNote("b.md", FileStamp(1, 9, 9, 9))])
    assert said(index.claims_by_id(["c7f3a1"])) == ["Services talk tRPC"]
    index.apply([DropNote("b.md")])
    assert said(index.claims_in(["b.md"])) == []
    assert said(index.claims_by_evidence(["2026-01-20.md"])) == []
    assert said(index.claims_like(KeywordQuery(("trpc", "gateway")), 5)) == []
    assert not index.standings(["b.md"])


@pytest.mark.req("I-04")
def test_keys_are_made_once_for_the_same_text(index: Index) -> None:
    asked: list[str] = []

    def counted(claim: Claim) -> KeyedClaim:
        def keys() -> tuple[str, ...]:
            asked.append(claim.text)
            return claim_keys(claim)

        return KeyedClaim(claim, keys)

    first, longer = "- one is a\n", "- zero is b\n- one is a\n"
    for text in (first, longer):
        put = claimed("a.md", text)
        claims = tuple(counted(one.claim) for one in put.claims or ())
        index.apply([PutNote(put.record, put.chunks, claims)])
    found = index.claims_by_slot(claim_keys(read_claims("x.md", "- one is c\n")[0]), 9)
    assert [(claim.text, claim.span.first) for claim in found] == [("one is a", 2)]
    if type(index).__name__ == "SqliteIndex":
        assert asked == ["one is a", "zero is b"]


@pytest.mark.req("I-04")
def test_claims_may_come_later_than_words_and_only_for_the_text_that_is_there(
    index: Index,
) -> None:
    old = claimed("old.md", "- [stated] Tea is green\n", modified=1, later=True)
    new = claimed("new.md", "- [stated] Tea is black\n", modified=2, later=True)
    index.apply([old, new])
    assert index.unread_claims(5) == ["new.md", "old.md"]
    assert index.unread_claims(1) == ["new.md"]
    assert said(index.claims_in(["old.md", "new.md"])) == []
    index.apply([PutClaims("old.md", "another digest", keyed("old.md", "- wrong\n"))])
    assert said(index.claims_in(["old.md"])) == []
    claims = keyed("old.md", "- [stated] Tea is green\n")
    index.apply([PutClaims("old.md", old.record.digest, claims)])
    assert said(index.claims_in(["old.md"])) == ["Tea is green"]
    assert index.unread_claims(5) == ["new.md"]
    index.apply([PutClaims("none.md", "", claims), DropNote("new.md")])
    assert index.unread_claims(5) == []


@pytest.mark.req("R-04")
def test_chunks_are_found_by_line(index: Index) -> None:
    index.apply([claimed("b.md", API)])
    (chunk,) = index.chunks_at([Span("b.md", 10, 10), Span("b.md", 10, 10), Span("none.md", 1, 9)])
    assert chunk.text.startswith("- ~~[stated] Services talk GraphQL")
    assert [one.span.first for one in index.chunks_at([Span("b.md", 9, 11)])] == [9, 10, 11]


@pytest.mark.req("R-05")
def test_an_absent_index_knows_no_claims(index: Index) -> None:
    assert said(index.claims_in(["a.md"])) == said(index.claims_by_id(["x"])) == []
    assert said(index.claims_by_slot(["k"], 5)) == said(index.claims_by_evidence(["a.md"])) == []
    assert said(index.claims_at([Span("a.md", 1, 1)])) == []
    assert said(index.claims_like(KeywordQuery(("tea",)), 5)) == []
    assert not index.standings(["a.md"])
    assert list(index.unread_claims(5)) == list(index.chunks_at([Span("a.md", 1, 1)])) == []


@pytest.mark.req("R-04", "B-01")
def test_live_claims_about_one_thing_come_as_a_group_unless_there_are_too_many(
    index: Index,
) -> None:
    rival = "- The gateway listens on port 9090\n- Tea is green\n"
    index.apply([claimed("a.md", API), claimed("b.md", rival)])
    assert {frozenset(said(group)) for group in index.crowded(4)} == {
        frozenset({"The gateway listens on port 8080", "The gateway listens on port 9090"})
    }
    assert index.crowded(1) == []


@pytest.mark.req("R-01")
@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("what about K8S?", "k8s"),
        ("where do dead letters go? the dead letter queue", "dead letter"),
        ("how is the cluster set up", "cluster"),
        ("the clustre and the rest", "cluster"),
        ("our cluter", "cluster"),
        ("one clusster", "cluster"),
        ("莉莉住在哪里", "莉莉"),
        ("k9s pods", ""),
        ("the bluster", ""),
        ("letter", ""),
        ("custard", ""),
    ],
)
def test_a_note_is_meant_by_title_or_alias_with_one_letter_amiss_at_most(
    index: Index, question: str, name: str
) -> None:
    text = "---\ntitle: Cluster\naliases: [k8s, dead letter, 莉莉]\n---\n\n- [stated] It runs\n"
    index.apply([claimed("a.md", text), claimed("b.md", "# Other\n")])
    assert index.named(keys_asked(question)) == ({"a.md": name} if name else {})


@pytest.mark.req("I-04")
def test_names_go_with_their_note(index: Index) -> None:
    index.apply([claimed("a.md", "---\naliases: [k8s]\n---\n# Cluster\n")])
    index.apply([claimed("a.md", "---\naliases: [helm]\n---\n# Cluster\n", modified=2)])
    assert not index.named(keys_asked("k8s"))
    assert index.named(keys_asked("Helm"))
    index.apply([DropNote("a.md")])
    assert not index.named(keys_asked("helm cluster"))
