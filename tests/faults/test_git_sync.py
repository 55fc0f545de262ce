"""`vade git sync` in repositories that are out of order, remotes that fail, files in motion."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import team  # see conftest

from vademecum.core.errors import Refused, RemoteUnreachable, SecretFound, VademecumError
from vademecum.core.review import Ruling
from vademecum.surfaces.rendering.overseeing import git_synced

pytestmark = pytest.mark.req("B-02")

NOTE = "memory/facts/base0.md"


@pytest.fixture
def people(tmp_path: Path) -> tuple[Any, Any]:
    return team.team(tmp_path, seed=1)  # type: ignore[no-any-return]  # the harness is imported by its path, without types


def append(person: Any, text: str, note: str = NOTE) -> None:
    file = person.root / note
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text((file.read_text() if file.exists() else "# New\n") + text)


def break_remote(person: Any) -> None:
    person.git("remote", "set-url", "origin", str(person.root.parent / "nowhere.git"))


def refuse_connections(person: Any) -> None:
    person.git("remote", "set-url", "origin", "http://user:hunter2@127.0.0.1:9/hub.git")


def refuse_pushes(person: Any) -> None:
    hook = person.root.parent / "hub.git/hooks/pre-receive"
    hook.write_text("#!/bin/sh\necho nobody may >&2\nexit 1\n")
    hook.chmod(0o755)


def follow_nothing(person: Any) -> None:
    person.git("remote", "remove", "origin")


def detach(person: Any) -> None:
    person.git("checkout", "-q", "--detach")


def begin_merge(person: Any) -> None:
    (person.root / ".git/MERGE_HEAD").write_text(person.git("rev-parse", "HEAD"))


def begin_rebase(person: Any) -> None:
    (person.root / ".git/rebase-merge").mkdir()


def lock_index(person: Any) -> None:
    (person.root / ".git/index.lock").write_text("")


def leave_unmerged(person: Any) -> None:
    rows = "".join(
        f"100644 {person.git('rev-parse', f'HEAD:{NOTE}').strip()} {stage}\t{NOTE}\n"
        for stage in (1, 2, 3)
    )
    subprocess.run(
        ["git", "update-index", "--index-info"], cwd=person.root, input=rows, text=True, check=True
    )


def share_nothing(person: Any) -> None:
    other = person.root.parent / "other"
    subprocess.run(["git", "init", "-q", "-b", "main", str(other)], check=True)
    (other / "x.md").write_text("x\n")
    named = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", "add", "-A"], cwd=other, check=True)
    subprocess.run(["git", *named, "commit", "-q", "-m", "x"], cwd=other, check=True)
    person.git("remote", "set-url", "origin", str(other))


def disagree_over_code(person: Any) -> None:
    for one, text in ((person.other, "theirs\n"), (person, "ours\n")):
        (one.root / "code.py").write_text(text)
        one.git("add", "code.py")
        one.git("commit", "-q", "-m", "code")
        if one is not person:
            one.memory.git("sync")


def stage_another_version(person: Any) -> None:
    append(person.other, "\nTheirs.\n")
    person.other.memory.git("sync")
    text = (person.root / NOTE).read_text()
    (person.root / NOTE).write_text(text + "\nStaged.\n")
    person.git("add", NOTE)
    (person.root / NOTE).write_text(text)


@pytest.mark.parametrize(
    ("break_it", "kind", "word"),
    [
        (break_remote, RemoteUnreachable, "did not answer"),
        pytest.param(
            refuse_connections, RemoteUnreachable, "did not answer", marks=pytest.mark.slow
        ),
        (refuse_pushes, Refused, "does not take"),
        pytest.param(follow_nothing, Refused, "no remote", marks=pytest.mark.slow),
        (detach, Refused, "detached"),
        pytest.param(begin_merge, Refused, "a merge is not concluded", marks=pytest.mark.slow),
        pytest.param(begin_rebase, Refused, "a rebase is under way", marks=pytest.mark.slow),
        pytest.param(lock_index, Refused, "index.lock", marks=pytest.mark.slow),
        (leave_unmerged, Refused, "unmerged"),
        pytest.param(share_nothing, Refused, "nothing in common", marks=pytest.mark.slow),
        (disagree_over_code, Refused, "code.py"),
        (stage_another_version, Refused, "staged"),
    ],
)
def test_what_stands_in_the_way_is_one_sentence_and_nothing_is_lost(
    break_it: Callable[[Any], None],
    kind: type[VademecumError],
    word: str,
    people: tuple[Any, Any],
) -> None:
    ada, ben = people
    ada.other = ben
    break_it(ada)
    written = ada.memory.log("Kept whatever happens.")
    before = team.files_of(ada.root)
    with pytest.raises(kind, match=word) as caught:
        ada.memory.git("sync")
    told = str(caught.value)
    assert told.endswith(".") and "\n" not in told and caught.value.hint.endswith(".")
    assert "hunter2" not in told
    assert team.files_of(ada.root) == before
    assert not list((ada.root / ".git").glob("*.lock")) or break_it is lock_index
    assert written.path in before


def test_once_it_can_be_reached_again_everything_arrives(people: tuple[Any, Any]) -> None:
    ada, ben = people
    place = ada.git("remote", "get-url", "origin").strip()
    break_remote(ada)
    ada.memory.log("Said offline.")
    append(ben, "\nBen wrote this.\n")
    ben.memory.git("sync")
    with pytest.raises(RemoteUnreachable):
        ada.memory.git("sync")
    ada.git("remote", "set-url", "origin", place)
    done = ada.memory.git("sync")
    assert (done.received, done.sent) == (1, 2)
    assert "Ben wrote this." in (ada.root / NOTE).read_text()
    assert ben.memory.git("sync").files == ("memory/2026-01-20.md",)


def test_without_setup_there_is_nothing_to_sync(people: tuple[Any, Any]) -> None:
    ada, _ = people
    ada.memory.git("remove")
    with pytest.raises(Refused, match="is not committed"):
        ada.memory.git("sync")
    with pytest.raises(Refused, match="no remote 'team'"):
        people[1].memory.git("sync", remote="team")


def test_a_remote_that_moves_between_fetch_and_push_is_merged_once_more(
    people: tuple[Any, Any],
) -> None:
    ada, ben = people
    append(ben, "\nBen was quicker.\n")
    ben.git("commit", "-q", "-am", "quicker")
    hook = ada.root / ".git/hooks/pre-push"
    once = ada.root.parent / "once"
    hook.write_text(
        f"#!/bin/sh\n[ -e {once} ] && exit 0\ntouch {once}\n"
        f"env -u GIT_DIR git -C {ben.root} push -q origin main\n"
    )
    hook.chmod(0o755)
    append(ada, "\nAda wrote.\n", "memory/facts/base1.md")
    done = ada.memory.git("sync")
    assert once.exists()
    assert done.received == 1
    assert "Ben was quicker." in (ada.root / NOTE).read_text()
    ben.memory.git("sync")
    assert team.files_of(ada.root) == team.files_of(ben.root)


def test_a_push_waits_for_another_one_that_is_at_the_branch(people: tuple[Any, Any]) -> None:
    ada, _ = people
    lock = ada.root.parent / "hub.git/refs/heads/main.lock"
    lock.write_text("")
    tried = ada.root.parent / "tried"
    hook = ada.root / ".git/hooks/pre-push"
    hook.write_text(f'#!/bin/sh\necho >> {tried}\n[ "$(wc -l < {tried})" -lt 3 ] || rm {lock}\n')
    hook.chmod(0o755)
    append(ada, "\nAda wrote.\n")
    assert ada.memory.git("sync").sent == 1
    assert len(tried.read_text().splitlines()) == 3


def test_a_dry_run_tells_and_changes_nothing(people: tuple[Any, Any]) -> None:
    ada, ben = people
    append(ben, "\nFrom Ben.\n")
    ben.memory.git("sync")
    ada.memory.log("Not in Git yet.")
    append(ada, "\nBy hand.\n", "memory/facts/base1.md")
    before, head = team.files_of(ada.root), ada.git("rev-parse", "HEAD")
    told = ada.memory.git("sync", dry_run=True)
    assert told.edits == ("memory/facts/base1.md",)
    assert (told.received, told.files) == (1, (NOTE,))
    assert team.files_of(ada.root) == before
    assert ada.git("rev-parse", "HEAD") == head


@pytest.mark.slow
def test_conflicts_of_claims_and_of_prose_come_up_in_review(people: tuple[Any, Any]) -> None:
    ada, ben = people
    for person, word in ((ada, "red"), (ben, "blue")):
        file = person.root / NOTE
        text = file.read_text().replace("is wordx1 ", f"is {word} ")
        text = text.replace("Things of base 0.", f"Things that are {word}.")
        file.write_text(text.replace("# Base 0\n", f"# Base 0\n\nIt was painted {word}.\n"))
    ada.memory.git("sync")
    done = ben.memory.git("sync")
    assert {path for path, _ in done.conflicts} == {NOTE}
    told = " ".join(told for _, told in done.conflicts)
    assert "the same claim" in told
    assert "description" in told
    ada.memory.git("sync")
    for person in people:
        assert any(item.matter == "conflict" for item in person.memory.review())
        assert "red" in (person.root / NOTE).read_text()
        assert "blue" in (person.root / NOTE).read_text()


def test_prose_that_both_rewrote_stands_once_and_the_other_is_offered_in_review(
    people: tuple[Any, Any],
) -> None:
    ada, ben = people
    append(ada, "\nThe tower is white.\n")
    ada.memory.git("sync")
    ben.memory.git("sync")
    for person, word in ((ada, "green"), (ben, "black")):
        file = person.root / NOTE
        file.write_text(file.read_text().replace("tower is white", f"tower is {word}"))
    ada.memory.git("sync")
    done = ben.memory.git("sync")
    assert len(done.kept) == 1
    assert "tower is black" in (ben.root / NOTE).read_text()
    assert "<<<<<<<" not in (ben.root / NOTE).read_text()
    assert "tower is green" in (ben.root / done.kept[0]).read_text()
    ada.memory.git("sync")
    for person in people:
        kept = [item for item in person.memory.review() if item.matter == "version"]
        assert [item.id for item in kept] == list(done.kept)
        assert NOTE in kept[0].why
    ada.memory.review("merge", done.kept[0])
    assert "tower is green" in (ada.root / NOTE).read_text()


def test_a_credential_typed_by_hand_is_not_sent(people: tuple[Any, Any]) -> None:
    ada, _ = people
    append(ada, "\nThe key is AKIAIOSFODNN7EXAMPLF and more.\n")
    with pytest.raises(SecretFound, match="base0"):
        ada.memory.git("sync")
    assert ada.git("status", "--porcelain") == f" M {NOTE}\n"


def test_what_was_forgotten_here_is_not_brought_back_by_what_others_send(
    people: tuple[Any, Any],
) -> None:
    ada, ben = people
    (ben.root / NOTE).rename(ben.root / "memory/facts/elsewhere.md")
    append(ben, "\nMore.\n", "memory/facts/elsewhere.md")
    ben.memory.git("sync")
    ada.memory.forget("^ba5e01")
    ada.memory.git("sync")
    ben.memory.git("sync")
    for person in people:
        assert not any("wordx1 " in line for _, line in team.lines_of(team.files_of(person.root)))


@pytest.mark.slow
def test_code_beside_memory_is_taken_in_as_git_does_and_never_overwritten(
    people: tuple[Any, Any],
) -> None:
    ada, ben = people
    (ben.root / "code.py").write_text("one\n")
    ben.git("add", "-A")
    ben.git("commit", "-q", "-m", "code")
    ben.memory.git("sync")
    (ada.root / "code.py").write_text("mine\n")
    before = team.files_of(ada.root)
    with pytest.raises(
        Refused, match=r"in the way of what the others sent: [A-Z].*code\.py.*[^.]\.$"
    ):
        ada.memory.git("sync")
    assert team.files_of(ada.root) == before
    (ada.root / "code.py").unlink()
    done = ada.memory.git("sync")
    assert (done.received, done.files) == (1, ("code.py",))
    assert (ada.root / "code.py").read_text() == "one\n"
    assert ada.git("status", "--porcelain") == ""


@pytest.mark.req("B-02")
def test_an_index_that_a_killed_sync_left_behind_is_brought_up(people: tuple[Any, Any]) -> None:
    ada, ben = people
    append(ada, "\nFirst of ada.\n")
    ada.memory.git("sync")
    entry = ada.git("ls-tree", "HEAD~1", "--", NOTE).split()
    ada.git("update-index", "--cacheinfo", f"{entry[0]},{entry[2]},{NOTE}")
    ben.memory.git("sync")
    append(ben, "\nFirst of ben.\n")
    ben.memory.git("sync")
    ada.memory.git("sync")
    assert "First of ben." in (ada.root / NOTE).read_text()
    assert ada.git("status", "--porcelain") == ""


@pytest.mark.slow
def test_what_the_user_staged_elsewhere_stays_staged(people: tuple[Any, Any]) -> None:
    ada, ben = people
    append(ben, "\nTheirs.\n")
    ben.memory.git("sync")
    (ada.root / "code.py").write_text("staged\n")
    ada.git("add", "code.py")
    ada.memory.git("sync")
    assert ada.git("diff", "--cached", "--name-only") == "code.py\n"
    assert ada.git("status", "--porcelain") == "A  code.py\n"


@pytest.mark.slow
def test_names_that_are_one_on_some_system_are_left_to_git(people: tuple[Any, Any]) -> None:
    ada, ben = people
    for name in ("Twin.md", "twin.md"):
        append(ben, "\nA twin.\n", f"memory/facts/{name}")
    append(ben, "\nReserved.\n", "memory/facts/con.md")
    ben.git("add", "-A")
    ben.git("commit", "-q", "-m", "twins")
    ben.memory.git("sync")
    ada.memory.git("sync")
    assert team.files_of(ada.root) == team.files_of(ben.root)
    assert ada.git("status", "--porcelain") == ""


def test_a_name_that_another_has_in_other_letters_holds_nothing_up(
    people: tuple[Any, Any],
) -> None:
    ada, ben = people
    append(ben, "\n- [stated] Zoe likes tea ^aa1111\n", "memory/people/Zoe.md")
    append(ben, "\nTheirs.\n")
    ben.memory.git("sync")
    append(ada, "\n- [stated] Zoe likes coffee ^bb1111\n", "memory/people/zoe.md")
    assert [path for path, _ in ada.memory.git("sync", dry_run=True).conflicts] == [
        "memory/people/Zoe.md"
    ]
    done = ada.memory.git("sync")
    assert [path for path, _ in done.conflicts] == ["memory/people/Zoe.md"]
    assert "memory/people/zoe.md too" in done.conflicts[0][1]
    assert "Theirs." in (ada.root / NOTE).read_text()
    ben.memory.git("sync")
    assert team.files_of(ada.root) == team.files_of(ben.root)
    assert ada.git("status", "--porcelain") == ""
    waiting = [(item.id, item.rulings) for item in ben.memory.review()]
    assert waiting == [(item.id, item.rulings) for item in ada.memory.review()]
    assert waiting == [("memory/people/zoe.md", (Ruling.MERGE,))]
    ada.memory.review("merge", "memory/people/zoe.md")
    ada.memory.git("sync")
    ben.memory.git("sync")
    assert not (ben.root / "memory/people/zoe.md").exists()
    text = (ben.root / "memory/people/Zoe.md").read_text()
    assert "tea ^aa1111" in text
    assert "coffee ^bb1111" in text


def test_a_note_or_folder_that_gets_other_letters_in_its_name_gets_them_everywhere(
    people: tuple[Any, Any],
) -> None:
    ada, ben = people
    append(ben, "\nWritten.\n", "memory/people/zoe.md")
    append(ben, "\nWritten.\n", "memory/places/home.md")
    ben.memory.git("sync")
    ada.memory.git("sync")
    ben.git("mv", "memory/people/zoe.md", "memory/people/Zoe.md")
    ben.git("mv", "memory/places", "memory/Places")
    ben.git("commit", "-q", "-m", "Spell")
    ben.memory.git("sync")
    assert ada.memory.git("sync").conflicts == ()
    assert team.files_of(ada.root) == team.files_of(ben.root)
    assert ada.git("status", "--porcelain") == ""
    assert ada.memory.review() == ()


def remove_against_edit(people: tuple[Any, Any]) -> str:
    ada, ben = people
    note = "memory/places/dock.md"
    append(ben, "\n- [stated] The dock is closed ^dd1111\n", note)
    ben.memory.git("sync")
    ada.memory.git("sync")
    (ada.root / note).unlink()
    append(ben, "- [stated] The crane is red ^dd2222\n", note)
    ben.memory.git("sync")
    assert [path for path, _ in ada.memory.git("sync").conflicts] == [note]
    ben.memory.git("sync")
    return note


@pytest.mark.parametrize("ruling", ["keep", "drop"])
def test_a_note_that_one_removed_and_the_other_edited_is_in_review_everywhere_until_ruled(
    people: tuple[Any, Any], ruling: str
) -> None:
    note = remove_against_edit(people)
    ada, ben = people
    for one in people:
        (item,) = one.memory.review()
        assert (item.id, item.matter.value) == (note, "conflict")
        assert item.why == "one side removed this note and the other changed it"
        assert "The dock is closed" in item.text
        assert "status: conflict" in (one.root / note).read_text()
    ben.memory.remember("The dock opens at six", kind="fact", about=note)
    assert [item.id for item in ben.memory.review()] == [note]
    if ruling == "drop":
        with pytest.raises(Refused, match="Only a person"):
            ben.memory.review(ruling, note)
    done = ben.memory.review(ruling, note, by_person=True)
    assert ben.memory.review() == ()
    ben.memory.git("sync")
    ada.memory.git("sync")
    assert ada.memory.review() == ()
    assert team.files_of(ada.root) == team.files_of(ben.root)
    if ruling == "keep":
        text = (ada.root / note).read_text()
        assert "REMOVED" not in text
        assert "status: conflict" not in text
        assert "crane is red ^dd2222" in text
    else:
        assert not (ada.root / note).exists()
        assert "dock" not in (ada.root / "memory/index.md").read_text()
        ben.memory.undo(done.change)
        assert "crane is red" in (ben.root / note).read_text()


def test_a_new_note_that_is_too_large_for_the_index_is_sent_all_the_same(
    people: tuple[Any, Any],
) -> None:
    ada, ben = people
    large = "memory/facts/large.md"
    append(ada, "All that was said.\n" * 300_000, large)
    assert large in {one.path for one in ada.memory.status().skipped}
    assert ada.memory.git("sync", dry_run=True).edits == (large,)
    assert ada.memory.git("sync").edits == (large,)
    ben.memory.git("sync")
    assert team.files_of(ada.root) == team.files_of(ben.root)


def test_a_note_that_is_not_committed_is_named_with_the_reason(people: tuple[Any, Any]) -> None:
    ada, ben = people
    for name in ("con.md", "plan.markdown", "cafe\N{COMBINING ACUTE ACCENT}.md", "sound.md"):
        append(ada, "\nWritten.\n", f"memory/facts/{name}")
    copy = "base1.sync-conflict-20260120-080000-ABCDEFG.md"
    for odd in (b"new\nline.md", b"caf\xe9.md", copy.encode()):
        folder = os.fsencode(ada.root / "memory/facts")
        Path(os.fsdecode(folder + b"/" + odd)).write_text("Written.\n")
    (ada.root / "memory/facts/.hidden.md").write_text("no note\n")
    (ada.root / "code.py").write_text("no note\n")
    told = ada.memory.git("sync", dry_run=True)
    done = ada.memory.git("sync")
    assert done.left_out == told.left_out
    assert {path.rpartition("/")[2]: why.partition(";")[0] for path, why in done.left_out} == {
        "con.md": "no file of that name can be on every system",
        "cafe\N{COMBINING ACUTE ACCENT}.md": "no file of that name can be on every system",
        "plan.markdown": "only notes whose names end in .md are committed",
        "new\\x0aline.md": "its name is not valid text",
        "caf\\xe9.md": "its name is not valid text",
        copy: "a conflict copy of a sync tool",
    }
    assert done.edits == ("memory/facts/sound.md",)
    said = [row.plain for row in git_synced(done)]
    assert any(row.startswith("left out  memory/facts/con.md") for row in said)
    ben.memory.git("sync")
    assert not (ben.root / "memory/facts/con.md").exists()


@pytest.mark.slow
def test_an_edit_that_is_made_while_another_is_merged_stays(people: tuple[Any, Any]) -> None:
    """The hook runs between fetch and push: files change after they were merged the first time."""
    ada, ben = people
    append(ben, "\nFrom Ben.\n")
    ben.memory.git("sync")
    ended = threading.Event()
    lines = []

    def edit() -> None:
        number = 0
        while not ended.is_set():
            number += 1
            file = ada.root / NOTE
            beside = file.with_suffix(".tmp")
            line = f"Typed {number}."
            beside.write_text(file.read_text() + f"\n{line}\n")
            beside.replace(file)
            lines.append(line)

    editor = threading.Thread(target=edit)
    editor.start()
    try:
        for _ in range(3):
            ada.memory.git("sync")
    finally:
        ended.set()
        editor.join()
    ada.memory.git("sync")
    text = "\n".join(data.decode() for data in team.files_of(ada.root).values())
    assert "From Ben." in text
    assert [line for line in lines if line not in text] == []
