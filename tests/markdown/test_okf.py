"""A bundle is held against every rule of the Open Knowledge Format, and against no other."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from vademecum.markdown.okf import RULES, Breach, check_bundle

NOW = datetime(2026, 11, 30, tzinfo=UTC)
HEAD = "type: metric\ntitle: Margin\ndescription: What is left\n"


def breaches(files: dict[str, str]) -> list[Breach]:
    return list(check_bundle(files, now=NOW))


def concept(more: str = "", body: str = "Text.\n", version: str = "0.2") -> dict[str, str]:
    index = f'---\nokf_version: "{version}"\n---\n\n# Notes\n\n* [Margin](a.md) - what is left\n'
    return {"index.md": index, "a.md": f"---\n{HEAD}{more}---\n\n{body}"}


CASES = {
    "okf/frontmatter/present": {"a.md": "# Margin\n"},
    "okf/frontmatter/readable": {"a.md": "---\ntype: metric\n\n# Never closed\n"},
    "okf/frontmatter/type-required": {"a.md": "---\ntitle: Margin\ndescription: x\n---\n"},
    "okf/frontmatter/type-first": {"a.md": "---\ntitle: M\ntype: metric\ndescription: x\n---\n"},
    "okf/frontmatter/recommended": {"a.md": "---\ntype: metric\ntitle: Margin\n---\n"},
    "okf/index/frontmatter": {"sub/index.md": "---\ntype: index\n---\n\n# Notes\n"},
    "okf/index/entries": {"index.md": "# Notes\n\n* Margin, what is left\n"},
    "okf/log/dates": {"log.md": "# Log\n\n## Last week\n\n* Update\n"},
    "okf/log/order": {"log.md": "# Log\n\n## 2026-01-02\n\n## 2026-01-03\n"},
    "okf/log/frontmatter": {"log.md": "---\ntype: Log\n---\n\n# Log\n\n## 2026-01-02\n"},
    "okf/version/known": concept(version="7.1"),
    "okf/links/resolve": concept(body="See [this](gone.md).\n"),
    "okf/times/offset": concept("stale_after: 2027-01-01\n"),
    "okf/sources/resource-required": concept("sources:\n- id: one\n"),
    "okf/sources/footnote": concept("sources:\n- id: one\n  resource: x\n", "So it is. [^2]\n"),
    "okf/generated/by-required": concept("generated:\n  at: 2026-01-01T00:00:00Z\n"),
    "okf/verified/entries": concept("verified: yesterday\n"),
    "okf/actors/form": concept("generated:\n  by: somebody\n  at: 2026-01-01T00:00:00Z\n"),
    "okf/status/known": concept("status: active\n"),
    "okf/lifecycle/stale": concept("stale_after: 2026-11-30T00:00:00+00:00\n"),
    "okf/lifecycle/deprecated": concept("status: deprecated\n"),
    "okf/computation/runtime-required": {
        "a.md": "---\ntype: Attested Computation\ntitle: A\ndescription: x\n---\n"
    },
    "okf/v0.2/timestamp": concept("timestamp: 2026-01-01T00:00:00Z\n"),
    "okf/v0.2/citations": concept(body="# Citations\n\n[1] x\n"),
}


@pytest.mark.req("F-10")
@pytest.mark.parametrize("rule", sorted(set(RULES) - {"okf/encoding/utf-8"}))
def test_every_rule_names_what_breaks_it_and_nothing_else(rule: str) -> None:
    found = breaches(CASES[rule])
    assert [breach.rule.id for breach in found] == [rule]


@pytest.mark.req("F-10")
def test_what_the_format_tolerates_is_no_breach() -> None:
    made = "generated:\n  by: writer/1\n  at: 2026-01-01T00:00:00+02:00\n"
    verified = "verified:\n- by: human:x\n  at: 2026-01-02T00:00:00Z\n"
    source = "sources:\n- id: one\n  resource: https://example.org\nmy_own_key: yes\n"
    body = "Own kinds are fine. [^one] [out](https://example.org) [up](/a.md) `[no](link.md)`\n"
    assert breaches(concept(made + verified + source, body)) == []


@pytest.mark.req("F-10")
def test_a_bare_mapping_of_a_verification_is_a_list_of_one() -> None:
    assert breaches(concept("verified:\n  by: human:x\n  at: 2026-01-02T00:00:00Z\n")) == []


@pytest.mark.req("F-10")
def test_version_0_1_knows_no_status_and_has_timestamps_and_citations() -> None:
    more = "status: active\ntimestamp: 2026-01-01T00:00:00Z\n"
    assert breaches(concept(more, "# Citations\n\n[1] x\n", version="0.1")) == []


@pytest.mark.req("F-10")
def test_a_breach_names_the_line_of_its_key() -> None:
    (breach,) = breaches(concept("tags: [a]\nstatus: active\n"))
    assert (breach.path, breach.line) == ("a.md", 6)
