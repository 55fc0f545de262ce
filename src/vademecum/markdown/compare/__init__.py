"""Compare a new claim with old ones without a model, and find which to compare it with."""

from vademecum.markdown.compare.candidates import ClaimIndex, slot_keys
from vademecum.markdown.compare.decide import OPEN_SLOT_LIKENESS, compare, rivals
from vademecum.markdown.compare.normalise import NormalClaim, normalise
from vademecum.markdown.compare.verdicts import (
    Contradicts,
    Related,
    Same,
    Unrelated,
    Updates,
    Verdict,
)

__all__ = [
    "OPEN_SLOT_LIKENESS",
    "ClaimIndex",
    "Contradicts",
    "NormalClaim",
    "Related",
    "Same",
    "Unrelated",
    "Updates",
    "Verdict",
    "compare",
    "normalise",
    "rivals",
    "slot_keys",
]
