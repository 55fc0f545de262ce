"""Budgets: what is loaded into every context may only grow so far, and says what could move."""

from __future__ import annotations

from vademecum.core.errors import OverBudget
from vademecum.core.notes import Role
from vademecum.markdown.claims import read_claims
from vademecum.workspace.workspace import Workspace

NOTE_BUDGET = 16_000
"""Bytes from which on a note is full: new claims about its subject go to a numbered one."""
DIRECTIVES_BUDGET = 4_000
"""Characters of the file of directives: openclaw loads no more of it."""
_SHOWN = 3


def limit_of(workspace: Workspace, path: str) -> int | None:
    """Return how many characters the file may have, None where nothing limits it."""
    budget, profile = workspace.settings.budget, workspace.profile
    if path == profile.core_path:
        return budget.core
    if path == profile.directives_path:
        return DIRECTIVES_BUDGET
    return budget.map if workspace.role_of(path) is Role.MAP else None


def check_budget(workspace: Workspace, path: str, before: str, after: str) -> None:
    """Raise OverBudget when the file grew past its budget; the hint says what could move where."""
    limit = limit_of(workspace, path)
    if limit is None or len(after) <= limit or len(after) <= len(before):
        return
    raise OverBudget(
        f"{path} would have {len(after):,} characters; its budget is {limit:,}.",
        hint=_what_could_move(workspace, path, after),
    )


def _what_could_move(workspace: Workspace, path: str, text: str) -> str:
    claims = read_claims(path, text)
    profile = workspace.profile
    if path not in (profile.core_path, profile.directives_path) or not claims:
        return f"Shorten what was written by hand in {path}, or move it to a note of its own."
    past = [claim for claim in claims if not claim.live]
    candidates = past or sorted(claims, key=lambda claim: -len(claim.text))
    named = "; ".join(
        f"line {claim.span.first} ({claim.text[:40].rstrip()}…)" for claim in candidates[:_SHOWN]
    )
    folder = profile.note_folder
    what = "what is past" if past else "what not every conversation needs"
    return f"Move {what} to a note below {folder}/ and link to it: {named}."
