"""Receipts and replies on their way to receivers: claimed for the accounts that are bound here, one bind each.

Of each account so many are under way at once: one that does not answer keeps nobody else waiting, and
an answer that is lost keeps nothing else of its account.
"""

import asyncio
import zlib
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from datetime import UTC, tzinfo
from functools import partial
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

import structlog

from core import smpp
from core.cells import Cell, use_cell
from core.foundation.clock import now
from core.foundation.database.availability import is_outage
from core.foundation.database.combining import Combiner
from core.foundation.observability.outage_log import tell_outage
from core.foundation.pauses import pause
from core.smpp import DueReceipt, DueReply, Ended, LongReplies
from smpp_api.metrics import DELIVERIES
from smpp_api.query import ERRORS, state_of
from smpp_api.session import SmppSession
from smpp_api.submit import charset_of
from smpp_api.wire.bodies import Address, ShortMessage
from smpp_api.wire.commands import CommandStatus
from smpp_api.wire.parameters import Tag
from smpp_api.wire.parts import HAS_HEADER, cut
from smpp_api.wire.receipts import RECEIPT, Receipt, write_receipt
from smpp_api.wire.texts import Charset, write_text

BATCH_SIZE = 500
ENOUGH = BATCH_SIZE // 2
"""Deliveries of an account that are under way: no more are claimed for it as long as there are so many."""
POLL_SECONDS = 0.5

TEMPORARY = frozenset(
    {
        CommandStatus.ESME_RX_T_APPN,
        CommandStatus.ESME_RMSGQFUL,
        CommandStatus.ESME_RTHROTTLED,
        CommandStatus.ESME_RSYSERR,
    }
)

Due = TypeVar("Due", DueReceipt, DueReply)

log = structlog.get_logger()


class Deliveries:
    """What is due for the accounts that are bound by these sessions."""

    def __init__(self, sessions: Callable[[], Collection[SmppSession]]) -> None:
        self._sessions = sessions
        self._under_way: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._more = asyncio.Event()
        self._receipts: Combiner[tuple[DueReceipt, Ended], None] = Combiner(
            partial(_settle, smpp.settle_receipts), most=BATCH_SIZE
        )
        self._replies: Combiner[tuple[DueReply, Ended], None] = Combiner(
            partial(_settle, smpp.settle_replies), most=BATCH_SIZE
        )

    async def run(self, stop: asyncio.Event) -> None:
        """Deliver until told to stop, and note what became of what is under way."""
        while not stop.is_set():
            self._more.clear()
            try:
                await self._begin_due()
            except Exception as error:
                _tell(error)
            await pause(POLL_SECONDS, until=self._more)
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _begin_due(self) -> None:
        """What is due for the accounts of which not enough is under way."""
        for cell, receivers in self._receivers().items():
            try:
                with use_cell(cell):
                    await self._begin_due_of(receivers)
            except Exception as error:  # those of other cells go on
                _tell(error)

    async def _begin_due_of(self, receivers: Mapping[str, list[SmppSession]]) -> None:
        at, ids = now(), list(receivers)
        for receipt in await smpp.claim_receipts(ids, at=at, limit=BATCH_SIZE):
            told = _deliver_receipt(receipt, receivers[receipt.account_id])
            self._begin(receipt, told, self._receipts)
        for reply in await smpp.claim_replies(ids, at=at, limit=BATCH_SIZE):
            said = _deliver_reply(reply, receivers[reply.account_id])
            self._begin(reply, said, self._replies)

    def _receivers(self) -> Mapping[Cell, Mapping[str, list[SmppSession]]]:
        """By their cell and their account."""
        found: dict[Cell, dict[str, list[SmppSession]]] = {}
        for session in self._sessions():
            client = session.client
            if (
                client is not None
                and session.may_receive
                and self._under_way[client.account.id] < ENOUGH
            ):
                of_cell = found.setdefault(client.cell, {})
                of_cell.setdefault(client.account.id, []).append(session)
        return found

    def _begin(
        self,
        due: Due,
        delivery: Coroutine[Any, Any, Ended],
        settling: Combiner[tuple[Due, Ended], None],
    ) -> None:
        self._under_way[due.account_id] += 1
        task = asyncio.get_running_loop().create_task(self._deliver(due, delivery, settling))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _deliver(
        self,
        due: Due,
        delivery: Coroutine[Any, Any, Ended],
        settling: Combiner[tuple[Due, Ended], None],
    ) -> None:
        """Deliver one, and note what became of it."""
        ended = None
        try:
            ended = await delivery
            DELIVERIES.labels(ended).add()
            await settling.submit((due, ended))
        except Exception as error:  # its lease ends
            _tell(error)
        finally:
            self._ended(due.account_id, taken=ended is Ended.TAKEN)

    def _ended(self, account_id: str, *, taken: bool) -> None:
        self._under_way[account_id] -= 1
        left = self._under_way[account_id]
        if not left:
            del self._under_way[account_id]
        if taken and left in (0, ENOUGH - 1):
            self._more.set()


