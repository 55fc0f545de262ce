"""What a commit says: who wrote, by which verb, and which entries of the ledger it holds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from vademecum.core.changes import Change
from vademecum.workspace.git import Repository
from vademecum.workspace.git.trees import must
from vademecum.workspace.workspace import Workspace

_LONGEST_SUBJECT = 72


def signed_by(change: Change) -> tuple[str, str, str]:
    """Return what changes of one commit share."""
    return change.actor, change.session, change.verb


def message(batch: Sequence[Change]) -> str:
    """Return the message of a commit: a subject, then actor, session and entries as trailers."""
    first = batch[0]
    told = " ".join((first.summary or first.path).split())
    if len(batch) > 1:
        told = f"{told} and {len(batch) - 1} more"
    subject = f"{first.verb}: {told}"
    if len(subject) > _LONGEST_SUBJECT:
        subject = subject[: _LONGEST_SUBJECT - 1] + "…"
    trailers = [f"Vade-Actor: {first.actor}"]
    trailers += [f"Vade-Session: {first.session}"] if first.session else []
    trailers += [f"Vade-Entry: {change.id}" for change in batch]
    return f"{subject}\n\n" + "\n".join(trailers) + "\n"


def identity(repository: Repository, change: Change) -> dict[str, str]:
    """Return the variables that name author and committer: who wrote, and whose repository it is.

    A repository whose owner has no name configured gets a commit all the same.
    """
    name = _plain(change.actor) or "vademecum"
    mail = f"{'-'.join(name.split()).lower()}@vademecum.invalid"
    return _named((name, mail), _owner(repository), change.at)


def owned(
    workspace: Workspace, repository: Repository, tree: str, parents: Sequence[str], message: str
) -> str:
    """Return a commit of `tree` in the name of whose repository it is. Raises StorageFailed."""
    owner = _owner(repository)
    ran = repository.git.run(
        "commit-tree",
        tree,
        *(word for parent in parents for word in ("-p", parent)),
        input=message.encode(),
        variables=_named(owner, owner, workspace.clock.now()),
    )
    return must(ran).text


def _owner(repository: Repository) -> tuple[str, str]:
    name = _plain(repository.git.run("config", "user.name").text) or "vademecum"
    mail = _plain(repository.git.run("config", "user.email").text) or "vade@vademecum.invalid"
    return name, mail


def _named(author: tuple[str, str], committer: tuple[str, str], at: datetime) -> dict[str, str]:
    instant = f"{int(at.timestamp())} +0000"
    return {
        "GIT_AUTHOR_NAME": author[0],
        "GIT_AUTHOR_EMAIL": author[1],
        "GIT_AUTHOR_DATE": instant,
        "GIT_COMMITTER_NAME": committer[0],
        "GIT_COMMITTER_EMAIL": committer[1],
        "GIT_COMMITTER_DATE": instant,
    }


def _plain(name: str) -> str:
    return " ".join(name.replace("<", "").replace(">", "").split())
