"""What the service does all day, in short: for tables that are laid out in another way."""

from core import sms, wallet
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.http_client import GuardedClient
from core.foundation.security.caller import Caller
from core.webhooks import Dispatcher
from tests.factories.live import a_delivery_report, a_live_caller, a_reply
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.factories.webhooks import a_subscription
from tests.support.money import moved_for
from tests.support.receiver import Receiver


async def a_day_in_the_sandbox(http: GuardedClient, receiver: Receiver) -> Caller:
    """Send, repeat, report, deliver the webhook, list: all as ever."""
    caller = await a_caller("test")
    await a_subscription(caller, receiver.url)
    sent = await a_send(caller, key="once")
    again = await a_send(caller, key="once")
    assert (again["id"], again["replayed"]) == (sent["id"], True)
    await db.execute("UPDATE sandbox_reports SET due_at = $1", now())
    assert await sms.apply_due_reports(at=now()) >= 1
    await Dispatcher(http).drain()
    assert (await sms.get_message(caller, sent["id"]))["status"] == "delivered"
    assert len(receiver.arrivals) == 1
    assert await sent_by(caller) == [sent["id"]]
    assert await moved_for(sent["id"]) == [("reserva", 800), ("captura", 800)]
    await proven(caller)
    return caller


async def a_day_of_live_sends() -> Caller:
    """Send through a provider, take its report and the recipient's reply twice each: told, stored
    and charged once.
    """
    caller = await a_live_caller(10_000)
    id = (await a_send(caller))["id"]
    for _ in range(2):
        await sms.receive_reports(
            caller.organization_id, "gateway", [a_delivery_report(id)], at=now()
        )
        await sms.receive_replies(
            caller.organization_id, "gateway", [a_reply(id, id="mo_1")], at=now()
        )
    assert (await sms.get_message(caller, id))["status"] == "delivered"
    (reply,) = (await sms.list_replies(caller, sms.ReplyFilter.model_validate({})))["items"]
    assert await moved_for(id) == [("reserva", 800), ("captura", 800)]
    assert len(await moved_for(reply["id"])) == 1
    await proven(caller)
    return caller


async def sent_by(caller: Caller) -> list[str]:
    """The messages that the caller sent, newest first; the total that is kept agrees with them."""
    page = await sms.list_messages(caller, sms.SmsFilter.model_validate({"limit": 200}))
    found = [item["id"] for item in page["items"]]
    assert page["total"] == len(found)
    return found


async def proven(caller: Caller) -> None:
    """The caller's wallet is what its movements add up to."""
    proof = await wallet.prove(caller, wallet.ProofDay.model_validate({}))
    assert proof["confere"] is True


async def unique_keys(table: str) -> set[str]:
    """The columns of each unique key of a table."""
    rows = await db.fetch(
        """
        SELECT string_agg(a.attname, ', ' ORDER BY u.n) AS columns
        FROM pg_index x, unnest(x.indkey) WITH ORDINALITY AS u (number, n), pg_attribute a
        WHERE x.indrelid = $1::text::regclass AND x.indisunique AND a.attrelid = x.indrelid AND a.attnum = u.number
        GROUP BY x.indexrelid
        """,
        table,
    )
    return {row["columns"] for row in rows}
