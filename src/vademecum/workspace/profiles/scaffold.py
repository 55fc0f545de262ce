"""What a new workspace starts with: the texts of its first files, for every profile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from vademecum.core.forms import LogForm, PastForm
from vademecum.core.frozen import dataclass
from vademecum.workspace.profiles.profile import Profile

_TEXTS = Path(__file__).parent / "texts"
_OWN: Mapping[str, tuple[tuple[str, str], ...]] = {
    "openclaw": (
        ("SOUL.md", "SOUL"),
        ("IDENTITY.md", "IDENTITY"),
        ("USER.md", "USER"),
        ("MEMORY.md", "MEMORY"),
        ("HEARTBEAT.md", "HEARTBEAT"),
    ),
    "nanoclaw": (
        ("memory/index.md", "index"),
        ("memory/system/index.md", "system-index"),
        ("memory/system/definition.md", "definition"),
    ),
    "vault": (("NOW.md", "NOW"), ("HEARTBEAT.md", "HEARTBEAT"), ("memory/INDEX.md", "INDEX")),
    "gitmem": (("MEMORY.md", "MEMORY"),),
}
"""Path and text of the first files of a profile that has its own, besides AGENTS.md."""
_COMPOSED_BY_HOST = ("nanoclaw",)
"""Profiles whose instructions the host composes: none are written there, memory has its rules."""
_ROOT_FRONTMATTER = '---\nokf_version: "0.1"\n---\n\n'
_BY_DOCTRINE = "The rules for doing\n  it by hand are in `{path}`."
_BY_HAND = (
    "By hand: read the\n  note first, add `- [stated] one sentence (DATE, from [[source]])`, and "
    "mark what it replaces:\n  {past}. Tags: "
    "`stated` by a person, `observed` by a tool,\n  `inferred` by you, "
    "`suggested` by you and not agreed to."
)
_PAST = {
    PastForm.STRIKE: "`- ~~[stated] the old sentence~~ superseded DATE`",
    PastForm.REASON: "`- ~~[stated] the old sentence~~ superseded DATE (reason)`",
    PastForm.QUOTE: "`> [Superseded DATE]` in the line below it",
}
_ROWS = (
    ("core_path", "core memory: always loaded, so it stays small", "rarely, line by line"),
    ("workbench_path", "workbench: what is going on", "overwritten at will"),
    ("map_path", "map: what there is, one line a note", "a line for each new note"),
    ("doctrine_path", "how memory is kept: read it before you write by hand", "rarely"),
    ("directives_path", "directives about the user, dated", "one marked, a new one beside it"),
)
_ROUTING = ("core_path", "routing index: pointers only, always loaded", "a line for each new note")
_TOOLS = (
    "\n## Tools\nConventions of this machine that tools need: hosts, devices, names. None yet.\n"
)


@dataclass(frozen=True, slots=True)
class Scaffold:
    """A file that a new workspace needs, to be created only where it is missing."""

    path: str
    text: str


def scaffold_of(
    profile: Profile, workspace_id: str, zone: str, now: datetime | None = None
) -> tuple[Scaffold, ...]:
    """Return the first files of a workspace, vade.toml first.

    Folders of notes and the daily log come with their first entry. `now`, in the workspace's zone,
    is for the files that say when they were last changed.
    """
    return (
        Scaffold("vade.toml", _configuration(profile, workspace_id, zone)),
        *_files(profile, now),
    )


def _files(profile: Profile, now: datetime | None) -> Iterator[Scaffold]:
    if profile.name not in _COMPOSED_BY_HOST:
        yield Scaffold("AGENTS.md", _agents(profile))
    own = _OWN.get(profile.name)
    if own is None:
        yield from _standard(profile)
        return
    fitted = {path.casefold(): path for path in (profile.core_path, profile.map_path)}
    for path, name in own:
        text = _filled(
            f"{profile.name}/{name}",
            updated=f"{now:%Y-%m-%d %H:%M}" if now else "never",
            day=f"{now:%Y-%m-%d}" if now else "never",
        )
        yield Scaffold(fitted.get(path.casefold(), path), text)


def _standard(profile: Profile) -> Iterator[Scaffold]:
    yield Scaffold(profile.core_path, _text("core"))
    yield Scaffold(profile.workbench_path, _text("now"))
    yield Scaffold(profile.map_path, _ROOT_FRONTMATTER + _text("map"))
    folder = profile.doctrine_path.rpartition("/")[0]
    yield Scaffold(f"{folder}/index.md", _text("system-index"))
    doctrine = _filled("doctrine", log=_log(profile), core=f"`{profile.core_path}`")
    yield Scaffold(profile.doctrine_path, doctrine)


def _configuration(profile: Profile, workspace_id: str, zone: str) -> str:
    return (
        "# This directory is one agent's memory. Safe to commit; `vade config` lists all keys.\n"
        "[workspace]\n"
        f'id = "{workspace_id}"\n'
        f'profile = "{profile.name}"\n'
        f'zone = "{zone}"\n'
    )


def _agents(profile: Profile) -> str:
    workbench = profile.workbench_path if profile.starts_with_workbench else ""
    core = profile.core_path if profile.core_holds_claims or not profile.listings else ""
    map_path = profile.map_path
    if profile.name == "openclaw":  # the map there comes with the first note
        first = [*profile.identity_paths, core]
    else:
        first = [core, workbench, map_path]
    text = _filled(
        "agents",
        rows="\n".join(_rows(profile)),
        start=_listed([*dict.fromkeys(path for path in first if path)]) + " and today's log",
        maps=f"`{map_path or profile.core_path}`",
        workbench=f"`{profile.workbench_path}`",
        entry="`- HH:MM about what`"
        if profile.log_form is LogForm.BULLET
        else "`### HH:MM — about what`",
        past="A line that `> [Superseded …]` follows"
        if profile.past_form is PastForm.QUOTE
        else "A struck line (`~~…~~`)",
        strike="mark it" if profile.past_form is PastForm.QUOTE else "strike it",
        opening="`# YYYY-MM-DD`" + (", below frontmatter `type: log`" if profile.framed else ""),
        by_hand=_BY_DOCTRINE.format(path=profile.doctrine_path)
        if profile.doctrine_path
        else _BY_HAND.format(past=_PAST[profile.past_form]),
    )
    return text + (_TOOLS if profile.name == "openclaw" else "")


def _rows(profile: Profile) -> Iterator[str]:
    yield f"| `{_log(profile)}` | daily log, one file a day | appended to, never changed |"
    seen = set()
    rows = _ROWS if profile.core_holds_claims else (_ROUTING, *_ROWS)
    for field, what, how in rows:
        path = getattr(profile, field)
        pointer = field == "core_path" and path != profile.map_path
        if path and path not in seen and (profile.core_holds_claims or not pointer):
            yield f"| `{path}` | {what} | {how} |"
            seen.add(path)


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
