"""Two values of one slot: equal, one inside the other, of another kind, or rivals."""

from __future__ import annotations

import re
from typing import Literal

from vademecum.core.patterns import later
from vademecum.markdown.compare import words
from vademecum.markdown.compare.frames import Frame
from vademecum.markdown.compare.normalise import Script, tokenise
from vademecum.markdown.compare.slots import names_slot
from vademecum.markdown.compare.typed import kinds_of, same_types, temporal

Meeting = Literal["equal", "contained", "other kind", "rivals"]

_TAIL = later(
    r"(?:^| )(?:(?:on|every|each) (?:mon|tues|wednes|thurs|fri|satur|sun)days?\w*|"
    r"on (?:weekdays|weekends)|"
    r"in (?:the )?(?:summer|winter|spring|autumn|fall|mornings?|evenings?|afternoons?)|"
    r"at (?:night|weekends)|"
    r"during .+|when .+|while .+|every (?:day|week|month|year)|(?:mon|diens|donners|frei|sams|"
    r"sonn)tags|mittwochs|"
    r"(?:im (?:sommer|winter|frühling|herbst))|am wochenende|wenn .+|während .+)$",
    re.IGNORECASE,
)
_CJK_TAIL = later(
    r"(?:周|星期)[一二三四五六日天]|[月火水木金土日]曜日|週末|周末|夏天|冬天|夏|冬|"
    r"毎[日週月朝晩]|每[天周月年]|的时候|の時"
)
_LONGEST, _LONGEST_CJK = 10, 24
"""Values longer than this, in tokens, are explanations."""
_CLASSES = later(
    r"(?:type|kind|genre|language|sport|music|colou?r|religion|style|theme|favou?rite|"
    r"preferred|default|goal|status|port|version|priority|mode|lieblings|standard|farbe|sprache)",
    re.IGNORECASE,
)
_LONGEST_NAME = 3
_AMOUNTS = ("costs", "weighs", "lasts", "keeps for")
"""Relations whose values are numbers: rivals only in the same unit."""
_CAPITAL = later(r"[A-ZÀ-ÞŠŽČŁ]")


def meet(new: Frame, old: Frame, script: Script) -> Meeting:
    """Say how the values of two frames of one slot stand to each other."""
    first, second = _tokens(new, script), _tokens(old, script)
    if first == second:
        return "equal"
    if max(len(first), len(second)) > (_LONGEST if script == "latin" else _LONGEST_CJK):
        return "other kind"
    if not first or not second or _contained(first, second, script):
        return "contained"
    if _of_other_kind(new, old, script):
        return "other kind"
    return "rivals"


def _tokens(frame: Frame, script: Script) -> tuple[str, ...]:
    return tuple(token.casefold() for token in tokenise(frame.value, script))


def _contained(first: tuple[str, ...], second: tuple[str, ...], script: Script) -> bool:
    shorter, longer = sorted((first, second), key=len)
    if script in ("chinese", "japanese"):
        return "".join(shorter) in "".join(longer)
    return set(shorter) <= set(longer)


def _of_other_kind(new: Frame, old: Frame, script: Script) -> bool:
    first, second = tokenise(new.value, script), tokenise(old.value, script)
    if (temporal(first) and temporal(second)) or opposite_states(new, old):
        return False
    if same_types(first, second):
        return _tail(new.value) != _tail(old.value)
    return (
        new.relation in _AMOUNTS
        or bool(kinds_of(first)) != bool(kinds_of(second))
        or (not new.changed and bool(new.preposition) != bool(old.preposition))
        or _tail(new.value) != _tail(old.value)
        or _narrows(new, old)
        or (script == "chinese" and "的" in (new.value[-1], old.value[-1]))
        or (script == "latin" and _unlike_names(new, old))
    )


def _tail(value: str) -> str:
    found = _TAIL.search(value) or _CJK_TAIL.search(value)
    return found.group(0).casefold().strip() if found else ""


def _narrows(new: Frame, old: Frame) -> bool:
    """A city after its country says more, not something else."""
    if new.relation not in ("lives", "works in", "located", "is", "happened"):
        return False
    return (new.value.casefold() in words.COUNTRIES) != (old.value.casefold() in words.COUNTRIES)


def _unlike_names(new: Frame, old: Frame) -> bool:
    """ "The database is PostgreSQL" and "the database is slow" speak of different things."""
    if new.relation not in ("is", "works in") or _CLASSES.search(new.subject):
        return False
    if new.relation == "works in" and new.value.isupper() != old.value.isupper():
        return True
    if new.changed or old.changed:
        return False
    named = [bool(_CAPITAL.search(frame.value)) for frame in (new, old)]
    if any(named) or names_slot(new.subject):
        return named[0] != named[1]
    if "single" not in (new.strength, old.strength):
        return False
    return new.article != old.article or not new.article


def both_names(new: Frame, old: Frame) -> bool:
    """Whether both values are proper names: a capital in every word, no number, no article."""
    return all(
        not frame.article
        and not frame.preposition
        and len(frame.value.split()) <= _LONGEST_NAME
        and all(_CAPITAL.search(word) for word in frame.value.split())
        for frame in (new, old)
    )


def share_a_head(new: Frame, old: Frame, script: Script) -> bool:
    """Whether two preferences are of one kind: "dark mode" and "light mode"."""
    if script == "latin":
        first, second = new.value.casefold().split(), old.value.casefold().split()
        return len(first) > 1 and len(second) > 1 and first[-1] == second[-1]
    size = 0
    for one, other in zip(reversed(new.value), reversed(old.value), strict=False):
        if one != other:
            break
        size += 1
    return 2 <= size < min(len(new.value), len(old.value))


def opposite_states(new: Frame, old: Frame) -> bool:
    """Whether two values are states that exclude each other ("enabled", "disabled")."""
    row = words.STATE_OF.get(new.value.casefold(), words.STATE_OF.get(new.value))
    return row is not None and row == words.STATE_OF.get(
        old.value.casefold(), words.STATE_OF.get(old.value)
    )


def of_one_family(new: str, old: str) -> bool:
    """Whether two values are known to be chosen one instead of the other ("REST", "GraphQL")."""
    family = words.FAMILY_OF.get(new.casefold())
    return family is not None and new != old and family == words.FAMILY_OF.get(old.casefold())
