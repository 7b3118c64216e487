"""Conversational messages for tests, and the windows in which they may be sent."""

from datetime import datetime, timedelta
from typing import Any

import orjson

from core import contacts, conversations
from core.conversations.addresses import identity_of
from core.conversations.queue.claim import claim
from core.conversations.queue.hand_over import hand_over
from core.conversations.queue.pacing import find_due_senders, take_tokens
from core.conversations.queue.settle import settle
from core.conversations.windows import InboundSeen, note_inbound
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import read_body
from core.messaging.queue.pacing import Pacing
from core.numbers import Number
from core.providers import registry
from tests.factories.numbers import a_number

ANA = "+5511987650301"
"""In the sandbox, whatever is sent to her is delivered."""

TEXT = {"type": "text", "payload": {"text": "Olá"}}


async def a_window(
    caller: Caller, sender_id: str, to: str = ANA, *, ago: timedelta = timedelta(hours=1)
) -> None:
    """That person wrote to the sender, an hour ago unless told otherwise."""
    channel = "whatsapp" if sender_id.startswith("num_") else "instagram"
    identity = identity_of(channel, caller.organization_id, to, unified=caller.unifies_ninth_digit)
    seen = InboundSeen(caller.organization_id, caller.env, sender_id, identity, now() - ago)
    await note_inbound([seen])


async def a_conversation(caller: Caller, to: str = ANA, **fields: Any) -> Number:
    """A number of the caller's to which that person wrote an hour ago; `fields` are columns of the
    number.
    """
    number = await a_number(caller, **fields)
    await a_window(caller, number.id, to)
    return number


def a_body(number_id: str, **fields: Any) -> dict[str, Any]:
    """A text to Ana; `fields` are those of the body by their name there, a `...` takes one out."""
    body = {"numberId": number_id, "to": ANA, **TEXT, **fields}
    return {name: value for name, value in body.items() if value is not ...}


def a_new_message(number_id: str, **fields: Any) -> conversations.NewMessage:
    """The same as an input."""
    return read_body(conversations.NewMessage, orjson.dumps(a_body(number_id, **fields)))


async def a_message(
    caller: Caller, number_id: str, *, key: str | None = None, **fields: Any
) -> dict[str, Any]:
    """Send one; answers the record."""
    new = a_new_message(number_id, **fields)
    return {**await conversations.send_message(caller, new, idempotency_key=key)}


async def a_forced_message(caller: Caller, number_id: str, **fields: Any) -> dict[str, Any]:
    """Send one past buckets and quiet hours; answers the record."""
    body = a_body(number_id, **{"motivo": "Aviso de segurança", **fields})
    new = read_body(conversations.ForcedMessage, orjson.dumps(body))
    return {**await conversations.force_message(caller, new)}


async def let_leave(*, at: datetime | None = None, rounds: int = 20) -> int:
    """Let leave what is due at this moment and has its tokens; answers how many were taken."""
    dispatcher = conversations.ConversationDispatcher()
    taken = 0
    for _ in range(rounds):
        now_taken, _ = await dispatcher.round(at=at or now())
        await dispatcher.finish()
        taken += now_taken
        if not now_taken:
            break
    return taken


async def report_all(steps: int = 2) -> None:
    """Let the sandbox tell all it has to tell."""
    for step in range(1, steps + 1):
        await conversations.apply_due_reports(at=now() + timedelta(hours=step))


async def waiting_ids() -> set[str]:
    """The messages that wait."""
    return {row["message_id"] for row in await db.fetch("SELECT message_id FROM waiting_messages")}


async def deny(caller: Caller, phone: str = ANA, channel: str = "todos") -> None:
    """That person wants nothing more on the channel."""
    await contacts.opt_out(
        caller,
        contacts.OptOut.model_validate({"phones": [phone], "canal": channel, "motivo": "Pediu"}),
    )


async def hand_over_here(*, at: datetime | None = None) -> int:
    """What the dispatcher does in one round, one after the other and in the transaction of the
    test.
    """
    at = at or now()
    senders = await find_due_senders(at=at, most=1000)
    claimed = await claim(await Pacing(take_tokens).allot(senders, slots=1000), at=at)
    platform = registry.for_conversations()
    for ready in claimed.ready:
        assert platform is not None
        settlement = await hand_over(ready, await Number.get(id=ready.queued.sender_id), platform)
        if settlement is not None:
            await settle([settlement])
    return claimed.taken
