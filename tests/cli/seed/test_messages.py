"""Seeded SMS obey the rules that real ones obey."""

from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from typing import Any

import orjson
import phonenumbers
import pytest

from cli.seed.organization import DEFAULT_DAYS
from core import sms, wallet
from core.foundation.database import db
from core.foundation.security.caller import Caller, system_caller
from core.foundation.validation.phones import region_of
from core.messaging import merge_counts
from core.providers import sandbox
from tests.factories.organizations import a_caller
from tests.factories.seeding import AS_OF, a_seed
from tests.support.ledger import balances, check_books
from tests.support.slates import rolled_back

pytestmark = pytest.mark.usefixtures("clean_slate")

BOTH = pytest.mark.parametrize("seeded", ["test", "live"], indirect=True, scope="module")
SANDBOX = pytest.mark.parametrize("seeded", ["test"], indirect=True, scope="module")
FINAL_WITH_REASON = {
    ("undelivered", "carrier_rejected"),
    ("failed", "invalid_number"),
    ("failed", "expired"),
    ("failed", "blacklisted"),
}


@dataclass(frozen=True)
class Seeded:
    """Whose messages they are, the balances before them, and what the seed answered."""

    caller: Caller
    before: dict[str, int]
    answer: dict[str, Any]


@pytest.fixture(scope="module")
async def seeded(request: pytest.FixtureRequest, database: None) -> AsyncIterator[Seeded]:
    """An organization with seeded messages in an environment, which the tests only look at."""
    async with rolled_back():
        caller = await a_caller(request.param)
        before = await balances((caller.organization_id, caller.env))
        yield Seeded(caller, before, await a_seed(caller))


async def the_messages(caller: Caller, direction: str = "outbound") -> list[Any]:
    return await db.fetch(
        "SELECT * FROM messages WHERE organization_id = $1 AND env = $2 AND direction = $3 AND channel = 'sms' "
        "ORDER BY created_at, id",
        caller.organization_id,
        caller.env,
        direction,
    )


async def the_transfers(caller: Caller) -> list[Any]:
    """What SMS moved, and what was paid in."""
    return await db.fetch(
        "SELECT * FROM wallet_transfers t WHERE organization_id = $1 AND env = $2 AND NOT EXISTS ("
        "SELECT FROM messages m WHERE m.id = t.origin AND m.channel = 'whatsapp') ORDER BY created_at, id",
        caller.organization_id,
        caller.env,
    )


@BOTH
async def test_as_many_are_written_as_were_asked_for(seeded: Seeded) -> None:
    caller, answer = seeded.caller, seeded.answer
    assert (answer["messages"], answer["asOf"], answer["seed"]) == (
        2_000,
        "2025-07-01T00:00:00.000Z",
        1,
    )
    assert len(await the_messages(caller)) == 2_000
    assert len(await the_messages(caller, "inbound")) == answer["replies"] > 0


@BOTH
async def test_status_and_times_agree(seeded: Seeded) -> None:
    caller = seeded.caller

    seen = set()
    for row in await the_messages(caller):
        state = (row["status"], row["reason"])
        seen.add(state)
        assert AS_OF - timedelta(days=DEFAULT_DAYS) <= row["created_at"] < AS_OF
        times = [row["created_at"], row["sent_at"], row["delivered_at"] or row["failed_at"]]
        there = [at for at in times if at is not None]
        assert there == sorted(there)
        assert row["updated_at"] == there[-1] < AS_OF
        assert row["settle_at"] is None
        assert (row["delivered_at"] is not None) == (row["status"] == "delivered")
        assert (row["failed_at"] is not None) == (row["status"] in ("failed", "undelivered"))
        assert (row["sent_at"] is not None) == (row["provider_reference"] is not None)
        if row["sent_at"] is None:
            assert (row["status"], row["coins"], row["provider_receipt"]) == ("failed", 0, None)
        else:
            assert state in FINAL_WITH_REASON | {("delivered", None), ("sent", None)}
    assert seen >= FINAL_WITH_REASON | {("delivered", None), ("sent", None)}


@BOTH
async def test_most_are_delivered_and_some_are_not(seeded: Seeded) -> None:
    caller = seeded.caller

    statuses = Counter(row["status"] for row in await the_messages(caller))

    assert 0.92 < statuses["delivered"] / 2_000 < 0.96
    assert 0.02 < statuses["undelivered"] / 2_000 < 0.045
    assert 0.01 < statuses["failed"] / 2_000 < 0.035
    assert 0.003 < statuses["sent"] / 2_000 < 0.02


