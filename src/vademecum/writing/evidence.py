"""Evidence: find a quote at a span of the workspace, and say how far that span may be trusted."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from vademecum.core.changes import Effect
from vademecum.core.entries import Entry
from vademecum.core.errors import BadInput, EvidenceMissing, NoteNotFound
from vademecum.core.frozen import dataclass
from vademecum.core.ids import text_digest
from vademecum.core.notes import Role, Span
from vademecum.core.provenance import Tag, is_job, least_trusted
from vademecum.markdown.claims import read_claims
from vademecum.markdown.entries import read_entries
from vademecum.markdown.gathered import is_gathered
from vademecum.markdown.injection import ADDRESSED, is_order
from vademecum.markdown.lines import decode, split
from vademecum.markdown.recalled import holds_claim_line, is_recall_output
from vademecum.markdown.sentences import parts_of
from vademecum.workspace.archived import archived_as, live_path
from vademecum.workspace.reading import Content
from vademecum.workspace.workspace import Workspace
from vademecum.writing.quarantine import is_quarantined
from vademecum.writing.speakers import Speaker, reporter_of, voices

_SOURCE = re.compile(r"(?P<path>.+?)(?::(?P<first>\d+)(?:-(?P<last>\d+))?)?\Z")
_SHORTEST_QUOTE = 6
"""Bytes of UTF-8: two CJK characters; less stands nearly everywhere."""
_UNFIT_FOR_ANCHOR = re.compile(r"[\[\]|#^()]")
_BY_SPEAKER = {
    Speaker.PERSON: Tag.STATED,
    Speaker.AGENT: Tag.INFERRED,
    Speaker.TOOL: Tag.OBSERVED,
    Speaker.OTHER: Tag.INFERRED,
    Speaker.WEB: Tag.SUGGESTED,
}


_PUTTING = frozenset({"log", "migrate"})
"""Verbs that put entries into a log for whoever calls."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A span that was looked at: what it proves at most, and how a note links to it."""

    span: Span
    ceiling: Tag
    link: str
    quote: str = ""
    """The quote that was found there; empty where none was given."""
    untrusted: str = ""
    """Why nothing that rests on it may enter memory; empty where it may."""
    reflection: bool = False
    """The product's own thoughts: no evidence for the gate."""
    vouched: Tag | None = None
    """What it proves at most in the hands of a person, who vouches for whom it quotes by name; None
    where that is no more than `ceiling`."""

    def ceiling_for(self, *, person: bool) -> Tag:
        """Return what it proves at most when a person cites it, or anybody else."""
        return self.vouched or self.ceiling if person else self.ceiling


def prove(workspace: Workspace, source: str | Span, quote: str, *, person: str = "") -> Proof:
    """Return what the lines at `source` prove, once `quote` was found in them.

    `source` is a Span, `PATH:FIRST-LAST`, `PATH:LINE` or `PATH`; `OWNER:PATH` is in the memory of
    another agent, where that may be read, and proves at most `inferred`. Blanks and case of the
    quote do not matter; the digest of a Span, if it has one, does. `person` is the name under which
    the person at this machine writes. Raises EvidenceMissing, NoteNotFound, BadInput.
    """
    span = source if isinstance(source, Span) else _span_of(source)
    if (there := workspace.elsewhere(span.path)) is not None:
        return _of_another(*there, span, quote)
    content = _content(workspace, span.path)
    lines = split(decode(content.data).text)
    path = live_path(workspace.profile, content.path)  # an archived log proves what it did before
    span = _checked(Span(path, span.first, span.last, span.digest), lines)
    if _is_recalled(workspace, span, lines) or is_recall_output(quote):
        raise EvidenceMissing(
            f"{span} holds what recall returned: memory is no evidence for itself.",
            hint="Cite the log entry or note that recall cited.",
        )
    if quote:
        span = _narrowed(span, lines, quote)
    return _judged(_Cited(workspace, span, lines, content.data, person, quote))


def _of_another(owner: str, granted: Workspace, path: str, span: Span, quote: str) -> Proof:
    """Return what lines in another agent's memory prove: that it wrote so, whomever it quotes."""
    proof = prove(granted, Span(path, span.first, span.last, span.digest), quote)
    return Proof(
        Span(f"{owner}:{proof.span.path}", proof.span.first, proof.span.last, proof.span.digest),
        least_trusted((proof.ceiling, Tag.INFERRED)),
        f"{owner}:{proof.link}",
        quote,
        proof.untrusted,
        proof.reflection,
    )


