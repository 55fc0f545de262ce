"""Maps under several hands: one writer at a time, nothing of others lost, nothing gone led to."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from vademecum.core.errors import ChangedMeanwhile, Refused
from vademecum.core.outcomes import Added, AlreadyKnown, Outcome
from vademecum.core.provenance import Actor, Tag
from vademecum.markdown.maps import BEGIN, END
from vademecum.testing import ClaimsInFiles
from vademecum.workspace.files import Content, Replaced
from vademecum.workspace.workspace import Workspace
from vademecum.writing import following
from vademecum.writing.draft import Draft
from vademecum.writing.forget import forget
from vademecum.writing.maps import have_room, keep_in_step
from vademecum.writing.remember import remember
from vademecum.writing.turns import maps_turn
from vademecum.writing.undo import undo

PLACE = "memory/people"
MOMENT = 0.5
"""Seconds in which whoever is not held up is done."""
WAIT = 30.0


def said(workspace: Workspace, actor: Actor, text: str) -> Outcome:
    return remember(workspace, ClaimsInFiles(workspace), text, actor=actor, tag=Tag.STATED)


def map_of(workspace: Workspace) -> Path:
    return workspace.root / PLACE / "index.md"


def fill(workspace: Workspace, spare: int) -> None:
    """Write by hand into the map until a line more would split it."""
    file = map_of(workspace)
    file.parent.mkdir(parents=True, exist_ok=True)
    text = file.read_text() if file.exists() else f"# People\n\n{BEGIN}\n{END}\n"
    room = int(workspace.settings.budget.map * 0.9) - spare - len(text)
    file.write_text(text + "\n" + "By hand. " * (room // 9) + "\n")


def when_replaced(workspace: Workspace, path: str, edit: Callable[[Path], None]) -> None:
    """Let somebody edit the file at `path` right before it is replaced the next time."""
    replace = workspace.files.replace
    waiting = [edit]

    def replaced(base: Content, *given: object, **named: object) -> Replaced:
        if base.path == path and waiting:
            waiting.pop()(workspace.root / path)
        return replace(base, *given, **named)  # type: ignore[arg-type]  # passed on as they came

    workspace.files.replace = replaced  # type: ignore[method-assign]  # an editor in between


def edit_first_line(file: Path) -> None:
    lines = file.read_text().splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if line.startswith("- ["))
    lines[at] = lines[at].rstrip("\n") + " (edited)\n"
    file.write_text("".join(lines))


@pytest.mark.req("B-03", "F-09")
def test_what_is_forgotten_while_its_map_is_written_is_in_no_map(
    workspace: Workspace, actor: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    said(workspace, actor, "Anna lives in Oslo")
    forgetting: list[threading.Thread] = []
    stepped = following._stepped

    def read_and_forget(*given: object) -> Draft:
        draft = stepped(*given)  # type: ignore[arg-type]  # passed on as they came
        note = (workspace.root / PLACE / "carl.md").read_text().splitlines()
        line = next(number for number, each in enumerate(note, 1) if each.startswith("- ["))
        thread = threading.Thread(
            target=forget,
            args=(workspace, [f"{PLACE}/carl.md:{line}"]),
            kwargs={"actor": actor, "purge": True},
        )
        forgetting.append(thread)
        thread.start()
        thread.join(MOMENT)
        return draft

    with monkeypatch.context() as patched:
        patched.setattr(following, "_stepped", read_and_forget)
        said(workspace, actor, "Carl lives in Bern")
    forgetting[0].join(WAIT)
    assert not forgetting[0].is_alive()
    assert not (workspace.root / PLACE / "carl.md").exists()
    assert "Bern" not in map_of(workspace).read_text()


@pytest.mark.req("B-02", "F-09")
def test_a_map_that_may_be_split_is_written_by_nobody_else_meanwhile(
    workspace: Workspace, actor: Actor
) -> None:
    fill(workspace, 30)
    with maps_turn(workspace):
        writing = threading.Thread(target=said, args=(workspace, actor, "Anna lives in Oslo"))
        writing.start()
        writing.join(MOMENT)
        assert writing.is_alive()
        assert not (workspace.root / PLACE / "anna.md").exists()
        # What another writer put into the map until then is there afterwards.
        map_of(workspace).write_text(map_of(workspace).read_text() + "- [Zoe](zoe.md)\n")
    writing.join(WAIT)
    assert (workspace.root / PLACE / "anna.md").exists()
    assert "zoe.md" in map_of(workspace).read_text()


@pytest.mark.req("F-09", "W-08")
def test_a_split_keeps_what_a_part_leads_to_already(workspace: Workspace) -> None:
    draft = Draft(workspace)
    draft.put(f"{PLACE}/g/zeta.md", "# Zeta\n")
    keep_in_step(draft, [f"{PLACE}/g/zeta.md"])
    for number in range(120):
        path = f"{PLACE}/{'abcdefgh'[number % 8]}{number:03} {'so called ' * 12}.md"
        draft.put(path, f"# {path}\n")
        keep_in_step(draft, [path])
    part = draft.text(f"{PLACE}/g/index.md") or ""
    assert "g006" in part, "it was split"
    assert "zeta.md" in part


@pytest.mark.req("W-02", "F-09")
def test_a_claim_whose_map_is_edited_meanwhile_is_added_as_one_change(
    workspace: Workspace, actor: Actor
) -> None:
    said(workspace, actor, "Anna lives in Oslo")
    fill(workspace, 30)
    draft = Draft(workspace)
    draft.put(f"{PLACE}/bob.md", "---\ndescription: Bob lives in Rome\n---\n# Bob\n")
    assert not have_room(draft, [f"{PLACE}/bob.md"]), "note and map are written at once"
    when_replaced(workspace, f"{PLACE}/index.md", edit_first_line)
    done = said(workspace, actor, "Bob lives in Rome")
    assert isinstance(done, Added)
    undo(workspace, done.change, actor=actor)
    assert not (workspace.root / PLACE / "bob.md").exists()
    assert not list((workspace.root / ".vade/conflicts").glob("*")), "what is made anew is no loss"


@pytest.mark.req("W-02", "F-09")
def test_a_map_that_is_read_only_refuses_no_claim(workspace: Workspace, actor: Actor) -> None:
    said(workspace, actor, "Anna lives in Oslo")
    map_of(workspace).chmod(0o444)
    for kind in (Added, AlreadyKnown):
        done = said(workspace, actor, "Bob lives in Rome")
        assert isinstance(done, kind)
        assert any("read-only" in note for note in done.notes)
    map_of(workspace).chmod(0o644)
    assert said(workspace, actor, "Bob lives in Rome").notes == ()
    assert "bob.md" in map_of(workspace).read_text()


@pytest.mark.req("B-03", "F-09")
def test_an_undo_whose_map_others_edit_is_whole(workspace: Workspace, actor: Actor) -> None:
    said(workspace, actor, "Anna lives in Oslo")
    done = said(workspace, actor, "Bob lives in Rome")

    def edit_own_line(file: Path) -> None:
        file.write_text(file.read_text().replace("lives in Rome", "lives in Rome (edited)"))

    when_replaced(workspace, f"{PLACE}/index.md", edit_own_line)
    undo(workspace, done.change, actor=actor)
    assert not (workspace.root / PLACE / "bob.md").exists()
    assert "bob.md" not in map_of(workspace).read_text()


@pytest.mark.req("B-03", "F-09")
def test_an_undo_that_was_broken_off_before_its_maps_can_be_repeated(
    workspace: Workspace, actor: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    said(workspace, actor, "Anna lives in Oslo")
    done = said(workspace, actor, "Bob lives in Rome")

    def broken_off(*_: object) -> None:
        raise ChangedMeanwhile("Somebody writes all the time.")

    with monkeypatch.context() as patched:
        patched.setattr("vademecum.writing.undo.maps_in_step", broken_off)
        with pytest.raises(ChangedMeanwhile):
            undo(workspace, done.change, actor=actor)
    assert "bob.md" in map_of(workspace).read_text()
    undo(workspace, done.change, actor=actor)
    assert "bob.md" not in map_of(workspace).read_text()
    with pytest.raises(Refused, match="already taken back"):
        undo(workspace, done.change, actor=actor)


@pytest.mark.req("B-03", "F-09")
def test_a_note_whose_line_came_with_another_call_takes_it_along(
    workspace: Workspace, actor: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    said(workspace, actor, "Anna lives in Oslo")
    with monkeypatch.context() as patched:
        patched.setattr(
            "vademecum.writing.remember.maps_follow",
            lambda _workspace, _notes, _sign, group, **_: (group, ""),
        )
        first = said(workspace, actor, "Bob lives in Rome")
    second = said(workspace, actor, "Bob lives in Rome")
    assert first.change != second.change
    undo(workspace, first.change, actor=actor)
    assert "bob.md" not in map_of(workspace).read_text()


@pytest.mark.req("B-02", "B-03")
def test_prose_that_is_saved_during_an_undo_stays(workspace: Workspace, actor: Actor) -> None:
    said(workspace, actor, "Anna lives in Oslo")
    before = map_of(workspace).read_text()
    done = said(workspace, actor, "Bob lives in Rome")

    def add_prose(file: Path) -> None:
        file.write_text(file.read_text() + "\nTyped by hand.\n")

    when_replaced(workspace, f"{PLACE}/index.md", add_prose)
    undo(workspace, done.change, actor=actor)
    assert map_of(workspace).read_text() == before + "\nTyped by hand.\n"


@pytest.mark.req("B-02", "B-03")
def test_a_claim_that_comes_to_a_note_while_another_is_forgotten_stays(
    workspace: Workspace, actor: Actor
) -> None:
    done = said(workspace, actor, "Anna lives in Oslo")
    assert isinstance(done, Added)
    remembering: list[threading.Thread] = []

    def remember_meanwhile(_: Path) -> None:
        thread = threading.Thread(target=said, args=(workspace, actor, "Anna lives in Rome"))
        remembering.append(thread)
        thread.start()
        thread.join(MOMENT)

    when_replaced(workspace, f"{PLACE}/index.md", remember_meanwhile)
    forget(workspace, [f"^{done.claim}"], actor=actor)
    remembering[0].join(WAIT)
    text = (workspace.root / PLACE / "anna.md").read_text()
    assert "lives in Rome" in text
    assert "Oslo" not in text


@pytest.mark.req("B-02", "B-03")
def test_an_edit_of_a_note_that_is_about_to_go_stays(workspace: Workspace, actor: Actor) -> None:
    done = said(workspace, actor, "Anna lives in Oslo")
    assert isinstance(done, Added)

    def edit_note(_: Path) -> None:
        note = workspace.root / PLACE / "anna.md"
        note.write_text(note.read_text() + "\nTyped by hand.\n")

    when_replaced(workspace, f"{PLACE}/index.md", edit_note)
    forget(workspace, [f"^{done.claim}"], actor=actor)
    text = (workspace.root / PLACE / "anna.md").read_text()
    assert "Typed by hand." in text
    assert "Oslo" not in text


@pytest.mark.req("W-02", "F-09")
def test_a_map_under_a_name_of_other_letters_refuses_no_claim(
    workspace: Workspace, actor: Actor
) -> None:
    by_hand = workspace.root / PLACE / "Index.md"
    by_hand.parent.mkdir(parents=True)
    by_hand.write_text("# People\n\nBy hand.\n")
    for kind in (Added, AlreadyKnown):
        done = said(workspace, actor, "Anna lives in Oslo")
        assert isinstance(done, kind)
        assert any("Index.md" in note for note in done.notes)
    assert by_hand.read_text() == "# People\n\nBy hand.\n"


@pytest.mark.req("W-02", "F-09")
@pytest.mark.parametrize("profile", ["openclaw", "nanoclaw", "vault", "gitmem"])
def test_the_one_map_of_a_profile_that_is_read_only_refuses_no_claim(
    make_workspace: Callable[..., Workspace], actor: Actor, profile: str
) -> None:
    workspace = make_workspace(profile=profile)
    said(workspace, actor, "Anna lives in Oslo")
    maps = [file for file in workspace.root.rglob("*.md") if "anna.md" in file.read_text()]
    for file in maps:
        file.chmod(0o444)
    done = said(workspace, actor, "We decided to use REST for the API")
    assert isinstance(done, Added)
    assert (workspace.root / done.span.path).exists()