@SANDBOX
async def test_in_the_sandbox_the_recipient_decides_the_end(seeded: Seeded) -> None:
    caller = seeded.caller

    for row in await the_messages(caller):
        ending = sandbox.sms_ending(row["recipient"])
        expected = "failed" if ending.refused else ending.status or "sent"
        assert (row["status"], row["reason"]) == (expected, ending.reason)
        assert row["provider"] == "svc-sandbox"


@BOTH
async def test_a_receipt_tells_what_the_message_says(seeded: Seeded) -> None:
    caller = seeded.caller

    for row in await the_messages(caller):
        receipt = row["provider_receipt"]
        assert (receipt is not None) == (row["sent_at"] is not None and row["status"] != "sent")
        if receipt is not None:
            assert (receipt["to"], receipt["id"], receipt["reference"], receipt["bill_factor"]) == (
                row["recipient"],
                row["provider_reference"],
                row["id"],
                row["segments"],
            )


@BOTH
async def test_recipients_are_valid_and_mostly_at_home(seeded: Seeded) -> None:
    caller = seeded.caller
    rows = await the_messages(caller)

    assert all(phonenumbers.is_valid_number(phonenumbers.parse(row["recipient"])) for row in rows)
    assert all(row["region"] == region_of(row["recipient"]) for row in rows)
    assert 0 < sum(row["region"] == "INTL" for row in rows) < 60


async def test_texts_are_of_every_kind() -> None:
    caller = await a_caller()
    await a_seed(caller, contacts=100, messages=2_000)
    rows = await the_messages(caller)

    assert {row["encoding"] for row in rows} == {"GSM-7", "UCS-2"}
    assert {row["segments"] for row in rows} >= {1, 2}
    assert {row["route"] for row in rows} == {"premium", "otp"}
    for row in rows:
        most = {"GSM-7": (160, 152), "UCS-2": (70, 67)}[row["encoding"]]
        assert row["length"] <= (most[0] if row["segments"] == 1 else most[1] * row["segments"])


@BOTH
async def test_the_books_add_up_on_every_day(seeded: Seeded) -> None:
    caller, before = seeded.caller, seeded.before

    await check_books()
    after = await balances((caller.organization_id, caller.env))
    assert (
        0 <= after["disponivel"] - before["disponivel"] < 2 * 100_000
    )  # of SMS and of conversations
    assert (after["reservado"], after["devido"], after["estorno"]) == (0, 0, 0)
    for day in (date(2025, 4, 2), date(2025, 5, 20), date(2025, 6, 30), AS_OF.date(), None):
        proof = await wallet.prove(caller, wallet.ProofDay(dia=day))
        assert proof["confere"]
        assert all(
            side["inicioDoDiaCoins"] >= 0 and side["fimDoDiaCoins"] >= 0 for side in proof["contas"]
        )


@BOTH
async def test_no_balance_was_ever_below_zero(seeded: Seeded) -> None:
    caller = seeded.caller
    held = available = 0
    last = None

    for row in await the_transfers(caller):
        if row["created_at"] >= AS_OF:
            continue
        assert last is None or row["created_at"] >= last
        last = row["created_at"]
        available += row["coins"] * (
            (row["target"] == "disponivel") - (row["source"] == "disponivel")
        )
        held += row["coins"] * ((row["target"] == "reservado") - (row["source"] == "reservado"))
        assert available >= 0
        assert held >= 0
    assert last is not None


@BOTH
async def test_each_accepted_message_was_held_and_captured_once(seeded: Seeded) -> None:
    caller = seeded.caller
    moved: dict[str, dict[str, int]] = {}
    for row in await the_transfers(caller):
        assert row["kind"] not in moved.setdefault(row["origin"], {})
        moved[row["origin"]][row["kind"]] = row["coins"]

    for row in await the_messages(caller):
        transfers = moved.pop(row["id"], {})
        if row["sent_at"] is not None:
            assert transfers == {"reserva": row["coins"], "captura": row["coins"]}
        elif caller.env == "test":
            assert transfers == {}
        else:
            assert transfers["reserva"] == transfers["liberacao"] > 0
    for row in await the_messages(caller, "inbound"):
        assert moved.pop(row["id"]) == {"captura": 200}
    assert {kind for kinds in moved.values() for kind in kinds} <= {
        "credito"
    }  # the payments, and a sandbox's start


@SANDBOX
async def test_a_sandbox_message_costs_what_the_table_says(seeded: Seeded) -> None:
    caller = seeded.caller

    for row in await the_messages(caller):
        price = wallet.SMS_PRICES[row["route"]][0].coins
        assert row["coins"] == (price * row["segments"] if row["sent_at"] else 0)
    assert await db.fetchval("SELECT count(*) FROM sms_volumes") == 0


