"""The text of a reflection: frontmatter and one section a question, each bullet with its source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date

from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later

_MOST_STALE = 20
_PLAN = "Plan against reality"
_READ = "Read: "
_LINK = later(r"\[\[([^\[\]|]+)(?:\|[^\[\]]*)?\]\](?: \((\d{1,4}) entries\))?")
_TIME = later(r"#(\d{1,2}:\d{2})\b")
_NOTHING = "The log tells of nothing else."


@dataclass(frozen=True, slots=True)
class Bullet:
    """One line: its text, the target of the wikilink to its source, and a mark before it."""

    text: str
    link: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Reflection:
    """All that a reflection says."""

    day: date
    by: str
    read: tuple[str, ...]
    """Links to the entries that it is made of."""
    plan: tuple[Bullet, ...]
    right: tuple[Bullet, ...]
    wrong: tuple[Bullet, ...]
    learnt: tuple[Bullet, ...]
    tomorrow: tuple[Bullet, ...]
    stale: tuple[tuple[str, date], ...] = ()


def rendered(reflection: Reflection) -> str:
    """Return the reflection as a note; the same value gives the same text."""
    return "\n".join(_lines(reflection)) + "\n"


def extended(text: str, reflection: Reflection) -> str:
    """Return the note of a reflection with what entries that came later add to it."""
    return text.rstrip("\n") + "\n" + "\n".join(_later_lines(reflection)) + "\n"


def entries_read(text: str) -> tuple[str, ...] | None:
    """Return the links of all entries that a reflection is made of; None: it is not one of ours."""
    rows = [row for row in text.splitlines() if row.startswith(_READ)]
    found = [link for row in rows for link in _LINK.findall(row)]
    return tuple(link for link, times in found for _ in range(int(times or 1))) if rows else None


def _lines(reflection: Reflection) -> Iterator[str]:
    day = reflection.day.isoformat()
    yield from ("---", "type: reflection", f"title: Reflection on {day}")
    yield f"description: What {day} meant to do, what came of it and what it taught"
    yield from (f"date: {day}", "---", "", f"# Reflection on {day}", "")
    yield _origin(reflection)
    said = [row for row in _sections(reflection) if row[1]]
    for title, bullets in said:
        yield from ("", f"## {title}", "")
        yield from _bullets(bullets)
    if not said:
        yield from ("", _NOTHING)
    if reflection.stale:
        yield from ("", "## Unverified for more than 30 days", "")
        for path, verified in reflection.stale[:_MOST_STALE]:
            yield f"- [[{path.removesuffix('.md')}]], last verified {verified.isoformat()}"
        if len(reflection.stale) > _MOST_STALE:
            yield ""
            yield f"And {len(reflection.stale) - _MOST_STALE} more: `vade review --only stale`."
    yield from ("", _read(reflection))


def _later_lines(reflection: Reflection) -> Iterator[str]:
    yield from ("", "## Later that day", "")
    yield _origin(reflection)
    for title, bullets in _sections(reflection):
        if bullets and title != _PLAN:
            yield from ("", f"### {title}", "")
            yield from _bullets(bullets)
    yield from ("", _read(reflection))


def _origin(reflection: Reflection) -> str:
    count = len(reflection.read)
    return (
        f"From {count} {'entry' if count == 1 else 'entries'} of the log, {reflection.by}. "
        "It is evidence of nothing by itself."
    )


def _read(reflection: Reflection) -> str:
    """Return the line by which a later run knows what this one was made of."""
    times = Counter(reflection.read)
    return _READ + " · ".join(
        _linked(link) + (f" ({count} entries)" if count > 1 else "")
        for link, count in times.items()
    )


def _linked(link: str) -> str:
    """Return a wikilink that shows the time of an entry where it has one, not its whole title."""
    time = _TIME.search(link)
    return f"[[{link}|{time[1]}]]" if time else f"[[{link}]]"


def _sections(reflection: Reflection) -> tuple[tuple[str, tuple[Bullet, ...]], ...]:
    return (
        (_PLAN, reflection.plan),
        ("What went right", reflection.right),
        ("What went wrong", reflection.wrong),
        ("What was learnt", reflection.learnt),
        ("Change tomorrow", reflection.tomorrow),
    )


def _bullets(bullets: Sequence[Bullet]) -> Iterator[str]:
    for bullet in bullets:
        mark = f"{bullet.mark}: " if bullet.mark.islower() else f"[{bullet.mark}] "
        source = f" ({_linked(bullet.link)})" if bullet.link else " (the log does not tell of it)"
        yield f"- {mark if bullet.mark else ''}{' '.join(bullet.text.split())}{source}"
