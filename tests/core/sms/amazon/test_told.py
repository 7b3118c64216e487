"""What Amazon tells of live SMS: states, money, costs, replies; in any order, any number of times."""

import json
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from core import sms
from core.foundation import settings
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import DependencyFailed, ServiceUnavailable, ValidationFailed
from core.sms.amazon.costs import CostFilter
from core.sms.amazon.models import ProviderCost
from tests.factories.live import a_live_caller, refused_send
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.fakes.aws import FakeAws, a_reply, an_event, drops, fails, in_envelope, takes
from tests.support.money import Balances, balances_of, the_message, told
from tests.support.sql_tables import rows_of
from tests.support.stored import nothing_stored

pytestmark = pytest.mark.usefixtures("clean_slate")


async def tell(*messages: dict[str, Any], at: Any = None) -> list[bool]:
    return await sms.apply_told([json.dumps(one) for one in messages], at=at or now())


async def test_a_send_is_taken_paid_and_delivered(aws: FakeAws) -> None:
    caller = await a_live_caller(10_000)

    sent = await a_send(caller)
    await tell(an_event(sent["id"], caller.organization_id))

    assert (sent["status"], sent["provider"]) == ("sent", "cloud-eum")
    read = await sms.get_message(caller, sent["id"])
    assert read["status"] == "delivered"
    receipt = read["providerReceipt"]
    assert {**receipt, "received": "…"} == {
        "id": "eum-1",
        "type": "api_message",
        "to": "+5511987650005",
        "reference": sent["id"],
        "status": "DELIVERED",
        "statusDescription": "Message has been accepted by phone",
        "received": "…",
        "bill_factor": 1,
        "account_reference": "svc",
        "channel": "SMS",
    }
    assert await balances_of(caller) == Balances(9_200, 0, 800, 0)
    assert [event for event, _ in await told(caller)] == ["sms.delivered"]


@pytest.mark.parametrize(
    ("kind", "final", "state"),
    [
        ("TEXT_DELIVERED", True, "delivered"),
        ("TEXT_SUCCESSFUL", True, "delivered"),
        ("TEXT_SUCCESSFUL", False, "sent"),
        ("TEXT_QUEUED", False, "sent"),
        ("TEXT_SENT", False, "sent"),
        ("TEXT_PENDING", False, "sent"),
        ("TEXT_INVALID", True, "failed invalid_number"),
        ("TEXT_INVALID_MESSAGE", True, "undelivered carrier_rejected"),
        ("TEXT_UNREACHABLE", True, "undelivered carrier_rejected"),
        ("TEXT_CARRIER_UNREACHABLE", True, "undelivered carrier_rejected"),
        ("TEXT_CARRIER_BLOCKED", True, "undelivered carrier_rejected"),
        ("TEXT_SPAM", True, "undelivered carrier_rejected"),
        ("TEXT_PROTECT_BLOCKED", True, "undelivered carrier_rejected"),
        ("TEXT_BLOCKED", True, "failed blacklisted"),
        ("TEXT_TTL_EXPIRED", True, "failed expired"),
        ("TEXT_UNKNOWN", True, "failed indeterminate"),
        ("TEXT_OF_TOMORROW", True, "sent"),
    ],
)
async def test_what_each_event_means(aws: FakeAws, kind: str, final: bool, state: str) -> None:
    caller = await a_live_caller()
    sent = await a_send(caller)

    await tell(an_event(sent["id"], caller.organization_id, kind, final=final))

    row = await the_message(sent["id"])
    assert " ".join(filter(None, (row["status"], row["reason"]))) == state


@pytest.mark.parametrize("kind", ["TEXT_QUEUED", "TEXT_SENT", "TEXT_DELIVERED", "TEXT_INVALID"])
async def test_an_unknown_outcome_is_settled_by_its_first_event(aws: FakeAws, kind: str) -> None:
    caller = await a_live_caller(10_000)
    aws.will(drops())
    refusal = await refused_send(caller, key="k")
    assert isinstance(refusal, DependencyFailed)
    assert refusal.meta
    id = refusal.meta["messageId"]
    assert await balances_of(caller) == Balances(9_200, 800, 0, 0)

    await tell(an_event(id, caller.organization_id, kind))

    assert await balances_of(caller) == Balances(9_200, 0, 800, 0)
    assert (await the_message(id))["provider_reference"] == "eum-1"
    again = await a_send(caller, key="k")
    assert (again["id"], again["replayed"]) == (id, True)
    assert len(aws.sent) == 1


