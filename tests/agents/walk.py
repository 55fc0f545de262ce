"""How a test gets at every verb in the name of one agent with the names of another's content."""

from __future__ import annotations

import io
import json
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import click
from tests.agents.conftest import Installation

from vademecum.agents.registry import load_registry
from vademecum.core.errors import VademecumError
from vademecum.core.frozen import dataclass
from vademecum.core.ids import text_digest
from vademecum.service import hooking
from vademecum.service.memory import Memory
from vademecum.surfaces.cli.main import status_of, vade
from vademecum.surfaces.cli.verb import Call
from vademecum.surfaces.mcp import offers, resources
from vademecum.surfaces.mcp.calls import call as call_tool
from vademecum.surfaces.mcp.door import Door

OWNER, READER = "owner", "reader"
STRANGER = "nobody-known"
"""A name that is registered nowhere."""
SESSION = "ab12cd34-owner-session"
HIDDEN = (
    "zanzibarium",
    "quokkastone",
    "wombatlamp",
    "axolotlgate",
    "narwhalbell",
    "Hush hush plan",
)
"""Words of the owner's memory that are never granted: in notes, log, workbench, transcript and
old versions, and the title of a note that nobody names."""
GRANTED = "pangolinport"
"""A word of the folder that is granted in between."""
QUERY = "vault code of Lisbon"
"""Stands beside each of those words."""

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Steps:
    """How a verb is walked: command lines in which `{name}` is each name of the owner's content,
    and `{own}` the reader's workspace; each text option of the first one is tried as well."""

    lines: tuple[Words, ...]


def _steps(*lines: str) -> Steps:
    return Steps(tuple(tuple(line.split()) for line in lines))


WALK: Mapping[str, Steps] = {
    "init": _steps("init {name}", "init"),
    "log": _steps("log {name}"),
    "remember": _steps(
        "remember Doors_are_green --tag inferred",
        "remember Doors_are_blue --from {name} --quote vault --tag inferred",
        "remember Doors_are_red --about {name}",
        "remember Doors_are_grey --supersedes {name}",
    ),
    "now": _steps("now", "now edit --replace {name} --by something", "now set Working"),
    "recall": _steps("recall {query}", "recall {name}", "recall {query} --from {name} --json"),
    "search": _steps("search {query}", "search {name}", "search {query} --from {name} --json"),
    "get": _steps("get {name}", "get {name}:1-40", "get [[{name}]]", "get {name} --json"),
    "review": _steps("review", "review keep {name}", "review rule {name} --choose {name}"),
    "boot": _steps("boot --event startup", "boot --event resume --session {name}"),
    "hook": _steps("hook claude-code SessionStart"),
    "flush": _steps("flush", "flush --session {name}", "flush --window 9 --messages {name}"),
    "compact": _steps(
        "compact --session own-session --keep 0 --json",
        "compact --session own-session --keep 0 --summary {name} --json",
        "compact --messages {name} --json",
    ),
    "transcripts": _steps(
        "search {query} --transcripts", "search {query} --transcripts --session {name}"
    ),
    "heartbeat": _steps("heartbeat"),
    "reflect": _steps("reflect", "reflect {name}"),
    "archive": _steps("archive --dry-run"),
    "restore": _steps("archive --restore {name}"),
    "promote": _steps("promote --dry-run"),
    "sync": _steps("sync", "sync {name}"),
    "watch": _steps("watch --workspace {root}"),
    "serve": _steps("serve --once"),
    "schedule": _steps("schedule --print"),
    "status": _steps("status", "status --json"),
    "doctor": _steps("doctor", "doctor --fix"),
    "history": _steps("history", "history {name}", "history --session {name}"),
    "undo": _steps("undo {name}", "undo --session {name}", "undo --actor owner"),
    "forget": _steps("forget {name}", "forget {name}:1", "forget {query}"),
    "agents": _steps("agents", "agents add {name} {root}", "agents remove owner"),
    "grant": _steps("grant reader owner", "grant reader {name}", "grant {name} reader"),
    "revoke": _steps("revoke {name} reader", "revoke reader {name}"),
    "grants": _steps("grants", "grants --json"),
    "gather": _steps("gather --dry-run", "gather --dry-run --from {name}"),
    "migrate": _steps(
        "migrate {name} --dry-run", "migrate {name} --yes --json", "migrate --status"
    ),
    "export": _steps("export {name}", "export {name}.json --to json"),
    "git": _steps("git", "git commit"),
    "merge-file": _steps(
        "merge-file {name} {name} {name}", "merge-file {own}/USER.md {own}/USER.md {name}"
    ),
    "chat": _steps("chat --once hello"),
    "mcp": _steps("mcp --workspace {root}", "mcp --workspace {root} --http --port 0"),
    "install": _steps("install claude-code --print", "install codex --print --workspace {root}"),
    "uninstall": _steps("uninstall claude-code"),
    "config": _steps("config"),
}
"""One entry a verb; the test that walks it fails where one is missing."""

