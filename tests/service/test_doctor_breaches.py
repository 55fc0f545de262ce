"""Every breach that a hand can make is found where it is, and mended where nothing is to judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from vademecum.core.outcomes import Added
from vademecum.markdown.claims import read_claims
from vademecum.service.doctor.finding import Finding, Severity
from vademecum.service.memory import Memory
from vademecum.testing import FrozenClock, throwaway_memory

NOTE = "---\ntype: fact\ntitle: Tide\n---\n\n# Tide\n\n"


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def memory(tmp_path: Path, clock: FrozenClock) -> Iterator[Memory]:
    with throwaway_memory(root=tmp_path, clock=clock) as opened:
        yield opened


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], Path]:
    def named(path: str) -> Path:
        found = tmp_path / "workspace" / path
        found.parent.mkdir(parents=True, exist_ok=True)
        return found

    return named


def findings(memory: Memory, code: str) -> list[Finding]:
    return [finding for finding in memory.doctor().findings if finding.code == code]


def only(memory: Memory, code: str) -> Finding:
    found = findings(memory, code)
    assert len(found) == 1, memory.doctor().findings
    assert found[0].sentence.endswith(".")
    assert found[0].remedy
    return found[0]


def mend(memory: Memory, code: str) -> str:
    """Mend, check that the finding is gone and that the mend can be undone; return its group."""
    planned = memory.doctor(fix=True, dry_run=True)
    assert any(mended.code == code for mended in planned.mended)
    assert findings(memory, code), "a plan changes nothing"
    done = [mended for mended in memory.doctor(fix=True).mended if mended.code == code]
    assert len(done) == 1
    assert done[0].diff
    assert not findings(memory, code)
    assert {change.verb for change in memory.history(limit=1)} == {"doctor"}
    assert memory.doctor(fix=True).mended == (), "mending twice changes nothing"
    return done[0].change


# ------------------------------------------------------------ logs


@pytest.mark.req("B-01", "F-06")
def test_a_log_line_that_was_overwritten_is_found_and_put_back_beside_what_overwrote_it(
    memory: Memory, file: Callable[[str], Path], clock: FrozenClock
) -> None:
    memory.log("Decided on REST.", title="API")
    clock.advance(minutes=5)
    memory.log("Deployed it.", title="Deploy")
    log = file("memory/2026-01-20.md")
    before = log.read_text()
    log.write_text(before.replace("Decided on REST.", "Decided on SOAP."))
    finding = only(memory, "log-line-lost")
    assert finding.where == "memory/2026-01-20.md"
    assert "Decided on REST." in finding.sentence
    group = mend(memory, "log-line-lost")
    assert log.read_text() == before.replace(
        "Decided on REST.", "Decided on REST.\nDecided on SOAP."
    )
    assert not findings(memory, "conflict-record"), "nothing is kept aside of what is back"
    memory.undo(group)
    assert log.read_text() == before.replace("Decided on REST.", "Decided on SOAP.")


@pytest.mark.req("B-01", "F-06")
def test_a_lost_line_is_found_after_further_entries_too(
    memory: Memory, file: Callable[[str], Path]
) -> None:
    memory.log("Decided on REST.", title="API")
    log = file("memory/2026-01-20.md")
    log.write_text(log.read_text().replace("Decided on REST.", "Decided on SOAP."))
    memory.log("Deployed it.", title="Deploy")
    assert only(memory, "log-line-lost").where == "memory/2026-01-20.md"


@pytest.mark.req("B-01", "F-06")
def test_an_entry_that_was_removed_comes_back_in_its_place(
    memory: Memory, file: Callable[[str], Path], clock: FrozenClock
) -> None:
    for text in ("First.", "Second.", "Third."):
        memory.log(text, title=text)
        clock.advance(minutes=5)
    log = file("memory/2026-01-20.md")
    before = log.read_text()
    start, stop = before.index("### 10:35"), before.index("### 10:40")
    log.write_text(before[:start] + before[stop:])
    mend(memory, "log-line-lost")
    assert log.read_text() == before


@pytest.mark.req("B-01", "F-06")
def test_a_log_that_was_deleted_whole_comes_back(
    memory: Memory, file: Callable[[str], Path]
) -> None:
    memory.log("Only this.", title="Only")
    log = file("memory/2026-01-20.md")
    before = log.read_text()
    log.unlink()
    mend(memory, "log-line-lost")
    assert log.read_text() == before


@pytest.mark.req("B-01", "B-03")
def test_what_was_taken_back_or_only_added_to_is_no_loss(
    memory: Memory, file: Callable[[str], Path]
) -> None:
    memory.log("It stays.", title="Stay")
    gone = memory.log("It goes.", title="Go")
    memory.undo(gone.change)
    log = file("memory/2026-01-20.md")
    log.write_text("A line by hand.\n" + log.read_text() + "\nAnother.\n")
    assert not findings(memory, "log-line-lost")
    assert only(memory, "external-edit").severity is Severity.NOTICE


@pytest.mark.req("B-01", "B-03")
def test_words_that_were_forgotten_in_a_log_here_or_elsewhere_are_no_loss(
    memory: Memory, file: Callable[[str], Path]
) -> None:
    memory.log("The vault code is 4711 for now.", title="Vault")
    memory.log("The harbour opens at six.", title="Harbour")
    log = file("memory/2026-01-20.md")
    mark = "[forgotten 01kfdf8h20d4473wkt]"
    log.write_text(log.read_text().replace("The vault code is 4711", mark))
    assert not findings(memory, "log-line-lost")
    log.write_text(log.read_text().replace("opens at six", "opens at nine"))
    memory.doctor(fix=True)
    assert "opens at six" in log.read_text()
    assert "4711" not in log.read_text()


# ------------------------------------------------------------ claims


@pytest.mark.req("B-01", "W-06")
def test_a_struck_line_that_was_deleted_is_put_back(
    memory: Memory, file: Callable[[str], Path], clock: FrozenClock
) -> None:
    memory.remember("Anna lives in Oslo", tag="stated")
    clock.move_to("2026-02-20T10:00:00")
    done = memory.remember("Anna lives in Rome", tag="stated")
    note = file(done.span.path)
    before = note.read_text()
    struck = next(line for line in before.splitlines() if "~~" in line)
    note.write_text(before.replace(struck + "\n", ""))
    finding = only(memory, "struck-line-deleted")
    assert finding.where == done.span.path
    assert "Oslo" in finding.sentence
    mend(memory, "struck-line-deleted")
    assert struck in note.read_text().splitlines()


@pytest.mark.req("B-01")
def test_a_live_claim_that_was_deleted_is_a_notice(
    memory: Memory, file: Callable[[str], Path]
) -> None:
    done = memory.remember("Anna lives in Oslo", tag="stated")
    note = file(done.span.path)
    lines = note.read_text().splitlines(keepends=True)
    note.write_text("".join(line for line in lines if "[stated]" not in line))
    assert only(memory, "claim-removed").severity is Severity.NOTICE


@pytest.mark.req("B-01", "W-04")
def test_a_tag_that_was_raised_by_hand_is_found_and_one_that_was_lowered_is_not(
    memory: Memory, file: Callable[[str], Path]
) -> None:
    done = memory.remember("Anna lives in Oslo", tag="inferred")
    note = file(done.span.path)
    before = note.read_text()
    note.write_text(before.replace("[inferred]", "[stated]"))
    finding = only(memory, "tag-raised")
    assert finding.where == f"{done.span.path}:{done.span.first}"
    assert "[inferred]" in finding.sentence
    memory.remember("Anna likes tea", tag="stated", about=done.span.path)
    assert findings(memory, "tag-raised"), "a later write does not hide it"
    note.write_text(note.read_text().replace("[stated] Anna lives", "[suggested] Anna lives"))
    assert not findings(memory, "tag-raised")


@pytest.mark.req("B-01", "W-04")
def test_a_tag_that_was_raised_with_evidence_is_no_breach(
    memory: Memory, file: Callable[[str], Path]
) -> None:
    said = memory.log("User: I moved to Oslo.", title="Talk")
    done = memory.remember("Anna lives in Oslo", tag="inferred")
    memory.remember(
        "Anna lives in Oslo", tag="stated", source=f"{said.path}:{said.last}", quote="moved to Oslo"
    )
    assert "[stated]" in file(done.span.path).read_text()
    file(done.span.path).write_text(file(done.span.path).read_text() + "\nA word by hand.\n")
    assert not findings(memory, "tag-raised")


@pytest.mark.req("B-01", "W-04")
def test_a_claim_without_tag_is_found_where_others_have_one(
    memory: Memory, file: Callable[[str], Path]
) -> None:
    file("memory/facts/tide.md").write_text(
        NOTE + "- High tide is at six\n- [stated] It ebbs ^a1b2c3\n"
    )
    finding = only(memory, "claim-untagged")
    assert (finding.severity, finding.where) == (Severity.DEFECT, "memory/facts/tide.md:8")
    assert finding.mend is None


@pytest.mark.req("B-01")
def test_a_claim_without_id_gets_one(memory: Memory, file: Callable[[str], Path]) -> None:
    note = file("memory/facts/tide.md")
    note.write_text(NOTE + "- [stated] High tide is at six\n- [stated] It ebbs ^a1b2c3\n")
    assert only(memory, "claim-without-id").where == "memory/facts/tide.md:8"
    mend(memory, "claim-without-id")
    first, second = note.read_text().splitlines()[-2:]
    assert first.startswith("- [stated] High tide is at six ^")
    assert second == "- [stated] It ebbs ^a1b2c3"


@pytest.mark.req("B-01")
def test_of_many_claims_of_the_same_words_each_gets_an_id_of_its_own(
    memory: Memory, file: Callable[[str], Path]
) -> None:
    note = file("memory/facts/tide.md")
    note.write_text(NOTE + "- [stated] It ebbs,\n  slowly\n" + "- [stated] High tide\n" * 1000)
    mend(memory, "claim-without-id")
    claims = read_claims("memory/facts/tide.md", note.read_text())
    assert len({claim.id for claim in claims} - {""}) == 1001
    assert "- [stated] It ebbs,\n  slowly ^" in note.read_text()


@pytest.mark.req("B-01")
def test_of_two_claims_with_one_id_the_copy_gets_a_new_one(
    memory: Memory, file: Callable[[str], Path]
) -> None:
    done = memory.remember("The staging API runs on port 8080", tag="stated")
    copy = file("memory/a-copy.md")
    copy.write_text(f"# Copy\n\n- [stated] The harbour opens at six ^{done.claim}\n")
    assert only(memory, "duplicate-id").where == "memory/a-copy.md:3"
    mend(memory, "duplicate-id")
    assert done.claim in file(done.span.path).read_text()
    assert done.claim not in copy.read_text()


@pytest.mark.req("B-01")
def test_an_id_that_something_links_to_is_left_to_a_person(
    memory: Memory, file: Callable[[str], Path]
) -> None:
    file("memory/one.md").write_text("# One\n\n- [stated] The harbour opens at six ^a1b2c3\n")
    file("memory/two.md").write_text("# Two\n\n- [stated] The ferry leaves at ten ^a1b2c3\n")
    file("memory/three.md").write_text("# Three\n\nSee [[two#^a1b2c3]].\n")
    assert only(memory, "duplicate-id").mend is None


@pytest.mark.req("B-01", "W-06")
def test_a_struck_claim_whose_successor_is_nowhere_is_found(
    memory: Memory, file: Callable[[str], Path]
) -> None:
    file("memory/tide.md").write_text(
        "# Tide\n\n- ~~[stated] High tide is at six~~ superseded 2026-01-02 by ^ffffff ^a1b2c3\n"
        "- ~~[stated] It ebbs at one~~ superseded 2026-01-02 by ^abcabc ^b1b2c3\n"
        "- [stated] It ebbs at two ^abcabc\n"
    )
    finding = only(memory, "superseded-nowhere")
    assert finding.where == "memory/tide.md:3"


@pytest.mark.req("B-01", "W-02")
@pytest.mark.parametrize("synced", [True, False])
def test_two_live_claims_with_different_values_are_rivals(
    memory: Memory, file: Callable[[str], Path], synced: bool
) -> None:
    done = memory.remember("Anna lives in Oslo", tag="stated")
    file("memory/anna-too.md").write_text(
        "# Anna\n\n- [stated] Anna lives in Rome (2026-01-22) ^a1b2c3\n"
    )
    if synced:
        memory.sync()
    finding = only(memory, "rival-claims")
    assert finding.where == "memory/anna-too.md:3"
    assert f"{done.span.path}:{done.span.first}" in finding.sentence
    memory.review("rule", "^a1b2c3", choice="^a1b2c3", by_person=True)
    assert not findings(memory, "rival-claims")


@pytest.mark.req("B-01", "W-02")
def test_sides_of_a_marked_conflict_and_of_what_a_person_let_stand_are_no_rivals(
    memory: Memory,
) -> None:
    memory.remember("Anna lives in Oslo", tag="stated")
    memory.remember("Anna lives in Rome", tag="suggested")
    assert not findings(memory, "rival-claims")
    (conflict,) = [item for item in memory.review() if item.matter == "conflict"]
    memory.review("keep", conflict.id, by_person=True)
    assert not [item for item in memory.review() if item.matter in ("conflict", "rivals")]
    assert not findings(memory, "rival-claims")


@pytest.mark.req("B-01", "B-03")
def test_what_was_forgotten_and_is_back_is_found(
    memory: Memory, file: Callable[[str], Path]
) -> None:
    done = memory.remember("Anna is allergic to walnuts", tag="stated")
    assert isinstance(done, Added)
    line = file(done.span.path).read_text().splitlines()[done.span.first - 1]
    memory.forget(f"^{done.claim}")
    file("memory/again.md").write_text(f"# Again\n\n{line}\n")
    assert only(memory, "forgotten-back").where == "memory/again.md:3"


@pytest.mark.req("B-01", "B-03")
def test_a_map_that_says_what_was_forgotten_is_found(
    memory: Memory, file: Callable[[str], Path]
) -> None:
    done = memory.remember("Anna is allergic to walnuts", tag="stated")
    memory.forget(f"^{done.claim}")
    index = file("memory/index.md")
    text = index.read_text() + "\n- [Anna](anna.md) - Anna is allergic to walnuts\n"
    index.write_text(text)
    found = only(memory, "forgotten-back")
    assert found.where == f"memory/index.md:{len(text.splitlines())}"


# ------------------------------------------------------------ what leads where


@pytest.mark.req("B-01", "F-09")
def test_a_note_that_no_map_leads_to_is_listed(memory: Memory, file: Callable[[str], Path]) -> None:
    file("memory/facts/tide.md").write_text(NOTE + "The tide.\n")
    assert only(memory, "unlisted-note").where == "memory/facts/tide.md"
    mend(memory, "unlisted-note")
    assert "[Tide](tide.md)" in file("memory/facts/index.md").read_text()
    assert "(facts/index.md)" in file("memory/index.md").read_text()


@pytest.mark.req("F-03", "F-09")
def test_a_workspace_that_keeps_no_map_is_not_asked_for_one(tmp_path: Path) -> None:
    with throwaway_memory(root=tmp_path, profile="openclaw") as memory:
        (tmp_path / "workspace/memory").mkdir(exist_ok=True)
        (tmp_path / "workspace/memory/topic.md").write_text("# Topic\n\nA word.\n")
        assert not findings(memory, "unlisted-note")


@pytest.mark.req("B-01", "F-09")
def test_a_map_line_without_its_note_is_removed_and_one_that_leads_elsewhere_too_is_not(
    memory: Memory, file: Callable[[str], Path]
) -> None:
    index = file("memory/index.md")
    before = index.read_text()
    both = "- [Gone](gone.md), see also [Log](2026-01-20.md)\n"
    memory.log("There is a log.")
    index.write_text(before + "- [Gone](gone.md) - It was here\n" + both)
    found = findings(memory, "map-dead-line")
    assert [finding.mend is not None for finding in found] == [True, False]
    memory.doctor(fix=True)
    assert index.read_text() == before + both


@pytest.mark.req("B-01")
@pytest.mark.parametrize(
    ("link", "dead"),
    [
        ("[[Nowhere]]", True),
        ("[[tide]]", False),
        ("[[Tide]]", False),
        ("[it](facts/tide.md)", False),
        ("[it](../gone.md)", True),
        ("[[tide#^a1b2c3]]", False),
        ("[[tide#^ffffff]]", True),
        ("[[tide#Ebb]]", False),
        ("[[tide#Flood]]", True),
        ("![[chart.png]]", False),
        ("![[lost.png]]", True),
        ("[web](https://example.org)", False),
        ("`[[Nowhere]]`", False),
    ],
)
def test_a_link_that_leads_nowhere_is_found(
    memory: Memory, file: Callable[[str], Path], link: str, dead: bool
) -> None:
    file("memory/facts/tide.md").write_text(NOTE + "## Ebb\n\n- [stated] It ebbs ^a1b2c3\n")
    file("memory/pictures/chart.png").write_bytes(b"png")
    file("memory/links.md").write_text(f"# Links\n\nSee {link}.\n")
    found = findings(memory, "dead-link")
    assert [finding.where for finding in found] == (["memory/links.md:3"] if dead else [])


@pytest.mark.req("B-01", "W-04")
def test_evidence_that_is_not_there_is_a_defect(
    memory: Memory, file: Callable[[str], Path]
) -> None:
    file("memory/tide.md").write_text(
        "- [stated] It ebbs (2026-01-02, from [[2026-01-02]]) ^a1b2c3\n"
    )
    assert only(memory, "dead-link").severity is Severity.DEFECT


@pytest.mark.req("B-01")
def test_a_workspace_that_only_verbs_wrote_has_no_finding(memory: Memory) -> None:
    entry = memory.log("User: Anna moved to Rome.", title="Talk")
    memory.remember("Anna lives in Oslo", tag="stated", since="2026-01-02")
    memory.remember(
        "Anna lives in Rome", source=f"{entry.path}:{entry.last}", quote="moved to Rome"
    )
    memory.remember("We decided to use Postgres", tag="stated")
    memory.remember("Always pin versions", kind="lesson", tag="inferred")
    memory.remember("Buy this now", untrusted=True)
    memory.sync()
    assert memory.doctor().findings == ()
