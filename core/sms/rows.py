"""The row, the short links and the answer of an SMS that is accepted."""

from typing import Any

from core import contacts
from core.foundation.clock import wire_time
from core.foundation.validation.phones import region_of
from core.messaging import Channel
from core.providers import registry, sandbox
from core.short_links import LinksOfMessage
from core.sms.sealed_text import seal
from core.sms.send_request import SmsSendRequest
from core.sms.write_batch import Kind


def row_of(request: SmsSendRequest, place: int, price: int) -> dict[str, Any]:
    """The row that `write_batch` takes: the message, its key, its price and its report."""
    new, encoded, caller = request.new, request.encoded, request.caller
    kind, provider, kept = _carried(request)
    return {
        "place": place,
        "kind": kind,
        "price": price,
        "key": request.use.key,
        "body_hash": request.use.body_hash.hex(),
        "answer": answer_of(request, coins=price) if kind == "sandbox" else None,
        "id": request.id,
        "organization_id": caller.organization_id,
        "env": caller.env,
        "route": new.route,
        "recipient": new.to,
        "identity": _identity_to_check(request),
        "region": region_of(new.to),
        "sender_id": new.sender_id,
        "provider": provider,
        "encoding": encoded.encoding,
        "length": encoded.length,
        "segments": encoded.segments,
        "contact_id": new.contact_id,
        "campaign_id": new.campaign_id,
        "metadata": new.metadata,
        "request_id": caller.request_id,
        "created_at": request.at,
        **(_report_of(request) if kind == "sandbox" else {}),
        # What the sandbox gets travels without it: every column that travels as JSON costs twice.
        **({"sealed_text": seal(request.id, request.encoded.body)} if kept else {}),
    }


MARKETING_ROUTE = "premium"
"""The route on which a recipient's opt-out counts; the other ones are transactional."""


def _identity_to_check(request: SmsSendRequest) -> str | None:
    """The hash under which a denial of the recipient would stand; None where no denial counts."""
    if request.new.route != MARKETING_ROUTE:
        return None
    return contacts.phone_identity(request.caller, request.new.to).hex()


def _carried(request: SmsSendRequest) -> tuple[Kind, str, bool]:
    """How the request goes, by which provider, and whether its text is kept in case it is handed over
    again.
    """
    if request.caller.env == "live":
        carriers = registry.carriers(Channel.SMS, request.new.route)
        assert carriers, "a live send without a provider is refused before"
        kept = any(carrier.is_idempotent for carrier in carriers)
        return "live", carriers[0].name, kept
    return ("refused" if refused_by_sandbox(request) else "sandbox"), sandbox.PROVIDER, False


def refused_by_sandbox(request: SmsSendRequest) -> bool:
    """Whether the sandbox, as a provider, says at once that it is out of credit."""
    return request.caller.env == "test" and sandbox.sms_ending(request.new.to).refused


def _report_of(request: SmsSendRequest) -> dict[str, Any]:
    """The sandbox's report on the message; empty for an ending that never reports."""
    ending = sandbox.sms_ending(request.new.to)
    if ending.status is None:
        return {}
    receipt = sandbox.sms_receipt(
        reference=sandbox_reference(request),
        message_id=request.id,
        recipient=request.new.to,
        route=request.new.route,
        status=ending.status,
        reason=ending.reason,
        segments=request.encoded.segments,
    )
    return {"report_status": ending.status, "report_reason": ending.reason, "receipt": receipt}


def links_of(request: SmsSendRequest) -> LinksOfMessage:
    """The short links that stand in the text."""
    return LinksOfMessage(request.id, *request.owner, Channel.SMS, request.links)


def sandbox_reference(request: SmsSendRequest) -> str:
    """The id that the sandbox, as a provider, gives the message."""
    return f"sbx_{request.id[4:]}"


def answer_of(request: SmsSendRequest, *, coins: int) -> dict[str, Any]:
    """The sandbox's 201, unmasked, as it is stored for replays; a live one is made from its settled
    row.
    """
    new, encoded = request.new, request.encoded
    at = wire_time(request.at)
    answer: dict[str, Any] = {
        "id": request.id,
        "status": "sent",
        "env": request.caller.env,
        "route": new.route,
        "to": new.to,
        "provider": sandbox.PROVIDER,
        "encoding": encoded.encoding,
        "length": encoded.length,
        "segments": encoded.segments,
        "createdAt": at,
        "sentAt": at,
        "billing": {"coins": coins},
    }
    if new.contact_id is not None:
        answer["contactId"] = new.contact_id
    if new.campaign_id is not None:
        answer["campaignId"] = new.campaign_id
    if new.metadata is not None:
        answer["metadata"] = new.metadata
    return answer
