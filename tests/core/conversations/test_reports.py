"""What the platform reports of messages: ranks, times, money, events; early, late, twice."""

import itertools
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import conversations, wallet
from core.conversations.delivery_reports.receive import ReceivedReport, receive_reports
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller
from core.numbers import Number
from core.providers.platform import StatusReport
from tests.factories.conversations_inbound import PRICE, a_notice, a_sent_message, a_status, posted
from tests.factories.live import a_live_caller
from tests.factories.numbers import a_number
from tests.support.ledger import check_books
from tests.support.money import balances_of, moved_for, the_message
from tests.support.races import outside, somebody_waits
from tests.support.told import events

T0 = 1_790_000_000


def moment(seconds: int) -> datetime:
    return datetime.fromtimestamp(T0 + seconds, UTC)


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_live_caller()


@pytest.fixture
async def number(caller: Caller) -> Number:
    return await a_number(caller)


async def told(number: Number, *statuses: dict[str, Any]) -> None:
    await posted(a_notice(number, statuses=list(statuses)))


async def names(caller: Caller) -> list[str]:
    return [event["type"] for event in await events(caller.organization_id, "message.")]


# Moves --------------------------------------------------------------------------------------------


async def test_reports_move_a_message_and_tell_of_it(caller: Caller, number: Number) -> None:
    id = await a_sent_message(caller, number)
    for seconds, status in ((1, "sent"), (5, "delivered"), (9, "read")):
        await told(number, a_status(id, status, T0 + seconds))
    row = await the_message(id)
    assert (row["status"], row["delivered_at"], row["read_at"]) == ("read", moment(5), moment(9))
    delivered, read = await events(caller.organization_id, "message.")
    assert (delivered["type"], read["type"]) == ("message.delivered", "message.read")
    assert delivered["data"]["id"] == id
    assert delivered["data"]["status"] == "delivered"
    assert delivered["data"]["metadata"] == {"order": "A-1042"}
    assert await moved_for(id) == [("reserva", PRICE), ("captura", PRICE)]


async def test_read_before_delivered_sets_both_times(caller: Caller, number: Number) -> None:
    id = await a_sent_message(caller, number)
    await told(number, a_status(id, "read", T0 + 9))
    row = await the_message(id)
    assert (row["status"], row["delivered_at"], row["read_at"]) == ("read", moment(9), moment(9))
    await told(number, a_status(id, "delivered", T0 + 5))
    row = await the_message(id)
    assert (row["status"], row["delivered_at"], row["read_at"]) == ("read", moment(5), moment(9))
    assert await names(caller) == ["message.read"]


async def test_a_failure_says_why(caller: Caller, number: Number) -> None:
    id = await a_sent_message(caller, number)
    await told(
        number,
        a_status(id, "failed", T0 + 5, errors=[{"code": 131026, "title": "for +5511987650001"}]),
    )
    row = await the_message(id)
    assert (row["status"], row["upstream_code"], row["failed_at"]) == (
        "failed",
        "131026",
        moment(5),
    )
    assert row["last_error"] == row["original_error"]
    assert "not on the channel" in row["last_error"]
    (event,) = await events(caller.organization_id, "message.")
    assert event["type"] == "message.failed"
    assert event["data"]["upstreamCode"] == "131026"
    assert event["data"]["lastError"] == row["last_error"]


async def test_the_first_reason_of_a_failure_is_kept(caller: Caller, number: Number) -> None:
    id = await a_sent_message(caller, number, original_error="The first one.")
    await told(number, a_status(id, "failed", errors=[{"code": 131026}]))
    assert (await the_message(id))["original_error"] == "The first one."


@pytest.mark.parametrize(
    ("before", "after"),
    [("delivered", "failed"), ("read", "failed"), ("failed", "delivered"), ("failed", "read")],
)
async def test_what_is_over_is_not_moved_by_what_contradicts_it(
    caller: Caller, number: Number, before: str, after: str
) -> None:
    id = await a_sent_message(caller, number)
    await told(number, a_status(id, before, T0 + 1))
    kept = await the_message(id)
    await told(number, a_status(id, after, T0 + 2))
    assert await the_message(id) == kept
    assert await names(caller) == [f"message.{before}"]


async def test_a_report_is_kept_once_without_personal_data(caller: Caller, number: Number) -> None:
    id = await a_sent_message(caller, number)
    delivered = a_status(id, "delivered", T0 + 1)
    await told(number, delivered, delivered)
    await told(number, delivered)
    rows = await db.fetch(
        "SELECT status, applied, body FROM message_receipts WHERE message_id = $1", id
    )
    assert [(row["status"], row["applied"]) for row in rows] == [("delivered", True)]
    assert set(rows[0]["body"]) == {"reference", "at", "code"}


