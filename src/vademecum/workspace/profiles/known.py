"""The five profiles that are known by name."""

from __future__ import annotations

from vademecum.core.errors import InvalidConfiguration
from vademecum.core.forms import Column, Listing, LogForm, PastForm
from vademecum.workspace.profiles.profile import Profile

STANDARD = Profile(
    name="standard",
    core_path="MEMORY.md",
    workbench_path="NOW.md",
    map_path="memory/index.md",
    doctrine_path="memory/system/definition.md",
    identity_paths=("SOUL.md", "USER.md", "IDENTITY.md"),
    instruction_paths=("AGENTS.md", "CLAUDE.md"),
    framed=True,
)

OPENCLAW = Profile(
    name="openclaw",
    core_path="MEMORY.md",
    workbench_path="NOW.md",
    map_path="memory/index.md",  # notes are free there: the map comes with the first one
    doctrine_path="",
    identity_paths=("SOUL.md", "IDENTITY.md", "USER.md"),
    tagged=False,
    instruction_paths=("AGENTS.md", "TOOLS.md", "HEARTBEAT.md", "BOOT.md", "BOOTSTRAP.md"),
    starts_with_workbench=False,
    reflection_folder="memory/dreaming",
    reflection_paths=("DREAMS.md",),
    directives_path="USER.md",
    other_folders=("memory/imports",),
    defaults=(("budget.core", 20_000), ("budget.boot", 60_000), ("jobs.reflect", "03:00")),
)

NANOCLAW = Profile(
    name="nanoclaw",
    core_path="memory/index.md",  # core memory is a section of the map there
    workbench_path="memory/now.md",
    map_path="memory/index.md",
    doctrine_path="memory/system/definition.md",
    identity_paths=("instructions.prepend.md",),
    tagged=False,
    instruction_paths=("CLAUDE.md", "AGENTS.md", "CLAUDE.local.md"),
    starts_with_workbench=False,
    reflection_paths=("memory/log.md",),
    framed=True,
    defaults=(("budget.boot", 33_500), ("jobs.archive", "sun 08:00")),
)

VAULT = Profile(
    name="vault",
    core_path="MEMORY.md",
    workbench_path="NOW.md",
    map_path="memory/INDEX.md",
    doctrine_path="",
    identity_paths=("SOUL.md", "USER.md"),
    tagged=False,
    instruction_paths=("AGENTS.md", "HEARTBEAT.md"),
    core_holds_claims=False,  # it is a pointer there, and boot does not load it
    other_folders=("memory/actions",),
    log_form=LogForm.SPACED,
    past_form=PastForm.QUOTE,
    listings=(
        Listing(
            "lessons",
            "Lessons",
            (
                Column("File", "link"),
                Column("Priority", "priority"),
                Column("Status", "status"),
                Column("Last verified", "verified"),
                Column("Note", "description"),
            ),
        ),
        Listing("decisions", "Decisions", (Column("File", "link"), Column("Note", "description"))),
        Listing(
            "people",
            "People",
            (
                Column("File", "link"),
                Column("Priority", "priority"),
                Column("Status", "status"),
                Column("Note", "description"),
            ),
        ),
        Listing("", "Notes", (Column("File", "link"), Column("Note", "description"))),
    ),
)

GITMEM = Profile(
    name="gitmem",
    core_path="MEMORY.md",  # the routing index, which is the map: it leads to facts, holds none
    workbench_path="memory/context/now.md",
    map_path="MEMORY.md",
    doctrine_path="",
    identity_paths=("SOUL.md", "USER.md", "IDENTITY.md"),
    instruction_paths=("AGENTS.md", "CLAUDE.md"),
    starts_with_workbench=False,
    archive_folder="memory/archive",
    core_holds_claims=False,
    workbench_folder="memory/context",
    log_form=LogForm.BULLET,
    past_form=PastForm.REASON,
    listings=(
        Listing(
            "people",
            "People",
            (
                Column("Name", "title"),
                Column("Role", "description"),
                Column("Detail file", "path"),
                Column("Trigger keywords", "keywords"),
            ),
        ),
        Listing(
            "projects",
            "Projects",
            (
                Column("Name", "title"),
                Column("Status", "status"),
                Column("Detail file", "path"),
                Column("Trigger keywords", "keywords"),
            ),
        ),
        Listing("decisions", "Current Decisions"),
        Listing("preferences", "Active Preferences"),
        Listing("", "Notes"),
    ),
    defaults=(("budget.core", 15_000), ("budget.map", 15_000), ("budget.workbench", 30_000)),
)

PROFILES = {profile.name: profile for profile in (STANDARD, OPENCLAW, NANOCLAW, VAULT, GITMEM)}


def profile_named(name: str) -> Profile:
    """Return the profile of that name. Raises InvalidConfiguration."""
    profile = PROFILES.get(name)
    if profile is None:
        raise InvalidConfiguration(
            f"There is no profile {name!r}.", hint=f"Profiles are: {', '.join(PROFILES)}."
        )
    return profile
