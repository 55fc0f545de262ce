"""What recurs is proposed for core memory: with its sources, within the budget, for a person."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from vademecum.core.errors import BadInput, Refused
from vademecum.core.provenance import Tag
from vademecum.core.review import Item, Matter
from vademecum.markdown.claims import read_claims
from vademecum.markdown.conservation import lost
from vademecum.service.memory import Memory, open_memory
from vademecum.testing import FrozenClock, small_embedder, throwaway_memory
from vademecum.workspace.recalls import LARGEST, Recalls

from .models import memory_with

pytestmark = pytest.mark.req("L-03")

REST = "Services talk REST"


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock("2026-01-10T09:00:00")


@pytest.fixture
def memory(tmp_path: Path, clock: FrozenClock) -> Iterator[Memory]:
    with memory_with(tmp_path, clock, budget__core=500) as opened:
        yield opened


def tell(memory: Memory, clock: FrozenClock, text: str, *days: str) -> None:
    for day in days:
        clock.move_to(f"{day}T09:00:00")
        memory.log(f"User: {text}.", title="Talk")


def days(first: int, count: int = 4) -> list[str]:
    return [f"2026-01-{day:02d}" for day in range(first, first + count)]


def core(tmp_path: Path) -> str:
    return (tmp_path / "workspace/MEMORY.md").read_text()


def files_of(tmp_path: Path) -> dict[str, str]:
    root = tmp_path / "workspace"
    return {str(p.relative_to(root)): p.read_text() for p in root.rglob("*.md")}


def proposed(memory: Memory) -> list[Item]:
    return [item for item in memory.review() if item.matter is Matter.PROMOTION]


def test_what_is_told_on_several_days_gets_a_line_with_its_source(
    memory: Memory, clock: FrozenClock, tmp_path: Path
) -> None:
    known = memory.remember(REST, tag="stated", by_person=True)
    tell(memory, clock, REST, *days(11))
    done = memory.promote(apply=True)
    assert [step.outcome for step in done.steps] == ["written"]
    assert "told on 4 days: [[2026-01-14#09:00 — Talk]]" in done.notes[0]
    [claim] = read_claims("MEMORY.md", core(tmp_path))
    assert (claim.text, claim.tag, str(claim.since)) == (REST, Tag.STATED, "2026-01-10")
    note = known.span.path.removesuffix(".md")
    assert claim.evidence == (f"{note}#^{known.claim}",)
    assert memory.get(f"[[{claim.evidence[0]}]]").text.startswith(f"- [stated] {REST}")


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("Lunch was late", False),
        ("Read release notes of an editor", False),
        ("Stand-up, no news", False),
        ("今天看了文档", False),
        ("The office has two printers", True),
        ("Anna owns the billing service", True),
        ("服务器在杭州", True),
    ],
)
def test_what_only_happens_every_day_is_no_candidate(
    memory: Memory, clock: FrozenClock, said: str, holds: bool
) -> None:
    tell(memory, clock, said, *days(11))
    assert [item.text.startswith(said) for item in _offered(memory)] == [True] * holds


@pytest.mark.parametrize("profile", ["standard", "openclaw", "vault", "nanoclaw", "gitmem"])
def test_a_second_run_changes_nothing_in_any_profile(
    tmp_path: Path, clock: FrozenClock, profile: str
) -> None:
    with throwaway_memory(profile=profile, clock=clock, root=tmp_path) as memory:
        tell(memory, clock, "The office has two printers", *days(11))
        assert memory.promote(apply=True).steps
        before = files_of(tmp_path)
        assert memory.promote(apply=True).steps == ()
        assert files_of(tmp_path) == before


def _offered(memory: Memory) -> list[Item]:
    memory.promote()
    return proposed(memory)


def test_nothing_is_written_before_somebody_says_so(
    memory: Memory, clock: FrozenClock, tmp_path: Path
) -> None:
    memory.remember(REST, tag="stated", by_person=True)
    tell(memory, clock, REST, *days(11))
    before = files_of(tmp_path)
    assert memory.promote(dry_run=True).steps[0].outcome == "written"
    assert proposed(memory) == []
    shown = memory.promote()
    assert f"+- [stated] {REST}" in shown.steps[0].diff
    assert files_of(tmp_path) == before
    [item] = proposed(memory)
    assert item.text == REST
    assert "told on 4 days" in item.why


def test_promoting_twice_changes_nothing_the_second_time(
    memory: Memory, clock: FrozenClock, tmp_path: Path
) -> None:
    memory.remember(REST, tag="stated", by_person=True)
    tell(memory, clock, REST, *days(11))
    memory.promote(apply=True)
    before = files_of(tmp_path)
    assert memory.promote(apply=True).steps == ()
    assert files_of(tmp_path) == before
    assert memory.promote().notes == ("Nothing recurs that is not in core memory already.",)
    assert [i for i in memory.review() if i.matter in (Matter.DUPLICATE, Matter.RIVALS)] == []


def test_a_person_lets_it_in_or_dismisses_it_for_good(
    memory: Memory, clock: FrozenClock, tmp_path: Path
) -> None:
    for text in (REST, "Anna leads the design team"):
        clock.move_to("2026-01-10T09:00:00")
        memory.remember(text, tag="stated", by_person=True)
        tell(memory, clock, text, *days(11))
    memory.promote()
    rest, anna = sorted(proposed(memory), key=lambda item: item.text, reverse=True)
    with pytest.raises(Refused):
        memory.review("keep", rest.id)
    with pytest.raises(BadInput):
        memory.review("merge", rest.id, by_person=True)
    kept = memory.review("keep", rest.id, by_person=True)
    assert REST in core(tmp_path)
    assert kept.change
    dropped = memory.review("drop", anna.id, by_person=True)
    assert dropped.change == ""
    assert [source.text for source in memory.recall("who leads design").sources]
    assert proposed(memory) == []
    memory.promote()
    assert proposed(memory) == []
    assert "Anna" not in core(tmp_path)
    memory.undo(kept.change)
    assert REST not in core(tmp_path)


@pytest.mark.parametrize(
    ("text", "told", "tag"),
    [
        ("Two days only", days(11, 2), "stated"),
        ("Long ago", [f"2025-11-{day:02d}" for day in range(20, 25)], "stated"),
        ("An idea of the agent", days(11), "suggested"),
        ("A guess of the agent", days(11), "inferred"),
    ],
)
def test_what_is_rare_past_or_unsure_is_not_proposed(
    memory: Memory, clock: FrozenClock, text: str, told: list[str], tag: str
) -> None:
    memory.remember(text, tag=tag, kind="fact", since="2025-11-01")
    place = memory._workspace.root / f"memory/{told[-1]}.md"
    tell(memory, clock, text, *told)
    assert place.exists()
    clock.move_to("2026-01-14T20:00:00")
    assert memory.promote().steps == ()


def test_what_memory_or_a_job_or_a_page_repeats_does_not_recur(
    memory: Memory, clock: FrozenClock, tmp_path: Path
) -> None:
    memory.remember(REST, tag="stated", by_person=True)
    settings = {"state.directory": str(tmp_path / "state"), "workspace.zone": "UTC"}
    for day in days(11):
        clock.move_to(f"{day}T09:00:00")
        memory.log(f"<!-- vade:recall -->\n{REST}.", title="Recalled")
        memory.log(f"{REST}.", title="Web: a page")
        with open_memory(
            tmp_path / "workspace",
            agent="job:heartbeat",
            clock=clock,
            embedder=small_embedder(),
            settings=settings,
            variables={},
        ) as job:
            job.log(f"User: {REST}.", title="Beat")
    assert memory.promote().steps == ()


def test_different_questions_on_different_days_do_as_well(
    memory: Memory, clock: FrozenClock, tmp_path: Path
) -> None:
    memory.remember(REST, tag="stated", by_person=True)
    for day in days(11, 2):
        clock.move_to(f"{day}T09:00:00")
        memory.recall("do services talk REST")
        memory.recall("do services talk REST")
    assert memory.promote().steps == (), "one question is asked again and again"
    memory.recall("which services talk REST?")
    memory.recall("history of REST", history=True)
    done = memory.promote(apply=True)
    assert "recalled 5 times by 2 questions" in done.notes[0]
    assert REST in core(tmp_path)


def test_the_list_of_recalls_holds_no_text_and_does_not_grow_for_ever(
    memory: Memory, tmp_path: Path
) -> None:
    memory.remember(REST, tag="stated", by_person=True)
    memory.recall("do services talk REST")
    [file] = (tmp_path / "state").rglob("recalled.txt")
    held = file.read_text().lower()
    assert "rest" not in held
    assert "services" not in held
    recalls = Recalls(tmp_path, "w")
    for number in range(12_000):
        recalls.note(date(2026, 1, 1), str(number), ["c7f3a1", "5d819f"])
    sizes = [path.stat().st_size for path in tmp_path.glob("recalled*.txt")]
    assert sum(sizes) < 2 * LARGEST + 200
    assert len(recalls.since(date(2026, 1, 1))) > LARGEST // 60
    assert recalls.since(date(2026, 1, 2)) == ()


def test_recall_answers_where_nothing_can_be_noted(memory: Memory, tmp_path: Path) -> None:
    memory.remember(REST, tag="stated", by_person=True)
    (next((tmp_path / "state").iterdir()) / "recalled.txt").mkdir()
    assert memory.recall("do services talk REST").sources


def test_what_only_the_logs_tell_is_proposed_with_its_entry(
    memory: Memory, clock: FrozenClock, tmp_path: Path
) -> None:
    tell(memory, clock, "The harbour opens at 7:30", *days(11))
    memory.promote(apply=True)
    [claim] = read_claims("MEMORY.md", core(tmp_path))
    assert (claim.text, claim.tag, str(claim.since)) == (
        "The harbour opens at 7:30.",
        Tag.STATED,
        "2026-01-11",
    )
    assert claim.evidence == ("2026-01-14#09:00 — Talk",)
    assert memory.promote(apply=True).steps == ()


def test_a_corrected_claim_is_not_promoted_by_its_old_tellings(
    memory: Memory, clock: FrozenClock, tmp_path: Path
) -> None:
    memory.remember("The port is 8080", tag="stated", by_person=True)
    tell(memory, clock, "The port is 8080", *days(11))
    clock.move_to("2026-01-16T09:00:00")
    memory.remember("The port is now 9090", tag="stated", by_person=True)
    memory.promote(apply=True)
    assert "8080" not in core(tmp_path)


# ------------------------------------------------------------ the budget

BERTHS = [
    f"The {name} berth on pier {number} is kept free for the {name} ferry of the harbour company"
    for number, name in enumerate(("northern", "southern", "eastern", "western"), 1)
]


def filled(memory: Memory, clock: FrozenClock, tmp_path: Path) -> None:
    """Promote as many berths as core memory has room for."""
    (tmp_path / "workspace/MEMORY.md").write_text("# Memory\n\n")
    for number, text in enumerate(BERTHS[:3]):
        clock.move_to("2026-01-01T09:00:00")
        memory.remember(text, tag="stated", by_person=True, kind="fact")
        tell(memory, clock, text, *days(2 + number, 3))
        memory.promote(apply=True)
    assert core(tmp_path).count("- [stated]") == 2


def test_where_it_is_full_promoted_lines_that_are_used_less_leave(
    memory: Memory, clock: FrozenClock, tmp_path: Path
) -> None:
    filled(memory, clock, tmp_path)
    before = files_of(tmp_path)
    clock.move_to("2026-01-01T09:00:00")
    memory.remember(BERTHS[3], tag="stated", by_person=True, kind="fact")
    tell(memory, clock, BERTHS[3], *days(16, 5))
    done = memory.promote(apply=True)
    text = core(tmp_path)
    assert BERTHS[3] in text
    assert len(text) <= 500
    assert text.count("- [stated]") == 2
    assert lost(before.values(), files_of(tmp_path).values()) == ()
    assert any(
        row.startswith("-- [stated]") for step in done.steps for row in step.diff.splitlines()
    )
    memory.undo(session=done.session)


def test_lines_that_nothing_else_holds_never_leave(
    memory: Memory, clock: FrozenClock, tmp_path: Path
) -> None:
    own = "# Memory\n\n" + "".join(f"- {text}, written by hand\n" for text in BERTHS)
    assert 500 > len(own) > 430
    (tmp_path / "workspace/MEMORY.md").write_text(own)
    memory.remember(REST, tag="stated", by_person=True)
    tell(memory, clock, REST, *days(11))
    done = memory.promote(apply=True)
    assert core(tmp_path) == own
    [declined] = done.declined
    assert declined.what == REST
    assert "is full (500 characters)" in declined.why
    assert "line 3" in declined.why


def test_a_line_that_was_edited_by_hand_is_no_copy_any_more(
    memory: Memory, clock: FrozenClock, tmp_path: Path
) -> None:
    filled(memory, clock, tmp_path)
    edited = core(tmp_path).replace("is kept free", "is never kept free")
    (tmp_path / "workspace/MEMORY.md").write_text(edited)
    clock.move_to("2026-01-01T09:00:00")
    memory.remember(BERTHS[3], tag="stated", by_person=True, kind="fact")
    tell(memory, clock, BERTHS[3], *days(16, 5))
    memory.promote(apply=True)
    assert edited.splitlines()[2] in core(tmp_path)
    assert edited.splitlines()[3] in core(tmp_path)


def test_where_core_memory_holds_no_claims_the_note_gets_core_priority(
    tmp_path: Path, clock: FrozenClock
) -> None:
    with memory_with(tmp_path, clock, workspace__profile="vault") as memory:
        known = memory.remember(REST, tag="stated", by_person=True)
        tell(memory, clock, REST, *days(11))
        memory.promote(apply=True)
        note = (tmp_path / "workspace" / known.span.path).read_text()
        assert "priority: 🔴" in note.replace('"', "")
        assert memory.promote(apply=True).steps == ()
