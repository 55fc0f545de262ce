"""A file that was moved in before and has grown since: what is new of it, and what is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from vademecum.core.frozen import dataclass
from vademecum.markdown.lines import split
from vademecum.markdown.outline import Kind, classify
from vademecum.markdown.properties import read_properties
from vademecum.migration.bodies import Body
from vademecum.migration.composing import Text
from vademecum.migration.held import key_of_line
from vademecum.migration.tagging import TagRules, tag_lines


@dataclass(slots=True)
class Grown:
    """What is added; lines that are there, each with its line there; frontmatter, which stays."""

    text: Text = field(default_factory=Text)
    there: list[tuple[int, int]] = field(default_factory=list)
    frame: list[int] = field(default_factory=list)


def grown(body: Body, held: str, rules: TagRules | None) -> Grown:
    """Compare a file with the note or log `held` that it went to before.

    What is new keeps its order, and the heading that it stands under goes with it, unless it is
    the last one there. With `rules`
    its lines become claims as those of a new note do.
    """
    last = read_properties(body.lines).last
    kinds = classify(body.lines, last)
    tagged = Body(list(body.lines), body.numbers)
    if rules is not None:
        tag_lines(tagged, kinds, rules)
    known = _known(held)
    open_heading = _last_heading(held)
    made = Grown()
    heading = -1
    for number, kind in enumerate(kinds):
        source, there = body.numbers[number], known.get(key_of_line(body.lines[number]), 0)
        if number < last:
            made.frame.append(source)
        elif kind is Kind.BLANK:
            continue
        elif there:
            made.there.append((source, there))
            if kind is Kind.HEADING:
                heading = -1 if key_of_line(body.lines[number]) == open_heading else number
        else:
            _add(made.text, tagged, number, kinds, heading)
            heading = -1
    return made


def _add(text: Text, body: Body, number: int, kinds: Sequence[Kind], heading: int) -> None:
    if not text.lines:
        text.add("\n")
    if heading >= 0:
        text.add_blank()
        text.add(body.lines[heading])
    if heading >= 0 or kinds[number] is Kind.HEADING or kinds[number - 1] is Kind.BLANK:
        text.add_blank()
    text.add(body.lines[number], body.numbers[number])


def _last_heading(held: str) -> str:
    lines = split(held)
    kinds = classify(lines, read_properties(lines).last)
    headings = [n for n, kind in enumerate(kinds) if kind is Kind.HEADING]
    return key_of_line(lines[headings[-1]]) if headings else ""


def _known(held: str) -> dict[str, int]:
    known: dict[str, int] = {}
    for number, line in enumerate(split(held), start=1):
        if line.strip():
            known.setdefault(key_of_line(line), number)
    return known
