"""Reading the TOML that nearly every vade.toml is made of, without loading a parser of all TOML."""

from __future__ import annotations

PlainValue = str | int | bool


def read_plain(text: str) -> dict[str, dict[str, PlainValue]] | None:
    """Return the tables of `text`, exactly as `tomllib` would; None where it takes `tomllib`.

    Plain are tables with bare names, and in them bare keys with a string without escapes, a whole
    number, `true` or `false`; comments and blank lines. Everything else is left alone, mistakes
    too, so that there is one voice to complain about them.
    """
    tables: dict[str, dict[str, PlainValue]] = {}
    table: dict[str, PlainValue] | None = None
    for row in text.split("\n"):
        line = row.replace("\t", " ").strip(" ")
        if not line.isprintable():
            return None
        if not line or line[0] == "#":
            continue
        if line[0] == "[":
            name = _uncommented(line)[1:-1]
            if not (_uncommented(line)[-1] == "]" and _is_bare(name)) or name in tables:
                return None
            table = tables[name] = {}
            continue
        key, equals, written = line.partition("=")
        key, value = key.strip(" "), _value(row.partition("=")[2].strip(" \t"))
        if table is None or not equals or not _is_bare(key) or key in table or value is None:
            return None
        table[key] = value
    return tables


def _value(written: str) -> PlainValue | None:
    if written[:1] == '"':
        inner, quote, rest = written[1:].partition('"')
        if not quote or "\\" in inner or _uncommented(rest):
            return None
        return inner
    word = _uncommented(written)
    if word in ("true", "false"):
        return word == "true"
    if word.isascii() and word.isdigit() and (word == "0" or word[0] != "0"):
        return int(word) if len(word) < 10 else None
    return None


def _uncommented(written: str) -> str:
    return written.partition("#")[0].strip(" \t")


def _is_bare(name: str) -> bool:
    return name.isascii() and name.replace("_", "a").replace("-", "a").isalnum()
