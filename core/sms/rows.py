"""What an accepted draft becomes: its message, its payment, its report, its answer. Pure."""

from datetime import datetime, timedelta
from typing import Any

from core import messages, wallet
from core.foundation.clock import wire_time
from core.foundation.phones import region_of
from core.messages import Channel, Status
from core.providers import sandbox
from core.short_links import LinksOfMessage
from core.sms.draft import Draft

ASK_AFTER = timedelta(seconds=60)
"""How long a `sending` message is left to the request that made it, before the sweep asks the provider."""


def message_of(draft: Draft, *, status: Status, provider: str, coins: int) -> messages.NewMessage:
    """The row of the messages table."""
    new, encoded, caller = draft.new, draft.encoded, draft.caller
    return messages.NewMessage(
        id=draft.id,
        organization_id=caller.organization_id,
        env=caller.env,
        channel=messages.Channel.SMS,
        direction=messages.Direction.OUTBOUND,
        status=status,
        route=new.route,
        recipient=new.to,
        region=region_of(new.to),
        sender_id=new.sender_id,
        provider=provider,
        provider_reference=sandbox_reference(draft) if status is Status.SENT else None,
        encoding=encoded.encoding,
        length=encoded.length,
        segments=encoded.segments,
        coins=coins,
        contact_id=new.contact_id,
        campaign_id=new.campaign_id,
        metadata=new.metadata,
        request_id=caller.request_id,
        created_at=draft.at,
        sent_at=draft.at if status is Status.SENT else None,
        failed_at=draft.at if status is Status.FAILED else None,
        updated_at=draft.at,
        settle_at=draft.at + ASK_AFTER if status is Status.SENDING else None,
    )


def payment_of(draft: Draft, price: int, *, captured: bool) -> list[wallet.Transfer]:
    """The hold, and the capture where the provider has answered already."""
    request_id = draft.caller.request_id
    held = wallet.hold(draft.owner, draft.id, price, request_id)
    return [held, wallet.capture(draft.owner, draft.id, price, request_id)] if captured else [held]


def report_of(draft: Draft, due_at: datetime) -> list[sandbox.Report]:
    """The sandbox's report on the message; none for an ending that never reports."""
    ending = sandbox.sms_ending(draft.new.to)
    if ending.status is None:
        return []
    receipt = sandbox.sms_receipt(
        reference=sandbox_reference(draft),
        message_id=draft.id,
        recipient=draft.new.to,
        route=draft.new.route,
        status=ending.status,
        reason=ending.reason,
        segments=draft.encoded.segments,
    )
    return [sandbox.Report(draft.id, *draft.owner, messages.Channel.SMS, ending.status, ending.reason, due_at, receipt)]


def links_of(draft: Draft) -> LinksOfMessage:
    """The short links that stand in the text."""
    return LinksOfMessage(draft.id, *draft.owner, Channel.SMS, draft.links)


def sandbox_reference(draft: Draft) -> str:
    """The id that the sandbox, as a provider, gives the message."""
    return f"sbx_{draft.id[4:]}"


def answer_of(draft: Draft, *, coins: int, provider: str, status: str, reason: str | None = None) -> dict[str, Any]:
    """The record of the 201, unmasked, as it is stored for replays."""
    new, encoded = draft.new, draft.encoded
    at = wire_time(draft.at)
    answer: dict[str, Any] = {
        "id": draft.id,
        "status": status,
        "env": draft.caller.env,
        "route": new.route,
        "to": new.to,
        "provider": provider,
        "encoding": encoded.encoding,
        "length": encoded.length,
        "segments": encoded.segments,
        "createdAt": at,
        "billing": {"coins": coins},
    }
    if status == "sent":
        answer["sentAt"] = at
    if status == "failed":
        answer["failedAt"] = at
    if reason is not None:
        answer["reason"] = reason
    if new.contact_id is not None:
        answer["contactId"] = new.contact_id
    if new.campaign_id is not None:
        answer["campaignId"] = new.campaign_id
    if new.metadata is not None:
        answer["metadata"] = new.metadata
    return answer
