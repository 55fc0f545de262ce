"""How German spells slots: wohnt in, ist nach … gezogen, Annas R ist, nutzt X für Y."""

from __future__ import annotations

import re
from dataclasses import replace

from vademecum.core.patterns import later
from vademecum.markdown.compare.frames import Frame, Language, Pattern, Strength
from vademecum.markdown.compare.german_attributes import GERMAN_ATTRIBUTES
from vademecum.markdown.compare.slots import names_slot
from vademecum.markdown.compare.words import MANY_NOUNS, SINGLE_MARKS

_S = r"^(?P<s>.+?) "
_DESCRIBED = later(
    r"^(?:[Dd](?:er|ie|as)) (?P<head>\S+) (?:von|vom|des|der|für|im|in|am|auf|bei|hinter) "
)
_POSSESSED = later(
    r"^(?:(?:[Mm]ein|[Dd]ein|[Ss]ein|[Uu]nser|[Ee]uer|[Ii]hr)e?r? |[A-ZÄÖÜ]\w+(?:s|['’])"
    r" (?=[A-ZÄÖÜ]))"
)
_DEFINITE = later(r"^(?:[Dd](?:er|ie|as)|[Mm]eine?|[Uu]nsere?|[Ii]hre?|[Ss]eine?) ")
_THAT = later(r"\b(?:ist|sind),? (?:dass|weil|wenn|ob)\b")
_PREDICATE = later(
    r"(?:aus|von|für|mit|ohne|gegen|sehr|zu|immer|meist|oft|gut|schlecht|krank|fertig|schon|"
    r"noch|so|wie) "
)
_UNIQUE_ROLE = (
    r"(?:\w*[Ll]eiter(?:in)?|Chef(?:in)?|Geschäftsführer(?:in)?|Vorsitzende[rn]?|"
    r"Präsident(?:in)?|Kanzler(?:in)?|"
    r"Bürgermeister(?:in)?|Hauptstadt|Trainer(?:in)?|Kapitän(?:in)?|Eigentümer(?:in)?|"
    r"Direktor(?:in)?)"
)
_CHANGE = (
    r"(?:verschoben|verlegt|geändert|erhöht|gesenkt|umgestellt|umbenannt|aktualisiert|gesetzt|"
    r"vorgezogen|"
    r"angehoben|verlängert|verkürzt)"
)


def _strength(subject: str, verb: str) -> Strength:
    if SINGLE_MARKS.search(subject):
        return "single"
    described = _DESCRIBED.match(subject)
    head = (described["head"] if described else subject.split()[-1]).casefold()
    if head in MANY_NOUNS:
        return "many"
    if verb == "sind":
        return "open"
    slot = described["head"] if described else subject
    owned = described or _POSSESSED.match(subject) or _DEFINITE.match(subject)
    return "single" if owned and names_slot(slot) else "open"


def _copula(frame: Frame, match: re.Match[str]) -> Frame | None:
    if (
        _THAT.search(match.string)
        or re.search(r"(?:gezogen|geworden|t|en) *$", match["v"])
        and re.search(r"\b(?:ge\w+|\w+iert)$", match["v"])
    ):
        return None
    if _PREDICATE.match(match["v"]):
        return None
    preposition = match["p"] or ""
    if not preposition:
        strength = _strength(match["s"], match["be"])
        return _either_gender(replace(frame, strength=strength), match)
    return replace(
        frame,
        strength="single"
        if preposition in ("in", "im", "bei") and match["v"][:1].isupper()
        else "open",
        preposition=preposition,
    )


_FEMALE = later(r"\b(\w+(?:er|or|ent|eur|är|ef))in\b")


def _either_gender(frame: Frame, _match: re.Match[str]) -> Frame:
    """ "Die Leiterin der Abteilung" holds the office that "der Leiter" held."""
    return replace(frame, subject=_FEMALE.sub(r"\1", frame.subject))


