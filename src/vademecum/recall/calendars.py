"""Names of months, parts of months and relative days, by language."""

from __future__ import annotations

_LANGUAGES = (
    "january february march april may june july august september october november december",
    "jan feb mar apr - jun jul aug sept oct nov dec",
    "- - - - - - - - sep - - -",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "jänner - maerz - - - - - - - - -",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
)
MONTHS = {
    name: number
    for names in _LANGUAGES
    for number, name in enumerate(names.split(), 1)
    if name != "-"
}
ASIAN_NUMBERS = {
    name: number for number, name in enumerate((*"一二三四五六七八九十", "十一", "十二"), 1)
}
_THIRDS = ((1, 10), (11, 20), (21, 31))
PARTS = {
    name: days
    for names, days in zip(
        (
            "early|beginning of|start of|anfang|début|principios de|inizio",
            "mid|middle of|mitte|mediados de|metà",
            "late|end of|ende|finales de|fin de|fine di",
        ),
        _THIRDS,
        strict=True,
    )
    for name in names.split("|")
}
ASIAN_PARTS = {
    name: days
    for names, days in zip(("初 上旬 초", "中旬 중순", "下旬 底 末 말"), _THIRDS, strict=True)
    for name in names.split()
}
AMBIGUOUS = frozenset(name for name in MONTHS if len(name) <= 3) | {"mars", "sept", "march"}
"""Words as well as months (`may`, `march`): they count only behind one of PREPOSITIONS."""
_LEADS = """
in on of since until till by during before after last next this around between from mid
im seit bis vom ab en de desde hasta le à depuis
"""
PREPOSITIONS = frozenset(_LEADS.split())

_DAYS = {
    0: "today|heute|hoy|aujourd'hui|今天|今日|오늘",
    -1: "yesterday|gestern|ayer|hier|昨天|昨日|어제",
    -2: "the day before yesterday|vorgestern|anteayer|avant-hier|前天|一昨日|그저께",
}
_WEEKS = {
    0: "this week|diese woche|esta semana|cette semaine|这周|本周|今週|이번 주",
    -1: "last week|letzte woche|la semana pasada|la semaine dernière|上周|上星期|先週|지난주",
}
_MONTHS = {
    0: "this month|diesen monat|este mes|ce mois-ci|这个月|本月|今月|이번 달",
    -1: "last month|letzten monat|el mes pasado|le mois dernier|上个月|先月|지난달",
}
RELATIVE = {
    phrase: (unit, distance)
    for unit, table in (("day", _DAYS), ("week", _WEEKS), ("month", _MONTHS))
    for distance, phrases in table.items()
    for phrase in phrases.split("|")
}
"""Phrase to the unit it counts in and how many of them from today."""
