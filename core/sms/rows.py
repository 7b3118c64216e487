"""The row and the answer of an SMS that is accepted."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from core import contacts, messaging
from core.foundation.clock import wire_time
from core.foundation.settings import current
from core.foundation.validation.phones import region_of
from core.messaging import OWN_COLUMNS, Channel, Direction, MessageRow, SendChannel, Status
from core.providers import registry, sandbox
from core.short_links import links_beside
from core.smpp import RECEIPTS_BESIDE, receipts_beside
from core.sms.errors import ProviderOutOfCredit, SmsRecipientOptedOut
from core.sms.sealed_text import seal
from core.sms.send_request import KEY_ROUTE, SmsSendRequest

SMS = SendChannel(
    Channel.SMS,
    key_route=KEY_ROUTE,
    columns=(*OWN_COLUMNS, "sender_id", "encoding", "length", "segments", "sealed_text"),
    beside=(sandbox.REPORTS,),
    opted_out=SmsRecipientOptedOut,
)

SMS_BY_SMPP = replace(
    SMS, columns=(*SMS.columns, "smpp_account_id"), beside=(*SMS.beside, RECEIPTS_BESIDE)
)
"""The channel where accounts of SMPP send: all other sends have a statement that knows nothing of them."""


def channel_of(requests: Iterable[SmsSendRequest]) -> SendChannel:
    """What these sends are accepted by."""
    by_smpp = [request for request in requests if request.smpp is not None]
    return SMS_BY_SMPP if by_smpp else SMS


def accepted_as(
    request: SmsSendRequest,
    price: int,
    *,
    forbidden: Exception | None,
    prepaid: bool = False,
    facts: str | None = None,
) -> messaging.SendRequest:
    """The send as it is accepted: the message, its key, its price and its report."""
    is_sandbox = request.caller.env == "test"
    ending = sandbox.sms_ending(request.new.to) if is_sandbox else None
    refused = ending is not None and ending.refused
    answers = is_sandbox and not refused
    status, provider, sealed_text = _carried(request, refused=refused)
    return messaging.SendRequest(
        caller=request.caller,
        use=request.use,
        message=message_of(
            request, price, status=status, provider=provider, sealed_text=sealed_text, facts=facts
        ),
        at=request.at,
        answer=answer_of(request, coins=price) if answers else None,
        keeps_answer=False,
        captured=is_sandbox,
        identity=_identity_to_check(request),
        forbidden=forbidden,
        refused=ProviderOutOfCredit(request.id) if refused else None,
        beside=beside_of(
            request, sandbox_reports=_report_of(request, ending) if ending and answers else None
        ),
        also_write=links_beside(
            request.id, request.owner, Channel.SMS, request.links, at=request.at
        ),
        quote_id=request.quote_id,
        prepaid=prepaid,
    )


def message_of(
    request: SmsSendRequest,
    price: int,
    *,
    status: Status,
    provider: str | None,
    sealed_text: str | None,
    facts: str | None,
) -> MessageRow:
    """The row of an SMS in this status, which this provider carries."""
    new, encoded, caller, at = request.new, request.encoded, request.caller, request.at
    return MessageRow(
        id=request.id,
        organization_id=caller.organization_id,
        env=caller.env,
        channel=Channel.SMS,
        direction=Direction.OUTBOUND,
        status=status,
        route=new.route,
        recipient=new.to,
        region=region_of(new.to),
        sender_id=new.sender_id,
        provider=provider,
        provider_reference=sandbox.reference_of(request.id) if status is Status.SENT else None,
        encoding=encoded.encoding,
        length=encoded.length,
        segments=encoded.segments,
        coins=price,
        contact_id=new.contact_id,
        campaign_id=new.campaign_id,
        metadata=new.metadata,
        request_id=caller.request_id,
        created_at=at,
        sent_at=at if status is Status.SENT else None,
        failed_at=at if status is Status.FAILED else None,
        updated_at=at,
        settle_at=at + messaging.RECONCILE_AFTER if status is Status.SENDING else None,
        sealed_text=sealed_text,
        smpp_account_id=None if request.smpp is None else request.smpp.account_id,
        decision_facts=facts,
    )


MARKETING_ROUTE = "premium"
"""The route on which a recipient's opt-out counts; the other ones are transactional."""


def _identity_to_check(request: SmsSendRequest) -> bytes | None:
    """The hash under which a denial of the recipient would stand; None where no denial counts."""
    if request.new.route != MARKETING_ROUTE:
        return None
    return contacts.phone_identity(request.caller, request.new.to)


def _carried(request: SmsSendRequest, *, refused: bool) -> tuple[Status, str | None, str | None]:
    """Its status, its provider, and its sealed text where it may be handed over again."""
    if request.caller.env != "live":
        return (Status.FAILED if refused else Status.SENT), sandbox.PROVIDER, None
    carriers = registry.carriers(Channel.SMS, request.new.route)
    if not carriers:  # such a send is refused, and not stored
        return Status.SENDING, None, None
    is_kept = any(carrier.is_idempotent for carrier in carriers)
    return (
        Status.SENDING,
        carriers[0].name,
        seal(request.id, request.encoded.body) if is_kept else None,
    )


def beside_of(
    request: SmsSendRequest, **rows: tuple[object, ...] | None
) -> dict[str, tuple[object, ...]] | None:
    """What is written beside the message: these rows by their table, and the receipts that are
    wanted; None where nothing is.
    """
    if request.smpp is not None and request.smpp.receipts:
        rows[RECEIPTS_BESIDE.table] = receipts_beside(request.smpp)
    return {table: row for table, row in rows.items() if row is not None} or None


def _report_of(request: SmsSendRequest, ending: sandbox.Ending) -> tuple[object, ...] | None:
    """The sandbox's report on the message; None for an ending that never reports."""
    if ending.status is None:
        return None
    receipt = sandbox.sms_receipt(
        reference=sandbox.reference_of(request.id),
        message_id=request.id,
        recipient=request.new.to,
        route=request.new.route,
        status=ending.status,
        reason=ending.reason,
        segments=request.encoded.segments,
    )
    due_at = request.at + timedelta(seconds=current().sandbox_delay_seconds)
    return (Channel.SMS, ending.status, ending.reason, due_at, receipt)


def answer_of(request: SmsSendRequest, *, coins: int) -> messaging.Record:
    """The sandbox's 201, unmasked; a live one is made from its settled row. Repeats are answered from
    the row too (`repeated_record`).
    """
    new, encoded = request.new, request.encoded
    at = wire_time(request.at)
    answer: messaging.Record = {
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
    if new.quote_id is not None:
        answer["quoteId"] = new.quote_id
    return answer