async def test_a_report_that_comes_too_late_is_kept_once_and_changes_nothing(
    caller: Caller, number: Number
) -> None:
    id = await a_sent_message(caller, number)
    await told(number, a_status(id, "read", T0 + 1))
    kept = await the_message(id)
    for _ in range(2):
        await told(number, a_status(id, "delivered", T0 + 2))
    await told(number, a_status(id, "failed", T0 + 3, errors=[{"code": 131026}]))
    rows = await db.fetch(
        "SELECT status, applied FROM message_receipts WHERE message_id = $1 ORDER BY id", id
    )
    assert [tuple(row.values()) for row in rows] == [
        ("read", True),
        ("delivered", False),
        ("failed", False),
    ]
    assert await the_message(id) == kept


@pytest.mark.parametrize("status", ["sending", "sent"])
async def test_of_an_erased_message_no_report_brings_anything_back(
    caller: Caller, number: Number, status: str
) -> None:
    id = await a_sent_message(caller, number, status=status)
    await db.execute(
        "UPDATE messages SET content = '{}', recipient = '0001', provider_reference = NULL WHERE id = $1",
        id,
    )
    await told(number, a_status(id, "delivered", T0 + 5))
    row = await the_message(id)
    assert (row["status"], row["provider_reference"]) == ("delivered", None)
    assert await moved_for(id) == [("reserva", PRICE), ("captura", PRICE)]
    assert [row["body"] for row in await db.fetch("SELECT body FROM message_receipts")] == [{}]
    assert await db.fetchval("SELECT count(*) FROM conversation_pairs") == 0


async def test_a_message_is_found_by_the_platforms_id_too(caller: Caller, number: Number) -> None:
    id = await a_sent_message(caller, number)
    status = a_status(id, "delivered", T0)
    del status["biz_opaque_callback_data"]
    await told(number, status)
    assert (await the_message(id))["status"] == "delivered"


async def test_nobody_reports_on_the_messages_of_another_organization(
    caller: Caller, number: Number
) -> None:
    id = await a_sent_message(caller, number)
    other = await a_number(await a_live_caller())
    await told(other, a_status(id, "delivered", T0))
    assert (await the_message(id))["status"] == "sent"


async def test_nobody_calls_off_what_waits_for_another_organization(
    caller: Caller, number: Number
) -> None:
    id = await a_sent_message(caller, number, status="queued")
    other = await a_number(await a_live_caller())
    await told(other, a_status(id, "delivered", T0))
    assert (await the_message(id))["status"] == "queued"
    assert await db.fetchval("SELECT message_id FROM waiting_messages") == id


# Early --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["sent", "delivered", "read", "failed"])
async def test_a_report_that_overtakes_us_proves_acceptance(
    caller: Caller, number: Number, status: str
) -> None:
    id = await a_sent_message(caller, number, status="sending")
    await told(number, a_status(id, status, T0 + 5))
    row = await the_message(id)
    assert (row["status"], row["sent_at"]) == (status, moment(5))
    assert row["provider_reference"] == f"wamid.{id}"
    assert await moved_for(id) == [("reserva", PRICE), ("captura", PRICE)]
    assert await names(caller) == list(dict.fromkeys(["message.sent", f"message.{status}"]))
    assert (await balances_of(caller)).held == 0


async def test_a_message_that_was_put_off_and_left_is_not_sent_again(
    caller: Caller, number: Number
) -> None:
    id = await a_sent_message(caller, number, status="queued")
    await told(number, a_status(id, "delivered", T0 + 5))
    assert (await the_message(id))["status"] == "delivered"
    assert not await db.fetch("SELECT * FROM waiting_messages")
    assert await moved_for(id) == [("reserva", PRICE), ("captura", PRICE)]


async def test_a_report_waits_while_its_message_is_in_other_hands(
    caller: Caller, number: Number
) -> None:
    id = await a_sent_message(caller, number, status="queued", waits=False)
    await told(number, a_status(id, "delivered", T0 + 5))
    assert (await the_message(id))["status"] == "queued"
    assert await db.fetchval("SELECT count(*) FROM parked_receipts") == 1


async def test_a_message_that_counted_as_lost_revives_and_is_paid(
    caller: Caller, number: Number
) -> None:
    id = await a_sent_message(
        caller,
        number,
        status="failed",
        reason="indeterminate",
        last_error="?",
        failed_at=now(),
        settle_at=now(),
    )
    await told(number, a_status(id, "delivered", T0 + 5))
    row = await the_message(id)
    assert (row["status"], row["reason"], row["last_error"]) == ("delivered", None, None)
    assert (row["failed_at"], row["settle_at"], row["coins"]) == (None, None, PRICE)
    assert await moved_for(id) == [("reserva", PRICE), ("captura", PRICE)]


