"""When jobs are due: late ones caught up, nights of clock changes run once, in any zone."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.core.errors import InvalidConfiguration
from vademecum.core.jobs import Job
from vademecum.lifecycle.schedule import Due, Owed, Timing, due

BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")
LORD_HOWE, SHANGHAI = ZoneInfo("Australia/Lord_Howe"), ZoneInfo("Asia/Shanghai")
ZONES = (BERLIN, NEW_YORK, LORD_HOWE, SHANGHAI, ZoneInfo("Pacific/Apia"), ZoneInfo("UTC"))
NIGHTLY = Timing(heartbeat=0, promote="off", archive="off")


def at(text: str, zone: ZoneInfo) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


def days(owed: Owed, job: Job = Job.REFLECT) -> list[str]:
    return [one.key for one in owed.due if one.job is job]


def simulated(zone: ZoneInfo, first: datetime, last: datetime, timing: Timing) -> list[Due]:
    """Look every seven minutes of real time; a run that was due was made."""
    done: dict[Job, datetime | date] = {}
    made: list[Due] = []
    now = first
    while now <= last:
        for one in due(now.astimezone(zone), done, timing, zone).due:
            done[one.job] = now if one.job is Job.HEARTBEAT else one.day
            made.append(one)
        now += timedelta(minutes=7)
    return made


@pytest.mark.req("L-06")
def test_the_reflection_is_due_from_its_time_on_until_it_was_made() -> None:
    done = {Job.REFLECT: date(2026, 1, 19)}
    assert days(due(at("2026-01-20T23:44", BERLIN), done, NIGHTLY, BERLIN)) == []
    assert days(due(at("2026-01-20T23:45", BERLIN), done, NIGHTLY, BERLIN)) == ["2026-01-20"]
    assert days(due(at("2026-01-21T09:00", BERLIN), done, NIGHTLY, BERLIN)) == ["2026-01-20"]
    done = {Job.REFLECT: date(2026, 1, 20)}
    owed = due(at("2026-01-21T09:00", BERLIN), done, NIGHTLY, BERLIN)
    assert days(owed) == []
    assert owed.next == at("2026-01-21T23:45", BERLIN)


@pytest.mark.req("L-06", "L-02")
def test_missed_days_are_made_up_for_oldest_first_and_no_more_than_fourteen() -> None:
    done = {Job.REFLECT: date(2026, 1, 10)}
    owed = due(at("2026-01-14T08:00", BERLIN), done, NIGHTLY, BERLIN)
    assert days(owed) == ["2026-01-11", "2026-01-12", "2026-01-13"]
    assert owed.skipped == ()
    owed = due(at("2026-03-01T08:00", BERLIN), done, NIGHTLY, BERLIN)
    assert days(owed)[0] == "2026-02-15" and days(owed)[-1] == "2026-02-28"
    (skipped,) = owed.skipped
    assert (skipped.first, skipped.last) == (date(2026, 1, 11), date(2026, 2, 14))


@pytest.mark.req("L-06")
def test_a_first_run_looks_at_the_latest_day_alone() -> None:
    assert days(due(at("2026-01-20T10:00", BERLIN), {}, NIGHTLY, BERLIN)) == ["2026-01-19"]


@pytest.mark.req("L-06")
def test_a_reflection_in_the_morning_looks_back_on_the_day_before() -> None:
    timing = Timing(heartbeat=0, reflect="03:00", archive="off")
    done = {Job.REFLECT: date(2026, 1, 18), Job.PROMOTE: date(2026, 1, 18)}
    owed = due(at("2026-01-20T03:00", BERLIN), done, timing, BERLIN)
    assert [(one.job, one.key) for one in owed.due] == [
        (Job.REFLECT, "2026-01-19"),
        (Job.PROMOTE, "2026-01-19"),
    ]


@pytest.mark.req("L-06", "L-04")
def test_the_archive_is_due_once_a_week() -> None:
    timing = Timing(heartbeat=0, reflect="off", archive="sun 00:00")
    made = simulated(BERLIN, at("2026-01-01T00:00", UTC), at("2026-01-31T22:00", UTC), timing)
    assert [one.day.strftime("%a %d") for one in made] == [
        "Sun 28", "Sun 04", "Sun 11", "Sun 18", "Sun 25"
    ]  # fmt: skip


@pytest.mark.req("L-01", "L-06")
def test_a_beat_is_due_when_its_minutes_have_passed_by_the_clock_of_the_world() -> None:
    timing = Timing(heartbeat=30, reflect="off", archive="off")
    last = at("2026-03-29T01:45", BERLIN)  # at 02:00 the clock is put to 03:00
    owed = due(at("2026-03-29T03:10", BERLIN), {Job.HEARTBEAT: last}, timing, BERLIN)
    assert owed.due == () and owed.next == at("2026-03-29T03:15", BERLIN)
    assert len(due(at("2026-03-29T03:15", BERLIN), {Job.HEARTBEAT: last}, timing, BERLIN).due) == 1
    future = {Job.HEARTBEAT: at("2027-01-01T00:00", BERLIN)}
    assert len(due(at("2026-03-29T03:15", BERLIN), future, timing, BERLIN).due) == 1


@pytest.mark.req("L-06")
def test_a_day_that_is_yet_to_come_was_marked_by_a_wrong_clock_and_stops_nothing() -> None:
    now, timing = at("2026-10-27T09:00", BERLIN), Timing(heartbeat=0)
    ahead = dict.fromkeys((Job.REFLECT, Job.PROMOTE, Job.ARCHIVE), date(2027, 10, 26))
    owed = due(now, ahead, timing, BERLIN)
    assert days(owed) == [f"2026-10-{day}" for day in range(13, 27)]
    assert days(owed, Job.ARCHIVE) == ["2026-10-18", "2026-10-25"]
    assert owed.skipped == () and owed.next == at("2026-10-27T23:45", BERLIN)
    done = dict.fromkeys(ahead, date(2026, 10, 26))
    assert due(now, done, timing, BERLIN).due == ()


@pytest.mark.req("L-06")
@pytest.mark.parametrize(
    ("zone", "first", "time"),
    [
        (BERLIN, "2026-03-27", "02:30"),  # does not exist on the 29th
        (BERLIN, "2026-10-23", "02:30"),  # occurs twice on the 25th
        (NEW_YORK, "2026-03-06", "02:30"),
        (NEW_YORK, "2026-10-30", "01:30"),
        (LORD_HOWE, "2026-10-02", "02:15"),  # half an hour
        (LORD_HOWE, "2026-04-03", "01:45"),
        (SHANGHAI, "2026-03-27", "02:30"),
        (BERLIN, "2026-10-23", "23:45"),
        (NEW_YORK, "2026-03-06", "00:00"),
    ],
)
def test_each_night_runs_once_whatever_the_clock_does(
    zone: ZoneInfo, first: str, time: str
) -> None:
    begin = datetime.fromisoformat(first).replace(tzinfo=UTC)
    timing = Timing(heartbeat=0, reflect=time, promote="off", archive="off")
    made = [one.day for one in simulated(zone, begin, begin + timedelta(days=5), timing)]
    assert made == sorted(set(made))
    assert {later - sooner for sooner, later in zip(made, made[1:], strict=False)} == {
        timedelta(days=1)
    }
    assert len(made) >= 5


@pytest.mark.req("L-06")
def test_a_time_that_a_clock_jumps_over_comes_after_the_jump_and_a_double_one_first() -> None:
    timing = Timing(heartbeat=0, reflect="02:30", promote="off", archive="off")
    done = {Job.REFLECT: date(2026, 3, 27)}
    (one,) = due(at("2026-03-29T04:00", BERLIN), done, timing, BERLIN).due
    assert one.at.isoformat() == "2026-03-29T03:30:00+02:00"
    done = {Job.REFLECT: date(2026, 10, 23)}
    (one,) = due(at("2026-10-25T04:00", BERLIN), done, timing, BERLIN).due
    assert one.at.isoformat() == "2026-10-25T02:30:00+02:00"


@pytest.mark.req("L-06")
@given(
    st.sampled_from(ZONES),
    st.datetimes(datetime(2020, 1, 1), datetime(2032, 1, 1), timezones=st.just(UTC)),
    st.integers(0, 60),
    st.times().map(lambda time: f"{time:%H:%M}"),
)
def test_what_is_due_is_past_and_what_is_next_is_not(
    zone: ZoneInfo, now: datetime, ago: int, time: str
) -> None:
    now = now.astimezone(zone)
    done = {Job.REFLECT: now.date() - timedelta(days=ago), Job.HEARTBEAT: now}
    owed = due(now, done, Timing(reflect=time), zone)
    assert all(one.at.astimezone(UTC) <= now.astimezone(UTC) for one in owed.due)
    assert owed.next is not None and owed.next.astimezone(UTC) > now.astimezone(UTC)
    assert days(owed) == sorted(set(days(owed)))
    assert all(
        one.day > now.date() - timedelta(days=ago) for one in owed.due if one.job is Job.REFLECT
    )


@pytest.mark.req("L-06")
@pytest.mark.parametrize(
    "timing",
    [Timing(reflect="25:00"), Timing(reflect="9:00"), Timing(promote="x"), Timing(archive="00:00")],
)
def test_times_that_cannot_be_read_are_named(timing: Timing) -> None:
    with pytest.raises(InvalidConfiguration, match="which is no time"):
        due(at("2026-01-20T10:00", BERLIN), {}, timing, BERLIN)
