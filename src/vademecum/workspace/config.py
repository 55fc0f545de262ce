"""The configuration of one workspace, and the only reader of the environment.

Later wins: defaults, user file, vade.toml, `VADE_*` variables, flags. vade.toml arrives with a
clone, so it may set only keys that are marked safe.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from math import isfinite
from pathlib import Path

from vademecum.core.errors import InvalidConfiguration
from vademecum.core.frozen import dataclass
from vademecum.workspace.keys import Key, Settings, Value, declared_keys
from vademecum.workspace.plain_toml import read_plain

FILE = "vade.toml"
_LARGEST = 65_536
_HIDDEN = "(set)"
_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")
# Variables that are no keys: they choose the workspace before there is a configuration.
_CHOOSING = frozenset({"VADE_WORKSPACE", "VADE_AGENT"})
_VENDOR_VARIABLES = {
    "openai": ("OPENAI_API_KEY",),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "voyage": ("VOYAGE_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
}


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One key as `vade config` shows it; a secret's value is not in it."""

    key: str
    value: str
    origin: str
    """`default`, the path of a file, the name of a variable, or `option`."""
    default: str
    safe: bool
    """Whether vade.toml may set it."""
    help: str


def environment() -> Mapping[str, str]:
    """Return the environment of this process."""
    return os.environ


def user_home(variables: Mapping[str, str]) -> Path:
    """Return the directory of what a person configures for all workspaces of this installation."""
    return _home(variables, "XDG_CONFIG_HOME", ".config") / "vademecum"


def user_file(variables: Mapping[str, str]) -> Path:
    """Return where the user's own configuration is, whether or not it is there."""
    return user_home(variables) / "config.toml"


def state_home(settings: Settings, variables: Mapping[str, str]) -> Path:
    """Return the directory that holds the state of all workspaces."""
    if settings.state.directory:
        return Path(settings.state.directory).expanduser().absolute()
    return _home(variables, "XDG_STATE_HOME", ".local/state") / "vademecum"


def cache_home(variables: Mapping[str, str]) -> Path:
    """Return the directory for what all workspaces share and can be made anew."""
    return _home(variables, "XDG_CACHE_HOME", ".cache") / "vademecum"


def _home(variables: Mapping[str, str], name: str, otherwise: str) -> Path:
    value = variables.get(name, "")
    if Path(value).is_absolute():
        return Path(value)
    return Path(variables.get("HOME") or Path("~").expanduser()) / otherwise


def load_settings(
    root: Path | None,
    flags: Mapping[str, Value] | None = None,
    variables: Mapping[str, str] | None = None,
) -> Settings:
    """Return the configuration of the workspace at `root` (None: of no workspace).

    `flags` are keys by their full names; `variables` stand for the environment. Raises
    InvalidConfiguration for an unknown key, a wrong value, an unsafe key in vade.toml, or a file
    that is no TOML; what is wrong and where is in the message.
    """
    variables = environment() if variables is None else variables
    keys = {key.name: key for key in declared_keys()}
    found: dict[str, tuple[Value, str]] = {}
    own = user_file(variables)
    found.update(_of_file(own, keys, safe_only=False))
    if root is not None:
        found.update(_of_file(root / FILE, keys, safe_only=True))
    found.update(_of_variables(variables, keys))
    for name, value in (flags or {}).items():
        key = _declared(name, keys, "an option")
        found[name] = (_checked(key, value, "an option"), "option")
    _add_vendor_key(found, variables, "embedder", "provider")
    _add_vendor_key(found, variables, "model", "chat" if "model.chat" in found else "name")
    return _settings(found)


def with_defaults(
    settings: Settings, defaults: Iterable[tuple[str, Value]], origin: str
) -> Settings:
    """Return the settings with other defaults of those keys, where nobody set them."""
    changed = settings
    for name, value in defaults:
        if name in settings.origins:
            continue
        group, _, part = name.partition(".")
        held = replace(getattr(changed, group), **{part: value})
        origins = {**changed.origins, name: origin}
        changed = replace(changed, **{group: held, "origins": origins})
    return changed


