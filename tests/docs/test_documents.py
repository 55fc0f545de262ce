"""What the documents say is so: links, commands, words, records."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import click
import pytest

from vademecum.surfaces.cli.main import vade

# Written in pieces, so that this file does not hold what it looks for.
FORBIDDEN = {
    "a path of somebody's machine": r"(?<![\w}])/(?:wo"
    r"rk/(main|shared)|tmp/"
    r"w/|ro"
    r"ot/|home/[a-z]+/)",
    "the host of a package registry": r"py" r"pi\.org|pythonho" r"sted|npm" r"js\.(org|com)",
    "an issue of ours": r"issues" r" show|issue" r" #\d",
}
# The bootstrap names the public index as pip itself does when nobody configures another.
MAY_NAME_THE_INDEX = {"scripts/fetch_pip.py"}


def _pages(repository: Path) -> list[Path]:
    return [*repository.glob("*.md"), *(repository / "docs").rglob("*.md")]


def test_no_file_speaks_of_anything_but_the_project(
    project_files: list[Path], repository: Path
) -> None:
    found = []
    for path in project_files:
        relative = path.relative_to(repository).as_posix()
        if relative in MAY_NAME_THE_INDEX:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        found += [
            f"{relative}: {what}" for what, rule in FORBIDDEN.items() if re.search(rule, text)
        ]
    assert found == []


def test_every_link_between_documents_leads_somewhere(repository: Path) -> None:
    dead = []
    for page in _pages(repository):
        text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            name, _, anchor = target.partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            goal = (page.parent / name) if name else page
            lost = (
                anchor and goal.suffix == ".md" and goal.exists() and anchor not in _anchors(goal)
            )
            if not goal.exists() or lost:
                dead.append(f"{page.name}: {target}")
    assert dead == []


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_command_in_the_documents_exists_with_its_options(repository: Path) -> None:
    wrong = []
    for page in _pages(repository):
        text = page.read_text(encoding="utf-8")
        for block in re.findall(r"```(?:console|sh|bash)\n(.*?)```", text, re.S):
            for line in re.findall(r"^(?:\$ )?vade (.+)$", block, re.M):
                wrong += [f"{page.name}: vade {line}: {defect}" for defect in _defects(line)]
    assert wrong == []


def _defects(line: str) -> list[str]:
    context = click.Context(vade)
    bare = re.sub(r"\"[^\"]*\"|'[^']*'", "x", line.split(" #")[0])
    words = bare.split()
    known = {option for p in vade.params for option in p.opts}
    verb = next((word for word in words if word in vade.list_commands(context)), None)
    if verb is not None:
        command: click.Command | None = vade.get_command(context, verb)
        while isinstance(command, click.Command):
            known |= {option for p in command.params for option in p.opts}
            below = getattr(command, "commands", {})
            command = next((below[word] for word in words if word in below), None)
    known |= {"--help", "-h"}
    unknown = [w for w in words if re.match(r"--?[a-zA-Z]", w) and w.split("=")[0] not in known]
    return unknown if verb or any(w in known for w in words) else [*unknown, "no such verb"]


def test_every_decision_record_is_numbered_and_short(repository: Path) -> None:
    records = sorted((repository / "docs" / "decisions").glob("[0-9]*.md"))
    numbers = [path.name[:3] for path in records]
    assert len(set(numbers)) == len(numbers), numbers
    for path in records:
        text = path.read_text(encoding="utf-8")
        assert re.match(r"\d{3}-[a-z0-9-]+\.md$", path.name), path.name
        assert len([line for line in text.splitlines() if line.strip()]) <= 20, path.name
        assert text.startswith("# "), path.name


def test_the_index_of_decisions_lists_all_of_them(repository: Path) -> None:
    folder = repository / "docs" / "decisions"
    index = (folder / "README.md").read_text(encoding="utf-8")
    assert [p.name for p in sorted(folder.glob("[0-9]*.md")) if f"({p.name})" not in index] == []


def test_the_glossary_explains_every_public_class_of_the_core(repository: Path) -> None:
    glossary = (repository / "docs" / "glossary.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"\*\*(\w+)\*\*", glossary))
    missing = []
    for path in sorted((repository / "src/vademecum/core").glob("*.py")):
        if path.stem == "errors":  # the error reference explains each of those
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        missing += [
            f"{path.stem}.{node.name}"
            for node in tree.body
            if isinstance(node, ast.ClassDef)
            and not node.name.startswith("_")
            and node.name not in explained
        ]
    assert missing == []


def test_every_changelog_fragment_is_one_sentence_of_a_known_kind(repository: Path) -> None:
    for path in (repository / "changelog.d").iterdir():
        if path.name == "README.md":
            continue
        assert re.fullmatch(r"[a-z0-9-]+\.(added|changed|fixed)\.md", path.name), path.name
        text = path.read_text(encoding="utf-8").strip()
        assert text.endswith(".") and "\n\n" not in text, path.name


@pytest.mark.parametrize("command", ["scripts/try.py", "scripts/check.py"])
def test_the_readme_gives_both_commands(repository: Path, command: str) -> None:
    assert f"python3 {command}" in (repository / "README.md").read_text(encoding="utf-8")
    assert (repository / command).is_file()
