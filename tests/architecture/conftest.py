"""The project's own source, read as text and as syntax trees."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Module:
    """One source file of the package."""

    name: str
    path: Path
    text: str
    tree: ast.Module

    @property
    def caption(self) -> str:
        """First line of its docstring, or nothing."""
        return (ast.get_docstring(self.tree) or "").partition("\n")[0]


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture(scope="session")
def modules() -> list[Module]:
    source = REPOSITORY / "src"
    found = []
    for path in sorted(source.rglob("*.py")):
        parts = path.relative_to(source).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = path.read_text(encoding="utf-8")
        found.append(Module(name, path, text, ast.parse(text)))
    return found
