"""A draft: what several files will say, until all of it is written as one group of changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from vademecum.core.changes import Signature
from vademecum.core.errors import ChangedMeanwhile, NoteNotFound
from vademecum.core.ids import new_entry_id
from vademecum.markdown.lines import Decoded, decode
from vademecum.workspace.files import Content
from vademecum.workspace.workspace import Workspace


class Draft:
    """Texts of files as they were read and as they are to be; nothing is on disk before `write`.

    A file is read once, so every text of a draft was made from the version it will be compared
    with when it is written.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._bases: dict[str, tuple[Content, Decoded] | None] = {}
        self._texts: dict[str, str] = {}
        self.group = ""
        """Of what `write` has written, also where it then raised."""
        self.written: set[str] = set()
        """Paths that `write` has written so far."""

    def text(self, path: str) -> str | None:
        """Return what the file says in this draft, None where there is none."""
        if path in self._texts:
            return self._texts[path]
        base = self._base(path)
        return None if base is None else base[1].text

    def before(self, path: str) -> str:
        """Return what the file says on disk; nothing where there is none."""
        base = self._base(path)
        return "" if base is None else base[1].text

    def put(self, path: str, text: str) -> None:
        """Let the file say `text`; files are written in the order in which they were first put."""
        self._texts[path] = text

    def reread(self) -> None:
        """Read files anew, when they are asked for, that nothing was put into."""
        for path in self._bases.keys() - self._texts.keys():
            del self._bases[path]

    def changed(self) -> tuple[str, ...]:
        """Return the paths of the files that would change, in the order of writing."""
        return tuple(path for path, _ in self._pending())

    def write(
        self, sign: Callable[[str], Signature], group: str = "", *, aside: bool = True
    ) -> str:
        """Write every file that changed; return the group of the changes, empty for none.

        `sign` makes the signature of one change of the group it is given: that of an earlier draft
        which this one belongs to, or a new one. Raises ChangedMeanwhile when another program
        changed the same lines or made a file first: what was written until then stands, and the
        edit is in a conflict record unless `aside` is false. Raises what any write raises.
        """
        pending = list(self._pending())
        if not pending:
            return group
        group = group or new_entry_id(self.workspace.clock.now())
        for path, text in pending:
            base = self._base(path)
            if base is not None:
                data = base[1].encode(text)
                self.workspace.files.replace(base[0], data, sign(group), aside=aside)
            elif self.workspace.files.create(path, text.encode(), sign(group)) is None:
                raise ChangedMeanwhile(f"{path} was made by another program.", hint="Try again.")
            self.group = group
            self.written.add(path)
        return group

    def _pending(self) -> Iterator[tuple[str, str]]:
        for path, text in self._texts.items():
            base = self._base(path)
            if base is None or base[1].text != text:
                yield path, text

    def _base(self, path: str) -> tuple[Content, Decoded] | None:
        if path not in self._bases:
            try:
                content = self.workspace.files.read(path)
            except NoteNotFound:
                self._bases[path] = None
            else:
                self._bases[path] = (content, decode(content.data))
        return self._bases[path]
