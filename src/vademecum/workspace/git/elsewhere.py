"""Whether what a file lacks is on another branch: a checkout took it out, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from vademecum.workspace.git.repository import Nowhere, Repository, repository_of

_MOST_REFS = 100
_MOST_STEPS = 50
"""Steps of HEAD, by its reflog, that are looked at."""
_DEEPEST = 64


def checked_out(root: Path, path: str, content: bytes) -> Iterator[bytes]:
    """Yield the versions of a file that Git holds elsewhere, if `content` is what HEAD has of it.

    Those of branches, remote branches and tags (100, the latest first), and of the last 50 commits
    at which HEAD stood. Nothing where the workspace `root` is in no repository.
    """
    if not _within_repository(root):
        return
    repository = repository_of(root)
    if isinstance(repository, Nowhere):
        return
    where = f"{repository.prefix}{path}"
    head = repository.git.run("rev-parse", "-q", "--verify", f"HEAD:{where}")
    here = repository.git.run("hash-object", "--stdin", "--path", where, input=content)
    if not head.ok or head.text != here.text:
        return
    yield from _versions(repository, where, head.text)


def _within_repository(root: Path) -> bool:
    """Whether a folder above has a `.git`: asking that costs no process."""
    folders = (root, *list(root.parents)[:_DEEPEST])
    return any((folder / ".git").exists() for folder in folders)


def _versions(repository: Repository, where: str, head: str) -> Iterator[bytes]:
    run = repository.git.run
    refs = run(
        "for-each-ref", "--format=%(objectname)", "--sort=-creatordate", f"--count={_MOST_REFS}"
    )
    steps = run("log", "-g", "--format=%H", f"-n{_MOST_STEPS}", "HEAD")
    commits = dict.fromkeys((*refs.text.split(), *steps.text.split()))
    asked = "".join(f"{commit}:{where}\n" for commit in commits)
    named = run("cat-file", "--batch-check=%(objectname) %(objecttype)", input=_encoded(asked))
    for object in _blobs(named.text.splitlines()):
        if object != head:
            yield run("cat-file", "blob", object).out


def _blobs(rows: Iterable[str]) -> tuple[str, ...]:
    found = (row.split(" ") for row in rows)
    return tuple(dict.fromkeys(row[0] for row in found if len(row) == 2 and row[1] == "blob"))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
