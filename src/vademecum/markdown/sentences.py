"""Sentences of a text and what each of them states, by cue words."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator
from datetime import date

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
    r"|^(?-i:(?!The |This |That |It |There |Who |What )[A-ZÄÖÜ][\w’'-]+(?: [A-ZÄÖÜ][\w’'-]+)?) "
    r"(?:is|was|becomes|ist|wird)(?: now| jetzt)?(?: the| our| an?| der| die| unsere?| eine?)?"
    r"(?: new| interim| acting| neue[rn]?| künftige[rn]?)?(?: [\w-]+)? ?"
    r"(?:owner|manager|lead|leader|head|director|officer|cto|ceo|cfo|coo|designer|developer|engineer"
    r"|architect|analyst|maintainer|administrator|admin|tester|intern|accountant|boss|contact"
    r"|scrum master|\w*chefin?|\w*leiter(?:in)?|\w*verantwortliche[r]?|entwickler(?:in)?"
    r"|ansprechpartner(?:in)?|geschäftsführer(?:in)?)"
    r"(?=\W*\Z|\s*[,;.]|\s+(?:of|for|at|in|on|now|and|since|from|von|für|bei|im|seit|und)\b)"
    r"|(?:是|担任)(?:新任?的?|我们的?)?[^，。是]{0,6}(?:负责人|经理|总监|主管|组长|设计师|工程师|联系人)[。.]?\Z"
    r"|\bcall me\b|\bich heiße\b|\bmein name\b|我叫|我的(?:名字|生日|邮箱|公司)|叫我|私の名前"
)
_TASK = later(
    r"(?i)\b(?:to-?do|fixme|still (?:need|have|open|missing)|remains? (?:open|to)|not yet"
    r"|open question|waiting for|blocked (?:by|on)|follow[- ]?up|later we|needs? to be|next step"
    r"|next,|next up"
    r"|offen|noch nicht|steht noch aus)\b|待办|还没|尚未|未完成|等待|下一步|接下来|まだ|残って|次に"
)
_PLANNED = later(
    r"(?i)^(?:the )?plan\s*[:：]\s*(?!we\b|i\b|wir\b|ich\b)(?:(?:finish|complete|fix|write|ship"
    r"|deploy|migrate|implement|add|remove|test|review|clean|update|upgrade|call|ask|check|prepare|release"
    r"|refactor|rewrite|build|import|move|set up|start|continue|investigate|read|send|talk|meet"
    r"|draft|document|merge|close|open|try|look|get|make|do|create|publish|replace|rename|delete"
    r"|measure|schedule|run|install|configure|debug|split|clear|repair|mend|order|buy|visit)\b"
    r"|(?!.*\bwir\b)(?=.*\b(?:den|die|das|der|dem|ein\w*|zum|zur|mit|für)\b).{3,80}\b\w{2,}(?:en|ern|eln)\W*\Z)"
    r"|^(?:计划|打算)[:：](?:完成|修|写|做|改|发布|部署|测试|检查|准备|迁移|更新|联系|整理)"
)
"""A plan that only says what is to be done; one that says how things will be is a decision."""
_FURTHER = (
    (_PREFERENCE, States.PREFERENCE),
    (_CORRECTION, States.CORRECTION),
    (_DECISION, States.DECISION),
    (_PERSON, States.PERSON),
    (_TASK, States.TASK),
)
"""What else people say when they settle something; the first that fits names it."""


_SAID_ON = later(r"\s\(said (\d{4}-\d{2}-\d{2})\)\s*\Z")


def sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a text, each on one line, with what they state; code is left out."""
    for row in _FENCE.sub("\n", text).splitlines():
        found = _LEAD.match(row)
        for said in parts_of(row[found.end() if found else 0 :]):
            yield Sentence(_shortened(said), states(said))


def parts_of(text: str) -> Iterator[str]:
    """Yield the sentences of a text as they stand in it, with single blanks."""
    for part in _ENDS.split(text):
        if said := " ".join(part.split()):
            yield said


def dated(said: str, day: date) -> str:
    """Return a sentence that is written down later with the day on which it was said."""
    return f"{said} (said {day.isoformat()})"


def undated(text: str) -> tuple[str, date | None]:
    """Return a sentence without the day that `dated` put behind it, and that day."""
    found = _SAID_ON.search(text)
    if found is None:
        return text, None
    try:
        return text[: found.start()].rstrip(), date.fromisoformat(found[1])
    except ValueError:
        return text, None


def states(said: str) -> States:
    """Return what one sentence states, by cue words; a fact where no rule fits."""
    if not is_durable(said):
        asks = said.rstrip().endswith(("?", "？"))
        return States.QUESTION if asks else States.FACT
    kind = classify(said).kind
    if kind in (Kind.LESSON, Kind.DECISION, Kind.PREFERENCE):
        return States(kind.value)
    if _PLANNED.match(said):
        return States.TASK
    for pattern, found in _FURTHER:
        if pattern.search(said):
            return found
    return States(kind.value)


def once(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the texts without those that say the same words as an earlier one."""
    found: dict[str, str] = {}
    for text in texts:
        found.setdefault(key_of(text) or text, text)
    return tuple(found.values())


def _shortened(said: str) -> str:
    return said if len(said) <= LONGEST_SENTENCE else said[: LONGEST_SENTENCE - 1] + "…"
