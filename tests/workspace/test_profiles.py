"""A workspace of any known kind opens as it stands, and its files have their roles."""

from datetime import date
from pathlib import Path

import pytest

from vademecum.core.errors import InvalidConfiguration
from vademecum.core.notes import Role
from vademecum.markdown.claims import read_claims
from vademecum.markdown.links import Catalogue, resolve
from vademecum.markdown.maps import markers_defect, read_map
from vademecum.markdown.parse import parse_note
from vademecum.workspace.profiles import (
    PROFILES,
    detect_profile,
    fit_profile,
    profile_named,
    scaffold_of,
)

TREES = {
    "openclaw": [
        "AGENTS.md SOUL.md USER.md MEMORY.md memory/2026-01-20.md",
        "AGENTS.md IDENTITY.md memory/2026-01-20-standup.md",
        "MEMORY.md memory/notes.md memory/2026-01-20.md",
        "memory/2026-01-20.md memory/2026-01-21.md",
        "MEMORY.md topic.md",
    ],
    "nanoclaw": [
        "memory/index.md memory/system/index.md memory/system/definition.md",
        "CLAUDE.md instructions.prepend.md memory/index.md memory/system/definition.md",
    ],
    "vault": [
        "NOW.md AGENTS.md HEARTBEAT.md memory/INDEX.md memory/2026-01-20.md memory/lessons/a.md",
    ],
    "gitmem": [
        "MEMORY.md memory-lint.json memory/people/a.md",
        "MEMORY.md memory/people/a.md memory/projects/b.md memory/2026-01-20.md",
        "MEMORY.md policy/p.md memory/context/now.md",
    ],
    "standard": [
        "NOW.md AGENTS.md memory/2026-01-20.md",
        "NOW.md AGENTS.md 2026-01-20.md",
        "NOW.md AGENTS.md",
        "MEMORY.md NOW.md AGENTS.md memory/index.md memory/system/definition.md",
        "memory/index.md memory/decisions/a.md",
    ],
}


def plant(root: Path, paths: str) -> None:
    for path in paths.split():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(f"# {path}\n")


@pytest.mark.req("F-03")
@pytest.mark.parametrize(
    ("name", "paths"), [(name, paths) for name, trees in TREES.items() for paths in trees]
)
def test_a_profile_is_told_by_the_names_of_the_files(tmp_path: Path, name: str, paths: str) -> None:
    plant(tmp_path, paths)
    found = detect_profile(tmp_path)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize("paths", ["README.md src/a.py docs/index.md", "AGENTS.md src/a.py", ""])
def test_a_directory_that_is_no_memory_has_no_profile(tmp_path: Path, paths: str) -> None:
    plant(tmp_path, paths)
    assert detect_profile(tmp_path) is None
    assert detect_profile(tmp_path / "absent") is None


@pytest.mark.req("F-03")
@pytest.mark.parametrize(
    ("name", "path", "role"),
    [
        ("standard", "MEMORY.md", Role.CORE),
        ("standard", "now.md", Role.WORKBENCH),
        ("standard", "SOUL.md", Role.IDENTITY),
        ("standard", "AGENTS.md", Role.INSTRUCTIONS),
        ("standard", "memory/index.md", Role.MAP),
        ("standard", "memory/decisions/INDEX.md", Role.MAP),
        ("standard", "memory/system/definition.md", Role.DOCTRINE),
        ("standard", "memory/2026-01-20.md", Role.LOG),
        ("standard", "memory/2026-01-20-standup.md", Role.LOG),
        ("standard", "memory/logs/2026-01-20.md", Role.LOG),
        ("standard", "memory/decisions/2026-01-20-api.md", Role.CONCEPT),
        ("standard", "memory/2026-W12-notes.md", Role.CONCEPT),
        ("standard", "memory/reflections/2026-01-20.md", Role.REFLECTION),
        ("standard", "memory/candidates.md", Role.CANDIDATES),
        ("standard", "memory/.archive/2025-01-20.md", Role.ARCHIVE),
        ("standard", "README.md", Role.OTHER),
        ("openclaw", "DREAMS.md", Role.REFLECTION),
        ("openclaw", "memory/dreaming/deep/2026-01-20.md", Role.REFLECTION),
        ("openclaw", "TOOLS.md", Role.INSTRUCTIONS),
        ("openclaw", "memory/20260120.md", Role.LOG),
        ("nanoclaw", "memory/index.md", Role.MAP),
        ("nanoclaw", "memory/log.md", Role.REFLECTION),
        ("nanoclaw", "instructions.prepend.md", Role.IDENTITY),
        ("vault", "memory/INDEX.md", Role.MAP),
        ("vault", "memory/lessons/deploy.md", Role.CONCEPT),
        ("gitmem", "memory/archive/2025-01-20.md", Role.ARCHIVE),
        ("gitmem", "memory/people/kim.md", Role.CONCEPT),
    ],
)
def test_each_file_has_its_role(name: str, path: str, role: Role) -> None:
    assert profile_named(name).role_of(path) is role


