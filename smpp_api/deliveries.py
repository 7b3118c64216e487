"""Receipts on their way to receivers: claimed for the accounts that are bound here, one bind each."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection

import structlog

from core import smpp
from core.foundation.clock import now
from core.foundation.database.availability import is_outage
from core.foundation.observability.outage_log import tell_outage
from core.foundation.pauses import pause
from core.smpp import DueReceipt, Ended
from smpp_api.query import ERRORS, state_of
from smpp_api.session import Session
from smpp_api.wire.bodies import Address, ShortMessage
from smpp_api.wire.commands import Status
from smpp_api.wire.parameters import Tag
from smpp_api.wire.receipts import RECEIPT, Receipt, write_receipt

BATCH_SIZE = 500
POLL_SECONDS = 0.5

TEMPORARY = frozenset(
    {Status.ESME_RX_T_APPN, Status.ESME_RMSGQFUL, Status.ESME_RTHROTTLED, Status.ESME_RSYSERR}
)

log = structlog.get_logger()


async def deliver(sessions: Callable[[], Collection[Session]], stop: asyncio.Event) -> None:
    """Deliver what is due until told to stop."""
    while not stop.is_set():
        is_full = False
        try:
            is_full = await deliver_due(sessions())
        except Exception as error:
            if is_outage(error):
                tell_outage("database_away", error)
            else:
                log.exception("smpp_deliveries_failed")
        if not is_full:
            await pause(POLL_SECONDS, until=stop)


async def deliver_due(sessions: Collection[Session]) -> bool:
    """Deliver a batch; whether there may be more."""
    receivers: dict[str, list[Session]] = defaultdict(list)
    for session in sessions:
        if session.may_receive and session.client is not None:
            receivers[session.client.account.id].append(session)
    if not receivers:
        return False
    due = await smpp.claim_receipts(list(receivers), at=now(), limit=BATCH_SIZE)
    outcomes = await asyncio.gather(*(_deliver(one, receivers[one.account_id]) for one in due))
    given_up = await smpp.settle_receipts(list(zip(due, outcomes, strict=True)), at=now())
    if given_up:
        log.warning("smpp_receipts_given_up", receipts=len(given_up))
    return len(due) == BATCH_SIZE


async def _deliver(due: DueReceipt, receivers: Collection[Session]) -> Ended:
    """To the bind that has least to do."""
    there = [session for session in receivers if session.may_receive]
    if not there:
        return Ended.LATER
    session = min(there, key=lambda one: one.deliveries)
    status = await session.deliver(message_of(due))
    if status is None or status in TEMPORARY:
        return Ended.LATER
    return Ended.TAKEN if status == Status.ESME_ROK else Ended.REFUSED


def message_of(due: DueReceipt) -> ShortMessage:
    """A receipt as it is written: from the recipient to the sender of its message."""
    receipt = Receipt(
        due.id,
        state_of(due.status, due.reason),
        ERRORS.get(due.reason or "", 0),
        due.created_at,
        due.done_at,
    )
    text, parameters = write_receipt(receipt)
    if due.user_reference is not None:
        parameters[Tag.USER_MESSAGE_REFERENCE] = due.user_reference.to_bytes(2)
    return ShortMessage(
        Address(due.destination, 1, 1),
        Address(due.source),
        text,
        esm_class=RECEIPT,
        parameters=parameters,
    )
