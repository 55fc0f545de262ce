"""Nothing past is served as true today, whatever still tells it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from vademecum.core.errors import BadInput
from vademecum.core.search import Briefing, Freshness, Status
from vademecum.service.memory import Memory

Write = Callable[[str, str], None]

STYLE = """---
type: decision
title: API style
last_verified: 2026-01-18
---

# API style

- ~~[stated] Services talk GraphQL (2025-03-03, from [[2025-03-03#10:00 — API]])~~ superseded \
2025-08-08 by ^bbbbbb ^aaaaaa
- ~~[stated] Services talk REST (2025-08-08, from [[2025-08-08#11:00 — API again]])~~ superseded \
2026-01-10 by ^cccccc ^bbbbbb
- [stated] Services talk tRPC (2026-01-10, from [[2026-01-10#09:00 — Third time]]) ^cccccc
"""
LOGS = {
    "memory/2025-03-03.md": "# 2025-03-03\n\n### 10:00 — API\nServices talk GraphQL.\n\n"
    "### 12:00 — Lunch\nSoup with Mara.\n",
    "memory/2025-08-08.md": "# 2025-08-08\n\n### 11:00 — API again\n"
    "Decided on REST over GraphQL for all services.\n",
    "memory/2026-01-10.md": "# 2026-01-10\n\n### 09:00 — Third time\nServices talk tRPC now.\n",
}
LEGS: Any = pytest.mark.parametrize("leg", ["keyword", None])


@pytest.fixture
def style(write: Write) -> None:
    write("memory/decisions/api-style.md", STYLE)
    for path, text in LOGS.items():
        write(path, text)


def lines(answer: Briefing) -> list[str]:
    return [str(source.span) for source in answer.sources]


def current(answer: Briefing) -> str:
    return " ".join(one.text for one in answer.sources if one.status is not Status.SUPERSEDED)


# ---------------------------------------------------------------------- struck claims


@LEGS
@pytest.mark.req("R-04")
@pytest.mark.usefixtures("style")
def test_the_newest_decision_is_first_and_the_older_ones_are_not_told(
    memory: Memory, leg: Any
) -> None:
    answer = memory.recall("which API style do services talk, GraphQL or REST?", leg=leg)
    first = answer.sources[0]
    assert "tRPC" in first.text
    assert (first.claim, str(first.date), first.status) == ("cccccc", "2026-01-10", Status.CURRENT)
    assert (first.provenance.value, first.freshness) == ("stated", Freshness.FRESH)
    assert "GraphQL" not in current(answer)
    assert "REST" not in current(answer)


@LEGS
@pytest.mark.req("R-04")
@pytest.mark.usefixtures("style")
def test_what_replaced_a_line_comes_first_even_where_the_search_did_not_find_it(
    memory: Memory, leg: Any
) -> None:
    answer = memory.recall("GraphQL", leg=leg)
    assert answer.sources[0].claim == "cccccc"
    found = memory.search("GraphQL", leg=leg)
    assert found.hits[0].claim == "cccccc"
    past = [hit for hit in found.hits if "GraphQL" in hit.text]
    assert past
    assert {hit.status for hit in past} == {Status.SUPERSEDED}
    assert {hit.superseded_by for hit in past} == {"cccccc"}


@pytest.mark.req("R-04")
@pytest.mark.usefixtures("style")
@pytest.mark.parametrize(
    ("day", "protocol"),
    [
        ("2025-03-03", "GraphQL"),
        ("2025-08-07", "GraphQL"),
        ("2025-08-08", "REST"),
        ("2026-01-09", "REST"),
        ("2026-01-10", "tRPC"),
    ],
)
def test_each_decision_is_what_was_known_on_its_days(
    memory: Memory, day: str, protocol: str
) -> None:
    for question in ("services talk", "tRPC", "which API style?"):
        first = memory.recall(question, as_of=day, leg="keyword").sources[0]
        assert f"Services talk {protocol}" in first.text
        assert first.status is Status.CURRENT
    found = memory.search("services talk", as_of=day, leg="keyword")
    assert f"Services talk {protocol}" in found.hits[0].text
    assert all(hit.date is None or str(hit.date) <= day for hit in found.hits)


@pytest.mark.req("R-04")
@pytest.mark.usefixtures("style")
def test_before_the_first_decision_nothing_was_known(memory: Memory) -> None:
    answer = memory.recall("what do services talk?", as_of="2025-03-02")
    assert "talk" not in current(answer)


@pytest.mark.req("R-04")
def test_no_title_tells_on_an_earlier_day_what_came_later(memory: Memory, write: Write) -> None:
    write(
        "memory/decisions/2025-03-03-api.md",
        "---\ntype: decision\ntitle: Switched from REST to tRPC\n---\n\n"
        "# Switched from REST to tRPC\n\n## Transport of the API\n\n"
        "- ~~[stated] The API of the harbour speaks REST (2025-03-03)~~ superseded 2026-01-10 by "
        "^bbbbbb ^aaaaaa\n"
        "- [stated] We switched the API of the harbour to tRPC (2026-01-10) ^bbbbbb\n",
    )
    (then,) = memory.recall("API of the harbour", as_of="2025-05-01", leg="keyword").sources
    assert "speaks REST" in then.text
    assert then.heading == "Transport of the API"
    (now,) = memory.recall("API of the harbour", leg="keyword").sources
    assert now.heading == "Switched from REST to tRPC › Transport of the API"


def test_a_day_that_is_none_is_refused(memory: Memory) -> None:
    with pytest.raises(BadInput):
        memory.recall("anything", as_of="last week")


@pytest.mark.req("R-04", "W-06")
@pytest.mark.usefixtures("style")
def test_history_tells_the_whole_chain_the_oldest_first_with_its_days(memory: Memory) -> None:
    chain = [one for one in memory.recall("tRPC", history=True).sources if one.claim]
    assert [one.claim for one in chain] == ["aaaaaa", "bbbbbb", "cccccc"]
    assert [str(one.date) for one in chain] == ["2025-03-03", "2025-08-08", "2026-01-10"]
    assert [str(one.until) for one in chain] == ["2025-08-08", "2026-01-10", "None"]
    assert "held from 2025-03-03 until 2025-08-08" in chain[0].why


@pytest.mark.req("R-04")
@pytest.mark.usefixtures("style")
def test_an_entry_that_was_evidence_of_a_past_claim_is_past_yet_not_all_of_its_day(
    memory: Memory,
) -> None:
    found = memory.search("Decided on REST over GraphQL for all services").hits
    entry = next(hit for hit in found if hit.span.path == "memory/2025-08-08.md")
    assert (entry.status, entry.superseded_by) == (Status.SUPERSEDED, "cccccc")
    assert memory.recall("soup with Mara").sources[0].status is Status.CURRENT


# ---------------------------------------------------------------------- other spellings


@pytest.mark.req("R-04")
@pytest.mark.parametrize(
    "note",
    [
        "- ~~[stated] The gateway listens on port 8080~~ superseded 2026-01-05 (moved)\n"
        "- [stated] The gateway listens on port 9090\n",
        "- The gateway listens on port 8080\n> [Superseded 2026-01-05]\n\n"
        "- The gateway listens on port 9090\n",
        "<!-- observed: 2025-12-01 | status: superseded -->\n\n"
        "- The gateway listens on port 8080\n\n"
        "<!-- observed: 2026-01-05 | status: active -->\n\n"
        "- The gateway listens on port 9090\n",
        "- ~~The gateway listens on port 8080~~\n- The gateway listens on port 9090\n",
    ],
)
def test_every_spelling_of_what_is_past_is_understood(
    memory: Memory, write: Write, note: str
) -> None:
    write("memory/projects/gateway.md", f"# Gateway\n\n{note}")
    answer = memory.recall("which port does the gateway listen on, 8080?")
    assert "9090" in answer.sources[0].text
    assert "8080" not in current(answer)


@pytest.mark.req("R-04")
@pytest.mark.parametrize("status", ["superseded", "deprecated"])
def test_a_note_may_be_past_as_a_whole(memory: Memory, write: Write, status: str) -> None:
    head = f"---\ntype: decision\nstatus: {status}\nsuperseded_by: '[[queue]]'\n---\n"
    write("memory/decisions/broker.md", f"{head}# Broker\n\n- [stated] Jobs go through RabbitMQ\n")
    write("memory/lessons/broker.md", "# Broker lessons\n\n- [observed] RabbitMQ needs a disk\n")
    answer = memory.recall("RabbitMQ jobs")
    assert lines(answer) == ["memory/lessons/broker.md:3"]
    hit = next(hit for hit in memory.search("RabbitMQ jobs").hits if "Jobs" in hit.text)
    assert (hit.status, hit.superseded_by) == (Status.SUPERSEDED, "queue")


@pytest.mark.req("R-04", "R-05")
def test_where_only_the_past_answers_that_is_said_and_history_tells_it(
    memory: Memory, write: Write
) -> None:
    write(
        "memory/facts/pet.md",
        "# Pet\n\n- ~~[stated] Mara keeps a heron (2025-12-01)~~ superseded 2026-01-02\n",
    )
    answer = memory.recall("heron", leg="keyword")
    assert answer.sources == ()
    assert "--history" in answer.reason
    (source,) = memory.recall("heron", leg="keyword", history=True).sources
    assert source.status is Status.SUPERSEDED
    assert "held from 2025-12-01 until 2026-01-02" in source.why
    (source,) = memory.recall("heron", leg="keyword", as_of="2026-01-01").sources
    assert source.status is Status.CURRENT
    assert "on that day" in memory.recall("heron", leg="keyword", as_of="2025-01-01").reason


@pytest.mark.req("R-04")
def test_chains_in_a_circle_and_to_nowhere_end(memory: Memory, write: Write) -> None:
    write(
        "memory/facts/x.md",
        "# X\n\n- ~~[stated] Herons are grey~~ superseded 2026-01-02 by ^b1b1b1 ^a1a1a1\n"
        "- ~~[stated] Herons are white~~ superseded 2026-01-03 by ^a1a1a1 ^b1b1b1\n"
        "- ~~[stated] Otters swim~~ superseded 2026-01-03 by ^nobody ^c1c1c1\n",
    )
    for question in ("herons grey", "otters swim"):
        assert memory.recall(question, leg="keyword").sources == ()
        for source in memory.recall(question, leg="keyword", history=True).sources:
            assert source.status is Status.SUPERSEDED
    assert memory.search("otters swim").hits[0].superseded_by == "nobody"


# ---------------------------------------------------------------------- copies


@LEGS
@pytest.mark.req("R-04", "W-07")
def test_copies_of_a_corrected_value_are_reported_stale_and_never_served(
    memory: Memory, write: Write, leg: Any
) -> None:
    write(
        "memory/facts/staging.md",
        "# Staging\n\n"
        "- ~~[stated] The staging database is called heron-1 (2025-12-01)~~ superseded 2026-01-15"
        " by ^d2d2d2 ^d1d1d1\n"
        "- [stated] The staging database is called otter-2 (2026-01-15) ^d2d2d2\n",
    )
    write("memory/projects/deploy.md", "# Deploy\n\n- The staging database is called heron-1\n")
    write(
        "memory/lessons/backup.md",
        "# Backup\n\nThe staging database is called heron-1. Dumps take an hour.\n",
    )
    answer = memory.recall("what is the staging database called?", leg=leg)
    first = answer.sources[0]
    assert "otter-2" in first.text
    assert "memory/projects/deploy.md:3" in first.why
    assert "memory/lessons/backup.md:3" in first.why
    assert "heron-1" not in current(answer)
    history = memory.recall("what is the staging database called?", leg=leg, history=True)
    old = next(one for one in history.sources if one.claim == "d1d1d1")
    assert (str(old.date), str(old.until)) == ("2025-12-01", "2026-01-15")
    copies = [
        hit for hit in memory.search("staging database called", leg=leg).hits if not hit.claim
    ]
    assert {hit.superseded_by for hit in copies if "heron-1" in hit.text} == {"d2d2d2"}
    assert {hit.freshness for hit in copies if "heron-1" in hit.text} == {Freshness.STALE}


@LEGS
@pytest.mark.req("R-04")
@pytest.mark.parametrize(
    "copy",
    [
        "The gateway listens on port 8080. Restart it after changes.",
        "The gateway listens on port **8080**.",
        "2. [x] **Mara:** The gateway listens on port 8080.",
        "> [stated] The gateway listens on port 8080",
        "Mind when configuring nginx that the gateway listens on port 8080 everywhere.",
    ],
)
def test_a_number_before_a_full_stop_is_no_list_mark_and_bold_no_speaker(
    memory: Memory, write: Write, leg: Any, copy: str
) -> None:
    write(
        "memory/facts/gateway.md",
        "# Gateway\n\n"
        "- ~~[stated] The gateway listens on port 8080 (2025-12-01)~~ superseded 2026-01-15"
        " by ^d2d2d2 ^d1d1d1\n"
        "- [stated] The gateway listens on port 9090 (2026-01-15) ^d2d2d2\n",
    )
    write("memory/lessons/setup.md", f"# Setup\n\n{copy}\n")
    answer = memory.recall("which port does the gateway listen on?", leg=leg)
    first = answer.sources[0]
    assert "9090" in first.text
    assert "memory/lessons/setup.md:3" in first.why
    assert "8080" not in " ".join(
        one.text for one in answer.sources if one.status is Status.CURRENT
    )


@pytest.mark.req("R-04")
def test_a_value_taken_up_again_is_current_again(memory: Memory, write: Write) -> None:
    write(
        "memory/facts/editor.md",
        "# Editor\n\n"
        "- ~~[stated] Mara's editor is Vim (2025-01-01)~~ superseded 2025-06-01"
        " by ^e2e2e2 ^e1e1e1\n"
        "- ~~[stated] Mara's editor is Emacs (2025-06-01)~~ superseded 2026-01-01"
        " by ^e3e3e3 ^e2e2e2\n"
        "- [stated] Mara's editor is Vim (2026-01-01) ^e3e3e3\n",
    )
    answer = memory.recall("Mara's editor")
    assert answer.sources[0].claim == "e3e3e3"
    assert answer.sources[0].status is Status.CURRENT
    assert memory.recall("Mara's editor", as_of="2025-07-01").sources[0].claim == "e2e2e2"
    assert memory.recall("Mara's editor", as_of="2025-02-01").sources[0].claim == "e1e1e1"


# ---------------------------------------------------------------------- rivals that nobody claimed


@LEGS
@pytest.mark.req("R-04")
def test_of_entries_that_disagree_the_newer_is_served(
    memory: Memory, write: Write, leg: Any
) -> None:
    write("memory/2026-01-03.md", "# 2026-01-03\n\n- The stand-up is at 09:30.\n")
    write("memory/2026-01-12.md", "# 2026-01-12\n\n- The stand-up is at 10:15.\n")
    answer = memory.recall("when is the stand-up?", leg=leg)
    assert "10:15" in answer.sources[0].text
    assert "09:30" not in current(answer)
    old = next(hit for hit in memory.search("stand-up", leg=leg).hits if "09:30" in hit.text)
    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, "memory/2026-01-12.md:3")
    assert "09:30" in memory.recall("when is the stand-up?", as_of="2026-01-05").sources[0].text


@pytest.mark.req("R-04")
def test_recency_never_reorders_what_is_no_rival(memory: Memory, write: Write) -> None:
    write("memory/2025-01-03.md", "# 2025-01-03\n\n- The heron stood in the north pond at noon.\n")
    write("memory/2026-01-12.md", "# 2026-01-12\n\n- The otter stood near a pond.\n")
    hits = memory.search("heron in the north pond at noon").hits
    assert "heron" in hits[0].text
    assert {hit.status for hit in hits} == {Status.CURRENT}


@pytest.mark.req("R-04")
def test_a_log_that_tells_an_older_value_than_a_claim_is_past(memory: Memory, write: Write) -> None:
    write("memory/2026-01-03.md", "# 2026-01-03\n\n- The stand-up is at 09:30.\n")
    write(
        "memory/facts/team.md",
        "# Team\n\n- [stated] The stand-up is at 10:15 (2026-01-12) ^f1f1f1\n",
    )
    answer = memory.recall("when is the stand-up? 09:30?")
    assert answer.sources[0].claim == "f1f1f1"
    assert "09:30" not in current(answer)


@pytest.mark.req("R-04")
def test_an_entry_newer_than_a_claim_comes_first_and_the_claim_says_so(
    memory: Memory, write: Write
) -> None:
    write("memory/2026-01-15.md", "# 2026-01-15\n\n- The stand-up is at 11:00.\n")
    write(
        "memory/facts/team.md",
        "# Team\n\n- [stated] The stand-up is at 10:15 (2026-01-12) ^f1f1f1\n",
    )
    first, second = memory.recall("when is the stand-up?").sources[:2]
    assert "11:00" in first.text
    assert second.claim == "f1f1f1"
    assert second.status is Status.CURRENT
    assert "2026-01-15 says otherwise" in second.why


# ---------------------------------------------------------------------- conflicts, candidates, age


@pytest.mark.req("R-04")
def test_a_conflict_is_shown_with_both_sides(memory: Memory, write: Write) -> None:
    write(
        "memory/facts/lead.md",
        "# Lead\n\n- [stated] Mara leads the herons (2026-01-02) ^a2a2a2\n"
        "- [stated] Ilya leads the herons (2026-01-03) ^b2b2b2\n"
        "> ⚠️ CONFLICT (2026-01-04): two leads ^a2a2a2 ^b2b2b2\n",
    )
    answer = memory.recall("does Mara lead the herons?")
    sides = [one for one in answer.sources if one.claim]
    assert {one.claim for one in sides} == {"a2a2a2", "b2b2b2"}
    assert {one.status for one in sides} == {Status.CONFLICT}


@pytest.mark.req("W-05")
def test_a_candidate_is_shown_as_one(memory: Memory, write: Write) -> None:
    write("memory/candidates.md", "# Candidates\n\n- [inferred] Herons come at dusk (2026-01-02)\n")
    source = memory.recall("when do herons come?").sources[0]
    assert source.status is Status.CANDIDATE


@pytest.mark.req("W-07")
def test_what_was_not_verified_for_more_than_thirty_days_is_said_to_be_stale(
    memory: Memory, write: Write
) -> None:
    write("memory/facts/a.md", "# A\n\n- [stated] Herons eat fish (2025-12-20)\n")
    write("memory/facts/b.md", "# B\n\n- [stated] Otters eat crabs (2025-12-22)\n")
    write(
        "memory/facts/c.md",
        "---\nlast_verified: 2026-01-19\n---\n# C\n\n- [stated] Stoats eat voles (2020-01-01)\n",
    )
    write("memory/facts/d.md", "# D\n\n- Badgers eat worms\n")
    by_word = {
        word: memory.recall(f"what do {word} eat?").sources[0]
        for word in ("herons", "otters", "stoats", "badgers")
    }
    assert by_word["herons"].freshness is Freshness.STALE
    assert "stale: last verified 2025-12-20, 31 days ago" in by_word["herons"].why
    assert by_word["otters"].freshness is Freshness.FRESH
    assert by_word["stoats"].freshness is Freshness.FRESH
    assert by_word["badgers"].freshness is Freshness.UNKNOWN


# ---------------------------------------------------------------------- scopes


@pytest.mark.req("R-03")
def test_a_scope_leaves_out_what_holds_elsewhere_only(memory: Memory, write: Write) -> None:
    write("memory/facts/r1.md", "---\nscope: [code]\n---\n# R1\n\n- [stated] Redis is our cache\n")
    write("memory/facts/r2.md", "---\nscope: novel\n---\n# R2\n\n- [stated] Redis is a cat\n")
    write("memory/facts/r3.md", "# R3\n\n- [stated] Redis needs a comma\n")
    said = {one.text for one in memory.recall("Redis", scope="Code").sources}
    assert any("cache" in text for text in said)
    assert any("comma" in text for text in said)
    assert not any("cat" in text for text in said)
    assert len(memory.search("Redis", scope=("code", "novel")).hits) >= 3


# ---------------------------------------------------------------------- what answers at all


@pytest.mark.req("R-05")
def test_a_question_that_names_a_note_is_not_answered_by_others(
    memory: Memory, write: Write
) -> None:
    head = "---\ntitle: Cluster\naliases: [k8s]\n---\n"
    write("memory/facts/cluster.md", f"{head}\n- [stated] Pods are deployed by Helm ^a1b2c3\n")
    write("memory/facts/other.md", "# Other\n\n- [stated] Posters are deployed by hand\n")
    write("memory/facts/third.md", "# Third\n\n- [stated] Rivers are wide\n")
    for question in ("how is k8s deployed?", "the clustre?", "K8S"):
        sources = memory.recall(question).sources
        assert {one.span.path for one in sources} == {"memory/facts/cluster.md"}
    assert "deployed by hand" in memory.recall("posters deployed by hand").sources[0].text


@pytest.mark.req("R-04")
@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        ("我们决定 Heron 的缓存用 Redis.", "Heron 的缓存改用 Varnish", "Heron 的缓存用什么？"),
        ("Heron listens on port 8101.", "The port of Heron is now 8115", "The port of Heron?"),
    ],
)
def test_an_entry_of_a_kind_and_with_a_source_is_past_once_its_claim_is(
    memory: Memory, write: Write, old: str, new: str, question: str
) -> None:
    memory.remember(old, tag="stated", since="2026-01-02")
    memory.remember(new, tag="stated", since="2026-01-12")
    entry = f"- [DECISION] {old} ([[2026-01-02#11:20 — Talk, second round|11:20]])"
    write("memory/reflections/2026-01-02.md", f"# 2026-01-02\n\n## Decisions\n\n{entry}\n")
    sources = memory.recall(question, leg="keyword").sources
    assert not any("[DECISION]" in one.text for one in sources)
    found = memory.search(question, leg="keyword").hits
    assert [hit.status for hit in found if "[DECISION]" in hit.text] == [Status.SUPERSEDED]


@pytest.mark.req("R-04")
def test_a_description_is_as_new_as_the_claim_that_it_repeats(memory: Memory, write: Write) -> None:
    head = "---\ndescription: Heron now listens on port 8115\ncreated: 2026-01-02\n---\n# Heron\n\n"
    write(
        "memory/facts/heron.md", f"{head}- [stated] Heron now listens on port 8115 (2026-01-09)\n"
    )
    write("memory/facts/old.md", "# Old\n\n- [stated] The port of Heron is 8101 (2026-01-05)\n")
    sources = memory.recall("Which port does Heron listen on?").sources
    assert "8115" in sources[0].text
    assert not any("8101" in one.text for one in sources if one.status is not Status.SUPERSEDED)


@pytest.mark.req("R-05")
def test_what_another_note_says_of_the_thing_named_answers_by_words_alone(
    memory: Memory, write: Write
) -> None:
    write("memory/facts/heron.md", "# Heron\n\n- [stated] Heron is deployed on Fridays ^a1b2c3\n")
    write(
        "memory/facts/upkeep.md",
        "# Upkeep\n\n- [stated] Heron keeps its logs for 30 days ^b1b2c3\n",
    )
    for number in range(12):  # words that others have as well tell less than those that none has
        text = f"# Other {number}\n\n- [stated] Marlin {number} keeps some logs, days on end\n"
        write(f"memory/facts/{number}.md", text)
    question = "How many days does Heron keep its logs?"
    sources = memory.recall(question, leg="keyword").sources
    assert any("30 days" in source.text for source in sources)
    assert not any("Marlin" in source.text for source in sources)


@pytest.mark.req("R-05")
def test_a_claim_that_shares_a_stray_word_is_no_answer(memory: Memory, write: Write) -> None:
    write("memory/facts/a.md", "# Harbour\n\n- [stated] The ferry leaves at noon\n")
    write("memory/facts/b.md", "# Pier\n\n- [stated] The kiosk sells ice\n")
    write("memory/facts/c.md", "# Dock\n\n- [stated] The crane lifts wood\n")
    write("memory/facts/d.md", "# Quay\n\n- [stated] The guard sleeps late\n")
    answer = memory.recall("which pension scheme, tax bracket or savings plan leaves more money?")
    assert "memory/facts/a.md" not in {one.span.path for one in answer.sources}
    assert memory.recall("when does the ferry leave?").sources[0].span.path == "memory/facts/a.md"


@pytest.mark.req("R-04")
def test_the_history_asked_for_comes_before_that_of_other_things(memory: Memory) -> None:
    for name in ("Heron", "Tidal", "Prism", "Cedar", "Quartz"):
        memory.remember(f"{name} talks REST to its clients", tag="stated", since="2026-01-02")
        memory.remember(f"{name} now talks gRPC to its clients", tag="stated", since="2026-01-09")
    sources = memory.recall("What do services talk to their clients?", history=True).sources
    assert len(sources) == 5
    sources = memory.recall("What does Heron talk to its clients?", history=True).sources
    told = [(source.status, "gRPC" in source.text) for source in sources[:2]]
    assert all("Heron" in source.text for source in sources[:2])
    assert told == [(Status.SUPERSEDED, False), (Status.CURRENT, True)]


@pytest.mark.req("R-04")
def test_a_history_longer_than_the_share_of_a_note_is_told_whole(memory: Memory) -> None:
    for day, port in enumerate((8101, 8108, 8115, 8122), 2):
        memory.remember(f"Heron listens on port {port}", tag="stated", since=f"2026-01-0{day}")
    for name in ("Tidal", "Prism", "Cedar"):
        memory.remember(f"{name} listens on port 9000", tag="stated", since="2026-01-02")
        memory.remember(f"{name} listens on port 9001", tag="stated", since="2026-01-09")
    sources = memory.recall("Which port does Heron listen on?", history=True).sources
    ports = [source.text.split("port ")[1][:4] for source in sources[:4]]
    assert ports == ["8101", "8108", "8115", "8122"]
    assert [source.status for source in sources[:4]] == [Status.SUPERSEDED] * 3 + [Status.CURRENT]


# ---------------------------------------------------------------------- bundles of others

MARGIN = (
    "---\ntype: metric\ntitle: Margin\n{more}---\n\n# Margin\n\nThe margin is net of refunds.\n"
)


@LEGS
@pytest.mark.req("F-10")
def test_a_deprecated_note_of_a_bundle_is_past(memory: Memory, write: Write, leg: str) -> None:
    write("memory/metrics/margin.md", MARGIN.format(more="status: deprecated\n"))
    hits = memory.search("margin net of refunds", leg=leg).hits
    (hit,) = (hit for hit in hits if hit.span.path == "memory/metrics/margin.md")
    assert hit.status is Status.SUPERSEDED
    assert "net of refunds" not in current(memory.recall("is the margin net of refunds?"))


@pytest.mark.req("F-10")
@pytest.mark.parametrize(
    ("more", "freshness"),
    [
        ("stale_after: 2026-01-20T10:30:00Z\n", Freshness.STALE),
        ("stale_after: 2026-01-20T10:31:00Z\n", Freshness.UNKNOWN),
        ("stale_after: 2026-01-20T12:00:00+02:00\n", Freshness.STALE),
        ("verified:\n- by: human:x\n  at: 2026-01-19T08:00:00Z\n", Freshness.FRESH),
        ("verified:\n  by: process:x\n  at: 2025-01-19T08:00:00Z\n", Freshness.STALE),
        (
            "verified:\n- by: a/1\n  at: 2025-01-01T00:00:00Z\n"
            "- by: human:x\n  at: 2026-01-02T00:00:00Z\n",
            Freshness.FRESH,
        ),
        ("generated:\n  by: a/1\n  at: 2026-01-19T08:00:00Z\n", Freshness.UNKNOWN),
        ("stale_after: whenever\n", Freshness.UNKNOWN),
    ],
)
def test_a_bundle_says_how_fresh_it_is(
    memory: Memory, write: Write, more: str, freshness: Freshness
) -> None:
    write("memory/metrics/margin.md", MARGIN.format(more=more))
    source = memory.recall("is the margin net of refunds?").sources[0]
    assert source.span.path == "memory/metrics/margin.md"
    assert source.freshness is freshness
