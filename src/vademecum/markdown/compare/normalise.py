"""Bring a claim to one spelling, note its cues, and read it into frames."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal

from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later
from vademecum.markdown.compare import words
from vademecum.markdown.compare.contrast import Contrast, contrast_of
from vademecum.markdown.compare.frames import Frame, frames_of
from vademecum.markdown.compare.languages import LANGUAGES
from vademecum.markdown.compare.typed import listed, spell_times

Script = Literal["latin", "chinese", "japanese", "korean"]
Negation = Literal["none", "plain", "ended"]

_KANA = later(r"[ぁ-んァ-ヺ]")
_HAN = later(r"[\u3400-\u9fff]")
_HANGUL = later(r"[가-힣]")
_BULLET = later(r"^\s*(?:[-*+•]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
_STOP = later(r"[\s.。．!！;；]+$")
_PRONOUN = later(r"(?<!\w)(I['’]m|[Ww]e['’]re|[Tt]hey['’]re|[Yy]ou['’]re|[Hh]e['’]s|[Ss]he['’]s) ")
_HEADING = later(
    r"^(?:Decision|Update|Note|Fact|Preference|Entscheidung|Hinweis|Notiz|"
    r"决定|更新|备注|決定|メモ): ?"
)
_SUBJECTLESS = later(
    r"^(?:[Dd]ecided|[Cc]hose|[Pp]icked|[Ss]witched|[Mm]igrated|[Mm]oved|[Rr]eplaced|[Uu]se|"
    r"[Aa]dopted|[Ww]ent with|[Ss]ettled on)(?= )"
)
_DECIDED_THAT = later(
    r"^(?:(?:[Ww]e|[Ii]|[Tt]he (?:team|group))(?: have| has|['’]ve)? |[Ii]t (?:was|is|has been) )?"
    r"(?:[Dd]ecided|[Aa]greed) that (?=\S)"
    r"|^(?:我们|我|大家|团队)?(?:已经|已)?(?:决定|商定|说好)了?[,:、 ]?(?=\S)"
)
"""What follows holds from then on: it is compared, not the deciding."""
_SPACE = later(r"\s+")
_CJK_TOKEN = later(
    r"(?:\d{4}|-)-\d{2}-\d{2}|\d{1,2}:\d{2}|(?:周|星期)[一二三四五六日天]|"
    r"[月火水木金土日]曜日?|\d{1,2}月"
    r"|[A-Za-z0-9][A-Za-z0-9._+#:/@-]*|[ァ-ヺー]+|[^\W_]"
)
_LONGEST_READ = 400
"""Longer text, in characters, is no single claim; it also keeps the patterns' cost bounded."""
_EDGE = "\"'“”„‘’«»「」『』()（）[]{},，、;；:：!！?？*_`~"
_PLAIN_CJK = str.maketrans({"，": ",", "、": "、", "“": '"', "”": '"'})


@dataclass(frozen=True, slots=True)
class NormalClaim:
    """A claim ready to be compared. Made by ``normalise`` only."""

    text: str
    """One spelling: NFKC, bullet and final stop off, dates ISO, cues of now off."""
    script: Script
    tokens: tuple[str, ...]
    """As written: Latin words, whole dates, times and versions, katakana runs, single Han signs."""
    keys: tuple[str, ...]
    """The tokens with case folded."""
    now: bool
    """The claim says that it is so now."""
    when: str
    """The date since when it is so, empty without one."""
    negation: Negation
    content: tuple[str, ...]
    """What is left without negation and small words, words cut to their stems."""
    frames: tuple[Frame, ...]
    also: bool
    """The claim adds one value to others ("also", "one of")."""
    asks: bool
    """The text is a question."""
    contrast: Contrast | None = None
    """What the claim says does not hold in place of its value; `text` is without it."""


def tokenise(text: str, script: Script) -> tuple[str, ...]:
    """Cut text into the tokens that claims are aligned by."""
    if script in ("chinese", "japanese"):
        return tuple(_CJK_TOKEN.findall(text))
    found = (word.strip(_EDGE).rstrip(".") for word in text.split())
    return tuple(word for word in found if word)


