"""Two people's clones of one memory, and a generator of what they do to it."""

from __future__ import annotations

import difflib
import random
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from vademecum.core.claims import Claim
from vademecum.core.errors import VademecumError
from vademecum.markdown.claims import read_claims
from vademecum.service.memory import Memory, open_memory
from vademecum.testing import FrozenClock

WORD = re.compile(r"\bword[a-z]\d+\b")
BASE = 6
"""Notes that both have from the beginning."""


class Person:
    """One clone with its memory, and whoever works in it."""

    def __init__(self, name: str, place: Path, seed: int) -> None:
        self.name = name
        self.root = place / name
        self.clock = FrozenClock("2026-01-20T08:00:00")
        self.chance = random.Random(f"{seed} {name}")
        self.memory: Memory
        self.said: set[str] = set()
        """Words that this person put somewhere."""
        self.removed: set[str] = set()
        """Words that this person took out on purpose."""
        self._count = 0
        self._place = place

    def git(self, *arguments: str, check: bool = True) -> str:
        environment = {"PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(self._place)}
        done = subprocess.run(
            ["git", "-c", f"user.name={self.name}", "-c", "user.email=x@example.org", *arguments],
            cwd=self.root,
            capture_output=True,
            text=True,
            env=environment,
        )
        assert not check or done.returncode == 0, done.stderr
        return done.stdout

    def open(self) -> None:
        self.memory = open_memory(
            self.root,
            agent=self.name,
            clock=self.clock,
            settings={
                "state.directory": str(self._place / f"{self.name}-state"),
                "embedder.provider": "none",
                "workspace.zone": "UTC",
            },
            variables={"PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(self._place)},
        )
        self.git("config", "user.name", self.name)
        self.git("config", "user.email", f"{self.name}@example.org")
        self.memory.git("setup")

    def word(self) -> str:
        self._count += 1
        word = f"word{self.name[0]}{self._count}"
        self.said.add(word)
        return word

    def notes(self) -> list[Path]:
        found = sorted((self.root / "memory").rglob("*.md"))
        return [
            path
            for path in found
            if not path.name[:4].isdigit()
            and not any(p.startswith(".") for p in path.parts[-3:])
            and path.name not in ("index.md", "candidates.md")
            and "system" not in path.parts
        ]

    def claims(self) -> list[tuple[Path, Claim]]:
        return [
            (path, claim)
            for path in self.notes()
            for claim in read_claims(path.relative_to(self.root).as_posix(), path.read_text())
            if claim.live and claim.id and claim.span.first == claim.span.last
        ]

    # ------------------------------------------------------------ what people do

    def act(self) -> str:
        """Do one thing; return what it was."""
        self.clock.advance(minutes=self.chance.randrange(1, 9))
        acts = [
            (self.remember, 5),
            (self.supersede, 4),
            (self.log, 4),
            (self.reword, 5),
            (self.strike, 3),
            (self.write_prose, 3),
            (self.move_note, 1),
            (self.move_claim, 2),
            (self.remove_claim, 1),
            (self.remove_note, 0.3),
            (self.conflict, 2),
        ]
        act = self.chance.choices([one for one, _ in acts], [weight for _, weight in acts])[0]
        act()
        return act.__name__

    def remember(self) -> None:
        kind = self.chance.choice(("decision", "lesson", "preference", "person", "fact"))
        about = self.chance.choice([None, "memory/facts/base0.md", "memory/facts/base1.md"])
        self._try(
            lambda word: self.memory.remember(
                f"The {self._thing()} of {word} is kept in {word}", kind=kind, about=about
            )
        )

    def supersede(self) -> None:
        if found := self._claim():
            old = found[1].id
            self._try(
                lambda word: self.memory.remember(
                    f"The {self._thing()} is now {word}", kind="fact", supersedes=f"^{old}"
                )
            )

    def log(self) -> None:
        word = self.word()
        self.memory.log(f"Talked about {word} and its {self._thing()}.", title=f"About {word}")

    def reword(self) -> None:
        if found := self._claim():
            path, claim = found
            self._edit(
                path, claim, lambda line: line.replace(claim.text, f"{claim.text} {self.word()}", 1)
            )

    def conflict(self) -> None:
        """Reword a claim that both are likely to know."""
        base = [one for one in self.claims() if one[1].id.startswith("ba5e")]
        if base:
            path, claim = self.chance.choice(base)
            self._edit(
                path, claim, lambda line: line.replace(claim.text, f"{claim.text} {self.word()}", 1)
            )

    def strike(self) -> None:
        if found := self._claim():
            path, claim = found
            day = self.clock.now().date().isoformat()
            self._edit(
                path,
                claim,
                lambda line: (
                    re.sub(
                        r"^- (.*?) (\^\S+)$", rf"- ~~\1~~ superseded {day} \2", line.rstrip("\n")
                    )
                    + "\n"
                ),
            )

    def write_prose(self) -> None:
        path = self.chance.choice(self.notes())
        lines = path.read_text().splitlines(keepends=True)
        ends = [number for number, line in enumerate(lines) if line.startswith("# ")]
        at = self.chance.choice([len(lines), (ends or [len(lines) - 1])[0] + 1])
        lines.insert(at, f"\nA paragraph about {self.word()}.\n")
        path.write_text("".join(lines))

    def move_note(self) -> None:
        path = self.chance.choice(self.notes())
        into = self.root / "memory" / self.chance.choice(("facts", "projects", "people"))
        into.mkdir(parents=True, exist_ok=True)
        target = into / f"{path.stem.split('~')[0]}~{self.word()}.md"
        self.said -= set(WORD.findall(target.name))
        path.rename(target)

    def move_claim(self) -> None:
        if found := self._claim():
            path, claim = found
            target = self.chance.choice(self.notes())
            if target != path:
                lines = path.read_text().splitlines(keepends=True)
                line = lines.pop(claim.span.first - 1)
                path.write_text("".join(lines))
                text = target.read_text()
                target.write_text(text + ("" if text.endswith("\n") else "\n") + line)

    def remove_claim(self) -> None:
        if found := self._claim():
            path, claim = found
            self.removed |= set(WORD.findall(path.read_text().splitlines()[claim.span.first - 1]))
            self._edit(path, claim, lambda _: "")

    def remove_note(self) -> None:
        path = self.chance.choice(self.notes())
        self.removed |= set(WORD.findall(path.read_text()))
        path.unlink()

    # ------------------------------------------------------------ small things

    def _thing(self) -> str:
        return self.chance.choice(("boiler", "ladder", "invoice", "garden", "engine", "harbour"))

    def _claim(self) -> tuple[Path, Claim] | None:
        found = self.claims()
        return self.chance.choice(found) if found else None

    def _try(self, write) -> None:  # type: ignore[no-untyped-def]  # the harness is given whatever a step needs
        word = self.word()
        try:
            write(word)
        except VademecumError:
            self.said.discard(word)  # refused, and nothing was written

    def _edit(self, path: Path, claim: Claim, change) -> None:  # type: ignore[no-untyped-def]  # the harness is given whatever a step needs
        lines = path.read_text().splitlines(keepends=True)
        number = claim.span.first - 1
        if lines[number].startswith("- "):
            lines[number] = change(lines[number])
            path.write_text("".join(lines))


def team(place: Path, seed: int) -> tuple[Person, Person]:
    """Return two people with clones of one memory."""
    subprocess.run(
        ["git", "init", "-q", "--bare", "-b", "main", str(place / "hub.git")], check=True
    )
    ada, ben = Person("ada", place, seed), Person("ben", place, seed)
    ada.root.mkdir()
    ada.git("init", "-q", "-b", "main")
    ada.git("remote", "add", "origin", str(place / "hub.git"))
    (ada.root / "vade.toml").write_text(
        '[workspace]\nid = "w"\nprofile = "standard"\nzone = "UTC"\n'
    )
    for number in range(BASE):
        note = ada.root / f"memory/facts/base{number}.md"
        note.parent.mkdir(parents=True, exist_ok=True)
        claims = "".join(
            f"- [stated] The thing {number}.{one} is wordx{number * 10 + one} (2026-01-10)"
            f" ^ba5e{number}{one}\n"
            for one in range(4)
        )
        note.write_text(
            f"---\ntype: fact\ntitle: Base {number}\ndescription: Things of base {number}.\n---\n\n"
            f"# Base {number}\n\n{claims}"
        )
    ada.open()
    ada.git("add", "-A")
    ada.git("commit", "-q", "-m", "start")
    ada.memory.git("sync")
    subprocess.run(["git", "clone", "-q", str(place / "hub.git"), str(ben.root)], check=True)
    ben.open()
    return ada, ben


def files_of(root: Path) -> dict[str, bytes]:
    """Return every file of a clone but Git's own."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(root).parts
    }


def lines_of(files: dict[str, bytes]) -> Iterator[tuple[str, str]]:
    """Yield path and line of every note."""
    for path, data in files.items():
        for line in data.decode().splitlines():
            yield path, line


def check(people) -> None:  # type: ignore[no-untyped-def]  # the harness is given whatever a step needs
    """Say that both clones are the same, nothing was lost, and no claim is both live and struck.

    What is wrong is all in the message: a failure of a run that nobody can repeat has to say it.
    """
    ada, ben = people
    mine, yours = files_of(ada.root), files_of(ben.root)
    wrong = [*differences(mine, yours), *_lost(people, mine), *_marked(mine), *_both(mine)]
    for person in people:
        for question in (["status", "--porcelain"], ["fsck", "--strict", "--no-dangling"]):
            if said := person.git(*question):
                staged = person.git("diff", "--cached", "--unified=1")
                unstaged = person.git("diff", "--unified=1")
                wrong.append(f"git {question[0]} of {person.name}: {said}{staged}{unstaged}")
    heads = [person.git("log", "-1", "--format=%h %s").strip() for person in people]
    if heads[0] != heads[1]:
        wrong.append(f"HEAD of ada is {heads[0]!r}, of ben {heads[1]!r}")
    assert not wrong, "\n".join(wrong)


def differences(mine: dict[str, bytes], yours: dict[str, bytes]) -> Iterator[str]:
    """Say how the files of ada, or those that are expected, differ from those of ben."""
    for path in sorted(mine.keys() ^ yours.keys()):
        whose, data = ("ada", mine[path]) if path in mine else ("ben", yours[path])
        yield f"only {whose} has {path}:\n{data.decode()}"
    for path in sorted(mine.keys() & yours.keys()):
        if mine[path] != yours[path]:
            texts = [one[path].decode().splitlines() for one in (mine, yours)]
            rows = difflib.unified_diff(*texts, f"ada/{path}", f"ben/{path}", n=1, lineterm="")
            yield "\n".join(rows)


def _lost(people, files: dict[str, bytes]) -> Iterator[str]:  # type: ignore[no-untyped-def]  # the harness is given whatever a step needs
    ada, ben = people
    said = (ada.said | ben.said) - ada.removed - ben.removed
    words = set(WORD.findall(b"\n".join(files.values()).decode()))
    for word in sorted(said - words):
        yield f"written, and nowhere any more: {word}; history has it in:"
        for person in people:
            found = person.git("log", "--all", "--format=%h %s", "--name-status", f"-S{word}")
            yield "\n".join(f"  {person.name}: {row}" for row in found.splitlines() if row)


def _marked(files: dict[str, bytes]) -> Iterator[str]:
    for path, line in lines_of(files):
        if line.startswith(("<<<<<<<", ">>>>>>>")):
            yield f"a marker in {path}: {line}"


def _both(files: dict[str, bytes]) -> Iterator[str]:
    by_id: dict[str, list[tuple[str, Claim, str]]] = {}
    for path, data in files.items():
        if path.startswith("memory/") and path.endswith(".md"):
            lines = data.decode().splitlines()
            for claim in read_claims(path, data.decode()):
                if claim.id:
                    row = lines[claim.span.first - 1]
                    by_id.setdefault(claim.id, []).append((path, claim, row))
    for id, found in by_id.items():
        if len({claim.live for _, claim, _ in found}) == 2:
            rows = "\n".join(f"  {path}:{claim.span.first}: {row}" for path, claim, row in found)
            yield f"live and struck: ^{id}\n{rows}"
