"""Names of notes: what a claim is about, and a file name that every system can hold."""

from __future__ import annotations

import re
import unicodedata

from vademecum.core.errors import InvalidPath
from vademecum.core.ids import text_digest
from vademecum.workspace.paths import portable

LONGEST_SLUG = 60
"""Characters; and twice as many bytes, so that a name with a date fits every file system."""

_NOT_IN_SLUG = re.compile(r"[^\w]+|_+")
_LEADING_WORDS = re.compile(
    r"^(?:(?:the|a|an|our|we|i|you|they|it|der|die|das|ein|eine|wir|ich|that|this|decided|decision"
    r"|agreed|to|on|always|never|lesson|learned|learnt|note|remember|please"
    r"|from (?:now|today) on|as of (?:now|today)|going forward|in future|dass"
    r"|haben (?:entschieden|beschlossen)"
    r"|(?:ab|von) (?:jetzt|heute|sofort|nun)(?: an)?|künftig|bitte)\b[\s:,]*"
    r"|(?:我们|咱们|大家)?(?:已经)?(?:决定|商定|约定)了?[\s:：，,]*|(?:从现在起|从今以后|从今天起|今后|以后)[\s，,]*"
    r"|(?:今後|これから)は?[\s、]*)+",
    re.IGNORECASE,
)
_NOW = re.compile(r"(?<=\w )(?:now|jetzt) (?=\w)")
_TRAILING_WORDS = re.compile(
    r"(?:[\s,;:(–—-]+(?:the|a|an|of|to|for|in|on|at|by|with|from|as|and|or|but|not|than|that|which"
    r"|is|are|be|its|our|their|der|die|das|den|dem|des|ein|eine|und|oder|aber|nicht|von|vom|zu|zum"
    r"|zur|mit|für|auf|im|ist|sind))+[\s,;:(–—-]*\Z",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?:^|\b)((?:[A-ZÀ-ÖØ-ÞЀ-Я][\w'’.-]*)(?:[ ]+[A-ZÀ-ÖØ-ÞЀ-Я][\w'’.-]*){0,3})", re.UNICODE
)
_NOT_A_NAME = frozenset(
    re.findall(
        r"\w+",
        "the a an my our his her their your its i we he she they it this that user users der die "
        "das mein meine unser wir er sie es ein eine on in at to from for when if since after "
        "before",
    )
)
_CJK_NAME = re.compile(
    r"^([\u4e00-\u9fff\u3040-\u30ff·]{2,8}?)(?:さん|先生|女士|氏|住在|搬到|就职|任职|在|的|是|喜欢|は|が)"
)
_SELF = re.compile(
    r"^(?:(?:the |der |die )?(?:user|benutzer(?:in)?|nutzer(?:in)?)(?:'s|’s)?"
    r"|i|i'm|my|me|mein\w*|ich)\b"
    r"|^(?:我|用户|用戶|本人|私|ユーザー)",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"^(?:(?:please|always|never|bitte|immer|nie(?:mals)?)\b[\s,]*)*"
    r"(?:(?:call|address|greet|remind|ask|tell|nenn\w*|sprich) (?:me|the user|mich)"
    r"|(?:answer|reply|respond|speak|write|use|keep|avoid|format|summari[sz]e|do not|don['’]t"
    r"|antworte?|schreibe?|verwende|benutze|vermeide))\b",
    re.IGNORECASE,
)
_PROJECT = re.compile(
    r"\b(?i:project|projekt)\s+[\"'“]?([\w][\w.-]*(?:\s+[A-Z][\w.-]*){0,2})"
    r"|\b((?:[A-Z][\w.-]*\s+){1,3})(?i:project|projekt)\b"
    r"|プロジェクト[「『]?([\w-]+)|([\w-]{2,12}?)(?:项目|プロジェクト)"
)


def slug(title: str) -> str:
    """Return a file name without extension: NFC, lower case, words joined by hyphens, CJK kept.

    Names that a system reserves get a suffix; a title without any letter gets a digest.
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", title).casefold())
    name = _NOT_IN_SLUG.sub("-", folded).strip("-")[:LONGEST_SLUG].strip("-")
    while len(name.encode()) > 2 * LONGEST_SLUG:
        name = name[:-1].strip("-")
    name = name or f"note-{text_digest(title)[:6]}"
    if name in ("index", "log", "candidates"):
        return f"{name}-note"
    try:
        portable(f"{name}.md")
    except InvalidPath:
        return f"{name}-note"
    return name


def topic(text: str, words: int = 6) -> str:
    """Return the first words of a text that say what it is about; CJK text is cut by characters.

    Without how it is introduced (`We decided that`, `From now on`) and without `now`, and where it
    is cut without words that lead to what was cut off (`of the`).
    """
    bare = _LEADING_WORDS.sub("", text).strip() or text
    bare = re.sub(r"[.。!！]+$", "", _NOW.sub("", bare)) or text
    parts = bare.split()
    if len(parts) <= 1:
        return bare[: 3 * words]
    cut = " ".join(parts[:words])[: 4 * words + 24]
    return cut if cut == " ".join(parts) else _TRAILING_WORDS.sub("", cut) or cut


def person_in(text: str) -> str:
    """Return the person a sentence begins with; empty where none can be told."""
    if found := _CJK_NAME.match(text):
        return "" if _SELF.match(text) else found[1]
    found = _NAME.match(text)
    if found is None:
        return ""
    name = re.sub(r"['’]s?$", "", found[1]).strip(".")
    first = name.split()[0].casefold()
    return "" if first in _NOT_A_NAME or not name else name


def is_about_the_user(text: str) -> bool:
    """Whether a sentence speaks of whoever this memory belongs to."""
    return bool(_SELF.match(text))


def is_wish_of_the_user(text: str) -> bool:
    """Whether a preference is one of whoever this memory belongs to: said of them, or an order."""
    return is_about_the_user(text) or bool(_WISH.match(text))


def project_in(text: str) -> str:
    """Return the name of the project a sentence speaks of; empty where none can be told."""
    found = _PROJECT.search(text)
    if found is None:
        return ""
    name = next(group for group in found.groups() if group).strip()
    return "" if name.casefold() in _NOT_A_NAME | {"is", "was", "has", "plan", "will"} else name


def as_written(subject: str, text: str) -> str:
    """Return `subject`, which was read off `text` with its case folded, as the text spells it."""
    at = text.casefold().find(subject)
    return text[at : at + len(subject)] if at >= 0 else subject
