"""A program that knows nothing of locks and saves a file over and over.

    editor.py FILE STYLE WORD COUNT

Reads the file, adds one unique line below the heading `## editor` and saves, COUNT times. STYLE is
`rename`, `in-place`, `backup` (the old file is renamed first) or `sed`. Prints each line that was
saved.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def save(path: Path, style: str, line: str) -> bool:
    if style == "sed":
        script = f"s/^## editor$/## editor\\n{line}/"
        return subprocess.run(["sed", "-i", script, str(path)], check=False).returncode == 0
    try:
        content = path.read_text()
    except FileNotFoundError:
        return False
    content = content.replace("## editor\n", f"## editor\n{line}\n")
    if style == "in-place":
        write(path, content)
        return True
    beside = path.with_name(f".{path.name}.swp")
    write(beside, content)
    if style == "backup":
        path.rename(path.with_name(f"{path.name}~"))
    beside.rename(path)
    return True


def write(path: Path, content: str) -> None:
    with path.open("w") as file:
        half = len(content) // 2
        file.write(content[:half])
        file.flush()
        file.write(content[half:])
        file.flush()
        os.fsync(file.fileno())


def main() -> None:
    path, style, word = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    for number in range(int(sys.argv[4])):
        line = f"- {word}-{number}-end"
        if save(path, style, line):
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
