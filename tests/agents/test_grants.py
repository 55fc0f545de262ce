"""What one agent may read of another: exactly what was granted, while it is, and marked as such."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from datetime import date
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from tests.agents.conftest import Installation

import vademecum
from vademecum.agents.grants import grants_file, grants_of
from vademecum.agents.registry import load_registry
from vademecum.core.clock import human_day
from vademecum.core.errors import (
    AgentNotFound,
    BadInput,
    EvidenceMissing,
    InvalidConfiguration,
    NoteNotFound,
    Sealed,
    VademecumError,
)
from vademecum.core.provenance import Tag
from vademecum.service import enrolling
from vademecum.service.memory import Memory
from vademecum.service.opening import registered_name
from vademecum.surfaces.cli.main import status_of
from vademecum.surfaces.cli.verb import Call
from vademecum.surfaces.mcp import resources


@pytest.fixture
def owner(installation: Installation) -> Memory:
    """Give the memory of an agent that knows a decision, a person and an event."""
    installation.agent("owner")
    memory = installation.open("owner")
    memory.remember("Deploys to Lisbon use port 8443", kind="decision", tag="observed")
    memory.remember("Ana likes quiet mornings in Lisbon", kind="person", tag="observed")
    memory.log("The Lisbon office flooded", title="Flood")
    return memory


@pytest.fixture
def reader(installation: Installation, owner: Memory) -> Memory:
    """Give the memory of another agent."""
    del owner
    installation.agent("reader")
    return installation.open("reader")


def _said(memory: Memory, origin: str = "owner") -> str:
    try:
        return " ".join(hit.text for hit in memory.search("Lisbon", origin=origin, limit=50).hits)
    except AgentNotFound:
        return ""


@pytest.mark.req("A-01")
def test_nothing_is_read_before_a_grant_and_nothing_after_it_was_revoked(
    owner: Memory, reader: Memory
) -> None:
    assert _said(reader) == ""
    owner.grant("reader")
    assert {"8443", "quiet", "flooded"} <= set(_said(reader).split()) | {
        word for word in ("8443", "quiet", "flooded") if word in _said(reader)
    }
    owner.revoke("reader")
    assert _said(reader) == ""
    assert reader.search("Lisbon", origin="*").hits == ()


@pytest.mark.req("A-01")
def test_a_grant_of_folders_and_kinds_opens_those_and_no_count_of_more(
    owner: Memory, reader: Memory
) -> None:
    owner.grant("reader", kind="decision")
    answer = reader.search("Lisbon", origin="owner", limit=50)
    assert answer.hits
    assert all("Deploys to Lisbon use port 8443" in hit.text for hit in answer.hits)
    assert (answer.coverage.notes_on_disk, answer.coverage.skipped) == (1, 0)

    owner.revoke("reader")
    owner.grant("reader", folder="memory/people")
    assert "quiet" in _said(reader)
    assert "8443" not in _said(reader)
    owner.grant("reader", folder="memory/decisions", kind="decision")
    assert "quiet" in _said(reader)
    assert "8443" in _said(reader)


@pytest.mark.req("A-01")
def test_every_source_says_whose_it_is_and_is_found_again_by_its_citation(
    owner: Memory, reader: Memory
) -> None:
    reader.remember("Our own Lisbon office has two doors", kind="fact", tag="observed")
    owner.grant("reader", kind="decision")
    answer = reader.recall("Lisbon", origin="*")
    assert {source.origin for source in answer.sources} == {"", "owner"}
    (granted,) = (source for source in answer.sources if source.origin)
    assert granted.span.path.startswith("owner:memory/decisions/")
    excerpt = reader.get(str(granted.span))
    assert "8443" in excerpt.text
    assert excerpt.origin == "owner"
    assert excerpt.span == granted.span or str(excerpt.span) == str(granted.span)
    assert "8443" in resources.read(reader, f"vade://note/{granted.span.path}")
    assert all(source.origin == "" for source in reader.recall("Lisbon office").sources)


@pytest.mark.req("A-01")
def test_what_is_not_there_not_granted_or_nobodys_is_refused_in_the_same_words(
    owner: Memory, reader: Memory
) -> None:
    hidden = next(one.path for one in owner.notes() if one.path.startswith("memory/people/ana"))
    owner.grant("reader", kind="decision")

    def sentence(call: Callable[[], object], *names: str) -> str:
        with pytest.raises(VademecumError) as raised:
            call()
        told = f"{type(raised.value).__name__} {raised.value} {raised.value.hint}"
        for name in names:
            told = told.replace(name, "NAME")
        return told

    targets = (
        f"owner:{hidden}",
        "owner:memory/people/nobody.md",
        "nobody:memory/people/ana.md",
        "owner:vade.toml",
        "owner:MEMORY.md",
    )
    told = {sentence(lambda one=one: reader.get(one), one) for one in targets}  # type: ignore[misc]  # a default binds what the loop names
    assert len(told) == 1
    asked = {
        sentence(lambda name=name: reader.recall("x", origin=name), name)  # type: ignore[misc]  # a default binds what the loop names
        for name in ("nobody", "ghost")
    }
    owner.revoke("reader")
    asked.add(sentence(lambda: reader.recall("x", origin="owner"), "owner"))
    assert len({one.split("NAME", 1)[0] for one in asked}) == 1


@pytest.mark.req("A-01")
def test_a_grant_ends_with_its_last_day(
    installation: Installation, owner: Memory, reader: Memory
) -> None:
    owner.grant("reader", until="2026-01-22")
    installation.clock.move_to("2026-01-22T23:59:00")
    assert "8443" in _said(reader)
    installation.clock.move_to("2026-01-23T00:00:01")
    assert _said(reader) == ""
    with pytest.raises(BadInput, match="is past"):
        owner.grant("reader", until="2026-01-22")


@pytest.mark.req("A-01")
def test_a_grant_that_is_edited_by_hand_holds_at_the_next_call_and_a_typo_grants_nothing(
    owner: Memory, reader: Memory
) -> None:
    owner.grant("reader")
    file = grants_file("owner")
    text = file.read_text(encoding="utf-8")
    file.write_text(f"{text}kinds = ['decision']\n", encoding="utf-8")
    assert "8443" in _said(reader)
    assert "flooded" not in _said(reader)
    for wrong in ("kind = ['decision']", "folders = 'memory'", "until = 'soon'", "folders = []"):
        file.write_text(f"{text}{wrong}\n", encoding="utf-8")
        assert _said(reader) == ""
        with pytest.raises(InvalidConfiguration):
            owner.grants()
    file.write_text(text, encoding="utf-8")
    file.chmod(0o666)
    assert _said(reader) == ""


@pytest.mark.req("A-01")
def test_no_agent_grants_itself_anything(
    installation: Installation, owner: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    del owner
    installation.agent("reader")
    with pytest.raises(Sealed, match="cannot decide who reads"):
        registered_name("owner", "reader")
    monkeypatch.setenv("VADE_AGENT", "reader")
    with pytest.raises(Sealed, match="cannot decide who reads"):
        registered_name("owner", None)
    monkeypatch.setenv("VADE_AGENT", "owner")
    assert registered_name("OWNER", None) == "owner"


@pytest.mark.req("A-01")
def test_a_name_that_is_registered_anew_finds_no_grants_of_its_namesake(
    installation: Installation, owner: Memory, reader: Memory
) -> None:
    owner.grant("reader")
    reader.grant("owner")
    registry = load_registry()
    kept = registry.file.read_text(encoding="utf-8").partition("[reader]")[0]
    registry.file.write_text(kept, encoding="utf-8")  # by hand: its grants stay behind

    installation.agent("reader", "another")
    assert _said(installation.open("reader")) == ""
    assert installation.open("owner").grants().received == ()


@pytest.mark.req("A-01")
def test_grants_follow_a_new_name_and_end_with_the_agent(
    installation: Installation, owner: Memory, reader: Memory
) -> None:
    owner.grant("reader")
    owner.close()
    reader.close()
    enrolling.rename("reader", "Reader")
    assert "8443" in _said(installation.open("Reader"))
    enrolling.rename("Reader", "coordinator")
    enrolling.rename("owner", "worker")
    coordinator = installation.open("coordinator")
    assert "8443" in _said(coordinator, "worker")

    worker = enrolling.remove("worker")
    assert _said(coordinator, "worker") == ""
    enrolling.add("worker", worker.workspace)
    assert _said(coordinator, "worker") == ""

    installation.open("worker").grant("coordinator")
    place = enrolling.remove("coordinator").workspace
    enrolling.add("coordinator", place)
    assert _said(installation.open("coordinator"), "worker") == ""


@pytest.mark.req("A-01")
def test_a_rename_that_is_killed_or_refused_loses_no_grant(
    installation: Installation, owner: Memory, reader: Memory
) -> None:
    owner.grant("reader", kind="decision")
    reader.grant("owner")
    reader.remember("The reader of Lisbon wakes at six", kind="fact", tag="observed")
    owner.close()
    reader.close()
    events = 0
    while _renamed(killed_at=events):
        name = enrolling.agents().agents[-1].name
        assert name in ("reader", "chief")
        assert "8443" in _said(installation.open(name))
        assert "wakes" in _said(installation.open("owner"), name)
        if name == "chief":
            enrolling.rename("chief", "reader")
        events += 1
    assert events > 4
    assert _grantees() == ["chief.toml", "owner", "owner.toml", "chief"]

    registry = load_registry()
    inline = f'chief = {{ workspace = "{registry.existing("chief").workspace}" }}\n'
    kept = registry.file.read_text(encoding="utf-8").partition("[chief]")[0]
    registry.file.write_text(inline + kept, encoding="utf-8")
    with pytest.raises(BadInput, match="cannot be found"):
        enrolling.rename("chief", "reader")
    assert "8443" in _said(installation.open("chief"))


def _renamed(killed_at: int) -> bool:
    """Rename the agent in a process; return whether it was killed before it moved that file."""
    command = (sys.executable, "-c", _RENAMING, str(killed_at))
    path = os.pathsep.join(map(os.path.abspath, [Path(vademecum.__file__).parents[1], *sys.path]))
    done = subprocess.run(command, check=False, env={**os.environ, "PYTHONPATH": path}, timeout=60)
    assert done.returncode in (0, -signal.SIGKILL)
    return done.returncode != 0


_RENAMING = """
import os, signal, sys
from vademecum.service import enrolling
left = int(sys.argv[1])
def hook(event, _):
    global left
    if event in ("os.rename", "os.remove", "os.link"):
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(hook)
enrolling.rename("reader", "chief")
"""


def _grantees() -> list[str]:
    """Return each file of grants, and behind it who reads by it."""
    return [
        told
        for file in sorted(grants_file("x").parent.glob("*.toml"))
        for told in (file.name, *(one.reader for one in grants_of(file.stem)))
    ]


@pytest.mark.req("A-01")
def test_what_another_agent_wrote_is_at_most_inferred_and_names_its_origin(
    owner: Memory, reader: Memory
) -> None:
    owner.log("User: the Lisbon office closes in May", title="Said")
    owner.grant("reader")
    (hit,) = (
        one for one in reader.search("Lisbon closes May", origin="owner").hits if "May" in one.text
    )
    quote = "the Lisbon office closes in May"
    claim = "The Lisbon office of our partner closes in May"
    for tag in ("stated", "observed"):
        with pytest.raises(EvidenceMissing, match=r"at most \[inferred\]"):
            reader.remember(claim, tag=tag, source=str(hit.span), quote=quote, by_person=True)
    reader.remember(claim, tag="inferred", source=str(hit.span), quote=quote)
    (kept,) = (one for one in reader.recall("partner office closes").sources if one.claim)
    assert kept.provenance is Tag.INFERRED
    assert "from [[owner:" in kept.text
    assert reader.doctor().findings == ()
    owner.revoke("reader")
    with pytest.raises(NoteNotFound):
        reader.remember(f"{claim} at last", source=str(hit.span), quote=quote)


@pytest.mark.req("A-01")
def test_a_granted_memory_is_only_ever_read(owner: Memory, reader: Memory) -> None:
    before = {one.path: one.modified for one in owner.notes()}
    written = owner.history(limit=100)
    owner.grant("reader")
    reader.recall("Lisbon", origin="owner")
    reader.get("owner:MEMORY.md")
    assert {one.path: one.modified for one in owner.notes()} == before
    assert owner.history(limit=100) == written


@pytest.mark.req("A-01")
def test_status_says_who_reads_whom(owner: Memory, reader: Memory) -> None:
    owner.grant("reader", kind="decision", until="2026-12-31")
    (given,) = owner.status().sharing.given
    (received,) = reader.status().sharing.received
    assert given == received
    assert (given.reader, given.kinds, given.until) == ("reader", ("decision",), date(2026, 12, 31))
    assert owner.grants().given == (given,)


@pytest.mark.req("A-01")
def test_a_grant_of_a_group_is_listed_for_each_member_and_each_takes_it_back(
    installation: Installation, reader: Memory
) -> None:
    for name in ("w1", "w2"):
        installation.agent(name, "crew", group="crew")
    first, second = installation.open("w1"), installation.open("w2")
    first.remember("The crew of Lisbon eats at noon", kind="fact", tag="observed")
    given = first.grant("reader")
    assert second.grants().given == (given,) == second.status().sharing.given
    assert grants_file("w1").parent.samefile(second.grants().file)
    assert _printed("grants", "--agent", "w2")[1].startswith("reader may read w1: all folders")
    assert "read by    reader" in _printed("status", "--agent", "w2")[1]
    assert "noon" in _said(reader, "w1")

    assert _printed("revoke", "reader", "w2")[0] == 0
    assert _said(reader, "w1") == ""
    assert first.grants().given == ()


@pytest.mark.req("A-01")
def test_a_grant_that_is_over_is_said_to_be(installation: Installation, owner: Memory) -> None:
    installation.agent("reader")
    today = human_day(installation.clock.now(), ZoneInfo(owner.status().zone))
    one = owner.grant("reader", until=today)
    assert owner.grants().past == ()
    call = Call(agent="owner", clock=installation.clock)
    assert "reader may read owner: " in _printed("grants", call=call)[1]
    installation.clock.advance(days=2)
    assert owner.grants().past == (one,) == owner.grants().given
    assert "reader could read owner, past: " in _printed("grants", call=call)[1]
    assert "read by" not in _printed("status", call=call)[1]


@pytest.mark.req("A-01")
def test_what_takes_nothing_back_does_not_look_like_success(owner: Memory, reader: Memory) -> None:
    owner.grant("reader")
    for name in ("raeder", "owner"):
        status, said = _printed("revoke", name, "owner")
        assert status == 3
        assert f"{name} was granted nothing of owner, so nothing was taken back." in said
        assert "Its memory is read by: reader." in said
    assert _said(reader)
    assert _printed("revoke", "reader", "owner")[0] == 0
    assert "Nobody reads its memory." in _printed("revoke", "reader", "owner")[1]


def _printed(*words: str, call: Call | None = None) -> tuple[int, str]:
    """Return how a command ends, and all that it prints."""
    told = io.StringIO()
    with redirect_stdout(told), redirect_stderr(told):
        status = status_of(list(words), call or Call())
    return status, told.getvalue()


@pytest.mark.req("A-01")
def test_a_grant_of_nothing_or_to_nobody_is_refused(
    installation: Installation, owner: Memory, reader: Memory
) -> None:
    del reader
    with pytest.raises(AgentNotFound):
        owner.grant("nobody")
    with pytest.raises(NoteNotFound):
        owner.grant("reader", folder="memory/decision")
    with pytest.raises(BadInput, match="There is no kind"):
        owner.grant("reader", kind="secret")
    with pytest.raises(BadInput, match="for its own"):
        owner.grant("owner")
    free = installation.home / "free"
    free.mkdir()
    with pytest.raises(BadInput, match="no registered agent"):
        installation.open(None, free).grant("reader")


@pytest.mark.req("A-01")
def test_a_workspace_inside_another_is_closed_to_it_once_it_is_somebodys(
    installation: Installation,
) -> None:
    outer = installation.agent("outer")
    inner = outer / "memory" / "inner"
    inner.mkdir()
    (inner / "plan.md").write_text("# Plan\n\nThe Lisbon plan is secret.\n", encoding="utf-8")
    memory = installation.open("outer")
    assert "plan" in memory.get("memory/inner/plan.md").text
    enrolling.add("inner", inner)

    assert memory.search("Lisbon plan secret", leg="keyword").hits == ()
    for target in ("memory/inner/plan.md", "memory/inner/absent.md"):
        with pytest.raises(VademecumError, match="which is a workspace of its own"):
            memory.get(target)
    for target in ("Plan", "[[plan]]"):
        with pytest.raises(NoteNotFound):
            memory.get(target)


@pytest.mark.req("A-01")
def test_the_doctor_misses_nothing_in_a_folder_that_became_another_agents_memory(
    owner: Memory,
) -> None:
    def missed() -> set[str]:
        gone = {"removed-by-hand", "log-line-lost", "claim-removed", "struck-line-deleted"}
        return {one.code for one in owner.doctor().findings} & gone

    root = Path(owner.status().root)
    enrolling.add("inner", root / "memory")
    assert missed() == set()
    enrolling.remove("inner")
    for note in (*root.glob("memory/people/ana*.md"), *root.glob("memory/2026-*.md")):
        note.unlink()
    assert missed() == {"removed-by-hand", "log-line-lost"}


@pytest.mark.req("B-01")
def test_the_doctor_names_grants_that_are_not_understood_or_reach_nothing(
    owner: Memory, reader: Memory
) -> None:
    def found() -> list[str]:
        return [one.code for one in owner.doctor().findings if one.code.startswith("grant")]

    del reader
    owner.grant("reader", folder="memory/people")
    assert found() == []
    enrolling.remove("reader")
    file = grants_file("owner")
    file.write_text('[[grant]]\nreader = "reader"\n', encoding="utf-8")
    assert found() == ["grant-idle"]
    file.write_text('[[grant]]\nreader = "reader"\nfolder = "memory"\n', encoding="utf-8")
    assert found() == ["grants-unclear"]
