"""A sandbox is emptied: its records and its clock go, what opens it stays."""

import pytest

from core import sandbox_clock, wallet
from core.foundation.clock import real_now
from core.foundation.database import db
from core.organizations import authenticate
from core.sandbox_clock import ClockAdvance, ClockStatus
from core.sandbox_clock.errors import ClockAdvancing
from core.sandbox_clock.reset import KEPT, OWNED
from tests.factories.organizations import a_key
from tests.factories.sms import a_send
from tests.factories.stored_contacts import stored_contact
from tests.factories.webhooks import a_subscription
from tests.support.clocks import freeze, later, request_of

pytestmark = pytest.mark.usefixtures("clean_slate")


async def rows_of(organization_id: str, env: str) -> dict[str, int]:
    tables = [row["name"] for row in await db.fetch(OWNED)]
    counted = {
        table: await db.fetchval(
            f"SELECT count(*) FROM {table} WHERE organization_id = $1 AND env = $2",
            organization_id,
            env,
        )
        for table in tables
    }
    return {table: rows for table, rows in counted.items() if rows}


async def test_records_and_clock_go_and_what_opens_it_stays() -> None:
    key = await a_key()
    caller = await authenticate(key, request_id=None)
    await stored_contact(caller)
    await a_subscription(caller)
    await freeze(caller, later(real_now(), days=3))
    async with request_of(caller):
        await a_send(caller)
        await a_send(caller, scheduledAt=later(real_now(), days=5).isoformat())
    live = await rows_of(caller.organization_id, "live")

    gone = await sandbox_clock.reset_sandbox(caller.organization_id)

    assert {"messages", "contacts", "webhook_subscriptions", "waiting_messages"} <= gone.keys()
    assert (await rows_of(caller.organization_id, "test")).keys() <= KEPT
    assert await rows_of(caller.organization_id, "live") == live
    caller = await authenticate(key, request_id=None)
    assert not caller.has_clock
    assert (await sandbox_clock.get_clock(caller))["status"] == ClockStatus.REAL
    balance = await wallet.get_wallet(caller)
    assert (balance["disponivelCoins"], balance["reservadoCoins"]) == (10_000_000, 0)
    assert (await wallet.prove(caller, wallet.ProofDay()))["confere"]
    assert (await a_send(caller))["status"] == "sent"


async def test_a_clock_on_its_way_is_waited_for() -> None:
    caller = await authenticate(await a_key(), request_id=None)
    await freeze(caller, later(real_now(), days=3))
    await sandbox_clock.advance_clock(caller, ClockAdvance(por="P1D"))

    with pytest.raises(ClockAdvancing):
        await sandbox_clock.reset_sandbox(caller.organization_id)
