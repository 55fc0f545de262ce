"""What a split file becomes: the text of its notes, of its instructions, and what is kept apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from datetime import date

from vademecum.core.frozen import dataclass
from vademecum.core.migration import Decision, Fate, FilePlan, NewNote
from vademecum.markdown.claim_lines import ClaimLine
from vademecum.markdown.kinds import Kind as Subject
from vademecum.markdown.lines import split
from vademecum.markdown.outline import Kind, classify
from vademecum.markdown.properties import read_properties
from vademecum.migration.bodies import Body, shown
from vademecum.migration.pieces import Piece, pieces_of
from vademecum.migration.tagging import TagRules, tag_lines
from vademecum.workspace.profiles import Profile
from vademecum.writing.notes import new_note

_LEVEL = 3
"""Of the topmost heading below the one that names the source."""


@dataclass(slots=True)
class Text:
    """Lines that are to be written, each with its number in the source, 0 for one made here."""

    lines: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    def add(self, line: str, number: int = 0) -> None:
        """Put a line at the end; it ends with a line feed whatever it ended with."""
        self.lines.append(line.rstrip("\r\n") + "\n")
        self.numbers.append(number)

    def add_blank(self) -> None:
        """Put an empty line at the end, unless there is one or nothing stands before it."""
        if self.lines and self.lines[-1].strip():
            self.add("\n")

    @property
    def claims(self) -> int:
        """How many of the lines are claims with an id."""
        return sum(1 for line in self.lines if ClaimLine.OWN_ID.search(line.rstrip()))


@dataclass(slots=True)
class Composed:
    """What is to be written of one file."""

    notes: dict[str, Text] = field(default_factory=dict)
    instructions: Text = field(default_factory=Text)
    apart: list[tuple[str, list[int]]] = field(default_factory=list)
    """Texts for the quarantine, each with the numbers of its lines."""


def compose(
    body: Body,
    plan: FilePlan,
    profile: Profile,
    day: date,
    proven: Callable[[ClaimLine], bool],
) -> Composed:
    """Carry out the decisions about a file; `body` is what they were made about."""
    kinds = classify(body.lines, read_properties(body.lines).last)
    tagged = Body(list(body.lines), body.numbers)
    tag_lines(tagged, kinds, TagRules(plan.digest, proven, day, paragraphs=True))
    pieces = {piece.first: piece for piece in pieces_of(body.lines, kinds)}
    made = Composed()
    for note in plan.notes:
        made.notes[note.path] = _begun(note, plan, body, profile, day)
    for decision in plan.decisions:
        first, last = decision.first - 1, decision.last
        piece = pieces.get(first)
        if decision.fate is Fate.NOTE and decision.to in made.notes:
            _put(made.notes[decision.to], tagged, first, last)
        elif decision.fate is Fate.INSTRUCTION:
            _instruct(made.instructions, body, kinds, decision, piece)
        elif decision.fate is Fate.QUARANTINE:
            text = "".join(body.lines[first:last])
            made.apart.append((text, body.numbers[first:last]))
    if made.instructions.lines:
        _headed(made.instructions, plan)
    return made


def _begun(note: NewNote, plan: FilePlan, body: Body, profile: Profile, day: date) -> Text:
    """Return the head of a note; the line of its title is that of the heading it comes from."""
    head = new_note(Subject(note.type), note.title, note.description, day, profile=profile.name)
    if profile.name != "vault":
        head = head.replace(f"last_verified: {day.isoformat()}\n", "", 1)  # nobody has
    title = next(
        (
            body.numbers[decision.first - 1]
            for decision in plan.decisions
            if decision.fate is Fate.HEADING and decision.to == note.path
        ),
        0,
    )
    text = Text()
    for line in split(head):
        text.add(line, title if line.startswith("# ") else 0)
    return text


def _put(text: Text, body: Body, first: int, last: int) -> None:
    if first and not body.lines[first - 1].strip():
        text.add_blank()
    for number in range(first, last):
        text.add(body.lines[number], body.numbers[number])


def _instruct(
    text: Text, body: Body, kinds: Sequence[Kind], decision: Decision, piece: Piece | None
) -> None:
    first, last = decision.first - 1, decision.last
    if piece is not None and piece.kind is Kind.HEADING:
        level = min(6, max(_LEVEL, len(body.lines[first]) - len(body.lines[first].lstrip("#")) + 1))
        text.add_blank()
        text.add("#" * level + body.lines[first].lstrip(" ").lstrip("#"), body.numbers[first])
        text.add_blank()
        return
    if piece is not None and piece.headings and not _under(text, piece.headings[-1]):
        text.add_blank()
        text.add(f"{'#' * _LEVEL} {shown(piece.headings[-1])}")
        text.add_blank()
    if kinds[first] is not Kind.FRONTMATTER:
        _put(text, body, first, last)
    else:
        text.add(body.lines[first], body.numbers[first])


def _under(text: Text, heading: str) -> bool:
    """Whether the last heading in the text is this one."""
    for line in reversed(text.lines):
        if line.startswith("#"):
            return line.lstrip("#").strip() == shown(heading).strip()
    return False


def _headed(text: Text, plan: FilePlan) -> None:
    head = ["\n", f"## Imported from {shown(plan.path)}\n", "\n"]
    text.lines[:0] = head
    text.numbers[:0] = [0] * len(head)


def claims_in(notes: Mapping[str, Text]) -> int:
    """Return how many claims the notes hold."""
    return sum(text.claims for text in notes.values())