@pytest.mark.usefixtures("real_commits")
async def test_what_was_left_of_several_organizations_is_paid_in_the_order_of_their_wallets() -> (
    None
):
    """Whoever settles one message after the other may meet somebody who does so the other way
    round.
    """
    first, second = await a_live_caller(), await a_live_caller()
    ids = [
        await a_sent_message(one, await a_number(one), status="sending") for one in (second, first)
    ]
    rows = [await the_message(id) for id in ids]
    async with transaction():
        await wallet.lock_balances({(first.organization_id, "live")})
        reports = [
            ReceivedReport(
                row["organization_id"],
                "live",
                "meta",
                StatusReport("x", row["id"], "wamid.x", "sent", moment(1)),
            )
            for row in rows
        ]
        applying = outside(applied(reports))
        await somebody_waits()
        await wallet.lock_balances({(second.organization_id, "live")})
    assert await applying == set()
    assert [(await the_message(id))["status"] for id in ids] == ["sent", "sent"]


async def applied(reports: list[ReceivedReport]) -> set[int]:
    async with transaction():
        return await receive_reports(reports, at=now())


# Unknown ------------------------------------------------------------------------------------------


async def test_a_report_of_an_unknown_message_is_tried_again_for_a_day(
    caller: Caller, number: Number
) -> None:
    status = a_status("x", "delivered", T0, biz_opaque_callback_data=None)
    await told(number, status)
    at = now()
    tries = 0
    for minutes in range(0, 26 * 60, 5):
        tries += await conversations.retry_unmatched(at=at + timedelta(minutes=minutes))
    assert 8 <= tries <= 16
    assert not await db.fetch("SELECT * FROM parked_receipts")


async def test_an_unmatched_report_finds_its_message_later(caller: Caller, number: Number) -> None:
    status = a_status("x", "delivered", T0 + 5, biz_opaque_callback_data=None)
    await told(number, status)
    id = await a_sent_message(caller, number, provider_reference="wamid.x")
    await conversations.retry_unmatched(at=now() + timedelta(minutes=1))
    row = await the_message(id)
    assert (row["status"], row["delivered_at"]) == ("delivered", moment(5))
    assert not await db.fetch("SELECT * FROM parked_receipts")


# Any order ----------------------------------------------------------------------------------------

COLUMNS = (
    "status", "reason", "coins", "delivered_at", "read_at", "failed_at", "last_error", "original_error",
    "upstream_code", "provider_reference", "settle_at",
)  # fmt: skip
STORIES = (
    (("sent", 1), ("delivered", 5), ("read", 9)),
    (("sent", 1), ("delivered", 5)),
    (("sent", 1), ("failed", 5)),
    (("sent", 1),),
)


async def outcome(
    caller: Caller, number: Number, start: str, batches: list[list[tuple[str, int]]]
) -> dict[str, Any]:
    """What a message comes to when these reports come in these batches."""
    id = await a_sent_message(caller, number, status=start)
    for batch in batches:
        await told(
            number,
            *(a_status(id, status, T0 + at, errors=[{"code": 131026}]) for status, at in batch),
        )
    row = await the_message(id)
    assert not await db.fetch("SELECT * FROM waiting_messages")
    return {
        **{column: row[column] for column in COLUMNS if column != "provider_reference"},
        "reference": row["provider_reference"] == f"wamid.{id}",
        "money": await moved_for(id),
    }


@given(
    story=st.sampled_from(STORIES),
    start=st.sampled_from(("sending", "sent", "queued")),
    data=st.data(),
)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
async def test_reports_end_the_same_in_any_order(
    caller: Caller,
    number: Number,
    story: tuple[tuple[str, int], ...],
    start: str,
    data: st.DataObject,
) -> None:
    doubled = data.draw(
        st.permutations(story + tuple(data.draw(st.lists(st.sampled_from(story), max_size=4))))
    )
    cuts = sorted(data.draw(st.sets(st.integers(1, len(doubled)), max_size=3)) | {0, len(doubled)})
    batches = [list(doubled[a:b]) for a, b in itertools.pairwise(cuts)]
    in_order = await outcome(caller, number, start, [[step] for step in story])
    assert await outcome(caller, number, start, batches) == in_order
    assert in_order["money"] == [("reserva", PRICE), ("captura", PRICE)]
    await check_books()