@pytest.mark.req("F-06")
@pytest.mark.parametrize("name", PROFILES)
def test_the_log_of_a_day_is_a_log_of_that_day(name: str) -> None:
    profile, day = profile_named(name), date(2026, 1, 20)
    assert profile.role_of(profile.log_path(day)) is Role.LOG
    assert profile.day_of(profile.log_path(day)) == day


@pytest.mark.req("F-05")
def test_logs_that_lie_at_the_root_go_on_there(tmp_path: Path) -> None:
    plant(tmp_path, "NOW.md AGENTS.md 2026-01-20.md")
    profile = detect_profile(tmp_path)
    assert profile is not None
    assert profile.log_path(date(2026, 1, 21)) == "2026-01-21.md"
    assert profile.role_of("2026-01-20.md") is Role.LOG


def test_the_spelling_on_disk_is_kept(tmp_path: Path) -> None:
    plant(tmp_path, "memory.md now.md memory/INDEX.md")
    profile = fit_profile(profile_named("standard"), tmp_path)
    assert (profile.core_path, profile.workbench_path) == ("memory.md", "now.md")
    assert profile.map_path == "memory/INDEX.md"


def test_topics_beside_core_memory_are_notes(tmp_path: Path) -> None:
    plant(tmp_path, "MEMORY.md user-prefers-tea.md")
    profile = detect_profile(tmp_path)
    assert profile is not None
    assert profile.role_of("user-prefers-tea.md") is Role.CONCEPT
    assert profile.role_of("MEMORY.md") is Role.CORE


def test_an_unknown_profile_is_named_with_the_known_ones() -> None:
    with pytest.raises(InvalidConfiguration) as raised:
        profile_named("obsidian")
    assert "nanoclaw" in raised.value.hint


@pytest.mark.req("F-04", "F-10", "W-09")
@pytest.mark.parametrize("name", PROFILES)
def test_a_new_workspace_is_of_its_profile_and_well_formed(tmp_path: Path, name: str) -> None:
    profile = profile_named(name)
    files = {file.path: file.text for file in scaffold_of(profile, "w-1", "Europe/Berlin")}
    for path, text in files.items():
        assert "{{" not in text and text.endswith("\n"), path
        assert len(text) < 4000, f"{path} is loaded again and again"
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
        note = parse_note(path, text, profile.role_of(path))
        assert not note.properties.defect
        for link in note.links:
            known = Catalogue({other: () for other in files})
            assert resolve(link.target, path, known), f"{path} links to {link.target}"
        assert not markers_defect(text)
    found = detect_profile(tmp_path)
    assert found is not None
    assert found.name == ("openclaw" if name == "gitmem" else name)  # vade.toml tells the two apart
    assert found.note_folder == "memory"
    assert ("AGENTS.md" in files) == (name != "nanoclaw") and "vade.toml" in files


@pytest.mark.req("F-10")
def test_the_standard_tree_is_a_bundle_and_its_example_is_no_memory() -> None:
    profile = profile_named("standard")
    files = {file.path: file.text for file in scaffold_of(profile, "w-1", "UTC")}
    bundle = {path: text for path, text in files.items() if path.startswith("memory/")}
    for path, text in bundle.items():
        note = parse_note(path, text, profile.role_of(path))
        if path.endswith("/index.md"):
            expected = {"okf_version": "0.1"} if path == "memory/index.md" else {}
            assert dict(note.properties.values) == expected
        else:
            assert next(iter(note.properties.values)) == "type"
    assert [entry.target for entry in read_map(files["memory/index.md"])] == [
        "system/definition.md"
    ]
    claims = [claim for path, text in files.items() for claim in read_claims(path, text)]
    assert not any(claim.id for claim in claims)
