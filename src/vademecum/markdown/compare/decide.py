"""Decide what a new claim does to an old one: the rules in their order."""

from __future__ import annotations

from vademecum.markdown.compare.align import align, family_update, now_update, typed_update
from vademecum.markdown.compare.contrast import names_old_value
from vademecum.markdown.compare.frames import Frame, owners
from vademecum.markdown.compare.negation import compare_negation
from vademecum.markdown.compare.normalise import NormalClaim, tokenise
from vademecum.markdown.compare.typed import same_types
from vademecum.markdown.compare.values import (
    both_names,
    meet,
    of_one_family,
    opposite_states,
    share_a_head,
)
from vademecum.markdown.compare.verdicts import (
    Contradicts,
    Related,
    Same,
    Unrelated,
    Updates,
    Verdict,
)

OPEN_SLOT_LIKENESS = 0.90
"""Cosine above which two values of an open slot, the new one said to hold now, are put before a
person. Without that cue no cosine tells "a nurse, a carpenter" from "a pilot, left-handed"."""
_UNLIKE = Related("another kind of value")


def compare(new: NormalClaim, old: NormalClaim, likeness: float | None = None) -> Verdict:
    """Say what ``new`` does to ``old``, the later claim given first.

    ``likeness`` is the cosine of the two claims' vectors; without it no open slot is a conflict.
    Never strikes on likeness. Where no rule is sure, both claims stay: Related or Unrelated.
    """
    if new.keys == old.keys and new.negation == old.negation:
        if new.contrast and new.contrast != old.contrast:
            return Related("says besides what does not hold")
        return _same(new, old, "the same words")
    if (new.negation == "none") != (old.negation == "none"):
        denied = compare_negation(new, old)
        return Updates(denied) if isinstance(denied, str) else denied
    if new.negation != "none":
        return _both_denied(new, old)
    if new.asks or old.asks:
        return Unrelated("a question claims nothing")
    if new.also or old.also:
        return Related("adds to others") if _one_subject(new, old) else Unrelated()
    drawn = new.contrast if new.script == old.script else None
    if drawn and (replaced := names_old_value(drawn, old.text, new.script)):
        return Updates(replaced)
    return (
        _by_frames(new, old)
        or _by_alignment(new, old)
        or _by_likeness(new, old, likeness)
        or _rest(new, old)
    )


def rivals(first: NormalClaim, second: NormalClaim) -> bool:
    """Whether two claims give different values to one slot, so that the newer counts.

    Symmetric: either order of the two may be the one in which a rule sees the change.
    """
    found = compare(first, second), compare(second, first)
    return any(isinstance(verdict, Updates | Contradicts) for verdict in found)


def _same(new: NormalClaim, old: NormalClaim, rule: str) -> Verdict:
    return Related("adds since when") if new.when and new.when != old.when else Same(rule)


def _both_denied(new: NormalClaim, old: NormalClaim) -> Verdict:
    if new.content == old.content and new.negation == old.negation and new.keys == old.keys:
        return _same(new, old, "the same words")
    return Related("both deny something") if new.content[:1] == old.content[:1] else Unrelated()


def _by_frames(new: NormalClaim, old: NormalClaim) -> Verdict | None:
    replaced = _names_replaced(new, old)
    if replaced:
        return Updates(replaced)
    unlike: Verdict | None = None
    for frame in new.frames:
        for other in old.frames:
            if frame.slot == other.slot:
                verdict = _one_slot(frame, other, new, old)
                if verdict and verdict != _UNLIKE:
                    return verdict
                unlike = verdict or unlike  # another reading of both may know the values better
    return unlike


def _one_slot(frame: Frame, other: Frame, new: NormalClaim, old: NormalClaim) -> Verdict | None:
    meeting = meet(frame, other, new.script)
    if meeting == "equal":
        said_twice = frame.relation in ("attribute", "means")
        sure = said_twice or frame.strength == other.strength == "single"
        return (
            _same(new, old, "the same value of the same slot")
            if sure
            else Related("the same value")
        )
    if frame.strength == "preference":
        return _preference(frame, other, new)
    if meeting == "contained":
        return Related("says more or less of the same value")
    if meeting == "other kind":
        return _UNLIKE
    if of_one_family(frame.value, other.value):
        return Updates("another of one family")
    if "many" in (frame.strength, other.strength):
        return None
    rule = _update_rule(frame, other, new)
    return Updates(rule) if rule else None


def _update_rule(frame: Frame, other: Frame, new: NormalClaim) -> str:
    if frame.changed and frame.relation == "is":
        values = tokenise(frame.value, new.script), tokenise(other.value, new.script)
        return frame.rule if other.strength == "single" or same_types(*values) else ""
    if new.now and frame.relation == "attribute":
        return frame.rule
    if "single" in (frame.strength, other.strength):
        return frame.rule if frame.strength == "single" else other.rule
    if frame.strength == other.strength == "definite" and both_names(frame, other):
        return "the one of that name"
    if opposite_states(frame, other):
        return "the opposite state"
    values = tokenise(frame.value, new.script), tokenise(other.value, new.script)
    return "another number, date or version" if same_types(*values) else ""


def _preference(frame: Frame, other: Frame, new: NormalClaim) -> Verdict:
    gone, kept = frame.replaces.casefold(), other.value.casefold()
    if gone and gone == kept:
        return Updates("prefers it to the old value")
    if share_a_head(frame, other, new.script):
        return Updates(frame.rule)
    return Related("another preference")


def _names_replaced(new: NormalClaim, old: NormalClaim) -> str:
    """A change that names the value it ends ("from X to Y") strikes the claim of that value."""
    for frame in new.frames:
        if not frame.replaces or not frame.changed:
            continue
        gone = frame.replaces.casefold()
        for other in old.frames:
            if other.value.casefold() == gone and owners(other) & owners(frame):
                return "names what it replaces"
    return ""


def _by_alignment(new: NormalClaim, old: NormalClaim) -> Verdict | None:
    if new.script != old.script:
        return None
    found = align(new, old)
    if not found.before:
        return None
    rule = typed_update(new, old, found) or family_update(found) or now_update(new, found)
    return Updates(rule) if rule else None


def _by_likeness(new: NormalClaim, old: NormalClaim, likeness: float | None) -> Verdict | None:
    if likeness is None or likeness < OPEN_SLOT_LIKENESS or not new.now:
        return None
    slots = {frame.slot for frame in new.frames if frame.strength == "open"}
    if any(frame.slot in slots for frame in old.frames):
        return Contradicts("an open slot, said to be otherwise now")
    return None


def _rest(new: NormalClaim, old: NormalClaim) -> Verdict:
    shorter, longer = sorted((set(new.keys), set(old.keys)), key=len)
    if shorter and shorter <= longer:
        return Related("one says more")
    return Related("the same subject") if _one_subject(new, old) else Unrelated()


def _one_subject(new: NormalClaim, old: NormalClaim) -> bool:
    return bool(new.content and old.content and new.content[0] == old.content[0])
