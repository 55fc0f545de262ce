"""The branch of a remote that a team shares: found, fetched, pushed to."""

from __future__ import annotations

from vademecum.core.errors import Refused, RemoteUnreachable
from vademecum.core.frozen import dataclass
from vademecum.workspace.git.repository import Repository

_HINT = "What was written is safe and committed here; try again once the remote can be reached."


@dataclass(frozen=True, slots=True)
class Remote:
    """A remote by its name in the configuration, and the name of the branch there."""

    name: str
    branch: str

    def __str__(self) -> str:
        return f"{self.name}/{self.branch}"

    @property
    def tracking(self) -> str:
        """The reference of this clone that says where the branch was when last seen."""
        return f"refs/remotes/{self.name}/{self.branch}"


def remote_of(repository: Repository, named: str = "") -> Remote:
    """Return what the current branch is shared through, or that branch of the remote `named`.

    It is the remote that the branch follows, else the only one, else `origin`. Raises Refused.
    """
    git = repository.git
    branch = git.run("symbolic-ref", "-q", "--short", "HEAD").text
    known = git.run("remote").text.split()
    follows = git.run("config", f"branch.{branch}.remote").text
    merges = git.run("config", f"branch.{branch}.merge").text.removeprefix("refs/heads/")
    if named and named not in known:
        hint = f"Remotes are: {', '.join(known)}." if known else "Add it: git remote add NAME URL."
        raise Refused(f"There is no remote {named!r} in this repository.", hint=hint)
    name = named or (follows if follows in known else "")
    if not name and len(known) == 1:
        name = known[0]
    if not name and "origin" in known:
        name = "origin"
    if not name:
        told = "several remotes and follows none" if known else "no remote"
        raise Refused(
            f"The repository has {told}, so there is nothing to sync with.",
            hint="Name one with --remote." if known else "Add one: git remote add origin URL.",
        )
    return Remote(name, merges if merges and follows == name else branch)


def fetched(repository: Repository, remote: Remote) -> str:
    """Return the commit that the branch has there now, empty where there is no such branch.

    Its objects are here then. Raises RemoteUnreachable.
    """
    source = f"refs/heads/{remote.branch}"
    refspec = f"+{source}:{remote.tracking}"
    quiet = ("-q", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules")
    ran = repository.git.ask_remote("fetch", *quiet, remote.name, refspec)
    if ran.ok:
        return repository.git.run("rev-parse", "-q", "--verify", remote.tracking).text
    asked = repository.git.ask_remote("ls-remote", "--heads", remote.name, source)
    if asked.ok and not asked.text:
        return ""
    why = (asked if not asked.ok else ran).error
    raise RemoteUnreachable(
        f"The remote {remote.name} did not answer: {_sentence(why)}.", hint=_HINT, transient=True
    )


def pushed(repository: Repository, remote: Remote, commit: str) -> str:
    """Let the branch there name `commit`; return why it does not, empty where it does.

    Nothing there is overwritten: a branch that moved meanwhile is a reason.
    """
    target = f"{commit}:refs/heads/{remote.branch}"
    ran = repository.git.ask_remote("push", "-q", "--porcelain", remote.name, target)
    if ran.ok:
        repository.git.run("update-ref", remote.tracking, commit)
        return ""
    rows = [row for row in ran.text.splitlines() if row.startswith("!")]
    told = rows[0].split("\t")[-1] if rows else ran.error
    return _sentence(told) or "git ended without a word"


def is_being_moved(why: str) -> bool:
    """Whether a push was not taken because another one was at the branch in that moment."""
    return "failed to update ref" in why


def _sentence(told: str) -> str:
    return told.removeprefix("fatal: ").strip().rstrip(".")
