"""A file that was moved in before and has grown since: what is new of it, and what is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from vademecum.core.frozen import dataclass
from vademecum.markdown.lines import split
from vademecum.markdown.outline import Kind, classify, heading_of
from vademecum.markdown.properties import read_properties
from vademecum.markdown.wording import key_of
from vademecum.migration.bodies import Body
from vademecum.migration.composing import Text
from vademecum.migration.held import said
from vademecum.migration.tagging import TagRules, tag_lines


@dataclass(slots=True)
class Grown:
    """What is added; lines that are there, each with its line there; frontmatter, which stays."""

    text: Text = field(default_factory=Text)
    there: list[tuple[int, int]] = field(default_factory=list)
    frame: list[int] = field(default_factory=list)


def grown(body: Body, held: str, rules: TagRules | None) -> Grown:
    """Compare a file with the note or log `held` that it went to before.

    What is new keeps its order, and the heading that it stands under goes with it. With `rules`
    its lines become claims as those of a new note do.
    """
    last = read_properties(body.lines).last
    kinds = classify(body.lines, last)
    tagged = Body(list(body.lines), body.numbers)
    if rules is not None:
        tag_lines(tagged, kinds, rules)
    known = _known(held)
    made = Grown()
    heading = -1
    for number, kind in enumerate(kinds):
        source, there = body.numbers[number], known.get(_key(body.lines[number]), 0)
        if number < last:
            made.frame.append(source)
        elif kind is Kind.BLANK:
            continue
        elif there:
            made.there.append((source, there))
            heading = number if kind is Kind.HEADING else heading
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


def _known(held: str) -> dict[str, int]:
    known: dict[str, int] = {}
    for number, line in enumerate(split(held), start=1):
        if line.strip():
            known.setdefault(_key(line), number)
    return known


def _key(line: str) -> str:
    found = heading_of(line)
    return f"# {key_of(found[1])}" if found else key_of(said(line)) or line.strip()
