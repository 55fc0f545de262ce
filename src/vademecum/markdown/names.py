"""Names of notes: titles and aliases as they stand in a question, also with one letter amiss."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from vademecum.core.notes import Note, Role

_MOST_WORDS = 4
_SHORTEST_MISSPELT, _SHORTEST_NAME = 4, 5
_MISSPELT = "~"
_LONGEST_RUN = 12
_UNNAMED = (Role.LOG, Role.REFLECTION, Role.MAP)


def called(note: Note) -> tuple[str, ...]:
    """Return what links may call a note besides its path: title, aliases, `name`."""
    name = note.properties.text("name")
    return (note.title, *note.properties.items("aliases"), *([name] if name else ()))


def names_of(note: Note) -> tuple[str, ...]:
    """Return the names by which a question may mean a note, each as one key.

    Logs, reflections and maps have none.
    """
    if note.role in _UNNAMED:
        return ()
    keys = (" ".join(words_of(name)) for name in called(note))
    return tuple(dict.fromkeys(key for key in keys if len(key) > 1 and not key.isdigit()))


def keys_of_name(name: str) -> tuple[str, ...]:
    """Return under what a name is kept: itself and, of one long word, its spellings less a letter.

    That is the half of the symmetric deletion of Garbe's SymSpell that an index can hold.
    """
    if " " in name or len(name) < _SHORTEST_NAME or not name.isascii():
        return (name,)
    return (name, _MISSPELT + name, *(_MISSPELT + less for less in sorted(_less_one(name))))


def keys_asked(text: str) -> dict[str, str]:
    """Return the keys under which names in a question would be kept, each with what stands there.

    Whole words only, and runs of up to four; of scripts without spaces every short run.
    """
    words = words_of(text)
    found: dict[str, str] = {}
    for size in range(_MOST_WORDS, 0, -1):
        for at in range(len(words) - size + 1):
            key = " ".join(words[at : at + size])
            found[key] = key
    for word in words:
        if not word.isascii():
            found |= {run: run for run in _runs(word)}
        elif len(word) >= _SHORTEST_MISSPELT:
            for spelling in (word, *_less_one(word)):
                found.setdefault(_MISSPELT + spelling, word)
    return found


def is_meant(name: str, asked: str) -> bool:
    """Whether a word of a question is a name, or that name with one letter amiss.

    The first two letters have to be right: "mango" is not "mongo".
    """
    if name == asked:
        return True
    return name[:2] == asked[:2] and _one_amiss(name, asked)


def words_of(text: str) -> list[str]:
    """Return the words of a text as names are compared: letters and digits, folded."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(sign if sign.isalnum() else " " for sign in folded).split()


def _less_one(word: str) -> set[str]:
    return {word[:at] + word[at + 1 :] for at in range(len(word))}


def _runs(word: str) -> Iterator[str]:
    for size in range(2, min(len(word), _LONGEST_RUN) + 1):
        for at in range(len(word) - size + 1):
            yield word[at : at + size]


def _one_amiss(one: str, other: str) -> bool:
    """Whether one letter is wrong, missing, too many, or two neighbours are swapped."""
    if abs(len(one) - len(other)) > 1:
        return False
    at = 0
    while at < min(len(one), len(other)) and one[at] == other[at]:
        at += 1
    if one[at:] == other[at + 1 :] or one[at + 1 :] == other[at:]:
        return True
    if one[at + 1 :] == other[at + 1 :]:
        return True
    swapped = one[at : at + 2] == other[at : at + 2][::-1]
    return swapped and one[at + 2 :] == other[at + 2 :]
