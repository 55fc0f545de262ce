"""Who speaks in a line of a log: a person, the agent, a tool, or text from outside."""

from __future__ import annotations

import enum
import re


class Speaker(enum.Enum):
    """Whose words a line of a log reports."""

    PERSON = "person"
    AGENT = "agent"
    TOOL = "tool"
    WEB = "web"


_WORDS = {
    Speaker.PERSON: (
        "user|human|person|customer|client|owner|operator|benutzer(?:in)?|nutzer(?:in)?|kunde"
        "|kundin|用户|用戶|客户|ユーザー|顧客|사용자|usuario|utilisateur"
    ),
    Speaker.AGENT: (
        "assistant|agent|ai|bot|model|llm|claude|codex|gpt|gemini|copilot|assistent(?:in)?|助手|助理"
        "|アシスタント|エージェント"
    ),
    Speaker.TOOL: "tool|output|stdout|stderr|command|shell|terminal|test|ci|werkzeug|工具|ツール",
    Speaker.WEB: "web(?:site| ?page)?|page|url|e-?mail|mail|fetched|scraped|网页|网站|邮件|ウェブ",
}
_LEAD = r"[\s>*_#+-]*(?:\d{1,2}:\d{2}\s*(?:[—–-]\s*)?)?[*_\[(]*(?:the |der |die )?"
_SAYS = (
    r"(?:[*_\])]*\s*(?:\([^()]{0,40}\)|[\w.-]{0,20})?[*_]*\s*[:：]"
    r"|[*_]*\s+(?:said|says|stated|states|wants|asked|asks|told|decided|confirmed|corrected"
    r"|sagte?|sagt|will|möchte)\b|(?:说|表示|要求|は|が))"
)
_PATTERNS = tuple(
    (speaker, re.compile(rf"{_LEAD}(?:{words})(?![A-Za-zÀ-ÿ]){_SAYS}", re.IGNORECASE))
    for speaker, words in _WORDS.items()
)
_RESULT = re.compile(rf"{_LEAD}(?:tool|search|web)[ _-](?:result|output|call)s?\b", re.IGNORECASE)
_ADDRESS = re.compile(r"[\s>*_+-]*(?:source|from|quelle|来源)\s*[:：]\s*<?https?://", re.IGNORECASE)


def speaker_of(line: str) -> Speaker | None:
    """Return who is named as speaking at the beginning of a line; None where nobody is."""
    if _ADDRESS.match(line):
        return Speaker.WEB
    if _RESULT.match(line):
        return Speaker.TOOL
    for speaker, pattern in _PATTERNS:
        if pattern.match(line):
            return speaker
    return None
