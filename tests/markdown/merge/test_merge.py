"""Merging logs, maps, frontmatter and prose of both sides."""

from __future__ import annotations

from datetime import date

import pytest

from vademecum.core.notes import Role
from vademecum.markdown.claims import read_claims
from vademecum.markdown.entries import log_heading, render_entry
from vademecum.markdown.maps import MapEntry, read_map, render_map
from vademecum.markdown.merge import merge

DAY = date(2026, 3, 1)
LOG = "memory/2026-01-20.md"
EMPTY_LOG = log_heading(date(2026, 1, 20))


def entry(time: str, title: str) -> str:
    return render_entry(time, title, f"About {title}.")


@pytest.mark.req("B-02")
def test_logs_are_every_entry_of_both_once_in_the_order_of_their_times() -> None:
    base = EMPTY_LOG + entry("09:00", "start")
    ours = base + entry("10:00", "ours") + entry("12:00", "both")
    theirs = base + entry("09:30", "theirs") + entry("11:00", "more") + entry("12:00", "both")
    merged = merge(base, ours, theirs, LOG, day=DAY)
    titles = [line[4:] for line in merged.text.splitlines() if line.startswith("### ")]
    assert titles == [
        "09:00 — start", "09:30 — theirs", "10:00 — ours", "11:00 — more", "12:00 — both",
    ]  # fmt: skip
    assert merged.conflicts == ()
    assert merged.text.startswith("# 2026-01-20\n\n### 09:00 — start\nAbout start.\n\n### 09:30")


@pytest.mark.req("B-02")
def test_a_log_that_both_sides_began_is_one_log() -> None:
    ours, theirs = EMPTY_LOG + entry("10:00", "ours"), EMPTY_LOG + entry("09:00", "theirs")
    merged = merge("", ours, theirs, LOG, day=DAY)
    assert merged.text.count("# 2026-01-20") == 1
    assert merged.text.index("theirs") < merged.text.index("ours")


@pytest.mark.req("B-02", "B-03")
def test_what_was_forgotten_in_a_log_on_one_side_stays_forgotten() -> None:
    base = EMPTY_LOG + entry("09:00", "start")
    ours = base.replace("About start.", "[forgotten 01k9]")
    theirs = base.replace("About start.", "About start!") + entry("10:00", "more")
    merged = merge(base, ours, theirs, LOG, day=DAY)
    assert "About start" not in merged.text
    assert "[forgotten 01k9]" in merged.text
    assert "more" in merged.text


@pytest.mark.req("B-02", "F-09")
def test_rows_of_a_map_that_both_sides_added_or_changed_are_all_there_once() -> None:
    head = "# Vault\n\n## People\n\n| File | Status | Note |\n|---|---|---|\n"
    base = head + "| [[people/kim]] | ✅ | bakes |\n| [[people/li]] | ✅ | sails |\n"
    ours = base.replace("| ✅ | bakes |", "| 🔀 | bakes |") + "| [[people/bo]] | ✅ | ours |\n"
    theirs = base + "| [[people/ada]] | ✅ | theirs |\n"
    merged = merge(base, ours, theirs, "memory/INDEX.md", day=DAY, role=Role.MAP)
    assert merged.conflicts == ()
    rows = [line for line in merged.text.splitlines() if "[[" in line]
    assert sorted(rows) == [
        "| [[people/ada]] | ✅ | theirs |", "| [[people/bo]] | ✅ | ours |",
        "| [[people/kim]] | 🔀 | bakes |", "| [[people/li]] | ✅ | sails |",
    ]  # fmt: skip


@pytest.mark.req("B-02")
def test_maps_are_merged_by_link() -> None:
    base = render_map("# Map\n", [MapEntry("a.md", "A", "old"), MapEntry("b.md", "B")])
    ours = render_map(base, [MapEntry("a.md", "A", "new"), MapEntry("b.md", "B")])
    theirs = render_map(
        base, [MapEntry("a.md", "A", "newer"), MapEntry("c.md", "C"), MapEntry("b.md", "B")]
    )
    merged = merge(base, ours, theirs, "memory/index.md", day=DAY, role=Role.MAP)
    assert [(e.target, e.description) for e in read_map(merged.text)] == [
        ("a.md", "new"), ("c.md", ""), ("b.md", ""),
    ]  # fmt: skip
    assert merged.conflicts == ()


