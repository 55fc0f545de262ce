"""Every verb, given every path that leads out, waits, never ends or names nothing.

Nothing here names a verb for its own sake: commands, their arguments and options, tools and their
arguments are read from the program, so that a new one is tested the day it is added.
"""

from __future__ import annotations

import io
import os
import signal
import socket
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import pytest

from vademecum.core.errors import VademecumError
from vademecum.service.memory import Memory, open_memory
from vademecum.service.verbs import VERBS
from vademecum.surfaces.cli.main import SUMMARIES, status_of, vade
from vademecum.surfaces.cli.verb import Call
from vademecum.surfaces.mcp import resources
from vademecum.surfaces.mcp.calls import call
from vademecum.surfaces.mcp.door import Door
from vademecum.surfaces.mcp.offers import OFFERS, Offer
from vademecum.testing import FrozenClock, small_embedder

pytestmark = pytest.mark.req("B-01", "F-11")

CANARY = "canary-4711 the vault is behind the clock"
PATIENCE = 20
"""Seconds after which a call counts as hung."""

ENDLESS = {
    "watch": "runs until it is stopped",
    "mcp": "serves until its input ends",
    "chat": "talks until its input ends",
    "hook": "reads one event of a host; tests/surfaces/hooks has its corpus",
    "install": "changes configuration of hosts below HOME, never files of memory",
    "uninstall": "as install",
    "serve": "listens until it is stopped",
    "schedule": "changes the timetable of this machine, never files of memory",
}
"""Commands that are not run here, each with the reason."""
ANYWHERE = {("init", "path"), ("migrate", "source")}
"""Arguments that name any directory of this machine, on purpose."""

LEAVING = [
    "../outside/canary.md",
    "memory/../../outside/canary.md",
    "./../outside/canary.md",
    "..",
    ".",
    "./",
    "memory/..",
    "%2e%2e/outside/canary.md",
    "..%2foutside%2fcanary.md",
    "..\\outside\\canary.md",
    "memory\\..\\..\\outside\\canary.md",
    "/etc/passwd",
    "//etc/passwd",
    "/dev/null",
    "/dev/zero",
    "/proc/self/environ",
    "file:///etc/passwd",
    "C:\\Windows\\win.ini",
    "C:/Windows/win.ini",
    "\\\\server\\share\\x.md",
    "~",
    "~/canary.md",
    "~root/.profile",
    "$HOME/canary.md",
]
ON_DISK = [
    "memory/link.md",
    "memory/inside-link.md",
    "memory/dangling.md",
    "memory/loop.md",
    "memory/out/canary.md",
    "memory/hard.md",
    "memory/pipe.md",
    "memory/socket.md",
    "memory/folder.md",
    "memory/note.md/below.md",
    "memory/locked.md",
    "memory/null.md",
    "memory/zero.md",
    "memory/binary.md",
]
UNNAMEABLE = [
    "memory/CON.md",
    "memory/nul",
    "memory/com1.md",
    "memory/x.md:stream",
    "memory/trailing.",
    "memory/trailing ",
    " memory/leading.md",
    'memory/a"b.md',
    "memory/a<b>.md",
    "memory/a|b.md",
    "memory/a?.md",
    "memory/*.md",
    ".git/config",
    ".git/hooks/post-commit",
    "sub/.GIT/config",
    "memory/NOTE.md",
    f"memory/{unicodedata.normalize('NFD', 'café')}.md",
    "memory/CAFÉ.md",
    "x" * 300 + ".md",
    "memory/" + "ü" * 200 + ".md",
    "/".join(["folder"] * 300) + ".md",
    "memory/\x00.md",
    "memory/a\nb.md",
    "memory/a\rb.md",
    "memory/\x1b[31mred.md",
    "memory/\u202egnp.md",
    "memory/\u200b.md",
    "memory/a\udcff.md",
    "",
    " ",
    "/",
    "//",
    "memory/",
    "[[../outside/canary]]",
    "[[memory/link]]",
    "[[]]",
    "[[a|b#c^d]]",
    "memory/note.md:0",
    "memory/note.md:5-2",
    "memory/note.md:99999999999999999999",
    "memory/note.md:-1",
    "memory/note.md#^",
    "^",
    "^../outside",
    "-",
    "--",
    "--nothing",
]
CORPUS = [*LEAVING, *ON_DISK, *UNNAMEABLE]
QUICK = [
    *("../outside/canary.md", "..\\outside\\canary.md", "/etc/passwd", "/dev/zero", "~/canary.md"),
    *("memory/link.md", "memory/out/canary.md", "memory/hard.md", "memory/pipe.md"),
    *("memory/loop.md", "memory/CON.md", "x" * 300 + ".md", "memory/\x00.md", "memory/a\udcff.md"),
    *("", "memory/note.md:5-2", "memory/a\nb.md"),
]


