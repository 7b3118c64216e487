"""What a number sent."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.foundation.clock import wire_time
from core.foundation.security.caller import Caller
from core.messaging import Channel, Direction, Status
from core.numbers import Number, UsageQuery, UsageSeriesQuery
from core.read_models import statistics
from core.read_models.statistics import number_usage as usage
from core.templates.models import Template, TemplateCategory, TemplateStatus
from tests.factories.numbers import a_number
from tests.factories.organizations import a_caller
from tests.factories.stored_messages import stored_message

pytestmark = pytest.mark.usefixtures("clean_slate")

NOW = datetime(2026, 11, 21, 3, 8, 12, 376_500, tzinfo=UTC)


@pytest.fixture
async def caller(clean_slate: None, monkeypatch: pytest.MonkeyPatch) -> Caller:
    monkeypatch.setattr(usage, "now", lambda: NOW)
    return await a_caller()


@pytest.fixture
async def number(caller: Caller) -> Number:
    return await a_number(caller)


async def sent(caller: Caller, number: Number, age: timedelta, **fields: Any) -> str:
    return await stored_message(
        caller, NOW - age, **{"channel": Channel.WHATSAPP, "number_id": number.id, **fields}
    )


async def a_template(caller: Caller, number: Number, category: TemplateCategory) -> str:
    template = await Template.create(
        id=f"tpl_{category:0<21.21}",
        organization_id=caller.organization_id,
        env=caller.env,
        number_id=number.id,
        name=category.value,
        language="pt-BR",
        category=category,
        status=TemplateStatus.APPROVED,
        components=[],
        version=1,
        created_at=NOW,
        updated_at=NOW,
    )
    return template.id


async def used(caller: Caller, number: Number, window: Any = "24h") -> tuple[int, int | None]:
    told = await statistics.get_usage(caller, number.id, UsageQuery(window=window))
    assert told["window"] == window
    return told["sent"], told["marketingSent"]


HOUR, DAY = timedelta(hours=1), timedelta(days=1)


async def test_sends_are_counted_by_the_time_they_were_handed_over(
    caller: Caller, number: Number
) -> None:
    for age in (HOUR, 23 * HOUR, 25 * HOUR, 6 * DAY, 8 * DAY, 29 * DAY, 31 * DAY):
        await sent(caller, number, age)
    await sent(caller, number, 40 * DAY, sent_at=NOW - HOUR)  # it was scheduled

    assert [(await used(caller, number, window))[0] for window in ("24h", "7d", "30d")] == [3, 5, 7]
    told = await statistics.get_usage(caller, number.id, UsageQuery())
    assert (told["since"], told["until"]) == (wire_time(NOW - DAY), wire_time(NOW))


async def test_only_real_outbound_sends_of_the_number_count(caller: Caller, number: Number) -> None:
    await sent(caller, number, HOUR, status=Status.FAILED)  # failed after it was handed over
    await sent(caller, number, HOUR, status=Status.FAILED, sent_at=None)
    await sent(caller, number, HOUR, status=Status.QUEUED)
    await sent(caller, number, HOUR, direction=Direction.INBOUND, provider_reference="wamid.1")
    await sent(caller, await a_number(caller), HOUR)
    await sent(await a_caller(), number, HOUR)

    assert await used(caller, number) == (1, 0)


async def test_marketing_is_told_by_the_template(caller: Caller, number: Number) -> None:
    marketing = await a_template(caller, number, TemplateCategory.MARKETING)
    utility = await a_template(caller, number, TemplateCategory.UTILITY)
    for template in (marketing, marketing, utility, None):
        await sent(caller, number, HOUR, template_id=template)
    assert await used(caller, number) == (4, 2)

    await sent(caller, number, HOUR, template_id="tpl_000000000000000000000")  # removed meanwhile
    assert await used(caller, number) == (5, None)


@pytest.mark.parametrize(
    ("asked", "count", "first"),
    [
        (("24h", "hour"), 25, "2026-11-20T03:00:00.000Z"),
        (("24h", "day"), 2, "2026-11-20T00:00:00.000Z"),
        (("7d", "hour"), 169, "2026-11-14T03:00:00.000Z"),
        (("7d", "day"), 8, "2026-11-14T00:00:00.000Z"),
        (("30d", "day"), 31, "2026-10-22T00:00:00.000Z"),
    ],
)
async def test_every_bucket_of_the_window_has_a_point(
    caller: Caller, number: Number, asked: tuple[Any, Any], count: int, first: str
) -> None:
    window, bucket = asked
    told = await statistics.get_usage_series(
        caller, number.id, UsageSeriesQuery(window=window, bucket=bucket)
    )

    assert (told["window"], told["bucket"], told["since"], told["until"]) == (
        window,
        bucket,
        first,
        wire_time(NOW),
    )
    points = told["points"]
    assert {point["sent"] for point in points} == {0}
    assert len(points) == count
    step = HOUR if bucket == "hour" else DAY
    assert [point["at"] for point in points] == [
        wire_time(datetime.fromisoformat(first) + step * place) for place in range(count)
    ]


async def test_points_hold_the_sends_of_their_bucket(caller: Caller, number: Number) -> None:
    for age in (
        timedelta(0),
        timedelta(minutes=8),
        timedelta(minutes=9),
        24 * HOUR,
        24 * HOUR + timedelta(minutes=9),
    ):
        await sent(caller, number, age + timedelta(seconds=1))

    told = await statistics.get_usage_series(caller, number.id, UsageSeriesQuery())
    by_day = await statistics.get_usage_series(caller, number.id, UsageSeriesQuery(bucket="day"))

    assert [point["sent"] for point in told["points"]] == [1, *[0] * 22, 1, 2]
    assert [point["sent"] for point in by_day["points"]] == [2, 3]