def proofs_of(
    workspace: Workspace,
    source: str | Span | Sequence[str | Span],
    quote: str | Sequence[str],
    person: str,
) -> tuple[Proof, ...]:
    """Return what each of `source` proves, the first with the first quote. See `prove`."""
    sources = [source] if isinstance(source, str | Span) else list(source)
    quotes = [quote] if isinstance(quote, str) else list(quote)
    sources = [given for given in sources if given]
    quotes = [given for given in quotes if given.strip()]
    if len(quotes) > len(sources):
        raise BadInput(
            "There is a quote without a source.", hint="Name where it stands: --from PATH:LINE."
        )
    quotes += [""] * (len(sources) - len(quotes))
    return tuple(
        prove(workspace, given, said, person=person)
        for given, said in zip(sources, quotes, strict=True)
    )


def _content(workspace: Workspace, path: str) -> Content:
    """Return the file that a source names, from the archive where it is there by now."""
    try:
        return workspace.files.read(path)
    except NoteNotFound:
        kept = archived_as(workspace, path)
        if len(kept) != 1:
            raise
        return workspace.files.read(kept[0])


def _is_recalled(workspace: Workspace, span: Span, lines: Sequence[str]) -> bool:
    """Whether memory repeats itself there, in a log anywhere in the entries that are cited."""
    said = "".join(lines[span.first - 1 : span.last])
    if workspace.role_of(span.path) is not Role.LOG:
        return is_recall_output(said)
    day = workspace.profile.day_of(span.path)
    for entry in read_entries(span.path, "".join(lines), day) if day else ():
        if entry.span.first <= span.last and span.first <= entry.span.last:
            said += "\n" + "".join(lines[entry.span.first - 1 : entry.span.last])
    return is_recall_output(said) or holds_claim_line(said)


def _span_of(source: str) -> Span:
    found = _SOURCE.match(source.strip().removeprefix("[[").removesuffix("]]"))
    if found is None:
        raise BadInput("The source is empty.", hint="Name it as PATH:FIRST-LAST.")
    path, first = found["path"], int(found["first"] or 0)
    return Span(path, first, int(found["last"] or 0) or first)


def _checked(span: Span, lines: Sequence[str]) -> Span:
    """Return the span with real lines (a missing first line: the whole file) and its digest."""
    first, last = span.first or 1, span.last or len(lines)
    if not 1 <= first <= last <= max(len(lines), 1):
        raise EvidenceMissing(
            f"{span} is not there: the file has {len(lines)} lines.",
            hint=f"Look at the lines first: vade get {span.path}.",
        )
    digest = text_digest("".join(lines[first - 1 : last]).rstrip("\r\n"))
    if span.digest and span.digest != digest:
        raise EvidenceMissing(
            f"{span} has changed since it was read.",
            hint=f"Read it again and cite what it says now: vade get {span.path}.",
        )
    return Span(span.path, first, last, digest)


def _narrowed(span: Span, lines: Sequence[str], quote: str) -> Span:
    """Return the fewest lines of the span that hold the quote. Raises EvidenceMissing."""
    wanted = _plain(quote)
    if len(wanted.encode()) < _SHORTEST_QUOTE:
        raise EvidenceMissing(
            f"The quote {quote!r} is too short to prove anything.", hint="Quote a few words."
        )
    if wanted not in _plain("".join(lines[span.first - 1 : span.last])):
        raise EvidenceMissing(
            f"The quote does not stand at {span}.",
            hint="Quote it word by word, and name the lines that hold it.",
        )
    first, last = span.first, span.last
    while first < last and wanted in _plain("".join(lines[first:last])):
        first += 1
    while first < last and wanted in _plain("".join(lines[first - 1 : last - 1])):
        last -= 1
    return Span(
        span.path, first, last, text_digest("".join(lines[first - 1 : last]).rstrip("\r\n"))
    )


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


@dataclass(frozen=True, slots=True)
class _Cited:
    """A span with the file that it is in, and what is said of it."""

    workspace: Workspace
    span: Span
    lines: Sequence[str]
    data: bytes
    person: str
    quote: str


def _judged(cited: _Cited) -> Proof:
    workspace, span, quote = cited.workspace, cited.span, cited.quote
    path = span.path
    stem = path.removesuffix(".md")
    if is_quarantined(workspace.profile, path):
        untrusted = f"it rests on {span}, which is in quarantine"
        return Proof(span, Tag.SUGGESTED, stem, quote, untrusted)
    role = workspace.role_of(path)
    if role is Role.LOG:
        return _judged_log(cited)
    if role in (Role.REFLECTION, Role.CANDIDATES):
        reflection = role is Role.REFLECTION
        return Proof(span, Tag.INFERRED, stem, quote, reflection=reflection)
    claims = [
        claim
        for claim in read_claims(path, "".join(cited.lines))
        if claim.span.first <= span.last and span.first <= claim.span.last
    ]
    if not claims:
        return Proof(span, Tag.OBSERVED, stem, quote)
    weakest = least_trusted(claim.tag for claim in claims)
    named = claims[0].id
    # A line without a tag proves no more than the weakest tag that can be written.
    ceiling = Tag.SUGGESTED if weakest is Tag.UNKNOWN else weakest
    return Proof(span, ceiling, f"{stem}#^{named}" if named else stem, quote)


