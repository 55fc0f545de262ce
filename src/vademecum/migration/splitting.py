"""Where each piece of a file goes that holds both: behaviour to instructions, facts to notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field

from vademecum.core.frozen import dataclass
from vademecum.core.migration import Decision, Fate, NewNote
from vademecum.core.notes import Span
from vademecum.markdown.injection import is_injection
from vademecum.markdown.kinds import Kind as Subject
from vademecum.markdown.outline import ITEM, Kind, heading_of
from vademecum.migration.bodies import Body, shown
from vademecum.migration.held import Held, said
from vademecum.migration.judging import is_behaviour, kind_of_section
from vademecum.migration.pieces import Piece, attached, pieces_of
from vademecum.writing.names import topic
from vademecum.writing.notes import described

_FOR_A_MODEL = "words for a model"
_LONGEST_TITLE = 72


@dataclass(frozen=True, slots=True)
class Setting:
    """What the pieces of one file are placed by.

    `path` is its own in the source, `name` what its first note is called where no heading tells.
    `give` names the note of a kind and title. `quarantine` and `instructions` are the files for
    what goes there. `mapped` are lines (from 0) that only lead to notes. `judged` are the fates
    and kinds that a model gave to pieces, by their number.
    """

    path: str
    name: str
    host_owned: bool
    held: Held
    give: Callable[[Subject, str], str]
    quarantine: str
    instructions: str
    mapped: frozenset[int] = frozenset()
    fates: Mapping[int, Fate] = field(default_factory=dict)
    subjects: Mapping[int, Subject] = field(default_factory=dict)


@dataclass(slots=True)
class Split:
    """The decisions about a file, in the order of its lines, and the notes they are for."""

    decisions: list[Decision] = field(default_factory=list)
    notes: list[NewNote] = field(default_factory=list)


def split_file(body: Body, kinds: Sequence[Kind], setting: Setting) -> Split:
    """Decide about every line of a file that is not blank; lines are those of `body`, from 1.

    A line that the workspace, or the source before it, says already is a duplicate; words that
    speak to a model go to quarantine; headings go with what stands below them.
    """
    pieces = pieces_of(body.lines, kinds)
    fates = _fates(pieces, body, setting)
    decided = _duplicates(pieces, fates, body, setting)
    made = Split(list(_frontmatter(body, kinds, setting)))
    titles = _first_headings(pieces)
    notes = _notes(pieces, fates, titles, body, setting)
    made.notes += notes.values()
    for number, piece in enumerate(pieces):
        if piece.kind is Kind.HEADING:
            fates[number] = Fate.HEADING
            decision = _heading(number, pieces, fates, notes, titles, body, setting)
        else:
            decision = decided.get(number) or _placed(piece, fates[number], notes, setting)
        made.decisions.append(decision)
    made.decisions.sort(key=lambda decision: decision.first)
    return made


def _fates(pieces: Sequence[Piece], body: Body, setting: Setting) -> dict[int, Fate]:
    goes_with = attached(pieces, body.lines)
    fates: dict[int, Fate] = {}
    for number, piece in enumerate(pieces):
        if piece.kind is not Kind.HEADING and number not in goes_with:
            fates[number] = _fate(number, piece, body, setting)
    for number in goes_with:
        end = number
        while end in goes_with:
            following = goes_with[end]
            if goes_with.get(following) == end:
                break
            end = following
        own = _fate(number, pieces[number], body, setting)
        if own not in (Fate.MAP, Fate.QUARANTINE):
            own = fates.get(end, Fate.NOTE)
            own = Fate.NOTE if own is Fate.MAP else own
        fates[number] = own
    return fates


def _fate(number: int, piece: Piece, body: Body, setting: Setting) -> Fate:
    text = _text(piece, body)
    if all(line in setting.mapped for line in range(piece.first, piece.stop)):
        return Fate.MAP
    if is_injection(text):
        return Fate.QUARANTINE
    if not setting.host_owned:
        return Fate.NOTE
    if number in setting.fates:
        return setting.fates[number]
    return Fate.INSTRUCTION if is_behaviour(text, piece.headings) else Fate.NOTE


def _duplicates(
    pieces: Sequence[Piece], fates: dict[int, Fate], body: Body, setting: Setting
) -> dict[int, Decision]:
    """Find what is said already, in the workspace or in the source before, and note the rest."""
    decided: dict[int, Decision] = {}
    for number, piece in enumerate(pieces):
        if fates.get(number) not in (Fate.NOTE, Fate.INSTRUCTION):
            continue
        first, last, text = piece.first + 1, piece.stop, _said(piece, body)
        if _is_single(piece, body):
            if known := setting.held.held(text):
                decided[number] = Decision(
                    first, last, Fate.DUPLICATE, known.path, str(known.first)
                )
            elif twin := setting.held.placed(text):
                decided[number] = Decision(
                    first, last, Fate.DUPLICATE, "", f"{twin.first}:{twin.path}"
                )
            if number in decided:
                fates[number] = Fate.DUPLICATE
                continue
        source = body.numbers[piece.first]
        setting.held.place(text, Span(setting.path, source, source))
    return decided


def _first_headings(pieces: Sequence[Piece]) -> dict[int, int]:
    """Return the heading that names each group of sections, by its number among the pieces."""
    first: dict[int, int] = {}
    for number, piece in enumerate(pieces):
        if piece.kind is Kind.HEADING:
            first.setdefault(piece.group, number)
    return first


def _notes(
    pieces: Sequence[Piece],
    fates: Mapping[int, Fate],
    titles: Mapping[int, int],
    body: Body,
    setting: Setting,
) -> dict[int, NewNote]:
    """Return the note of each group of sections that has facts of its own."""
    held: dict[int, list[int]] = {}
    for number, piece in enumerate(pieces):
        if fates.get(number) is Fate.NOTE:
            held.setdefault(piece.group, []).append(number)
    notes = {}
    for group, numbers in held.items():
        texts = [text for number in numbers if (text := _said(pieces[number], body))]
        named = pieces[titles[group]].headings[-1] if group in titles else setting.name
        if is_injection(named):
            named = setting.name
        title = " ".join(shown(named).split()) or topic(texts[0] if texts else setting.name)
        title = title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1] + "…"
        voted = [setting.subjects[number] for number in numbers if number in setting.subjects]
        headings = pieces[numbers[0]].headings[:2]
        subject = max(voted, key=voted.count) if voted else kind_of_section(headings, texts)
        description = described(shown(texts[0])) if texts else ""
        notes[group] = NewNote(setting.give(subject, title), subject.value, title, description)
    return notes


def _heading(
    number: int,
    pieces: Sequence[Piece],
    fates: Mapping[int, Fate],
    notes: Mapping[int, NewNote],
    titles: Mapping[int, int],
    body: Body,
    setting: Setting,
) -> Decision:
    piece = pieces[number]
    line, depth = piece.first + 1, len(piece.headings)
    if is_injection(body.lines[piece.first]):
        return Decision(line, line, Fate.QUARANTINE, setting.quarantine, _FOR_A_MODEL)
    below: set[Fate] = set()
    own: set[Fate] = set()
    for other in range(number + 1, len(pieces)):
        if pieces[other].headings[:depth] != piece.headings:
            break
        if pieces[other].kind is not Kind.HEADING:
            below.add(fates[other])
            own |= {fates[other]} if pieces[other].group == piece.group else set()
    note = notes.get(piece.group)
    if Fate.NOTE in own and note is not None:
        if titles.get(piece.group) == number:
            return Decision(line, line, Fate.HEADING, note.path, "title of the note")
        return Decision(line, line, Fate.NOTE, note.path)
    if Fate.INSTRUCTION in own:
        return Decision(line, line, Fate.INSTRUCTION, setting.instructions)
    why = "title of the file" if below else "nothing stands below it"
    return Decision(line, line, Fate.HEADING, "", why)


def _placed(piece: Piece, fate: Fate, notes: Mapping[int, NewNote], setting: Setting) -> Decision:
    first, last = piece.first + 1, piece.stop
    if fate is Fate.MAP:
        return Decision(first, last, fate, "", "maps are made anew")
    if fate is Fate.QUARANTINE:
        return Decision(first, last, fate, setting.quarantine, _FOR_A_MODEL)
    if fate is Fate.INSTRUCTION:
        return Decision(first, last, fate, setting.instructions)
    return Decision(first, last, Fate.NOTE, notes[piece.group].path)


def _frontmatter(body: Body, kinds: Sequence[Kind], setting: Setting) -> Iterator[Decision]:
    """Yield decisions about frontmatter: hosts read it as scope, nobody else does."""
    last = sum(kind is Kind.FRONTMATTER for kind in kinds)
    for number in range(last):
        if not body.lines[number].strip():
            continue
        if number in (0, last - 1):
            yield Decision(number + 1, number + 1, Fate.HEADING, "", "a fence of frontmatter")
        elif setting.host_owned:
            yield Decision(number + 1, number + 1, Fate.INSTRUCTION, setting.instructions)
        else:
            yield Decision(number + 1, number + 1, Fate.MAP, "", "frontmatter is made anew")


def _is_single(piece: Piece, body: Body) -> bool:
    """Whether a piece says one thing: no item with others below it."""
    return not any(ITEM.match(line) for line in body.lines[piece.first + 1 : piece.stop])


def _said(piece: Piece, body: Body) -> str:
    return said(_text(piece, body))


def _text(piece: Piece, body: Body) -> str:
    return "".join(body.lines[piece.first : piece.stop])


def title_of(lines: Sequence[str], kinds: Sequence[Kind]) -> str:
    """Return the first heading of level 1, empty where there is none."""
    for line, kind in zip(lines, kinds, strict=True):
        if kind is Kind.HEADING and (found := heading_of(line)) and found[0] == 1:
            return shown(found[1])
    return ""
