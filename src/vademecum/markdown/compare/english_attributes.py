"""How English says one thing in two ways: "the port of X is V" and "X listens on port V"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from vademecum.core.patterns import later
from vademecum.markdown.compare import words
from vademecum.markdown.compare.attributes import SHAPED, Reader, at_time, attribute, slot_of
from vademecum.markdown.compare.frames import Frame, Pattern
from vademecum.markdown.compare.slots import names_slot
from vademecum.markdown.compare.typed import listed

_NOUN = r"(?P<n>[A-Za-z]+(?:[ -][a-z]+){0,2}?)"
_VALUE = r"(?P<v>\S+(?: [^a-z\s]\S*){0,2})"
"""A value behind its noun: a word, or several that begin with no small letter."""
_ON = r"(?:at|on|every|each|by)"
_PARTICLE = r"(?: (?:up|out|off|down|in|over))?"
_HAPPENS = (
    r"(?:is|are|runs?|happens?|occurs?|takes? place|starts?|begins?|goes|go|"
    r"(?:is|are) (?:done|made|run|scheduled|due|planned|set))"
)
_DONE = r"(?:[a-z]+ed|run|sent|built|held|paid|made|done|shut|cut|born|due|open)"
_DOES = (
    r"(?:back up|deploy|release|restart|reboot|rotate|scan|archive|build|ship|publish|run|sync|"
    r"update|upgrade|patch|test|clean up|review|check|reset|roll out|audit|maintain)"
)
_RUNS = (
    r"(?:backs up|cleans up|rolls out|(?:deploy|restart|reboot|expire|renew|rotate|start|begin|end|"
    r"open|close|run|sync|update|upgrade|release|ship|build|reset|launche)s)"
)
"""What a thing is said to do itself that is done with it."""

_PATTERN_OF = {
    "written in": "language;programming language;implementation language",
    "data in": "database;data store;datastore;data storage",
    "lives": "home town;hometown;residence;place of residence",
    "works at": "employer",
    "works as": "occupation;profession;job",
    "called": "name",
    "located": "location",
    "reports to": "boss;supervisor;line manager",
    "costs": "price;cost",
    "weighs": "weight",
    "lasts": "duration",
    "licensed under": "licence;license",
    "talks": "api;api style;api type;api protocol;client protocol;client api;style of api",
    "held by\x1eowned": "owner;owning team",
    "held by\x1emaintained": "maintainer",
    "held by\x1eled": "lead;leader;team lead",
    "held by\x1emanaged": "manager",
    "held by\x1echaired": "chair;chairman;chairwoman;chairperson",
    "held by\x1eheaded": "head",
    "held by\x1ecoached": "coach;head coach",
}
_SLOT_OF = {noun: slot for slot, nouns in _PATTERN_OF.items() for noun in nouns.split(";")}
"""Relation of the verb that says the same as a noun, and what belongs to its slot besides."""
_HELD = {
    "owns": "owned",
    "maintains": "maintained",
    "leads": "led",
    "manages": "managed",
    "chairs": "chaired",
    "heads": "headed",
    "coaches": "coached",
}
_OTHER_NOUNS = frozenset(
    listed(
        "channel cluster namespace platform protocol queue region runtime schema topic bucket "
        "subnet domain registry repository environment gateway endpoint tier"
    )
)
"""Nouns of which a thing has one, besides those that name a slot wherever they stand."""
_MOMENTS = frozenset(listed("time hour date day weekday slot moment"))
_BESIDE = frozenset(listed("period window schedule"))
_IRREGULAR = {
    "paid": "pay",
    "sent": "send",
    "held": "hold",
    "built": "build",
    "ran": "run",
    "deadline": "due",
    "birth": "born",
}
_ENDING = later(r"(?:ments?|ances?|ures?|als?|ations?|ions?|ings?|ated|ates?|ed|es|s|e|y)$")
_DAYS = later(r"days\b")
_DOUBLED = later(r"([bdgmnprt])\1$")
_PREDICATE = later(
    r"(?:from|of|for|with|about|really|more|most|just|going|what|how|without|by|like|very|so|too|"
    r"quite|rather|always|usually|often|still|being|that|because|when|if|to|why|not|never|now|in) "
)
_GROUP = later(r"(?<=\w) (?:team|group|squad|crew|department|guild)$")
_RETENTION = later(r"^(?P<what>\w+?)s? retention(?: (?:period|time))?$")
_FURTHER = later(
    r" (?:for|in|on|at|with|from|when|while|if|because|since|but|and|or|during|until|per person) "
)
"""What makes more of a value than a value: "20 euros for adults"."""
_MEANS = later(
    r"^(?P<e>\w+) (?:tool|system|framework|provider|service|software|stack|engine|runner|library|"
    r"backend|vendor|solution|app)$"
)
_POSSESSIVE = later(r"['’]s?$")


def _said_by_noun(frame: Frame, match: re.Match[str]) -> Frame | None:
    """ "The R of X is V", where a verb could say it as well."""
    noun, value = match["n"].casefold().replace("-", " "), match["v"]
    timed = _moment(frame, noun, value)
    if timed is not None:
        return timed
    if _PREDICATE.match(f"{value} ") or not SHAPED.search(value) or _FURTHER.search(value):
        return None  # "the database of X is slow" gives no value
    kept = _RETENTION.match(noun)
    if kept:
        return replace(frame, relation="keeps for", subject=_slot(frame, kept["what"]))
    if noun in _SLOT_OF:
        relation, _, more = _SLOT_OF[noun].partition("\x1e")
        found = replace(frame, relation=relation, subject=_slot(frame, more))
        if relation == "held by":
            return without_group(found, match)
        return replace(found, preposition="in") if relation == "located" else found
    means = _MEANS.match(noun)
    if means:
        return replace(frame, relation="means", subject=_slot(frame, _stem(means["e"])))
    return _attribute(frame, noun)


def _by_means(frame: Frame, match: re.Match[str]) -> Frame | None:
    """ "X is monitored with V" says "the monitoring tool of X is V"."""
    if not SHAPED.search(match["v"]) or _FURTHER.search(match["v"]):
        return None
    return replace(frame, subject=_slot(frame, _stem(match["e"])))


def _counted(frame: Frame, match: re.Match[str]) -> Frame | None:
    """ "X has 3 replicas", "the number of replicas of X is 3"."""
    return _attribute(frame, f"number {match['e']}")


def _named_after(frame: Frame, match: re.Match[str]) -> Frame | None:
    """ "X uses V as its cache", "X times out after V"."""
    noun = match["n"].casefold().replace("times out", "timeout")
    return _attribute(frame, noun) if SHAPED.search(match["v"]) else None


def _said_with_noun(frame: Frame, match: re.Match[str]) -> Frame | None:
    """ "X runs in the region V": the noun stands before its value."""
    if not SHAPED.search(match["v"]):
        return None
    noun = match["n"].casefold()
    if noun.split()[-1] not in _OTHER_NOUNS and not names_slot(noun):
        return None
    relation, _, more = _SLOT_OF.get(noun, "").partition("\x1e")
    if relation in ("data in", "written in"):
        return replace(frame, relation=relation, subject=_slot(frame, more))
    return _attribute(frame, noun)


def _goes_to(frame: Frame, match: re.Match[str]) -> Frame | None:
    """ "Alerts of X go to the channel V" says "the alert channel of X is V"."""
    noun = match["n"] or ("channel" if match["v"].startswith("#") else "")
    if not noun or not SHAPED.search(match["v"]):
        return None
    return _attribute(frame, f"{match['e'].casefold()} {noun.casefold()}")


def _attribute(frame: Frame, noun: str) -> Frame | None:
    if noun.split()[-1] in words.MANY_NOUNS:
        return None
    key = " ".join(word.rstrip("s") for word in noun.split())
    return attribute(_plain(frame), key)


def _slot(frame: Frame, more: str) -> str:
    return slot_of(_plain(frame), more)


def _plain(frame: Frame) -> Frame:
    return replace(frame, subject=_POSSESSIVE.sub("", frame.subject))


def _keeps(frame: Frame, match: re.Match[str]) -> Frame | None:
    amount = _amount(frame, match)
    return amount and replace(amount, subject=_slot(amount, match["e"].casefold()))


def _amount(frame: Frame, match: re.Match[str]) -> Frame | None:
    return None if _FURTHER.search(match["v"]) else frame


# ------------------------------------------------------------------ at what time, on which day


def _at_a_time(frame: Frame, match: re.Match[str]) -> Frame | None:
    """ "X is backed up at 04:20", "the backup of X runs at 04:20"."""
    return _when(frame, match["e"].casefold(), match["v"])


def _moment(frame: Frame, noun: str, value: str) -> Frame | None:
    """ "The backup time of X is 04:20", "the deadline of X is 3 May"."""
    said = noun.split()
    if said[-1] in _MOMENTS | _BESIDE and len(said) > 1:
        said = said[:-1]
    elif noun.replace(" ", "") not in _IRREGULAR:
        return None
    return _when(frame, " ".join(said), value)


def _when(frame: Frame, event: str, value: str) -> Frame | None:
    if event in words.EVENT_WORDS:
        return None
    key = "".join(map(_stem, event.replace("-", " ").split()))
    return at_time(_plain(frame), key, _DAYS.sub("day", value))


def _stem(word: str) -> str:
    """ "deploys", "deployed" and "deployment" are of one stem, "released" and "release" too."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    cut = _ENDING.sub("", word) if len(word) > 3 else word
    return _DOUBLED.sub(r"\1", cut if len(cut) > 2 else word)


