"""Nothing of one agent's memory is told to another: every verb, on every surface, by every name.

The walk is made from the list of verbs: a new verb without an entry in `walk.WALK` fails here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from tests.agents.conftest import Installation
from tests.agents.walk import (
    GRANTED,
    HIDDEN,
    OWNER,
    QUERY,
    READER,
    STRANGER,
    WALK,
    Owned,
    Told,
    Words,
    command_lines,
    furnish,
    on_the_command_line,
    roots,
    talk,
    with_hooks,
    with_the_library,
    with_tools,
    words_in,
)

from vademecum.core.errors import Sealed
from vademecum.service import enrolling
from vademecum.service.memory import Memory
from vademecum.service.verbs import VERBS, Verb
from vademecum.surfaces.cli.verb import Call


def test_every_verb_is_walked() -> None:
    assert set(WALK) == {verb.name for verb in VERBS}


@pytest.fixture
def owned(installation: Installation) -> Owned:
    """Give the owner's memory, and a reader beside it."""
    found = furnish(installation)
    installation.agent(READER)
    memory = installation.open(READER)
    memory.remember("The reader likes tea in the afternoon", kind="preference", tag="observed")
    own = _own(installation)
    (own / "USER.md").write_text("# User\n\n- Tea\n", encoding="utf-8")
    for said in ("What do we drink today?", "And what tomorrow?"):
        talk(READER, own, "own-session", said)
    return found


def _own(installation: Installation) -> Path:
    return installation.home / READER


def _leaks(told: Iterable[Told], words: Words) -> list[str]:
    """Return each call that told one of the words, or that ended as no call should."""
    return [
        f"{one.call} → {word}"
        for one in told
        for word in (*words, "failed unexpectedly")
        if word.lower() in one.said.lower()
    ]


def _everything(
    installation: Installation, owned: Owned, verbs: Iterable[tuple[Verb, Words]], names: Words
) -> Iterator[Told]:
    own = _own(installation)
    for verb, chosen in verbs:
        for line in command_lines(verb.name, verb.command, owned, own, chosen):
            yield on_the_command_line(line, Call(agent=READER, clock=installation.clock))
    yield from with_tools(installation.open(READER), names)
    yield from with_the_library(installation.open(READER), names)
    yield from with_hooks(owned, own, names)


def _some(owned: Owned, offset: int, count: int) -> list[tuple[Verb, Words]]:
    """Return each verb with a few of the names, which move on from verb to verb, and with the
    path that a verb which reads files of the system could follow."""
    every = owned.names
    absolute = str(owned.root / every[0])
    return [
        (
            verb,
            tuple({absolute, *(every[(offset + at + n) % len(every)] for n in range(count))}),
        )
        for at, verb in enumerate(VERBS)
    ]


def _check_own_files(installation: Installation, words: Words) -> None:
    memory = installation.open(READER)
    written = words_in(_own(installation), Path(memory.status().state)).lower()
    assert [word for word in words if word.lower() in written] == []


by_every_binding = pytest.mark.parametrize("bound_by", ["option", "environment"])
"""How a process is told in whose name it calls."""


