"""A synthetic workspace of any size: `python -m benchmarks.corpus DIRECTORY NOTES [--seed N]`.

Standard profile, reproducible from its seed, standard library only. Words are made of syllables
and drawn by Zipf's law, so that common words are common and most words are rare, as in real text;
one note in ten is Chinese. Every note holds one identifier that occurs nowhere else.
"""

from __future__ import annotations

import argparse
import random
import sys
from bisect import bisect
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate
from pathlib import Path

_START = date(2015, 1, 1)
_KINDS = ("decisions", "lessons", "people", "projects", "preferences")
_ONSETS = "b br c ch d dr f fl g gr h j k l m n p pl qu r s sh st t tr v w z"
_RIMES = "a an ar e el en er i in is o ol on or u um us ay ea ou"
_HAN = (
    "船票码头退款时间会议决定记录服务接口数据项目用户测试发布错误客户设备规则潮水航班座位支付网关"
)
_VOCABULARY = 20_000


@dataclass(frozen=True, slots=True)
class Corpus:
    """What was written, and questions whose answer is known."""

    root: Path
    notes: int
    lines: int
    """List lines and log paragraphs, the smallest units that are searched."""
    identifiers: tuple[tuple[str, str], ...]
    """Identifier and path of the only note that holds it; at most a hundred, evenly spread."""


class _Words:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        onsets, rimes = _ONSETS.split(), _RIMES.split()
        made: set[str] = set()
        while len(made) < _VOCABULARY:
            count = chance.choice((1, 2, 2, 3, 3))
            made.add("".join(chance.choice(onsets) + chance.choice(rimes) for _ in range(count)))
        self._words = sorted(made, key=lambda word: (len(word), word))
        self._weights = list(accumulate(1 / (rank + 2.7) for rank in range(_VOCABULARY)))

    def one(self) -> str:
        drawn = self._chance.random() * self._weights[-1]
        return self._words[bisect(self._weights, drawn)]

    def sentence(self, words: int) -> str:
        return " ".join(self.one() for _ in range(words)).capitalize() + "."

    def chinese(self, characters: int) -> str:
        return "".join(self._chance.choice(_HAN) for _ in range(characters)) + "。"


def write_corpus(root: Path, notes: int, seed: int = 1) -> Corpus:
    """Write `notes` notes below `root`: a third daily logs, the rest concept notes."""
    chance = random.Random(seed)
    words = _Words(chance)
    memory = root / "memory"
    for folder in _KINDS:
        (memory / folder).mkdir(parents=True, exist_ok=True)
    (root / "vade.toml").write_text('[workspace]\nprofile = "standard"\nzone = "UTC"\n')
    (root / "NOW.md").write_text("# Now\n\nMeasuring.\n")
    identifiers: list[tuple[str, str]] = []
    lines = 0
    for number in range(notes):
        identifier = f"ID-{seed}{number:06d}-{words.one().upper()}"
        chinese = number % 10 == 9
        if number % 3 == 0:
            day = _START + timedelta(days=number // 3)
            path, text = f"memory/{day}.md", _log(words, day, identifier, chinese)
        else:
            kind = _KINDS[number % len(_KINDS)]
            title = f"{words.one()} {words.one()} {number}".capitalize()
            path = f"memory/{kind}/{title.lower().replace(' ', '-')}.md"
            text = _concept(words, kind, title, identifier, chinese)
        (root / path).write_text(text, encoding="utf-8")
        identifiers.append((identifier, path))
        lines += _LINES
    step = max(1, len(identifiers) // 100)
    return Corpus(root, notes, lines, tuple(identifiers[::step][:100]))


_LINES = 10


def _statements(words: _Words, identifier: str, chinese: bool) -> list[str]:
    made = [
        words.chinese(30) if chinese and index % 2 else words.sentence(22)
        for index in range(_LINES)
    ]
    made[_LINES // 2] = f"{made[_LINES // 2][:-1]} {identifier}."
    return made


def _log(words: _Words, day: date, identifier: str, chinese: bool) -> str:
    blocks = [f"# {day}\n"]
    for index, statement in enumerate(_statements(words, identifier, chinese)):
        title = f"{words.one()} {words.one()}".capitalize()
        blocks.append(f"### {8 + index:02d}:15 — {title}\n{statement}\n")
    return "\n".join(blocks)


def _concept(words: _Words, kind: str, title: str, identifier: str, chinese: bool) -> str:
    head = f"---\ntype: {kind.rstrip('s')}\ntitle: {title}\ndescription: {words.sentence(6)}\n"
    head += f"tags: [{words.one()}, {words.one()}]\nstatus: active\n---\n\n# {title}\n\n"
    made = _statements(words, identifier, chinese)
    half = _LINES // 2
    first = "\n".join(f"- [stated] {one}" for one in made[:half])
    second = "\n".join(f"- [observed] {one}" for one in made[half:])
    return f"{head}{first}\n\n## {words.one().capitalize()}\n\n{second}\n"


def main(arguments: list[str]) -> int:
    """Write a corpus and say what was written."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("notes", type=int)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    corpus = write_corpus(given.directory, given.notes, given.seed)
    print(f"{corpus.notes} notes, {corpus.lines} lines in {corpus.root}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
