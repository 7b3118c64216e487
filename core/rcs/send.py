"""Sending one RCS message."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from core import contacts, idempotency, messaging, short_links
from core.foundation.clock import now
from core.foundation.database.combining import Combiner
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.foundation.settings import current
from core.foundation.validation.phones import region_of
from core.messaging import Channel, Direction, MessageRow, Status
from core.providers import registry, sandbox
from core.providers.sandbox import Ending
from core.rcs.content import Leaving, leaving
from core.rcs.delivery_reports.effects import NO_REPORT_AFTER, sandbox_receipt
from core.rcs.errors import RouteWithoutPrice
from core.rcs.hand_over import hand_over
from core.rcs.inputs import NewRcs
from core.rcs.outgoing import MARKETING_ROUTE
from core.rcs.price import Quote, quote
from core.rcs.queries import answer_again
from core.rcs.record import answer_of, masked
from core.short_links import LinksOfMessage, PlannedLink
from core.sms import Encoded, encode_sms

KEY_ROUTE = "rcs.send"

RCS = messaging.SendChannel(
    Channel.RCS,
    key_route=KEY_ROUTE,
    columns=(*messaging.OWN_COLUMNS, "content", "fallback"),
    beside=(sandbox.REPORTS,),
)

batched_accept: Combiner[messaging.SendRequest, messaging.AcceptOutcome] = Combiner(
    partial(messaging.accept_batch, RCS), lanes=2
)


async def send_message(caller: Caller, new: NewRcs, *, idempotency_key: str) -> dict[str, Any]:
    """Price, accept and record one RCS message, once per key. Answers the record.

    Raises what the interface lists: PaymentRequired, Conflict, PreconditionFailed,
    ValidationFailed, DependencyFailed, ServiceUnavailable, and the refusals of the key itself.
    (Interface: Endpoints, RCS, POST /v2/rcs/messages.)
    """
    caller.require(Scope.RCS_SEND)
    use = idempotency.key_use(
        caller, KEY_ROUTE, idempotency_key, new.model_dump(exclude_unset=True)
    )
    at = now()
    stands_in = encode_sms(new.fallback.text) if new.fallback else None
    prices = await quote(
        caller.organization_id, new.route, stands_in.segments if stands_in else 0, at=at
    )
    request = _request_of(
        caller, new, use, at=at, left=leaving(new), stands_in=stands_in, prices=prices
    )
    accepted = await messaging.send_once(
        Channel.RCS, request, acceptance=batched_accept, hand_over=hand_over, again=answer_again
    )
    return accepted.record if caller.sees_personal_data else masked(accepted.record)


def _request_of(
    caller: Caller,
    new: NewRcs,
    use: idempotency.KeyUse,
    *,
    at: datetime,
    left: Leaving,
    stands_in: Encoded | None,
    prices: Quote | None,
) -> messaging.SendRequest:
    ending = _ending(caller, new)
    message = _message(
        caller,
        new,
        ending,
        at=at,
        content=left.content,
        fallback=_fallback(stands_in, prices),
        coins=prices.dearer if prices else 0,
    )

    return messaging.SendRequest(
        caller=caller,
        use=use,
        message=message,
        at=at,
        answer=answer_of(_as_row(message)) if ending is not None else None,
        identity=contacts.phone_identity(caller, new.to) if new.route == MARKETING_ROUTE else None,
        forbidden=_forbidden(caller, new, prices),
        refused=messaging.ProviderOutOfCredit(message.id) if _is_refused(ending) else None,
        beside={"sandbox_reports": _report(message, ending, at=at)}
        if ending is not None and ending.status is not None
        else None,
        also_write=_links_of(message, left.links, at=at),
    )


def _links_of(
    message: MessageRow, links: Sequence[PlannedLink], *, at: datetime
) -> Callable[[], Awaitable[None]] | None:
    if not links:
        return None
    of_message = LinksOfMessage(message.id, *_owner(message), Channel.RCS, tuple(links))
    return partial(short_links.store_links, [of_message], at=at)


def _ending(caller: Caller, new: NewRcs) -> Ending | None:
    """What the sandbox answers; None for a live send."""
    if caller.env != "test":
        return None
    return sandbox.rcs_ending(new.to, fallback=new.fallback is not None)


def _is_refused(ending: Ending | None) -> bool:
    return ending is not None and ending.refused


def _message(
    caller: Caller,
    new: NewRcs,
    ending: Ending | None,
    *,
    at: datetime,
    content: Mapping[str, Any],
    fallback: dict[str, Any] | None,
    coins: int,
) -> MessageRow:
    id = new_id("msg")
    status = _first_status(ending)
    return MessageRow(
        id=id,
        organization_id=caller.organization_id,
        env=caller.env,
        channel=Channel.RCS,
        direction=Direction.OUTBOUND,
        status=status,
        route=new.route,
        recipient=new.to,
        region=region_of(new.to),
        sender_id=None,
        provider=registry.name_of(caller.env, Channel.RCS),
        provider_reference=f"sbx_{id[4:]}" if ending is not None else None,
        encoding=None,
        length=None,
        segments=None,
        coins=coins,
        contact_id=new.contact_id,
        campaign_id=new.campaign_id,
        metadata=new.metadata,
        request_id=caller.request_id,
        created_at=at,
        sent_at=at if status is Status.SENT else None,
        failed_at=at if status is Status.FAILED else None,
        updated_at=at,
        settle_at=None if status is Status.FAILED else at + RECONCILED_AFTER[status],
        content=content,
        fallback=fallback,
    )


RECONCILED_AFTER = {Status.SENT: NO_REPORT_AFTER, Status.QUEUED: messaging.RECONCILE_AFTER}
"""How long after its acceptance a message is looked at again, by its first status."""


def _first_status(ending: Ending | None) -> Status:
    """The status after acceptance: the sandbox answers in-process, a live provider later."""
    if ending is None:
        return Status.QUEUED
    return Status.FAILED if ending.refused else Status.SENT


def _owner(message: MessageRow) -> tuple[str, str]:
    return message.organization_id, message.env


def _fallback(stands_in: Encoded | None, prices: Quote | None) -> dict[str, Any] | None:
    """The SMS that may stand in, with what its way and the other one cost."""
    if stands_in is None or prices is None:
        return None
    return {"text": stands_in.body, "segments": stands_in.segments, "rcsCoins": prices.rcs}


def _forbidden(caller: Caller, new: NewRcs, prices: Quote | None) -> Exception | None:
    if (landline := messaging.landline_refusal(caller, new.to)) is not None:
        return landline
    if prices is None:
        return RouteWithoutPrice()
    if caller.env == "live" and registry.for_live(Channel.RCS) is None:
        return messaging.NoProvider()
    return None


def _report(message: MessageRow, ending: Ending, *, at: datetime) -> tuple[object, ...]:
    due_at = at + timedelta(seconds=current().sandbox_delay_seconds)
    receipt = sandbox_receipt(message.recipient, message.id, ending)
    return (Channel.RCS, ending.status, ending.reason, due_at, receipt)


def _as_row(message: MessageRow) -> dict[str, Any]:
    """The message as it will be read; what only reports bring is not there yet."""
    return {**message.as_row(), "path": None, "reason": None, "delivered_at": None, "read_at": None}
