"""The user's crontab: read and written whole, byte by byte, and never taken for empty unread."""

from __future__ import annotations

from vademecum.core.errors import Refused
from vademecum.core.patterns import later
from vademecum.service.timers.system import System

CRONTAB = "crontab"
_NONE_YET = later(r"no crontab for |can't open '[^']*': No such file or directory")
"""What `crontab -l` says of a user who has none; the second is BusyBox's way to say so."""


class Crontab:
    """The crontab of one user. Its bytes are text in UTF-8, or what stands for them in Python."""

    def __init__(self, system: System) -> None:
        self._system = system

    @property
    def here(self) -> bool:
        """Whether this system has crontabs."""
        return self._system.has(CRONTAB)

    def read(self) -> str:
        """Return what is in it, nothing where the user has none. Raises Refused.

        A crontab that cannot be read is not an empty one: what is written takes its whole place.
        """
        if not self.here:
            return ""
        ended = self._system.run([CRONTAB, "-l"])
        if ended.code == 0:
            return ended.out.decode("utf-8", "surrogateescape")
        if ended.code > 0 and not ended.out and _NONE_YET.search(ended.said):
            return ""
        raise Refused(
            f"Your crontab cannot be read, so it is left alone: `crontab -l` failed: {ended.said}.",
            hint="Run `crontab -l` by hand, or choose another --kind.",
        )

    def write(self, text: str) -> None:
        """Put `text` in its place; with none, the user has no crontab afterwards. Raises Refused.

        It stands as it was where that fails.
        """
        words = [CRONTAB, "-"] if text else [CRONTAB, "-r"]
        ended = self._system.run(words, text.encode("utf-8", "surrogateescape"))
        if ended.code != 0:
            raise Refused(
                f"`{' '.join(words)}` did not work: {ended.said or f'it ended with {ended.code}'}.",
                hint="Choose another --kind, or keep `vade serve` running.",
            )
