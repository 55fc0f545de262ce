"""Who is registered, and which workspace a call gets that is made in somebody's name."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from tests.agents.conftest import Installation

from vademecum.agents.registry import Agent, load_registry, read_registry
from vademecum.agents.scope import find_caller
from vademecum.core.errors import (
    AgentNotFound,
    BadInput,
    InvalidConfiguration,
    Refused,
    Sealed,
    WorkspaceNotFound,
)
from vademecum.service import enrolling
from vademecum.service.memory import init, open_memory
from vademecum.service.merging import merge_file
from vademecum.service.opening import check_reach
from vademecum.surfaces.rendering import files


def _text() -> str:
    return load_registry().file.read_text(encoding="utf-8")


@pytest.mark.req("A-01")
def test_agents_are_added_renamed_and_removed_while_what_a_person_wrote_stays(
    installation: Installation,
) -> None:
    installation.agent("home", default=True)
    file = load_registry().file
    file.write_text(_text() + "\n# the one for the office\n", encoding="utf-8")
    installation.agent("work", embedder="ollama:nomic-embed-text")
    file.write_text(_text() + "\n# that is all\n", encoding="utf-8")

    enrolling.rename("work", "office")
    assert [one.name for one in enrolling.agents().agents] == ["home", "office"]
    assert "# the one for the office\n\n[office]" in _text()

    installation.agent("lab", default=True)
    assert [one.default for one in enrolling.agents().agents] == [False, False, True]

    enrolling.remove("office")
    assert [one.name for one in enrolling.agents().agents] == ["home", "lab"]
    assert "# that is all" in _text()
    assert (installation.home / "work" / "MEMORY.md").exists()


@pytest.mark.req("A-02")
def test_the_history_of_an_agent_goes_back_beyond_its_renames(installation: Installation) -> None:
    clock = installation.clock

    def wrote(name: str, text: str) -> None:
        with open_memory(agent=name, clock=clock) as memory:
            memory.log(text)
        clock.advance(minutes=1)

    def rename(old: str, new: str) -> None:
        enrolling.rename(old, new, clock=clock)
        clock.advance(minutes=1)

    def history(name: str) -> list[tuple[str, str]]:
        found = installation.open("home").history(actor=name)
        return [(change.actor, change.summary.rpartition(" ")[2]) for change in reversed(found)]

    installation.agent("home", group="family")
    installation.agent("worker", "home", group="family")
    wrote("worker", "one")
    rename("worker", "builder")
    wrote("builder", "two")
    rename("builder", "maker")
    wrote("maker", "three")
    enrolling.add("maker", group="family", default=True)  # keeps what it was called
    enrolling.add("worker", group="family")
    wrote("worker", "another")
    told = [("worker", "one"), ("builder", "two"), ("maker", "three")]
    assert history("maker") == told
    assert history("worker") == [("worker", "one"), ("worker", "another")]
    rows = files.history(installation.open("home").history(actor="maker"), "maker")
    assert [row.plain.count(", now maker") for row in rows] == [0, 1, 1]


@pytest.mark.req("A-01")
def test_each_agent_has_a_state_and_an_index_of_its_own(installation: Installation) -> None:
    installation.agent("home")
    installation.agent("work", state=str(installation.home / "elsewhere"))
    home, work = enrolling.agents().agents
    assert home.state != work.state
    assert Path(work.state).parent == installation.home / "elsewhere"
    assert work.index.startswith(work.state)


@pytest.mark.req("A-01")
def test_an_agent_has_its_own_embedder_whatever_the_environment_says(
    installation: Installation,
) -> None:
    installation.agent("home", embedder="hashing")
    settings = {row.key: row.value for row in installation.open("home").config()}
    assert settings["embedder.provider"] == "hashing"


@pytest.mark.req("A-02")
def test_members_of_a_group_share_one_memory_and_groups_share_nothing(
    installation: Installation,
) -> None:
    installation.agent("claude", "family", group="family")
    enrolling.add("codex", group="family")
    installation.agent("other", "club", group="club")

    installation.open("claude").log("The key is under the flowerpot")
    found = installation.open("codex").search("flowerpot")
    assert [hit.origin for hit in found.hits] == [""]
    assert installation.open("other").search("flowerpot").hits == ()
    with pytest.raises(Refused, match="is the memory of claude already"):
        enrolling.add("stranger", installation.home / "family")
    with pytest.raises(BadInput, match="has its memory in"):
        enrolling.add("third", installation.home / "club", group="family")


@pytest.mark.req("A-01")
def test_a_registered_name_opens_its_own_workspace_and_no_other(installation: Installation) -> None:
    home = installation.agent("home")
    work = installation.agent("work")

    assert find_caller(home, None, "work").root == work
    assert find_caller(home, str(work), "WORK").root == work
    with pytest.raises(Sealed, match="not the memory of the agent work"):
        find_caller(home, str(home), "work")


@pytest.mark.req("A-01")
def test_a_name_nobody_has_opens_no_workspace_that_somebody_has(installation: Installation) -> None:
    home = installation.agent("home")
    free = installation.home / "free"
    free.mkdir()
    assert find_caller(free, str(free), "anybody").root == free
    with pytest.raises(Sealed, match="no agent called anybody is registered for it"):
        find_caller(free, str(home), "anybody")
    with pytest.raises(Sealed, match="no agent called anybody"):
        find_caller(home, None, "anybody")


@pytest.mark.req("A-01")
def test_a_process_that_is_bound_to_an_agent_calls_as_no_other(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = installation.agent("home")
    work = installation.agent("work")
    monkeypatch.setenv("VADE_AGENT", "work")
    assert find_caller(home).root == work
    assert find_caller(home, None, "work").root == work
    for workspace, agent in ((None, "home"), (None, "anybody"), (str(home), None)):
        with pytest.raises(Sealed):
            find_caller(home, workspace, agent)
    monkeypatch.setenv("VADE_WORKSPACE", str(home))
    with pytest.raises(Sealed, match="VADE_WORKSPACE names"):
        find_caller(home)


@pytest.mark.req("A-01")
def test_a_process_bound_to_an_agent_that_is_gone_becomes_no_other(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = installation.agent("home")
    installation.agent("work")
    monkeypatch.setenv("VADE_AGENT", "work")
    for change in (lambda: enrolling.rename("work", "job"), lambda: enrolling.remove("job")):
        monkeypatch.delenv("VADE_AGENT")
        change()
        monkeypatch.setenv("VADE_AGENT", "work")
        with pytest.raises(Sealed, match="bound to the agent work"):
            find_caller(home, None, "home")
        with pytest.raises(Sealed):
            find_caller(home)
    assert find_caller(installation.home / "work", None, "anybody").name == "anybody"


@pytest.mark.req("A-01")
def test_a_registry_that_a_link_leads_to_in_vain_opens_nothing(installation: Installation) -> None:
    home = installation.agent("home")
    file = load_registry().file
    moved = file.rename(file.parent.parent / "dotfiles")
    file.symlink_to(moved)
    assert find_caller(home, None, "home").agent == "home"
    moved.unlink()
    with pytest.raises(InvalidConfiguration, match="a link to what is not there"):
        find_caller(home, None, "home")


@pytest.mark.req("A-01")
def test_no_agent_names_a_path_at_which_others_keep_their_state_or_grants_are_written_down(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    installation.agent("home")
    installation.agent("work")
    owner = installation.open("home")
    owner.grant("work")
    state, grants = Path(owner.status().state), load_registry().file.parent
    merging = [grants / "grants" / "home.toml", state / "ledger.jsonl"]
    monkeypatch.setenv("VADE_STATE_DIRECTORY", str(installation.home / "another"))
    for path in (*merging, grants, grants.parent, state, state.parent, state.parent.parent):
        with pytest.raises(Sealed):
            check_reach(path, "work")
        check_reach(path, None)
    before = merging[0].read_bytes()
    for file in merging:
        with pytest.raises(Sealed):
            merge_file(file, file, file, agent="work")
    assert merging[0].read_bytes() == before


@pytest.mark.req("A-01")
def test_no_agent_names_a_file_that_is_another_ones_by_a_hard_link(
    installation: Installation,
) -> None:
    home, work = installation.agent("home"), installation.agent("work")
    state = Path(installation.open("home").status().state)
    outside = installation.home / "outside"
    outside.mkdir()
    (outside / "plain.md").write_text("# Mine\n", encoding="utf-8")
    (outside / "twice.md").hardlink_to(outside / "plain.md")
    (work / "again.md").hardlink_to(work / "MEMORY.md")
    check_reach(outside, "work")
    check_reach(work / "again.md", "work")
    for number, theirs in enumerate((home / "MEMORY.md", state / "ledger.jsonl")):
        theirs.touch()
        link = outside / f"{number}.md"
        link.hardlink_to(theirs)
        for path in (link, outside):
            with pytest.raises(Sealed, match="in the memory of another agent"):
                check_reach(path, "work")
        link.unlink()


@pytest.mark.req("A-01")
def test_the_default_agent_is_meant_only_where_no_workspace_is_near(
    installation: Installation,
) -> None:
    home = installation.agent("home", default=True)
    work = installation.agent("work")
    outside = installation.home / "outside"
    outside.mkdir()
    assert find_caller(outside).root == home
    assert find_caller(work / "memory").root == work
    with pytest.raises(WorkspaceNotFound):
        find_caller(outside, str(installation.home / "nowhere"))


@pytest.mark.req("A-01")
def test_a_registered_directory_is_a_workspace_without_a_file_that_says_so(
    installation: Installation,
) -> None:
    outer = installation.agent("outer")
    inner = outer / "memory" / "inner"
    inner.mkdir()
    enrolling.add("inner", inner)
    assert find_caller(inner).root == inner


@pytest.mark.req("A-01")
def test_agents_register_and_rename_nobody_and_see_only_whom_they_may_read(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = installation.agent("home")
    installation.agent("work")
    monkeypatch.setenv("VADE_AGENT", "work")
    for call in (
        lambda: enrolling.add("mine", home),
        lambda: enrolling.remove("home"),
        lambda: enrolling.rename("home", "mine"),
    ):
        with pytest.raises(Refused, match="a person's decision"):
            call()
    assert [one.name for one in enrolling.agents().agents] == ["work"]


@pytest.mark.req("A-01")
@pytest.mark.parametrize(
    "text",
    [
        "[home]\nworkspace = 'relative'\n",
        "[home]\n",
        "[home]\nworkspace = '/x'\nworkspaces = '/y'\n",
        "[home]\nworkspace = '/x'\ndefault = 'yes'\n",
        "[home]\nworkspace = '/x'\n[HOME]\nworkspace = '/y'\n",
        "[home]\nworkspace = '/x'\n[work]\nworkspace = '/x'\n",
        "[home]\nworkspace = '/x'\ngroup = 'g'\n[work]\nworkspace = '/y'\ngroup = 'g'\n",
        "[home]\nworkspace = '/x'\ndefault = true\n[work]\nworkspace = '/y'\ndefault = true\n",
        "[home]\nworkspace = '/x'\nembedder = 'nobody'\n",
        "[home]\nworkspace = '/x'\nformerly = 'work until yesterday'\n",
        "workspace = '/x'\n",
        "[home\n",
    ],
)
def test_a_registry_that_is_not_understood_opens_nothing(
    installation: Installation, text: str
) -> None:
    root = installation.agent("home")
    load_registry().file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidConfiguration):
        find_caller(root)


@pytest.mark.req("A-01")
def test_what_a_server_may_open_ends_when_the_registry_says_so(installation: Installation) -> None:
    installation.agent("home")
    memory = installation.open("home")
    memory.log("still mine")
    enrolling.remove("home")
    with pytest.raises(Sealed, match="no longer"):
        memory.log("not mine any more")


@pytest.mark.req("A-01")
def test_an_agent_never_has_the_name_under_which_a_person_writes(
    installation: Installation,
) -> None:
    from vademecum.service.opening import user_name

    with pytest.raises(BadInput, match="under which you write yourself"):
        installation.agent(user_name())
    for name in ("x", "a/b", "-a", "a:b", "ä1", ""):
        with pytest.raises(BadInput):
            installation.agent(name, "somewhere")
    with pytest.raises(AgentNotFound):
        enrolling.remove("nobody")


@pytest.mark.req("B-02")
def test_agents_added_at_the_same_time_are_all_there(installation: Installation) -> None:
    for number in range(8):
        (installation.home / f"place{number}").mkdir()

    def add(number: int) -> None:
        enrolling.add(f"agent{number}", installation.home / f"place{number}")

    threads = [threading.Thread(target=add, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(read_registry(_text(), load_registry().file).agents) == 8


@pytest.mark.req("A-01")
def test_a_copy_with_the_id_of_an_agent_never_gets_its_state(installation: Installation) -> None:
    home = installation.agent("home")
    installation.open("home").log("The safe opens with 4711")
    state = enrolling.agents().agents[0].state
    identity = Path(state).name
    home.rename(installation.home / "unplugged")  # a disk that is not there at the moment
    thief = installation.home / "thief"
    thief.mkdir()
    (thief / "vade.toml").write_text(f'[workspace]\nid = "{identity}"\n', encoding="utf-8")
    memory = installation.open(None, thief)
    assert memory.status().state != state
    assert memory.history() == ()


def test_an_agent_is_a_value() -> None:
    assert Agent("home", Path("/x"), embedder="ollama:m").settings == {
        "embedder.provider": "ollama",
        "embedder.model": "m",
    }


@pytest.mark.req("A-01")
def test_what_was_bound_to_a_name_before_a_rename_opens_no_memory_and_is_told_the_new_name(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, work = installation.agent("home"), installation.agent("work")
    server = open_memory(agent="work", clock=installation.clock)
    enrolling.rename("work", "job")
    monkeypatch.setenv("VADE_AGENT", "work")
    for place in (work, home, home / "memory"):
        with pytest.raises(Sealed) as refused:
            open_memory(place, clock=installation.clock)
        assert refused.value.hint == "work was renamed: start it again as job (VADE_AGENT=job)."
    with server, pytest.raises(Sealed) as refused:
        server.get("MEMORY.md")
    assert "job" in refused.value.hint


@pytest.mark.req("A-01")
def test_a_binding_that_the_registry_of_the_call_does_not_know_opens_no_agents_memory(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = installation.agent("work")
    free = installation.home / "free"
    init(free, clock=installation.clock)
    file = load_registry().file
    monkeypatch.setenv("VADE_AGENT", "work")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(installation.home / "elsewhere"))
    with pytest.raises(
        Sealed, match=r"an agent by .*agents\.toml, where this call as work did not"
    ):
        open_memory(work, clock=installation.clock)
    installation.open("work", free).log("Tea was drunk.")  # nobody's

    file.write_text("[work]\n", encoding="utf-8")
    with pytest.raises(Sealed):
        open_memory(work, clock=installation.clock)
    file.write_text("", encoding="utf-8")
    installation.open("work", work).log("Tea was drunk.")