# ------------------------------------------------------------------ who holds it


def _holder(frame: Frame, match: re.Match[str]) -> Frame:
    """ "The platform team owns X" says "X is owned by the platform team"."""
    thing, _, verb = frame.subject.partition("\x1e")
    return without_group(replace(frame, subject=f"{thing}\x1e{_HELD[verb]}"), match)


def without_group(frame: Frame, _match: re.Match[str]) -> Frame:
    """ "Owned by the platform team" says "owned by platform"."""
    return replace(frame, value=_GROUP.sub("", frame.value))


# ------------------------------------------------------------------ the patterns


def _patterns(rule: str, reader: Reader, *expressions: str) -> Iterator[Pattern]:
    for expression in expressions:
        yield Pattern("attribute", rule, expression, reader=reader)


ATTRIBUTES = (
    *_patterns(
        "the slot holds one value",
        _said_by_noun,
        rf"^(?:[Tt]he )?{_NOUN} (?:of|for) (?P<s>.+) (?:is|are) (?P<v>.+)$",
        rf"^(?P<s>.+?['’]s?) {_NOUN} (?:is|are) (?P<v>(?!.* (?:is|are) ).+)$",
        r"^(?:[Tt]he )?(?P<s>[A-Z]\S*(?: [A-Z]\S*)?) (?P<n>[a-z]+(?: [a-z]+)?) is (?P<v>.+)$",
    ),
    *_patterns(
        "the slot holds one value",
        _said_with_noun,
        r"^(?P<s>.+?) (?:runs|lives|listens|sits|operates|works|answers|serves|stays|resides|"
        r"(?:is|are) (?:running|hosted|deployed|located|served|reachable|available|based|exposed|"
        rf"published)) (?:in|on|at|from|under|via|over) (?:the )?{_NOUN} {_VALUE}$",
        rf"^(?P<s>.+?) (?:uses|has) the {_NOUN} {_VALUE}$",
    ),
    *_patterns(
        "goes to one place",
        _goes_to,
        r"^(?P<e>\w+?)s (?:of|from|for) (?P<s>.+?) (?:go|(?:are|get) (?:sent|posted|delivered|"
        r"routed|written|published)|land|arrive) (?:to|in|on|at) (?:the )?(?:(?P<n>[a-z]+) )?"
        r"(?P<v>\S+)$",
        r"^(?P<s>.+?['’]s?) (?P<e>\w+?)s (?:go|(?:are|get) (?:sent|posted|delivered|routed|"
        r"written|published)|land|arrive) (?:to|in|on|at) (?:the )?(?:(?P<n>[a-z]+) )?"
        r"(?P<v>\S+)$",
        r"^(?P<s>.+?) (?:sends|posts|routes|delivers|writes|publishes) (?:all )?(?:its |their )?"
        r"(?P<e>\w+?)s (?:to|in|into|on) (?:the )?(?:(?P<n>[a-z]+) )?(?P<v>\S+)$",
    ),
    *_patterns(
        "happens at one time",
        _at_a_time,
        rf"^(?P<s>.+?) (?:is|are|gets?) (?P<e>{_DONE}{_PARTICLE}) {_ON} (?P<v>.+)$",
        rf"^(?P<s>.+?) (?P<e>{_RUNS}) {_ON} (?P<v>.+)$",
        rf"^(?:[Tt]he )?(?P<e>[A-Za-z-]+) (?:of|for) (?P<s>.+?) {_HAPPENS} {_ON} (?P<v>.+)$",
        rf"^(?P<s>.+?['’]s?) (?P<e>[a-z-]+) {_HAPPENS} {_ON} (?P<v>.+)$",
        rf"^(?:[Tt]he )?(?P<s>[A-Z]\S*(?: [A-Z]\S*)?) (?P<e>[a-z-]+) {_HAPPENS} {_ON} (?P<v>.+)$",
        rf"^(?:We|They|[Tt]he team) (?P<e>{_DOES}) (?P<s>.+?) {_ON} (?P<v>.+)$",
        r"^(?:[Tt]he )?(?:time|day|date) of (?:the )?(?P<e>[a-z-]+) (?:of|for) (?P<s>.+?) is "
        r"(?P<v>.+)$",
    ),
    Pattern(
        "keeps for",
        "is kept for one time",
        r"^(?P<s>.+?) (?:keeps|retains|stores) (?:its |all |all its |their |the )?(?P<e>\w+?)s? "
        r"for (?P<v>\S*\d.*)$",
        reader=_keeps,
    ),
    Pattern(
        "keeps for",
        "is kept for one time",
        r"^(?:[Tt]he )?(?P<e>\w+?)s? (?:of|from) (?P<s>.+?) (?:is|are) (?:kept|retained|stored) "
        r"for (?P<v>\S*\d.*)$",
        reader=_keeps,
    ),
    Pattern(
        "means",
        "is done with several things",
        r"^(?P<s>.+?) (?:is|are) (?P<e>[a-z]+ed|built|run|sent|paid) "
        r"(?:with|in|on|via|using|through) (?P<v>\S+(?: [^a-z\s]\S*){0,2})$",
        strength="open",
        reader=_by_means,
    ),
    *_patterns(
        "has so many",
        _counted,
        r"^(?P<s>.+?) (?:has|runs|uses|keeps) (?P<v>\d+) (?P<e>[a-z]+s)$",
        r"^(?:[Tt]he )?number of (?P<e>[a-z]+) (?:of|for|in) (?P<s>.+) is (?P<v>\d+)$",
        r"^(?:[Tt]he )?(?P<e>[a-z]+) (?:count|number) (?:of|for) (?P<s>.+) is (?P<v>\d+)$",
        r"^(?P<s>.+?['’]s?) (?P<e>[a-z]+) count is (?P<v>\d+)$",
    ),
    *_patterns(
        "uses one thing for it",
        _named_after,
        r"^(?P<s>.+?) (?:uses|has) (?P<v>\S+(?: [^a-z\s]\S*){0,2}) as (?:its|the|a|an|their) "
        r"(?P<n>[a-z]+(?: [a-z]+)?)$",
        r"^(?P<s>.+?) (?P<n>times out) after (?P<v>\S*\d.*)$",
    ),
    Pattern(
        "talks",
        "talks one way to its clients",
        r"^(?P<s>.+?) (?:talks|speaks|offers|serves) (?P<v>\S+) to (?:its|all|the|their) "
        r"(?:clients|callers|consumers|users)$",
    ),
    Pattern("costs", "has one price", r"^(?P<s>.+?) costs? (?P<v>\S*\d.*)$", reader=_amount),
    Pattern("weighs", "has one weight", r"^(?P<s>.+?) weighs? (?P<v>\S*\d.*)$", reader=_amount),
    Pattern(
        "lasts", "lasts one time", r"^(?P<s>.+?) lasts? (?:for )?(?P<v>\S*\d.*)$", reader=_amount
    ),
    Pattern(
        "licensed under",
        "has one licence",
        r"^(?P<s>.+?) (?:is|are) (?:licen[sc]ed|released) under (?:the )?"
        r"(?P<v>.+?)(?: licen[sc]e)?$",
    ),
    Pattern(
        "data in",
        "stores its data in one place",
        r"^(?P<s>.+?) (?:stores|keeps|saves) (?:its|their|all|all its) data in (?P<v>.+)$",
    ),
    Pattern(
        "data in",
        "stores its data in one place",
        r"^(?:[Tt]he )?[Dd]ata of (?P<s>.+?) (?:is|are) (?:stored|kept|saved) in (?P<v>.+)$",
    ),
    Pattern(
        "held by",
        "is held by one owner",
        r"^(?P<v>.+?) (?P<q>owns|maintains|leads|manages|chairs|heads|coaches) (?P<s>[A-Z].*)$",
        reader=_holder,
    ),
)
"""Readings by which a noun and a verb that say the same meet in one slot."""
