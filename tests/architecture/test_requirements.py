"""Every promise to a user is shown by a test that names it."""

from __future__ import annotations

import ast
import re
from pathlib import Path


def _ids(**numbers: str) -> list[str]:
    """Return `F-01 F-02` … for `F="01 02"`, and likewise for every other letter."""
    return [f"{letter}-{number}" for letter, row in numbers.items() for number in row.split()]


FILES_AND_RECALL = _ids(F="01 02 03 04 05 06 07 11", I="01 02 03 04", R="01 02 03 05 06 07")

# Known, but not promised yet; a row moves up with the first part of it that users get.
TO_COME = _ids(
    F="08 09 10",
    W="01 02 03 04 05 06 07 08 09",
    R="04",
    I="05",
    C="01 02 03 04 05",
    L="01 02 03 04 05 06",
    A="01 02 03",
    M="01",
    B="01 02 03 04 05 06 07",
)


def _named(tests: Path) -> dict[str, list[str]]:
    """Return which test files name each id, with `pytest.mark.req` or a story's `Shows:` line."""
    named: dict[str, list[str]] = {}
    for path in sorted(tests.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "req"
            ):
                for argument in node.args:
                    if isinstance(argument, ast.Constant):
                        named.setdefault(str(argument.value), []).append(f"{path.name}")
    for path in sorted((tests / "stories").glob("*.md")):
        for row in re.findall(r"^Shows: (.+)$", path.read_text(encoding="utf-8"), re.M):
            for id in re.split(r",\s*", row.strip()):
                named.setdefault(id, []).append(path.name)
    return named


def test_every_requirement_of_files_and_recall_is_shown(repository: Path) -> None:
    named = _named(repository / "tests")
    assert [id for id in FILES_AND_RECALL if id not in named] == []


def test_no_test_names_a_requirement_that_does_not_exist(repository: Path) -> None:
    named = _named(repository / "tests")
    unknown = {id: where for id, where in named.items() if id not in FILES_AND_RECALL + TO_COME}
    assert unknown == {}
