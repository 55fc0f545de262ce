"""One claim denies what another says: ended, or contradicted."""

from __future__ import annotations

from vademecum.markdown.compare.normalise import NormalClaim
from vademecum.markdown.compare.verdicts import Contradicts, Related, Unrelated, Verdict

_ENOUGH = 2
_MOST_LEFT_OUT = 4


def compare_negation(new: NormalClaim, old: NormalClaim) -> Verdict | str:
    """Compare claims of which exactly one is negated; a plain string names the rule of a strike."""
    if not _same_content(new, old):
        return Related("denies something near") if _shares_start(new, old) else Unrelated()
    if new.negation == "ended":
        return "says that it is no longer so"
    if old.negation == "ended":
        return "says that it is so again"
    if old.negation == "plain" and new.now:
        return "says that it is so now"
    return Contradicts("one denies the other")


def _same_content(new: NormalClaim, old: NormalClaim) -> bool:
    """The denied content is the other's, or a shorter way to say it with the same beginning."""
    if len(new.content) < _ENOUGH or len(old.content) < _ENOUGH:
        return False
    if sorted(new.content) == sorted(old.content):
        return True
    if new.script in ("chinese", "japanese"):
        return False
    denied, said = (new, old) if new.negation != "none" else (old, new)
    if len(said.content) - len(denied.content) > _MOST_LEFT_OUT:
        return False
    return len(denied.content) > _ENOUGH and said.content[: len(denied.content)] == denied.content


def _shares_start(new: NormalClaim, old: NormalClaim) -> bool:
    return bool(new.content and old.content and new.content[0] == old.content[0])
