"""Whatever happens at once and whoever dies in the middle: the money adds up.

Each seed is another story of sends, refusals, silences, deaths, reports, replies, credits and
sweeps, told by several processes at once with real commits. The books are looked at all the while,
and afterwards, when time has settled it.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from random import Random

import httpx
import pytest

from core import sms, wallet
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import outside_transaction
from core.foundation.security.caller import Caller
from core.idempotency import concurrent
from core.providers import registry
from core.wallet.price_table import bands_of
from rest_api.app import create_app
from tests.factories.organizations import a_key
from tests.support.turmoil import OWN_PRICES, Turmoil
from tests.support.two_processes import processes

pytestmark = pytest.mark.slow

__all__ = ["processes"]

SEEDS = range(12)
ORGANIZATIONS = 4
STEPS = 12
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)

ACCEPTED = "sent", "delivered", "undelivered"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("again", [False, True], ids=["handed over once", "handed over again"])
async def test_the_money_adds_up(
    real_commits: None, processes: None, monkeypatch: pytest.MonkeyPatch, seed: int, again: bool
) -> None:
    monkeypatch.setattr(concurrent, "WAIT_TIMEOUT_SECONDS", 0.5)
    turmoil = Turmoil(Random(seed), is_idempotent=again)
    await turmoil.begin(ORGANIZATIONS)
    registry.register(turmoil, "sms")
    try:
        async with watched_books():
            await turmoil.lose_one()
            await turmoil.go_on(STEPS)
            mute = [id for id in turmoil.taken if id not in turmoil.known]
            heard, unheard = mute[::2], mute[1::2]
            await time_passes(turmoil, heard=heard, unheard=unheard)
    finally:
        await registry.close_providers()

    if again:
        assert max(len(asked) for asked in turmoil.asked.values()) > 1, (
            "nothing was handed over again"
        )
    await nothing_is_open()
    await the_messages_are_paid_as_they_ended(turmoil, free=set(unheard) - turmoil.admitted)
    await the_volume_and_its_prices_agree(turmoil)
    await the_replies_are_charged_once(turmoil)
    await the_answers_told_the_truth(turmoil)
    await the_service_says_so_itself([*turmoil.live, *turmoil.test])


async def time_passes(turmoil: Turmoil, *, heard: list[str], unheard: list[str]) -> None:
    """Everything that is settled by time is settled; of the messages given up some are heard of
    before the release of their price, and some after it.
    """
    begun = now()
    for minutes in (2, 4, 6, 8):
        await until_nothing(sms.reconcile, at=begun + minutes * MINUTE)
    await until_nothing(sms.reconcile, at=begun + 11 * MINUTE)
    await turmoil.report(heard, end=("delivered", None))
    # A provider that could not be asked so far can be asked now; three days later all prices are
    # free.
    for hours in (1, 73, 74, 147, 148):
        await until_nothing(sms.reconcile, at=begun + hours * HOUR)
    await turmoil.report(unheard, end=("delivered", None))
    await sms.apply_due_reports(at=begun + HOUR)
    await sms.retry_unmatched(at=begun + HOUR)
    await sms.retry_unmatched(at=begun + 25 * HOUR)


async def until_nothing(use_case: Callable[..., Awaitable[int]], *, at: datetime) -> None:
    """Run a worker's use case until it finds nothing more to do at this moment."""
    while await use_case(at=at):
        pass


# The books at every moment ------------------------------------------------------------------------


@asynccontextmanager
async def watched_books() -> AsyncIterator[None]:
    """Look at all books again and again while the block runs, each time in one statement."""
    over = asyncio.Event()

    async def watch() -> int:
        looks = 0
        while not over.is_set():
            await the_books_are_right()
            looks += 1
        return looks

    watching = asyncio.create_task(watch(), context=outside_transaction())
    try:
        yield
    finally:
        over.set()
        looks = await watching
    assert looks > 5
    await the_books_are_right()


async def the_books_are_right() -> None:
    """Balances are the sums of the movements, nothing is negative, and what is held is held for a
    message.
    """
    wrong = [dict(row) for row in await db.fetch(WRONG_BALANCES)]
    assert not wrong, wrong
    wrong = [dict(row) for row in await db.fetch(WRONG_ORIGINS)]
    assert not wrong, wrong