_BLOCKING = frozenset({"watch", "mcp", "serve"})
"""Their options are not tried: a call that was let in would wait for ever."""


_PATIENCE = 60.0
"""Seconds that one call may take on a busy machine."""


@dataclass(frozen=True, slots=True)
class Told:
    """What one call said, with what it was."""

    call: str
    said: str


@dataclass(frozen=True, slots=True)
class Owned:
    """The owner's workspace and state, and every name by which its content can be meant."""

    root: Path
    state: Path
    names: tuple[str, ...]


def furnish(installation: Installation) -> Owned:
    """Give the owner a memory with a canary in every sort of place; return how it is named."""
    root = installation.agent(OWNER)
    memory = installation.open(OWNER)
    fact = memory.remember(f"The {QUERY} is zanzibarium", kind="fact", tag="observed")
    memory.remember(f"The {QUERY} leads to pangolinport", kind="decision", tag="observed")
    hidden = root / "memory" / "projects" / "hush.md"
    hidden.parent.mkdir(exist_ok=True)
    hidden.write_text(f"# Hush hush plan\n\nThe {QUERY} was quokkastone.\n", encoding="utf-8")
    logged = memory.log(f"The {QUERY} was seen by wombatlamp", title="Seen")
    memory.now(f"# Now\n\nThe {QUERY} needs axolotlgate\n")
    talk(OWNER, root, SESSION, f"The {QUERY} rings narwhalbell")
    state = Path(memory.status().state)
    memory.sync()
    blob = next(iter(sorted((state / "blobs").rglob("*"))), state / "blobs")
    path = fact.span.path
    names = (
        path,
        str(root / path),
        f"../{root.name}/{path}",
        f"memory/../../{root.name}/{path}",
        path.rpartition("/")[2].removesuffix(".md"),
        "Seen",
        f"^{fact.claim}",
        f"{path}#^{fact.claim}",
        f"{OWNER}:{path}",
        f"{OWNER}:memory/decisions/index.md",
        OWNER,
        "*",
        resources.address(path),
        f"vade://{OWNER}/{path}",
        SESSION,
        fact.change,
        logged.change,
        blob.name,
        text_digest(fact.text),
        str(root),
        str(state),
        str(state / "ledger.jsonl"),
        str(next((state / "transcripts").rglob("*.jsonl"), state)),
        str(root.parent),
    )
    return Owned(root, state, names)


def roots(owned: Owned) -> tuple[Path, ...]:
    """Return directories in or above the owner's memory and state, the registry and the grants."""
    config = load_registry().file.parent
    (config / "grants").mkdir(exist_ok=True)
    return (
        owned.root / "memory",
        owned.state,
        owned.root,
        owned.root / "memory" / "projects",
        owned.root.parent,
        owned.state.parent,
        owned.state / "transcripts",
        config,
        config / "grants",
    )


def talk(agent: str, root: Path, session: str, said: str) -> None:
    """Let a user say something in a session of an agent."""
    fields = {
        "hook_event_name": "UserPromptSubmit",
        "session_id": session,
        "cwd": str(root),
        "prompt": said,
    }
    hooking.answer("claude-code", "UserPromptSubmit", fields, agent=agent, limit=9500, length=len)


def command_lines(
    verb: str, command: str, owned: Owned, own: Path, names: Words, options: bool = True
) -> Iterator[Words]:
    """Yield every command line by which a verb is tried with those names."""
    first = WALK[verb].lines[0]
    for line in WALK[verb].lines:
        for name in names if any("{name}" in word for word in line) else names[:1]:
            yield _filled(line, owned, own, name)
    if verb in _BLOCKING or not options:
        return
    loaded = vade.get_command(click.Context(vade), command)
    assert loaded is not None
    for option in _text_options(loaded):
        for name in names:
            yield (*_filled(first, owned, own, name), option, name)


def _text_options(command: click.Command) -> list[str]:
    return [
        parameter.opts[-1]
        for parameter in command.params
        if isinstance(parameter, click.Option)
        and not parameter.is_flag
        and parameter.name not in {"workspace", "agent"}
        and isinstance(parameter.type, click.types.StringParamType | click.Path)
    ]


