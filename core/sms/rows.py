"""What an accepted draft becomes: the row that is written down, its links, its answer."""

from typing import Any

from core import contacts
from core.foundation.clock import wire_time
from core.foundation.validation.phones import region_of
from core.messages import Channel
from core.providers import registry, sandbox
from core.short_links import LinksOfMessage
from core.sms.draft import Draft
from core.sms.sealed_text import seal
from core.sms.write_down import Kind


def row_of(draft: Draft, place: int, price: int) -> dict[str, Any]:
    """The row that `write_down` takes: the message, its key, its price and its report."""
    new, encoded, caller = draft.new, draft.encoded, draft.caller
    kind, provider, kept = _carried(draft)
    return {
        "place": place,
        "kind": kind,
        "price": price,
        "key": draft.use.key,
        "body_hash": draft.use.body_hash.hex(),
        "answer": answer_of(draft, coins=price) if kind == "sandbox" else None,
        "id": draft.id,
        "organization_id": caller.organization_id,
        "env": caller.env,
        "route": new.route,
        "recipient": new.to,
        "identity": _identity_to_check(draft),
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
        "created_at": draft.at,
        **(_report_of(draft) if kind == "sandbox" else {}),
        # What the sandbox gets travels without it: every column that travels as JSON costs twice.
        **({"sealed_text": seal(draft.id, draft.encoded.body)} if kept else {}),
    }


MARKETING_ROUTE = "premium"
"""The route on which a recipient's opt-out counts; the other ones are transactional."""


def _identity_to_check(draft: Draft) -> str | None:
    """The hash under which a denial of the recipient would stand; None where no denial counts."""
    if draft.new.route != MARKETING_ROUTE:
        return None
    return contacts.phone_identity(draft.caller, draft.new.to).hex()


def _carried(draft: Draft) -> tuple[Kind, str, bool]:
    """How the draft goes, by which provider, and whether its text is kept in case it is handed over
    again.
    """
    if draft.caller.env == "live":
        carrier = registry.for_live(Channel.SMS)
        assert carrier is not None, "the intake refuses a live send without a provider"
        return "live", carrier.name, carrier.is_idempotent
    return ("refused" if refused_by_sandbox(draft) else "sandbox"), sandbox.PROVIDER, False


def refused_by_sandbox(draft: Draft) -> bool:
    """Whether the sandbox, as a provider, says at once that it is out of credit."""
    return draft.caller.env == "test" and sandbox.sms_ending(draft.new.to).refused


def _report_of(draft: Draft) -> dict[str, Any]:
    """The sandbox's report on the message; empty for an ending that never reports."""
    ending = sandbox.sms_ending(draft.new.to)
    if ending.status is None:
        return {}
    receipt = sandbox.sms_receipt(
        reference=sandbox_reference(draft),
        message_id=draft.id,
        recipient=draft.new.to,
        route=draft.new.route,
        status=ending.status,
        reason=ending.reason,
        segments=draft.encoded.segments,
    )
    return {"report_status": ending.status, "report_reason": ending.reason, "receipt": receipt}


def links_of(draft: Draft) -> LinksOfMessage:
    """The short links that stand in the text."""
    return LinksOfMessage(draft.id, *draft.owner, Channel.SMS, draft.links)


def sandbox_reference(draft: Draft) -> str:
    """The id that the sandbox, as a provider, gives the message."""
    return f"sbx_{draft.id[4:]}"


def answer_of(draft: Draft, *, coins: int) -> dict[str, Any]:
    """The sandbox's 201, unmasked, as it is stored for replays; a live one is made from its settled
    row.
    """
    new, encoded = draft.new, draft.encoded
    at = wire_time(draft.at)
    answer: dict[str, Any] = {
        "id": draft.id,
        "status": "sent",
        "env": draft.caller.env,
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