WRONG_BALANCES = """
WITH side AS (
    SELECT organization_id, env, target AS side, coins FROM wallet_transfers
    UNION ALL SELECT organization_id, env, source, -coins FROM wallet_transfers
), total AS (
    SELECT organization_id, env,
           coalesce(sum(coins) FILTER (WHERE side = 'disponivel'), 0) AS available,
           coalesce(sum(coins) FILTER (WHERE side = 'reservado'), 0) AS held,
           coalesce(sum(coins) FILTER (WHERE side = 'receita'), 0) AS revenue,
           coalesce(-sum(coins) FILTER (WHERE side = 'devido'), 0) AS owed
    FROM side GROUP BY 1, 2
), kept AS (
    SELECT organization_id, env, sum(coins) AS coins FROM messages
    WHERE status = 'sending' OR (status = 'failed' AND reason = 'indeterminate' AND settle_at IS NOT NULL)
    GROUP BY 1, 2
)
SELECT w.*, t.*, k.coins AS kept FROM wallets w
LEFT JOIN total t USING (organization_id, env) LEFT JOIN kept k USING (organization_id, env)
WHERE (w.available, w.held, w.revenue, w.owed, w.refund)
      IS DISTINCT FROM (coalesce(t.available, 0), coalesce(t.held, 0), coalesce(t.revenue, 0), coalesce(t.owed, 0), 0)
   OR w.held <> coalesce(k.coins, 0) OR least(w.available, w.held, w.revenue, w.owed) < 0
"""

WRONG_ORIGINS = """
WITH moved AS (
    SELECT origin,
           coalesce(sum(coins) FILTER (WHERE kind = 'reserva'), 0) AS held,
           coalesce(sum(coins) FILTER (WHERE kind = 'captura'), 0) AS captured,
           coalesce(sum(coins) FILTER (WHERE kind = 'liberacao'), 0) AS released,
           count(*) FILTER (WHERE kind = 'captura') AS captures
    FROM wallet_transfers WHERE source || target <> 'externodisponivel' AND kind <> 'ajuste' GROUP BY 1
)
SELECT m.id, m.status, m.reason, m.settle_at, m.coins, t.* FROM messages m LEFT JOIN moved t ON t.origin = m.id
WHERE m.direction = 'outbound' AND CASE
    WHEN m.status = 'sending' OR (m.reason = 'indeterminate' AND m.settle_at IS NOT NULL)
    THEN (t.held, t.captured, t.released) IS DISTINCT FROM (m.coins, 0, 0)
    ELSE (coalesce(t.captured, 0), coalesce(t.held - t.captured - t.released, 0)) IS DISTINCT FROM (m.coins, 0) END
"""


# The books in the end -----------------------------------------------------------------------------


async def nothing_is_open() -> None:
    """No message is under way, no price is held, no report waits."""
    assert (
        await db.fetchval(
            "SELECT count(*) FROM messages WHERE status = 'sending' OR settle_at IS NOT NULL"
        )
        == 0
    )
    assert await db.fetchval("SELECT sum(held) FROM wallets") == 0
    assert await db.fetchval("SELECT count(*) FROM sandbox_reports") == 0
    assert await db.fetchval("SELECT count(*) FROM parked_receipts") == 0
    wrong = [dict(row) for row in await db.fetch(WRONG_COUNTS)]
    assert not wrong, wrong


WRONG_COUNTS = """
WITH counted AS (
    SELECT organization_id, env, direction, status, sum(delta) AS number FROM message_counts GROUP BY 1, 2, 3, 4
), there AS (
    SELECT organization_id, env, direction, status, count(*) AS number FROM messages GROUP BY 1, 2, 3, 4
)
SELECT * FROM counted c FULL JOIN there t USING (organization_id, env, direction, status)
WHERE coalesce(c.number, 0) <> coalesce(t.number, 0)
"""


async def the_messages_are_paid_as_they_ended(turmoil: Turmoil, *, free: set[str]) -> None:
    """What the provider took is captured once, but for what nobody spoke of in three days; nothing
    else is.
    """
    captures = Counter(
        row["origin"]
        for row in await db.fetch(
            "SELECT origin FROM wallet_transfers WHERE kind = 'captura' AND source = 'reservado'"
        )
    )
    holds = Counter(
        row["origin"]
        for row in await db.fetch("SELECT origin FROM wallet_transfers WHERE kind = 'reserva'")
    )
    rows = await db.fetch("SELECT * FROM messages WHERE direction = 'outbound'")
    seen = {row["id"] for row in rows}
    assert set(turmoil.taken) <= seen
    for row in rows:
        id, state = row["id"], (row["status"], row["reason"])
        if row["env"] == "test":
            paid = row["coins"] > 0
            assert paid == (row["status"] in ACCEPTED), state
        else:
            paid = id in turmoil.taken and id not in free
            assert holds[id] == 1
        assert captures[id] == paid, (state, turmoil.taken.get(id))
        if id in free:
            assert state == ("delivered", None)
        elif paid and row["env"] == "live":
            assert row["status"] in ACCEPTED or row["reason"] in ("expired", "invalid_number")
        elif row["env"] == "live":
            assert state in (
                ("failed", None),
                ("failed", "blacklisted"),
                ("failed", "indeterminate"),
            )


