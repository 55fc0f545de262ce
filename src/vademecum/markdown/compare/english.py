"""How English spells slots: lives in, works at, the R of X is, uses X for Y, has been moved to."""

from __future__ import annotations

import re
from dataclasses import replace

from vademecum.core.patterns import later
from vademecum.markdown.compare.english_attributes import ATTRIBUTES, without_group
from vademecum.markdown.compare.frames import LABEL, Frame, Language, Pattern, Strength
from vademecum.markdown.compare.slots import names_slot
from vademecum.markdown.compare.words import MANY_NOUNS, SINGLE_MARKS

_S = r"^(?P<s>.+?) "
_FOR = r" (?P<q>(?:for|as|in) .+)$"
_CHOSE = (
    r"chose|picked|adopted|settled on|opted for|agreed (?:on|to use)|went with|"
    r"decided (?:on|for|to (?:use|adopt|go with))"
)
_BE = r"(?:is|are|has been|have been|was|were|will be|gets?)"
_IS = r"(?:is|are|am)"

_POSSESSED = later(r"^(?:[Mm]y|[Oo]ur|[Yy]our|[Hh]is|[Hh]er|[Tt]heir|[Ii]ts) |['’]s? (?=\S)")
_DESCRIBED = later(r"^[Tt]he (?P<head>.+?) (?:of|for|in|that|who|where|which|behind|at) ")
_DEFINITE = later(r"^(?:[Tt]he|[Mm]y|[Oo]ur|[Yy]our|[Hh]is|[Hh]er|[Tt]heir|[Ii]ts) |['’]s? ")
_THAT = later(r" (?:is|are) (?:that|because|when|if|to|why|how) ")
_PREDICATE = later(
    r"(?:from|of|for|with|about|really|more|most|just|going|what|how|without|by|like|very|so|"
    r"too|quite|rather|always|usually|often|good|bad|"
    r"ready|happy|sick|late|early|currently|already|still|being|done) "
)
_PASSIVE = later(
    r"(?:\w+(?:ed|tten|ken|ven|own)|built|run|sent|kept|held|made|paid|led|taught|known|found|sold)"
    r"(?: (?:up|out|off|down|back))? (?:in|on|at|by|to|with|for|from|as|into|under|over|every) "
)
"""What is done with a thing, where, by whom: no value of what the thing is."""
_UNIQUE_ROLE = (
    r"(?:head|lead|leader|team lead|tech lead|CEO|CTO|CFO|COO|chief executive officer|"
    r"chief \w+ officer|"
    r"president|vice president|prime minister|chancellor|mayor|governor|king|queen|pope|capital|"
    r"chair|chairman|chairwoman|chairperson|captain|head coach|coach|manager|director|"
    r"editor-in-chief|"
    r"owner|product owner|maintainer|principal|treasurer|author|founder|landlord)"
)
_CLASS = (
    r"(?:city|town|village|country|continent|state|province|region|district|county|language|sport|"
    r"religion|position|field|role|rank|title|name|genre|colou?r|species|currency|time zone)"
)
_MANY = (
    r"(?!(?:like|love|enjoy|visit|know|remember|hate|see|saw|read|want|need|have|has|miss)"
    r"(?:s|ed|d)?\b)"
)
_CHANGE = (
    r"(?:moved|changed|postponed|pushed(?: back)?|brought forward|rescheduled|raised|increased|"
    r"lowered|reduced|cut|renamed|set|switched|updated|upgraded|bumped|extended|delayed|shifted)"
)


def _head(subject: str) -> str:
    described = _DESCRIBED.match(subject)
    phrase = described["head"] if described else subject
    return phrase.split()[-1].casefold().rstrip("s") if phrase.split() else ""


def _strength(subject: str, verb: str) -> Strength:
    if SINGLE_MARKS.search(subject):
        return "single"
    head = _head(subject)
    if head in MANY_NOUNS or verb == "are":
        return "many" if head in MANY_NOUNS else "open"
    if _DESCRIBED.match(subject) or _POSSESSED.search(subject):
        return "single"
    if not _DEFINITE.match(subject):
        return "open"
    return "single" if names_slot(subject) else "definite"


def _copula(frame: Frame, match: re.Match[str]) -> Frame | None:
    if _THAT.search(match.string) or _PREDICATE.match(match["v"]) or _PASSIVE.match(match["v"]):
        return None
    subject, verb, preposition = match["s"], match["be"], match["p"] or ""
    if not preposition:
        return replace(frame, strength=_strength(subject, verb))
    thing = bool(_DEFINITE.match(subject))
    proper = match["v"][:1].isupper() or match["v"][:1].isdigit()
    single = preposition in ("in", "at") and (thing or proper)
    return replace(frame, strength="single" if single else "open", preposition=preposition)


def _proper_place(frame: Frame, match: re.Match[str]) -> Frame | None:
    """ "Moved to" is a change of home only before a name ("to Porto", not "to the other team")."""
    value = match["v"]
    return frame if value[:1].isupper() else None