def _filled(line: Words, owned: Owned, own: Path, name: str) -> Words:
    places = {"{root}": str(owned.root), "{own}": str(own), "{query}": QUERY, "{name}": name}

    def filled(word: str) -> str:
        for place, meant in places.items():
            word = word.replace(place, meant)
        return word

    return tuple(map(filled, line))


def on_the_command_line(line: Words, call: Call) -> Told:
    """Run one command line in this process and return all that it printed.

    One that was let in where it waits for ever is ended, and says `failed unexpectedly`.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    signal.signal(signal.SIGALRM, _late)
    signal.setitimer(signal.ITIMER_REAL, _PATIENCE)
    with redirect_stdout(out), redirect_stderr(err):
        status_of(list(line), call)
    signal.setitimer(signal.ITIMER_REAL, 0)  # a hook that fails leaves its own to its process
    said = ""
    for stream in (out, err):
        stream.flush()
        stream.seek(0)
        said += stream.read()
    return Told(f"vade {' '.join(line)}", said)


def _late(number: int, frame: object) -> None:
    del number, frame
    raise TimeoutError("it went on")


def with_tools(memory: Memory, names: Words) -> Iterator[Told]:
    """Call every tool with each name in every argument that takes text, and read it as resource."""
    door = Door(lambda _client: memory)
    needed = {"query": QUERY, "target": "MEMORY.md", "text": "Doors are brown"}
    for offer in offers.OFFERS:
        plain = {key: needed[key] for key in offer.required}
        texts = [key for key, schema in offer.arguments.items() if _takes_text(schema)]
        for key in texts or [""]:
            for name in names:
                value: object = name
                if key and offer.arguments[key]["type"] == "array":
                    value = [name]
                given = plain | ({key: value} if key else {})
                reply = call_tool(door, offer.name, given)
                yield Told(f"{offer.name} {given}", f"{reply.text} {json.dumps(reply.fields)}")
    for name in names:
        yield _said(f"resource {name}", lambda name=name: resources.read(memory, name))  # type: ignore[misc]  # a default binds what the loop names
        at = resources.address(name)
        yield _said(f"resource {at}", lambda at=at: resources.read(memory, at))  # type: ignore[misc]  # a default binds what the loop names
    yield _said("resources", lambda: resources.page(memory, ""))


def _takes_text(schema: offers.Schema) -> bool:
    return "enum" not in schema and schema["type"] in ("string", "array")


def with_hooks(owned: Owned, own: Path, names: Words) -> Iterator[Told]:
    """Report every event of a host from both workspaces, with each name wherever one fits."""
    for event in ("SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd"):
        for folder in (own, owned.root):
            for name in names:
                for key in ("session_id", "transcript_path", "prompt", "source"):
                    fields: dict[str, object] = {
                        "hook_event_name": event,
                        "session_id": "own-session",
                        "cwd": str(folder),
                        "source": "startup",
                        "prompt": "hello",
                        key: name,
                    }
                    yield _said(
                        f"hook {event} in {folder.name} {key}={name}",
                        lambda event=event, fields=fields: hooking.answer(  # type: ignore[misc]  # a default binds what the loop names
                            "claude-code", event, fields, agent=READER, limit=9500, length=len
                        ),
                    )


def with_the_library(memory: Memory, names: Words) -> Iterator[Told]:
    """Call the reading methods with each name as what is asked for and as whom to ask."""
    calls: tuple[tuple[str, Callable[[str], object]], ...] = (
        ("get", memory.get),
        ("recall", memory.recall),
        ("recall origin", lambda name: memory.recall(QUERY, origin=name, limit=50)),
        ("search origin", lambda name: memory.search(QUERY, origin=name, limit=50)),
        ("search scope", lambda name: memory.search(QUERY, scope=name)),
        ("history", memory.history),
        ("history claim", lambda name: memory.history(claim=name)),
        ("transcripts", lambda name: memory.transcripts(QUERY, session=name)),
        ("gather", lambda name: memory.gather(name, dry_run=True)),
    )
    for told, method in calls:
        for name in names:
            yield _said(f"{told} {name}", lambda method=method, name=name: method(name))  # type: ignore[misc]  # a default binds what the loop names


def _said(call: str, ask: Callable[[], object]) -> Told:
    try:
        return Told(call, repr(ask()))
    except VademecumError as error:
        return Told(call, f"{error} {error.hint}")


def words_in(*folders: Path) -> str:
    """Return everything that is written in the files of some folders, as one text."""
    return "\n".join(
        f"{file}\n{file.read_bytes().decode('utf-8', 'replace')}"
        for folder in folders
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    )
