"""Open Knowledge Format: what makes a tree of Markdown a conformant bundle, rule by rule.

Rules are those of versions 0.1 and 0.2 of the format; a bundle that declares neither is held to
both, read with best effort. Only what the format requires is a breach; the rest is advice.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from urllib.parse import unquote

from vademecum.core.frozen import dataclass
from vademecum.core.notes import Properties, PropertyValue
from vademecum.core.patterns import later
from vademecum.markdown.frontmatter import read
from vademecum.markdown.lines import split
from vademecum.markdown.outline import Kind, heading_of, outline

VERSIONS = ("0.1", "0.2")
"""What is written (0.1) and what is read."""
RESERVED = ("index.md", "log.md")

_ISO_DAY = later(r"\d{4}-\d{2}-\d{2}$")
_DATED = later(r"^\[?(\d{4}-\d{2}-\d{2})\]?(?:\s|$)")
_LINK = later(r"(?<![!\\])\[[^\[\]\n]*\]\(\s*<?([^()<>\s]+)>?(?:\s+\"[^\"]*\")?\s*\)")
_INLINE_CODE = later(r"`[^`\n]*`")
_BULLET = later(r"^\s*[-*+]\s+")
_FOOTNOTE = later(r"\[\^([^\]\s]+)\]")
_ACTOR = later(r"(?:human|process):\S+$|[^\s/:]+/\S+$")
_STATUSES = ("draft", "stable", "deprecated")
_TIMES = ("timestamp", "stale_after", "generated.at", "last_modified")
_ATTESTED = "attested computation"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its stable id, whether the format requires it, and what to do about a breach."""

    id: str
    required: bool
    remedy: str


@dataclass(frozen=True, slots=True)
class Breach:
    """One place where a file does not follow a rule; lines count from 1."""

    rule: Rule
    path: str
    line: int
    sentence: str


def _rules(*rows: tuple[str, bool, str]) -> Mapping[str, Rule]:
    return {id: Rule(id, required, remedy) for id, required, remedy in rows}


RULES = _rules(
    ("okf/encoding/utf-8", True, "Save the file as UTF-8."),
    ("okf/frontmatter/present", True, "Begin the file with `---`, `type: …`, `---`."),
    ("okf/frontmatter/readable", True, "Repair the frontmatter: keys and values, closed by `---`."),
    ("okf/frontmatter/type-required", True, "Add `type: …` as the first key."),
    ("okf/index/frontmatter", True, "Only the root index has frontmatter: `okf_version` alone."),
    ("okf/index/entries", True, "List files as `* [Title](path) - description` below headings."),
    ("okf/log/dates", True, "Head each day with `## YYYY-MM-DD`."),
    ("okf/log/order", True, "Put the newest day first."),
    ("okf/log/frontmatter", False, "A log needs no frontmatter."),
    ("okf/frontmatter/type-first", False, "Move `type` to the first line."),
    ("okf/frontmatter/recommended", False, "Add what is missing: a reader lists notes by it."),
    ("okf/version/known", False, f"This reader knows {' and '.join(VERSIONS)}."),
    ("okf/links/resolve", False, "Correct the link, or leave it: readers tolerate it."),
    ("okf/times/offset", False, "Write the time as ISO 8601 with its offset."),
    ("okf/sources/resource-required", True, "Give every source a `resource`."),
    ("okf/sources/footnote", False, "Add a source with that id, or take the footnote out."),
    ("okf/generated/by-required", True, "Say in `generated.by` who made the content."),
    ("okf/verified/entries", True, "Write `verified` as a list of `by` and `at`."),
    ("okf/actors/form", False, "Write PRODUCER/VERSION, human:ID or process:ID."),
    ("okf/status/known", False, f"Use one of {', '.join(_STATUSES)}."),
    ("okf/lifecycle/stale", False, "Verify the note again, or move `stale_after`."),
    ("okf/lifecycle/deprecated", False, "Nothing to do: readers show it as no longer current."),
    ("okf/computation/runtime-required", True, "Add `runtime` to the computation."),
    ("okf/v0.2/timestamp", False, "Version 0.2 has `generated.at` in place of `timestamp`."),
    ("okf/v0.2/citations", False, "Version 0.2 has `sources` in place of `# Citations`."),
)
"""Every rule by its id."""


def check_bundle(
    texts: Mapping[str, str], *, now: datetime, exists: Callable[[str], bool] = lambda _: False
) -> Iterator[Breach]:
    """Yield every breach of a bundle, file by file in the order of `texts`.

    `texts` are all its Markdown files by their path in the bundle; `exists` says of any other path
    whether a file or folder is there. `now` (aware) decides what is stale.
    """
    known = {*texts, *(parent for path in texts for parent in _parents(path)), "", "."}
    version = declared_version(texts.get("index.md", ""))
    if version and version not in VERSIONS:
        yield _breach("okf/version/known", "index.md", 1, f"declares version {version}")
    for path, text in texts.items():
        name = posixpath.basename(path)
        if name == "index.md":
            yield from _index(path, text)
        elif name == "log.md":
            yield from _log(path, text)
        else:
            yield from _concept(path, text, version, now)
        yield from _links(path, text, lambda target: target in known or exists(target))