async def _settle(
    settle: Callable[..., Awaitable[int]], ended: Sequence[tuple[Any, Ended]]
) -> Sequence[None]:
    given_up = await settle(ended, at=now())
    if given_up:
        log.warning("smpp_deliveries_given_up", deliveries=given_up)
    return [None] * len(ended)


def _tell(error: Exception) -> None:
    if is_outage(error):
        tell_outage("database_away", error)
    else:
        log.error("smpp_deliveries_failed", exc_info=error)


async def _deliver_receipt(due: DueReceipt, receivers: Collection[SmppSession]) -> Ended:
    session = _least_busy(receivers)
    if session is None or session.client is None:
        return Ended.LATER
    zone = ZoneInfo(session.client.account.receipt_zone)
    return _ended(await session.deliver(message_of(due, zone=zone)))


async def _deliver_reply(due: DueReply, receivers: Collection[SmppSession]) -> Ended:
    """All of its parts by one bind; where one is not taken, all of them again."""
    if due.text is None:
        return Ended.TAKEN
    session = _least_busy(receivers)
    if session is None or session.client is None:
        return Ended.LATER
    is_whole = session.client.account.long_replies is LongReplies.PAYLOAD
    for part in parts_of(due, due.text, charset_of(session.client), is_whole=is_whole):
        ended = _ended(await session.deliver(part))
        if ended is not Ended.TAKEN:
            return ended
    return Ended.TAKEN


def _least_busy(receivers: Collection[SmppSession]) -> SmppSession | None:
    there = [session for session in receivers if session.may_receive]
    return min(there, key=lambda one: one.deliveries, default=None)


def _ended(status: int | None) -> Ended:
    if status is None or status in TEMPORARY:
        return Ended.LATER
    return Ended.TAKEN if status == CommandStatus.ESME_ROK else Ended.REFUSED


def message_of(due: DueReceipt, *, zone: tzinfo = UTC) -> ShortMessage:
    """A receipt as it is written: from the recipient to the sender of its message. Its times are
    those of the zone.
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


def parts_of(
    due: DueReply, text: str, charset: Charset, *, is_whole: bool = False
) -> list[ShortMessage]:
    """A reply as it is written: from who wrote it to the sender of the message that it answers. The
    same again has the same reference. `is_whole`: however long it is, it comes in one.
    """
    octets, coding = write_text(text, charset)
    pieces = cut(octets, coding, reference=zlib.crc32(due.message_id.encode()))
    if is_whole and len(pieces) > 1:
        return [
            ShortMessage(
                Address(due.sender, 1, 1),
                Address(due.destination),
                data_coding=coding,
                parameters={Tag.MESSAGE_PAYLOAD: octets},
            )
        ]
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
