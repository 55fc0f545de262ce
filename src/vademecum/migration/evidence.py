"""Whether a claim that calls itself stated has evidence in its source: the words, in a log."""

from __future__ import annotations

from vademecum.core.migration import MigrationPlan, Treatment
from vademecum.markdown.claim_lines import ClaimLine
from vademecum.markdown.wording import words_of
from vademecum.migration.bodies import readable, shown
from vademecum.migration.inventory import Tree
from vademecum.migration.mapping import Targets
from vademecum.migration.whole import LARGEST

_SHORTEST = 6


class Evidence:
    """The logs of a source, read where a claim cites them; the last one read is kept."""

    def __init__(self, plan: MigrationPlan, staged: Tree) -> None:
        self._staged = staged
        self._numbers = {
            file.path: number
            for number, file in enumerate(plan.files)
            if file.treatment is Treatment.LOG and file.size <= LARGEST
        }
        self._targets = Targets(list(self._numbers))
        self._last = ("", "")

    def proves(self, line: ClaimLine) -> bool:
        """Whether a log that the claim cites holds its words: who says so may be believed."""
        words = words_of(line.text)
        if len(words) < _SHORTEST:
            return False
        for target in line.evidence:
            path = self._targets.named(target, "")
            if path and words in self._words(path):
                return True
        return False

    def _words(self, path: str) -> str:
        if self._last[0] != path:
            data = self._staged.read(f"{self._numbers[path]:06d}")
            self._last = (path, words_of(shown(readable(data).text)))
        return self._last[1]
