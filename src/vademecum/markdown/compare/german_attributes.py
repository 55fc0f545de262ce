"""How German says one thing in two ways: "der Standort von X ist V" and "X steht in V"."""

from __future__ import annotations

import re
from dataclasses import replace

from vademecum.core.patterns import later
from vademecum.markdown.compare.attributes import SHAPED, at_time, attribute, slot_of
from vademecum.markdown.compare.frames import Frame, Pattern
from vademecum.markdown.compare.slots import names_slot
from vademecum.markdown.compare.typed import listed

_NOUN = r"(?P<n>[A-ZÄÖÜ][\wäöüß-]+)"
_IS = r"(?:ist|sind|lautet|beträgt)"
_ON = r"(?:um|am|im|an|jeden|immer um|immer am)"

_PATTERN_OF = {
    "located": "standort sitz",
    "costs": "preis kosten",
    "weighs": "gewicht",
    "lasts": "dauer",
    "called": "name",
    "belongs to": "eigentümer eigentümerin besitzer besitzerin inhaber inhaberin",
    "written in": "sprache programmiersprache",
    "data in": "datenbank datenspeicher",
    "works at": "arbeitgeber",
    "works as": "beruf",
}
_SLOT_OF = {noun: relation for relation, nouns in _PATTERN_OF.items() for noun in listed(nouns)}
"""Relation of the verb that says the same as a noun."""
_OTHER_NOUNS = listed(
    "region kanal cluster namensraum plattform protokoll bucket schema umgebung domäne"
)
_MOMENT = later(r"^(?P<e>.+?)s?(?:uhrzeit|zeitpunkt|zeit|termin|tag|datum)$")
_PREFIXED = later(
    r"^(?P<first>ab|an|auf|aus|bei|durch|ein|her|hin|hoch|nach|um|vor|weg|zu|zurück)?ge(?=\w{3})"
)
_ENDING = later(r"(?:ungen|ungs|ung|en|et|es|t|e|s|n)$")
_FURTHER = later(r" (?:für|bei|mit|wenn|weil|solange|aber|und|oder|während|pro Person) ")
_PREDICATE = later(r"(?:nicht|noch|schon|sehr|zu|immer|wie|so|von|bei|im|auf|außer|unter) ")


def _said_by_noun(frame: Frame, match: re.Match[str]) -> Frame | None:
    noun, value = match["n"].casefold(), match["v"]
    frame = _nominative(frame, match)
    moment = _MOMENT.match(noun)
    timed = at_time(frame, _stem(moment["e"]), value) if moment else None
    if timed is not None:
        return timed
    if _PREDICATE.match(f"{value} ") or not SHAPED.search(value) or _FURTHER.search(value):
        return None
    if noun in _SLOT_OF:
        placed = "in" if _SLOT_OF[noun] == "located" else ""
        return replace(frame, relation=_SLOT_OF[noun], preposition=placed)
    return attribute(frame, noun) if _is_slot(match["n"]) else None


def _nominative(frame: Frame, match: re.Match[str]) -> Frame:
    """ "Der Standort des Servers von X" speaks of "der Server von X"."""
    if match.groupdict().get("g") not in ("des", "vom"):
        return frame
    first, _, rest = frame.subject.partition(" ")
    return replace(frame, subject=f"{first.removesuffix('s')} {rest}".strip())


def _said_with_noun(frame: Frame, match: re.Match[str]) -> Frame | None:
    """ "X läuft in der Region V": the noun stands before its value."""
    noun = match["n"]
    return attribute(frame, noun.casefold()) if _is_slot(noun) else None


def _is_slot(noun: str) -> bool:
    return noun.casefold().endswith(_OTHER_NOUNS) or names_slot(noun)


def _at_a_time(frame: Frame, match: re.Match[str]) -> Frame | None:
    return at_time(_nominative(frame, match), _stem(match["e"].casefold()), match["v"])


def _stem(word: str) -> str:
    """ "gesichert" and "Sicherung" are of one stem, "ausgeliefert" and "Auslieferung" too."""
    bare = _PREFIXED.sub(lambda match: match["first"] or "", word.casefold())
    return _ENDING.sub("", bare)


def _amount(frame: Frame, match: re.Match[str]) -> Frame | None:
    return None if _FURTHER.search(match["v"]) else frame