def _settings(found: Mapping[str, tuple[Value, str]]) -> Settings:
    defaults = Settings()
    groups = {}
    for group in fields(Settings):
        prefix = group.name + "."
        values = {
            name.removeprefix(prefix): value
            for name, (value, _) in found.items()
            if name.startswith(prefix)
        }
        if values:
            groups[group.name] = type(getattr(defaults, group.name))(**values)
    return Settings(**groups, origins={name: origin for name, (_, origin) in found.items()})


def _of_file(
    path: Path, keys: Mapping[str, Key], *, safe_only: bool
) -> Iterator[tuple[str, tuple[Value, str]]]:
    text = _read(path)
    if text is None:
        return
    tables: Mapping[str, object] | None = read_plain(text)
    if tables is None:
        tables = _parsed_toml(path, text)
    for name, value in _flattened(tables, "", keys):
        key = _declared(name, keys, str(path))
        if safe_only and not key.rule.safe:
            raise InvalidConfiguration(
                f"{path} sets {name}, which a workspace may not set for its users.",
                hint=f"Set it in your own configuration file or by the variable {key.variable}.",
            )
        yield name, (_checked(key, value, str(path)), str(path))


def _parsed_toml(path: Path, text: str) -> Mapping[str, object]:
    import tomllib  # noqa: PLC0415  several milliseconds, which few files need

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidConfiguration(
            f"{path} is not valid TOML: {error}.", hint="Correct that line; nothing was changed."
        ) from error


def _flattened(
    table: Mapping[str, object], prefix: str, keys: Mapping[str, Key]
) -> Iterator[tuple[str, object]]:
    for name, value in table.items():
        if isinstance(value, dict) and prefix + name not in keys:
            yield from _flattened(value, f"{prefix}{name}.", keys)
        else:
            yield prefix + name, value


def _read(path: Path) -> str | None:
    """Return the text of a configuration file, None where there is none."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _unreadable(path, error.strerror or "no reason given") from error
    if not stat.S_ISREG(found.st_mode) or found.st_size > _LARGEST:
        raise _unreadable(path, "it is no regular file of at most 64 KB")
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise _unreadable(path, error.strerror or "no reason given") from error
    except UnicodeDecodeError as error:
        raise _unreadable(path, "it is not UTF-8") from error


def _unreadable(path: Path, reason: str) -> InvalidConfiguration:
    return InvalidConfiguration(
        f"The configuration file {path} cannot be read: {reason}.",
        hint="Make it readable, or move it away.",
    )


def _of_variables(
    variables: Mapping[str, str], keys: Mapping[str, Key]
) -> Iterator[tuple[str, tuple[Value, str]]]:
    by_variable = {key.variable: key for key in keys.values()}
    groups = tuple(sorted({"VADE_" + name.partition(".")[0].upper() + "_" for name in keys}))
    for variable, text in variables.items():
        if not variable.startswith("VADE_") or variable in _CHOOSING:
            continue
        key = by_variable.get(variable)
        if key is not None:
            if text:
                yield key.name, (_checked(key, _parsed(key, text), variable), variable)
            continue
        close = _nearest(variable, by_variable, 0.85)
        if close or variable.startswith(groups):
            hint = f"Did you mean {close[0]}?" if close else "`vade config` lists the keys."
            raise InvalidConfiguration(f"The variable {variable} sets no known key.", hint=hint)


def _parsed(key: Key, text: str) -> Value:
    """Return what a variable's text stands for; text that does not fit the type stays text."""
    if key.kind is tuple:
        return _listed(text)
    if key.kind is bool and text.lower() in _TRUE + _FALSE:
        return text.lower() in _TRUE
    if key.kind in (int, float):
        try:
            return int(text) if key.kind is int else float(text)
        except ValueError:
            return text
    return text


