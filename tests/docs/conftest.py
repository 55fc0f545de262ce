"""Where the documents are, and which files belong to the project."""

from __future__ import annotations

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
FOLDERS = ("src", "tests", "docs", "scripts", "benchmarks", "examples", "changelog.d", ".ci")
TEXT = {".py", ".md", ".toml", ".json", ".jsonl", ".txt", ".sh", ""}


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture(scope="session")
def project_files() -> list[Path]:
    top = [path for path in REPOSITORY.iterdir() if path.is_file() and path.suffix in TEXT]
    below = [
        path
        for folder in FOLDERS
        for path in (REPOSITORY / folder).rglob("*")
        if path.is_file() and path.suffix in TEXT and "__pycache__" not in path.parts
    ]
    return sorted(top + below)
