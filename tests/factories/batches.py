"""Batches of conversational messages for tests, and what they are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from core import conversations
from core.conversations.reasons import FailureReason
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import read_body
from core.templates.models import TemplateCategory
from tests.factories.numbers import a_number
from tests.factories.templates import a_template

ANA, BIA, CAIO = "+5511987650101", "+5511987650102", "+5511987650103"


@dataclass(frozen=True, slots=True)
class Desk:
    """Who sends, from which number, with which template; it has one placeholder."""

    caller: Caller
    number_id: str
    template_id: str


async def a_desk(
    caller: Caller, *, category: TemplateCategory = TemplateCategory.MARKETING
) -> Desk:
    """A number of the caller's with an approved template."""
    number = await a_number(caller)
    return Desk(caller, number.id, await an_approved_template(caller, number.id, category=category))


async def an_approved_template(
    caller: Caller, number_id: str, *, category: TemplateCategory = TemplateCategory.MARKETING
) -> str:
    """A template with one placeholder that may be sent; its id."""
    body = {"type": "BODY", "payload": {"text": "Olá {{1}}, até já.", "example": ["Ana"]}}
    record = await a_template(
        caller, number_id, status="approved", category=category.value, components=[body]
    )
    return str(record["id"])


def a_new_bulk(
    desk: Desk, *recipients: dict[str, Any] | str, **fields: Any
) -> conversations.NewBulk:
    """The input; a phone alone stands for a recipient with one variable. `...` takes a field out."""
    body = {
        "numberId": desk.number_id,
        "templateId": desk.template_id,
        "recipients": [
            {"to": one, "templateVars": ["Ana"]}
            if isinstance(one, str)
            else {"templateVars": ["Ana"], **one}
            for one in recipients or (ANA,)
        ],
        **fields,
    }
    return read_body(
        conversations.NewBulk,
        orjson.dumps({name: one for name, one in body.items() if one is not ...}),
    )


async def a_bulk(
    desk: Desk, *recipients: dict[str, Any] | str, key: str | None = None, **fields: Any
) -> dict[str, Any]:
    """Send to the recipients, one unless told otherwise; answers what the call answers."""
    new = a_new_bulk(desk, *recipients, **fields)
    return {**await conversations.send_bulk(desk.caller, new, idempotency_key=key)}


async def messages_of(batch_id: str) -> Sequence[db.Row]:
    """The rows of a batch's messages, in the order of their ids."""
    return await db.fetch(
        "SELECT * FROM messages WHERE batch_id = $1 ORDER BY recipient, id", batch_id
    )


async def failed(
    ids: Sequence[str], reason: FailureReason = FailureReason.THROTTLED, **columns: Any
) -> None:
    """Let queued messages fail as the dispatcher does when it gives up."""
    await db.execute("DELETE FROM waiting_messages WHERE message_id = ANY ($1)", list(ids))
    await db.execute(
        "UPDATE messages SET status = 'failed', reason = $2, last_error = $3, original_error = $3, upstream_code = "
        "'130429', failed_at = created_at WHERE id = ANY ($1)",
        list(ids),
        reason,
        "The platform takes no more for now.",
    )
    for name, value in columns.items():
        await db.execute(f"UPDATE messages SET {name} = $2 WHERE id = ANY ($1)", list(ids), value)


async def a_failed_batch(
    desk: Desk, *recipients: str, reason: FailureReason = FailureReason.THROTTLED, **fields: Any
) -> list[str]:
    """A bulk whose messages all failed; their ids in the order of the phones."""
    sent = await a_bulk(desk, *recipients, **fields)
    ids = [row["id"] for row in await messages_of(sent["batchId"])]
    await failed(ids, reason)
    return ids


async def a_resend(caller: Caller, *, key: str | None = None, **body: Any) -> dict[str, Any]:
    """Send again; `body` is that of the call."""
    request = read_body(conversations.Resend, orjson.dumps(body))
    return {**await conversations.resend_messages(caller, request, idempotency_key=key)}