class Hostile:
    """A workspace among traps, and everything beside it that no call may read or change."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.root = place / "notes"
        self.state = place / "state"
        self.settings = {
            "state.directory": str(self.state),
            "workspace.zone": "UTC",
            "embedder.provider": "none",
        }
        self._make()
        self.outside = self.beside()

    def _make(self) -> None:
        memory = self.root / "memory"
        memory.mkdir(parents=True)
        outside = self.place / "outside"
        outside.mkdir()
        (outside / "canary.md").write_text(f"# Canary\n\n- [stated] {CANARY} ^ca4711\n")
        (self.place / "canary.md").write_text(CANARY)
        (self.root / "vade.toml").write_text('[workspace]\nid = "w"\nprofile = "standard"\n')
        (memory / "note.md").write_text(
            "---\ntype: fact\ntitle: Note\n---\n\n# Note\n\n- [stated] Tea is green ^aa1111\n"
        )
        (memory / "café.md").write_text("# Café\n")
        (memory / "binary.md").write_bytes(b"\xff\xfe\x00\x01" * 20)
        (memory / "link.md").symlink_to(outside / "canary.md")
        (memory / "inside-link.md").symlink_to("note.md")
        (memory / "dangling.md").symlink_to(outside / "nothing.md")
        (memory / "loop.md").symlink_to("loop.md")
        (memory / "null.md").symlink_to("/dev/null")
        (memory / "zero.md").symlink_to("/dev/zero")
        (memory / "out").symlink_to(outside)
        os.link(outside / "canary.md", memory / "hard.md")
        os.mkfifo(memory / "pipe.md")
        (memory / "folder.md").mkdir()
        (memory / "locked.md").write_text("# Locked\n")
        (memory / "locked.md").chmod(0)
        here = Path.cwd()
        os.chdir(memory)  # the address of a socket is short
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("socket.md")
        os.chdir(here)

    def beside(self) -> dict[str, bytes]:
        return {
            str(path.relative_to(self.place)): path.read_bytes()
            for path in sorted(self.place.rglob("*"))
            if path.is_file()
            and not path.is_symlink()
            and not path.is_relative_to(self.root)
            and not path.is_relative_to(self.state)
        }

    def open(self) -> Memory:
        return open_memory(
            self.root,
            clock=FrozenClock(),
            embedder=small_embedder(),
            settings=self.settings,
            variables={},
        )


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hostile:
    made = Hostile(tmp_path)
    monkeypatch.chdir(made.root)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("VADE_STATE_DIRECTORY", str(made.state))
    monkeypatch.setenv("VADE_EMBEDDER_PROVIDER", "none")
    monkeypatch.setenv("EDITOR", "true")
    monkeypatch.delenv("VISUAL", raising=False)
    return made


class Hung(BaseException):
    """A call that did not come back; no handler of errors takes it for one of its own."""


@contextmanager
def watched(told: str) -> Iterator[None]:
    def late(*_: object) -> None:
        raise Hung(told)

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


# ------------------------------------------------------------ the command line


def commands() -> dict[str, click.Command]:
    context = click.Context(vade)
    found = {name: vade.get_command(context, name) for name in SUMMARIES}
    return {name: command for name, command in found.items() if command is not None}


def takes_text(parameter: click.Parameter) -> bool:
    kinds = (click.types.StringParamType, click.Path)
    flag = isinstance(parameter, click.Option) and (parameter.is_flag or parameter.count)
    return isinstance(parameter.type, kinds) and not flag


def choices(command: click.Command) -> list[list[str]]:
    """Return the ways in which the words before a hostile argument can be chosen."""
    found: list[list[str]] = [[]]
    for parameter in command.params:
        if isinstance(parameter, click.Argument) and isinstance(parameter.type, click.Choice):
            found = [[*way, str(one)] for way in found for one in parameter.type.choices]
    return found


def lines_with(name: str, command: click.Command, hostile: str) -> Iterator[list[str]]:
    """Yield every command line that has `hostile` in one place that takes a text."""
    arguments = [
        one for one in command.params if isinstance(one, click.Argument) and takes_text(one)
    ]
    filled = [("note" if one.required else "") for one in arguments]
    for way in choices(command):
        for place, argument in enumerate(arguments):
            if (name, argument.name) in ANYWHERE and not is_harmless(hostile):
                continue
            words = ["note" if number < place else had for number, had in enumerate(filled)]
            words[place] = hostile
            kept = [word for number, word in enumerate(words) if word or number == place]
            yield [name, *way, "--", *kept]
        for option in command.params:
            if isinstance(option, click.Option) and takes_text(option) and option.expose_value:
                words = [word for word in filled if word]
                yield [name, f"{option.opts[-1]}={hostile}", *way, "--", *words]


def is_harmless(path: str) -> bool:
    """Whether a new workspace may be tried there: nowhere but below the folder of the test."""
    try:
        return not Path(path).expanduser().resolve().is_dir()
    except (OSError, RuntimeError, ValueError):
        return True


def documented(command: click.Command) -> set[int]:
    return set(getattr(command, "exits", ())) - {130}


@pytest.mark.parametrize("name", sorted(SUMMARIES))
def test_a_command_refuses_what_is_no_path_of_memory(
    name: str,
    hostile: Hostile,
    capsys: pytest.CaptureFixture[str],
) -> None:
    walk(name, QUICK, hostile, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SUMMARIES))
def test_a_command_refuses_the_whole_corpus(
    name: str, hostile: Hostile, capsys: pytest.CaptureFixture[str]
) -> None:
    walk(name, CORPUS, hostile, capsys)


def walk(
    name: str, corpus: list[str], hostile: Hostile, capsys: pytest.CaptureFixture[str]
) -> None:
    command = commands()[name]
    if name in ENDLESS:
        assert ENDLESS[name]
        return
    wrong = []
    for path in corpus:
        for line in lines_with(name, command, path):
            code, said, errors = run(line, capsys)
            wrong += [f"{line}: {why}" for why in amiss(command, code, said, errors)]
    assert wrong == []
    now = hostile.beside()
    if any(command == name for command, _ in ANYWHERE):
        now = {file: now[file] for file in hostile.outside}
    assert now == hostile.outside


def run(line: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(b""))
    try:
        with watched(repr(line)):
            code = status_of(line, Call(clock=FrozenClock(), embedder=small_embedder()))
    finally:
        sys.stdin = before
    said, errors = capsys.readouterr()
    return code, said, errors


def amiss(command: click.Command, code: int, said: str, errors: str) -> Iterator[str]:
    """Yield what is wrong with an answer."""
    if CANARY in said + errors:
        yield "it shows what is outside"
    if "root:x:0" in said + errors:
        yield "it shows a file of the system"
    if code not in documented(command) or "failed unexpectedly" in errors:
        yield f"it ends with {code}: {errors}"
    if "Traceback" in errors:
        yield "it ends in a traceback"
    if code in (2, 3, 4, 5, 6, 7):
        told = [row for row in errors.splitlines() if row.startswith("error: ")]
        if len(told) != 1 or not told[0].rstrip().endswith((".", "?")):
            yield f"it does not say what is wrong in one sentence: {errors!r}"


def test_every_command_that_is_left_out_has_its_reason() -> None:
    assert set(ENDLESS) & set(SUMMARIES) <= {verb.command for verb in VERBS}
    for name in set(SUMMARIES) - set(ENDLESS):
        assert documented(commands()[name]) >= {0, 2}, name


def test_git_may_name_the_file_of_a_merge_as_it_likes(
    hostile: Hostile, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = []
    for path in CORPUS:
        for name, text in (("base", "- a\n"), ("ours", "- a\n- b\n"), ("theirs", "- a\n- c\n")):
            (hostile.root / name).write_text(text)
        code, said, errors = run(["merge-file", "--", "base", "ours", "theirs", path], capsys)
        wrong += [f"{path}: {why}" for why in amiss(commands()["merge-file"], code, said, errors)]
        assert "- b" in (hostile.root / "ours").read_text(), path
    assert wrong == []
    assert hostile.beside() == hostile.outside


# ------------------------------------------------------------ files that memory itself opens

FIXED = (
    *("vade.toml", ".vadeignore", "NOW.md", "MEMORY.md", "AGENTS.md", "memory/index.md"),
    *("memory/2026-01-20.md", "memory/candidates.md", "memory/.tombstones.jsonl", "memory/note.md"),
    *("memory/.quarantine/2026-01-20.md", ".vade/conflicts/memory--note.conflict-1-ab.md"),
    *(".gitattributes", "memory/system/memory-keeping.md"),
)
"""Files that verbs open without being told their names."""


def as_pipe(file: Path) -> None:
    os.mkfifo(file)


def as_link_out(file: Path) -> None:
    file.symlink_to("/etc/passwd")


def as_endless(file: Path) -> None:
    file.symlink_to("/dev/zero")


def as_folder(file: Path) -> None:
    file.mkdir()


def plain_lines(command: click.Command, name: str) -> Iterator[list[str]]:
    """Yield ordinary command lines: every choice, each required argument a word."""
    words = [
        "note"
        for one in command.params
        if isinstance(one, click.Argument) and takes_text(one) and one.required
    ]
    for way in choices(command):
        yield [name, *way, "--", *words]


@pytest.mark.parametrize(
    "trap",
    [
        as_pipe,
        *(
            pytest.param(trap, marks=pytest.mark.slow)
            for trap in (as_link_out, as_endless, as_folder)
        ),
    ],
)
def test_no_command_waits_for_or_follows_what_stands_in_place_of_a_file_of_memory(
    trap: Callable[[Path], None], hostile: Hostile, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = []
    for path in FIXED:
        file = hostile.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        before = file.read_bytes() if file.is_file() else None
        file.unlink(missing_ok=True)
        trap(file)
        for name, command in commands().items():
            if name in ENDLESS:
                continue
            for line in plain_lines(command, name):
                code, said, errors = run(line, capsys)
                # A merge that ends with conflicts and a doctor with findings have codes of theirs.
                wrong += [f"{path}: {line}: {why}" for why in amiss(command, code, said, errors)]
        if file.is_dir() and not file.is_symlink():
            file.rmdir()
        else:
            file.unlink(missing_ok=True)
        if before is not None:
            file.write_bytes(before)
    assert wrong == []
    assert hostile.beside() == hostile.outside


# ------------------------------------------------------------ tools and resources


@pytest.mark.parametrize("corpus", [QUICK, pytest.param(CORPUS, marks=pytest.mark.slow)])
@pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: offer.name)
def test_a_tool_refuses_what_is_no_path_of_memory(
    offer: Offer, corpus: list[str], hostile: Hostile
) -> None:
    name, arguments = offer.name, offer.arguments
    with hostile.open() as memory:
        door = Door(lambda _: memory)
        texts = [
            one
            for one, schema in arguments.items()
            if schema["type"] in ("string", "array") and "enum" not in schema
        ]
        enums = {one: schema["enum"] for one, schema in arguments.items() if "enum" in schema}
        for path in corpus:
            for argument in texts:
                given: dict[str, object] = dict.fromkeys(offer.required, "note")
                for one, values in enums.items():
                    if one in given:
                        given[one] = values[0]
                given[argument] = path
                with watched(f"{name} {given}"):
                    reply = call(door, name, given)
                assert CANARY not in reply.text, given
                assert "root:x:0" not in reply.text, given
                assert "failed unexpectedly" not in reply.text, (given, reply.text)
                assert "Traceback" not in reply.text, given
    assert hostile.beside() == hostile.outside


def test_a_resource_refuses_the_whole_corpus(hostile: Hostile) -> None:
    with hostile.open() as memory:
        for path in CORPUS:
            for uri in (f"vade://note/{path}", resources_address(path), path, f"vade://{path}"):
                with watched(uri):
                    try:
                        text = resources.read(memory, uri)
                    except VademecumError as error:
                        text = str(error)
                assert CANARY not in text, uri
                assert "root:x:0" not in text, uri
    assert hostile.beside() == hostile.outside


def resources_address(path: str) -> str:
    return resources.address(path.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
