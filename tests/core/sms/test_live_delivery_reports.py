"""Delivery reports of a live provider: late, twice, out of order, and before their message is
known.
"""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from core import messaging, sms
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.security.caller import Caller, Scope
from core.providers.contracts import Accepted, Answer, DeliveryReport, Outgoing, Throttled, Unknown
from tests.factories.live import a_delivery_report, a_live_caller, a_reply, refused_send
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.factories.stored_contacts import stored_contact
from tests.fakes.provider import ScriptedProvider, reference_of
from tests.support.money import Balances, balances_of, moved_for, the_message, told, volume_of
from tests.support.races import outside
from tests.support.stored import nothing_stored

SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)


async def report(
    caller: Caller, *reports: DeliveryReport, at: datetime | None = None, provider: str = "gateway"
) -> None:
    await sms.receive_reports(caller.organization_id, provider, reports, at=at or now())


async def logged(message_id: str) -> list[tuple[str | None, str | None, bool]]:
    """The report log of a message: status, reason, applied."""
    rows = await db.fetch(
        "SELECT status, reason, applied, organization_id, env FROM message_receipts WHERE message_id = $1 ORDER BY id",
        message_id,
    )
    message = await the_message(message_id)
    assert {(row["organization_id"], row["env"]) for row in rows} <= {
        (message["organization_id"], message["env"])
    }
    return [(row["status"], row["reason"], row["applied"]) for row in rows]


async def unmatched() -> int:
    count: int = await db.fetchval("SELECT count(*) FROM parked_receipts")
    return count


async def state_of(id: str) -> tuple[str, str | None]:
    row = await the_message(id)
    return row["status"], row["reason"]


# One report ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("delivered", None),
        ("undelivered", "carrier_rejected"),
        ("failed", "invalid_number"),
        ("failed", "expired"),
        ("failed", "blacklisted"),
    ],
)
async def test_a_report_ends_its_message_tells_it_and_moves_no_money(
    clean_slate: None, provider: ScriptedProvider, status: str, reason: str | None
) -> None:
    caller = await a_live_caller(10_000)
    await stored_contact(caller, id="cnt_1")
    id = (await a_send(caller, metadata={"order": "A-1"}, contactId="cnt_1", campaignId="autumn"))[
        "id"
    ]
    receipt = a_delivery_report(id, status, reason)

    await report(caller, receipt)

    read = await sms.get_message(caller, id)
    assert (read["status"], read.get("reason")) == (status, reason)
    assert read["deliveredAt" if status == "delivered" else "failedAt"] == wire_time(receipt.at)
    assert read["providerReceipt"] == receipt.provider_receipt
    assert await moved_for(id) == [("reserva", 800), ("captura", 800)], "accepted is billable"
    assert await balances_of(caller) == Balances(9_200, 0, 800, 0)
    assert await logged(id) == [(status, reason, True)]
    ((type, data),) = await told(caller)
    assert type == f"sms.{status}"
    assert {
        name: data.get(name)
        for name in ("id", "status", "reason", "to", "route", "segments", "env")
    } == {
        "id": id,
        "status": status,
        "reason": reason,
        "to": "+5511987650005",
        "route": "premium",
        "segments": 1,
        "env": "live",
    }
    assert (data["metadata"], data["contactId"], data["campaignId"]) == (
        {"order": "A-1"},
        "cnt_1",
        "autumn",
    )
    assert (data["sentAt"], data["providerReceipt"]) == (read["sentAt"], receipt.provider_receipt)


@pytest.mark.parametrize(
    "named",
    [
        a_delivery_report,
        lambda ours: a_delivery_report(None, reference=reference_of(ours)),
        lambda ours: a_delivery_report(ours, reference=reference_of(ours)),
        lambda ours: a_delivery_report(ours, reference="another reference of the carrier's"),
    ],
)
async def test_a_message_is_named_by_our_id_or_by_the_reference_and_our_id_decides(
    clean_slate: None, provider: ScriptedProvider, named: Any
) -> None:
    caller = await a_live_caller()
    other = (await a_send(caller))["id"]
    id = (await a_send(caller))["id"]

    await report(caller, named(id))

    assert (await state_of(id), await state_of(other)) == (("delivered", None), ("sent", None))
    assert (await the_message(id))["provider_reference"] == reference_of(id)


