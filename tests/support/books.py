"""The books of the service, read in its database: what must add up whatever happened."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, TypeAlias

import asyncpg

from tests.support.customer import ENDINGS
from tests.support.receiver import Receiver
from tests.support.waiting import PATIENCE, eventually

LEDGERS = {
    "available": "disponivel",
    "held": "reservado",
    "revenue": "receita",
    "refund": "estorno",
}

Connection: TypeAlias = "asyncpg.Connection[Any]"


async def everything_is_settled(books: Connection, *, within: float = PATIENCE) -> None:
    """Wait until no report and no delivery is due any more."""
    left: dict[str, Any] = {}

    async def nothing_left() -> bool:
        row = await books.fetchrow(LEFT)
        assert row is not None
        left.update(row)
        return not any(row.values())

    await eventually(
        nothing_left, lambda: f"everything is settled: {left}", within=within, every=0.1
    )


async def check_messages(books: Connection, accepted: Mapping[str, Mapping[str, Any]]) -> None:
    """Each accepted key has one message, paid once, reported once; and there is no other message."""
    ids = {key: record["id"] for key, record in accepted.items()}
    assert len(set(ids.values())) == len(ids), "two keys answered with one message"
    remembered = {
        row["key"]: row["subject_id"]
        for row in await books.fetch("SELECT key, subject_id FROM idempotency_keys")
    }
    assert remembered == ids

    rows = {row["id"]: row for row in await books.fetch("SELECT * FROM messages")}
    assert set(rows) == set(ids.values())
    for row in rows.values():
        assert (row["status"], row["reason"]) == ENDINGS[row["recipient"][-4:]]

    booked = Counter(
        (row["origin"], row["kind"], row["coins"]) for row in await books.fetch(CHARGES)
    )
    assert booked == Counter(
        (row["id"], kind, row["coins"]) for row in rows.values() for kind in ("reserva", "captura")
    )
    await check_wallets(books)


async def check_wallets(books: Connection) -> None:
    """Every balance of every wallet is the sum of its transfers, and nothing is held."""
    wallets = await books.fetch("SELECT * FROM wallets")
    transfers = await books.fetch("SELECT * FROM wallet_transfers")
    for wallet in wallets:
        own = [
            row
            for row in transfers
            if (row["organization_id"], row["env"]) == (wallet["organization_id"], wallet["env"])
        ]
        for column, ledger in LEDGERS.items():
            came = sum(row["coins"] for row in own if row["target"] == ledger)
            went = sum(row["coins"] for row in own if row["source"] == ledger)
            assert wallet[column] == came - went, f"{column} of {wallet['env']}"
        assert wallet["held"] == wallet["owed"] == 0


async def check_deliveries(books: Connection, receiver: Receiver) -> None:
    """Each message has one event and that has one delivery row, delivered; the receiver saw every
    event.
    """
    events = {row["message"]: row["event"] for row in await books.fetch(EVENTS)}
    assert len(events) == await books.fetchval(
        "SELECT count(*) FROM webhook_events WHERE type LIKE 'sms.%'"
    )
    assert set(events) == {row["id"] for row in await books.fetch("SELECT id FROM messages")}

    deliveries = await books.fetch(
        "SELECT event_id, status, due_at, finished_at FROM webhook_deliveries"
    )
    assert Counter(row["event_id"] for row in deliveries) == Counter(events.values())
    assert {row["status"] for row in deliveries} == {"entregue"}

    arrived = {event["id"]: event for event in receiver.events()}
    assert set(arrived) == set(events.values())
    assert {event["data"]["id"]: id for id, event in arrived.items()} == events


async def no_transaction_is_left_open(books: Connection) -> None:
    """No connection of the service sits idle inside a transaction."""

    async def none_open() -> bool:
        return not await books.fetchval(OPEN)

    await eventually(none_open, "no connection sits idle in a transaction")


LEFT = """
SELECT (SELECT count(*) FROM sandbox_reports) AS reports,
       (SELECT count(*) FROM webhook_deliveries WHERE due_at IS NOT NULL) AS deliveries
"""

CHARGES = "SELECT origin, kind, coins FROM wallet_transfers WHERE kind IN ('reserva', 'captura', 'liberacao')"

EVENTS = "SELECT id AS event, data ->> 'id' AS message FROM webhook_events WHERE type LIKE 'sms.%'"

OPEN = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND usename = current_user AND application_name = 'svc'
  AND state LIKE 'idle in transaction%'
"""
