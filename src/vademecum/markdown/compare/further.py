"""A few sure slots in Spanish, French and Korean; everything else in them is kept apart."""

from __future__ import annotations

import re
from dataclasses import replace

from vademecum.core.patterns import later
from vademecum.markdown.compare.frames import Frame, Language, Pattern
from vademecum.markdown.compare.words import MANY_NOUNS, SINGLE_MARKS

_S = r"^(?P<s>.+?) "


def _romance_copula(frame: Frame, match: re.Match[str]) -> Frame | None:
    described = re.match(
        r"^(?:[Ee]l|[Ll]a|[Ll]e|[Mm]i|[Mm]on|[Mm]a|[Nn]uestr[oa]|[Nn]otre) (\S+)|^[Ll]['’](\S+)",
        match["s"],
    )
    head = next((part for part in described.groups() if part), "") if described else ""
    if SINGLE_MARKS.search(match["s"]):
        return replace(frame, strength="single")
    if not described or head.casefold() in MANY_NOUNS:
        return replace(frame, strength="open")
    single = bool(
        re.search(
            r" (?:de|del|du|des) | d['’]|^(?:[Mm]i|[Mm]on|[Mm]a|[Nn]otre|[Nn]uestr[oa]) ",
            match["s"],
        )
    )
    return replace(frame, strength="single" if single else "open")


SPANISH = Language(
    trigger=later(r"(?<!\w)(?:vive|vivo|trabaja|trabajo|es|mudó|llama)(?!\w)"),
    patterns=(
        Pattern("lives", "lives in one place", (_S + r"(?:vive|vivo) en (?P<v>.+)$")),
        Pattern(
            "lives",
            "moved to another place",
            (_S + r"se (?:ha mudado|mudó)(?: de (?P<x>.+?))? a (?P<v>.+)$"),
            changed=True,
        ),
        Pattern(
            "works at",
            "works at one place",
            (_S + r"(?:trabaja|trabajo) (?:en|para) (?P<v>.+)$"),
        ),
        Pattern("called", "has one name", (_S + r"se llama (?P<v>.+)$")),
        Pattern(
            "is",
            "the slot holds one value",
            (r"^(?P<s>.+?) es (?P<v>.+)$"),
            strength="open",
            reader=_romance_copula,
        ),
    ),
    unfit_subject=later(r"(?<!\w)(?:si|cuando|quiere|dice|no|nunca|antes|quizás|tal vez)(?!\w)"),
    article=later(r"^(?:el|la|los|las|un|una) ", re.IGNORECASE),
)

FRENCH = Language(
    trigger=later(r"(?<!\w)(?:habite|vit|travaille|est|déménagé|appelle)(?!\w)"),
    patterns=(
        Pattern(
            "lives",
            "lives in one place",
            (_S + r"(?:habite|vit)(?: à| en| au| aux) (?P<v>.+)$"),
        ),
        Pattern(
            "lives",
            "moved to another place",
            (_S + r"a déménagé(?: de (?P<x>.+?))? (?:à|en|au) (?P<v>.+)$"),
            changed=True,
        ),
        Pattern("works at", "works at one place", (_S + r"travaille (?:chez|pour) (?P<v>.+)$")),
        Pattern("called", "has one name", (_S + r"s['’]appelle (?P<v>.+)$")),
        Pattern(
            "is",
            "the slot holds one value",
            (r"^(?P<s>.+?) est (?P<v>.+)$"),
            strength="open",
            reader=_romance_copula,
        ),
    ),
    unfit_subject=later(r"(?<!\w)(?:si|quand|veut|dit|pas|jamais|avant|peut-être)(?!\w)"),
    article=later(r"^(?:(?:le|la|les|un|une) |l['’])", re.IGNORECASE),
)


def _korean_copula(frame: Frame, match: re.Match[str]) -> Frame | None:
    single = "의 " in match["s"] or bool(SINGLE_MARKS.search(match["s"]))
    return replace(frame, strength="single" if single else "open")


KOREAN = Language(
    trigger=later(r"[은는이가] "),
    patterns=(
        Pattern(
            "lives",
            "lives in one place",
            (
                r"^(?P<s>.+?)[은는이가] (?P<v>.+?)에 (?:산다|삽니다|살고 있다|살고 있습니다|"
                r"살아요)$"
            ),
        ),
        Pattern(
            "lives",
            "moved to another place",
            (
                r"^(?P<s>.+?)[은는이가] (?:(?P<x>.+?)에서 )?(?P<v>.+?)(?:으로|로) (?:이사했다|"
                r"이사했습니다|이사했어요|이사 갔다)$"
            ),
            changed=True,
        ),
        Pattern(
            "works at",
            "works at one place",
            (
                r"^(?P<s>.+?)[은는이가] (?P<v>.+?)에서 (?:일한다|일합니다|일하고 있다|일해요|"
                r"근무한다)$"
            ),
        ),
        Pattern(
            "is",
            "the slot holds one value",
            (r"^(?P<s>.+?)[은는] (?P<v>.+?)(?:이다|입니다|이에요|예요|다)$"),
            strength="open",
            reader=_korean_copula,
        ),
    ),
    unfit_subject=later(r"(?:예전에|만약|아마)"),
    article=later(r"^(?:그|이|저) "),
)
