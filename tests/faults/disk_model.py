"""A disk that forgets what was not synced: replays a trace and gives every state it could be in.

Names and contents are durable only after an fsync of the folder or file they belong to. After each
call the disk may hold, of what was not synced: nothing, everything, only the names, only the
contents, a part of an appended content, or the first few names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_HEX = re.compile(r"(?:\\x[0-9a-f]{2})+")
_LINE = re.compile(r"^(?:\d+ +)?(\w+)\((.*)\) += (-?\d+)")
_STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_DESCRIPTOR = re.compile(r"^(AT_FDCWD|\d+)<")

State = dict[str, bytes | None]
"""Content by path; None for a folder."""


def _bytes(escaped: str) -> bytes:
    return bytes.fromhex(escaped.replace("\\x", ""))


@dataclass(eq=False)
class Node:
    """A file or folder, whatever its names."""

    content: bytes | None
    durable: bytes | None


@dataclass
class Disk:
    """What the calls of a trace did so far."""

    names: dict[str, Node]
    durable: dict[str, Node] = field(default_factory=dict)
    unsynced: list[tuple[str, str, Node | None]] = field(default_factory=list)
    """Changes of names in order: folder, path, what it points to now."""
    opened: dict[int, Node] = field(default_factory=dict)
    where: dict[int, str] = field(default_factory=dict)

    @classmethod
    def holding(cls, place: Path, files: dict[str, bytes]) -> Disk:
        """Return a disk on which `files` below `place` are durable."""
        names = {str(place): Node(None, None)}
        for name, content in files.items():
            path = place / name
            for folder in reversed(path.relative_to(place).parents):
                names.setdefault(str(place / folder), Node(None, None))
            names[str(path)] = Node(content, content)
        return cls(names, dict(names))

    # ------------------------------------------------------------ states

    def states(self) -> Iterator[State]:
        """Yield what may be found after a loss of power at this moment."""
        yield self._state(self.durable, torn=None)
        yield self._state(self.names, torn=None)
        yield self._state(self.names, torn=1.0)
        yield self._state(self.durable, torn=1.0)
        yield self._state(self.names, torn=0.5)
        names = dict(self.durable)
        for _, path, node in self.unsynced:
            _point(names, path, node)
            yield self._state(names, torn=None)

    def _state(self, names: dict[str, Node], torn: float | None) -> State:
        found: State = {}
        for path, node in names.items():
            if node.content is None:
                found[path] = None
                continue
            kept = node.durable or b""
            if torn is not None:
                extra = node.content[len(kept) :] if node.content.startswith(kept) else b""
                part = kept + extra[: int(len(extra) * torn)]
                kept = node.content if torn == 1.0 else part
            found[path] = kept
        # A file whose folder is not there cannot be found.
        return {
            path: content
            for path, content in found.items()
            if all(
                str(parent) in found or len(str(parent)) < len(min(found))
                for parent in Path(path).parents
            )
        }

    # ------------------------------------------------------------ calls

    def apply(self, line: str) -> bytes:
        """Carry out one line of the trace; return what was written to standard output."""
        match = _LINE.match(line)
        if not match or int(match[3]) < 0:
            return b""
        name, arguments, result = match[1], match[2], int(match[3])
        strings = [_bytes(found) for found in _STRING.findall(arguments)]
        handler = getattr(self, f"_{name}", None)
        return (handler(arguments, strings, result) if handler else None) or b""

    def _path(self, base: str, name: bytes) -> str:
        text = name.decode()
        if text.startswith("/"):
            return text
        descriptor = re.match(r"\s*(\d+)<", base)
        return str(Path(self.where[int(descriptor[1])]) / text) if descriptor else text

    def _openat(self, arguments: str, strings: list[bytes], result: int) -> None:
        path = self._path(arguments, strings[0])
        if "O_TMPFILE" in arguments:
            self.opened[result] = Node(b"", b"")
            return
        if path not in self.names:
            if "O_CREAT" not in arguments:
                self.opened.pop(result, None)
                return
            self._point(path, Node(b"", b""))
        self.opened[result] = self.names[path]
        self.where[result] = path
        if "O_TRUNC" in arguments:
            self.opened[result].content = b""

    _openat2 = _openat

    def _mkdir(self, arguments: str, strings: list[bytes], _result: int) -> None:
        self._point(self._path(arguments, strings[0]), Node(None, None))

    _mkdirat = _mkdir

    def _write(self, arguments: str, strings: list[bytes], result: int) -> bytes | None:
        number = int(arguments.split("<")[0])
        if number == 1:
            return strings[0]
        node = self.opened.get(number)
        if node is not None:  # every writer here appends or fills a new file
            node.content = (node.content or b"") + strings[0][:result]
        return None

    def _ftruncate(self, arguments: str, _strings: list[bytes], _result: int) -> None:
        node = self.opened[int(arguments.split("<")[0])]
        node.content = (node.content or b"")[: int(arguments.rsplit(",", 1)[1])]

    def _fsync(self, arguments: str, _strings: list[bytes], _result: int) -> None:
        number = int(arguments.split("<")[0])
        node = self.opened[number]
        if node.content is not None:
            node.durable = node.content
            return
        folder = self.where[number]
        for name, path, pointed in [change for change in self.unsynced if change[0] == folder]:
            _point(self.durable, path, pointed)
            self.unsynced.remove((name, path, pointed))

    def _linkat(self, arguments: str, strings: list[bytes], _result: int) -> None:
        old, new = strings[0].decode(), strings[1]
        base = arguments.split(",")[2]
        if old.startswith("/proc/self/fd/"):
            node = self.opened[int(old.rsplit("/", 1)[1])]
        else:
            node = self.names[self._path(arguments, strings[0])]
        self._point(self._path(base, new), node)

    def _unlink(self, arguments: str, strings: list[bytes], _result: int) -> None:
        self._point(self._path(arguments, strings[0]), None)

    _unlinkat = _unlink

    def _renameat2(self, arguments: str, strings: list[bytes], _result: int) -> None:
        first, second = (self._path(arguments, name) for name in strings[:2])
        one, other = self.names[first], self.names.get(second)
        if "RENAME_EXCHANGE" in arguments:
            assert other is not None
            # One change of the folder: a journalling file system shows both or none.
            folder = str(Path(first).parent)
            for names in (self.names,):
                names[first], names[second] = other, one
            self.unsynced.append((folder, f"{first}\0{second}", None))
            return
        self._point(second, one)
        self._point(first, None)

    _renameat = _rename = _renameat2

    def _point(self, path: str, node: Node | None) -> None:
        _point(self.names, path, node)
        self.unsynced.append((str(Path(path).parent), path, node))


def _point(names: dict[str, Node], path: str, node: Node | None) -> None:
    if "\0" in path:
        first, second = path.split("\0")
        one, other = names.get(first), names.get(second)
        for name, found in ((second, one), (first, other)):
            _point(names, name, found)
    elif node is None:
        names.pop(path, None)
    else:
        names[path] = node


def put_on_disk(state: State, old: Path, new: Path) -> None:
    """Write a state that was found below `old` to real files below `new`."""
    new.mkdir(parents=True)
    for path in sorted(state):
        target = new / Path(path).relative_to(old)
        content = state[path]
        if content is None:
            target.mkdir(exist_ok=True)
        else:
            target.write_bytes(content)
