"""Which agents there are on this installation, and whose memory is where."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from vademecum.agents import tables
from vademecum.agents.tables import Stamp, Table
from vademecum.core.errors import AgentNotFound, BadInput, VademecumError
from vademecum.core.frozen import dataclass
from vademecum.core.patterns import later
from vademecum.workspace.config import environment, user_home

FILE = "agents.toml"
_NAME = later(r"[A-Za-z0-9][A-Za-z0-9_-]{1,39}\Z")
_KEYS = frozenset({"workspace", "group", "embedder", "state", "default", "formerly"})
_UNTIL = " until "
_PROVIDERS = frozenset(
    ("local", "ollama", "openai", "openai-compatible", "gemini", "voyage", "hashing", "none")
)


@dataclass(frozen=True, slots=True)
class FormerName:
    """A name that an agent had before it was renamed."""

    name: str
    until: datetime | None = None
    """When it was renamed; None where a person wrote the name down without it."""

    def __str__(self) -> str:
        return self.name if self.until is None else f"{self.name}{_UNTIL}{self.until.isoformat()}"


@dataclass(frozen=True, slots=True)
class Agent:
    """One agent of this installation; members of a group have one workspace and one memory."""

    name: str
    workspace: Path
    """Real and absolute; it need not be there."""
    group: str = ""
    embedder: str = ""
    """`PROVIDER` or `PROVIDER:MODEL`; empty: that of the configuration."""
    state: str = ""
    """Directory in which its state directory is; empty: that of the configuration."""
    default: bool = False
    """Whether calls that name no workspace, from outside of any, are about this one's."""
    formerly: tuple[FormerName, ...] = ()
    """The names under which it wrote before, oldest first."""

    @property
    def settings(self) -> dict[str, str]:
        """The keys of the configuration that are this agent's own."""
        provider, _, model = self.embedder.partition(":")
        own = {"embedder.provider": provider, "embedder.model": model}
        own["state.directory"] = self.state
        return {key: value for key, value in own.items() if value}


@dataclass(frozen=True, slots=True)
class Registry:
    """The agents by name, as their file says at one moment."""

    file: Path
    agents: tuple[Agent, ...] = ()

    def named(self, name: str) -> Agent | None:
        """Return the agent of that name; case does not matter."""
        wanted = name.casefold()
        return next((agent for agent in self.agents if agent.name.casefold() == wanted), None)

    def existing(self, name: str) -> Agent:
        """Return the agent of that name. Raises AgentNotFound."""
        found = self.named(name)
        if found is None:
            raise AgentNotFound(
                f"No agent is called {name!r}.", hint="`vade agents list` names them all."
            )
        return found

    def at(self, root: Path) -> tuple[Agent, ...]:
        """Return the agents whose memory the workspace at the real path `root` is."""
        return tuple(agent for agent in self.agents if agent.workspace == root)

    def others(self, root: Path) -> frozenset[Path]:
        """Return every workspace but the one at the real path `root`."""
        return frozenset(agent.workspace for agent in self.agents) - {root}

    @property
    def default(self) -> Agent | None:
        """The default agent, where one is named."""
        return next((agent for agent in self.agents if agent.default), None)


_kept: dict[Path, tuple[Stamp, Registry]] = {}


def registry_file(variables: Mapping[str, str] | None = None) -> Path:
    """Return where the registry is, whether or not it is there."""
    return user_home(environment() if variables is None else variables) / FILE


def load_registry(variables: Mapping[str, str] | None = None) -> Registry:
    """Return the registry as it is at this moment; where there is no file, it has no agents.

    A stat while the file stays as it was. Raises InvalidConfiguration for anything in it that is
    not understood: what is misread might open what is meant to be closed.
    """
    file = registry_file(variables)
    stamp = tables.stamp_of(file)
    if stamp is None:
        return Registry(file)
    kept = _kept.get(file)
    if kept is not None and kept[0] == stamp:
        return kept[1]
    read = read_registry(tables.text_in(file), file)
    _kept[file] = (stamp, read)
    return read


