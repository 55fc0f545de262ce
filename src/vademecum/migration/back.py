"""An export that comes back: what is one's own in it, and which file each role goes back to."""

from __future__ import annotations

from dataclasses import replace

from vademecum.core.errors import BadInput, NoteNotFound, Unreadable
from vademecum.core.migration import FilePlan, Treatment
from vademecum.core.roles import Role
from vademecum.core.search import Degradation
from vademecum.markdown.lines import split
from vademecum.migration.bodies import body_of, readable, shown
from vademecum.migration.grown import grown
from vademecum.migration.held import key_of_line
from vademecum.migration.inventory import Tree
from vademecum.migration.sources.okf import receipt_in
from vademecum.migration.whole import LARGEST
from vademecum.workspace.workspace import Workspace
from vademecum.writing.budget import limit_of

_LOADED = (Role.IDENTITY, Role.INSTRUCTIONS)


class Back:
    """What is known of a source that is an export of `vade`; of any other, nothing is one's own.

    A file is one's own where this installation sealed the export and nobody changed the file since,
    or where the caller says that the whole export is. Raises BadInput where the caller says so of
    something else.
    """

    def __init__(self, workspace: Workspace, tree: Tree, *, own: bool) -> None:
        self._workspace = workspace
        self._tree = tree
        self._receipt = receipt_in(tree, workspace)
        self._all = own
        self.degraded: tuple[Degradation, ...] = ()
        if self._receipt is None and own:
            raise BadInput(
                f"{tree.root} is no export of vademecum, so it proves nothing that was stated.",
                hint="Move it in without --own.",
            )
        if self._receipt is not None and not (own or self._receipt.sealed):
            why = "it was not exported by this installation, so nothing in it counts as stated"
            remedy = "if it is a memory of your own, say so: --own"
            self.degraded = (Degradation("provenance", why, remedy),)

    def is_own(self, path: str, digest: str) -> bool:
        """Whether the file at `path` is of a memory of one's own."""
        if self._receipt is None:
            return False
        row = self._receipt.rows.get(path)
        return self._all or (self._receipt.sealed and row is not None and row.digest == digest)

    def returned(self, base: FilePlan, source: str) -> FilePlan | None:
        """Return the plan of a file that goes back to the file of its role here.

        None where it is not one's own, there is no such file in this profile, or no room in it.
        """
        path = self._path_of(source)
        if not (base.own and path) or base.size > LARGEST:
            return None
        held = self._held(path)
        if held is None:
            return replace(base, treatment=Treatment.WHOLE, to=path)
        there = {key_of_line(line) for line in split(held)}
        body = body_of(readable(self._tree.read(base.path)).text)
        new = grown(body, held, None).text.lines
        if not any(line.strip() and key_of_line(line) not in there for line in new):
            return replace(base, treatment=Treatment.TWIN, twin=path)
        limit = limit_of(self._workspace, path)
        if limit is not None and len(held) + sum(map(len, new)) > limit:
            return None
        return replace(base, treatment=Treatment.GROWN, to=path)

    def instructions(self, plan: FilePlan) -> list[str]:
        """Return the lines that a file adds to what hosts load, below a line with its name."""
        if plan.treatment is Treatment.TWIN or self._workspace.role_of(plan.to) not in _LOADED:
            return []
        body = body_of(readable(self._tree.read(plan.path)).text)
        lines = grown(body, self._held(plan.to) or "", None).text.lines
        told = [shown(line).rstrip("\r\n") for line in lines if line.strip()]
        return [f"<!-- {plan.path} -->", *told] if told else []

    def _path_of(self, source: str) -> str:
        """Return the file here that has the role which the file at `source` had there."""
        profile = self._workspace.profile
        name = source.rpartition("/")[2].casefold()
        same = [
            path
            for path in (*profile.identity_paths, *profile.instruction_paths)
            if path.casefold() == name
        ]
        named = {
            "memory.md": profile.core_path if profile.core_holds_claims else "",
            "now.md": profile.workbench_path,
            "definition.md": profile.doctrine_path,
            "candidates.md": profile.candidates_path,
        }
        path = same[0] if same else named.get(name, "")
        return "" if path == profile.map_path else path

    def _held(self, path: str) -> str | None:
        try:
            return readable(self._workspace.files.read(path).data).text
        except (NoteNotFound, Unreadable):
            return None
