"""What people have opens as it stands, is found, is written to in its own form, and is checked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from vademecum.service.memory import Memory, init
from vademecum.testing import FrozenClock

PROFILES = ["openclaw", "vault", "nanoclaw", "gitmem"]
Tree = Callable[..., Path]
Opening = Callable[[Path], AbstractContextManager[Memory]]
Stand = Callable[[Path], dict[str, str]]

ASKED = {
    "openclaw": [
        ("Where is the office?", "Trondheim"),
        ("Who supplies the gearbox?", "Hansen"),
        ("Which editor is used?", "Helix"),
        ("What colour has the flood gate?", "green"),
    ],
    "vault": [
        ("What is the mill stone made of?", "granite"),
        ("How many reviewers do deploys need?", "three reviewers"),
        ("李雷住在哪里", "哈尔滨"),
        ("Which way did the water wheel turn?", "backwards"),
    ],
    "nanoclaw": [
        ("How often does the lighthouse blink?", "nine seconds"),
        ("What colour is the crane?", "yellow"),
        ("Which number has the buoy?", "number four"),
        ("Who is the user, the harbour pilot?", "Ines"),
    ],
    "gitmem": [
        ("What does the oven burn?", "burns gas"),
        ("What kind of bread does Kim bake?", "rye bread"),
        ("Which flour is used?", "spelt"),
        ("What happened to the first loaf?", "burnt the first loaf"),
    ],
}
MESSY = [
    ("where is the platypus key?", "third stone"),
    ("what did the kettle do?", "whistled"),
    ("what did the otter do?", "swam on"),
    ("marmot", "passed"),
    ("次の会議はどこで開く", "大阪"),
    ("walrus", "byte order mark"),
    ("badger", "digs"),
    ("heron", "waits"),
    ("how many tentacles", "Eight"),
]


@pytest.mark.req("F-03", "F-01")
@pytest.mark.parametrize("profile", PROFILES)
def test_opening_and_reading_change_no_byte(
    tree: Tree, opening: Opening, state_of: Stand, profile: str
) -> None:
    root = tree(profile, messy=True)
    before = state_of(root)
    with opening(root) as memory:
        assert memory.status().profile == profile
        memory.sync()
        memory.search("gearbox oven mill lighthouse")
        memory.recall("What is the office?")
        for event in ("startup", "clear", "compact", "resume"):
            memory.boot(event, session="s")
        memory.doctor()
        memory.review()
        memory.history()
        memory.notes()
    assert state_of(root) == before


@pytest.mark.req("F-03", "R-01")
@pytest.mark.parametrize("profile", PROFILES)
def test_what_is_there_is_recalled(tree: Tree, opening: Opening, profile: str) -> None:
    with opening(tree(profile, messy=True)) as memory:
        memory.sync()
        for question, answer in ASKED[profile] + MESSY:
            found = memory.recall(question, budget=4000)
            assert any(answer in source.text for source in found.sources), (question, found)


@pytest.mark.req("F-06", "F-03", "W-01")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_log_that_exists_is_only_ever_appended_to(
    tree: Tree, opening: Opening, profile: str
) -> None:
    root = tree(profile)
    log = root / "memory/2026-03-10.md"
    for start in (b"# 2026-03-10\r\n\r\n### 08:00 - Up\r\nCoffee.", b"plain text without an end"):
        log.write_bytes(start)
        with opening(root) as memory:
            written = memory.log("The parts came.", title="Parts")
        after = log.read_bytes()
        assert after.startswith(start)
        assert written.path == "memory/2026-03-10.md"
        assert b"The parts came." in after[len(start) :]


FORMS = {
    "openclaw": "# 2026-03-10\n\n### 10:30 — Parts\nThe parts came.\n",
    "vault": "# 2026-03-10\n\n### 10:30 — Parts\n\nThe parts came.\n",
    "nanoclaw": "---\ntype: log\n---\n\n# 2026-03-10\n\n### 10:30 — Parts\nThe parts came.\n",
    "gitmem": "# 2026-03-10\n\n- 10:30 Parts\n  The parts came.\n",
}
LATER = {
    "openclaw": "\n### 10:30 — All is well\nAll is well\n",
    "vault": "\n### 10:30 — All is well\n\nAll is well\n",
    "nanoclaw": "\n### 10:30 — All is well\nAll is well\n",
    "gitmem": "- 10:30 All is well\n",
}


@pytest.mark.req("F-06", "W-01")
@pytest.mark.parametrize("profile", PROFILES)
def test_an_entry_has_the_form_of_its_profile(tree: Tree, opening: Opening, profile: str) -> None:
    root = tree(profile)
    with opening(root) as memory:
        memory.log("The parts came.", title="Parts")
        written = memory.log("All is well")
        text = (root / "memory/2026-03-10.md").read_text()
        assert text == FORMS[profile] + LATER[profile]
        assert memory.get(f"{written.path}:{written.first}-{written.last}").text.strip() in text
        memory.undo(written.change)
        assert (root / "memory/2026-03-10.md").read_text() == FORMS[profile]


NEW = "- [stated] The ferry leaves at 09:45 (2026-03-11) ^{new}\n"
STRUCK = "- ~~[stated] The ferry leaves at 08:15 (2026-03-10)~~ superseded 2026-03-11 "
PAST = {
    "openclaw": STRUCK + "by ^{new} ^{old}\n" + NEW,
    "vault": "- [stated] The ferry leaves at 08:15 (2026-03-10) ^{old}\n"
    "> [Superseded 2026-03-11] by ^{new}\n" + NEW,
    "nanoclaw": STRUCK + "by ^{new} ^{old}\n" + NEW,
    "gitmem": STRUCK + "(replaced by ^{new}) ^{old}\n" + NEW,
}


@pytest.mark.req("W-02", "W-06", "R-04")
@pytest.mark.parametrize("profile", PROFILES)
def test_an_update_marks_the_past_in_the_form_of_its_profile_and_never_serves_it(
    tree: Tree, opening: Opening, profile: str, clock: FrozenClock
) -> None:
    root = tree(profile)
    with opening(root) as memory:
        old = memory.remember("The ferry leaves at 08:15", tag="stated")
        clock.advance(days=1)
        new = memory.remember("The ferry leaves at 09:45", tag="stated", supersedes=[old.claim])
        assert type(new).__name__ == "Updated"
        note = root / new.span.path
        lines = PAST[profile].format(old=old.claim, new=new.claim)
        assert lines in note.read_text()
        told = [source.text for source in memory.recall("When does the ferry leave?").sources]
        assert any("09:45" in text for text in told)
        assert not any("08:15" in text for text in told)
        history = memory.recall("When does the ferry leave?", history=True).sources
        past = [one for one in history if "08:15" in one.text and one.span.path == new.span.path]
        assert past and past[0].superseded_by == new.claim
        assert "08:15" not in memory.recall("ferry 08:15").sources[0].text
        # Told again it is known, and taken back it is as before.
        again = memory.remember("The ferry leaves at 09:45", tag="stated")
        assert type(again).__name__ == "AlreadyKnown"
        memory.undo(new.change)
        assert lines not in note.read_text()
        assert (
            f"- [stated] The ferry leaves at 08:15 (2026-03-10) ^{old.claim}\n" in note.read_text()
        )
        told = [source.text for source in memory.recall("When does the ferry leave?").sources]
        assert any("08:15" in text for text in told)
        maps = [*root.rglob("index.md"), *root.rglob("INDEX.md"), *root.glob("MEMORY.md")]
        assert "09:45" not in "".join(path.read_text() for path in maps)
        assert "08:15" in "".join(path.read_text() for path in maps)


@pytest.mark.req("W-02", "F-09", "R-04")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_conflict_is_marked_in_note_and_map_until_a_person_rules(
    tree: Tree, opening: Opening, profile: str
) -> None:
    root = tree(profile)
    home = {"gitmem": "MEMORY.md", "vault": "memory/INDEX.md"}.get(profile, "memory/index.md")
    with opening(root) as memory:
        one = memory.remember("The crypt runs on port 8080", tag="stated")
        two = memory.remember("The crypt does not run on port 8080", tag="stated")
        assert type(two).__name__ == "Conflicted"
        note = (root / two.span.path).read_text()
        assert "> ⚠️ CONFLICT (2026-03-10):" in note
        assert "status: conflict" in note
        assert "🔀" in (root / home).read_text()
        both = [s for s in memory.recall("Which port does the crypt run on?").sources
                if s.status == "conflict"]  # fmt: skip
        assert len(both) == 2
        memory.review("rule", f"^{one.claim}", choice=f"^{two.claim}", by_person=True)
        assert "🔀" not in (root / home).read_text()
        assert "status: active" in (root / two.span.path).read_text()
        told = [s.text for s in memory.recall("Which port does the crypt run on?").sources]
        assert any("does not run" in text for text in told)
        assert not any("crypt runs on port" in text for text in told)


@pytest.mark.req("F-07", "F-03")
@pytest.mark.parametrize("profile", PROFILES)
def test_the_workbench_is_overwritten_and_nothing_else(
    tree: Tree, opening: Opening, state_of: Stand, profile: str
) -> None:
    root = tree(profile)
    inside = {"gitmem": "memory/context/now.md", "nanoclaw": "memory/now.md"}
    path = inside.get(profile, "NOW.md")
    before = state_of(root)
    with opening(root) as memory:
        memory.now("# Now\n\nMending the sluice.\n")
        assert memory.now().text == "# Now\n\nMending the sluice.\n"
    after = state_of(root)
    assert {name for name in after if after[name] != before.get(name)} == {path}
    assert set(before) <= set(after)


@pytest.mark.req("B-03", "F-03")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_fact_is_forgotten_in_note_map_and_log(
    tree: Tree, opening: Opening, profile: str
) -> None:
    root = tree(profile)
    with opening(root) as memory:
        memory.log("The safe opens with 771-331-9 since May.", title="Safe")
        known = memory.remember("The safe opens with 771-331-9 since May", tag="stated")
        memory.forget([f"^{known.claim}"])
        left = [p for p in root.rglob("*.md") if "771-331-9" in p.read_text(errors="replace")]
        assert left == []
        assert not any(
            "771" in one.text for one in memory.recall("How does the safe open?").sources
        )
        assert not (root / known.span.path).exists()
        home = {"gitmem": "MEMORY.md", "vault": "memory/INDEX.md"}.get(profile, "memory/index.md")
        assert (
            known.span.path.rpartition("/")[2].removesuffix(".md") not in (root / home).read_text()
        )


@pytest.mark.req("F-04")
@pytest.mark.parametrize("profile", PROFILES)
def test_init_adds_what_is_missing_and_touches_nothing_that_is_there(
    tree: Tree, state_of: Stand, profile: str, tmp_path: Path, clock: FrozenClock
) -> None:
    root = tree(profile)
    before = state_of(root)
    settings = {"state.directory": str(tmp_path / "state"), "workspace.zone": "Europe/Berlin"}
    made = init(root, clock=clock, settings=settings, variables={})
    assert made.profile == profile
    assert "vade.toml" in made.created
    after = state_of(root)
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) == set(made.created)
    again = init(root, clock=clock, settings=settings, variables={})
    assert again.created == ()
    assert state_of(root) == after


DEFECTS = {
    "openclaw": set[str](),
    "vault": set[str](),
    "nanoclaw": {"map-dead-line memory/index.md:15"},
    "gitmem": set[str](),
}
MESS = {
    "log-heading memory/2026-02-12.md:1",
    "log-heading memory/2026-02-13.md:1",
    "malformed-frontmatter memory/notes/broken.md:3",
}


@pytest.mark.req("F-03", "F-08", "B-01")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("messy", [False, True])
def test_the_doctor_names_what_is_wrong_exactly_and_nothing_else(
    tree: Tree, opening: Opening, profile: str, messy: bool
) -> None:
    with opening(tree(profile, messy=messy)) as memory:
        memory.sync()
        found = memory.doctor().findings
        defects = {f"{one.code} {one.where}" for one in found if one.severity == "defect"}
        assert defects == DEFECTS[profile] | (MESS if messy else set())
        notices = {one.code for one in found if one.severity == "notice"}
        assert notices <= {
            "claim-untagged", "claim-without-id", "unlisted-note", "unfinished-line", "dead-link"
        }  # fmt: skip


@pytest.mark.req("B-01", "F-09")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_mend_lists_what_was_unlisted_and_a_second_one_finds_nothing_to_do(
    tree: Tree, opening: Opening, profile: str
) -> None:
    root = tree(profile, messy=True)
    (root / "memory/loose-end.md").write_text("# Loose end\n\nA rope.\n")
    with opening(root) as memory:
        memory.remember("The first stone is basalt", tag="stated")  # a map comes with the first
        memory.doctor(fix=True)
        left = memory.doctor(fix=True)
        assert left.mended == ()
        assert not {"unlisted-note", "claim-without-id"} & {one.code for one in left.findings}
        assert (root / "memory/loose-end.md").read_text() == "# Loose end\n\nA rope.\n"


@pytest.mark.req("F-03")
@pytest.mark.parametrize("profile", PROFILES)
def test_what_is_written_does_not_make_it_another_kind_of_workspace(
    tree: Tree, opening: Opening, profile: str
) -> None:
    root = tree(profile)
    for _ in range(2):
        with opening(root) as memory:
            assert memory.status().profile == profile
            memory.log("Something happened.")
            memory.now("# Now\n\nAt work.\n")
            for kind in ("decision", "lesson", "person", "project", "preference", "fact"):
                memory.remember(f"Otto knows the {kind} of the mill", kind=kind, tag="stated")


@pytest.mark.req("F-03", "R-04")
@pytest.mark.parametrize("profile", PROFILES)
def test_all_four_marks_of_what_is_past_are_read_everywhere(
    tree: Tree, opening: Opening, profile: str
) -> None:
    root = tree(profile)
    notes = {
        "strike": "# Bell\n\n- ~~The bell is bronze~~ superseded 2026-02-01 (recast)\n"
        "- The bell is steel\n",
        "quote": "# Rope\n\n- The rope is hemp\n> [Superseded 2026-02-01]\n- The rope is nylon\n",
        "observed": "# Lamp\n\n<!-- observed: 2026-01-01 | status: superseded -->\n\n"
        "- The lamp is gas\n\n<!-- observed: 2026-02-01 | status: active -->\n\n"
        "- The lamp is electric\n",
        "note": "---\ntype: fact\nstatus: deprecated\n---\n\n# Roof\n\n- The roof is thatch\n",
    }
    (root / "memory/notes").mkdir(exist_ok=True)
    for name, text in notes.items():
        (root / f"memory/notes/{name}.md").write_text(text)
    with opening(root) as memory:
        for thing, past, now in (
            ("bell", "bronze", "steel"),
            ("rope", "hemp", "nylon"),
            ("lamp", "gas", "electric"),
            ("roof", "thatch", ""),
        ):
            told = "".join(one.text for one in memory.recall(f"What is the {thing}?").sources)
            assert past not in told
            assert now in told
            assert any(
                past in one.text
                for one in memory.recall(f"What is the {thing}?", history=True).sources
            )


@pytest.mark.req("B-01", "W-06", "R-04")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_past_line_that_somebody_deleted_comes_back_as_past(
    tree: Tree, opening: Opening, profile: str, clock: FrozenClock
) -> None:
    root = tree(profile)
    with opening(root) as memory:
        old = memory.remember("User prefers the metric system", tag="stated")
        clock.advance(days=1)
        new = memory.remember(
            "User prefers the imperial system", tag="stated", supersedes=[old.claim]
        )
        note = root / new.span.path
        lines = note.read_text().splitlines(keepends=True)
        kept = [
            line for line in lines if "metric" not in line and "[Superseded 2026-03-11" not in line
        ]
        note.write_text("".join(kept))
        memory.sync()
        memory.doctor(fix=True)
        assert "metric" in note.read_text()
        told = memory.recall("Which system does the user prefer?").sources
        assert any("imperial" in one.text for one in told)
        assert not any("metric" in one.text for one in told)