def _judged_log(cited: _Cited) -> Proof:
    workspace, span, lines, quote = cited.workspace, cited.span, cited.lines, cited.quote
    day = workspace.profile.day_of(span.path)
    stem = span.path.rpartition("/")[2].removesuffix(".md")
    text = "".join(lines)
    entries = [entry for entry in read_entries(span.path, text, day)] if day else []
    touched = [e for e in entries if e.span.first <= span.last and span.first <= e.span.last]
    ceilings = [Tag.STATED]
    untrusted, hearsay = "", False
    if any(is_gathered("".join(lines[e.span.first - 1 : e.span.last])) for e in touched):
        ceilings.append(Tag.INFERRED)  # another agent's word, whomever it quotes
    sentences = tuple(_sentences(span, lines, quote))
    if any(map(is_order, sentences)):
        untrusted = f"{span} cannot be believed: {ADDRESSED}"
    reporters = map(reporter_of, sentences)
    passed_on = [reporter for reporter in reporters if reporter is not None]
    for speaker in (*_speakers(touched, span, lines, cited.person), *passed_on):
        if speaker is Speaker.OTHER:
            hearsay = True
        elif speaker is None:
            ceilings.append(_by_author(workspace, span, cited.data, cited.person))
        else:
            ceilings.append(_BY_SPEAKER[speaker])
            if speaker is Speaker.WEB:
                untrusted = f"it rests on {span}, which quotes a page or message from outside"
    link = link_of(touched[0], lines) if touched else stem
    vouched = least_trusted(ceilings)
    if not hearsay:
        return Proof(span, vouched, link, quote, untrusted)
    ceiling = least_trusted((vouched, _BY_SPEAKER[Speaker.OTHER]))
    return Proof(span, ceiling, link, quote, untrusted, vouched=vouched)


def _speakers(
    entries: Sequence[Entry], span: Span, lines: Sequence[str], person: str
) -> Iterator[Speaker | None]:
    """Yield who speaks in each line of the span, entry by entry."""
    for entry in entries:
        first, last = entry.span.first, min(entry.span.last, span.last)
        spoken = tuple(voices(entry.title, lines[first - 1 : last], person))
        yield from spoken[max(0, span.first - first) :]
    if not entries:
        yield None


def _sentences(span: Span, lines: Sequence[str], quote: str) -> Iterator[str]:
    """Yield the sentences of the span that hold the quote; of a quote of several, every one."""
    wanted = _plain(quote)
    rows = (line.strip().lstrip("> ") for line in lines[span.first - 1 : span.last])
    every = [*parts_of(" ".join(rows))]
    holding = [said for said in every if wanted in (whole := _plain(said)) or whole in wanted]
    return iter(holding or every)


def _by_author(workspace: Workspace, span: Span, data: bytes, person: str) -> Tag:
    """Return what an entry without a named speaker proves: by who put it into the log."""
    start = _offset_of(data, span.first)
    for change in workspace.ledger.changes(path=span.path):
        whole = change.effect is Effect.CREATE  # a migration may move in a file at once
        within = whole or change.offset <= start < change.offset + change.length
        if change.verb in _PUTTING and within:
            return _by_actor(change.actor, person)
    return Tag.STATED


def _by_actor(actor: str, person: str) -> Tag:
    if is_job(actor):
        return Tag.INFERRED
    return Tag.STATED if actor == person or not person else Tag.OBSERVED


def _offset_of(data: bytes, line: int) -> int:
    offset = 0
    for _ in range(line - 1):
        offset = data.find(b"\n", offset) + 1
    return offset


def link_of(entry: Entry, lines: Sequence[str]) -> str:
    """Return the target of a wikilink to an entry of the log that has these lines."""
    stem = entry.span.path.rpartition("/")[2].removesuffix(".md")
    heading = lines[entry.span.first - 1]
    title = heading.lstrip("#").strip() if heading.startswith("#") else ""
    return f"{stem}#{title}" if title and not _UNFIT_FOR_ANCHOR.search(title) else stem