async def the_volume_and_its_prices_agree(turmoil: Turmoil) -> None:
    """The volume counts the captured segments, and together they cost what their places say."""
    for place, caller in enumerate(turmoil.live):
        table = (
            {route: bands_of(pairs) for route, pairs in OWN_PRICES.items()}
            if place % 2
            else wallet.SMS_PRICES
        )
        for route in ("premium", "otp"):
            owner = (caller.organization_id, route)
            segments, coins = await paid_for(caller, route)
            counted = await db.fetch(
                "SELECT accepted FROM sms_volumes WHERE organization_id = $1 AND env = 'live' AND route = $2",
                *owner,
            )
            assert sum(row["accepted"] for row in counted) == segments
            if len(counted) == 1:  # not in the minute in which a month ends
                assert coins == wallet.price_of_segments(
                    table[route], accepted=0, segments=segments
                )
    assert await db.fetchval("SELECT count(*) FROM sms_volumes WHERE env <> 'live'") == 0


async def paid_for(caller: Caller, route: str) -> tuple[int, int]:
    """Segments and coins of the captured live messages on a route."""
    row = await db.fetchrow(
        "SELECT coalesce(sum(m.segments), 0)::bigint, coalesce(sum(t.coins), 0)::bigint FROM messages m "
        "JOIN wallet_transfers t ON t.origin = m.id AND t.kind = 'captura' "
        "WHERE m.organization_id = $1 AND m.env = 'live' AND m.route = $2 AND m.direction = 'outbound'",
        caller.organization_id,
        route,
    )
    assert row is not None
    return row[0], row[1]


async def the_replies_are_charged_once(turmoil: Turmoil) -> None:
    """Each stored reply cost 200, paid or owed; one that names its message by our id is stored."""
    replies = await db.fetch("SELECT * FROM messages WHERE direction = 'inbound'")
    assert len({(row["organization_id"], row["provider_reference"]) for row in replies}) == len(
        replies
    )
    for row in replies:
        assert row["provider_reference"] in turmoil.replied[row["organization_id"]]
        assert (
            await db.fetchval(
                "SELECT sum(coins) FROM wallet_transfers WHERE origin = $1", row["id"]
            )
            == 200
        )
    named_by_us = {
        id for ids in turmoil.replied.values() for id in ids if not id.endswith("by_reference")
    }
    assert named_by_us <= {row["provider_reference"] for row in replies}
    told = await db.fetchval("SELECT count(*) FROM webhook_events WHERE type = 'sms.received'")
    assert told == len(replies)


async def the_answers_told_the_truth(turmoil: Turmoil) -> None:
    """All answers to one key name one message, which is the organization's, and one at most was no
    replay.
    """
    for (organization_id, key), answers in turmoil.answered.items():
        (id,) = {answer["id"] for answer in answers}
        assert [answer["replayed"] for answer in answers].count(False) <= 1
        row = await db.fetchrow("SELECT organization_id FROM messages WHERE id = $1", id)
        assert row is not None
        assert row["organization_id"] == organization_id
        sent = [
            outgoing.id for outgoing in turmoil.taken.values() if turmoil.key_of(outgoing) == key
        ]
        assert len(sent) <= 1, "one key left twice"


async def the_service_says_so_itself(callers: list[Caller]) -> None:
    """GET /v2/wallet/conferencia agrees, for every wallet."""
    transport = httpx.ASGITransport(app=create_app(), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://svc.test") as client:
        for caller in callers:
            key = await a_key(caller.env, organization_id=caller.organization_id)
            answer = await client.get(
                "/v2/wallet/conferencia", headers={"Authorization": f"Bearer {key}"}
            )
            assert (answer.status_code, answer.json()["confere"]) == (200, True)
