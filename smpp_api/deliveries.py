"""Receipts and replies on their way to receivers: claimed for the accounts that are bound here, one bind each.

Each account has a task of its own: one that does not answer keeps nobody else waiting.
"""

import asyncio
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo

import structlog

from core import smpp
from core.foundation.clock import now
from core.foundation.database.availability import is_outage
from core.foundation.observability.outage_log import tell_outage
from core.foundation.pauses import pause
from core.smpp import DueReceipt, DueReply, Ended
from smpp_api.metrics import DELIVERIES
from smpp_api.query import ERRORS, state_of
from smpp_api.session import Session
from smpp_api.submit import charset_of
from smpp_api.wire.bodies import Address, ShortMessage
from smpp_api.wire.commands import Status
from smpp_api.wire.parameters import Tag
from smpp_api.wire.parts import HAS_HEADER, cut
from smpp_api.wire.receipts import RECEIPT, Receipt, write_receipt
from smpp_api.wire.texts import Charset, write_text

BATCH_SIZE = 500
POLL_SECONDS = 0.5

TEMPORARY = frozenset(
    {Status.ESME_RX_T_APPN, Status.ESME_RMSGQFUL, Status.ESME_RTHROTTLED, Status.ESME_RSYSERR}
)

log = structlog.get_logger()


class Deliveries:
    """What is due for the accounts that are bound by these sessions."""

    def __init__(self, sessions: Callable[[], Collection[Session]]) -> None:
        self._sessions = sessions
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._more = asyncio.Event()

    async def run(self, stop: asyncio.Event) -> None:
        """Deliver until told to stop, and note what became of what is under way."""
        while not stop.is_set():
            self._more.clear()
            try:
                await self._begin_due()
            except Exception as error:
                _tell(error)
            await pause(POLL_SECONDS, until=self._more)
        if self._busy:
            await asyncio.wait(self._busy.values())

    async def _begin_due(self) -> None:
        """A batch for each account that has none under way."""
        receivers = self._receivers()
        if not receivers:
            return
        at, ids = now(), list(receivers)
        receipts: dict[str, list[DueReceipt]] = defaultdict(list)
        for receipt in await smpp.claim_receipts(ids, at=at, limit=BATCH_SIZE):
            receipts[receipt.account_id].append(receipt)
        replies: dict[str, list[DueReply]] = defaultdict(list)
        for reply in await smpp.claim_replies(ids, at=at, limit=BATCH_SIZE):
            replies[reply.account_id].append(reply)
        for id in receipts.keys() | replies.keys():
            work = self._deliver(id, receivers[id], receipts[id], replies[id])
            self._busy[id] = asyncio.get_running_loop().create_task(work)

    def _receivers(self) -> Mapping[str, list[Session]]:
        found: dict[str, list[Session]] = defaultdict(list)
        for session in self._sessions():
            client = session.client
            if client is not None and session.may_receive and client.account.id not in self._busy:
                found[client.account.id].append(session)
        return found

    async def _deliver(
        self,
        account_id: str,
        receivers: Collection[Session],
        receipts: Sequence[DueReceipt],
        replies: Sequence[DueReply],
    ) -> None:
        try:
            told = asyncio.gather(*(_deliver_receipt(one, receivers) for one in receipts))
            said = asyncio.gather(*(_deliver_reply(one, receivers) for one in replies))
            of_receipts, of_replies = await told, await said
            for ended, count in Counter([*of_receipts, *of_replies]).items():
                DELIVERIES.labels(ended).add(count)
            at = now()
            given_up = await smpp.settle_receipts(
                list(zip(receipts, of_receipts, strict=True)), at=at
            )
            given_up += await smpp.settle_replies(
                list(zip(replies, of_replies, strict=True)), at=at
            )
            if given_up:
                log.warning("smpp_deliveries_given_up", deliveries=given_up)
            if Ended.TAKEN in of_receipts or Ended.TAKEN in of_replies:
                self._more.set()
        except Exception as error:  # their leases end
            _tell(error)
        finally:
            del self._busy[account_id]


def _tell(error: Exception) -> None:
    if is_outage(error):
        tell_outage("database_away", error)
    else:
        log.error("smpp_deliveries_failed", exc_info=error)


async def _deliver_receipt(due: DueReceipt, receivers: Collection[Session]) -> Ended:
    session = _least_busy(receivers)
    if session is None or session.client is None:
        return Ended.LATER
    zone = ZoneInfo(session.client.account.receipt_zone)
    return _ended(await session.deliver(message_of(due, zone=zone)))


async def _deliver_reply(due: DueReply, receivers: Collection[Session]) -> Ended:
    """All of its parts by one bind; where one is not taken, all of them again."""
    if due.text is None:
        return Ended.TAKEN
    session = _least_busy(receivers)
    if session is None or session.client is None:
        return Ended.LATER
    for part in parts_of(due, due.text, charset_of(session.client)):
        ended = _ended(await session.deliver(part))
        if ended is not Ended.TAKEN:
            return ended
    return Ended.TAKEN


def _least_busy(receivers: Collection[Session]) -> Session | None:
    there = [session for session in receivers if session.may_receive]
    return min(there, key=lambda one: one.deliveries, default=None)


def _ended(status: int | None) -> Ended:
    if status is None or status in TEMPORARY:
        return Ended.LATER
    return Ended.TAKEN if status == Status.ESME_ROK else Ended.REFUSED


def message_of(due: DueReceipt, *, zone: tzinfo = UTC) -> ShortMessage:
    """A receipt as it is written: from the recipient to the sender of its message. Its times are those
    of the zone.
    """
    receipt = Receipt(
        due.id,
        state_of(due.status, due.reason),
        ERRORS.get(due.reason or "", 0),
        due.created_at,
        due.done_at,
    )
    text, parameters = write_receipt(receipt, zone=zone)
    if due.user_reference is not None:
        parameters[Tag.USER_MESSAGE_REFERENCE] = due.user_reference.to_bytes(2)
    return ShortMessage(
        Address(due.destination, 1, 1),
        Address(due.source),
        text,
        esm_class=RECEIPT,
        parameters=parameters,
    )


def parts_of(due: DueReply, text: str, charset: Charset) -> list[ShortMessage]:
    """A reply as it is written: from who wrote it to the sender of the message that it answers. The
    same again has the same reference.
    """
    octets, coding = write_text(text, charset)
    pieces = cut(octets, coding, reference=zlib.crc32(due.message_id.encode()))
    return [
        ShortMessage(
            Address(due.sender, 1, 1),
            Address(due.destination),
            piece,
            data_coding=coding,
            esm_class=HAS_HEADER if len(pieces) > 1 else 0,
        )
        for piece in pieces
    ]
