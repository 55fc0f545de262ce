"""Maps that follow a claim: others decide theirs meanwhile, and what is cut off is made up for."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from vademecum.core.changes import Signature
from vademecum.core.errors import OverBudget
from vademecum.core.outcomes import Added, AlreadyKnown
from vademecum.core.provenance import Actor, Tag
from vademecum.markdown.maps import BEGIN, END
from vademecum.testing import ClaimsInFiles
from vademecum.workspace.locks import locked
from vademecum.workspace.workspace import Workspace
from vademecum.writing.draft import Draft
from vademecum.writing.following import maps_follow
from vademecum.writing.maps import have_room, keep_in_step
from vademecum.writing.remember import remember
from vademecum.writing.signing import sign
from vademecum.writing.undo import undo

CLAIMS = ("Anna lives in Oslo", "Bob lives in Rome", "Carla lives in Lima", "Dora lives in Bern")
PLACE = "memory/people"
WAIT = 30.0


def said(workspace: Workspace, actor: Actor, text: str) -> Added | AlreadyKnown:
    outcome = remember(workspace, ClaimsInFiles(workspace), text, actor=actor, tag=Tag.STATED)
    assert isinstance(outcome, (Added, AlreadyKnown))
    return outcome


@pytest.mark.req("B-02", "F-09")
def test_a_claim_is_decided_while_another_ones_map_is_written(
    workspace: Workspace, actor: Actor
) -> None:
    said(workspace, actor, "Zora lives in Graz")
    written = threading.Event()
    create = workspace.files.create

    def created(*given: object) -> object:
        done = create(*given)  # type: ignore[arg-type]  # passed on as they came
        written.set()
        return done

    workspace.files.create = created  # type: ignore[method-assign]  # told of, not changed
    locks = workspace.state / "locks"
    with ThreadPoolExecutor(1) as pool:
        with locked(locks / "maps.lock"):
            first = pool.submit(said, workspace, actor, CLAIMS[0])
            assert written.wait(WAIT)
            with locked(locks / "remember.lock", WAIT):
                assert not first.done()
        path = first.result(WAIT).span.path
    assert path.removeprefix(f"{PLACE}/") in (workspace.root / PLACE / "index.md").read_text()


@pytest.mark.req("B-02", "F-09")
def test_maps_of_claims_remembered_together_lead_to_all_of_them(
    workspace: Workspace, actor: Actor
) -> None:
    with ThreadPoolExecutor(len(CLAIMS)) as pool:
        paths = {one.span.path for one in pool.map(lambda t: said(workspace, actor, t), CLAIMS)}
    text = (workspace.root / PLACE / "index.md").read_text()
    assert len(paths) == len(CLAIMS)
    assert all(path.removeprefix(f"{PLACE}/") in text for path in paths)


@pytest.mark.req("F-09", "B-02")
def test_a_map_that_a_kill_kept_from_following_follows_the_next_call(
    workspace: Workspace, actor: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        """What nothing catches."""

    def killed(*_: object, **__: object) -> tuple[str, str]:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr("vademecum.writing.remember.maps_follow", killed)
        with pytest.raises(Killed):
            said(workspace, actor, CLAIMS[0])
    assert not (workspace.root / PLACE / "index.md").exists()
    again = said(workspace, actor, CLAIMS[0])
    assert isinstance(again, AlreadyKnown)
    assert (
        again.span.path.removeprefix(f"{PLACE}/")
        in (workspace.root / PLACE / "index.md").read_text()
    )


@pytest.mark.req("B-03", "F-09")
def test_note_and_map_are_taken_back_as_one(workspace: Workspace, actor: Actor) -> None:
    said(workspace, actor, CLAIMS[0])
    before = (workspace.root / PLACE / "index.md").read_text()
    change = said(workspace, actor, CLAIMS[1]).change
    assert len(list(workspace.ledger.changes(group=change))) == 2
    undo(workspace, change, actor=actor)
    assert (workspace.root / PLACE / "index.md").read_text() == before


def full(workspace: Workspace, spare: int) -> str:
    """Return a map that is written by hand up to `spare` characters below its budget."""
    text = f"# People\n\n{BEGIN}\n{END}\n"
    room = workspace.settings.budget.map - spare - len(text)
    return f"{'By hand. ' * (room // 9 + 1)}"[:room] + "\n" + text


@pytest.mark.req("W-08", "F-09")
def test_a_map_without_room_refuses_before_anything_is_written(
    workspace: Workspace, actor: Actor
) -> None:
    index = workspace.root / PLACE / "index.md"
    index.parent.mkdir(parents=True)
    index.write_text(full(workspace, 20))
    with pytest.raises(OverBudget):
        said(workspace, actor, CLAIMS[0])
    assert [file.name for file in index.parent.iterdir()] == ["index.md"]


@pytest.mark.req("W-08", "F-09")
def test_a_map_that_was_filled_meanwhile_is_told_of_and_the_claim_stands(
    workspace: Workspace, actor: Actor
) -> None:
    path = said(workspace, actor, CLAIMS[0]).span.path
    index = workspace.root / PLACE / "index.md"
    index.write_text(full(workspace, 20))
    before = index.read_text()

    def signed(group: str) -> Signature:
        return sign(workspace, actor, "remember", "x", group=group)

    told = maps_follow(workspace, [path], signed, "g", surely=True)
    assert told[0] == "g"
    assert "does not lead there yet" in told[1]
    assert str(workspace.settings.budget.map)[:2] in told[1]
    assert index.read_text() == before


@pytest.mark.req("F-09", "W-08")
def test_there_is_room_as_long_as_no_map_is_split(workspace: Workspace) -> None:
    """Also in a part of a map, and in the part of a part."""
    draft = Draft(workspace)
    splits = 0
    maps: set[str] = set()
    for number in range(900):
        path = f"{PLACE}/{number * 7919 % 900:03} {'so called ' * 15}.md"
        draft.put(path, "# A person\n")
        roomy = have_room(draft, [path])
        keep_in_step(draft, [path])
        now = {one for one in draft.changed() if one.endswith("index.md")}
        if len(now - maps) > 2:  # more than a folder's map and the one above
            splits += 1
            assert not roomy, path
        maps = now
    assert splits >= 2