def declared_version(text: str) -> str:
    """Return the version that the text of a root index declares; empty where it declares none."""
    version = read(text).values.get("okf_version", "")
    return version if isinstance(version, str) else ""


def _parents(path: str) -> Iterator[str]:
    while path := posixpath.dirname(path):
        yield path


def _breach(rule: str, path: str, line: int, sentence: str) -> Breach:
    return Breach(RULES[rule], path, line, sentence)


# ------------------------------------------------------------------ concepts


def _concept(path: str, text: str, version: str, now: datetime) -> Iterator[Breach]:
    properties = read(text)
    if properties.defect:
        yield _breach("okf/frontmatter/readable", path, 1, properties.defect)
        return
    if not properties.last:
        yield _breach("okf/frontmatter/present", path, 1, "has no frontmatter")
        return
    values = properties.values
    if not _text(values, "type"):
        yield _breach("okf/frontmatter/type-required", path, 1, "has no `type`")
    elif next(iter(values)) != "type":
        yield _breach("okf/frontmatter/type-first", path, 2, "has `type` behind other keys")
    missing = [key for key in ("title", "description") if not _text(values, key)]
    if missing and _text(values, "type") != "log":  # its day is its name
        named = " and ".join(f"`{key}`" for key in missing)
        yield _breach("okf/frontmatter/recommended", path, 1, f"has no {named}")
    for check in (_times,) if version == "0.1" else _FAMILIES:
        for rule, sentence in check(values, now):
            yield _breach(rule, path, _line_of(text, properties, sentence), sentence)
    yield from _footnotes(path, text, properties)
    if version == "0.2":
        yield from _outdated(path, text, values)


Values = Mapping[str, PropertyValue]


def _text(values: Values, key: str) -> str:
    value = values.get(key, "")
    return value.strip() if isinstance(value, str) else ""


def _line_of(text: str, properties: Properties, sentence: str) -> int:
    """Return the line of the key that a sentence names first in backquotes."""
    key = sentence.partition("`")[2].partition("`")[0].partition(".")[0]
    for number, line in enumerate(split(text)[: properties.last], 1):
        if key and line.lstrip().startswith(f"{key}:"):
            return number
    return 1


def _items(values: Values, family: str) -> Iterator[tuple[str, Values]]:
    """Yield each mapping of a list of mappings with its name; a bare mapping is a list of one."""
    numbers = sorted(
        {
            int(part)
            for key in values
            if key.startswith(f"{family}.") and (part := key.split(".")[1]).isdigit()
        }
    )
    for number in numbers:
        prefix = f"{family}.{number}."
        yield prefix[:-1], _below(values, prefix)
    bare = _below(values, f"{family}.")
    if bare and not numbers:
        yield family, bare


def _below(values: Values, prefix: str) -> Values:
    return {
        key.removeprefix(prefix): value for key, value in values.items() if key.startswith(prefix)
    }


Found = Iterator[tuple[str, str]]


def _times(values: Values, _now: datetime) -> Found:
    for key, value in values.items():
        last = key.rpartition(".")[2]
        timed = key in _TIMES or last in ("at", "last_modified", "from", "to")
        if timed and isinstance(value, str) and value and _moment(value) is None:
            yield "okf/times/offset", f"has in `{key}` no time with an offset: {value}"


def _moment(text: str) -> datetime | None:
    try:
        read_time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return read_time if read_time.tzinfo is not None else None


def _sources(values: Values, _now: datetime) -> Found:
    for name, source in _items(values, "sources"):
        if not _text(source, "resource"):
            yield "okf/sources/resource-required", f"has in `{name}` no `resource`"


def _generated(values: Values, _now: datetime) -> Found:
    if "generated" in values and not isinstance(values["generated"], tuple):
        yield "okf/generated/by-required", "has a `generated` that names nobody"
    for name, made in _items(values, "generated"):
        if not _text(made, "by"):
            yield "okf/generated/by-required", f"has in `{name}` no `by`"


def _verified(values: Values, _now: datetime) -> Found:
    if "verified" in values:
        yield "okf/verified/entries", "has a `verified` that is no list of `by` and `at`"
    for name, one in _items(values, "verified"):
        lacking = [key for key in ("by", "at") if not _text(one, key)]
        if lacking:
            yield "okf/verified/entries", f"has in `{name}` no {' and no '.join(lacking)}"


