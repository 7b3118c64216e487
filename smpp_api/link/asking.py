"""Asking an operator what became of messages whose receipts do not come (query_sm)."""

import asyncio
from datetime import datetime

import structlog

from core.foundation.clock import real_now
from core.foundation.database.availability import is_outage
from core.foundation.observability.outage_log import tell_outage
from core.foundation.pauses import pause
from core.smpp.link import ReportKind, ToldByOperator, UntoldPart, claim_untold, keep_report
from smpp_api.link.incoming import INTERMEDIATE, STATES, not_ahead
from smpp_api.link.operator_link import OperatorLink
from smpp_api.link.outgoing import source_of
from smpp_api.metrics import LINK_QUERIES
from smpp_api.wire.bodies import QuerySm, QuerySmResp, read_body
from smpp_api.wire.commands import Command, CommandStatus, Malformed
from smpp_api.wire.frames import Frame
from smpp_api.wire.receipts import MessageState
from smpp_api.wire.times import NotATime, read_time

ASK_SECONDS = 1.0
AT_ONCE = 10
"""Questions a second, at most: messages have the operator's pace for themselves."""
QUERY_SECONDS = 5.0
"""How long a question waits for room; without any it is put off."""
RESTS_SECONDS = 3600.0
"""For how long an operator is not asked that does not know the command."""

log = structlog.get_logger()


class Asking:
    """Asks the operator of one link."""

    def __init__(self, link: OperatorLink) -> None:
        self._link = link
        self._rests_until = 0.0

    async def run(self, stop: asyncio.Event) -> None:
        """Ask until told to stop, where the operator is to be asked at all."""
        while self._link.settings.ask_after and not stop.is_set():
            try:
                await self.ask_due()
            except Exception as error:
                if is_outage(error):
                    tell_outage("database_away", error)
                else:
                    log.exception("smpp_link_asking_failed", link=self._link.settings.name)
            await pause(ASK_SECONDS, until=stop)

    async def ask_due(self) -> int:
        """Ask what is due. Answers how much that was."""
        loop = asyncio.get_running_loop()
        if not self._link.is_open or loop.time() < self._rests_until:
            return 0
        due = await claim_untold(self._link.settings.name, at=real_now(), limit=AT_ONCE)
        await asyncio.gather(*(self._ask(part) for part in due))
        return len(due)

    async def _ask(self, part: UntoldPart) -> None:
        loop, settings = asyncio.get_running_loop(), self._link.settings
        asked = QuerySm(part.said_id, source_of(part.source, settings))
        answer = await self._link.query(asked, before=loop.time() + QUERY_SECONDS)
        word = "none" if answer is None else self._refusal_of(answer)
        if answer is not None and word is None:
            found = _read(answer)
            word = "under_way"
            if found is not None:
                state, at = found
                report = ToldByOperator(
                    ReportKind.RECEIPT, settings.name, "", at, part.smsc_id, None, state
                )
                await keep_report(report)
                word = "ended"
        LINK_QUERIES.labels(str(word)).add()

    def _refusal_of(self, answer: Frame) -> str | None:
        """The word for an answer that tells no state; None for one that does."""
        if answer.command == Command.GENERIC_NACK and answer.status == CommandStatus.ESME_RINVCMDID:
            self._rests_until = asyncio.get_running_loop().time() + RESTS_SECONDS
            log.warning("smpp_link_not_asked", link=self._link.settings.name)
            return "not_spoken"
        if answer.command != Command.QUERY_SM_RESP or answer.status != CommandStatus.ESME_ROK:
            return "not_known"
        return None


def _read(answer: Frame) -> tuple[str, datetime] | None:
    """The end of a message and its time; None for one that is under way, or of which the operator
    knows no more either.
    """
    try:
        found = read_body(answer.command, answer.body)
    except Malformed:
        return None
    if not isinstance(found, QuerySmResp) or found.message_state not in _ENDS:
        return None
    at = real_now()
    try:
        done = read_time(found.final_date, at=at)
    except NotATime:
        done = None
    return STATES[MessageState(found.message_state)], not_ahead(done)


_ENDS = frozenset(STATES) - INTERMEDIATE - {MessageState.UNKNOWN}
