"""Which jobs are due: by local date, late ones too, each once however clocks are put."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from vademecum.core.clock import human_day
from vademecum.core.errors import InvalidConfiguration
from vademecum.core.frozen import dataclass
from vademecum.core.jobs import Job
from vademecum.core.patterns import later

MOST_MISSED = 14
"""Days that are made up for; what is older is told of and left."""
LEAST_MINUTES = 5
"""Between two beats, whatever the configuration that came with a clone says."""
OFF = "off"
WITH_REFLECTION = "reflect"
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_TIME = later(r"([01]\d|2[0-3]):([0-5]\d)\Z")
_WEEKLY = later(rf"(?i)({'|'.join(_DAYS)}) ([01]\d|2[0-3]):([0-5]\d)\Z")
_NOON = time(12)


@dataclass(frozen=True, slots=True)
class Timing:
    """When jobs run, in the zone of the workspace."""

    heartbeat: int = 30
    """Minutes between two beats, 5 at least; 0: none."""
    reflect: str = "23:45"
    """`HH:MM` or `off`. Before noon it looks back on the day before."""
    promote: str = WITH_REFLECTION
    """`HH:MM`, `reflect` (right after the reflection) or `off`."""
    archive: str = "sun 00:00"
    """Weekday and time, or `off`."""


@dataclass(frozen=True, slots=True)
class Due:
    """A run that is to be made now: the day it is for, and when it should have been."""

    job: Job
    day: date
    at: datetime

    @property
    def key(self) -> str:
        """The date under which it is done once."""
        return self.day.isoformat()


@dataclass(frozen=True, slots=True)
class Skipped:
    """Runs of a job that were missed so long ago that nobody makes up for them."""

    job: Job
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class Owed:
    """What is due now, in the order in which to do it, what was missed for good, and what is next.

    Jobs of a day come in the order heartbeat, reflection, promotion, archive; of one job the
    oldest day comes first.
    """

    due: tuple[Due, ...]
    skipped: tuple[Skipped, ...]
    next: datetime | None
    """The next instant at which something is due; None where every job is off."""


@dataclass(frozen=True, slots=True)
class _Times:
    """The instants of one job: at this time of day, on this weekday if any, for which day."""

    job: Job
    at: time
    weekday: int | None = None
    back: int = 0
    """Days that the day it is for lies before the day on which it runs."""

    def instant(self, day: date, zone: ZoneInfo) -> datetime:
        """Return when the run for `day` is due, in UTC.

        Of two instants in one zone Python compares what clocks on the wall show. A time that occurs
        twice is its first occurrence; one that a clock jumps over comes as long after the jump as
        it would have come after its beginning.
        """
        local = datetime.combine(day + timedelta(days=self.back), self.at, tzinfo=zone)
        return local.astimezone(UTC)

    def days(self, first: date, last: date) -> Iterator[date]:
        """Yield the days from `first` to `last` for which there is a run, the oldest first."""
        for number in range((last - first).days + 1):
            day = first + timedelta(days=number)
            runs_on = (day + timedelta(days=self.back)).weekday()
            if self.weekday is None or runs_on == self.weekday:
                yield day


def due(
    now: datetime,
    last_done: Mapping[Job, datetime | date],
    timing: Timing,
    zone: ZoneInfo,
) -> Owed:
    """Return what is due at the aware instant `now`.

    `last_done` has the day for which each job was done last, of the heartbeat the instant. Of a job
    that was never done, the latest run alone is due; of one that was, every run since is, the last
    14 days at most. A day that is yet to come was marked by a clock that went wrong and says
    nothing of the days before it: the last 14 are due, and whoever runs them finds what was done.
    Raises InvalidConfiguration for times that cannot be read.
    """
    now = now.astimezone(UTC)
    found: list[Due] = []
    skipped: list[Skipped] = []
    coming: list[datetime] = []
    beat = _beat(now, last_done.get(Job.HEARTBEAT), timing)
    if beat is not None and beat <= now:
        found.append(Due(Job.HEARTBEAT, human_day(now, zone), beat.astimezone(zone)))
        beat = now + _between(timing)
    coming += [beat] if beat is not None else []
    for times in _read(timing):
        missed, lost, upcoming = _missed(now, _day_of(last_done.get(times.job), zone), times, zone)
        found += missed
        skipped += lost
        coming.append(upcoming)
    first = min(coming, default=None)
    return Owed(tuple(found), tuple(skipped), first.astimezone(zone) if first else None)


def _beat(now: datetime, last: datetime | date | None, timing: Timing) -> datetime | None:
    """Return when the next beat is due; one that was made in the future was by another clock."""
    if timing.heartbeat <= 0:
        return None
    if not isinstance(last, datetime) or last > now:
        return now
    return last.astimezone(UTC) + _between(timing)


def _between(timing: Timing) -> timedelta:
    return timedelta(minutes=max(timing.heartbeat, LEAST_MINUTES))


def _day_of(last: datetime | date | None, zone: ZoneInfo) -> date | None:
    return human_day(last, zone) if isinstance(last, datetime) else last


def _missed(
    now: datetime, last: date | None, times: _Times, zone: ZoneInfo
) -> tuple[list[Due], list[Skipped], datetime]:
    today = human_day(now, zone)
    oldest = today - timedelta(days=MOST_MISSED)
    never = last is None
    if last is not None and last > today:
        last = None
    since = last + timedelta(days=1) if last is not None else oldest
    open_days = [
        day
        for day in times.days(min(since, today), today)
        if day >= since and times.instant(day, zone) <= now
    ]
    if never:
        open_days = open_days[-1:]
    lost = [day for day in open_days if day < oldest]
    after = max([today - timedelta(days=1), *([last] if last else [])]) + timedelta(days=1)
    upcoming = next(
        instant
        for day in times.days(after, after + timedelta(days=8))
        if (instant := times.instant(day, zone)) > now
    )
    return (
        [
            Due(times.job, day, times.instant(day, zone).astimezone(zone))
            for day in open_days
            if day >= oldest
        ],
        [Skipped(times.job, lost[0], lost[-1])] if lost else [],
        upcoming,
    )


def _read(timing: Timing) -> Iterator[_Times]:
    """Yield when each job runs that is not off. Raises InvalidConfiguration."""
    daily = timing.promote if timing.promote != WITH_REFLECTION else timing.reflect
    for job, text in ((Job.REFLECT, timing.reflect), (Job.PROMOTE, daily)):
        if text == OFF:
            continue
        found = _TIME.match(text)
        if found is None:
            raise _wrong(job, text, "HH:MM, such as 23:45")
        at = time(int(found[1]), int(found[2]))
        yield _Times(job, at, back=int(at < _NOON))
    if timing.archive == OFF:
        return
    found = _WEEKLY.match(timing.archive)
    if found is None:
        raise _wrong(Job.ARCHIVE, timing.archive, "a weekday and a time, such as sun 00:00")
    weekday = _DAYS.index(found[1].casefold())
    yield _Times(Job.ARCHIVE, time(int(found[2]), int(found[3])), weekday)


def _wrong(job: Job, text: str, wanted: str) -> InvalidConfiguration:
    return InvalidConfiguration(
        f"jobs.{job.value} is {text!r}, which is no time.", hint=f"Write {wanted}, or {OFF}."
    )