def _swapped(frame: Frame, match: re.Match[str]) -> Frame | None:
    """ "Ken is the lead of X" says "the lead of X is Ken"."""
    if match["v"][:2] in ("He", "Sh", "It", "Th") and " " not in match["v"]:
        return None
    return replace(frame, subject=frame.subject)


_PATTERNS = (
    LABEL,
    Pattern(
        "lives",
        "lives in one place",
        (
            _S + r"(?:lives?|resides?|(?:is|are|am) living|(?:is|are|am) based) (?:in|at|on) "
            r"(?P<v>.+)$"
        ),
    ),
    Pattern(
        "lives",
        "moved to another place",
        (
            _S + r"(?:has |have )?(?:just |recently )?(?:moved|relocated)(?: from (?P<x>.+?))? to "
            r"(?P<v>.+)$"
        ),
        changed=True,
        reader=_proper_place,
    ),
    Pattern(
        "works at",
        "works at one place",
        (
            _S + r"(?:works?|is working|are working|is employed|has started|started working|"
            r"started a job) "
            r"(?:at|for|by) (?P<v>.+)$"
        ),
    ),
    Pattern(
        "works as",
        "works as one thing",
        (_S + r"(?:works?|is working|is employed) as (?P<v>.+)$"),
    ),
    Pattern("works in", "works in one place", (_S + r"(?:works?|is working) in (?P<v>.+)$")),
    Pattern(
        "studies at",
        "studies at one place",
        (_S + r"(?:studies|is studying) at (?P<v>.+)$"),
    ),
    Pattern(
        "married to",
        "married to one person",
        (_S + _IS + r" (?:married|engaged) to (?P<v>.+)$"),
    ),
    Pattern(
        "located",
        "is located in one place",
        (
            _S + r"(?:is|are|am) (?:located|headquartered|situated|stored|kept|hosted|deployed) "
            r"(?P<p>in|at|on|to|with|by) "
            r"(?P<v>.+)$"
        ),
    ),
    Pattern(
        "written in",
        "is written in one language",
        (_S + r"(?:is|are|was) (?:written|implemented|coded) in (?P<v>.+)$"),
    ),
    Pattern(
        "held by",
        "is held by one owner",
        (
            _S
            + r"(?:is|are|am) (?P<q>owned|maintained|led|managed|run|chaired|headed|taught|coached|"
            r"hosted|handled) by "
            r"(?P<v>.+)$"
        ),
        reader=without_group,
    ),
    Pattern("reports to", "reports to one person", (_S + r"reports? to (?P<v>.+)$")),
    Pattern("belongs to", "belongs to one owner", (_S + r"belongs? to (?P<v>.+)$")),
    Pattern(
        "called",
        "has one name",
        (
            _S
            + r"(?:is|are|has been|was) (?:called|named|renamed(?: from (?P<x>.+?))? to) (?P<v>.+)$"
        ),
    ),
    Pattern(
        "assigned",
        "is assigned to one",
        (_S + r"(?:is|are|has been) (?:re)?assigned to (?P<v>.+)$"),
    ),
    Pattern(
        "happened",
        "happens once, in one place",
        (_S + r"(?:(?:was|were) )?(?P<q>born|died|founded|established) (?:in|at|on) (?P<v>.+)$"),
    ),
    Pattern(
        "made by",
        "is made by one",
        (
            _S + r"(?:was|were|is) (?P<q>founded|created|invented|developed|written|directed|"
            r"performed|composed|"
            r"produced|designed|discovered|painted|built|published) by (?P<v>.+)$"
        ),
    ),
    Pattern(
        "citizen of",
        "belongs to one",
        (
            _S
            + r"(?:is|are|am) an? (?P<q>citizen|resident|native|student|employee|professor|subject)"
            r" (?:of|at) (?P<v>.+)$"
        ),
    ),
    Pattern("famous for", "famous for one thing", (_S + _IS + r" famous for (?P<v>.+)$")),
    Pattern(
        "class of",
        "the one R of",
        (
            rf"^(?P<s>.+?) (?P<q>{_MANY}(?:(?:is|was|are|were) )?\w+(?: (?:in|at|on|with|to)"
            rf")? the {_CLASS} of) (?P<v>.+)$"
        ),
    ),
    Pattern(
        "runs on", "runs on one", (_S + r"(?:runs?|is running|are running) on (?P<v>(?!port ).+)$")
    ),
    Pattern(
        "uses for",
        "uses one thing for it",
        (
            rf"^(?P<s>.+?) (?:(?:will )?uses?|is using|are using|relies on|rely on|{_CHOSE}|"
            rf"switched(?: from (?P<x>.+?))? to|migrated(?: from (?P<y>.+?))? to|"
            rf"moved(?: from (?P<z>.+?))? to) "
            rf"(?P<v>.+?)(?: (?:over|instead of|rather than) (?P<w>.+?))?{_FOR}"
        ),
    ),
    Pattern(
        "uses",
        "names what it replaces",
        (
            _S + r"(?:has |have |was |were |has been )?(?:switched|migrated|moved|changed|gone|"
            r"went|upgraded|converted)"
            r"(?: (?!from )\S+){0,4} from (?P<x>.+?) to (?P<v>.+)$"
        ),
        strength="many",
        changed=True,
    ),
    Pattern(
        "uses",
        "names what it replaces",
        (
            r"^.+? (?:switched|migrated|moved|changed|converted|ported|rewrote) "
            r"(?P<s>(?!from )(?:\S+ ){0,3}?\S+) from (?P<x>.+?) to (?P<v>.+)$"
        ),
        strength="many",
        changed=True,
    ),
    Pattern(
        "uses",
        "names what it replaces",
        (_S + r"(?:has |have )?replaced (?P<x>.+?) (?:with|by) (?P<v>.+)$"),
        strength="many",
        changed=True,
    ),
    Pattern(
        "uses",
        "names what it replaces",
        (
            _S + rf"(?:uses?|runs?(?: on)?|talks?|speaks?|{_CHOSE}|builds? (?:on|with)) "
            r"(?P<v>.+?) (?:instead of|over|rather than) (?P<x>.+)$"
        ),
        strength="many",
        changed=True,
    ),
    Pattern(
        "uses",
        "uses several things",
        (
            _S + rf"(?:uses?|is using|are using|deploys? to|hosts? on|switched to|{_CHOSE}) "
            r"(?P<v>.+)$"
        ),
        strength="many",
    ),
    Pattern(
        "uses",
        "is built with several things",
        (_S + r"(?:is|are|am) (?:built|made|implemented|powered) (?:with|using|on|by) (?P<v>.+)$"),
        strength="many",
    ),
    Pattern(
        "prefers",
        "prefers one of a kind",
        (
            _S + r"(?:prefers?|favou?rs?|would rather have) (?P<v>.+?)(?: (?:over|to|rather than|"
            r"instead of) (?P<x>.+))?$"
        ),
        strength="preference",
    ),
    Pattern(
        "is",
        "has been changed to",
        (
            rf"^(?P<s>.+?) (?:{_BE} |has |have )?(?:now )?{_CHANGE}(?: from (?P<x>.+?))? (?:to|"
            rf"at) (?P<v>.+)$"
        ),
        changed=True,
    ),
    Pattern(
        "is",
        "has one date",
        (
            _S
            + r"(?:is|are|am) (?:due|scheduled|planned|set|expected|booked|fixed) (?P<p>on|for|at|"
            r"in|by) (?P<v>.+)$"
        ),
    ),
    Pattern(
        "is",
        "the holder of one office",
        (
            rf"^(?P<v>.+?) (?:is|became|has become|was made) (?P<s>(?:the )?(?:new |"
            rf"current )?{_UNIQUE_ROLE} (?:of|for|at|in) .+)$"
        ),
        reader=_swapped,
    ),
    Pattern(
        "is",
        "the holder of one office",
        (
            rf"^(?P<v>.+?) (?:is|became|has become) (?P<s>(?:[Mm]y|[Oo]ur|[A-Z]\S*['’]s?)"
            rf" (?:new |current )?{_UNIQUE_ROLE})$"
        ),
        reader=_swapped,
    ),
    Pattern(
        "is",
        "the slot holds one value",
        (r"^(?P<s>.+) (?P<be>is|are|am|has become) (?:(?P<p>in|at|on|near|under) )?(?P<v>.+)$"),
        strength="open",
        reader=_copula,
    ),
)