def read_registry(text: str, file: Path) -> Registry:
    """Return what the text of the registry at `file` says. Raises InvalidConfiguration."""
    agents: list[Agent] = []
    for name, table in tables.tables_in(text, file).items():
        if not isinstance(table, Mapping):
            raise _wrong(file, name, "stands outside of any agent's table")
        agents.append(_agent(file, name, table))
    _check_together(file, agents)
    return Registry(file, tuple(agents))


def checked_name(name: str) -> str:
    """Return `name` once an agent or a group may have it. Raises BadInput."""
    if not _NAME.match(name):
        raise BadInput(
            f"{name!r} is no name for an agent.",
            hint="Take 2 to 40 letters, digits, - and _, the first a letter or digit.",
        )
    return name


def _agent(file: Path, name: str, table: Table) -> Agent:
    if not _NAME.match(name):
        raise _wrong(file, name, "is no name for an agent: 2 to 40 letters, digits, - and _")
    if unknown := sorted(set(table) - _KEYS):
        raise _wrong(file, name, f"has the key {unknown[0]}, which no agent has")
    default = table.get("default", False)
    if not isinstance(default, bool):
        raise _wrong(file, name, "has a default that is neither true nor false")
    texts = {key: table.get(key, "") for key in _KEYS - {"default"}}
    for key, value in texts.items():
        if not isinstance(value, str):
            raise _wrong(file, name, f"has a {key} that is no text")
    workspace, group, embedder, state = (
        str(texts[key]) for key in ("workspace", "group", "embedder", "state")
    )
    formerly = _former_names(file, name, str(texts["formerly"]))
    if group and not _NAME.match(group):
        raise _wrong(file, name, f"is in the group {group!r}, which is no name for one")
    if embedder and embedder.partition(":")[0] not in _PROVIDERS:
        raise _wrong(file, name, f"has the embedder {embedder!r}, whose provider is not known")
    if state:
        state = str(_absolute(file, name, "state", state))
    place = _absolute(file, name, "workspace", workspace)
    return Agent(name, place, group, embedder, state, default, formerly)


def _former_names(file: Path, name: str, written: str) -> tuple[FormerName, ...]:
    """Return the names in `NAME until INSTANT, NAME, …`."""
    found = []
    for one in filter(None, map(str.strip, written.split(","))):
        former, _, until = one.partition(_UNTIL)
        try:
            instant = datetime.fromisoformat(until) if until else None
        except ValueError:
            instant = None
        aware = instant is not None and instant.tzinfo is not None
        if not _NAME.match(former) or bool(until) != aware:
            raise _wrong(file, name, f"was formerly {one!r}, which is not `NAME until INSTANT`")
        found.append(FormerName(former, instant))
    return tuple(found)


def _absolute(file: Path, name: str, key: str, written: str) -> Path:
    try:
        path = Path(written).expanduser()
        if not path.is_absolute():
            raise _wrong(file, name, f"has no absolute path as its {key}")
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise _wrong(file, name, f"has a {key} that is no path ({error})") from error


def _check_together(file: Path, agents: list[Agent]) -> None:
    names: set[str] = set()
    groups: dict[Path, Agent] = {}
    places: dict[str, Agent] = {}
    for agent in agents:
        if agent.name.casefold() in names:
            raise _wrong(file, agent.name, "is there twice, but for the case of letters")
        names.add(agent.name.casefold())
        first = groups.setdefault(agent.workspace, agent)
        if first is not agent and not (agent.group and agent.group == first.group):
            raise _wrong(
                file, agent.name, f"has the workspace of {first.name} and is not of its group"
            )
        if not agent.group:
            continue
        member = places.setdefault(agent.group, agent)
        if member.workspace != agent.workspace:
            raise _wrong(
                file, agent.name, f"is of the group {agent.group} but not in its workspace"
            )
        if (member.state, member.embedder) != (agent.state, agent.embedder):
            raise _wrong(
                file, agent.name, f"has another state or embedder than its group {agent.group}"
            )
    if sum(agent.default for agent in agents) > 1:
        raise _wrong(file, "default = true", "stands at more than one agent")


def _wrong(file: Path, where: str, said: str) -> VademecumError:
    return tables.wrong(file, where, said)
