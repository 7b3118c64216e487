"""Receipts that come late, twice, out of order and in one batch."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from core import messaging
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.observability.metrics.cells import cells
from core.foundation.security.caller import Caller
from core.messaging import Status, StatusUpdate, may_become
from tests.factories.messages import a_message
from tests.factories.organizations import a_caller
from tests.support.counted import counted

pytestmark = pytest.mark.usefixtures("clean_slate")

RECEIPT = {
    "id": "ref-1",
    "type": "api_message",
    "to": "+5511987650005",
    "status": "X",
    "statusDescription": "x",
}


def a_delivery_report(
    caller: Caller, id: str, status: str, reason: str | None = None, **changes: Any
) -> StatusUpdate:
    return replace(
        StatusUpdate(
            id,
            caller.organization_id,
            caller.env,
            status,
            reason,
            now(),
            {**RECEIPT, "status": status},
        ),
        **changes,
    )


async def applied(
    *receipts: StatusUpdate, at: datetime | None = None
) -> list[tuple[str, str, str | None]]:
    """(id, status, reason) of every row that moved."""
    rows = await messaging.apply_status_updates(receipts, at=at or now())
    return [(row["id"], row["status"], row["reason"]) for row in rows]


async def the_row(id: str) -> Any:
    return await db.fetchrow("SELECT * FROM messages WHERE id = $1", id)


async def test_no_receipts_move_nothing() -> None:
    assert await applied() == []


@pytest.mark.parametrize("old", Status)
@pytest.mark.parametrize("new", Status)
async def test_the_statement_moves_what_the_rule_says(old: Status, new: Status) -> None:
    caller = await a_caller()
    for reason in (None, "blacklisted", "expired", "indeterminate"):
        id = await a_message(caller, status=old, reason=reason)
        before = await the_row(id)

        moved = await applied(a_delivery_report(caller, id, new.value, "carrier_rejected"))

        if may_become(old, reason, new):
            assert moved == [(id, new.value, "carrier_rejected")]
        else:
            assert moved == []
            assert await the_row(id) == before


async def test_a_delivery_sets_its_time_and_keeps_the_receipt() -> None:
    caller = await a_caller()
    id = await a_message(caller, status=Status.SENT)
    told, at = now() - timedelta(minutes=1), now()

    await applied(a_delivery_report(caller, id, "delivered", at=told), at=at)

    row = await the_row(id)
    assert (row["delivered_at"], row["failed_at"], row["reason"], row["updated_at"]) == (
        told,
        None,
        None,
        at,
    )
    assert row["provider_receipt"] == {**RECEIPT, "status": "delivered"}


@pytest.mark.parametrize("status", ["failed", "undelivered"])
async def test_a_failure_sets_its_time_and_reason(status: str) -> None:
    caller = await a_caller()
    id = await a_message(caller, status=Status.SENT)
    told = now() - timedelta(minutes=1)

    await applied(a_delivery_report(caller, id, status, "carrier_rejected", at=told))

    row = await the_row(id)
    assert (row["delivered_at"], row["failed_at"], row["reason"]) == (
        None,
        told,
        "carrier_rejected",
    )


async def test_a_receipt_that_comes_twice_counts_once() -> None:
    caller = await a_caller()
    id = await a_message(caller, status=Status.SENT)
    first = a_delivery_report(caller, id, "delivered")
    await applied(first)
    before = await the_row(id)

    again = await applied(
        replace(first, at=first.at + timedelta(hours=1), provider_receipt={"id": "other"})
    )

    assert again == []
    assert await the_row(id) == before


async def test_a_receipt_from_the_past_does_not_take_a_delivery_back() -> None:
    caller = await a_caller()
    id = await a_message(caller, status=Status.SENDING)

    assert await applied(a_delivery_report(caller, id, "delivered")) == [(id, "delivered", None)]
    assert await applied(a_delivery_report(caller, id, "sent")) == []
    assert await applied(a_delivery_report(caller, id, "failed", "expired")) == []
    assert (await the_row(id))["status"] == "delivered"


@pytest.mark.parametrize("reason", ["expired", "indeterminate"])
async def test_a_message_given_up_too_early_comes_back_as_delivered(reason: str) -> None:
    caller = await a_caller()
    id = await a_message(caller, status=Status.SENT)
    await applied(a_delivery_report(caller, id, "failed", reason))
    told = now()

    assert await applied(a_delivery_report(caller, id, "delivered", at=told)) == [
        (id, "delivered", None)
    ]

    row = await the_row(id)
    assert (row["delivered_at"], row["failed_at"], row["reason"]) == (told, None, None)
    assert await applied(a_delivery_report(caller, id, "failed", reason)) == []


async def test_a_receipt_without_details_keeps_those_of_an_earlier_one() -> None:
    caller = await a_caller()
    id = await a_message(caller, status=Status.SENT)
    await applied(a_delivery_report(caller, id, "failed", "expired"))

    await applied(a_delivery_report(caller, id, "delivered", provider_receipt=None))

    assert (await the_row(id))["provider_receipt"]["status"] == "failed"


async def test_one_batch_moves_many_messages() -> None:
    caller = await a_caller()
    ids = [await a_message(caller, status=Status.SENT) for _ in range(5)]

    moved = await applied(*(a_delivery_report(caller, id, "delivered") for id in ids))

    assert sorted(moved) == sorted((id, "delivered", None) for id in ids)


@pytest.mark.parametrize(
    ("batch", "moves", "end"),
    [
        ([("sent", None), ("delivered", None)], ["sent", "delivered"], "delivered"),
        ([("delivered", None), ("sent", None)], ["delivered"], "delivered"),
        ([("delivered", None), ("delivered", None)], ["delivered"], "delivered"),
        ([("delivered", None), ("failed", "blacklisted")], ["delivered"], "delivered"),
        ([("failed", "blacklisted"), ("delivered", None)], ["failed"], "failed"),
        ([("failed", "expired"), ("delivered", None)], ["failed", "delivered"], "delivered"),
        ([("delivered", None), ("failed", "expired")], ["delivered"], "delivered"),
        (
            [("failed", "expired"), ("undelivered", None), ("delivered", None)],
            ["failed", "delivered"],
            "delivered",
        ),
    ],
)
async def test_receipts_for_one_message_in_one_batch_count_as_if_they_came_one_by_one(
    batch: list[tuple[str, str | None]], moves: list[str], end: str
) -> None:
    caller = await a_caller()
    together = await a_message(caller, status=Status.SENDING)
    apart = await a_message(caller, status=Status.SENDING)

    moved = await applied(
        *(a_delivery_report(caller, together, status, reason) for status, reason in batch)
    )
    one_by_one = [
        status
        for new, reason in batch
        for _, status, _ in await applied(a_delivery_report(caller, apart, new, reason))
    ]

    assert [status for _, status, _ in moved] == one_by_one == moves
    assert (await the_row(together))["status"] == (await the_row(apart))["status"] == end


async def test_a_receipt_for_somebody_elses_message_moves_nothing() -> None:
    owner, stranger = await a_caller(), await a_caller()
    live = await a_caller("live", organization_id=owner.organization_id)
    id = await a_message(owner, status=Status.SENT)

    assert (
        await applied(
            a_delivery_report(stranger, id, "delivered"), a_delivery_report(live, id, "delivered")
        )
        == []
    )

    assert (await the_row(id))["status"] == "sent"


async def test_a_receipt_for_an_unknown_message_moves_nothing() -> None:
    caller = await a_caller()

    assert await applied(a_delivery_report(caller, "msg_unknown", "delivered")) == []


@pytest.mark.parametrize(("later", "seconds"), [(90.0, 90.0), (-5.0, 0.0)])
async def test_a_delivery_is_timed_from_the_acceptance_and_a_clock_behind_ours_takes_nothing_away(
    later: float, seconds: float
) -> None:
    caller = await a_caller()
    id = await a_message(caller, status=Status.SENT)
    sent_at = (await the_row(id))["sent_at"]
    before = timed()

    await applied(a_delivery_report(caller, id, "delivered", at=sent_at + timedelta(seconds=later)))

    assert timed() - before == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("status", "new"), [(Status.SENT, "failed"), (Status.DELIVERED, "delivered")]
)
async def test_only_what_becomes_delivered_is_timed(status: Status, new: str) -> None:
    caller = await a_caller()
    id = await a_message(caller, status=status)

    with counted("svc_message_delivery") as risen:
        await applied(a_delivery_report(caller, id, new))

    assert risen == {}


def timed() -> float:
    """The seconds of all deliveries so far."""
    sms = ("svc_message_delivery_latency_seconds", ("sms", "test"))
    return cells.everything().get(sms, [0.0])[-1]
