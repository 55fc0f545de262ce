"""A claim that names what does not hold instead of its value: "pnpm, not npm", ではなく."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later
from vademecum.markdown.compare.typed import listed

_OTHER = (
    r"(?!(?:only|just|even|yet|always|because|if|when|until|that|all|any|nur|mehr|immer|weil|wenn)"
    r"(?!\w))"
)
"""Words behind "not" that deny no value."""
_LATIN = later(
    rf"^(?P<p>.+?)(?:, (?:and |und )?(?:not|nicht)|,? rather than) (?P<y>{_OTHER}[^,;.]{{1,40}}?)"
    r"(?P<q>, .*)?$"
)
_CHINESE = later(
    r"^(?P<p>.+?)(?:[,、]?(?:而不是|而非)|[,、](?:不是|不要|不用|不再用|别))(?P<y>[^,、]{1,20}?)"
    r"(?P<q>[,、].*)?$"
)
_JAPANESE = later(
    r"^(?P<p>.*[はがをにで、 ])??"
    r"(?P<y>[A-Za-z0-9][A-Za-z0-9._+# -]*|[ァ-ヺー]+|[\u3400-\u9fff]{1,8})"
    r"(?:ではなく|じゃなくて?|でなく)、?(?P<q>.+)$"
)
_EDGE = "\"'“”„.,:;!?()"
_MOST_WORDS = 5
_LONGEST_VALUE = {"latin": 4, "chinese": 10, "japanese": 8, "korean": 0}
_ADPOSITIONS = frozenset(listed("to on for with by from zu auf für mit von bei über into onto"))
_NO_CONTENT = frozenset(
    listed(
        "a an the is are am be was were in at should shall must will would has have had need needs "
        "der die das den dem des ein eine einen ist sind sein soll sollte sollen sollten muss "
        "müssen wird werden würde bitte please always"
    )
)
_MODAL = later(r"\b(?:is|are|am|ought|has|have|need|needs) to (?=[a-z])")
_CHINESE_MODAL = later(r"应该|应当|必须|需要|请|应(?=[^用])|[了是的地得过再有在要]")
_CHINESE_USE = later(r"使用|采用|改用|用")
_KANA = later(r"[ぁ-ん]+|[、。]")
_CJK_WORD = later(r"[A-Za-z0-9][A-Za-z0-9._+#-]*|[ァ-ヺー]+|[^\W_]")
_PLURAL, _ENDING = later(r"(?<=[^s])s$"), later(r"(?:ing|ed|et|en|e|t)$")


@dataclass(frozen=True, slots=True)
class Contrast:
    """What a claim says holds, with the value that it says does not."""

    positive: str
    """The claim without the denial."""
    at: int
    """Where the denial stood in `positive`: the value that holds is next to it."""
    denied: str


def contrast_of(text: str, script: str) -> Contrast | None:
    """Return the contrast that a text draws; None where it draws none."""
    pattern = {"latin": _LATIN, "chinese": _CHINESE, "japanese": _JAPANESE}.get(script)
    found = pattern.match(text) if pattern else None
    if found is None or len(found["y"].split()) > _MOST_WORDS:
        return None
    before, behind = found["p"] or "", found["q"] or ""
    if script == "latin":
        behind = re.sub(r"^, ", " ", behind)
    return Contrast(before + behind, len(before), found["y"].strip())


def names_old_value(contrast: Contrast, old: str, script: str) -> str:
    """Name the rule if `old` says of the denied value what `contrast` says of the one that holds.

    Word by word, whatever the order: what is left of the new claim then is its value, in one piece
    of a few words. So "tests use pytest, not unittest" leaves those alone that say something more.
    """
    left = _roots(contrast.positive[: contrast.at], script)
    right = _roots(contrast.positive[contrast.at :], script)
    denied, held = _roots(contrast.denied, script), _roots(old, script)
    said = left + right
    rest = Counter(held)
    rest.subtract(denied)
    if not denied or min(rest.values(), default=0) < 0 or not +rest:
        return ""
    value = _left_over(said, +rest)
    if value is None or not 0 < len(value) <= _LONGEST_VALUE[script]:
        return ""
    alike = value[0] == denied[0] and value[0] in _ADPOSITIONS
    if any(word in _ADPOSITIONS for word in value[alike:]) or value == denied:
        return ""
    return "names what it replaces"


def _left_over(said: Sequence[str], rest: Counter[str]) -> Sequence[str] | None:
    """Return the run of words in `said` without which it is `rest`; None where there is none."""
    length = len(said) - rest.total()
    for start in range(len(said) - length + 1 if length > 0 else 0):
        if Counter((*said[:start], *said[start + length :])) == rest:
            return said[start : start + length]
    return None


def _roots(text: str, script: str) -> list[str]:
    if script == "chinese":
        plain = _CHINESE_USE.sub("用", _CHINESE_MODAL.sub("", text))
        return [word.casefold() for word in _CJK_WORD.findall(plain)]
    if script == "japanese":
        return [word.casefold() for word in _CJK_WORD.findall(_KANA.sub(" ", text))]
    words = (word.strip(_EDGE).casefold() for word in _MODAL.sub("", text).split())
    return [_root(word) for word in words if word and word not in _NO_CONTENT]


def _root(word: str) -> str:
    return _ENDING.sub("", _PLURAL.sub("", word)) if len(word) > 2 else word
