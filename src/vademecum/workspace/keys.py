"""Every key of the configuration: type, default, bounds, meaning, and whether a clone may set it.

This is the one table: settings are typed by it, files and variables are read by it, and the
reference documentation is made from it. Settings have no `repr`: one of them is a secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, fields
from typing import Literal, TypeVar, cast

from vademecum.core.frozen import dataclass

Value = str | int | float | bool | tuple[str, ...]
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Rule:
    """What a key means, and what it may hold besides its type."""

    help: str
    safe: bool
    choices: tuple[str, ...] = ()
    least: float | None = None
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Key:
    """One declared key."""

    name: str
    """With its group, such as `scan.max_bytes`."""
    kind: type
    default: Value
    rule: Rule

    @property
    def variable(self) -> str:
        """Return the environment variable that sets it."""
        return "VADE_" + self.name.replace(".", "_").upper()


def _key(default: _T, rule: Rule) -> _T:
    return field(default=default, metadata={"rule": rule})


def _safe(
    help: str,
    choices: tuple[str, ...] = (),
    least: float | None = None,
) -> Rule:
    return Rule(help, True, choices, least)


def _own(
    help: str,
    choices: tuple[str, ...] = (),
    least: float | None = None,
    secret: bool = False,
) -> Rule:
    return Rule(help, False, choices, least, secret)


Unit = Literal["line", "section"]
Fusion = Literal["weighted", "rank"]


@dataclass(frozen=True, slots=True)
class WorkspaceSettings:
    """`workspace.*`: what this workspace is."""

    id: str = _key("", _safe("Name of its state directory; empty: made from its real path."))
    profile: str = _key(
        "",
        _safe(
            "Which file has which role; empty: detected.",
            ("", "standard", "openclaw", "nanoclaw", "vault", "gitmem"),
        ),
    )
    zone: str = _key("", _safe("IANA time zone of its days; empty: the zone of this machine."))


@dataclass(frozen=True, slots=True)
class ActorSettings:
    """`actor.*`: who writes, as the ledger records it."""

    name: str = _key("", _own("Who writes; empty: the user of this machine."))
    session: str = _key("", _own("The session that writes belong to; empty: none."))


@dataclass(frozen=True, slots=True)
class ScanSettings:
    """`scan.*`: which files are notes."""

    max_bytes: int = _key(
        5_000_000, _safe("Larger files are not indexed; `vade status` lists them.", least=1)
    )
    ignore: tuple[str, ...] = _key(
        (), _safe("Patterns of files to leave out, written as in .gitignore.")
    )


@dataclass(frozen=True, slots=True)
class ChunkSettings:
    """`chunk.*`: how notes are cut for search."""

    tokens: int = _key(400, _safe("Longest chunk, in estimated tokens.", least=20))
    overlap: int = _key(80, _safe("What neighbouring pieces of a long text share.", least=0))
    unit: Unit = _key("line", _safe("Smallest piece that is searched.", ("line", "section")))


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """`search.*`: how hits are found and ranked."""

    k: int = _key(5, _safe("How many hits or sources an answer has at most.", least=1))
    fusion: Fusion = _key("weighted", _safe("How both legs become one list.", ("weighted", "rank")))
    semantic_weight: float = _key(0.6, _safe("Weight of the semantic leg when weighted.", least=0))
    keyword_weight: float = _key(0.4, _safe("Weight of the keyword leg when weighted.", least=0))
    smoothing: float = _key(
        0.15, _safe("How much of a neighbour's score a chunk gets within its section.", least=0)
    )
    candidates: int = _key(200, _safe("How many chunks each leg proposes.", least=1))
    budget: int = _key(2000, _safe("Longest briefing, in estimated tokens.", least=50))


@dataclass(frozen=True, slots=True)
class EmbedderSettings:
    """`embedder.*`: what makes vectors. A clone sets none of these: text would go where it says."""

    provider: str = _key(
        "local",
        _own(
            "What makes vectors; `none` for keywords only.",
            (
                "local",
                "ollama",
                "openai",
                "openai-compatible",
                "gemini",
                "voyage",
                "hashing",
                "none",
            ),
        ),
    )
    model: str = _key("", _own("Its model; empty: the provider's default."))
    dimensions: int = _key(0, _own("Length of its vectors; 0: the model's own.", least=0))
    endpoint: str = _key("", _own("Address of its service; empty: the provider's own."))
    api_key: str = _key("", _own("Its key; also read from the provider's variable.", secret=True))
    threads: int = _key(0, _own("Threads for the local model; 0: as many as cores.", least=0))
    timeout: float = _key(30.0, _own("Seconds until a request counts as failed.", least=0.1))


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """`model.*`: what helps the rules and what chats. A clone sets none: text would go there."""

    provider: str = _key(
        "none",
        _own(
            "What helps summaries and jobs: rules (`none`), a program, or `model.name`.",
            ("none", "command", "pydantic-ai", "chat"),
        ),
    )
    command: tuple[str, ...] = _key(
        (),
        _own("Program and arguments, a list: prompt on standard input, answer on standard output."),
    )
    timeout: float = _key(180.0, _own("Seconds until an answer counts as missing.", least=0.1))
    name: str = _key(
        "", _own("The model of `pydantic-ai`: PROVIDER:NAME, such as ollama:qwen3; empty: chat's.")
    )
    chat: str = _key("", _own("What `vade chat` talks to; empty: the model of `model.name`."))
    endpoint: str = _key("", _own("Address of its service; empty: the provider's own."))
    api_key: str = _key("", _own("Its key; also read from the provider's variable.", secret=True))
    window: int = _key(128_000, _own("Tokens that its window holds.", least=4000))
    daily_cost: float = _key(
        0.0, _own("US dollars a day after which the model counts as unavailable; 0: any.", least=0)
    )
    daily_tokens: int = _key(
        0, _own("Tokens a day after which the model counts as unavailable; 0: any.", least=0)
    )
    price_in: float = _key(
        0.0, _own("US dollars for a million tokens sent, where no price is known.", least=0)
    )
    price_out: float = _key(
        0.0, _own("US dollars for a million tokens received, where no price is known.", least=0)
    )


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """`watch.*`: how changes on disk are noticed."""

    debounce: float = _key(1.5, _safe("Seconds of quiet before changes are read.", least=0.05))


@dataclass(frozen=True, slots=True)
class BudgetSettings:
    """`budget.*`: how large the files may grow that are loaded into every context."""

    core: int = _key(16_000, _safe("Characters of core memory.", least=500))
    map: int = _key(16_000, _safe("Characters of the map.", least=500))
    workbench: int = _key(8_000, _safe("Characters of the workbench.", least=500))
    boot: int = _key(9_500, _safe("Characters of the whole boot context.", least=500))


@dataclass(frozen=True, slots=True)
class TranscriptSettings:
    """`transcripts.*`: what was said in sessions, kept beside memory."""

    capture: bool = _key(True, _own("Keep what hooks of agents report of a session."))
    days: int = _key(90, _own("Remove a transcript after so many days of rest; 0: never.", least=0))


@dataclass(frozen=True, slots=True)
class GitSettings:
    """`git.*`: memory as history in a repository."""

    commit: bool = _key(
        True, _own("Commit what is written, in a clone where `vade git setup` was run.")
    )


@dataclass(frozen=True, slots=True)
class JobSettings:
    """`jobs.*`: when jobs run, in the zone of the workspace. A clone may: how often is bounded."""

    heartbeat: int = _key(30, _safe("Minutes between two beats, 5 at least; 0: none.", least=0))
    reflect: str = _key(
        "23:45", _safe("`HH:MM` or `off`; before noon it looks back on the day before.")
    )
    promote: str = _key(
        "reflect", _safe("`HH:MM`, `reflect` (right after the reflection) or `off`.")
    )
    archive: str = _key("sun 00:00", _safe("Weekday and time, as in `sun 00:00`, or `off`."))


@dataclass(frozen=True, slots=True)
class StateSettings:
    """`state.*`: where index, ledger and old versions are kept."""

    directory: str = _key(
        "", _own("Directory of all workspaces' state; empty: XDG_STATE_HOME/vademecum.")
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """The whole configuration; `origins` says for each key that is set where it was set."""

    workspace: WorkspaceSettings = WorkspaceSettings()
    actor: ActorSettings = ActorSettings()
    scan: ScanSettings = ScanSettings()
    chunk: ChunkSettings = ChunkSettings()
    search: SearchSettings = SearchSettings()
    embedder: EmbedderSettings = EmbedderSettings()
    model: ModelSettings = ModelSettings()
    watch: WatchSettings = WatchSettings()
    budget: BudgetSettings = BudgetSettings()
    transcripts: TranscriptSettings = TranscriptSettings()
    git: GitSettings = GitSettings()
    jobs: JobSettings = JobSettings()
    state: StateSettings = StateSettings()
    origins: Mapping[str, str] = field(default_factory=dict)

    def value(self, name: str) -> Value:
        """Return the value of the declared key `name`."""
        group, _, part = name.partition(".")
        return cast("Value", getattr(getattr(self, group), part))


def declared_keys() -> Iterator[Key]:
    """Yield every key in the order of the table."""
    defaults = Settings()
    for group in fields(Settings):
        if group.name == "origins":
            continue
        for part in fields(getattr(defaults, group.name)):
            default = cast("Value", part.default)
            yield Key(f"{group.name}.{part.name}", type(default), default, part.metadata["rule"])
