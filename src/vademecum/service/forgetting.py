"""The verb `forget`: files first, then index and vectors, then proof by looking again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from vademecum.agents.view import remove_indexes
from vademecum.context.capture import transcripts_of
from vademecum.context.forgotten_turns import (
    HeldTurn,
    forget_turns,
    host_files_holding,
    turns_holding,
)
from vademecum.core.errors import IndexUnusable, ProviderFailed
from vademecum.core.notes import Span
from vademecum.core.ports import KeywordQuery, Purpose
from vademecum.core.provenance import Actor
from vademecum.core.search import ScoredChunk
from vademecum.indexing.elect import elected
from vademecum.indexing.sync import sync
from vademecum.markdown.tokens import query_terms
from vademecum.markdown.wording import key_of, occurrences
from vademecum.service.wiring import Parts
from vademecum.workspace.git import Repository, repository_of
from vademecum.workspace.workspace import Workspace
from vademecum.writing.forget import Forgotten, Place, Remains, Standing
from vademecum.writing.forget import forget as forget_in_files
from vademecum.writing.forget import purge as purge_versions
from vademecum.writing.tombstones import is_stone
from vademecum.writing.whereabouts import find

__all__ = ["Forgotten", "forget", "plan"]

_PATIENCE = 60.0
"""Seconds that another indexer is waited for."""
_LOOKED_AT = 50
"""Hits of each leg that are looked at for the proof."""
_TEXTS_IN_GIT = 20
_LARGEST = 20_000_000
_LOOKED_AT_ELSEWHERE = frozenset({"blobs", "locks", "index"})
"""In the state directory: old versions are told apart, and the index is asked."""


def plan(workspace: Workspace, targets: Sequence[str]) -> Forgotten:
    """Return what `forget` would do; nothing is changed. Raises what `writing.forget` raises."""
    where = find(workspace, targets)
    said = turns_holding(transcripts_of(workspace), where.texts)
    places = (*where.places, *_turns(said))
    return Forgotten("", places, needs_ids=not where.exact)


def forget(
    workspace: Workspace,
    parts: Parts,
    actor: Actor,
    targets: Sequence[str],
    *,
    purge: bool,
    reason: str,
) -> Forgotten:
    """Forget what `targets` name, everywhere; return what was done, what remains, and the proof.

    Of a text only the places are returned. The id of a tombstone, with `purge`, removes the old
    versions of what was forgotten earlier.

    Raises what `writing.forget` raises; an index that cannot be used is among what remains.
    """
    if purge and len(targets) == 1 and is_stone(workspace, targets[0]):
        remove_indexes(workspace)
        return purge_versions(workspace, targets[0])
    shown = plan(workspace, targets)
    if shown.needs_ids:
        return shown
    done, where = forget_in_files(workspace, targets, actor=actor, purge=purge, reason=reason)
    said = forget_turns(transcripts_of(workspace), where.texts, done.stone)
    remove_indexes(workspace)
    remains = [*done.remains, *_in_state(workspace, where.texts), *_in_git(workspace, where.texts)]
    proof = [] if done.remains and _in_files(done) else ["no file holds it"]
    if not turns_holding(transcripts_of(workspace), where.texts):
        proof.append("no transcript of a session holds it")
    try:
        sync(workspace, parts.index, None, wait=_PATIENCE)
        with elected(workspace.state, _PATIENCE) as won:
            if not won:
                raise IndexUnusable("Another process is indexing.", hint="Run `vade sync` later.")
            parts.index.erase_unused()
        found = list(_in_index(parts, where.texts))
    except IndexUnusable as error:
        remains.append(Remains("the index", error.hint or str(error)))
    else:
        remains += [Remains(f"the index ({leg})", "Run the command again.") for leg in found]
        proof += [f"searching by {leg} finds it nowhere" for leg in _legs(parts, found)]
    if purge:
        proof.append("no stored version holds it")
    places = (*done.places, *_turns(said))
    return replace(done, places=places, remains=tuple(remains), proof=tuple(proof))


def _turns(held: Iterable[HeldTurn]) -> tuple[Place, ...]:
    return tuple(
        Place(Span(f"transcript of {one.session}", one.line, one.line), Standing.WORDS, "")
        for one in held
    )


def _in_state(workspace: Workspace, texts: Sequence[str]) -> Iterator[Remains]:
    """Yield what else holds the texts: files of the state directory, transcripts of hosts."""
    patterns = [pattern for text in texts if (pattern := occurrences(text))]
    for file in sorted(workspace.state.rglob("*")):
        top = file.relative_to(workspace.state).parts[0].partition(".")[0]
        if top in _LOOKED_AT_ELSEWHERE or not file.is_file():
            continue
        with suppress(OSError):
            held = file.read_bytes() if file.stat().st_size <= _LARGEST else b""
            if any(pattern.search(held.decode("utf-8", "replace")) for pattern in patterns):
                place = file.relative_to(workspace.state).as_posix()
                yield Remains(f"{place} in the state directory", "Remove that file.")
    for path in host_files_holding(transcripts_of(workspace), texts):
        yield Remains(path, "It is the host's own transcript: delete that session there.")


def _in_files(done: Forgotten) -> bool:
    return any(one.where.endswith(".md") for one in done.remains)


def _legs(parts: Parts, found: Sequence[str]) -> list[str]:
    legs = ["words", "claims", *(["meaning"] if parts.embedder is not None else [])]
    return [leg for leg in legs if leg not in found]


def _in_index(parts: Parts, texts: Sequence[str]) -> Iterator[str]:
    """Yield the legs of search by which one of the texts is still found."""
    index = parts.index
    found: set[str] = set()
    for text in texts:
        asked = query_terms(text)
        prefixes = tuple(term.text for term in asked.terms if term.kind == "prefix")
        words = tuple(term.text for term in asked.terms if term.kind != "prefix")
        query = KeywordQuery(words, asked.phrases, prefixes)
        hits = [hit.chunk for hit in index.keyword_hits(query, _LOOKED_AT)]
        if _told(text, [chunk.text for chunk in index.chunks(hits).values()]):
            found.add("words")
        if _told(text, [claim.text for claim in index.claims_like(query, _LOOKED_AT)]):
            found.add("claims")
        near = [hit.chunk for hit in _near(parts, text)]
        if _told(text, [chunk.text for chunk in index.chunks(near).values()]):
            found.add("meaning")
    yield from sorted(found)


def _near(parts: Parts, text: str) -> Sequence[ScoredChunk]:
    if parts.embedder is None:
        return []
    try:
        (vector,) = parts.embedder.embed([text], Purpose.QUERY)
    except ProviderFailed:  # without vectors nothing is found by meaning
        return []
    return parts.index.vector_hits(vector, _LOOKED_AT)


def _told(text: str, others: Sequence[str]) -> bool:
    pattern, key = occurrences(text), key_of(text)
    return any(pattern.search(other) if pattern else key_of(other) == key for other in others)


def _in_git(workspace: Workspace, texts: Sequence[str]) -> Iterator[Remains]:
    found = repository_of(workspace.root)
    if not isinstance(found, Repository):
        return
    for text in texts[:_TEXTS_IN_GIT]:
        held = found.git.run("log", "--all", "--format=%h", f"-S{text}")
        told = found.git.run("log", "--all", "--format=%h", "-F", "-i", f"--grep={text}")
        if not held.ok or held.text or told.text:
            yield Remains(
                f"the history of {found.top} in Git",
                "Commit what is there, put the line `literal:TEXT==>[forgotten]` into a file "
                "outside the repository, and rewrite it: git filter-repo --replace-text FILE "
                "--replace-message FILE. Then push with --force, and clone anew elsewhere.",
            )
            return
