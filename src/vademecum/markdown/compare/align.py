"""Two claims laid side by side: the one span in which they differ."""

from __future__ import annotations

from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later
from vademecum.markdown.compare import words
from vademecum.markdown.compare.normalise import NormalClaim
from vademecum.markdown.compare.typed import kind_of, same_types
from vademecum.markdown.compare.values import of_one_family

_CJK_CONNECTORS = frozenset("是为為有在于は が を 吃 喝 用 需 要 达 共 到 从 每".replace(" ", ""))
_ADPOSITIONS = frozenset(
    [
        "in",
        "at",
        "on",
        "to",
        "for",
        "with",
        "by",
        "from",
        "of",
        "as",
        "about",
        "into",
        "over",
        "an",
        "am",
        "im",
        "auf",
        "bei",
        "für",
        "mit",
        "von",
        "zu",
        "zur",
        "zum",
        "aus",
        "als",
    ]
)
_PRESENT, _PAST = later(r"[a-zß-ÿ]+[^su]s"), later(r"[a-z]+ed")
_CJK_EVENT = {
    "chinese": later(r"了|过(?!敏|期|滤)|已经|发货|发布$"),
    "japanese": later(r"た$|済み"),
}
_JAPANESE_STATE = later(r"(?:に|で|へ)[\u3400-\u9fff]|を使")
_CJK_UNIT = later(
    r"[天元个只片次小时分钟秒人名米公里岁周页字度份台件位条克斤升%日間円回人匹冊枚歳]{1,3}"
)
_GERMAN_PRESENT = later(r"[a-zäöüß]{3,}t")
_GERMAN_ADPOSITIONS = frozenset({"um", "am", "im", "ab", "bis", "auf"})
_SPEAKERS = frozenset({"I", "We", "They", "You"})
_COPULAS = frozenset({"is", "are", "has", "have", "ist", "sind", "hat", "haben"})
_ARTICLES = frozenset({"a", "an", "the", "ein", "eine", "einen", "der", "die", "das", "den"})
_LONGEST_VALUE = 5


@dataclass(frozen=True, slots=True)
class Alignment:
    """Common start and end of two claims and what each has between them."""

    before: tuple[str, ...]
    new: tuple[str, ...]
    old: tuple[str, ...]
    after: tuple[str, ...]


def align(new: NormalClaim, old: NormalClaim) -> Alignment:
    """Lay two claims side by side; plural endings and case make no difference."""
    first, second = tuple(map(_bare, new.keys)), tuple(map(_bare, old.keys))
    shorter = min(len(first), len(second))
    start = 0
    while start < shorter and first[start] == second[start]:
        start += 1
    end = 0
    while end < shorter - start and first[-1 - end] == second[-1 - end]:
        end += 1
    stop_new, stop_old = len(first) - end, len(second) - end
    return Alignment(
        new.tokens[:start],
        new.tokens[start:stop_new],
        old.tokens[start:stop_old],
        new.tokens[stop_new:],
    )


def _bare(key: str) -> str:
    return key[:-1] if len(key) > 3 and key.endswith("s") and not key.endswith("ss") else key


def typed_update(new: NormalClaim, old: NormalClaim, found: Alignment) -> str:
    """Name the rule if the only difference is a number, date or time of one state; else ''."""
    if not same_types(found.new, found.old):
        return ""
    if new.script in ("chinese", "japanese"):
        return _cjk_typed(new, old, found)
    if any(token in words.EVENT_WORDS for token in found.before + found.after):
        return ""
    if any(token in _COPULAS for token in found.after):
        return ""  # the difference lies in the subject
    if not any(token in words.STATE_VERBS for token in found.before) and not _habit(found):
        return ""
    return "another number, date or version"


def _habit(found: Alignment) -> bool:
    """ "The flight lands at …": a verb of the present, then a small word, then the value."""
    german = found.before[-1] in _GERMAN_ADPOSITIONS
    present = _GERMAN_PRESENT if german else _PRESENT
    verbs = [token for token in found.before[1:] if present.fullmatch(token)]
    past = any(_PAST.fullmatch(token) for token in found.before)
    verbs += found.before[1:2] if found.before[0] in _SPEAKERS else []
    return bool(verbs) and not past and (german or found.before[-1] in _ADPOSITIONS)


