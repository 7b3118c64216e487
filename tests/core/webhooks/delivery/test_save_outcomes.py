"""Saving outcomes: once each, whoever writes them, and what they say of the subscription."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from core import webhooks
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.http_client import PostResult
from core.foundation.security.caller import Caller
from core.webhooks.delivery.attempt import AttemptOutcome, outcome_of
from core.webhooks.delivery.claim import DueDelivery
from core.webhooks.delivery.save_outcomes import save_outcomes
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription, an_event
from tests.support.claims import claim_due

pytestmark = pytest.mark.usefixtures("clean_slate")

OK, BROKEN = PostResult(200, 12), PostResult(500, 12)


async def claimed(caller: Caller, events: int = 1, **subscription: Any) -> list[DueDelivery]:
    """Deliveries of one new subscription, claimed."""
    await a_subscription(caller, **subscription)
    for _ in range(events):
        await an_event(caller)
    return await claim_due(at=now(), limit=100)


async def rows_of(table: str) -> list[dict[str, Any]]:
    return [dict(row) for row in await db.fetch(f"SELECT * FROM {table} ORDER BY id")]


async def everything() -> list[list[dict[str, Any]]]:
    return [await rows_of("webhook_deliveries"), await rows_of("webhook_subscriptions")]


async def failures_of(caller: Caller, due: DueDelivery) -> tuple[int, str | None, str | None]:
    record = await webhooks.get_subscription(caller, due.subscription_id)
    return record["consecutiveFailures"], record.get("lastSuccessAt"), record.get("lastFailureAt")


@pytest.mark.parametrize("reply", [OK, BROKEN, PostResult(None, 5, error="timeout")])
async def test_an_outcome_written_twice_changes_nothing(reply: PostResult) -> None:
    caller = await a_caller()
    (due,) = await claimed(caller)
    outcome = outcome_of(due, reply, at=now())
    await save_outcomes([outcome])
    once = await everything()

    await save_outcomes([outcome])

    assert await everything() == once
    assert once[0][0]["attempts"] == 1


async def test_a_late_worker_does_not_undo_what_the_next_one_found_out() -> None:
    caller = await a_caller()
    (due,) = await claimed(caller)
    late, at = outcome_of(due, BROKEN, at=now()), now()
    await save_outcomes([outcome_of(due, OK, at=at)])

    await save_outcomes([late])

    (delivery,) = await rows_of("webhook_deliveries")
    assert (delivery["status"], delivery["attempts"], delivery["due_at"]) == ("entregue", 1, None)
    assert await failures_of(caller, due) == (0, wire_time(at), None)


async def test_outcomes_of_a_batch_are_each_their_deliverys_own() -> None:
    caller = await a_caller()
    first, second, third = await claimed(caller, 3, retry={"maxAttempts": 1, "backoffSeconds": 30})
    at = now()

    await save_outcomes(
        [
            outcome_of(first, OK, at=at),
            outcome_of(second, BROKEN, at=at),
            outcome_of(third, PostResult(None, 7, error="timeout"), at=at),
        ]
    )

    rows = {row["id"]: row for row in await rows_of("webhook_deliveries")}
    assert [
        (row["status"], row["last_status_code"], row["last_error"], row["last_latency_ms"])
        for row in (rows[due.id] for due in (first, second, third))
    ] == [("entregue", 200, None, 12), ("morta", 500, None, 12), ("morta", None, "timeout", 7)]


async def test_no_outcomes_write_nothing() -> None:
    caller = await a_caller()
    await claimed(caller)
    before = await everything()

    await save_outcomes([])

    assert await everything() == before


@pytest.mark.parametrize(
    ("batch", "failures"),
    [
        ("xxx", 3),
        ("ooo", 0),
        ("oxx", 2),
        ("xox", 1),
        ("xxo", 0),
        ("x", 1),
        ("o", 0),
        ("xoxxoxxx", 3),
    ],
)
async def test_a_batch_counts_the_failures_since_its_last_success(
    batch: str, failures: int
) -> None:
    caller = await a_caller()
    dues = await claimed(caller, len(batch))
    at = now()
    await db.execute("UPDATE webhook_subscriptions SET consecutive_failures = 4")

    def outcome(place: int, due: DueDelivery) -> AttemptOutcome:
        return outcome_of(due, OK if batch[place] == "o" else BROKEN, at=moment(place))

    def moment(place: int) -> datetime:
        return at + timedelta(seconds=place)

    await save_outcomes([outcome(place, due) for place, due in enumerate(dues)])

    counted, success, failure = await failures_of(caller, dues[0])
    assert counted == failures if "o" in batch else counted == 4 + failures
    assert success == (wire_time(moment(batch.rindex("o"))) if "o" in batch else None)
    assert failure == (wire_time(moment(batch.rindex("x"))) if "x" in batch else None)


async def test_the_times_of_the_health_never_go_back() -> None:
    caller = await a_caller()
    newer, older = await claimed(caller, 2)
    at = now()
    await save_outcomes([outcome_of(newer, OK, at=at)])

    await save_outcomes([outcome_of(older, OK, at=at - timedelta(minutes=1))])

    assert (await failures_of(caller, newer))[1] == wire_time(at)


async def test_the_outcome_for_a_subscription_that_is_gone_is_dropped() -> None:
    caller = await a_caller()
    (due,) = await claimed(caller)
    await webhooks.unsubscribe(caller, due.subscription_id)

    await save_outcomes([outcome_of(due, OK, at=now())])

    assert await everything() == [[], []]


async def test_an_outcome_of_an_attempt_that_was_not_claimed_counts_nothing() -> None:
    caller = await a_caller()
    (due,) = await claimed(caller)

    await save_outcomes([outcome_of(replace(due, attempts=3), OK, at=now())])

    (delivery,) = await rows_of("webhook_deliveries")
    assert (delivery["status"], delivery["attempts"]) == ("pendente", 0)
