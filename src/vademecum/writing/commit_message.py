"""What a commit says: who wrote, by which verb, and which entries of the ledger it holds."""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.core.changes import Change
from vademecum.workspace.git import Repository

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
    owner = _plain(repository.git.run("config", "user.name").text) or "vademecum"
    mail = _plain(repository.git.run("config", "user.email").text) or "vade@vademecum.invalid"
    instant = f"{int(change.at.timestamp())} +0000"
    return {
        "GIT_AUTHOR_NAME": name,
        "GIT_AUTHOR_EMAIL": f"{'-'.join(name.split()).lower()}@vademecum.invalid",
        "GIT_AUTHOR_DATE": instant,
        "GIT_COMMITTER_NAME": owner,
        "GIT_COMMITTER_EMAIL": mail,
        "GIT_COMMITTER_DATE": instant,
    }


def _plain(name: str) -> str:
    return " ".join(name.replace("<", "").replace(">", "").split())
