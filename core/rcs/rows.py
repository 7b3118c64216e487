"""The row and the answer of an RCS message that is accepted."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from core import contacts, decisions, messaging
from core.foundation.clock import now
from core.foundation.rules import Rule
from core.foundation.security.caller import Caller
from core.foundation.validation.phones import region_of
from core.messaging import Channel, Direction, MessageRow, SendRequest, Status, timeouts
from core.providers import registry, sandbox
from core.providers.sandbox import Ending
from core.rcs.errors import RouteWithoutPrice
from core.rcs.inputs import NewRcs
from core.rcs.outgoing import MARKETING_ROUTE
from core.rcs.price import RcsPrice, quotes_of
from core.rcs.record import answer_of
from core.rcs.send_request import RcsSend
from core.short_links import links_beside
from core.sms import Encoded

KEY_ROUTE = "rcs.send"
"""Where the Idempotency-Keys of sends are kept apart from those of other operations."""

RCS = messaging.SendChannel(
    Channel.RCS,
    key_route=KEY_ROUTE,
    columns=(*messaging.OWN_COLUMNS, "content", "fallback"),
    beside=(sandbox.REPORTS,),
)

RECONCILED_AFTER = {Status.SENT: timeouts.REPORT_TIMEOUT, Status.QUEUED: messaging.RECONCILE_AFTER}
"""How long after its acceptance a message is looked at again, by its first status."""


Send = TypeVar("Send", bound=RcsSend)


async def requests_of(
    sends: Sequence[Send], accepted_as: Callable[[Send, RcsPrice | None], SendRequest]
) -> list[SendRequest]:
    """These sends as they are accepted, each at its price."""
    at = max((send.at for send in sends), default=now())
    prices = await quotes_of([send.priced_by for send in sends], at=at)
    return [accepted_as(*each) for each in zip(sends, prices, strict=True)]


def request_of(send: RcsSend, message: MessageRow, prices: RcsPrice | None) -> SendRequest:
    """The send as it is accepted: the message, its key and its price."""
    caller, new = send.caller, send.new
    owner = (caller.organization_id, caller.env)
    return SendRequest(
        caller=caller,
        use=send.use,
        message=message,
        at=send.at,
        identity=contacts.phone_identity(caller, new.to) if new.route == MARKETING_ROUTE else None,
        forbidden=_forbidden(caller, new, prices),
        also_write=links_beside(send.id, owner, Channel.RCS, send.left.links, at=send.at),
        quote_id=new.quote_id,
    )


def message_of(send: RcsSend, ending: Ending | None, prices: RcsPrice | None) -> MessageRow:
    """The row of a message. `ending`: what the sandbox answers at once; None where somebody is to
    be asked.
    """
    caller, new, at = send.caller, send.new, send.at
    status = _first_status(ending)
    return MessageRow(
        id=send.id,
        organization_id=caller.organization_id,
        env=caller.env,
        channel=Channel.RCS,
        direction=Direction.OUTBOUND,
        status=status,
        route=new.route,
        recipient=new.to,
        region=region_of(new.to),
        provider=registry.name_of(caller.env, Channel.RCS),
        provider_reference=sandbox.reference_of(send.id) if ending is not None else None,
        coins=prices.dearer if prices else 0,
        contact_id=new.contact_id,
        campaign_id=new.campaign_id,
        metadata=new.metadata,
        request_id=caller.request_id,
        created_at=at,
        sent_at=at if status is Status.SENT else None,
        failed_at=at if status is Status.FAILED else None,
        updated_at=at,
        settle_at=None if status is Status.FAILED else at + RECONCILED_AFTER[status],
        content=send.left.content,
        fallback=_fallback(send.stands_in, prices),
        decision_facts=_facts(prices),
        quote_id=new.quote_id,
    )


def _facts(prices: RcsPrice | None) -> str | None:
    """What is kept of the decision: the prices of both ways."""
    if prices is None:
        return None
    ways = {"rcsCoins": prices.rcs, "smsCoins": prices.sms}
    return decisions.kept_facts({Rule.PRICE.value: ways})


def _first_status(ending: Ending | None) -> Status:
    """The status after acceptance: the sandbox answers in-process, a live provider later."""
    if ending is None:
        return Status.QUEUED
    return Status.FAILED if ending.refused else Status.SENT


def _fallback(stands_in: Encoded | None, prices: RcsPrice | None) -> dict[str, object] | None:
    """The SMS that may stand in, with what its way and the other one cost."""
    if stands_in is None or prices is None:
        return None
    return {"text": stands_in.body, "segments": stands_in.segments, "rcsCoins": prices.rcs}


def _forbidden(caller: Caller, new: NewRcs, prices: RcsPrice | None) -> Exception | None:
    """A landline, a route without a price, a live send without a provider."""
    if (landline := messaging.landline_refusal(caller, new.to)) is not None:
        return landline
    if prices is None:
        return RouteWithoutPrice()
    if caller.env == "live" and registry.for_live(Channel.RCS) is None:
        return messaging.NoProvider()
    return None


def answer_to(message: MessageRow) -> dict[str, object]:
    """The unmasked answer to the send; what only reports bring is not there yet."""
    nothing = dict.fromkeys(
        ("path", "reason", "scheduled_at", "delivered_at", "read_at", "journey_run")
    )
    return answer_of({**nothing, **message.as_row()})
