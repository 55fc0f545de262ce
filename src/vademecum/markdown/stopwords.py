"""Words that carry no content, by language, left off a query but never off the index."""

from __future__ import annotations

from collections.abc import Collection, Sequence

_ENGLISH = """
a about after all also am an and any are as at be been being but by can could d did do does for from
had has have he her him his how i if in into is it its ll m me my no not of on or our re s she
should so some t than that the their them then there these they this to us ve was we were what when
where which who whom whose why will with would you your
"""
_GERMAN = """
aber als am an auch auf aus bei bin bis bist da das dass dem den der des die dies diese dieser
dieses doch du ein eine einem einen einer eines er es für gab gibt haben hat hatte hatten ich ihr
ihre im in ist ja mein mit nach nicht noch nur oder sein seine sich sie sind so um und uns unser vom
von vor wann war waren warum was welche welchem welchen welcher welches wem wen wer werden wessen
wie wir wird wo wurde wurden zu zum zur über
"""
_SPANISH = """
a al algo como con cuál cuáles cuándo cuántas cuánto cuántos cómo de del desde donde dónde e el ella
ellos en era es esa ese eso esta este esto está están fue fueron ha había han hay la las le les lo
los me mi más no nos o para pero por porque que quién quiénes qué se sin sobre su sus también te
tiene un una uno y ya yo
"""
_FRENCH = """
a au aux avec c ce ces cet cette comment d dans de des du elle elles en est et il ils j je l la le
les leur lui m ma mais me mes mon n ne nous on ont ou où par pas pour pourquoi qu quand que quel
quelle quelles quels qui quoi s sa se ses son sont sur t ta te tu un une vous y à été être
"""

_LANGUAGES: tuple[frozenset[str], ...] = tuple(
    frozenset(words.casefold().split()) for words in (_ENGLISH, _GERMAN, _SPANISH, _FRENCH)
)


def stop_words_for(words: Sequence[str]) -> Collection[str]:
    """The stop words of the language that most of ``words`` speak for; English on a tie.

    Lists are never merged: ``die`` and ``war`` are articles and verbs in one language, content
    in another.
    """
    return max(_LANGUAGES, key=lambda language: sum(word in language for word in words))


# Characters that build particles, endings, pronouns and question words. A pair made of nothing
# else says nothing about the matter; a pair with any other character stays.
_FUNCTION_CHARACTERS = frozenset(
    "的了是在我们你您他她它这那哪什么谁吗呢吧啊怎为与和及或也都就把被对从到个些有没不要会可以能多少几何时候请问很再"
    "은는이가을를의에서로와과도만지야까나요다고게한하했인무엇언제어디누구왜떻떤몇니습입있없것우리내수시"
)
_HIRAGANA = range(0x3041, 0x30A0)


def is_function_gram(gram: str) -> bool:
    """Whether a run of characters is all particles and endings (Chinese, Japanese, Korean)."""
    return all(
        character in _FUNCTION_CHARACTERS or ord(character) in _HIRAGANA for character in gram
    )
