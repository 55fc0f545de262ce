"""Verbs of upkeep: heartbeat, reflection, promotion, archive, and who runs them when."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from vademecum.core.provenance import Actor
from vademecum.service.turns import Turn
from vademecum.service.wiring import Parts
from vademecum.workspace.workspace import Workspace

if TYPE_CHECKING:
    from vademecum.core.jobs import Job, JobReport, Plan
    from vademecum.service.remembering import Remembering

# Each verb imports its engine when it is called.
# ruff: noqa: PLC0415


class Tending:
    """The part of `Memory` that tidies memory."""

    _workspace: Workspace
    _parts: Parts
    _actor: Actor
    _turn: Turn
    _remembering: Remembering | None

    def _changing(self) -> None:
        raise NotImplementedError

    def _run_job(
        self,
        job: Job,
        key: str,
        plan: Callable[[], Plan],
        *,
        dry_run: bool,
        progress: Callable[[str, int, int], None] | None,
        again: bool = False,
        done_in_files: Callable[[], bool] = lambda: False,
    ) -> JobReport:
        """Run a job as `service.jobs.run_job` does. `plan` holds no turn: it may ask a model."""
        from vademecum.service.jobs import Hands, run_job
        from vademecum.service.remembering import Remembering

        with self._turn:
            if self._remembering is None:
                self._remembering = Remembering(self._workspace, self._parts)
            if not dry_run:
                self._changing()
        return run_job(
            Hands(self._workspace, self._remembering, self._turn),
            job,
            key,
            plan,
            dry_run=dry_run,
            again=again,
            progress=progress,
            done_in_files=done_in_files,
        )
