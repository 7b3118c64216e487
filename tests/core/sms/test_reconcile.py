"""Messages whose request died or whose outcome is unknown: the provider is asked, never sent to."""

import asyncio
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any

import pytest

from core import sms
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.messaging import timeouts
from core.providers import registry
from core.providers.contracts import LookupFailed, MessageFound, MessageNotFound, Unknown
from tests.factories.live import a_delivery_report, a_live_caller, refused_send
from tests.factories.sms import a_send
from tests.fakes.provider import Crash, ScriptedProvider, crash
from tests.support.money import Balances, balances_of, moved_for, the_message, told, volume_of
from tests.support.stored import nothing_stored

SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)


async def an_unknown(caller: Caller, provider: ScriptedProvider, **fields: Any) -> str:
    """A message whose outcome is not known; its id."""
    provider.will(Unknown())
    id: str = (await refused_send(caller, **fields)).meta["messageId"]
    return id


async def a_crashed(caller: Caller, provider: ScriptedProvider, **fields: Any) -> str:
    """A message whose process died while the provider was asked; its id."""
    provider.will(crash)
    with pytest.raises(Crash):
        await a_send(caller, **fields)
    return provider.asked[-1].id


async def an_indeterminate(
    caller: Caller, provider: ScriptedProvider, **fields: Any
) -> tuple[str, datetime]:
    """A message that the provider did not know for ten minutes; its id, and when it was given up."""
    id = await an_unknown(caller, provider, **fields)
    at = (await the_message(id))["created_at"] + 10 * MINUTE
    assert await sms.reconcile(at=at) == 1
    return id, at


async def report(caller: Caller, *reports: Any, at: datetime) -> None:
    await sms.receive_reports(caller.organization_id, "gateway", reports, at=at)


# When it is asked ---------------------------------------------------------------------------------


