"""What a piece of text is: behaviour that is asked of an agent, a fact, or words for a model."""

from __future__ import annotations

import re

from vademecum.core.patterns import later
from vademecum.markdown.kinds import Kind, classify

_IMPERATIVE = later(
    r"(?i)^\W*(?:please\s+|bitte\s+)?(?:(?:when|whenever|before|after|if|unless|once|for)\b[^.]{2,80}?,\s*)?"
    r"(?:always|never|don'?t|do not|avoid|ensure|make sure|be\b|prefer|use|run|keep|write|follow"
    r"|ask|check|add|include|exclude|reply|respond|answer|speak|call|name|put|place|read|test"
    r"|update|commit|push|format|lint|fix|handle|return|create|delete|remove|stop|start|try"
    r"|remember to|treat|assume|verify|confirm|report|explain|summari[sz]e|document|review|wrap"
    r"|limit|stay|act|address|greet|think|plan|propose|suggest|offer|consult|look|search|stick"
    r"|refer|respect|act as|act like|start with|end with|let|leave|give|show|provide|only\b"
    r"|immer|niemals?|verwende|benutze|antworte|schreibe?|vermeide|frage?|prüfe|halte|nutze"
    r")(?![\w'’])(?!(?<!always)(?<!never)\s*[:：]\s*`)"
)
_MODAL = later(
    r"(?i)\byou(?:r (?:job|role|task|tone|replies|answers|responses))?\b.{0,30}"
    r"\b(?:must|should|shall|may not|can'?t|cannot|are|is|need to|have to|will)\b"
    r"|\b(?:must|should|shall)(?: not|n'?t| never| always| be)?\b"
    r"|\b(?:du|sie) (?:sollst|sollen|musst|müssen|darfst)\b"
    r"|^(?:务必|切勿|请|不要|永远|始终|必须|应当?|总是)|必ず|してください|絶対に|しないで"
)
_POINTER = later(r"\s*@[\w~./-]+\s*\Z")
_RULE_HEADING = later(
    r"(?i)\b(?:rules?|polic(?:y|ies)|style|conventions?|guidelines?|workflow|instructions?"
    r"|behaviou?r|tone|voice"
    r"|do(?:'s|s)?(?: and|/| &)? don'?t|always|never|persona|identity|soul|how to|boundar\w+"
    r"|principles|standards|etiquette|safety|tools?|heartbeat|checklist|regeln|stil|verhalten)\b"
    r"|规则|规范|风格|准则|行为|ルール|規約|方針"
)
_FACT_HEADING = later(
    r"(?i)\b(?:architecture|overview|about|background|people|team|contacts?|facts?|context|stack"
    r"|structure|decisions?|history|glossary|environment|preferences|memor(?:y|ies)|notes|status"
    r"|projects?|layout|who|where|lessons?|commands|setup|known|personen|fakten|entscheidungen)\b"
    r"|架构|概述|背景|人物|团队|事实|决定|项目|偏好|構成|概要|決定|メンバー"
)
_FOLDERS = (
    (Kind.DECISION, later(r"(?i)decision|entscheid|决定|決定|adr")),
    (Kind.LESSON, later(r"(?i)lesson|learn|gotcha|pitfall|mistake|post-?mortem|教训|学んだ")),
    (Kind.PREFERENCE, later(r"(?i)prefer|likes|taste|vorlieb|偏好|喜好|好み")),
    (
        Kind.PERSON,
        later(r"(?i)people|person|team|contact|who is|about (?:me|the user)|人物|メンバー"),
    ),
    (Kind.PROJECT, later(r"(?i)project|roadmap|milestone|projekt|项目|プロジェクト")),
)


def is_behaviour(text: str, headings: tuple[str, ...]) -> bool:
    """Whether a piece of a file that a person wrote for an agent says how to behave.

    What is worded as an order is, except below a heading of decisions; what is not goes by the
    nearest heading that tells, and is a fact where none does.
    """
    decided = any("decision" in heading.casefold() for heading in headings[-1:])
    if _POINTER.match(text):
        return True
    bare = re.sub(r"^[\s>*+-]*(?:\d+[.)]\s+)?(?:\*\*[^*]{1,40}:?\*\*:?\s*)?", "", text)
    if not decided and (_IMPERATIVE.match(bare) or _MODAL.search(bare)):
        return True
    for heading in reversed(headings):
        if _FACT_HEADING.search(heading):
            return False
        if _RULE_HEADING.search(heading):
            return True
    return False


def kind_of_section(headings: tuple[str, ...], texts: list[str]) -> Kind:
    """Return the kind of note that a section becomes: by its heading, else by most of its text."""
    for heading in reversed(headings):
        for kind, pattern in _FOLDERS:
            if pattern.search(heading):
                return kind
    votes = [classify(text).kind for text in texts]
    return max(dict.fromkeys(votes), key=votes.count) if votes else Kind.FACT
