"""Conversations: a person and a number, or an account at Instagram, that the person wrote to; read
field by field.
"""

from collections.abc import Sequence

from core.conversations.windows import CHANNEL_OF_PAIR, OF_A_NUMBER
from core.foundation.clock import now
from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import (
    Arguments,
    Entity,
    Field,
    Order,
    OrderKey,
    column,
    time,
    wire_time_of,
)

OF_THE_SENDER = "coalesce(number_id, instagram_account_id)"

# Newest first by the index of the contact: a message of ours ends what is unread.
UNREAD = f"""(
    SELECT count(*) FROM messages m
    WHERE m.organization_id = $1 AND m.env = $2 AND m.contact_id = {{t}}.contact_id
      AND {OF_THE_SENDER} = {{t}}.sender_id AND m.direction = 'inbound'
      AND m.created_at > coalesce((
          SELECT o.created_at FROM messages o
          WHERE o.organization_id = $1 AND o.env = $2 AND o.contact_id = {{t}}.contact_id
            AND coalesce(o.number_id, o.instagram_account_id) = {{t}}.sender_id
            AND o.direction = 'outbound'
          ORDER BY o.created_at DESC LIMIT 1), '-infinity')
)"""

BY_ACTIVITY = Order(
    "activity",
    (OrderKey("{t}.last_inbound_at", "timestamptz"), OrderKey("{t}.id", "bigint")),
    descending=True,
)


def _visible(where: Where, caller: Caller) -> None:
    """Of whom nobody has ever heard there is no conversation yet."""
    caller.require(Scope.MESSAGES_READ)
    where.narrow("last_inbound_at IS NOT NULL AND contact_id IS NOT NULL")


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    for condition, value in (
        ("sender_id = {}", filter.get("numberId")),
        ("contact_id = {}", filter.get("contactId")),
    ):
        if value is not None:
            where.narrow(condition, value)
    if (is_open := filter.get("windowOpen")) is not None:
        sign = ">" if is_open else "<="
        where.narrow(f"last_inbound_at {sign} {{}}::timestamptz - interval '24 hours'", now())
    return ()


CONVERSATION = Entity(
    name="Conversation",
    table="conversation_pairs",
    alias="cp",
    scope=Scope.MESSAGES_READ,
    prefix="",
    fields={
        "channel": Field(CHANNEL_OF_PAIR),
        "contactId": column("contact_id"),
        "numberId": Field(f"CASE WHEN {OF_A_NUMBER} THEN {{t}}.sender_id END"),
        "instagramAccountId": Field(f"CASE WHEN NOT {OF_A_NUMBER} THEN {{t}}.sender_id END"),
        "lastInboundAt": time("last_inbound_at"),
        "windowEndsAt": Field("{t}.last_inbound_at + interval '24 hours'", make=wire_time_of),
        "unread": Field(UNREAD),
    },
    orders={"": BY_ACTIVITY},
    narrow=_narrow,
    visible=_visible,
)