async def test_a_message_under_way_is_left_to_its_request_for_a_minute(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    id = await a_crashed(caller, provider)
    created = (await the_message(id))["created_at"]

    assert await sms.reconcile(at=created + 60 * SECOND - timedelta(microseconds=1)) == 0
    assert provider.looked_up == []
    assert await sms.reconcile(at=created + 60 * SECOND) == 1
    assert provider.looked_up == [id]


async def test_an_unknown_outcome_is_asked_about_every_ten_seconds(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    id = await an_unknown(caller, provider)
    first = (await the_message(id))["settle_at"]
    assert timedelta(0) < first - (await the_message(id))["created_at"] - 10 * SECOND < SECOND

    for asked in range(4):
        assert await sms.reconcile(at=first + (10 * asked - 1) * SECOND) == 0
        assert await sms.reconcile(at=first + 10 * asked * SECOND) == 1

    assert provider.looked_up == [id] * 4
    assert len(provider.asked) == 1, "it is never sent again"


async def test_the_wait_after_a_claim_outlives_a_slow_provider(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    """What could not be asked is left to the next worker, a minute later."""
    caller = await a_live_caller()
    id = await an_unknown(caller, provider)
    at = now() + MINUTE

    async def fails(message_id: str) -> Any:
        raise RuntimeError

    provider.look_up = fails  # type: ignore[method-assign]
    assert await sms.reconcile(at=at) == 1
    del provider.look_up

    assert await sms.reconcile(at=at + 59 * SECOND) == 0
    assert await sms.reconcile(at=at + 60 * SECOND) == 1
    assert provider.looked_up == [id]


# MessageFound --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("made", [an_unknown, a_crashed])
async def test_a_message_that_the_provider_has_is_sent_and_paid(
    clean_slate: None, provider: ScriptedProvider, made: Any
) -> None:
    caller = await a_live_caller(10_000)
    id = await made(caller, provider, key="k", body="a" * 161)
    provider.knows[id] = MessageFound("gw_found", "sent")
    at = now() + MINUTE

    await sms.reconcile(at=at)

    row = await the_message(id)
    assert (row["status"], row["provider_reference"], row["settle_at"]) == (
        "sent",
        "gw_found",
        None,
    )
    assert row["sent_at"] == at
    assert await moved_for(id) == [("reserva", 1600), ("captura", 1600)]
    assert await balances_of(caller) == Balances(8_400, 0, 1_600, 0)
    assert await volume_of(caller) == 2
    assert await told(caller) == []

    again = await a_send(caller, key="k", body="a" * 161)
    assert (again["id"], again["status"], again["billing"]["coins"], again["replayed"]) == (
        id,
        "sent",
        1600,
        True,
    )
    assert await sms.reconcile(at=at + 30 * 24 * HOUR) == 0
    assert len(provider.asked) == len(provider.looked_up) == 1


@pytest.mark.parametrize(
    ("found", "status", "reason"),
    [
        (MessageFound("gw_found", "delivered"), "delivered", None),
        (
            MessageFound("gw_found", "undelivered", "carrier_rejected"),
            "undelivered",
            "carrier_rejected",
        ),
        (MessageFound("gw_found", "failed", "expired"), "failed", "expired"),
    ],
)
async def test_a_message_found_at_its_end_is_paid_and_its_end_is_told(
    clean_slate: None,
    provider: ScriptedProvider,
    found: MessageFound,
    status: str,
    reason: str | None,
) -> None:
    caller = await a_live_caller(10_000)
    id = await an_unknown(caller, provider, metadata={"order": "A-1"})
    provider.knows[id] = found
    at = now() + MINUTE

    await sms.reconcile(at=at)

    read = await sms.get_message(caller, id)
    assert (read["status"], read.get("reason"), read["sentAt"]) == (status, reason, wire_time(at))
    assert read["deliveredAt" if status == "delivered" else "failedAt"] == wire_time(at)
    receipt = read["providerReceipt"]
    assert (receipt["id"], receipt["reference"], receipt["to"]) == (
        "gw_found",
        id,
        "+5511987650005",
    )
    assert await moved_for(id) == [("reserva", 800), ("captura", 800)]
    ((type, data),) = await told(caller)
    assert type == f"sms.{status}"
    assert (data["id"], data.get("reason"), data["metadata"]) == (id, reason, {"order": "A-1"})


async def test_a_message_found_at_its_end_is_accepted_and_ended_in_one_step(
    clean_slate: None, provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a worker that dies between the two would leave it as sent, and nobody would ask
    again.
    """
    caller = await a_live_caller()
    id = await an_unknown(caller, provider)
    provider.knows[id] = MessageFound("gw_found", "delivered")

    async def dies(rows: Any, *, at: datetime) -> None:
        raise Crash

    with monkeypatch.context() as broken:
        broken.setattr(
            import_module("core.sms.delivery_reports.apply"), "publish_status_events", dies
        )
        with pytest.raises(Crash):
            await sms.reconcile(at=now() + MINUTE)
    assert (await the_message(id))["status"] == "sending"
    assert await moved_for(id) == [("reserva", 800)]

    await sms.reconcile(at=now() + 3 * MINUTE)
    assert (await the_message(id))["status"] == "delivered"


async def test_a_message_found_after_ten_minutes_is_sent_all_the_same(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    id = await an_unknown(caller, provider)
    provider.knows[id] = MessageFound("gw_found", "sent")

    await sms.reconcile(at=now() + 5 * HOUR)

    assert (await the_message(id))["status"] == "sent"


# Not found ----------------------------------------------------------------------------------------


async def test_within_ten_minutes_a_message_that_is_not_found_stays_under_way(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    id = await an_unknown(caller, provider, key="k")
    created = (await the_message(id))["created_at"]

    async with nothing_stored():
        await sms.reconcile(at=created + 10 * MINUTE - SECOND)

    read = await sms.get_message(caller, id)
    assert read["status"] == "sending"
    assert not {"sentAt", "failedAt", "reason"} & set(read)
    assert (await a_send(caller, key="k"))["status"] == "sending"
    assert await balances_of(caller) == Balances(9_200, 800, 0, 0)


async def test_after_ten_minutes_a_message_that_is_not_found_is_indeterminate_and_its_price_stays_held(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    id = await an_unknown(caller, provider, key="k", metadata={"order": "A-1"})
    at = (await the_message(id))["created_at"] + 10 * MINUTE

    await sms.reconcile(at=at)

    read = await sms.get_message(caller, id)
    assert (read["status"], read["reason"], read["failedAt"]) == (
        "failed",
        "indeterminate",
        wire_time(at),
    )
    assert "sentAt" not in read
    assert await moved_for(id) == [("reserva", 800)]
    assert await balances_of(caller) == Balances(9_200, 800, 0, 0)
    assert await volume_of(caller) == 0
    assert await told(caller) == [
        (
            "sms.failed",
            {
                "id": id,
                "to": "+5511987650005",
                "route": "premium",
                "status": "failed",
                "reason": "indeterminate",
                "segments": 1,
                "failedAt": wire_time(at),
                "env": "live",
                "metadata": {"order": "A-1"},
            },
        )
    ]
    again = await a_send(caller, key="k", metadata={"order": "A-1"})
    assert (again["id"], again["status"], again["reason"], again["replayed"]) == (
        id,
        "failed",
        "indeterminate",
        True,
    )


async def test_a_provider_that_cannot_be_asked_has_not_said_no(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    id = await an_unknown(caller, provider)
    provider.knows[id] = LookupFailed()
    created = (await the_message(id))["created_at"]

    await sms.reconcile(at=created + 71 * HOUR)
    assert (await the_message(id))["status"] == "sending"

    provider.knows[id] = MessageNotFound()
    await sms.reconcile(at=created + 71 * HOUR + MINUTE)
    assert ((await the_message(id))["status"], (await the_message(id))["reason"]) == (
        "failed",
        "indeterminate",
    )


async def test_a_provider_that_is_gone_for_three_days_leaves_the_message_indeterminate(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    id = await an_unknown(caller, provider)
    created = (await the_message(id))["created_at"]
    await registry.close_providers()

    await sms.reconcile(at=created + HOUR)
    assert (await the_message(id))["status"] == "sending"

    await sms.reconcile(at=created + 72 * HOUR)
    assert (await the_message(id))["reason"] == "indeterminate"


# Three days ---------------------------------------------------------------------------------------


async def test_the_price_of_an_indeterminate_message_is_given_back_after_72_hours(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    id, given_up = await an_indeterminate(caller, provider, key="k")

    async with nothing_stored():
        assert await sms.reconcile(at=given_up + 72 * HOUR - SECOND) == 0
    assert await sms.reconcile(at=given_up + 72 * HOUR) == 1

    assert await moved_for(id) == [("reserva", 800), ("liberacao", 800)]
    assert await balances_of(caller) == Balances(10_000, 0, 0, 0)
    read = await sms.get_message(caller, id)
    assert (read["status"], read["reason"], read["failedAt"]) == (
        "failed",
        "indeterminate",
        wire_time(given_up),
    )
    assert (await a_send(caller, key="k"))["billing"] == {"coins": 0}
    assert len(await told(caller)) == 1
    assert await sms.reconcile(at=given_up + 1000 * HOUR) == 0
    assert len(provider.looked_up) == 1, "after the ten minutes it is not asked again"


async def test_a_report_within_72_hours_delivers_an_indeterminate_message_and_charges_it_once(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    id, given_up = await an_indeterminate(caller, provider, key="k", body="a" * 161)
    at = given_up + 71 * HOUR

    for _ in range(3):
        await report(caller, a_delivery_report(id, reference="gw_late", at=at - SECOND), at=at)

    read = await sms.get_message(caller, id)
    assert (read["status"], read["deliveredAt"]) == ("delivered", wire_time(at - SECOND))
    assert not {"reason", "failedAt"} & set(read)
    assert read["sentAt"] <= read["deliveredAt"]
    assert await moved_for(id) == [("reserva", 1600), ("captura", 1600)]
    assert await balances_of(caller) == Balances(8_400, 0, 1_600, 0)
    assert await volume_of(caller) == 2
    row = await the_message(id)
    assert (row["coins"], row["settle_at"], row["provider_reference"]) == (1600, None, "gw_late")
    assert [type for type, _ in await told(caller)] == ["sms.failed", "sms.delivered"]
    assert (await told(caller))[1][1]["sentAt"] == read["sentAt"], (
        "the event shows what a read shows"
    )
    again = await a_send(caller, key="k", body="a" * 161)
    assert (again["status"], again["billing"], again["replayed"]) == (
        "delivered",
        {"coins": 1600},
        True,
    )
    assert await sms.reconcile(at=at + 1000 * HOUR) == 0
    assert await balances_of(caller) == Balances(8_400, 0, 1_600, 0)


async def test_a_report_after_the_release_delivers_the_message_and_charges_nothing(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    id, given_up = await an_indeterminate(caller, provider)
    await sms.reconcile(at=given_up + 72 * HOUR)
    at = given_up + 73 * HOUR

    await report(caller, a_delivery_report(id, at=at), at=at)

    read = await sms.get_message(caller, id)
    assert (read["status"], read["deliveredAt"]) == ("delivered", wire_time(at))
    assert await moved_for(id) == [("reserva", 800), ("liberacao", 800)]
    assert await balances_of(caller) == Balances(10_000, 0, 0, 0)
    assert await volume_of(caller) == 0
    assert (await the_message(id))["coins"] == 0
    assert [type for type, _ in await told(caller)] == ["sms.failed", "sms.delivered"]


async def test_a_late_report_of_a_failure_leaves_an_indeterminate_message_as_it_is(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    id, given_up = await an_indeterminate(caller, provider)
    before = await sms.get_message(caller, id)

    async with nothing_stored():
        await report(
            caller,
            a_delivery_report(id, "failed", "expired"),
            a_delivery_report(id, "undelivered"),
            at=given_up + HOUR,
        )

    assert await sms.get_message(caller, id) == before
    assert await balances_of(caller) == Balances(9_200, 800, 0, 0)


async def test_a_report_that_comes_while_the_outcome_is_unknown_ends_the_questions(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    id = await an_unknown(caller, provider, key="k")

    await report(caller, a_delivery_report(id), at=now())

    assert await moved_for(id) == [("reserva", 800), ("captura", 800)]
    assert await sms.reconcile(at=now() + 100 * HOUR) == 0
    assert provider.looked_up == []
    again = await a_send(caller, key="k")
    assert (again["id"], again["replayed"]) == (id, True)


# Many, and at once --------------------------------------------------------------------------------


async def test_each_message_gets_its_own_verdict(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    one, other = await a_live_caller(10_000), await a_live_caller(10_000)
    ids = {name: await an_unknown(one, provider) for name in ("sent", "delivered", "young", "away")}
    ids |= {name: await an_unknown(other, provider) for name in ("old", "released")}
    provider.knows |= {
        ids["sent"]: MessageFound("gw_1", "sent"),
        ids["delivered"]: MessageFound("gw_2", "delivered"),
        ids["away"]: LookupFailed(),
    }
    at = now() + MINUTE
    await db.execute(
        "UPDATE messages SET created_at = $2 WHERE id = ANY ($1)",
        [ids["old"], ids["away"]],
        at - 11 * MINUTE,
    )
    await db.execute(
        "UPDATE messages SET status = 'failed', reason = 'indeterminate' WHERE id = $1",
        ids["released"],
    )

    assert await sms.reconcile(at=at) == 6

    rows = {name: await the_message(id) for name, id in ids.items()}
    assert {name: (row["status"], row["reason"]) for name, row in rows.items()} == {
        "sent": ("sent", None),
        "delivered": ("delivered", None),
        "young": ("sending", None),
        "away": ("sending", None),
        "old": ("failed", "indeterminate"),
        "released": ("failed", "indeterminate"),
    }
    assert await balances_of(one) == Balances(10_000 - 4 * 800, 1_600, 1_600, 0)
    assert await balances_of(other) == Balances(10_000 - 800, 800, 0, 0)


async def test_more_than_a_batch_is_settled_batch_by_batch(
    clean_slate: None, provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timeouts, "STUCK_BATCH_SIZE", 3)
    caller = await a_live_caller(10_000)
    ids = [await an_unknown(caller, provider) for _ in range(7)]
    provider.knows |= {id: MessageFound(f"gw_{id}", "sent") for id in ids}
    at = now() + MINUTE

    assert [await sms.reconcile(at=at) for _ in range(4)] == [3, 3, 1, 0]

    assert sorted(provider.looked_up) == sorted(ids)
    assert await balances_of(caller) == Balances(10_000 - 7 * 800, 0, 7 * 800, 0)


async def test_two_workers_ask_about_a_message_once(
    real_commits: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    ids = [await an_unknown(caller, provider) for _ in range(6)]
    provider.knows |= {id: MessageFound(f"gw_{id}", "delivered") for id in ids}
    at = now() + MINUTE

    settled = await asyncio.gather(*(sms.reconcile(at=at) for _ in range(4)))

    assert sum(settled) == 6
    assert sorted(provider.looked_up) == sorted(ids)
    assert await balances_of(caller) == Balances(10_000 - 6 * 800, 0, 6 * 800, 0)
    assert [type for type, _ in await told(caller)] == ["sms.delivered"] * 6


async def test_the_sweep_and_a_report_meet_and_the_message_is_paid_once(
    real_commits: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(100_000)
    ids = [await an_unknown(caller, provider) for _ in range(8)]
    provider.knows |= {id: MessageFound(f"gw_{id}", "delivered") for id in ids}
    at = now() + MINUTE

    await asyncio.gather(
        sms.reconcile(at=at),
        *(report(caller, a_delivery_report(id), at=at) for id in ids),
        *(
            report(caller, *(a_delivery_report(id) for id in reversed(ids)), at=at)
            for _ in range(2)
        ),
    )

    for id in ids:
        assert await moved_for(id) == [("reserva", 800), ("captura", 800)]
    assert await volume_of(caller) == 8
    assert [type for type, _ in await told(caller)] == ["sms.delivered"] * 8


async def test_the_release_and_a_report_meet_and_either_wins_whole(
    real_commits: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(100_000)
    ids = [await an_unknown(caller, provider) for _ in range(6)]
    given_up = now() + 10 * MINUTE + SECOND
    assert await sms.reconcile(at=given_up) == 6
    at = given_up + 72 * HOUR

    await asyncio.gather(
        *(report(caller, a_delivery_report(id, at=at), at=at) for id in ids[:3]),
        sms.reconcile(at=at),
        *(report(caller, a_delivery_report(id, at=at), at=at) for id in ids[3:]),
    )

    captured = 0
    for id in ids:
        moved = await moved_for(id)
        assert moved in (
            [("reserva", 800), ("captura", 800)],
            [("reserva", 800), ("liberacao", 800)],
        )
        captured += moved[1][0] == "captura"
        assert (await the_message(id))["status"] == "delivered"
        assert (await the_message(id))["coins"] == (800 if moved[1][0] == "captura" else 0)
    assert await volume_of(caller) == captured
    assert await balances_of(caller) == Balances(100_000 - 800 * captured, 0, 800 * captured, 0)


async def test_with_nothing_due_nobody_is_asked(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    await a_send(caller)

    assert await sms.reconcile(at=now() + 1000 * HOUR) == 0

    assert provider.looked_up == []
