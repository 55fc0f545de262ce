"""`git setup`: the merge driver of this clone, attributes for memory files, commits from now on."""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.core.errors import NoteNotFound, Refused
from vademecum.core.frozen import dataclass
from vademecum.core.provenance import Actor
from vademecum.markdown.lines import decode, newline_of, split
from vademecum.workspace.git import Git, Nowhere, Repository, repository_of
from vademecum.workspace.git.progress import is_started, start, stop
from vademecum.workspace.profiles.profile import Profile
from vademecum.workspace.workspace import Workspace
from vademecum.writing.commit import hindrance, waiting
from vademecum.writing.signing import sign
from vademecum.writing.tombstones import tombstone_path

ATTRIBUTES = ".gitattributes"
DRIVER = "vade"
_BEGIN = "# vade: memory files are merged by claim (vade git setup)"
_END = "# vade: end"


@dataclass(frozen=True, slots=True)
class GitStanding:
    """How a workspace stands with Git; `did` says what this call changed, a sentence each."""

    repository: str
    """Top of the working tree, empty where there is none."""
    why: str
    """Why nothing can be committed at the moment, empty when it can."""
    driver: bool
    """Whether this clone knows the merge driver."""
    attributes: bool
    """Whether memory files are marked for it."""
    commits: bool
    """Whether what is written is committed."""
    waiting: int
    """Changes that are not in Git yet."""
    did: tuple[str, ...] = ()


def standing(workspace: Workspace, did: Sequence[str] = ()) -> GitStanding:
    """Return how the workspace stands with Git; nothing is changed."""
    found = repository_of(workspace.root)
    commits = is_started(workspace.state) and workspace.settings.git.commit
    if isinstance(found, Nowhere):
        return GitStanding("", found.why, False, False, commits, waiting(workspace), tuple(did))
    return GitStanding(
        str(found.top),
        hindrance(workspace, found),
        bool(_driver(found.git)),
        _BEGIN in _attributes(workspace),
        commits,
        waiting(workspace),
        tuple(did),
    )


def setup(workspace: Workspace, *, actor: Actor, command: str) -> GitStanding:
    """Make this clone merge memory by claim and commit what is written; say what that changed.

    `command` is how Git calls this program. Nothing is committed or staged here: attributes reach
    others when the user commits them. A second call changes nothing. Raises Refused where there is
    no repository, and what any write raises.
    """
    repository = _repository(workspace)
    did = []
    driver = f"{command} merge-file %O %A %B %P --marker-size %L"
    if _driver(repository.git) != driver:
        for key, value in (("name", "memory, merged by claim"), ("driver", driver)):
            ran = repository.git.run("config", "--local", f"merge.{DRIVER}.{key}", value)
            if not ran.ok:
                raise Refused(
                    f"Git refused to set the merge driver: {ran.error}.",
                    hint="Check that the repository's .git/config can be written.",
                )
        did.append("registered the merge driver in this clone's configuration")
    if _write_attributes(workspace, actor, patterns(workspace.profile)):
        did.append(f"marked memory files in {repository.prefix}{ATTRIBUTES}; commit it to share it")
    if start(workspace.state, workspace.ledger.path):
        did.append("from now on what is written is committed")
    return standing(workspace, did)


def remove(workspace: Workspace, *, actor: Actor) -> GitStanding:
    """Take back what `setup` did; commits that were made stay. Raises what any write raises."""
    did = []
    found = repository_of(workspace.root)
    if isinstance(found, Repository) and _driver(found.git):
        found.git.run("config", "--local", "--remove-section", f"merge.{DRIVER}")
        did.append("removed the merge driver from this clone's configuration")
    if _write_attributes(workspace, actor, ()):
        did.append(f"took the lines of memory files out of {ATTRIBUTES}")
    if stop(workspace.state):
        did.append("what is written is not committed any more")
    return standing(workspace, did)


def patterns(profile: Profile) -> tuple[str, ...]:
    """Return the lines of attributes for the memory files of a profile."""
    folder = profile.note_folder
    named = (profile.core_path, profile.workbench_path, profile.map_path)
    notes = "*.md" if folder in ("", ".") else f"/{folder}/**/*.md"
    beside = (
        [] if folder in ("", ".") else [p for p in named if p and not p.startswith(folder + "/")]
    )
    return (
        f"{notes} merge={DRIVER}",
        *(f"/{path} merge={DRIVER}" for path in dict.fromkeys(beside)),
        f"/{tombstone_path(profile)} merge=union",
    )


def _repository(workspace: Workspace) -> Repository:
    found = repository_of(workspace.root)
    if isinstance(found, Nowhere):
        raise Refused(
            f"Git cannot be set up: {found.why}.",
            hint="Make a repository with `git init` in the workspace or above it.",
        )
    return found


def _driver(git: Git) -> str:
    return git.run("config", "--local", "--get", f"merge.{DRIVER}.driver").text


def _attributes(workspace: Workspace) -> str:
    try:
        return decode(workspace.files.read(ATTRIBUTES).data).text
    except NoteNotFound:
        return ""


def _write_attributes(workspace: Workspace, actor: Actor, wanted: Sequence[str]) -> bool:
    """Let the block of ours hold `wanted`, no line removing it; return whether that changed it."""
    signature = sign(workspace, actor, "git", ATTRIBUTES)
    try:
        base = workspace.files.read(ATTRIBUTES)
    except NoteNotFound:
        text = "\n".join((_BEGIN, *wanted, _END)) + "\n"
        return (
            bool(wanted)
            and workspace.files.create(ATTRIBUTES, text.encode(), signature) is not None
        )
    old = decode(base.data).text
    new = _with_block(old, wanted)
    if new == old:
        return False
    if not new.strip():
        workspace.files.remove(base, signature)
    else:
        workspace.files.replace(base, new.encode(), signature)
    return True


def _with_block(text: str, wanted: Sequence[str]) -> str:
    lines = split(text)
    bare = [line.strip() for line in lines]
    end = newline_of(text)
    block = [line + end for line in (_BEGIN, *wanted, _END)] if wanted else []
    if _BEGIN in bare and _END in bare[bare.index(_BEGIN) :]:
        first = bare.index(_BEGIN)
        return "".join([*lines[:first], *block, *lines[bare.index(_END, first) + 1 :]])
    if lines and block and not lines[-1].endswith("\n"):
        lines[-1] += end
    return "".join([*lines, *block])