async def test_an_unknown_outcome_is_never_sent_again_and_waits_for_its_proof(aws: FakeAws) -> None:
    caller = await a_live_caller()
    aws.will(drops(taken=False))
    refusal = await refused_send(caller)
    assert refusal.meta
    id = refusal.meta["messageId"]

    for minutes in (2, 5, 11, 60 * 24):
        await sms.reconcile(at=now() + timedelta(minutes=minutes))
        assert (await the_message(id))["status"] == "sending"
    await sms.reconcile(at=now() + timedelta(hours=73))

    row = await the_message(id)
    assert (row["status"], row["reason"]) == ("failed", "indeterminate")
    assert len(aws.sent) == 1

    await tell(an_event(id, caller.organization_id))
    assert (await the_message(id))["status"] == "delivered"


async def test_any_order_any_number_of_times_by_both_ways_ends_the_same(aws: FakeAws) -> None:
    caller = await a_live_caller(100_000)
    kinds = ("TEXT_QUEUED", "TEXT_SENT", "TEXT_SUCCESSFUL", "TEXT_DELIVERED", "TEXT_UNKNOWN")
    chance = Random(7)
    ids = [(await a_send(caller))["id"] for _ in range(8)]
    texts = []
    for place, id in enumerate(ids, 1):
        for kind in kinds:
            event = an_event(
                id,
                caller.organization_id,
                kind,
                final=kind in ("TEXT_DELIVERED", "TEXT_UNKNOWN"),
                reference=f"eum-{place}",
                totalMessagePrice=0.0243 if kind == "TEXT_DELIVERED" else 0.0,
            )
            texts += [json.dumps(event), in_envelope(event)]
    chance.shuffle(texts)

    for place in range(0, len(texts), 10):
        await sms.apply_told(texts[place : place + 10], at=now())

    assert {(await the_message(id))["status"] for id in ids} == {"delivered"}
    assert await balances_of(caller) == Balances(100_000 - 8 * 800, 0, 8 * 800, 0)
    costs = await rows_of(ProviderCost).filter(organization_id=caller.organization_id, env="live")
    assert [str(cost.amount) for cost in costs] == ["0.02430"] * 8
    names = [event for event, _ in await told(caller)]
    assert names.count("sms.delivered") == 8


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "[]",
        "{}",
        '{"Type": "Notification", "Message": 7}',
        '{"detail": []}',
        '{"eventType": "TEXT_DELIVERED"}',
        '{"eventType": "TEXT_DELIVERED", "context": {"svc": 1, "org": 2}, "messageId": "m"}',
        '{"inboundMessageId": "m", "messageBody": 1, "originationNumber": "+1"}',
        '{"inboundMessageId": "m", "messageBody": "x", "originationNumber": "not a phone"}',
    ],
)
async def test_what_is_not_for_us_changes_nothing_and_is_a_line_and_done_with(
    aws: FakeAws, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    capsys.readouterr()
    async with nothing_stored():
        assert await sms.apply_told([text], at=now()) == [True]
    lines = [line for line in capsys.readouterr().out.splitlines() if "amazon_" in line]
    assert len(lines) == 1
    assert "amazon_events_passed_over" in lines[0]


async def test_events_of_other_peoples_messages_change_nothing(aws: FakeAws) -> None:
    caller, stranger = await a_live_caller(), await a_live_caller()
    sent = await a_send(caller)

    await tell(
        an_event(sent["id"], stranger.organization_id),
        an_event("msg_000000000000000000009", caller.organization_id),
        an_event(None, caller.organization_id),
        an_event(sent["id"], caller.organization_id, context=None),
    )

    assert (await the_message(sent["id"]))["status"] == "sent"
    assert await db.fetchval("SELECT count(*) FROM parked_receipts") == 0
    assert await rows_of(ProviderCost).count() == 0


@pytest.mark.parametrize(
    "more",
    [
        {"totalMessagePrice": "NaN"},
        {"totalMessagePrice": -1},
        {"totalMessagePrice": 1e9},
        {"totalMessageParts": 0},
        {"totalMessageParts": True},
        {"totalMessageParts": "1"},
        {"eventTimestamp": "yesterday"},
        {"eventTimestamp": 10**30},
        {"isoCountryCode": ["BR"]},
        {"carrierName": {"a": 1}},
        {"messageStatus": "with spaces"},
        {"destinationPhoneNumber": None},
    ],
)
async def test_odd_values_of_an_event_do_not_keep_it_from_its_message(
    aws: FakeAws, more: dict[str, Any]
) -> None:
    caller = await a_live_caller()
    sent = await a_send(caller)

    await tell(an_event(sent["id"], caller.organization_id) | more)

    assert (await the_message(sent["id"]))["status"] == "delivered"


# Costs --------------------------------------------------------------------------------------------


async def costs_of(caller: Any, **query: Any) -> list[dict[str, Any]]:
    found = await sms.provider_costs(caller, CostFilter.model_validate(query))
    items: list[dict[str, Any]] = found["items"]
    return items


async def test_costs_stand_beside_what_was_charged(
    aws: FakeAws, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = await a_live_caller()
    premium, other, otp = [
        await a_send(caller, route=route) for route in ("premium", "premium", "otp")
    ]
    await tell(
        an_event(premium["id"], caller.organization_id, totalCarrierFee=0.003),
        an_event(other["id"], caller.organization_id, reference="eum-2", carrierName="Vivo"),
        an_event(otp["id"], caller.organization_id, reference="eum-3", isoCountryCode="AR"),
    )

    (first, second) = await costs_of(caller)

    assert first == {
        "group": "premium",
        "provider": "cloud-eum",
        "messages": 2,
        "parts": 2,
        "segments": 2,
        "currency": "USD",
        "amount": "0.04860",
        "fee": "0.00300",
        "chargedCoins": 1600,
    }
    assert (second["group"], second["messages"], second["amount"]) == ("otp", 1, "0.02430")
    by_carrier = await costs_of(caller, groupBy="carrier")
    assert {(one["group"], one["messages"]) for one in by_carrier} == {("Claro", 2), ("Vivo", 1)}
    by_country = await costs_of(caller, groupBy="country")
    assert {(one["group"], one["messages"]) for one in by_country} == {("BR", 2), ("AR", 1)}
    assert await costs_of(await a_caller("live")) == []
    assert await costs_of(caller, to=now() - timedelta(hours=1)) == []

    monkeypatch.setenv("SVC_COINS_PER_USD", "55000")
    settings.current.cache_clear()
    (first, _) = await costs_of(caller)
    assert (first["costCoins"], first["marginCoins"]) == (2838, 1600 - 2838)


async def test_other_parts_than_our_segments_are_told(
    aws: FakeAws, capsys: pytest.CaptureFixture[str]
) -> None:
    caller = await a_live_caller()
    sent = await a_send(caller)

    await tell(an_event(sent["id"], caller.organization_id, totalMessageParts=2))

    assert "provider_parts_differ" in capsys.readouterr().out
    (cost,) = await rows_of(ProviderCost)
    assert (cost.parts, cost.segments) == (2, 1)


# Replies and opt-outs -----------------------------------------------------------------------------


async def replies_of(caller: Any) -> list[tuple[str, str]]:
    items = (await sms.list_replies(caller, sms.ReplyFilter()))["items"]
    return [(item["inReplyTo"], item["body"]) for item in items]


async def test_a_reply_is_stored_once(aws: FakeAws) -> None:
    caller = await a_live_caller()
    sent = await a_send(caller)

    done = [await tell(a_reply("eum-1", "Sim")) for _ in range(2)]

    assert done == [[True], [True]]
    assert await replies_of(caller) == [(sent["id"], "Sim")]


async def test_a_reply_that_answers_nothing_is_passed_over_and_one_that_is_too_early_comes_again(
    aws: FakeAws,
) -> None:
    caller = await a_live_caller()
    assert await tell(a_reply(None)) == [True]
    assert await tell(a_reply("eum-1")) == [False]

    sent = await a_send(caller)

    assert await tell(a_reply("eum-1")) == [True]
    assert await replies_of(caller) == [(sent["id"], "SIM")]


async def test_stop_by_reply_closes_the_channel(aws: FakeAws) -> None:
    caller = await a_live_caller()
    await a_send(caller)

    await tell(a_reply("eum-1", "STOP"))

    assert isinstance(await refused_send(caller), ValidationFailed)
    assert len(aws.sent) == 1


async def test_who_opted_out_at_amazon_is_denied_here(aws: FakeAws) -> None:
    caller = await a_live_caller(10_000)
    aws.will(fails("ConflictException", "DESTINATION_PHONE_NUMBER_OPTED_OUT"))

    sent = await a_send(caller)

    assert (sent["status"], sent["reason"]) == ("failed", "blacklisted")
    assert await balances_of(caller) == Balances(10_000, 0, 0, 0)
    rows = await db.fetch("SELECT channel, source FROM contact_denials")
    assert [tuple(row) for row in rows] == [("sms", "cloud-eum")]
    assert isinstance(await refused_send(caller), ValidationFailed)
    assert len(aws.sent) == 1


async def test_an_opt_out_of_a_transactional_route_denies_nothing(aws: FakeAws) -> None:
    caller = await a_live_caller()
    aws.will(fails("ConflictException", "DESTINATION_PHONE_NUMBER_OPTED_OUT"))

    await a_send(caller, route="otp")

    assert await db.fetchval("SELECT count(*) FROM contact_denials") == 0


async def test_a_spent_limit_is_503_and_frees_the_key(aws: FakeAws) -> None:
    caller = await a_live_caller(10_000)
    aws.will(
        fails("ServiceQuotaExceededException", "MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT"), takes()
    )

    assert isinstance(await refused_send(caller, key="k"), ServiceUnavailable)
    assert (await a_send(caller, key="k"))["status"] == "sent"