_PATTERNS = (
    Pattern(
        "lives",
        "lives in one place",
        (_S + r"(?:wohnt|wohne|wohnen|lebt|lebe|leben) (?:in|im|auf|bei) (?P<v>.+)$"),
    ),
    Pattern(
        "lives",
        "lives in one place",
        (r"^In (?P<v>.+?) (?:wohnt|wohne|lebt|lebe) (?P<s>\S+(?: \S+)?)$"),
    ),
    Pattern(
        "lives",
        "moved to another place",
        (
            _S
            + r"(?:ist|bin|sind) (?:(?:von|aus) (?P<x>.+?) )?(?:nach|in) (?P<v>.+?) (?:um)?gezogen$"
        ),
        changed=True,
    ),
    Pattern(
        "works at",
        "works at one place",
        (_S + r"(?:arbeitet|arbeite|arbeiten) (?:bei|beim|für) (?P<v>.+)$"),
    ),
    Pattern(
        "works at",
        "moved to another employer",
        (_S + r"ist (?:von (?P<x>.+?) )?(?:zu|zur|zum) (?P<v>.+?) gewechselt$"),
        changed=True,
    ),
    Pattern("works as", "works as one thing", (_S + r"(?:arbeitet|arbeite) als (?P<v>.+)$")),
    Pattern(
        "works in",
        "works in one place",
        (_S + r"(?:arbeitet|arbeite) (?:in|im) (?P<v>.+)$"),
    ),
    Pattern(
        "married to",
        "married to one person",
        (_S + r"ist mit (?P<v>.+) (?:verheiratet|verlobt)$"),
    ),
    Pattern(
        "located",
        "is located in one place",
        (_S + r"(?:befindet|befinden) sich (?P<p>in|im|am|an|auf|bei)(?: der| dem)? (?P<v>.+)$"),
    ),
    Pattern(
        "located",
        "is located in one place",
        (
            _S + r"(?:liegt|sitzt|hat seinen Sitz|hat ihren Sitz) (?P<p>in|im|am|an|auf)(?: der| "
            r"dem)? (?P<v>.+)$"
        ),
    ),
    Pattern("called", "has one name", (_S + r"(?:heißt|heißen) (?P<v>.+)$")),
    Pattern("belongs to", "belongs to one owner", (_S + r"gehört (?P<v>.+)$")),
    Pattern(
        "held by",
        "is held by one owner",
        (_S + r"wird von (?P<v>.+) (?P<q>geleitet|betreut|verwaltet|gepflegt|geführt)$"),
    ),
    Pattern(
        "written in",
        "is written in one language",
        (_S + r"ist in (?P<v>.+) (?:geschrieben|implementiert)$"),
    ),
    Pattern(
        "happened",
        "happens once, in one place",
        (_S + r"wurde (?:in|am|im) (?P<v>.+) (?P<q>geboren|gegründet)$"),
    ),
    Pattern(
        "made by",
        "is made by one",
        (
            _S + r"wurde von (?P<v>.+) (?P<q>gegründet|erfunden|entwickelt|geschrieben|komponiert|"
            r"entworfen|entdeckt)$"
        ),
    ),
    Pattern("runs on", "runs on one", (_S + r"läuft (?:auf|unter|mit) (?P<v>.+)$")),
    Pattern(
        "uses for",
        "uses one thing for it",
        (
            _S + r"(?:nutzt|nutzen|nutze|verwendet|verwenden|verwende|benutzt|benutzen|setzt) "
            r"(?P<v>.+?) "
            r"(?P<q>(?:für|zum|zur|als) .+?)(?: ein)?$"
        ),
    ),
    Pattern(
        "uses",
        "names what it replaces",
        (
            _S + r"(?:ist|sind|bin) von (?P<x>.+?) (?:auf|zu) (?P<v>.+?) (?:umgestiegen|gewechselt|"
            r"migriert)$"
        ),
        strength="many",
        changed=True,
    ),
    Pattern(
        "uses",
        "names what it replaces",
        (_S + r"(?:hat|haben) (?P<x>.+?) durch (?P<v>.+?) ersetzt$"),
        strength="many",
        changed=True,
    ),
    Pattern(
        "uses",
        "names what it replaces",
        (_S + r"(?:\w+ auf|\w+) (?P<v>.+?) (?:statt|anstelle von) (?P<x>.+)$"),
        strength="many",
        changed=True,
    ),
    Pattern(
        "uses",
        "uses several things",
        (
            _S + r"(?:nutzt|nutzen|nutze|verwendet|verwenden|verwende|benutzt|benutzen|setzt auf|"
            r"setzen auf) (?P<v>.+)$"
        ),
        strength="many",
    ),
    Pattern(
        "prefers",
        "prefers one of a kind",
        (
            _S + r"(?:bevorzugt|bevorzuge|bevorzugen) (?P<v>.+?)(?: (?:gegenüber|statt|vor) "
            r"(?P<x>.+))?$"
        ),
        strength="preference",
    ),
    Pattern(
        "is",
        "has been changed to",
        (
            _S
            + rf"(?:wurde|wird|ist|sind|wurden) (?:von (?P<x>.+?) )?(?:auf|zu|in|nach) (?P<v>.+?)"
            rf" {_CHANGE}(?: worden)?$"
        ),
        changed=True,
    ),
    Pattern(
        "is",
        "has one date",
        (
            _S + r"(?:ist|sind) (?P<p>für|auf|am|im|um) (?P<v>.+?) (?:geplant|angesetzt|vorgesehen|"
            r"terminiert|fällig)$"
        ),
    ),
    Pattern("is", "has one date", (_S + r"findet (?P<p>am|im|um) (?P<v>.+?) statt$")),
    Pattern(
        "is",
        "the holder of one office",
        (
            rf"^(?P<v>.+?) (?:ist|wurde) (?P<s>(?:(?:der|die|das)"
            rf" )?(?:neue )?{_UNIQUE_ROLE} (?:von|vom|des|der|für|im) .+)$"
        ),
        reader=_either_gender,
    ),
    Pattern(
        "is",
        "the holder of one office",
        (
            rf"^(?P<v>[A-ZÄÖÜ]\w+) ist (?P<s>(?:meine?|unsere?|[A-ZÄÖÜ]\w+s)"
            rf" (?:neue )?{_UNIQUE_ROLE})$"
        ),
        reader=_either_gender,
    ),
    Pattern(
        "is",
        "the slot holds one value",
        (r"^(?P<s>[^,]+) (?P<be>ist|sind) (?:(?P<p>in|im|am|um|bei|auf|an) )?(?P<v>.+)$"),
        strength="open",
        reader=_copula,
    ),
    Pattern("is", "amounts to one value", (_S + r"(?:beträgt|lautet) (?P<v>.+)$")),
)