HEAD = "---\ntype: lesson\ntitle: T\ntags: [a, b]\nlast_verified: 2026-01-01\n---\n"


@pytest.mark.req("B-02", "F-04")
def test_frontmatter_is_merged_by_key() -> None:
    ours = HEAD.replace("[a, b]", "[a, b, c]").replace("2026-01-01", "2026-02-01")
    theirs = HEAD.replace("[a, b]", "[b, d]").replace("2026-01-01", "2026-01-15")
    theirs = theirs.replace("title: T\n", "title: T\npriority: core\n")
    merged = merge(HEAD, ours, theirs, "memory/a.md", day=DAY).text
    assert "tags: [b, c, d]\n" in merged
    assert "last_verified: 2026-02-01\n" in merged
    assert "title: T\npriority: core\n" in merged


@pytest.mark.req("B-02", "F-04")
def test_a_key_that_both_changed_keeps_both_values_in_sight() -> None:
    ours, theirs = HEAD.replace("title: T", "title: U"), HEAD.replace("title: T", "title: V")
    merged = merge(HEAD + "\nText.\n", ours + "\nText.\n", theirs + "\nText.\n", "a.md", day=DAY)
    assert "title: U\n" in merged.text
    assert "> title: V\n" in merged.text
    assert merged.conflicts == ("both sides changed title of the frontmatter",)


@pytest.mark.req("B-02", "F-04")
def test_a_frontmatter_that_cannot_be_read_is_kept_whole_from_both_sides() -> None:
    ours, theirs = (HEAD.replace("title: T", f"title: T\ntitle: {one}") for one in "UV")
    merged = merge(HEAD + "\nText.\n", ours + "\nText.\n", theirs + "\nText.\n", "a.md", day=DAY)
    assert "title: U\n" in merged.text
    assert "> title: V\n" in merged.text
    assert merged.conflicts == ("both sides changed the frontmatter",)


@pytest.mark.req("B-02")
def test_prose_that_both_rewrote_stands_twice_and_claims_stay_out_of_it() -> None:
    base = "# N\n\nOld words.\n\n- A claim ^a1b2c3\n"
    ours, theirs = base.replace("Old", "Our"), base.replace("Old", "Their")
    merged = merge(base, ours, theirs, "memory/a.md", day=DAY)
    assert "<<<<<<< ours\nOur words.\n=======\nTheir words.\n>>>>>>> theirs\n" in merged.text
    assert merged.conflicts
    assert [claim.id for claim in read_claims("a.md", merged.text)] == ["a1b2c3"]
    assert not any(claim.conflict for claim in read_claims("a.md", merged.text))


@pytest.mark.req("B-02")
def test_line_ends_and_mark_are_those_of_ours() -> None:
    base = "- A ^a1b2c3\r\n- B ^b1b2c3\r\n"
    ours = "\ufeff- A, edited ^a1b2c3\r\n- B ^b1b2c3\r\n"
    theirs = "- A ^a1b2c3\n- B, edited ^b1b2c3\n"
    merged = merge("\ufeff" + base, ours, theirs, "memory/a.md", day=DAY)
    assert merged.text == "\ufeff- A, edited ^a1b2c3\r\n- B, edited ^b1b2c3\r\n"


@pytest.mark.req("B-02", "W-04")
def test_each_side_remembering_another_value_is_ruled_by_date_or_marked() -> None:
    base = "# N\n\n- [stated] The office is in Bern (2026-01-01) ^a1b2c3\n"
    one = "- [stated] The API uses port 8080 (2026-02-01) ^d1d1d1\n"
    two = "- [stated] The API uses port 9090 (2026-02-03) ^e1e1e1\n"
    merged = merge(base, base + one, base + two, "memory/a.md", day=DAY)
    assert "~~[stated] The API uses port 8080 (2026-02-01)~~ superseded 2026-02-03 by ^e1e1e1" in (
        merged.text
    )
    same_day = two.replace("02-03", "02-01")
    merged = merge(base, base + one, base + same_day, "memory/a.md", day=DAY)
    assert "> ⚠️ CONFLICT (2026-03-01): each side says something else ^d1d1d1 ^e1e1e1" in merged.text


