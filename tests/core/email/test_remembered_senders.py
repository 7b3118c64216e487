"""A process remembers who may be written from; whether it holds still is asked as a send is accepted."""

from typing import Any

import pytest

from core.email.addresses import Sender
from core.email.errors import NoVerifiedSender
from core.email.rows import KEY_ROUTE, EmailSend
from core.email.send import batched_accept
from core.email.senders.remembered import remembered
from core.email.suppression import NewSuppression, suppress
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.idempotency import key_use
from core.messaging import AcceptedSend
from tests.factories.emails import a_new_email, a_sender, an_email
from tests.factories.organizations import a_caller
from tests.fakes.relay import Relay
from tests.support.mail import outbox_of
from tests.support.money import balances_of

pytestmark = pytest.mark.usefixtures("clean_slate")

ANY: dict[str, Any] = {"from": ...}


async def accept_together(caller: Caller, *fields: dict[str, Any]) -> list[Any]:
    """E-mails that are accepted as one batch."""
    sends = []
    for number, each in enumerate(fields):
        new = a_new_email(**each)
        use = key_use(caller, KEY_ROUTE, f"together {number}", new.model_dump(exclude_unset=True))
        sends.append(EmailSend(caller, new, use, new_id("msg"), now()))
    return list(await batched_accept._work(sends))


async def test_what_is_taken_for_granted_of_one_changes_nothing_for_its_neighbours(
    relay: Relay,
) -> None:
    caller = await a_sender()
    await an_email(caller, to="bia@example.org")
    await an_email(caller, **ANY)
    first = remembered((caller.organization_id, "live", None))
    assert first == (Sender("", "loja@example.com"), ("loja@example.com", "@example.com", False))
    before = await balances_of(caller)
    # By another process, in the moment before.
    await suppress(
        [NewSuppression(caller.organization_id, "live", "x@example.org", "complaint", None)],
        at=now(),
    )

    suppressed, queued, named, unverified = await accept_together(
        caller,
        {"to": "X@example.org", **ANY},
        {"to": "ana@example.org", **ANY},
        {"to": "ana@example.org", "from": "Loja <loja@example.com>"},
        {"to": "ana@example.org", "from": "outra@example.com"},
    )

    assert (suppressed.record["status"], suppressed.record["billing"]["coins"]) == ("failed", 0)
    assert (queued.record["status"], queued.record["from"]) == ("queued", "loja@example.com")
    assert named.record["from"] == "Loja <loja@example.com>"
    assert isinstance(unverified, NoVerifiedSender)
    assert {queued.record["id"], named.record["id"]} < set(await outbox_of(caller))
    assert suppressed.record["id"] not in await outbox_of(caller)
    assert (await balances_of(caller)).available == before.available - 20


async def test_a_sender_that_another_process_verifies_or_removes_counts_at_once() -> None:
    caller = await a_caller()
    assert (await an_email(caller, **ANY))["from"] == "no-reply@sandbox.test"
    (again,) = await accept_together(caller, ANY)
    assert isinstance(again, AcceptedSend)

    await db.execute(
        "INSERT INTO email_senders (organization_id, env, address, verified_at) "
        "VALUES ($1, 'test', 'loja@example.com', now())",
        caller.organization_id,
    )
    assert (await an_email(caller, **ANY))["from"] == "loja@example.com"
    await db.execute("DELETE FROM email_senders")
    assert (await an_email(caller, **ANY))["from"] == "no-reply@sandbox.test"
