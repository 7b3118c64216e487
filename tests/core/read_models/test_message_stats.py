"""Messages over time: what is counted, when, for whom, and what it cost."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest

from core import sms, wallet
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import read_body
from core.messaging import Status
from core.read_models import statistics
from core.read_models.statistics import MessageStatsQuery, message_stats
from core.read_models.statistics.points import FiguresOverTime
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.factories.stored_contacts import stored_contact
from tests.factories.stored_messages import stored_message, stored_reply

AT = datetime(2026, 1, 20, 12, 0, tzinfo=UTC)
DAY, INSTANT = timedelta(days=1), timedelta(microseconds=1)
PERIOD = {"from": "2026-01-20T00:00:00Z", "to": "2026-01-23T00:00:00Z"}
FIGURES = ("sent", "delivered", "read", "failed", "received", "coins")


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


def query(**fields: Any) -> MessageStatsQuery:
    return read_body(MessageStatsQuery, orjson.dumps(fields))


async def stats(
    caller: Caller, filter: Mapping[str, Any] | None = None, **fields: Any
) -> FiguresOverTime:
    return await message_stats(caller, query(**{**PERIOD, **fields}), filter)


def figures(point: dict[str, Any]) -> tuple[int, ...]:
    return tuple(point[name] for name in FIGURES)


# What counts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"status": Status.QUEUED}, (0, 0, 0, 0, 0, 0)),
        ({"status": Status.SENDING}, (0, 0, 0, 0, 0, 0)),
        ({"status": Status.SENT}, (1, 0, 0, 0, 0, 800)),
        ({"status": Status.DELIVERED}, (1, 1, 0, 0, 0, 800)),
        ({"status": Status.UNDELIVERED}, (1, 0, 0, 1, 0, 800)),
        ({"status": Status.FAILED}, (1, 0, 0, 1, 0, 800)),
        ({"status": Status.FAILED, "sent_at": None, "coins": 0}, (0, 0, 0, 1, 0, 0)),
        ({"status": Status.READ}, (1, 1, 1, 0, 0, 800)),
        # Laid aside, it keeps the steps that it came to.
        ({"status": Status.ARCHIVED, "delivered_at": AT}, (1, 1, 0, 0, 0, 800)),
        ({"status": Status.ARCHIVED, "delivered_at": AT, "read_at": AT}, (1, 1, 1, 0, 0, 800)),
        ({"status": Status.ARCHIVED, "failed_at": AT}, (1, 0, 0, 1, 0, 800)),
        # Its price is still held, and may be given back.
        (
            {"status": Status.FAILED, "reason": "indeterminate", "sent_at": None, "settle_at": AT},
            (0, 0, 0, 1, 0, 0),
        ),
    ],
)
async def test_a_message_counts_by_what_became_of_it(
    caller: Caller, fields: dict[str, Any], expected: tuple[int, ...]
) -> None:
    await stored_message(caller, AT, **fields)

    assert figures((await stats(caller))["totals"]) == expected


async def test_what_came_in_is_received_and_nothing_else(caller: Caller) -> None:
    await stored_reply(caller, AT)

    assert figures((await stats(caller))["totals"]) == (0, 0, 0, 0, 1, 0)


async def test_coins_are_those_that_the_books_call_revenue(caller: Caller) -> None:
    delivered = await a_send(caller)
    await a_send(caller, body="x" * 300)
    await sms.reply_in_sandbox(caller, sms.SandboxReply(in_reply_to=delivered["id"], body="SIM"))
    revenue = await db.fetchval(
        "SELECT revenue FROM wallets WHERE organization_id = $1 AND env = $2",
        caller.organization_id,
        caller.env,
    )

    answer = await message_stats(caller, query(**{"from": PERIOD["from"]}, bucket="month"))

    assert answer["totals"]["received"] == 1
    assert answer["totals"]["coins"] == revenue > 0


async def test_a_reply_that_the_wallet_did_not_cover_is_charged_all_the_same(
    caller: Caller,
) -> None:
    id = await stored_reply(caller, AT)
    await wallet.lock_balances({(caller.organization_id, caller.env)})
    await wallet.book(
        wallet.charge_for_reply((caller.organization_id, caller.env), id, paid=150, owed=50), at=AT
    )

    assert (await stats(caller))["totals"]["coins"] == 200


# When ---------------------------------------------------------------------------------------------


async def test_every_bucket_is_there_in_order_also_the_empty_ones(caller: Caller) -> None:
    await stored_message(caller, AT)
    await stored_message(caller, AT + 2 * DAY)

    points = (await stats(caller))["points"]

    assert [(point["at"], point["sent"]) for point in points] == [
        ("2026-01-20T00:00:00.000Z", 1),
        ("2026-01-21T00:00:00.000Z", 0),
        ("2026-01-22T00:00:00.000Z", 1),
    ]
    assert all(set(point) == {"at", *FIGURES} for point in points)


async def test_the_period_holds_its_begin_and_not_its_end(caller: Caller) -> None:
    since, until = (datetime.fromisoformat(PERIOD[name]) for name in ("from", "to"))
    for at in (since - INSTANT, since, until - INSTANT, until):
        await stored_message(caller, at)

    assert [point["sent"] for point in (await stats(caller))["points"]] == [1, 0, 1]


async def test_a_message_counts_on_the_day_of_the_zone(caller: Caller) -> None:
    await stored_message(caller, datetime(2026, 1, 21, 2, 59, tzinfo=UTC))

    points = (await stats(caller, timezone="America/Sao_Paulo"))["points"]

    assert [(str(point["at"])[:13], point["sent"]) for point in points] == [
        ("2026-01-19T03", 0), ("2026-01-20T03", 1), ("2026-01-21T03", 0), ("2026-01-22T03", 0),
    ]  # fmt: skip


async def test_the_period_is_the_last_thirty_days_unless_told(caller: Caller) -> None:
    at = now()
    await stored_message(caller, at - INSTANT)
    await stored_message(caller, at - 31 * DAY)

    answer = await message_stats(caller, query())

    assert len(answer["points"]) == 31
    assert (answer["points"][-1]["sent"], answer["totals"]["sent"]) == (1, 1)


# Grouped ------------------------------------------------------------------------------------------


async def test_points_are_apart_for_each_group_of_the_period(caller: Caller) -> None:
    await stored_message(caller, AT, campaign_id="autumn")
    await stored_message(caller, AT + DAY)

    points = (await stats(caller, groupBy=["channel", "campaign", "number", "channel"]))["points"]

    assert [(str(point["at"])[:10], point["campaignId"], point["sent"]) for point in points] == [
        ("2026-01-20", None, 0), ("2026-01-20", "autumn", 1), ("2026-01-21", None, 1), ("2026-01-21", "autumn", 0),
        ("2026-01-22", None, 0), ("2026-01-22", "autumn", 0),
    ]  # fmt: skip
    assert all((point["channel"], point["numberId"]) == ("sms", None) for point in points)


async def test_the_groups_of_all_statuses_add_up_to_what_is_there_ungrouped(caller: Caller) -> None:
    for status in Status:
        await stored_message(caller, AT, status=status)
    await stored_reply(caller, AT)

    plain, grouped = await stats(caller), await stats(caller, groupBy=["status"])

    assert {point["status"] for point in grouped["points"]} == {status.value for status in Status}
    assert grouped["totals"] == plain["totals"]
    assert len(grouped["points"]) == 3 * len(Status)
    for name in FIGURES:
        assert sum(int(point[name] or 0) for point in grouped["points"]) == plain["totals"][name]


async def test_without_a_message_there_is_one_group_without_name(caller: Caller) -> None:
    points = (await stats(caller, groupBy=["campaign"]))["points"]

    assert [(point["campaignId"], point["sent"]) for point in points] == [(None, 0)] * 3


async def test_more_than_ten_thousand_points_are_refused(caller: Caller) -> None:
    for campaign in range(11):
        await stored_message(caller, AT, campaign_id=f"campaign-{campaign}")
    asked: dict[str, Any] = {
        "from": "2026-01-01T00:00:00Z",
        "to": "2026-02-10T00:00:00Z",
        "bucket": "hour",
    }

    assert len((await stats(caller, **asked))["points"]) == 960
    with pytest.raises(ValidationFailed) as refusal:
        await stats(caller, **asked, groupBy=["campaign"])
    assert [(error.where, error.code) for error in refusal.value.errors] == [
        ("/groupBy", "too_many")
    ]


# Filtered -----------------------------------------------------------------------------------------


async def test_the_filter_narrows_to_the_messages_that_meet_all_of_it(caller: Caller) -> None:
    employee = await stored_contact(caller, company_id="emp_1")
    other = await stored_contact(caller)
    await stored_message(caller, AT, contact_id=employee, campaign_id="autumn")
    await stored_message(caller, AT, contact_id=employee, status=Status.FAILED)
    await stored_message(caller, AT, contact_id=other)
    await stored_reply(caller, AT, contact_id=other)

    async def counted(**filter: Any) -> tuple[int, int]:
        totals = (await stats(caller, filter=filter))["totals"]
        return totals["sent"], totals["received"]

    assert await counted() == (3, 1)
    assert await counted(contactId=employee) == (2, 0)
    assert await counted(companyId="emp_1") == (2, 0)
    assert await counted(campaignId="autumn") == (1, 0)
    assert await counted(status=["failed", "queued"]) == (1, 0)
    assert await counted(status=[]) == (0, 0)
    assert await counted(direction="inbound") == (0, 1)
    assert await counted(channel=["sms"]) == (3, 1)
    assert await counted(channel=[]) == (0, 0)
    assert await counted(createdAt={"from": AT + INSTANT}) == (0, 0)
    assert await counted(contactId=employee, direction="outbound", status=["delivered"]) == (1, 0)


# Whose --------------------------------------------------------------------------------------------


async def test_messages_of_others_do_not_count(caller: Caller) -> None:
    await stored_message(
        caller, AT, contact_id=await stored_contact(caller, company_id="emp_1"), campaign_id="c"
    )

    for stranger in (
        await a_caller(),
        await a_caller("live", organization_id=caller.organization_id),
    ):
        for filter in ({}, {"companyId": "emp_1"}, {"campaignId": "c"}):
            assert figures((await stats(stranger, filter=filter))["totals"]) == (0,) * 6


async def test_the_scope_of_a_channel_is_needed(caller: Caller) -> None:
    stranger = await a_caller(
        scopes=frozenset({Scope.CONTACTS_READ}), organization_id=caller.organization_id
    )

    filters: list[dict[str, Any]] = [{}, {"channel": ["sms"]}, {"channel": []}]
    for filter in filters:
        with pytest.raises(Forbidden) as refusal:
            await stats(stranger, filter=filter)
        assert refusal.value.meta == {"escopoExigido": "sms:read"}


# Refused ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "where", "code"),
    [
        ({"timezone": "Mars/Base"}, "/timezone", "not_allowed"),
        ({"timezone": "../../etc/passwd"}, "/timezone", "not_allowed"),
        ({"timezone": "america/sao_paulo"}, "/timezone", "not_allowed"),
        ({"timezone": "localtime"}, "/timezone", "not_allowed"),
        ({"timezone": "UTC\x00"}, "/timezone", "not_allowed"),
        ({"timezone": "A" * 65}, "/timezone", "too_long"),
        ({"from": "2026-01-23T00:00:00Z"}, "/from", "too_large"),
        ({"from": "2026-01-24T00:00:00Z"}, "/from", "too_large"),
        ({"from": "0001-01-01T00:00:00Z"}, "/from", "out_of_range"),
        ({"from": "0001-01-01T00:00:00+14:00"}, "/from", "out_of_range"),
        ({"from": "1969-12-31T23:59:59Z"}, "/from", "out_of_range"),
        ({"to": "9999-12-31T23:59:59Z"}, "/to", "out_of_range"),
        ({"to": "3000-01-01T00:00:00Z"}, "/to", "out_of_range"),
        ({"from": "2020-01-01T00:00:00Z"}, "/bucket", "too_many"),
        (
            {"from": "1970-01-01T00:00:00Z", "to": "2999-12-31T00:00:00Z", "bucket": "hour"},
            "/bucket",
            "too_many",
        ),
        ({"from": "yesterday"}, "/from", "wrong_format"),
        ({"bucket": "year"}, "/bucket", "not_allowed"),
        ({"groupBy": ["to"]}, "/groupBy/0", "not_allowed"),
        ({"filter": {"campaignId": "a\x00"}}, "/filter/campaignId", "nul"),
        ({"campaign": "x"}, "/campaign", "unknown_field"),
    ],
)
async def test_what_makes_no_sense_is_refused_by_its_name(
    caller: Caller, fields: dict[str, Any], where: str, code: str
) -> None:
    with pytest.raises(ValidationFailed) as refusal:
        await stats(caller, **fields)
    assert [(error.where, error.code) for error in refusal.value.errors] == [(where, code)]


@pytest.mark.parametrize("zone", ["UTC", "America/Sao_Paulo", "Pacific/Kiritimati", "Etc/GMT+12"])
async def test_the_first_and_the_last_years_are_read_in_any_zone(caller: Caller, zone: str) -> None:
    periods: list[dict[str, Any]] = [
        {"from": "1970-01-01T00:00:00Z", "to": "1970-01-02T00:00:00Z"},
        {"from": "2999-12-30T00:00:00Z", "to": "2999-12-31T23:59:59.999999Z"},
    ]
    for period in periods:
        for bucket in statistics.Bucket:
            assert (await stats(caller, **period, bucket=bucket, timezone=zone))["points"]