ENGLISH = Language(
    trigger=later(
        r": |(?<!\w)(?:is|are|am|has|have|was|were|lives?|resides?|moved|relocated|works?|working|"
        r"started|studies|studying|"
        r"at|on|every|times|costs?|weighs?|lasts?|go|land|arrive|sends|posts|keeps|retains|stores|saves|"
        r"reports?|belongs?|listens|owns|maintains|leads|manages|chairs|coaches|heads|born|died|founded|speaks?|plays?|worked|runs?|running|uses?|using|"
        r"relies|rely|chose|picked|"
        r"went|decided|adopted|settled|opted|agreed|hosts?|talks?|speaks?|builds?|switched|migrated|"
        r"replaced|instead|prefers?|favou?rs?|deploys?|became|"
        r"changed)(?!\w)"
    ),
    patterns=(*_PATTERNS, *ATTRIBUTES),
    unfit_subject=later(
        r"(?<!\w)(?:will|would|might|may|could|should|wants?|plans?|hopes?|intends?|used|if|"
        r"when|whether|says?|said|"
        r"thinks?|thought|believes?|asked|suggested|once|formerly|previously|maybe|perhaps|"
        r"probably|not|never|"
        r"but|so|because|although|though|feel|considering|thinking|almost|nearly|rarely|"
        r"sometimes|often|who|before|after|until|"
        r"has to|want)(?!\w)"
    ),
    article=later(r"^(?:the|an?) ", re.IGNORECASE),
)
