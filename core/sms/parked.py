"""Reports and replies that came before their message was known: tried again until it is."""

from collections import defaultdict
from datetime import datetime

import structlog

from core import messages
from core.foundation.database.transactions import transaction
from core.messages import Parked
from core.messages.reports import KIND as RECEIPT
from core.providers.contracts import InboundReply, Receipt
from core.sms.replies import KIND as REPLY
from core.sms.replies import apply_replies, parked_reply

BATCH = 200

log = structlog.get_logger()


async def try_parked(*, at: datetime) -> int:
    """Try what is due again, in one transaction. Answers how many were tried."""
    async with transaction():
        parked = await messages.take_parked(at=at, limit=BATCH, kinds=(RECEIPT, REPLY))
        receipts: dict[tuple[str, str], list[tuple[Parked, Receipt]]] = defaultdict(list)
        answers: dict[tuple[str, str], list[tuple[Parked, InboundReply]]] = defaultdict(list)
        still: list[Parked] = []
        for one in parked:
            match _read(one):
                case Receipt() as receipt:
                    receipts[(one.organization_id, one.provider)].append((one, receipt))
                case InboundReply() as reply:
                    answers[(one.organization_id, one.provider)].append((one, reply))
                case None:
                    still.append(one)
        for owner, told in receipts.items():
            unknown = await messages.apply_reports(*owner, [receipt for _, receipt in told], at=at)
            still += [told[place][0] for place in unknown]
        for owner, said in answers.items():
            unknown = await apply_replies(*owner, [reply for _, reply in said], at=at)
            still += [said[place][0] for place in unknown]
        await messages.park_again(still, at=at)
    return len(parked)


def _read(parked: Parked) -> Receipt | InboundReply | None:
    """What was parked; None for a row that another version of the service wrote: it must not hold
    up the others.
    """
    try:
        if parked.kind == REPLY:
            return parked_reply(parked.body)
        return messages.parked_receipt(parked.body)
    except (KeyError, TypeError, ValueError) as error:
        log.warning("parked_unreadable", kind=parked.kind, id=parked.id, error=type(error).__name__)
        return None
