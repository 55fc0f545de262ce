"""Two people on one repository: whatever both do, in any order, both end up with all of it."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

from vademecum.core.claims import Claim
from vademecum.markdown.claims import read_claims

pytestmark = pytest.mark.req("B-02")
HERE = Path(__file__).parent


def _loaded(name: str) -> ModuleType:
    specification = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    specification.loader.exec_module(module)
    return module


team = _loaded("team")


def live_together(people, seed: int, edits: int, every: int) -> None:  # type: ignore[no-untyped-def]
    """Let both make `edits` edits each, and sync now and then, in any order."""
    chance = random.Random(seed)
    left = {person.name: edits for person in people}
    while any(left.values()):
        person = chance.choice([one for one in people if left[one.name]])
        person.act()
        left[person.name] -= 1
        if chance.randrange(every) == 0:
            chance.choice(people).memory.git("sync")
    order = list(people)
    chance.shuffle(order)
    for person in (*order, *order):
        person.memory.git("sync")


def check(people) -> None:  # type: ignore[no-untyped-def]
    ada, ben = people
    mine, yours = team.files_of(ada.root), team.files_of(ben.root)
    assert mine.keys() == yours.keys()
    assert [path for path in mine if mine[path] != yours[path]] == []
    for person in people:
        assert person.git("status", "--porcelain") == ""
        assert person.git("fsck", "--strict", "--no-dangling") == ""
    assert ada.git("rev-parse", "HEAD") == ben.git("rev-parse", "HEAD")
    text = b"\n".join(mine.values()).decode()
    said = (ada.said | ben.said) - ada.removed - ben.removed
    words = set(team.WORD.findall(text))
    assert said - words == set(), "written, and nowhere any more"
    markers = ("<<<<<<<", ">>>>>>>")
    assert [path for path, line in team.lines_of(mine) if line.startswith(markers)] == []
    by_id: dict[str, list[Claim]] = {}
    for path, data in mine.items():
        if path.startswith("memory/") and path.endswith(".md"):
            for claim in read_claims(path, data.decode()):
                if claim.id:
                    by_id.setdefault(claim.id, []).append(claim)
    both = {
        id: [(str(one.span), one.live) for one in claims]
        for id, claims in by_id.items()
        if len({one.live for one in claims}) == 2
    }
    assert both == {}, "live and struck"


@pytest.mark.parametrize("seed", range(2))
def test_two_people_who_edit_and_sync_in_any_order_end_up_with_the_same(
    seed: int, tmp_path: Path
) -> None:
    people = team.team(tmp_path, seed)
    live_together(people, seed, edits=30, every=15)
    check(people)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 13))
@pytest.mark.parametrize("every", [8, 40, 1000])
def test_two_people_who_make_200_edits_each_end_up_with_the_same(
    seed: int, every: int, tmp_path: Path
) -> None:
    people = team.team(tmp_path, seed)
    live_together(people, seed, edits=200, every=every)
    check(people)
