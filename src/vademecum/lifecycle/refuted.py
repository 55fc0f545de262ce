"""What memory or a later telling speaks against: a corrected statement holds no longer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from vademecum.core.claims import Claim
from vademecum.core.patterns import later
from vademecum.core.provenance import Tag
from vademecum.lifecycle.day import proven
from vademecum.lifecycle.held import Held
from vademecum.lifecycle.recurring import Logs, Told
from vademecum.markdown.compare import NormalClaim, Related, compare, normalise, rivals
from vademecum.markdown.sentences import States
from vademecum.workspace.workspace import Workspace

_LEAD = later(
    r"(?i)^\W*(?:(?:actually|in fact|eigentlich|其实|実は)(?![a-z])[\s:：,，、]*"
    r"|(?:correction|update|nope|no|wait|sorry|wrong|korrektur|nein|doch|更正|纠正|不对|错了|不是"
    r"|訂正|いいえ)\s*[:：,，、;—–-]+\s*)+"
)


class Refuted:
    """Tells of statements whether they were corrected since; `person` is who writes here."""

    def __init__(self, workspace: Workspace, held: Held, logs: Logs, person: str) -> None:
        self._workspace = workspace
        self._person = person
        self._live = [
            (claim, claim.text.casefold()) for claim in held.live if claim.tag is not Tag.SUGGESTED
        ]
        self._told = logs.told

    def by_claim(self, text: str, own: Claim | None) -> bool:
        """Whether a live claim speaks against `text`; against the claim `own` one that is as new.

        What only the logs say is refuted by a claim of any day: a person has to settle it.
        """
        said = _bare(text)
        return any(
            claim is not own
            and any(word in folded for word in said.content)
            and (own is None or _is_as_new(claim, own))
            and _speaks_against(_bare(claim.text), said)
            for claim, folded in self._live
        )

    def by_log(self, text: str, own: Sequence[Told], since: date | None) -> bool:
        """Whether a log speaks against `text` after it was last told, in `own` or on `since`.

        A proposal or a page from outside corrects nothing.
        """
        said = _bare(text)
        words = frozenset(said.content)
        for one in reversed(self._told):
            if (own and one is own[-1]) or (since is not None and one.day < since):
                return False
            if words.isdisjoint(one.normal.content) or not self._is_correction(one, said):
                continue
            proof = proven(self._workspace, one.statement, self._person)
            if proof is not None and not proof.untrusted and proof.tag is not Tag.SUGGESTED:
                return True
        return False

    def _is_correction(self, one: Told, said: NormalClaim) -> bool:
        other = _bare(one.statement.text)
        if _speaks_against(other, said):
            return True
        # Of what is worded as a correction it is enough that it is about the same thing.
        related = isinstance(compare(other, said), Related) and not other.also
        return related and one.statement.states is States.CORRECTION and other.keys != said.keys


def _speaks_against(one: NormalClaim, other: NormalClaim) -> bool:
    return one.keys != other.keys and rivals(one, other)


def _is_as_new(claim: Claim, own: Claim) -> bool:
    return claim.since is None or own.since is None or claim.since >= own.since


def _bare(text: str) -> NormalClaim:
    """Return a sentence without the words that only say that it corrects another."""
    return normalise(_LEAD.sub("", text, count=1) or text)
