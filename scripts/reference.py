"""Write `docs/reference/` from the code, or say whether it is fresh: `reference.py [--check]`.

One page each for commands, configuration, errors, modules and library, and the index of decision
records. Run it with the Python of `.venv`; `--check` writes nothing and exits with 1 when a page
would change.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import click

REPOSITORY = Path(__file__).resolve().parent.parent
SOURCE = REPOSITORY / "src" / "vademecum"
DOCUMENTS = REPOSITORY / "docs"
_NOTICE = "<!-- Written by scripts/reference.py from the code; changes belong there. -->"


def main(arguments: list[str]) -> int:
    """Return 1 when `--check` finds a stale page, else 0."""
    stale = []
    for name, page in PAGES.items():
        path, text = DOCUMENTS / name, page()
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(path.relative_to(REPOSITORY).as_posix())
        if "--check" not in arguments:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if not stale:
        return 0
    if "--check" in arguments:
        print(f"Stale: {', '.join(stale)}. Run `python scripts/reference.py`.", file=sys.stderr)
        return 1
    print(f"Written: {', '.join(stale)}")
    return 0


def commands() -> str:
    """Every command with arguments, options, example and exit codes, from the click tree."""
    from vademecum.surfaces.cli.exits import MEANING
    from vademecum.surfaces.cli.main import vade
    from vademecum.surfaces.cli.verb import global_options

    shared = {option for parameter in global_options() for option in parameter.opts}
    context = click.Context(vade, info_name="vade")
    rows = [
        "# Commands",
        _NOTICE,
        "Every command takes these options too, before or after its name:",
        _options(global_options(), context),
    ]
    for name in vade.list_commands(context):
        if command := vade.get_command(context, name):
            rows += _command(command, context, shared)
    rows += [
        "## Exit codes",
        _table(["code", "meaning"], [[str(k), v] for k, v in MEANING.items()]),
    ]
    return _page(rows)


def _command(command: click.Command, parent: click.Context, shared: set[str]) -> Iterator[str]:
    context = click.Context(command, info_name=command.name, parent=parent)
    depth = "#" * (1 + len(context.command_path.split()) - 1)
    yield f"{depth}# {context.command_path}" if depth == "#" else f"{depth} {context.command_path}"
    pieces = " ".join(piece for piece in command.collect_usage_pieces(context) if piece)
    yield f"```text\n{context.command_path} {pieces}\n```"
    yield inspect.cleandoc(command.help or "")
    own = [p for p in command.params if not set(p.opts) & shared]
    if table := _options(own, context):
        yield table
    if example := getattr(command, "example", ""):
        yield f"```sh\n{example.strip()}\n```"
    if exits := getattr(command, "exits", ()):
        yield f"Exit codes: {', '.join(str(code) for code in exits)}."
    for child in getattr(command, "commands", {}).values():
        yield from _command(child, context, shared)


def _options(parameters: list[click.Parameter], context: click.Context) -> str:
    records = [p.get_help_record(context) for p in parameters if isinstance(p, click.Option)]
    rows = [[f"`{record[0]}`", record[1]] for record in records if record]
    return _table(["option", "meaning"], rows) if rows else ""


def configuration() -> str:
    """Every key, from the table that the configuration is read by."""
    from vademecum.workspace.keys import declared_keys

    rows = [
        [
            f"`{key.name}`",
            f"`{key.variable}`",
            _shown(key.default),
            "yes" if key.rule.safe else "",
            key.rule.help + (f" {_choices(key.rule.choices)}" if key.rule.choices else ""),
        ]
        for key in declared_keys()
    ]
    return _page(
        [
            "# Configuration",
            _NOTICE,
            "A key has the last of these values that is given: its default, the user's file, "
            "`vade.toml` of the workspace (only keys marked safe), the environment variable, the "
            "option of a command. `vade config` shows each value and where it comes from. An "
            "unknown key is an error. A list in a variable is written as `one, two` or as "
            '`["one", "two"]`.',
            _table(["key", "variable", "default", "safe", "meaning"], rows),
        ]
    )


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        value = ", ".join(value)
    return f"`{value}`" if value != "" else ""


def _choices(choices: tuple[str, ...]) -> str:
    return "One of " + ", ".join(f"`{choice}`" for choice in choices if choice) + "."


def errors() -> str:
    """Every error as one tree."""
    import vademecum.core.errors as module
    from vademecum.surfaces.cli.exits import MEANING

    rows = [
        [f"{'&emsp;' * depth}`{kind.__name__}`", f"`{kind.code}`", str(kind.exit_code), _line(kind)]
        for depth, kind in _tree(module.VademecumError)
    ]
    return _page(
        [
            "# Errors",
            _NOTICE,
            "`code` is stable and meant for programs (`--json` prints it), the exit code for "
            "shells, the message and its hint for people. A message is never read to decide "
            "anything.",
            _table(["error", "code", "exit", "when"], rows),
            "## Exit codes",
            _table(["code", "meaning"], [[str(k), v] for k, v in MEANING.items()]),
        ]
    )


def _tree(kind: type, depth: int = 0) -> Iterator[tuple[int, type]]:
    yield depth, kind
    for child in kind.__subclasses__():
        yield from _tree(child, depth + 1)


def modules() -> str:
    """Every module by its caption, and the arrows between packages."""
    captions: dict[str, dict[str, str]] = {}
    arrows: dict[str, set[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        package = parts[0] if len(parts) > 1 else ""
        tree = ast.parse(path.read_text(encoding="utf-8"))
        name = "/".join(parts[:-1] if parts[-1] == "__init__" else parts)
        captions.setdefault(package, {})[name] = (ast.get_docstring(tree) or "").partition("\n")[0]
        if package:
            arrows.setdefault(package, set()).update(_packages_used(tree) - {package})
    rows = ["# Modules", _NOTICE, "Each line is the first of the module's docstring.", "## Arrows"]
    rows.append("Which package imports which; [architecture](../architecture.md) says why.")
    rows.append("```mermaid\ngraph TD\n" + "\n".join(_arrows(arrows)) + "\n```")
    for package in sorted(captions, key=_rank):
        own = captions[package]
        if head := own.pop(package, "") if package else "":
            rows += [f"## {package}", head]
        else:
            rows.append(f"## {package or 'vademecum'}")
        rows.append(
            _table(["module", "what it is"], [[f"`{n or '__init__'}`", c] for n, c in own.items()])
        )
    return _page(rows)


_ORDER = ["", "core", "markdown", "workspace", "writing", "indexing", "recall", "backends"]
_ORDER += ["context", "lifecycle", "agents", "migration", "service", "surfaces"]


def _rank(package: str) -> tuple[int, str]:
    return (_ORDER.index(package) if package in _ORDER else len(_ORDER), package)


def _packages_used(tree: ast.Module) -> set[str]:
    used = set()
    for node in ast.walk(tree):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
            if node.module == "vademecum":
                names = [f"vademecum.{alias.name}" for alias in node.names]
        used |= {name.split(".")[1] for name in names if name.startswith("vademecum.")}
    return {name for name in used if (SOURCE / name).is_dir()}


def _arrows(arrows: dict[str, set[str]]) -> Iterator[str]:
    # What can be reached in two steps is left out, so that the picture shows the layers.
    for package, used in sorted(arrows.items(), key=lambda pair: -_rank(pair[0])[0]):
        further = {deep for near in used for deep in _reached(near, arrows)}
        for near in sorted(used - further):
            yield f"  {package} --> {near}"


def _reached(package: str, arrows: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    todo = list(arrows.get(package, ()))
    while todo:
        if (one := todo.pop()) not in found:
            found.add(one)
            todo += arrows.get(one, ())
    return found


def library() -> str:
    """The public functions, `Memory`, and the values that come back."""
    import vademecum
    from vademecum.core import changes, claims, notes, outcomes, review, search
    from vademecum.indexing import sync
    from vademecum.service import opening, reading, standing
    from vademecum.service.doctor import finding
    from vademecum.workspace import config

    rows = [
        "# Library",
        _NOTICE,
        "`from vademecum import open_memory`. Everything is synchronous, everything after the "
        "first argument is named, everything returned is a frozen dataclass; errors are those of "
        "[errors](errors.md).",
    ]
    for name in sorted(n for n in vademecum.__all__ if inspect.isfunction(getattr(vademecum, n))):
        rows += _callable(name, getattr(vademecum, name), "##")
    rows += ["## Memory", inspect.getdoc(vademecum.Memory) or ""]
    for part in vademecum.Memory.__mro__:
        for name, member in vars(part).items():
            if not name.startswith("_"):
                rows += _callable(name, member, "###")
    rows.append("## Values")
    for module in (
        search,
        outcomes,
        review,
        claims,
        changes,
        notes,
        reading,
        standing,
        sync,
        finding,
        opening,
        config,
    ):
        for kind in _values(module):
            rows += [f"### {kind.__name__}", inspect.getdoc(kind) or "", _fields(kind)]
    return _page(rows)


def _callable(name: str, member: object, depth: str) -> Iterator[str]:
    if isinstance(member, property):
        yield f"{depth} {name}"
        yield inspect.getdoc(member) or ""
    elif inspect.isfunction(member):
        yield f"{depth} {name}"
        yield f"```python\n{name}{_signature(member)}\n```"
        yield inspect.getdoc(member) or ""


def _signature(function: Callable[..., object]) -> str:
    signature = inspect.signature(function)
    pieces, starred = [], False
    for parameter in signature.parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            pieces.append("*")
            starred = True
        default = "" if parameter.default is parameter.empty else f" = {_default(parameter)}"
        star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
        pieces.append(f"{star}{parameter.name}: {parameter.annotation}{default}")
    result = f" -> {signature.return_annotation}"
    short = f"({', '.join(pieces)}){result}"
    return short if len(short) <= 80 else "(\n    " + ",\n    ".join(pieces) + f",\n){result}"


def _default(parameter: inspect.Parameter) -> str:
    # A function is shown by an address, which differs from run to run.
    return "…" if callable(parameter.default) else repr(parameter.default)


def _values(module: ModuleType) -> list[type]:
    return [
        kind
        for kind in vars(module).values()
        if inspect.isclass(kind)
        and kind.__module__ == module.__name__
        and dataclasses.is_dataclass(kind)
        and not kind.__name__.startswith("_")
    ]


def _fields(kind: type) -> str:
    notes = _field_notes(kind)
    rows = [
        [f"`{field.name}`", f"`{field.type}`".replace("|", "\\|"), notes.get(field.name, "")]
        for field in dataclasses.fields(kind)
    ]
    return _table(["field", "type", ""], rows)


def _field_notes(kind: type) -> dict[str, str]:
    """The strings that stand below fields."""
    body = ast.parse(inspect.cleandoc(inspect.getsource(kind))).body[0]
    assert isinstance(body, ast.ClassDef)
    notes = {}
    for field, below in zip(body.body, body.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr):
            text = below.value.value if isinstance(below.value, ast.Constant) else ""
            notes[ast.unparse(field.target)] = " ".join(str(text).split())
    return notes


def decisions() -> str:
    """The index of decision records, by their titles."""
    records = sorted((DOCUMENTS / "decisions").glob("[0-9]*.md"))
    titles = [path.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ") for path in records]
    rows = [f"- [{title}]({path.name})" for path, title in zip(records, titles, strict=True)]
    return _page(
        [
            "# Decisions",
            _NOTICE,
            "Choices that somebody could question later, in a few lines each: context, decision, "
            "consequences. A record is not rewritten when the choice changes; a new one names it.",
            "\n".join(rows),
        ]
    )


def _line(kind: type) -> str:
    return re.sub(r"\s+", " ", (inspect.getdoc(kind) or "").partition("\n\n")[0])


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split()))


def _page(rows: list[str]) -> str:
    return "\n\n".join(row for row in rows if row) + "\n"


PAGES = {
    "reference/commands.md": commands,
    "reference/configuration.md": configuration,
    "reference/errors.md": errors,
    "reference/modules.md": modules,
    "reference/library.md": library,
    "decisions/README.md": decisions,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
