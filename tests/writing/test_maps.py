"""Maps follow every write: whatever is remembered can be reached from the top map."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath

import pytest

from vademecum.core.errors import OverBudget
from vademecum.core.provenance import Actor, Tag
from vademecum.markdown.kinds import Kind
from vademecum.testing import ClaimsInFiles, FrozenClock
from vademecum.workspace.workspace import Workspace, open_workspace
from vademecum.writing.draft import Draft
from vademecum.writing.maps import keep_in_step
from vademecum.writing.notes import new_note
from vademecum.writing.remember import remember


@pytest.mark.req("F-09")
@pytest.mark.parametrize("profile", ["standard", "openclaw", "nanoclaw", "vault", "gitmem"])
def test_every_note_is_reached_from_the_top_map(
    make_workspace: Callable[..., Workspace],
    actor: Actor,
    profile: str,
    reachable: Callable[[Workspace], set[str]],
) -> None:
    workspace = make_workspace(profile=profile)
    reader = ClaimsInFiles(workspace)
    paths = {
        remember(workspace, reader, text, actor=actor, tag=Tag.STATED).span.path
        for text in (
            "We decided to use REST for the API",
            "Anna lives in Oslo",
            "User prefers tea",
            "Project Falcon ships on 3 May",
            "The staging API runs on port 8080",
            "李雷住在北京",
        )
    }
    assert len(paths) == 6
    assert paths - {workspace.profile.directives_path} <= reachable(workspace)


@pytest.mark.req("F-09")
def test_what_was_written_by_hand_in_a_map_stays(workspace: Workspace, actor: Actor) -> None:
    reader = ClaimsInFiles(workspace)
    path = workspace.root / "memory/people/index.md"
    path.parent.mkdir(parents=True)
    path.write_text("# My people\n\nHello.\n\n- [Bob](bob.md) - mine\n")
    before = path.read_text()
    remember(workspace, reader, "Anna lives in Oslo", actor=actor, tag=Tag.STATED)
    assert path.read_text().startswith(before)
    remember(workspace, reader, "Bob lives in Rome", actor=actor, tag=Tag.STATED)
    assert path.read_text().count("bob.md") == 1


@pytest.mark.req("W-02", "F-09")
def test_a_conflict_is_flagged_in_the_maps_until_it_is_settled(
    workspace: Workspace, actor: Actor, said: Callable[[Workspace, str], str]
) -> None:
    reader = ClaimsInFiles(workspace)
    say = "The staging API runs on port 8080"
    first = remember(workspace, reader, say, actor=actor, tag=Tag.STATED)
    second = remember(
        workspace, reader, "The staging API does not run on port 8080", actor=actor, tag=Tag.STATED
    )
    assert "🔀" in said(workspace, "memory/facts/index.md")
    assert "🔀" in said(workspace, "memory/index.md")
    remember(
        workspace,
        reader,
        "The staging API runs on port 9090",
        actor=actor,
        tag=Tag.STATED,
        supersedes=(first.claim, second.claim),
    )
    assert "🔀" not in said(workspace, "memory/facts/index.md")
    assert "🔀" not in said(workspace, "memory/index.md")
    assert "status: active" in said(workspace, first.span.path)


@pytest.mark.req("F-09", "W-08")
def test_a_map_is_split_before_it_passes_its_budget(
    make_workspace: Callable[..., Workspace],
    said: Callable[[Workspace, str], str],
    reachable: Callable[[Workspace], set[str]],
) -> None:
    root = make_workspace().root
    (root / "vade.toml").write_text('[workspace]\nid = "w"\n[budget]\nmap = 1500\n')
    variables = {"HOME": str(root.parent), "XDG_STATE_HOME": str(root.parent / "state")}
    workspace = open_workspace(root, profile="standard", variables=variables, clock=FrozenClock())
    day = workspace.clock.now().date()
    names = [f"person-{number}" for number in range(40)]
    names += [f"{chr(0x4E00 + number * 7)}山" for number in range(40)]
    paths = [f"memory/people/{name}.md" for name in names]
    paths += [f"memory/decisions/202{n % 3}-0{n % 9 + 1}-11-choice-{n}.md" for n in range(40)]
    for path in paths:
        draft = Draft(workspace)
        draft.put(path, new_note(Kind.PERSON, PurePosixPath(path).stem, "x" * 40, day, profile=""))
        keep_in_step(draft, [path])
        for changed in draft.changed():
            file = root / changed
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(draft.text(changed) or "")
    maps = [path for path in workspace.scan().files if path.endswith("index.md")]
    assert max(len(said(workspace, path)) for path in maps) <= workspace.settings.budget.map
    assert set(paths) <= reachable(workspace)
    assert (root / "memory/decisions/2021/index.md").is_file()


@pytest.mark.req("W-08")
def test_core_memory_refuses_what_would_pass_its_budget_and_says_what_could_move(
    workspace: Workspace, actor: Actor
) -> None:
    reader = ClaimsInFiles(workspace)
    lines = "".join(f"- [stated] fact number {n} is about thing {n}\n" for n in range(380))
    core = workspace.root / "MEMORY.md"
    core.write_text("# Memory\n\n" + lines)
    before = core.read_bytes()
    with pytest.raises(OverBudget) as refused:
        remember(workspace, reader, "x" * 1400, actor=actor, tag=Tag.STATED, about="MEMORY.md")
    assert "line " in refused.value.hint
    assert core.read_bytes() == before