async def test_our_id_decides_also_when_the_reference_is_of_another_message(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    other = (await a_send(caller))["id"]
    id = (await a_send(caller))["id"]

    await report(caller, a_delivery_report(id, reference=reference_of(other)))

    assert (await state_of(id), await state_of(other)) == (("delivered", None), ("sent", None))


async def test_a_state_that_moves_nothing_is_only_written_down(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    id = (await a_send(caller))["id"]
    before = await sms.get_message(caller, id)

    async with nothing_stored():
        await report(caller, a_delivery_report(id, None))

    assert await sms.get_message(caller, id) == before
    assert await logged(id) == [(None, None, False)]


async def test_the_receipt_is_masked_for_whoever_may_not_see_phones(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    masked = replace(caller, scopes=caller.scopes - {Scope.PII_FULL})
    id = (await a_send(caller))["id"]
    receipt = a_delivery_report(id)
    receipt.provider_receipt.update(
        {"to": "11 98765-0005", "channel": None, "account_id": 7, "bill_factor": 1.5}
    )
    await report(caller, receipt)

    shown, whole = await sms.get_message(masked, id), await sms.get_message(caller, id)

    assert shown["to"] == shown["providerReceipt"]["to"] == "+5511*****0005"
    assert whole["providerReceipt"] == receipt.provider_receipt
    for who, read in ((masked, shown), (caller, whole)):
        assert (await sms.list_messages(who, sms.SmsFilter()))["items"] == [read]


# Late, twice, out of order ------------------------------------------------------------------------


async def test_the_same_report_again_is_written_down_and_changes_nothing(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    id = (await a_send(caller))["id"]
    await report(caller, a_delivery_report(id))
    before = await sms.get_message(caller, id)

    async with nothing_stored():
        await report(caller, a_delivery_report(id, at=now() + HOUR))
        await report(
            caller, a_delivery_report(id), a_delivery_report(None, reference=reference_of(id))
        )

    assert await sms.get_message(caller, id) == before
    assert await logged(id) == [("delivered", None, True)] + 3 * [("delivered", None, False)]


async def test_twice_in_one_batch_the_first_one_counts(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    id = (await a_send(caller))["id"]
    first, second = a_delivery_report(id, at=now() - MINUTE), a_delivery_report(id)

    await report(caller, first, second)

    assert (await sms.get_message(caller, id))["deliveredAt"] == wire_time(first.at)
    assert await logged(id) == [("delivered", None, True), ("delivered", None, False)]
    assert [type for type, _ in await told(caller)] == ["sms.delivered"]


FINAL = [
    ("delivered", None),
    ("undelivered", "carrier_rejected"),
    ("failed", "invalid_number"),
    ("failed", "blacklisted"),
]


@pytest.mark.parametrize("first", FINAL)
@pytest.mark.parametrize("second", [*FINAL, ("failed", "expired")])
async def test_an_end_stays_the_end(
    clean_slate: None,
    provider: ScriptedProvider,
    first: tuple[str, str | None],
    second: tuple[str, str | None],
) -> None:
    caller = await a_live_caller()
    id = (await a_send(caller))["id"]
    await report(caller, a_delivery_report(id, *first))
    before = await sms.get_message(caller, id)

    async with nothing_stored():
        await report(caller, a_delivery_report(id, *second))

    assert await sms.get_message(caller, id) == before
    assert await logged(id) == [(*first, True), (*second, False)]


async def test_an_expired_message_may_still_be_delivered_and_is_not_charged_again(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    id = (await a_send(caller))["id"]
    sent_at = (await sms.get_message(caller, id))["sentAt"]
    await report(caller, a_delivery_report(id, "failed", "expired"))

    for _ in range(2):
        await report(caller, a_delivery_report(id))

    read = await sms.get_message(caller, id)
    assert (read["status"], read["sentAt"]) == ("delivered", sent_at)
    assert not {"reason", "failedAt"} & set(read)
    assert [type for type, _ in await told(caller)] == ["sms.failed", "sms.delivered"]
    assert await moved_for(id) == [("reserva", 800), ("captura", 800)]
    assert await balances_of(caller) == Balances(9_200, 0, 800, 0)
    assert await volume_of(caller) == 1


async def test_expired_and_delivered_in_one_batch_are_both_told(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    id = (await a_send(caller))["id"]

    await report(
        caller,
        a_delivery_report(id, "failed", "expired"),
        a_delivery_report(id),
        a_delivery_report(id, "failed", "expired"),
    )

    assert await state_of(id) == ("delivered", None)
    assert [applied for _, _, applied in await logged(id)] == [True, True, False]
    assert sorted(type for type, _ in await told(caller)) == ["sms.delivered", "sms.failed"]
    assert await balances_of(caller) == Balances(9_200, 0, 800, 0)


async def test_a_report_on_a_refused_message_changes_nothing(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    """The provider said that it took nothing: its report is kept, and nothing is charged."""
    caller = await a_live_caller(10_000)
    provider.will(Throttled(1))
    id = (await refused_send(caller)).meta["messageId"]

    async with nothing_stored():
        await report(caller, a_delivery_report(id))

    assert await state_of(id) == ("failed", None)
    assert await logged(id) == [("delivered", None, False)]
    assert await balances_of(caller) == Balances(10_000, 0, 0, 0)


# Before the answer --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "reason"), [("delivered", None), ("failed", "invalid_number"), (None, None)]
)
async def test_a_report_on_a_message_under_way_accepts_it_first(
    clean_slate: None, provider: ScriptedProvider, status: str | None, reason: str | None
) -> None:
    caller = await a_live_caller(10_000)
    provider.will(Unknown())
    id = (await refused_send(caller, key="k", body="a" * 161)).meta["messageId"]
    at = now()

    await report(caller, a_delivery_report(id, status, reason, reference="gw_early"), at=at)

    row = await the_message(id)
    assert (row["status"], row["reason"]) == (status or "sent", reason)
    assert (row["provider_reference"], row["sent_at"], row["settle_at"]) == ("gw_early", at, None)
    assert await moved_for(id) == [("reserva", 1600), ("captura", 1600)]
    assert await balances_of(caller) == Balances(8_400, 0, 1_600, 0)
    assert await volume_of(caller) == 2
    assert await logged(id) == [(status, reason, status is not None)]
    assert [type for type, _ in await told(caller)] == ([f"sms.{status}"] if status else [])
    again = await a_send(caller, key="k", body="a" * 161)
    assert (again["id"], again["replayed"], again["billing"]) == (id, True, {"coins": 1600})


async def a_send_overtaken_by(
    caller: Caller, provider: ScriptedProvider, *reports: Any
) -> dict[str, Any]:
    """A send whose reports arrive before the provider's answer to it."""

    async def report_first(outgoing: Outgoing) -> Answer:
        await outside(report(caller, *(make(outgoing.id) for make in reports)))
        return Accepted(reference_of(outgoing.id))

    provider.will(report_first)
    return await a_send(caller, key="k")


async def test_a_report_that_overtakes_the_answer_is_applied_once(
    real_commits: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)

    sent = await a_send_overtaken_by(caller, provider, a_delivery_report)

    assert (sent["status"], sent["billing"], sent["replayed"]) == (
        "delivered",
        {"coins": 800},
        False,
    )
    assert await a_send(caller, key="k") == {**sent, "replayed": True}
    assert await moved_for(sent["id"]) == [("reserva", 800), ("captura", 800)]
    assert await volume_of(caller) == 1
    assert [type for type, _ in await told(caller)] == ["sms.delivered"]


async def test_the_reference_that_comes_after_the_report_is_kept_and_a_reply_finds_its_message(
    real_commits: None, provider: ScriptedProvider
) -> None:
    """A report by our id alone; the provider's own id comes with its answer, and replies name only
    that.
    """
    caller = await a_live_caller(10_000)

    sent = await a_send_overtaken_by(caller, provider, a_delivery_report)
    reply = a_reply(None, reference=reference_of(sent["id"]))
    await sms.receive_replies(caller.organization_id, "gateway", [reply], at=now())

    (stored,) = (await sms.list_replies(caller, sms.ReplyFilter()))["items"]
    assert stored["inReplyTo"] == sent["id"]


async def test_a_report_by_a_reference_that_is_not_known_yet_waits_for_it(
    real_commits: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)

    sent = await a_send_overtaken_by(
        caller, provider, lambda ours: a_delivery_report(None, reference=reference_of(ours))
    )

    assert (sent["status"], await unmatched()) == ("sent", 1)
    assert await sms.retry_unmatched(at=now() + 30 * SECOND) == 1
    assert (await state_of(sent["id"]), await unmatched()) == (("delivered", None), 0)


async def test_reports_and_the_answer_meet_and_the_message_is_paid_once(
    real_commits: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(100_000)

    async def report_meanwhile(outgoing: Outgoing) -> Answer:
        outgoing_reports = [
            outside(
                report(caller, a_delivery_report(outgoing.id), a_delivery_report(outgoing.id, None))
            )
            for _ in range(2)
        ]
        waiting.extend(outgoing_reports)
        return Accepted(reference_of(outgoing.id))

    waiting: list[asyncio.Task[None]] = []
    provider.always = report_meanwhile
    sent = await asyncio.gather(*(a_send(caller) for _ in range(8)))
    await asyncio.gather(*waiting)

    for answer in sent:
        assert answer["status"] in ("sent", "delivered")
        assert await state_of(answer["id"]) == ("delivered", None)
        assert await moved_for(answer["id"]) == [("reserva", 800), ("captura", 800)]
        assert (await the_message(answer["id"]))["provider_reference"] == reference_of(answer["id"])
    assert [type for type, _ in await told(caller)] == ["sms.delivered"] * 8
    assert await volume_of(caller) == 8


async def test_the_same_reports_at_once_in_other_orders_are_applied_once(
    real_commits: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(100_000)
    ids = [(await a_send(caller))["id"] for _ in range(10)]

    await asyncio.gather(
        *(
            report(caller, *(a_delivery_report(id) for id in (ids if turn % 2 else ids[::-1])))
            for turn in range(6)
        )
    )

    assert [type for type, _ in await told(caller)] == ["sms.delivered"] * 10
    for id in ids:
        assert sorted(applied for _, _, applied in await logged(id)) == [False] * 5 + [True]


# Unknown ------------------------------------------------------------------------------------------


async def test_a_report_on_an_unknown_message_is_kept_unmatched_and_the_others_are_applied(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    id = (await a_send(caller))["id"]

    await report(
        caller,
        a_delivery_report("msg_unknown"),
        a_delivery_report(id),
        a_delivery_report(None, reference="gw_unknown"),
    )

    assert await state_of(id) == ("delivered", None)
    assert await unmatched() == 2
    row = await db.fetchrow("SELECT * FROM parked_receipts ORDER BY id LIMIT 1")
    assert row is not None
    assert (row["organization_id"], row["env"], row["provider"], row["kind"]) == (
        caller.organization_id,
        "live",
        "gateway",
        "receipt",
    )


async def test_a_unmatched_report_is_applied_when_its_message_appears(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    at, said = now(), now() - SECOND
    await report(
        caller,
        a_delivery_report(None, "failed", "blacklisted", reference="gw_soon", at=said),
        at=at,
    )

    assert await sms.retry_unmatched(at=at + 29 * SECOND) == 0, "it is not due yet"
    assert await sms.retry_unmatched(at=at + 30 * SECOND) == 1
    assert await sms.retry_unmatched(at=at + 59 * SECOND) == 0, "it waits again"
    provider.will(Accepted("gw_soon"))
    id = (await a_send(caller))["id"]
    assert await sms.retry_unmatched(at=at + 60 * SECOND) == 1

    read = await sms.get_message(caller, id)
    assert (read["status"], read["reason"], read["failedAt"]) == (
        "failed",
        "blacklisted",
        wire_time(said),
    )
    assert [type for type, _ in await told(caller)] == ["sms.failed"]
    assert await logged(id) == [("failed", "blacklisted", True)]
    assert await unmatched() == 0


async def test_a_unmatched_report_is_dropped_after_a_day(clean_slate: None) -> None:
    caller = await a_live_caller()
    at = now()
    await report(caller, a_delivery_report("msg_unknown"), at=at)

    async with nothing_stored():
        assert await sms.retry_unmatched(at=at + 24 * HOUR - SECOND) == 1
        assert await unmatched() == 1
        assert await sms.retry_unmatched(at=at + 24 * HOUR + 30 * SECOND) == 1
        assert await unmatched() == 0


async def test_unmatched_reports_of_several_organizations_find_their_own_messages(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    callers = [await a_live_caller(), await a_live_caller()]
    for caller in callers:
        await report(
            caller,
            a_delivery_report(None, reference="gw_same"),
            a_delivery_report(None, reference="gw_never"),
        )
    ids = []
    for caller in callers:
        provider.will(Accepted("gw_same"))
        ids.append((await a_send(caller))["id"])

    assert await sms.retry_unmatched(at=now() + MINUTE) == 4

    assert [await state_of(id) for id in ids] == [("delivered", None)] * 2
    assert await unmatched() == 2
    for caller in callers:
        assert len(await told(caller)) == 1


async def test_two_workers_try_a_unmatched_report_once(
    real_commits: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(100_000)
    references = [f"gw_soon_{number}" for number in range(6)]
    await report(
        caller, *(a_delivery_report(None, reference=reference) for reference in references)
    )
    provider.will(*(Accepted(reference) for reference in references))
    ids = [(await a_send(caller))["id"] for _ in references]
    at = now() + MINUTE

    tried = await asyncio.gather(*(sms.retry_unmatched(at=at) for _ in range(3)))

    assert (sum(tried), await unmatched()) == (6, 0)
    assert {await state_of(id) for id in ids} == {("delivered", None)}
    assert len(await told(caller)) == 6


# Not ours to touch --------------------------------------------------------------------------------


async def test_a_report_reaches_only_live_messages_of_its_organization_and_provider(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller, stranger = await a_live_caller(), await a_live_caller()
    test = await a_caller("test", organization_id=caller.organization_id)
    id, theirs, sandboxed = [(await a_send(one))["id"] for one in (caller, stranger, test)]

    async with nothing_stored():
        await report(
            caller,
            a_delivery_report(theirs),
            a_delivery_report(None, reference=reference_of(theirs)),
        )
        await report(
            caller,
            a_delivery_report(sandboxed),
            a_delivery_report(None, reference=f"sbx_{sandboxed[4:]}"),
        )
        await report(
            caller,
            a_delivery_report(id),
            a_delivery_report(None, reference=reference_of(id)),
            provider="another",
        )

    assert {await state_of(one) for one in (id, theirs, sandboxed)} == {("sent", None)}
    assert await unmatched() == 6


async def test_a_report_on_a_reply_is_not_for_a_message(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    id = (await a_send(caller))["id"]
    await sms.receive_replies(caller.organization_id, "gateway", [a_reply(id, id="mo_1")], at=now())
    (reply,) = (await sms.list_replies(caller, sms.ReplyFilter()))["items"]

    await report(caller, a_delivery_report(reply["id"]), a_delivery_report(None, reference="mo_1"))

    assert await unmatched() == 2
    assert await sms.get_reply(caller, reply["id"]) == reply


async def test_an_unreadable_unmatched_row_does_not_lose_its_neighbours(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    """A row of a newer or older version of the service."""
    caller = await a_live_caller(10_000)
    at = now()
    await messaging.keep_unmatched(
        caller.organization_id, "live", "gateway", "receipt", [{"something": "else"}], at=at
    )
    await report(caller, a_delivery_report(None, reference="gw_soon"), at=at)
    provider.will(Accepted("gw_soon"))
    id = (await a_send(caller))["id"]

    await sms.retry_unmatched(at=at + MINUTE)

    assert await state_of(id) == ("delivered", None)


async def test_no_reports_are_no_work(clean_slate: None) -> None:
    caller = await a_live_caller()

    async with nothing_stored():
        await report(caller)
        assert await sms.retry_unmatched(at=now()) == 0
