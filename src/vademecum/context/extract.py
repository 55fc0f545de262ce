"""What of a conversation outlasts it, by rules: what its sentences state, names, paths."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator

from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later
from vademecum.markdown.kinds import Kind, classify, is_durable
from vademecum.markdown.wording import key_of

LONGEST_SENTENCE = 600
"""Characters; what is longer is a paragraph without an end, and is cut."""


class States(enum.StrEnum):
    """What a sentence states."""

    DECISION = "decision"
    CORRECTION = "correction"
    PREFERENCE = "preference"
    LESSON = "lesson"
    PERSON = "person"
    PROJECT = "project"
    TASK = "task"
    """What is left to be done."""
    QUESTION = "question"
    FACT = "fact"


LASTING = frozenset(
    (States.DECISION, States.CORRECTION, States.PREFERENCE, States.LESSON, States.PERSON)
    + (States.PROJECT,)
)
"""What is worth a line in memory when no model has judged it."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence and what it states."""

    text: str
    states: States


_FENCE = later(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_LEAD = later(r"\s*(?:>\s*)*(?:(?:[-*+]|\d+[.)]|#{1,6})\s+)?(?:\[[ xX]\]\s+)?")
_ENDS = later(
    r"(?<=[.!?])\s+(?=[^\Wa-zß-ÿ]|[\"'“(`])|(?<=[.!?][\"'”)])\s+(?=[^\Wa-zß-ÿ])"
    r"|(?<=[。！？])(?![”」』。！？])\s*"
)
_CORRECTION = later(
    r"(?i)^(?:no|nope|actually|correction|wait|sorry|nein|doch)\b[,:—– ]|\bactually\b"
    r"|\binstead(?: of)?\b|\bnot [^.]{1,40}, but\b|\brather than\b|\bi was wrong"
    r"|\bthat(?:'s| is) wrong"
    r"|\bno longer\b|\bnicht mehr\b|\bstattdessen\b|\bsondern\b"
    r"|^(?:不对|错了|其实|更正)|改成|改为|换成|而不是|不再|ではなく|もう使わ|訂正"
)
_DECISION = later(
    r"(?i)\b(?:let'?s (?:use|go|keep|stick|switch|stay|do|drop|make|call)|from now on"
    r"|stick(?:ing)? with|we(?:'re| are) (?:not )?(?:using|going|keeping|dropping)|go (?:with|for)"
    r"|(?:we|i)(?:'ll| will| won'?t)? (?:pick|picked|select|selected|keep|use|take|run|deploy|host)"
    r"|(?:we|i) (?:won'?t|will not|do not|don'?t) (?:support|need|use|do|build|ship)"
    r"|must(?:n'?t)?|is required|not allowed|hard limit|final answer"
    r"|ab jetzt|ab sofort|wir (?:bleiben|verwenden|nutzen|lassen|machen|behalten)|nehmen wir"
    r"|muss)\b"
    r"|^(?:final|plan|the plan|agreed|so|result)\s*[:：]"
    r"|就用|就选|统一用|统一使用|我们(?:都|就|会|将)?(?:用|使用|选|做|不做)|选择(?:用|了)|选了|以后都?用"
    r"|以后.{0,12}(?:都用|都要|要用)|从现在起|定了|方案[A-Za-z一二三四五甲乙丙]|不做了|放在|部署[在到]|必须|禁止"
    r"|これから|にしましょう|にします|しなければ"
)
_PREFERENCE = later(
    r"(?i)\bplease (?:always|never|only|answer|reply|respond|write|keep|be|do not|don'?t|stop)\b"
    r"|\b(?:answer|reply|respond|write)(?: to)?(?: me)? in [A-Z]"
    r"|\bi(?:'d| would)? (?:want|need) (?:no|all)\b"
    r"|\bbitte (?:immer|nie|nur|antworte|schreib|keine?)\b|\bich (?:will|möchte|brauche) keine?\b"
    r"|请(?:始终|一直|总是|只|用|不要|别)|用.{1,6}(?:回答|回复)|不想要|希望你"
)
_PERSON = later(
    r"(?i)\b(?:my|his|her|our) (?:name|birthday|e-?mail|team|boss|company|time ?zone) (?:is|are)\b"
    r"|\bcall me\b|\bich heiße\b|\bmein name\b|我叫|我的(?:名字|生日|邮箱|公司)|叫我|私の名前"
)
_TASK = later(
    r"(?i)\b(?:to-?do|fixme|still (?:need|have|open|missing)|remains? (?:open|to)|not yet"
    r"|open question|waiting for|blocked (?:by|on)|follow[- ]?up|later we|needs? to be|next step"
    r"|next,|next up"
    r"|offen|noch nicht|steht noch aus)\b|待办|还没|尚未|未完成|等待|下一步|接下来|まだ|残って|次に"
)
_FURTHER = (
    (_PREFERENCE, States.PREFERENCE),
    (_CORRECTION, States.CORRECTION),
    (_DECISION, States.DECISION),
    (_PERSON, States.PERSON),
    (_TASK, States.TASK),
)
"""What else people say when they settle something; the first that fits names it."""
_NAMED_URL = r"https?://[^\s<>()\"'`，。]+[^\s<>()\"'`，。.,;:!?]"
_URL = later(_NAMED_URL)
_IDENTIFIER = later(
    rf"{_NAMED_URL}"
    r"|\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"
    r"|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b"
    r"|(?<![\w-])[A-Z][A-Z0-9]{1,9}-\d{1,7}\b"
    r"|(?<![\w&])#\d{1,7}\b|\^[0-9a-z]{6,12}\b"
    r"|\bv?\d+\.\d+\.\d+(?:[-.+]\w+)*\b"
    r"|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b"
)
_FILE = later(
    r"(?<![\w/.@:+-])(?:~/|\.{0,2}/)?(?:[\w.@+-]+/)*[\w@+-][\w.@+-]*\."
    r"(?:py|pyi|md|mdx|tsx?|jsx?|mjs|json|jsonl|toml|ya?ml|rs|go|java|kt|swift|rb|php|cs|c|h|cc|cpp|hpp"
    r"|sh|zsh|sql|html?|css|scss|txt|csv|tsv|lock|ini|cfg|conf|env|xml|ipynb|proto|tf|ex|lua|r)\b"
    r"(?![\w/])"
)


def sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a text, each on one line, with what they state; code is left out."""
    for row in _FENCE.sub("\n", text).splitlines():
        found = _LEAD.match(row)
        for part in _ENDS.split(row[found.end() if found else 0 :]):
            said = " ".join(part.split())
            if said:
                yield Sentence(_shortened(said), states(said))


def states(said: str) -> States:
    """Return what one sentence states, by cue words; a fact where no rule fits."""
    if not is_durable(said):
        asks = said.rstrip().endswith(("?", "？"))
        return States.QUESTION if asks else States.FACT
    kind = classify(said).kind
    if kind in (Kind.LESSON, Kind.DECISION, Kind.PREFERENCE):
        return States(kind.value)
    for pattern, found in _FURTHER:
        if pattern.search(said):
            return found
    return States(kind.value)


def files_in(text: str) -> Iterator[str]:
    """Yield the paths of files that a text names."""
    for found in _FILE.finditer(_URL.sub(" ", text)):
        yield found[0]


def identifiers_in(text: str) -> Iterator[str]:
    """Yield what has to be kept to the letter: addresses, hashes, tickets, versions, variables."""
    for found in _IDENTIFIER.finditer(text):
        yield found[0]


def once(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the texts without those that say the same words as an earlier one."""
    found: dict[str, str] = {}
    for text in texts:
        found.setdefault(key_of(text) or text, text)
    return tuple(found.values())


def latest(texts: Iterable[str], most: int) -> tuple[str, ...]:
    """Return the last `most` different texts, each where it stands last."""
    found: dict[str, None] = {}
    for text in texts:
        found.pop(text, None)
        found[text] = None
    return tuple(found)[-most:]


def _shortened(said: str) -> str:
    return said if len(said) <= LONGEST_SENTENCE else said[: LONGEST_SENTENCE - 1] + "…"
