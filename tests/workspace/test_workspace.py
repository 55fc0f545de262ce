"""A workspace is found, opened without a change, and has state of its own."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from vademecum.core.errors import (
    InvalidConfiguration,
    InvalidPath,
    StorageFailed,
    WorkspaceNotFound,
)
from vademecum.core.notes import Role
from vademecum.workspace.workspace import (
    Workspace,
    create_workspace,
    find_workspace,
    open_workspace,
)


@pytest.fixture
def variables(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path / "home"), "TZ": "Asia/Shanghai"}


def made(root: Path, variables: dict[str, str], **options: str) -> Workspace:
    workspace = create_workspace(root, variables=variables, profile=options.get("profile"))
    for file in workspace.scaffold():
        path = workspace.root / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)
    return open_workspace(root, variables=variables)


def snapshot(root: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path): (path.read_bytes() if path.is_file() else b"", path.stat().st_mtime_ns)
        for path in sorted(root.rglob("*"))
    }


@pytest.mark.req("F-04")
def test_a_new_workspace_keeps_id_profile_and_zone(
    tmp_path: Path, variables: dict[str, str]
) -> None:
    workspace = made(tmp_path / "Mein Gedächtnis", variables)
    assert workspace.profile.name == "standard"
    assert workspace.zone.key == "Asia/Shanghai"
    assert workspace.id.startswith("mein-gedachtnis-")
    elsewhere = open_workspace(workspace.root, variables=variables | {"TZ": "Europe/Berlin"})
    assert (elsewhere.id, elsewhere.zone.key) == (workspace.id, "Asia/Shanghai")


@pytest.mark.req("F-03", "F-05")
@pytest.mark.parametrize(
    "paths",
    ["NOW.md AGENTS.md memory/2026-01-20.md", "memory/index.md memory/system/definition.md"],
)
def test_opening_changes_no_byte_and_finds_every_file(
    tmp_path: Path, variables: dict[str, str], paths: str
) -> None:
    root = tmp_path / "w"
    for path in paths.split():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("# x\n")
    before = snapshot(root)
    workspace = open_workspace(root, variables=variables)
    assert sorted(workspace.scan().files) == sorted(paths.split())
    assert snapshot(root) == before
    assert workspace.id == open_workspace(root, variables=variables).id


@pytest.mark.req("I-03")
def test_state_is_outside_and_one_for_each_workspace(
    tmp_path: Path, variables: dict[str, str]
) -> None:
    first = made(tmp_path / "a", variables)
    second = made(tmp_path / "b", variables)
    assert first.state != second.state
    assert not first.state.is_relative_to(first.root)
    assert first.state.stat().st_mode & 0o077 == 0


@pytest.mark.req("A-01", "I-03")
def test_a_copy_gets_state_of_its_own_and_a_moved_one_keeps_it(
    tmp_path: Path, variables: dict[str, str]
) -> None:
    first = made(tmp_path / "a", variables)
    shutil.copytree(first.root, tmp_path / "copy")
    copy = open_workspace(tmp_path / "copy", variables=variables)
    assert copy.id == first.id
    assert copy.state != first.state
    assert open_workspace(tmp_path / "copy", variables=variables).state == copy.state
    assert open_workspace(first.root, variables=variables).state == first.state
    first.root.rename(tmp_path / "moved")
    assert open_workspace(tmp_path / "moved", variables=variables).state == first.state


@pytest.mark.req("F-06")
def test_the_clock_may_be_given_and_is_made_for_the_zone(
    tmp_path: Path, variables: dict[str, str]
) -> None:
    class Frozen:
        def __init__(self, zone: object) -> None:
            self.zone = zone

        def now(self) -> datetime:
            return datetime(2026, 1, 20, 20, tzinfo=UTC)

    made(tmp_path / "a", variables)
    workspace = open_workspace(tmp_path / "a", variables=variables, clock=Frozen)
    assert isinstance(workspace.clock, Frozen)
    assert workspace.clock.zone == workspace.zone
    same = open_workspace(tmp_path / "a", variables=variables, clock=workspace.clock)
    assert same.clock is workspace.clock
    assert open_workspace(tmp_path / "a", variables=variables).clock.now().utcoffset() is not None


def test_a_workspace_is_found_by_name_variable_or_upwards(
    tmp_path: Path, variables: dict[str, str]
) -> None:
    root = made(tmp_path / "a", variables).root
    plain = tmp_path / "plain"
    plain.mkdir()
    assert find_workspace(root / "memory" / "system", None, variables) == root
    assert find_workspace(root, str(plain), variables) == plain
    assert find_workspace(root, None, variables | {"VADE_WORKSPACE": str(plain)}) == plain
    phase_0 = tmp_path / "three"
    (phase_0 / "deep").mkdir(parents=True)
    (phase_0 / "NOW.md").touch()
    (phase_0 / "AGENTS.md").touch()
    assert find_workspace(phase_0 / "deep", None, variables) == phase_0


@pytest.mark.parametrize("named", [None, "absent", "a-file", "nul\0"])
def test_no_workspace_is_said_with_what_to_do(
    tmp_path: Path, variables: dict[str, str], named: str | None
) -> None:
    (tmp_path / "a-file").touch()
    named = str(tmp_path / named) if named else None
    with pytest.raises(WorkspaceNotFound) as raised:
        find_workspace(tmp_path, named, variables)
    assert "vade init" in raised.value.hint


@pytest.mark.parametrize("bad", ["../../etc", "a/b", ".", "", "x" * 81, "-a"])
def test_an_id_that_is_no_name_is_refused(
    tmp_path: Path, variables: dict[str, str], bad: str
) -> None:
    (tmp_path / "vade.toml").write_text(f'[workspace]\nid = "{bad}"\n')
    if bad:
        with pytest.raises(InvalidConfiguration, match="cannot name a directory"):
            open_workspace(tmp_path, variables=variables)
    else:
        assert open_workspace(tmp_path, variables=variables).id


def test_a_directory_of_nothing_known_opens_as_standard_when_it_is_named(
    tmp_path: Path, variables: dict[str, str]
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("x")
    workspace = open_workspace(tmp_path, variables=variables)
    assert (workspace.profile.name, list(workspace.scan().files)) == ("standard", ["notes/a.md"])
    assert workspace.role_of("notes/a.md") is Role.OTHER


def test_a_state_directory_that_cannot_be_made_does_not_keep_it_from_opening(
    tmp_path: Path, variables: dict[str, str]
) -> None:
    (tmp_path / "file").touch()
    root = tmp_path / "a"
    root.mkdir()
    blocked = variables | {"VADE_STATE_DIRECTORY": str(tmp_path / "file" / "state")}
    assert open_workspace(root, variables=blocked).scan().files == {}


@pytest.mark.req("F-04")
def test_a_file_in_the_way_of_a_new_workspace_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "a-file").touch()
    for place in ("a-file", "a-file/below"):
        with pytest.raises(InvalidPath, match="there is a file"):
            create_workspace(tmp_path / place, variables={"HOME": str(tmp_path)})


@pytest.mark.req("F-04")
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a file system that makes no folders")
def test_a_place_where_no_directory_can_be_made_is_said(tmp_path: Path) -> None:
    with pytest.raises(StorageFailed, match="cannot be made"):
        create_workspace(Path("/proc/nowhere/below"), variables={"HOME": str(tmp_path)})