@lru_cache(maxsize=16384)
def normalise(text: str) -> NormalClaim:
    """Read a claim. Total: any text gives a claim; the same text always the same one."""
    clean = unicodedata.normalize("NFKC", text)
    clean = _STOP.sub("", _BULLET.sub("", _SPACE.sub(" ", clean).strip()))
    script = _script(clean)
    clean = _with_subject(_PRONOUN.sub(_full_copula, clean))
    clean = spell_times(clean)
    clean, when = _without_when(clean)
    decided = _DECIDED_THAT.match(clean)
    clean = clean[decided.end() :] if decided else clean
    now = bool(words.NOW.search(clean) or words.LEADING_NOW.match(clean))
    if now:
        led = words.LEADING_NOW.match(clean)
        clean = _turned(clean[led.end() :]) if led else clean
        clean = _SPACE.sub(" ", words.NOW.sub("", clean)).strip(" ,，、")
        clean = _with_subject(clean)
    contrast = contrast_of(clean, script)
    clean = contrast.positive if contrast else clean
    tokens = tokenise(clean, script)
    negation, positive = _negation(clean, script)
    readable = negation == "none" and len(clean) <= _LONGEST_READ
    return NormalClaim(
        text=clean,
        script=script,
        tokens=tokens,
        keys=tuple(token.casefold() for token in tokens),
        now=now or bool(decided),
        when=when,
        negation=negation,
        content=stems(positive, script),
        frames=frames_of(clean, LANGUAGES[script]) if readable else (),
        also=bool(words.ALSO.search(clean)),
        asks=clean.endswith("?"),
        contrast=contrast,
    )


def _turned(text: str) -> str:
    """ "nutzt die API gRPC" says "Die API nutzt gRPC"."""
    found = words.TURNED.match(text)
    if found is None:
        return text
    who = found["who"]
    return f"{who[0].upper()}{who[1:]} {found['verb']} {text[found.end() :]}"


def _with_subject(text: str) -> str:
    """ "Decision: use X" and "Decided on X" say what "We use X", "We decided on X" say."""
    text = _HEADING.sub("", text)
    found = _SUBJECTLESS.match(text)
    return f"We {found[0].lower()}{text[found.end() :]}" if found else text


def _full_copula(match: re.Match[str]) -> str:
    pronoun, ending = re.split("['’]", match[1])
    return f"{pronoun} { {'m': 'am', 're': 'are', 's': 'is'}[ending] } "


def _script(text: str) -> Script:
    if _KANA.search(text):
        return "japanese"
    if _HANGUL.search(text):
        return "korean"
    return "chinese" if _HAN.search(text) else "latin"


def _without_when(text: str) -> tuple[str, str]:
    found = words.WHEN.search(text)
    if not found:
        return text, ""
    when = next(part for part in found.groups() if part)
    return (text[: found.start()] + text[found.end() :]).strip(), when


def _negation(text: str, script: Script) -> tuple[Negation, str]:
    """Say how a text is negated and give the text without its negation."""
    ended = words.ENDED.search(text)
    if ended and (script == "latin" or ended.group(0) not in ("stopped", "quit")):
        kept = next((part for part in ended.groups() if part), "")
        tail = _stem_end(ended.group(0)) if script == "japanese" else ""
        rest = f"{text[: ended.start()]} {kept}{tail} {text[ended.end() :]}"
        return "ended", words.PLAIN.sub(" ", rest) if script == "latin" else rest
    if words.PLAIN.search(text):
        return "plain", words.PLAIN.sub(_keep_stem, text)
    return "none", text


def _keep_stem(match: re.Match[str]) -> str:
    """A Japanese negation is matched with the sign before it, which belongs to the stem."""
    found = match.group(0)
    return found[0] if re.match(r"[あ-ん](?:ない|ません)", found) else " "


def _stem_end(ended: str) -> str:
    return ended[0] if ended.endswith(("やめた", "やめました")) else ""


_SMALL = frozenset(
    listed(
        "a an the is am are was were be been do does did has have had to can could any all at in "
        "der die das den dem des ein eine einen einem einer ist sind hat haben gar mehr "
        "el la los las un una es son est sont le les du de"
    )
)
_JAPANESE_END = later(r"[ぁ-ん]+$")
_JAPANESE_MOOD = later(r"たい|たく|かも|そう|つもり|はず|られ|べき|たこと|ことが")
"""What a verb's ending says besides tense, politeness and negation; it has to stay."""
_JAPANESE_SMALL = later(r"[はがをにもの、で]")
_INFLECTION, _VOWEL = later(r"(?:ing|ies|es|ed|en|s)$"), later(r"[eytn]$")


def stems(text: str, script: Script) -> tuple[str, ...]:
    """Words cut to stems that survive a change of person and of politeness."""
    if script == "japanese":
        clean = text.strip()
        ending = _JAPANESE_END.search(clean)
        moods = _JAPANESE_MOOD.findall(ending.group(0)) if ending else []
        kept = _JAPANESE_SMALL.sub(" ", _JAPANESE_END.sub("", clean))
        return (*tokenise(kept, script), *moods)
    if script == "chinese":
        return tokenise(re.sub(r"[了是的地得过再有在]", "", text), script)
    found = []
    for token in tokenise(text, script):
        lower = token.casefold()
        if lower not in _SMALL:
            base = _INFLECTION.sub("", lower) if len(lower) > 3 else lower
            found.append(_VOWEL.sub("", base) if len(base) > 3 else base)
    return tuple(found)
