"""What a new workspace starts with: the texts of its first files, for every profile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from vademecum.core.frozen import dataclass
from vademecum.workspace.profiles.profile import Profile

_TEXTS = Path(__file__).parent / "texts"
_ROOT_FRONTMATTER = '---\nokf_version: "0.1"\n---\n\n'
_CORE_SECTION = (
    "## Core Memory\n\n"
    "What matters in nearly every conversation; a handful of lines. "
    "The first one replaces this.\n\n"
)
_BY_DOCTRINE = "The rules for doing\n  it by hand are in `{path}`."
_BY_HAND = (
    "By hand: read the\n  note first, add `- [stated] one sentence (DATE, from [[source]])`, and "
    "strike what it replaces:\n  `- ~~[stated] the old sentence~~ superseded DATE`. Tags: "
    "`stated` by a person, `observed` by a tool,\n  `inferred` by you, "
    "`suggested` by you and not agreed to."
)
_ROWS = (
    ("core_path", "core memory: always loaded, so it stays small", "rarely, line by line"),
    ("workbench_path", "workbench: what is going on", "overwritten at will"),
    ("map_path", "map: what there is, one line a note", "a line for each new note"),
    ("doctrine_path", "how memory is kept: read it before you write by hand", "rarely"),
)


@dataclass(frozen=True, slots=True)
class Scaffold:
    """A file that a new workspace needs, to be created only where it is missing."""

    path: str
    text: str


def scaffold_of(profile: Profile, workspace_id: str, zone: str) -> tuple[Scaffold, ...]:
    """Return the first files of a workspace, vade.toml first.

    Folders of notes and the daily log come with their first entry.
    """
    return (Scaffold("vade.toml", _configuration(profile, workspace_id, zone)), *_files(profile))


def _files(profile: Profile) -> Iterator[Scaffold]:
    yield Scaffold("AGENTS.md", _agents(profile))
    if profile.core_path != profile.map_path:
        yield Scaffold(profile.core_path, _text("core"))
    if profile.starts_with_workbench:
        yield Scaffold(profile.workbench_path, _text("now"))
    if profile.map_path:
        yield Scaffold(profile.map_path, _map(profile))
    if profile.doctrine_path:
        folder = profile.doctrine_path.rpartition("/")[0]
        yield Scaffold(f"{folder}/index.md", _text("system-index"))
        yield Scaffold(profile.doctrine_path, _doctrine(profile))


def _configuration(profile: Profile, workspace_id: str, zone: str) -> str:
    return (
        "# This directory is one agent's memory. Safe to commit; `vade config` lists all keys.\n"
        "[workspace]\n"
        f'id = "{workspace_id}"\n'
        f'profile = "{profile.name}"\n'
        f'zone = "{zone}"\n'
    )


def _agents(profile: Profile) -> str:
    rows = [f"| `{_log(profile)}` | daily log, one file a day | appended to, never changed |"]
    seen = set()
    for field, what, how in _ROWS:
        path = getattr(profile, field)
        if path and path not in seen:
            rows.append(f"| `{path}` | {what} | {how} |")
            seen.add(path)
    workbench = profile.workbench_path if profile.starts_with_workbench else ""
    first = [profile.core_path, workbench, profile.map_path]
    return _filled(
        "agents",
        rows="\n".join(rows),
        start=_listed([*dict.fromkeys(path for path in first if path)]) + " and today's log",
        maps=f"`{profile.map_path or profile.core_path}`",
        workbench=f"`{profile.workbench_path}`",
        opening="`# YYYY-MM-DD`" + (", below frontmatter `type: log`" if profile.framed else ""),
        by_hand=_BY_DOCTRINE.format(path=profile.doctrine_path)
        if profile.doctrine_path
        else _BY_HAND,
    )


def _map(profile: Profile) -> str:
    text = _filled(
        "map",
        core=_CORE_SECTION if profile.core_path == profile.map_path else "",
        doctrine=(
            "- [How this memory is kept](system/definition.md) - "
            "What is remembered, where it goes and how it stays true\n\n"
            if profile.doctrine_path
            else ""
        ),
    )
    return (_ROOT_FRONTMATTER if profile.framed else "") + text


def _doctrine(profile: Profile) -> str:
    core = profile.core_path
    where = f"`{core}`, section Core Memory" if core == profile.map_path else f"`{core}`"
    return _filled("doctrine", log=_log(profile), core=where)


def _log(profile: Profile) -> str:
    return "YYYY-MM-DD.md" if profile.log_folder == "." else f"{profile.log_folder}/YYYY-MM-DD.md"


def _listed(paths: list[str]) -> str:
    return ", ".join(f"`{path}`" for path in paths)


def _filled(name: str, **values: str) -> str:
    text = _text(name)
    for key, value in values.items():
        text = text.replace("{{" + key + "}}", value)
    return text


def _text(name: str) -> str:
    return (_TEXTS / f"{name}.md").read_text("utf-8")