async def test_live_prices_fall_as_the_volume_of_the_month_grows() -> None:
    caller = await a_caller("live")
    premium = [
        {"fromSegment": from_, "coins": coins}
        for from_, coins in ((1, 500), (100, 300), (250, 200))
    ]
    await wallet.set_prices(
        caller.organization_id, {"sms": {"premium": premium, "otp": premium[:1]}}
    )
    await a_seed(caller)

    routes = [(caller.organization_id, route) for route in ("premium", "otp")]
    rates = await wallet.read_rates(routes, at=AS_OF)
    volumes: Counter[tuple[str, str]] = Counter()
    for row in await the_messages(caller):
        if row["sent_at"] is None:
            continue
        month = (f"{row['sent_at'].astimezone(UTC):%Y-%m}", row["route"])
        bands = rates[caller.organization_id, row["route"]].bands
        assert row["coins"] == wallet.price_of_segments(
            bands, accepted=volumes[month], segments=row["segments"]
        )
        volumes[month] += row["segments"]
    stored = await db.fetch(
        "SELECT month, route, accepted FROM sms_volumes WHERE accepted > 0 AND organization_id = $1",
        caller.organization_id,
    )
    assert {(row["month"], row["route"]): row["accepted"] for row in stored} == volumes
    assert max(volumes.values()) > 250


@SANDBOX
async def test_kept_counts_are_the_counted_ones(seeded: Seeded) -> None:
    await merge_counts()

    kept = await db.fetch(
        "SELECT direction, status, sum(delta)::bigint FROM message_counts GROUP BY 1, 2 ORDER BY 1, 2"
    )
    counted = await db.fetch(
        "SELECT direction, status, count(*) FROM messages GROUP BY 1, 2 ORDER BY 1, 2"
    )
    assert [tuple(row) for row in kept] == [tuple(row) for row in counted]


async def test_campaigns_and_metadata_can_be_read_and_filtered() -> None:
    caller = await a_caller()
    await a_seed(caller, contacts=150, messages=2_000)
    rows = await the_messages(caller)
    campaigns = Counter(row["campaign_id"] for row in rows)
    biggest = next(id for id, _ in campaigns.most_common() if id is not None)

    page = await sms.list_messages(caller, sms.SmsFilter(campaign_id=biggest, limit=200))

    assert page["total"] == campaigns[biggest]
    assert all(item["campaignId"] == biggest for item in page["items"])
    assert campaigns[None] < 0.65 * len(rows)
    for row in rows:
        # As a send would take it.
        body = {"to": row["recipient"], "body": "x", "route": row["route"]}
        sms.NewSms.model_validate(
            {**body, "campaignId": row["campaign_id"], "metadata": row["metadata"]}
        )


@SANDBOX
async def test_replies_answer_what_was_delivered_before(seeded: Seeded) -> None:
    caller = seeded.caller
    sent = {row["id"]: row for row in await the_messages(caller)}

    for reply in await the_messages(caller, "inbound"):
        original = sent[reply["in_reply_to"]]
        assert original["status"] == "delivered"
        assert original["delivered_at"] < reply["created_at"] < AS_OF
        assert [
            reply[column] for column in ("recipient", "route", "campaign_id", "contact_id")
        ] == [original[column] for column in ("recipient", "route", "campaign_id", "contact_id")]


@SANDBOX
async def test_history_wakes_nobody(seeded: Seeded) -> None:
    for table in (
        "webhook_events",
        "webhook_deliveries",
        "idempotency_keys",
        "sandbox_reports",
        "parked_receipts",
    ):
        assert await db.fetchval(f"SELECT count(*) FROM {table}") == 0, table


@pytest.mark.usefixtures("billing_off")
async def test_without_billing_nothing_costs_anything() -> None:
    caller = await a_caller()
    await a_seed(caller)

    assert {row["coins"] for row in await the_messages(caller)} == {0}
    assert await the_transfers(caller) == []


async def test_an_organization_that_sells_itself_no_otp_sent_none() -> None:
    caller = await a_caller()
    await wallet.set_prices(
        caller.organization_id, {"sms": {"premium": [{"fromSegment": 1, "coins": 1}]}}
    )

    await a_seed(caller, messages=300)

    assert {row["route"] for row in await the_messages(caller)} == {"premium"}


async def test_the_audit_trail_tells_that_the_data_is_made_up() -> None:
    caller = await a_caller()
    await a_seed(system_caller(caller.organization_id, "test"), messages=10)

    entry, *_ = await db.fetch(
        "SELECT * FROM audit_entries WHERE action = 'data.seeded' AND facts ->> 'part' = 'messages' "
        "AND organization_id = $1",
        caller.organization_id,
    )
    assert (entry["actor_kind"], entry["subject_id"], entry["facts"]["count"]) == (
        "system",
        "seed_1",
        10,
    )
    assert "+55" not in orjson.dumps(entry["facts"]).decode()