def _listed(text: str) -> Value:
    """Return the texts of a list: parts between commas, or a list of JSON where it begins as one.

    A broken one stays text: its parts would be something else than was meant.
    """
    if not text.strip().startswith('["'):
        return tuple(part.strip() for part in text.split(",") if part.strip())
    import json  # noqa: PLC0415  few lists are written so

    try:
        found = json.loads(text)
    except ValueError:
        return text
    return tuple(found) if all(isinstance(one, str) for one in found) else text


def _nearest(name: str, known: Iterable[str], likeness: float) -> list[str]:
    import difflib  # noqa: PLC0415  only a mistake has to pay for it

    return difflib.get_close_matches(name, known, 1, likeness)


def _declared(name: str, keys: Mapping[str, Key], where: str) -> Key:
    key = keys.get(name)
    if key is not None:
        return key
    last = name.rpartition(".")[2]
    close = _nearest(name, keys, 0.6) or [
        known for known in keys if known.rpartition(".")[2] == last
    ]
    hint = f"Did you mean {close[0]}?" if close else "`vade config` lists the keys."
    raise InvalidConfiguration(f"{where} sets {name}, which is no known key.", hint=hint)


def _checked(key: Key, value: object, where: str) -> Value:
    """Return `value` in the key's type. Raises InvalidConfiguration where it does not fit."""
    rule = key.rule
    if key.kind is tuple and isinstance(value, list | tuple):
        if not all(isinstance(item, str) for item in value):
            raise _wrong(key, value, where, _KINDS[tuple])
        return tuple(value)
    if key.kind is float and type(value) is int:
        value = float(value)
    if type(value) is not key.kind or not isinstance(value, str | int | float):
        raise _wrong(key, value, where, _KINDS[key.kind])
    if rule.choices and value not in rule.choices:
        named = ", ".join(choice for choice in rule.choices if choice)
        raise _wrong(key, value, where, f"one of {named}")
    if isinstance(value, float) and not isfinite(value):
        raise _wrong(key, value, where, "a finite number")
    if rule.least is not None and not (isinstance(value, int | float) and value >= rule.least):
        raise _wrong(key, value, where, f"{_KINDS[key.kind]} of at least {rule.least:g}")
    return value


_KINDS = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    tuple: 'a list of texts, such as ["one", "two"]',
}


def _wrong(key: Key, value: object, where: str, wanted: str) -> InvalidConfiguration:
    shown = _HIDDEN if key.rule.secret else repr(value)[:60]
    return InvalidConfiguration(
        f"{where} sets {key.name} to {shown}, but it must be {wanted}.", hint=key.rule.help
    )


def _add_vendor_key(
    found: dict[str, tuple[Value, str]], variables: Mapping[str, str], group: str, naming: str
) -> None:
    """Take the provider's usual variable for a key that is set nowhere else.

    Not with an endpoint of one's own: that key is for the provider, not for whoever answers there.
    """
    provider = str(found.get(f"{group}.{naming}", ("", ""))[0]).partition(":")[0]
    if f"{group}.api_key" in found or f"{group}.endpoint" in found:
        return
    for variable in _VENDOR_VARIABLES.get(provider, ()):
        if variables.get(variable):
            found[f"{group}.api_key"] = (variables[variable], variable)
            return


def describe(settings: Settings) -> tuple[SettingRow, ...]:
    """Return every key with its value and where that comes from."""
    return tuple(
        SettingRow(
            key.name,
            _shown(key, settings.value(key.name)),
            settings.origins.get(key.name, "default"),
            _shown(key, key.default),
            key.rule.safe,
            key.rule.help,
        )
        for key in declared_keys()
    )


def _shown(key: Key, value: Value) -> str:
    if key.rule.secret:
        return _HIDDEN if value else ""
    if isinstance(value, tuple):
        return ", ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)
