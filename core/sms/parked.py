"""Reports and replies that came before their message was known: tried again until it is."""

from collections import defaultdict
from datetime import datetime

from core import messages
from core.foundation.transactions import transaction
from core.sms import receive_receipts, replies

BATCH = 200


async def try_parked(*, at: datetime) -> int:
    """Try what is due again, in one transaction. Answers how many were tried."""
    async with transaction():
        parked = await messages.take_parked(at=at, limit=BATCH)
        groups = defaultdict(list)
        for one in parked:
            groups[(one.organization_id, one.provider, one.kind)].append(one)
        still: list[messages.Parked] = []
        for (organization_id, provider, kind), group in groups.items():
            if kind == replies.KIND:
                unknown = await replies.apply_replies(
                    organization_id, provider, [replies.parked_reply(one.body) for one in group], at=at
                )
            else:
                receipts = [receive_receipts.parked_receipt(one.body) for one in group]
                unknown = await receive_receipts.apply_receipts(organization_id, provider, receipts, at=at)
            still += [group[place] for place in unknown]
        await messages.park_again(still, at=at)
    return len(parked)