def _actors(values: Values, _now: datetime) -> Found:
    for family in ("generated", "verified"):
        for name, one in _items(values, family):
            by = _text(one, "by")
            if by and not _ACTOR.match(by):
                yield "okf/actors/form", f"has in `{name}.by` no actor: {by}"


def _lifecycle(values: Values, now: datetime) -> Found:
    if _text(values, "status") == "deprecated":
        yield "okf/lifecycle/deprecated", "is `status: deprecated`"
    until = _moment(_text(values, "stale_after"))
    if until is not None and now >= until:
        yield "okf/lifecycle/stale", f"is stale since `stale_after`: {values['stale_after']}"


def _status(values: Values, _now: datetime) -> Found:
    status = _text(values, "status")
    if status and status not in _STATUSES:
        yield "okf/status/known", f"has a `status` that the format does not know: {status}"


def _computation(values: Values, _now: datetime) -> Found:
    if _text(values, "type").casefold() == _ATTESTED and not _text(values, "runtime"):
        yield "okf/computation/runtime-required", "has no `runtime`"


_FAMILIES: tuple[Callable[[Values, datetime], Found], ...] = (
    _times,
    _sources,
    _generated,
    _verified,
    _actors,
    _lifecycle,
    _computation,
    _status,
)
"""What version 0.2 says of keys; in a bundle of version 0.1 they are its own."""


def _footnotes(path: str, text: str, properties: Properties) -> Iterator[Breach]:
    """A footnote whose label is no source's id attributes its claim to nothing."""
    ids = {_text(source, "id") for _, source in _items(properties.values, "sources")} - {""}
    if not ids:
        return
    told: set[str] = set()
    for number, line in _prose(text):
        for found in _FOOTNOTE.finditer(line):
            if found[1] not in ids and found[1] not in told:
                told.add(found[1])
                sentence = f"has the footnote {found[1]} and no source of that id"
                yield _breach("okf/sources/footnote", path, number, sentence)


def _outdated(path: str, text: str, values: Values) -> Iterator[Breach]:
    if "timestamp" in values:
        yield _breach("okf/v0.2/timestamp", path, 1, "has a `timestamp`")
    for number, level, title in _headings(text):
        if level == 1 and title.casefold() == "citations":
            yield _breach("okf/v0.2/citations", path, number, "lists citations in its body")


# ------------------------------------------------------------------ reserved files


def _index(path: str, text: str) -> Iterator[Breach]:
    properties = read(text)
    allowed = path == "index.md" and list(properties.values) == ["okf_version"]
    if properties.defect or (properties.last and not allowed):
        yield _breach("okf/index/frontmatter", path, 1, "has frontmatter of its own")
    for number, line in _prose(text):
        if _BULLET.match(line) and not line.startswith((" ", "\t")) and "[" not in line:
            sentence = "lists something without a link"
            yield _breach("okf/index/entries", path, number, sentence)
            return


def _log(path: str, text: str) -> Iterator[Breach]:
    if read(text).last:
        yield _breach("okf/log/frontmatter", path, 1, "has frontmatter")
    days: list[str] = []
    for number, level, title in _headings(text):
        if level != 2:
            continue
        found = _DATED.match(title)
        if found is None or not _ISO_DAY.match(found[1]):
            yield _breach("okf/log/dates", path, number, f"has the heading {title!r}")
        else:
            days.append(found[1])
    if days != sorted(days, reverse=True):
        yield _breach("okf/log/order", path, 1, "does not have the newest day first")


# ------------------------------------------------------------------ links


def _links(path: str, text: str, leads: Callable[[str], bool]) -> Iterator[Breach]:
    for number, line in _prose(text):
        for found in _LINK.finditer(_INLINE_CODE.sub("", line)):
            target = _inside(path, found[1])
            if target is None or leads(target) or leads(f"{target}.md"):
                continue
            sentence = f"links to {found[1]}, which is not in the bundle"
            yield _breach("okf/links/resolve", path, number, sentence)


def _inside(path: str, link: str) -> str | None:
    """Return the path in the bundle that a link leads to; None for what leads elsewhere."""
    target = unquote(link.partition("#")[0])
    if not target or ":" in target.partition("/")[0] or target.startswith("//"):
        return None
    if target.startswith("/"):
        return posixpath.normpath(target).lstrip("/")
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), target))


def _prose(text: str) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines of a body, code and comments left out."""
    lines, kinds = outline(text, read(text).last)
    for number, (line, kind) in enumerate(zip(lines, kinds, strict=True), 1):
        if kind not in (Kind.CODE, Kind.COMMENT, Kind.FRONTMATTER):
            yield number, line.rstrip("\r\n")


def _headings(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield line, level and title of each heading."""
    lines, kinds = outline(text, read(text).last)
    for number, (line, kind) in enumerate(zip(lines, kinds, strict=True), 1):
        found = heading_of(line) if kind is Kind.HEADING else None
        if found is not None:
            yield number, found[0], found[1]
