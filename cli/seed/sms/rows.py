"""SMS and replies of the past as rows of the messages table, and the money that they moved."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import orjson

from cli.seed.sms.draw import PastLink, PastReply, PastSms
from core import wallet
from core.foundation.clock import wire_time
from core.foundation.validation.phones import region_of
from core.messaging import Channel, Direction, Status
from core.providers import gateway, sandbox

COLUMNS = (
    "id", "organization_id", "env", "channel", "direction", "status", "reason", "route",
    "recipient", "region",
    "provider", "provider_reference", "provider_receipt", "encoding", "length", "segments",
    "coins", "contact_id",
    "campaign_id", "content", "in_reply_to", "metadata", "created_at", "sent_at", "delivered_at",
    "failed_at",
    "updated_at",
)  # fmt: skip

LINK = (
    "code", "organization_id", "env", "message_id", "channel", "position", "url", "clicks",
    "bot_clicks",
    "first_clicked_at", "last_clicked_at", "created_at",
)  # fmt: skip

SMS, OUTBOUND, INBOUND = Channel.SMS.value, Direction.OUTBOUND.value, Direction.INBOUND.value
PROVIDERS: dict[str, tuple[str, str]] = {
    "test": (sandbox.PROVIDER, "sbx_"),
    "live": (gateway.PROVIDER, "gw_"),
}
"""Who carried the messages, and how its references begin."""


def row_of(owner: wallet.Owner, id: str, sms: PastSms, coins: int) -> tuple[Any, ...]:
    """An outbound message."""
    provider, mark = PROVIDERS[owner[1]]
    reference = mark + id[4:] if sms.outcome.accepted else None
    status, ended = sms.status, sms.ended_at
    delivered = status is Status.DELIVERED
    receipt = None
    if ended and reference:
        receipt = receipt_of(id, reference, sms, ended)
    return (
        id, *owner, SMS, OUTBOUND, status.value, sms.outcome.reason if ended else None, sms.route,
        sms.recipient.phone,
        region_of(sms.recipient.phone), provider, reference, receipt, sms.encoded.encoding,
        sms.encoded.length,
        sms.encoded.segments, coins if sms.outcome.accepted else 0, sms.recipient.contact_id,
        sms.campaign_id, None, None,
        orjson.dumps(sms.metadata).decode() if sms.metadata else None, sms.created_at, sms.sent_at,
        ended if delivered else None, None if delivered else ended, ended or sms.sent_at,
    )  # fmt: skip


def receipt_of(id: str, reference: str, sms: PastSms, at: datetime) -> str:
    """The carrier's report as JSON."""
    receipt = sandbox.sms_receipt(
        reference=reference,
        message_id=id,
        recipient=sms.recipient.phone,
        route=sms.route,
        status=sms.status.value,
        reason=sms.outcome.reason,
        segments=sms.encoded.segments,
    )
    return orjson.dumps({**receipt, "received": wire_time(at)}).decode()


def reply_row(
    owner: wallet.Owner, id: str, original: str, sms: PastSms, reply: PastReply
) -> tuple[Any, ...]:
    """The recipient's answer."""
    provider, mark = PROVIDERS[owner[1]]
    return (
        id, *owner, SMS, INBOUND, Status.DELIVERED.value, None, sms.route, sms.recipient.phone,
        None, provider,
        mark + id[4:], None, None, None, None, 0, sms.recipient.contact_id, sms.campaign_id,
        orjson.dumps({"text": reply.text}).decode(), original, None, reply.at, None, reply.at,
        None, reply.at,
    )  # fmt: skip


def link_row(
    owner: wallet.Owner, code: str, id: str, sms: PastSms, link: PastLink
) -> tuple[Any, ...]:
    """The short link in a message."""
    return (
        code, *owner, id, SMS, 0, link.url, link.clicks, link.bot_clicks, link.first_at,
        link.last_at, sms.created_at,
    )  # fmt: skip


def transfers_of(
    owner: wallet.Owner, id: str, sms: PastSms, coins: int
) -> Iterator[tuple[datetime, wallet.Transfer]]:
    """What an outbound message moved: held when it was written down, then captured, or released if
    it was refused.

    The sandbox holds nothing for what it refuses.
    """
    if sms.outcome.accepted:
        yield sms.created_at, wallet.hold(owner, id, coins)
        yield sms.sent_at or sms.created_at, wallet.capture(owner, id, coins)
    elif owner[1] == "live":
        yield sms.created_at, wallet.hold(owner, id, coins)
        yield sms.ended_at or sms.created_at, wallet.release(owner, id, coins)
