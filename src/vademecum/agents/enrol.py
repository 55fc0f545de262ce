"""Adding, removing and renaming agents: edits of the registry that keep what a person wrote."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from vademecum.agents import tables
from vademecum.agents.grants import copy_agent, drop_agent
from vademecum.agents.registry import (
    Agent,
    FormerName,
    Registry,
    checked_name,
    read_registry,
    registry_file,
)
from vademecum.core.errors import BadInput, Refused
from vademecum.core.patterns import later

_HEAD = "# The agents of this installation: `vade agents` edits this file, and so may you.\n"
_TABLE = later(r"[ \t]*\[[^\[\]]+\][ \t]*(?:#.*)?\Z")
_FORMERLY = later(r"[ \t]*formerly[ \t]*=")
_DEFAULT = later(r"[ \t]*default[ \t]*=")


def add(agent: Agent, variables: Mapping[str, str] | None = None) -> Registry:
    """Register `agent`; the same one again changes nothing, its other values are taken over.

    A new name starts without grants: one that was taken out by hand has left its own behind.
    Raises BadInput where its name or its workspace is another's, and what any write raises.
    """
    checked_name(agent.name)
    if agent.group:
        checked_name(agent.group)

    def change(text: str, before: Registry) -> str:
        known = before.named(agent.name)
        if known is not None and known.workspace != agent.workspace:
            raise BadInput(
                f"{known.name} is registered already, with the workspace {known.workspace}.",
                hint=f"Choose another name, or first: vade agents remove {known.name}",
            )
        _check_place(agent, before)
        if agent.default:
            text = _without_default(text)
        if known is None:
            return _appended(text, agent)
        return _with_table(text, known.name, replace(agent, formerly=known.formerly))

    def drop_stale(before: Registry) -> None:
        if before.named(agent.name) is None:
            drop_agent(agent.name, _names(before), variables)

    return _edit(change, variables, first=drop_stale)


def remove(name: str, variables: Mapping[str, str] | None = None) -> Agent:
    """Take an agent out of the registry, and every grant to and from it; return what it was.

    Its files, its index and its ledger stay as they are. Raises AgentNotFound and what any write
    raises.
    """
    gone: list[Agent] = []

    def change(text: str, before: Registry) -> str:
        gone.append(before.existing(name))
        return _without_table(text, gone[0].name)

    # Grants first: an agent that gets the name later must not find any.
    _edit(
        change,
        variables,
        first=lambda before: drop_agent(gone[0].name, _names(before), variables),
    )
    return gone[0]


def rename(old: str, new: str, at: datetime, variables: Mapping[str, str] | None = None) -> Agent:
    """Give an agent another name, and its grants too; return it as it is now.

    That it had the old name until `at` stands in its table: what it wrote stays its own. Raises
    AgentNotFound, BadInput where the name is another's, and what any write raises. Whenever it is
    killed, the agent has its grants under the name that it then has.
    """
    checked_name(new)

    def change(text: str, now: Registry) -> str:
        lines = text.splitlines(keepends=True)
        agent, other = now.existing(old), now.named(new)
        if other is not None and other is not agent:
            raise BadInput(f"Another agent is called {other.name} already.", hint="Choose another.")
        start, end = _bounds(lines, agent.name)
        lines[start] = lines[start].replace(agent.name, new, 1)
        names = ", ".join(map(str, (*agent.formerly, FormerName(agent.name, at))))
        row = f"formerly = {tables.quoted(names)}\n"
        there = (at for at in range(start + 1, end) if _FORMERLY.match(lines[at]))
        if (place := next(there, None)) is not None:
            lines[place] = row
        else:
            lines[end - 1] = lines[end - 1].rstrip("\r\n") + "\n"
            lines.insert(end, row)
        return "".join(lines)

    def copy(before: Registry) -> None:
        if old.casefold() != new.casefold():  # else they would be this agent's own
            drop_agent(new, _names(before), variables)
        copy_agent(before.existing(old).name, new, _names(before), variables)

    def drop(before: Registry) -> None:
        if old.casefold() != new.casefold():
            drop_agent(old, [*_names(before), new], variables)

    return _edit(change, variables, first=copy, then=drop).existing(new)


def _names(registry: Registry) -> list[str]:
    return [agent.name for agent in registry.agents]


def _check_place(agent: Agent, before: Registry) -> None:
    there = [one for one in before.at(agent.workspace) if one.name != agent.name]
    if there and not (agent.group and all(one.group == agent.group for one in there)):
        group = there[0].group
        first = f"vade agents add {there[0].name} --group GROUP, and the same for this one."
        hint = f"add --group {group}." if group else first
        raise Refused(
            f"{agent.workspace} is the memory of {there[0].name} already.",
            hint=f"Agents share one memory as members of a group: {hint}",
        )


def _nothing(before: Registry) -> None:
    del before


def _edit(
    change: Callable[[str, Registry], str],
    variables: Mapping[str, str] | None,
    *,
    first: Callable[[Registry], None] = _nothing,
    then: Callable[[Registry], None] = _nothing,
) -> Registry:
    """Change the text of the registry under its lock; nothing that would not be read is written.

    `first` and `then` are called under the lock too, before and after the write and with the
    registry as it was: grants change with it. They are not called where `change` raises.
    """
    file = registry_file(variables)
    with tables.edited(file) as text:
        written = text()
        before = read_registry(written, file)
        after = change(written, before)
        read = read_registry(after, file)
        first(before)
        tables.write(file, after)
        then(before)
    return read


def _appended(text: str, agent: Agent) -> str:
    text = text or _HEAD
    if not text.endswith("\n"):
        text += "\n"
    return f"{text}\n{_table(agent)}"


def _table(agent: Agent) -> str:
    rows = [f"[{agent.name}]", f"workspace = {tables.quoted(str(agent.workspace))}"]
    for key, value in (
        ("group", agent.group),
        ("embedder", agent.embedder),
        ("state", agent.state),
        ("formerly", ", ".join(map(str, agent.formerly))),
    ):
        if value:
            rows.append(f"{key} = {tables.quoted(value)}")
    if agent.default:
        rows.append("default = true")
    return "\n".join(rows) + "\n"


def _with_table(text: str, name: str, agent: Agent) -> str:
    """Return the text with the rows of one table set to what `agent` says; comments stay."""
    lines = text.splitlines(keepends=True)
    start, end = _bounds(lines, name)
    wanted = _table(replace(agent, name=name)).splitlines(keepends=True)[1:]
    keys = {row.partition("=")[0].strip(): row for row in wanted}
    kept = []
    for line in lines[start + 1 : end]:
        key = line.partition("=")[0].strip()
        if line.lstrip().startswith("#") or not line.strip():
            kept.append(line)
        elif key in keys:
            kept.append(keys.pop(key))
    rest = [row for row in wanted if row.partition("=")[0].strip() in keys]
    while kept and not kept[-1].strip():
        rest.append(kept.pop())
    return "".join([*lines[: start + 1], *kept, *rest, *lines[end:]])


def _without_table(text: str, name: str) -> str:
    lines = text.splitlines(keepends=True)
    start, end = _bounds(lines, name)
    while start and lines[start - 1].lstrip().startswith("#") and start - 1:
        start -= 1  # what was written above a table was written about it
    while end < len(lines) and start and not lines[start - 1].strip() and not lines[end].strip():
        end += 1
    return "".join([*lines[:start], *lines[end:]])


def _without_default(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if not _DEFAULT.match(line))


def _bounds(lines: list[str], name: str) -> tuple[int, int]:
    """Return the line of a table's name and the one behind its last row."""
    heads = [at for at, line in enumerate(lines) if _TABLE.match(line.rstrip("\r\n"))]
    for position, start in enumerate(heads):
        if lines[start].strip().partition("]")[0].strip("[ \t\"'") != name:
            continue
        end = heads[position + 1] if position + 1 < len(heads) else len(lines)
        while end > start + 1 and (
            not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")
        ):
            end -= 1  # comments there belong to the next table
        return start, end
    raise BadInput(
        f"The table of {name} cannot be found.", hint=f"Edit {Path('agents.toml')} by hand."
    )