@pytest.mark.req("B-02", "W-03")
def test_the_same_claim_remembered_on_both_sides_is_one_claim() -> None:
    base = "# N\n\n- [stated] Services talk REST (2026-01-01) ^c1c1c1\n"
    dead = "- ~~[stated] Services talk REST (2026-01-01)~~ superseded 2026-02-01 by ^{0} ^c1c1c1\n"
    new = "- [stated] Services talk tRPC (2026-02-01) ^{0}\n"
    ours, theirs = ("# N\n\n" + (dead + new).format(id) for id in ("d1d1d1", "a1a1a1"))
    merged = merge(base, ours, theirs, "memory/a.md", day=DAY)
    assert merged.text == "# N\n\n" + (dead + new).format("a1a1a1")
    assert merged.conflicts == ()


STYLE = "memory/decisions/style.md"
GRAPH = "- [stated] API uses GraphQL (2026-01-01) ^aaaaaa\n"


def style(claims: str, *, title: str, description: str) -> str:
    return f"---\ntitle: {title}\ndescription: {description}\n---\n\n# {title}\n\n{claims}"


def replaced(value: str, day: str, id: str, *, tag: str = "stated") -> str:
    past = f"- ~~[stated] API uses GraphQL (2026-01-01)~~ superseded {day} by ^{id} ^aaaaaa\n"
    claims = f"{past}- [{tag}] API uses {value} ({day}) ^{id}\n"
    return style(claims, title=f"API uses {value}", description=f"API uses {value}")


@pytest.mark.req("B-02", "W-06")
@pytest.mark.parametrize("turned", [False, True])
def test_title_and_description_say_what_holds_where_both_sides_replaced_one_claim(
    turned: bool,
) -> None:
    base = style(GRAPH, title="API uses GraphQL", description="API uses GraphQL")
    sides = [replaced("REST", "2026-02-01", "bbbbbb"), replaced("tRPC", "2026-02-20", "cccccc")]
    merged = merge(base, *(sides[::-1] if turned else sides), STYLE, day=DAY)
    assert merged.conflicts == ()
    assert "title: API uses tRPC\ndescription: API uses tRPC\n" in merged.text
    assert "\n# API uses tRPC\n" in merged.text
    assert [claim.text for claim in read_claims(STYLE, merged.text) if claim.live] == [
        "API uses tRPC"
    ]


@pytest.mark.req("B-02", "W-06")
def test_where_both_values_stay_only_the_claims_are_in_conflict() -> None:
    base = style(GRAPH, title="API uses GraphQL", description="API uses GraphQL")
    ours = replaced("REST", "2026-02-01", "bbbbbb", tag="inferred")
    theirs = replaced("tRPC", "2026-02-01", "cccccc", tag="inferred")
    merged = merge(base, ours, theirs, STYLE, day=DAY)
    assert len(merged.conflicts) == 1
    assert "<<<<<<<" not in merged.text
    assert "MERGED" not in merged.text
    assert "status: conflict" in merged.text
    assert all(claim.conflict for claim in read_claims(STYLE, merged.text) if claim.live)


@pytest.mark.req("B-02")
def test_a_description_that_a_person_wrote_is_kept_beside_one_that_says_what_holds() -> None:
    base = style(GRAPH, title="Style", description="API uses GraphQL")
    ours = replaced("REST", "2026-02-01", "bbbbbb")
    theirs = style(GRAPH, title="Style", description="How our services talk")
    for sides in ((ours, theirs), (theirs, ours)):
        merged = merge(base, *sides, STYLE, day=DAY)
        assert "How our services talk" in merged.text
        assert "API uses REST" in merged.text


@pytest.mark.req("B-02")
def test_a_title_that_a_person_gave_is_kept_from_both_sides() -> None:
    base = style(GRAPH, title="Style", description="API uses GraphQL")
    ours, theirs = (
        replaced(value, day, id).replace(f"title: API uses {value}", f"title: {title}")
        for value, day, id, title in (
            ("REST", "2026-02-01", "bbbbbb", "How we talk"),
            ("tRPC", "2026-02-20", "cccccc", "Our wires"),
        )
    )
    merged = merge(base, ours, theirs, STYLE, day=DAY)
    assert "How we talk" in merged.text
    assert "Our wires" in merged.text
    assert "description: API uses tRPC" in merged.text
