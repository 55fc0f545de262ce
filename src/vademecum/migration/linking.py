"""Links between notes of a source: they lead to where the notes are now."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import quote, unquote

from vademecum.core.migration import FilePlan, MigrationPlan, Treatment
from vademecum.migration.bodies import Body
from vademecum.migration.mapping import Targets

_LINK = re.compile(r"\]\((?P<path>[^()\s<>#]+\.md)(?P<anchor>#[^()\s]*)?\)", re.IGNORECASE)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_SAFE = "/._-~!$&'*+,;=:@"
_PLACED = (Treatment.WHOLE, Treatment.LOG, Treatment.ARCHIVE, Treatment.GROWN)


class Links:
    """Where each file of a source goes, by the links that name it."""

    def __init__(self, plan: MigrationPlan) -> None:
        placed = [file for file in plan.files if file.treatment in _PLACED]
        self._to = {file.path: file.to for file in placed}
        self._targets = Targets(list(self._to))

    def mend(self, body: Body, file: FilePlan) -> None:
        """Let relative links in a note of the source lead to the same notes from its new place.

        A link that names no file of the source, or still leads there, stays as it is written.
        """
        for number, line in enumerate(body.lines):
            if "](" in line:
                body.lines[number] = _LINK.sub(lambda found: self._mended(found, file), line)

    def _mended(self, found: re.Match[str], file: FilePlan) -> str:
        written = unquote(found["path"])
        if _SCHEME.match(written) or written.startswith("/"):
            return found[0]
        target = self._targets.named(written, file.path)
        if not target:
            return found[0]
        folder = posixpath.dirname(file.to)
        if posixpath.normpath(posixpath.join(folder, written)) == self._to[target]:
            return found[0]
        path = posixpath.relpath(self._to[target], folder or ".")
        return f"]({quote(path, safe=_SAFE)}{found['anchor'] or ''})"