def _sends(frame: Frame, match: re.Match[str]) -> Frame | None:
    """ "Alarme von X gehen an den Kanal V" says "der Alarmkanal von X ist V"."""
    noun = (match["n"] or ("Kanal" if match["v"].startswith("#") else "")).casefold()
    return attribute(frame, f"{_stem(match['e'])}{noun}") if noun else None


def _keeps(frame: Frame, match: re.Match[str]) -> Frame:
    return replace(frame, subject=slot_of(frame, _stem(match["e"])))


GERMAN_ATTRIBUTES = (
    *(
        Pattern("attribute", "the slot holds one value", expression, reader=_said_by_noun)
        for expression in (
            rf"^(?:[Dd](?:er|ie|as) )?{_NOUN} (?P<g>von|vom|des|der|für) (?P<s>.+) {_IS} "
            r"(?:(?:in|um|am) )?(?P<v>.+)$",
            rf"^(?P<s>[A-ZÄÖÜ]\w+?)(?:s|['’]s?) {_NOUN} {_IS} (?:(?:in|um|am) )?"
            r"(?P<v>(?!.* (?:ist|sind) ).+)$",
        )
    ),
    Pattern(
        "attribute",
        "the slot holds one value",
        r"^(?P<s>.+?) (?:läuft|lauscht|hört|liegt|steht|arbeitet|nutzt|verwendet) "
        rf"(?:(?:in|auf|an|unter|über) )?(?:der |dem |die |den |das )?{_NOUN} "
        r"(?P<v>[^a-zäöüß\s]\S*|\S*[-_.\d]\S*)$",
        reader=_said_with_noun,
    ),
    Pattern(
        "attribute",
        "goes to one place",
        r"^(?P<e>[A-ZÄÖÜ]\w+) (?:von|vom|für) (?P<s>.+?) (?:gehen|geht|werden|kommen|landen) "
        r"(?:an|in|auf) (?:den |das |dem |die )?(?:(?P<n>[A-ZÄÖÜ]\w+) )?(?P<v>[#\w][^\s]*)"
        r"(?: (?:gesendet|geschickt|gemeldet))?$",
        reader=_sends,
    ),
    *(
        Pattern("attribute", "happens at one time", expression, reader=_at_a_time)
        for expression in (
            rf"^(?P<s>.+?) (?:wird|werden) {_ON} (?P<v>.+?) (?P<e>\w+)$",
            r"^(?:[Dd](?:er|ie|as) )?(?P<e>[A-ZÄÖÜ]\w+) (?P<g>von|vom|des|der|für) (?P<s>.+?) "
            rf"(?:läuft|beginnt|startet|ist|erfolgt|findet) {_ON} (?P<v>.+?)(?: statt)?$",
        )
    ),
    Pattern(
        "keeps for",
        "is kept for one time",
        r"^(?P<s>.+?) (?:bewahrt|behält|speichert) (?:seine |ihre |alle |die )?(?P<e>\w+) "
        r"(?:für )?(?P<v>\d.*?)(?: (?:lang ?)?auf)?$",
        reader=_keeps,
    ),
    Pattern(
        "keeps for",
        "is kept for one time",
        r"^(?:[Dd]ie )?Aufbewahrung(?:sdauer|sfrist|szeit)? (?:von|der) (?P<e>\w+) (?:von|bei) "
        r"(?P<s>.+?) (?:ist|beträgt) (?P<v>\d.*)$",
        reader=_keeps,
    ),
    Pattern(
        "located",
        "is located in one place",
        r"^(?P<s>.+?) steht (?P<p>in)(?: der| dem)? (?P<v>[A-ZÄÖÜ].*)$",
    ),
    Pattern("costs", "has one price", r"^(?P<s>.+?) kostet (?P<v>\S*\d.*)$", reader=_amount),
    Pattern("weighs", "has one weight", r"^(?P<s>.+?) wiegt (?P<v>\S*\d.*)$", reader=_amount),
    Pattern("lasts", "lasts one time", r"^(?P<s>.+?) dauert (?P<v>\S*\d.*)$", reader=_amount),
    Pattern(
        "data in",
        "stores its data in one place",
        r"^(?P<s>.+?) (?:speichert|hält|legt) (?:seine|ihre|alle) Daten in (?P<v>\S+(?: \d\S*)?)"
        r"(?: ab)?$",
    ),
)
"""Readings by which a noun and a verb that say the same meet in one slot."""
