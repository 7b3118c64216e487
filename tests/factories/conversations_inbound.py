"""What people write to numbers and accounts, for tests."""

from collections.abc import Sequence
from typing import Any

import orjson

from core import contacts, wallet
from core.conversations import inbound
from core.foundation.clock import now
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import read_body
from core.messaging import Message
from core.messaging.queue.rows import QueuedMessage, enqueue
from core.numbers import Number
from core.providers.meta.webhook import split
from tests.factories.numbers import a_number

WRITER = "+5511987650001"


def a_new_inbound(**fields: Any) -> inbound.NewInbound:
    """The body of a text; `fields` are those of the body by their name there, a `...` takes one
    out.
    """
    body = {"from": WRITER, "type": "text", "payload": {"text": "Olá"}, **fields}
    body = {name: value for name, value in body.items() if value is not ...}
    return read_body(inbound.NewInbound, orjson.dumps(body))


async def an_inbound(caller: Caller, number: Number | None = None, **fields: Any) -> dict[str, Any]:
    """Let somebody write to a number of the sandbox, a new one unless told; answers the record."""
    if number is None and "instagramAccountId" not in fields and "numberId" not in fields:
        number = await a_number(caller)
    if number is not None:
        fields["numberId"] = number.id
    return {**await inbound.receive_in_sandbox(caller, a_new_inbound(**fields))}


# The platform's shapes ----------------------------------------------------------------------------


def a_status(id: str, status: str, at: int = 1_790_000_000, **fields: Any) -> dict[str, Any]:
    """One of `statuses`. `id`: ours; the platform's is `wamid.` and ours, unless `fields` say
    otherwise.
    """
    return {
        "id": f"wamid.{id}",
        "status": status,
        "timestamp": str(at),
        "recipient_id": WRITER.removeprefix("+"),
        "biz_opaque_callback_data": id,
        **fields,
    }


def a_message(
    reference: str, text: str = "Olá", at: int = 1_790_000_000, **fields: Any
) -> dict[str, Any]:
    """One of `messages`."""
    return {
        "from": WRITER.removeprefix("+"),
        "id": reference,
        "timestamp": str(at),
        "type": "text",
        "text": {"body": text},
        **fields,
    }


def a_notice(number: Number, **value: Any) -> bytes:
    """The body that the platform posts: one change of a number, with `statuses`, `messages` and
    `contacts`.
    """
    return orjson.dumps(notice_of([(number, value)]))


def notice_of(changes: Sequence[tuple[Number, dict[str, Any]]]) -> dict[str, Any]:
    """A body with several changes."""
    return {
        "object": "whatsapp_business_account",
        "entry": [
            {
                "id": number.waba_id,
                "changes": [
                    {
                        "field": "messages",
                        "value": {
                            "messaging_product": "whatsapp",
                            "metadata": {
                                "display_phone_number": number.phone.removeprefix("+"),
                                "phone_number_id": number.phone_number_id,
                            },
                            **value,
                        },
                    }
                ],
            }
            for number, value in changes
        ],
    }


# What is reported on ------------------------------------------------------------------------------

PRICE = 400


async def a_sent_message(
    caller: Caller, number: Number, *, status: str = "sent", **columns: Any
) -> str:
    """The id of a live template of 400 coins in this status, its money as that status wants it.

    `columns`: of the row, such as `attempts`; `waits`: whether it has a waiting row.
    """
    owner, id, at = (caller.organization_id, caller.env), new_id("msg"), now()
    waits = columns.pop("waits", status == "queued")
    columns = {
        "recipient": WRITER,
        "coins": PRICE,
        "attempts": 1,
        "reason": None,
        "settle_at": None,
        **columns,
    }
    await wallet.book([wallet.hold(owner, id, PRICE)], at=at)
    if status == "sent":
        columns = {"provider_reference": f"wamid.{id}", "sent_at": at, **columns}
        await wallet.book([wallet.capture(owner, id, PRICE)], at=at)
    await Message.create(
        id=id,
        organization_id=owner[0],
        env=owner[1],
        channel="whatsapp",
        direction="outbound",
        status=status,
        provider="meta",
        number_id=number.id,
        type="template",
        priority="normal",
        force=False,
        content={"name": "pedido_enviado", "language": "pt_BR", "components": []},
        metadata={"order": "A-1042"},
        created_at=at,
        updated_at=at,
        **columns,
    )
    if waits:
        identity = contacts.phone_identity(caller, columns["recipient"])
        await enqueue([QueuedMessage(id, *owner, number.id, identity, 1, False, False, at, at)])
    return id


async def posted(body: bytes) -> int:
    """Store what the platform posts, and let a worker apply what is due; answers how much that was."""
    await inbound.store_notices(split(body), at=now())
    return await inbound.apply_due_notices(at=now())
