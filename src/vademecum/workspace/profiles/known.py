"""The five profiles that are known by name."""

from __future__ import annotations

from vademecum.core.errors import InvalidConfiguration
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
    map_path="",
    doctrine_path="",
    identity_paths=("SOUL.md", "IDENTITY.md", "USER.md"),
    instruction_paths=("AGENTS.md", "TOOLS.md", "HEARTBEAT.md", "BOOT.md", "BOOTSTRAP.md"),
    starts_with_workbench=False,
    reflection_folder="memory/dreaming",
    reflection_paths=("DREAMS.md",),
)

NANOCLAW = Profile(
    name="nanoclaw",
    core_path="memory/index.md",  # core memory is a section of the map there
    workbench_path="NOW.md",
    map_path="memory/index.md",
    doctrine_path="memory/system/definition.md",
    identity_paths=("instructions.prepend.md",),
    instruction_paths=("CLAUDE.md", "AGENTS.md", "CLAUDE.local.md"),
    starts_with_workbench=False,
    reflection_paths=("memory/log.md",),
    framed=True,
)

VAULT = Profile(
    name="vault",
    core_path="MEMORY.md",
    workbench_path="NOW.md",
    map_path="memory/INDEX.md",
    doctrine_path="",
    identity_paths=("SOUL.md", "USER.md"),
    instruction_paths=("AGENTS.md", "HEARTBEAT.md"),
)

GITMEM = Profile(
    name="gitmem",
    core_path="MEMORY.md",
    workbench_path="NOW.md",
    map_path="",  # MEMORY.md is the routing index: one file, whose role is core memory
    doctrine_path="",
    identity_paths=("SOUL.md", "USER.md", "IDENTITY.md"),
    instruction_paths=("AGENTS.md", "CLAUDE.md"),
    starts_with_workbench=False,
    archive_folder="memory/archive",
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