def _measured(found: Alignment) -> bool:
    """ "日志保留14天": no connector, yet a number with its unit ends the claim."""
    unit = "".join(found.after)
    return len(found.before) > 2 and bool(_CJK_UNIT.fullmatch(unit)) and "已" not in found.before


def _cjk_typed(new: NormalClaim, old: NormalClaim, found: Alignment) -> str:
    if any(_CJK_EVENT[claim.script].search(claim.text) for claim in (new, old)):
        return ""
    connected = any(token in _CJK_CONNECTORS for token in found.before)
    if not (connected or _measured(found)) or kind_of(found.before[0]):
        return ""
    return "another number, date or version"


def family_update(found: Alignment) -> str:
    """Name the rule if the only difference is one of a family whose members exclude each other."""
    one_word = len(found.new) == len(found.old) == 1 and len(found.before + found.after) > 1
    if not one_word or any(token in words.SEVERAL for token in found.before):
        return ""
    return "another of one family" if of_one_family(found.new[0], found.old[0]) else ""


def now_update(new: NormalClaim, found: Alignment) -> str:
    """Name the rule if the new claim says that it is so now of a verb that holds one value."""
    if not new.now or not found.new or not found.old:
        return ""
    if max(len(found.new), len(found.old)) > _LONGEST_VALUE + (new.script != "latin") * 5:
        return ""
    if new.script == "japanese":
        return _now_in_japanese(new, found)
    if new.script == "chinese":
        kept = "".join(found.before)
        single = kept.endswith(("是", "住", "在", "开的是", "学", "发给", "交给", "归"))
        single = single or kept.endswith("用") and len(found.after) > 1  # for one purpose
        return "says what is so now" if single and len(kept) > 2 else ""
    if not _differ_in_value(found):
        return ""
    verbs = [token for token in found.before if not (token == "is" and _last(found)[-3:] == "ing")]
    if len(verbs) < 2:
        return ""
    several = any(token in words.MANY_VERBS for token in verbs)
    if several and not words.HELD_BY_ONE.search(" ".join(found.before)):
        return ""
    return "says what is so now"


def _now_in_japanese(new: NormalClaim, found: Alignment) -> str:
    """ "ログはGCSに保存する": は behind the subject, then the value, its particle and the verb."""
    kept, follows = "".join(found.before), "".join(found.after)
    single = kept.endswith("は") and len(kept) > 2 and _JAPANESE_STATE.match(follows)
    return "says what is so now" if single and "も" not in new.text else ""


def _differ_in_value(found: Alignment) -> bool:
    """Whether two claims differ in one value, and neither in their subject nor in their verb."""
    if found.new[0] in _ADPOSITIONS or found.old[0] in _ADPOSITIONS:
        return False
    if found.after and found.after[0] not in _ADPOSITIONS:
        return False  # a verb follows: the difference lies in the subject, "alerts of X go to …"
    if any(token.islower() for token in set(found.new) & set(found.old)):
        return False  # they differ before and behind a verb: another subject with another value
    if found.before and found.before[-1] in _ADPOSITIONS | _ARTICLES:
        return True
    # They may share their subject alone: "X runs in …", "X listens on …".
    return not (_begins_with_verb(found.new) or _begins_with_verb(found.old))


def _begins_with_verb(span: tuple[str, ...]) -> bool:
    """Whether a differing span holds a verb and not only its value, as far as its start tells."""
    first = span[0]
    if first in words.STATE_VERBS or first in words.MANY_VERBS or first in words.EVENT_WORDS:
        return True
    if len(span) < 2 or not (first.isalpha() and first.islower()):
        return False
    return span[1] in _ADPOSITIONS or not span[1][:1].islower()


def _last(found: Alignment) -> str:
    """The last shared word that is no article: the verb, where the value is last."""
    kept = [token for token in found.before if token.casefold() not in _ARTICLES]
    return kept[-1] if kept else ""