GERMAN = Language(
    trigger=later(
        r"(?<!\w)(?:ist|sind|bin|wird|wurde|wurden|wohn\w+|leb(?:t|e|en)|arbeite[tn]?|"
        r"befinde[tn]|liegt|sitzt|hat|haben|heißt|"
        r"heißen|gehört|läuft|nutz\w+|verwend\w+|benutz\w+|setz\w+|bevorzug\w+|findet|beträgt|"
        r"lautet|statt|lauscht|hört|steht|gehen|geht|kommen|landen|werden|beginnt|startet|erfolgt|"
        r"bewahrt|behält|speichert|kostet|wiegt|dauert|hält|legt)(?!\w)"
    ),
    patterns=(*_PATTERNS, *GERMAN_ATTRIBUTES),
    unfit_subject=later(
        r"(?<!\w)(?:will|würde|möchte|könnte|sollte|soll|wenn|falls|ob|sagt|sagte|meint|glaubt|"
        r"früher|damals|vielleicht|"
        r"wahrscheinlich|nicht|nie|kein|keine|einst|ehemals|fast|manchmal|oft|bevor|nachdem|"
        r"wollte|plant)(?!\w)"
    ),
    article=later(r"^(?:der|die|das|den|dem|ein|eine|einen|einem|einer) ", re.IGNORECASE),
)
