"""Modules fit in a head, say what they are, and are named after what they do."""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import Any

MOST_LINES = 400
# Longer modules would be listed here, each with the reason why it cannot be split. There are none.
LONGER: dict[str, str] = {}
EMPTY_NAMES = {"manager", "helper", "helpers", "utils", "util", "base", "common", "misc", "tools"}


def test_every_module_fits_in_a_head(modules: list[Any]) -> None:
    long = {m.name: n for m in modules if (n := len(m.text.splitlines())) > MOST_LINES}
    assert set(long) == set(LONGER), f"more than {MOST_LINES} lines: {long}"


def test_every_module_opens_with_a_caption_of_one_sentence(modules: list[Any]) -> None:
    broken = {m.name: m.caption for m in modules if not re.fullmatch(r"\S.{8,}[^.]\.", m.caption)}
    assert not broken, "a first docstring line that is one whole sentence is missing"


def test_no_two_modules_have_the_same_caption(modules: list[Any]) -> None:
    counted = Counter(m.caption for m in modules)
    assert [caption for caption, times in counted.items() if times > 1] == []


def test_no_module_is_named_after_nothing_in_particular(modules: list[Any]) -> None:
    named = {part for m in modules for part in m.name.split(".")}
    assert named & EMPTY_NAMES == set()


def test_every_public_class_and_function_says_what_a_caller_may_rely_on(modules: list[Any]) -> None:
    bare = [
        f"{m.name}.{node.name}"
        for m in modules
        for node in m.tree.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]
    assert bare == []


def test_no_suppression_is_without_its_reason(modules: list[Any]) -> None:
    # Behind the rule's name, or once for a group of lines: on the first or just above.
    bare = []
    for module in modules:
        lines = module.text.splitlines()
        for number, line in enumerate(lines):
            if re.search(r"# noqa(: [A-Z0-9, ]+)?$", line):
                above = lines[max(0, number - 3) : number]
                if not any(re.search(r"#( noqa: \w+)?  ?\w", one) for one in above):
                    bare.append(f"{module.name}:{number + 1}")
    assert bare == []