@pytest.mark.req("A-01")
def test_nothing_is_told_before_a_grant_and_nothing_is_kept(
    installation: Installation, owned: Owned, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(_own(installation))
    told = _everything(installation, owned, _some(owned, 0, 1), owned.names[::8])
    assert _leaks(told, (*HIDDEN, GRANTED)) == []
    _check_own_files(installation, (*HIDDEN, GRANTED))


@pytest.mark.req("A-01")
def test_with_a_grant_exactly_what_was_granted_is_told_and_marked_and_afterwards_nothing(
    installation: Installation, owned: Owned, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(_own(installation))
    owner = installation.open(OWNER)
    owner.grant(READER, folder="memory/decisions")
    _check_granted(installation, owned, _some(owned, 2, 1), owned.names[8::8])

    owner.revoke(READER)
    told = _everything(installation, owned, (), owned.names[8:10])
    assert _leaks(told, (*HIDDEN, GRANTED)) == []

    owner.grant(READER, folder="memory/decisions")
    _delete(owner)
    told = _everything(installation, owned, (), owned.names[8:10])
    assert _leaks(told, (*HIDDEN, GRANTED)) == []


def _check_granted(
    installation: Installation, owned: Owned, verbs: list[tuple[Verb, Words]], names: Words
) -> None:
    reader = installation.open(READER)
    (source,) = reader.recall(QUERY, origin=OWNER).sources
    assert GRANTED in source.text
    assert source.origin == OWNER
    assert source.span.path.startswith(f"{OWNER}:memory/decisions/")

    told = list(_everything(installation, owned, verbs, names))
    assert _leaks(told, HIDDEN) == []
    unmarked = [one.call for one in told if GRANTED in one.said and f"{OWNER}:" not in one.said]
    assert unmarked == []
    assert any(GRANTED in one.said for one in told)
    _check_own_files(installation, (*HIDDEN, GRANTED))


def _by_roots(installation: Installation, owned: Owned, places: Iterable[Path]) -> Iterator[Told]:
    own = _own(installation)
    for place in places:
        for verb in VERBS:
            for line in command_lines(verb.name, verb.command, owned, own, ("index.md",), False):
                rooted = (*line, "--workspace", str(place))
                yield on_the_command_line(rooted, Call(agent=STRANGER, clock=installation.clock))


def _all_files(installation: Installation, owned: Owned) -> str:
    """Return what stands in the owner's memory and state, the registry and the grants."""
    config = installation.home / "config" / "vademecum"
    return words_in(owned.root, owned.state, config)


@pytest.mark.req("A-01")
@by_every_binding
def test_no_verb_opens_for_another_name_a_root_in_or_above_what_is_sealed(
    installation: Installation,
    owned: Owned,
    monkeypatch: pytest.MonkeyPatch,
    bound_by: str,
) -> None:
    monkeypatch.chdir(_own(installation))
    if bound_by == "environment":
        monkeypatch.setenv("VADE_AGENT", STRANGER)
    before = _all_files(installation, owned)
    for place in roots(owned):
        with pytest.raises(Sealed):
            installation.open(STRANGER, place)
    told = _by_roots(installation, owned, roots(owned))
    assert _leaks(told, (*HIDDEN, GRANTED, "[owner]")) == []
    assert _all_files(installation, owned) == before


def _delete(owner: Memory) -> None:
    """Let the owner forget what was granted."""
    (claim,) = (hit.claim for hit in owner.search(GRANTED).hits if hit.claim)
    owner.forget(f"^{claim}", purge=True)


def _left_behind(owned: Owned) -> tuple[str, ...]:
    """Return the paths of the system at which a removed agent's memory and state stay."""
    folder = owned.root / "memory" / "projects"
    places = (owned.root, owned.root / owned.names[0], folder, owned.root.parent, owned.state)
    return (*map(str, places), str(folder / "hush.md"))


def _bytes_in(owned: Owned) -> dict[Path, bytes]:
    """Return what the files of the owner's memory and state hold."""
    files = (file for place in (owned.root, owned.state) for file in place.rglob("*"))
    return {file: file.read_bytes() for file in files if file.is_file()}


@pytest.mark.req("A-01", "A-02")
@by_every_binding
def test_nothing_is_told_of_a_memory_whose_agent_was_removed(
    installation: Installation,
    owned: Owned,
    monkeypatch: pytest.MonkeyPatch,
    bound_by: str,
) -> None:
    monkeypatch.chdir(_own(installation))
    installation.open(OWNER).grant(READER, folder="memory/decisions")
    enrolling.remove(OWNER)
    if bound_by == "environment":
        monkeypatch.setenv("VADE_AGENT", READER)
    before = _bytes_in(owned)
    paths = _left_behind(owned)
    verbs = [(verb, paths) for verb in VERBS]
    told = _everything(installation, owned, verbs, owned.names[8:10])
    assert _leaks(told, (*HIDDEN, GRANTED)) == []
    assert _leaks(with_hooks(owned, _own(installation), paths), (*HIDDEN, GRANTED)) == []
    _check_own_files(installation, (*HIDDEN, GRANTED))
    after = _bytes_in(owned)
    assert {file: after.get(file) for file in before} == before


@pytest.mark.req("A-01")
@pytest.mark.slow
@by_every_binding
def test_the_whole_walk_by_every_name(
    installation: Installation,
    owned: Owned,
    monkeypatch: pytest.MonkeyPatch,
    bound_by: str,
) -> None:
    monkeypatch.chdir(_own(installation))
    share = -(-len(owned.names) // 3)  # each verb gets to each name in three of the four parts
    owner = installation.open(OWNER)

    def bound() -> None:
        if bound_by == "environment":
            monkeypatch.setenv("VADE_AGENT", READER)

    def sealed(offset: int) -> None:
        bound()
        told = _everything(installation, owned, _some(owned, offset, share), owned.names[::2])
        assert _leaks(told, (*HIDDEN, GRANTED)) == []

    sealed(0)
    _check_own_files(installation, (*HIDDEN, GRANTED))
    owner.grant(READER, folder="memory/decisions")
    _check_granted(installation, owned, _some(owned, share, share), owned.names[1::2])
    owner.revoke(READER)
    sealed(2 * share)
    owner.grant(READER, folder="memory/decisions")
    _delete(owner)
    sealed(0)
    monkeypatch.delenv("VADE_AGENT", raising=False)
    enrolling.remove(OWNER)
    sealed(share)
    _check_own_files(installation, (*HIDDEN, GRANTED))
