"""What a rewrite would lose, and what only looks different."""

from __future__ import annotations

import pytest

from vademecum.markdown.conservation import lost, raised

pytestmark = pytest.mark.req("L-03", "L-04")

NOTE = """\
---
type: fact
last_verified: 2026-01-02
---

# Harbour

- [stated] The harbour opens at 7:30 (2026-01-02, from [[2026-01-02#09:00 — Harbour]]) ^aa11bb
- ~~[stated] The harbour opens at 6:00 (2025-01-02)~~ superseded 2026-01-02 by ^aa11bb ^cc22dd
- Pier 4 is not for cars

The crane lifts
40 tons. It was built in 1998.

| Boat | Berth |
|---|---|
| Möwe | 12 |
"""


def says(before: str, *after: str) -> list[str]:
    return [loss.text for loss in lost([before], after)]


def test_the_same_words_in_another_form_are_no_loss() -> None:
    rewritten = """\
# Harbour

* the harbour  opens at 7:30. ^aa11bb
* [x] Pier 4 is **not** for cars
* ~~The harbour opens at 6:00~~ superseded 2026-01-02

- The crane lifts 40 tons.
- It was built in 1998.

- Boat Berth
- Möwe 12
"""
    assert says(NOTE, rewritten) == []


def test_lines_may_stand_in_another_file() -> None:
    first, second = NOTE[: NOTE.index("- Pier")], NOTE[NOTE.index("- Pier") :]
    assert says(NOTE, first, second) == []
    assert says(NOTE, first) == [
        "Pier 4 is not for cars",
        "The crane lifts 40 tons. It was built in 1998.",
        "Boat Berth",
        "Möwe 12",
    ]


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("- Berth 12 is free", "- Berth 13 is free"),
        ("- Berth 12 is free", "- Berth 12 is not free"),
        ("- Services do not talk SOAP", "- Services talk SOAP"),
        ("- Release v9.14.3-rc7 ships", "- Release v9.14.3-rc8 ships"),
        ("- Open ticket ABC-123", "- Open ticket ABC-1234"),
        ("- The limit is <5 MB", "- The limit is >5 MB"),
        ("- It is -5 degrees", "- It is 5 degrees"),
        ("- Anna manages Bert", "- Bert manages Anna"),
        ("- Services talk REST", "- Services talk REST?"),
        ("- Services talk REST", "- If we must, services talk REST"),
        ("- 端口是8080", "- 端口是80801"),
        ("- 服务使用REST", "- 服务不使用REST"),
        ("- サービスはRESTを使う", "- もしサービスはRESTを使う"),
        ("- Das Tor ist offen", "- Das Tor ist nie offen"),
        ("## Anna", "## Bert"),
    ],
)
def test_another_number_name_or_negation_is_a_loss(line: str, instead: str) -> None:
    assert says(line, instead) == [line.lstrip("-# ")]
    assert says(line, line) == []


def test_a_statement_within_a_longer_sentence_is_kept() -> None:
    assert says("- Services talk REST", "In all, services talk REST since May.") == []
    assert says("- 服务使用REST", "- 我们的服务使用REST，很好") == []


def test_what_was_struck_stays_struck() -> None:
    struck = "- ~~[stated] Services talk SOAP~~ superseded 2026-01-02 ^aa11bb\n"
    [loss] = lost([struck], ["- [stated] Services talk SOAP ^aa11bb\n"])
    assert "live again" in loss.why
    assert lost(["- Services talk SOAP\n"], [struck]) == ()


def test_other_words_under_the_same_id_are_named() -> None:
    [loss] = lost(["- Tea is at four ^aa11bb"], ["- Tea is at five ^aa11bb"])
    assert loss.text == "Tea is at four"
    assert "^aa11bb would say something else" in loss.why


def test_an_entry_of_a_log_is_kept_line_by_line() -> None:
    log = "# 2026-01-20\n\n### 10:30 — API\nDecided on REST.\n\n```\nvade sync --all\n```\n"
    assert says(log, log) == []
    assert says(log, log.replace("10:30", "11:30")) == ["10:30 — API"]
    assert says(log, log.replace("--all", "")) == ["vade sync --all"]


def test_nothing_is_everything_lost() -> None:
    assert len(lost([NOTE], [])) == len(lost([NOTE], [""])) == 7


def test_a_generated_map_and_marks_say_nothing_of_their_own() -> None:
    text = (
        "<!-- vade:map (kept in step by vade; write outside these two lines) -->\n"
        "- [Harbour](harbour.md) - The harbour\n<!-- /vade:map -->\n"
        "> ⚠️ CONFLICT (2026-01-02): these say otherwise: ^aa11bb ^cc22dd\n<!-- note -->\n"
    )
    assert says(text, "") == []


def test_a_rewrite_raises_no_tag() -> None:
    before = "- [inferred] Tests need a database ^aa11bb\n- Tea is at four\n"
    assert raised([before], [before]) == ()
    forged = before.replace("inferred", "stated")
    assert [loss.text for loss in raised([before], [forged])] == ["Tests need a database"]
    assert [loss.text for loss in raised([before], ["- [stated] tea is at four."])] == [
        "tea is at four."
    ]
    lowered = before.replace("inferred", "suggested")
    assert raised([before], [lowered]) == ()
