"""What sort of thing a sentence says: decision, lesson, preference, person, project or fact.

Rules over cue words in English, German, Chinese and Japanese; the first rule that fits names the
kind. They route a claim to its folder and find what lasts in a log entry, so each is conservative:
what none of them recognises is a fact.
"""

from __future__ import annotations

import enum
import re

from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later


class Kind(enum.StrEnum):
    """The kinds of claim, each with a folder of its own."""

    DECISION = "decision"
    LESSON = "lesson"
    PREFERENCE = "preference"
    PERSON = "person"
    PROJECT = "project"
    FACT = "fact"


@dataclass(frozen=True, slots=True)
class Classified:
    """A kind and the rule that chose it."""

    kind: Kind
    rule: str


_RULES: tuple[tuple[Kind, str, re.Pattern[str]], ...] = tuple(
    (kind, rule, later(pattern))
    for kind, rule, pattern in (
        (
            Kind.LESSON,
            "lesson-word",
            r"(?i)\b(?:lessons?(?: learn(?:ed|t))?\b|learn(?:ed|t) (?:that"
            r"|to|the hard way)|takeaway"
            r"|next time\b|never again|root cause|post-?mortem|gotcha|pitfall|rule of thumb"
            r"|turns out|in hindsight|erkenntnis|gelernt|beim nächsten mal|merke[: ])"
            r"|教训|经验(?:是|：|:)|学到|吸取|踩坑|下次(?:要|应|不)|根因|教訓|学んだ|次回は|反省",
        ),
        (
            Kind.LESSON,
            "always-or-never-do",
            r"(?i)^(?:always|never|don'?t|do not|avoid|make sure|immer|niemals|nie|vermeide)\b"
            r"|^(?:务必|切勿|不要|永远不要|一定要|必ず|絶対に)",
        ),
        (
            Kind.DECISION,
            "decision-word",
            r"(?i)\b(?:decid(?:e|ed|es|ing)|decisions?\b|agreed (?:to"
            r"|on|that)|settled on|chose|chosen"
            r"|opt(?:ed|ing)? (?:for|to)|going with|went with"
            r"|we(?:'ll| will| are going to) (?:use|go"
            r"|adopt|switch|move|migrate|drop|keep)|approved|ruled (?:that|out)|resolved to"
            r"|entschieden|entscheidung|beschlossen|einigten? uns"
            r"|wir (?:nehmen|setzen auf|wechseln))"
            r"|决定|决议|敲定|拍板|选定|改用|采用|定为"
            r"|商定|一致同意|決定|決めた|決まった|採用(?:する|した)",
        ),
        (
            Kind.PREFERENCE,
            "preference-word",
            r"(?i)\b(?:prefers?|preferred|preference|likes?|loves?|dislikes?|hates?|favou?rites?"
            r"|(?:would|'d) rather|fond of|wants? (?:replies|answers"
            r"|responses|reports|updates|to be)"
            r"|bevorzug\w*|mag\b|mögen\b|lieblings\w*|(?:am )?liebsten|lieber)"
            r"|喜欢|偏好|偏爱|更愿意|讨厌|不喜欢|最爱|习惯(?:用"
            r"|在|于)|希望(?:回复|回答)|好き|嫌い|好む|好み",
        ),
        (
            Kind.PERSON,
            "personal-relation",
            r"(?i)\b(?:lives? in|moved to|works? (?:at|for|as)|born (?:in|on)|married|birthday"
            r"|(?:his|her|their) (?:wife|husband|partner|son|daughter"
            r"|dog|cat|phone|email|role|title)"
            r"|wohnt in|arbeitet (?:bei|als)|geburtstag|verheiratet"
            r"|zog nach|allergic to|vegetarian|vegan)"
            r"|住在|搬到|就职于|任职|生日|结婚|妻子|丈夫"
            r"|儿子|女儿|过敏|に住んでいる|に引っ越した|勤めて|誕生日|結婚",
        ),
        (
            Kind.PROJECT,
            "project-word",
            r"(?i)\b(?:projects?|milestone|roadmap|release(?! notes?)|deadline"
            r"|sprint|launch(?:es|ed)?|ships? on"
            r"|backlog|deliverable|projekts?|meilenstein|frist)\b"
            r"|项目|里程碑|上线|发布|截止|版本计划|迭代|プロジェクト|リリース|締め切り|納期",
        ),
    )
)

_TRIVIAL = later(
    r"(?i)^\W*(?:(?:ok(?:ay)?|yes|no|sure|thanks?(?: you)?|thx|hi"
    r"|hello|hey|bye|good (?:morning|night"
    r"|evening|afternoon)|great|cool|nice|lol|done|ja|nein"
    r"|danke|hallo|tschüss|好的?|谢谢|嗯+|你好|再见"
    r"|はい|いいえ|ありがとう(?:ございます)?|こんにちは)(?:\W+|$))+$"
)
_QUESTION = later(r"[?？]\s*$")


def classify(text: str) -> Classified:
    """Return the kind of `text` and the rule that says so; a fact where no rule fits."""
    for kind, rule, pattern in _RULES:
        if pattern.search(text):
            return Classified(kind, rule)
    return Classified(Kind.FACT, "no-cue")


def is_durable(text: str) -> bool:
    """Return False for what nobody will look for tomorrow: greetings, thanks, bare questions."""
    stripped = text.strip()
    return bool(stripped) and not _TRIVIAL.match(stripped) and not _QUESTION.search(stripped)
