"""When seeded messages go out."""

from collections import Counter
from datetime import datetime, timedelta
from random import Random

from cli.seed.rhythm import LOCAL, Campaign, Rhythm
from tests.factories.seeding import AS_OF

DAYS, COUNT = 28, 20_000
BEGIN = AS_OF - timedelta(days=DAYS)


def the_moments(count: int = COUNT, days: int = DAYS) -> list[tuple[datetime, Campaign | None]]:
    rhythm = Rhythm(AS_OF - timedelta(days=days), days, count, Random(1))
    return list(rhythm.moments(0, count, Random(2)))


def test_time_never_runs_backwards_and_stays_inside_the_days() -> None:
    for count, days in ((COUNT, DAYS), (7, DAYS), (500, 1), (1, 1)):
        times = [at for at, _ in the_moments(count, days)]
        assert len(times) == count
        assert times == sorted(times)
        assert AS_OF - timedelta(days=days) <= times[0] <= times[-1] < AS_OF


def test_parts_of_a_rhythm_follow_each_other() -> None:
    rhythm = Rhythm(BEGIN, DAYS, COUNT, Random(1))
    ends = [
        [at for at, _ in rhythm.moments(first, first + 5_000, Random(first))]
        for first in range(0, COUNT, 5_000)
    ]

    assert [at for part in ends for at in part] == sorted(at for part in ends for at in part)


def test_little_goes_out_on_sundays_and_at_night() -> None:
    local = [at + LOCAL for at, _ in the_moments()]
    weekdays = Counter(at.weekday() for at in local)
    hours = Counter(at.hour for at in local)

    assert weekdays[6] < 0.05 * COUNT
    assert sum(weekdays[day] for day in range(5)) > 0.75 * COUNT
    assert sum(hours[hour] for hour in range(9, 19)) > 0.7 * COUNT
    assert sum(hours[hour] for hour in range(6)) < 0.05 * COUNT


def test_campaigns_send_most_of_it_within_hours_and_never_on_a_sunday() -> None:
    by_campaign: dict[str, list[datetime]] = {}
    for at, campaign in the_moments():
        if campaign:
            by_campaign.setdefault(campaign.id, []).append(at)

    assert 0.4 * COUNT < sum(map(len, by_campaign.values())) < 0.7 * COUNT
    assert len(by_campaign) > 5
    for times in by_campaign.values():
        assert times[-1] - times[0] < timedelta(hours=3)
        assert all((at + LOCAL).weekday() != 6 for at in times)
