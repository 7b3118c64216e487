"""Reports that came before their message was known: tried again, ever more seldom, for 24 hours.

Most of them never find one: whoever shares a number with another service hears of that one's
messages too.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from core import messages
from core.conversations.receipts import Report, apply_reports
from core.foundation.database.transactions import transaction
from core.messages import UnmatchedReport
from core.providers.platform import StatusReport

KIND = "status"
BATCH = 200


async def park_reports(reports: Sequence[Report], *, at: datetime) -> None:
    """Keep reports of unknown messages, in the transaction that did not find them."""
    by_owner: dict[tuple[str, str, str], list[dict[str, object]]] = defaultdict(list)
    for report in reports:
        by_owner[report.organization_id, report.env, report.provider].append(
            {**asdict(report.word), "at": report.word.at.isoformat()}
        )
    for (organization_id, env, provider), bodies in by_owner.items():
        await messages.keep_unmatched(organization_id, env, provider, KIND, bodies, at=at)


async def try_parked(*, at: datetime) -> int:
    """Try what is due again, in one transaction. Answers how many were tried."""
    async with transaction():
        parked = await messages.take_due_unmatched(at=at, limit=BATCH, kinds=(KIND,))
        unknown = await apply_reports([_read(one) for one in parked], at=at)
        await messages.requeue_unmatched(
            [parked[place] for place in sorted(unknown)], at=at, seldom=True
        )
    return len(parked)


def _read(parked: UnmatchedReport) -> Report:
    word = StatusReport(**{**parked.body, "at": datetime.fromisoformat(parked.body["at"])})
    return Report(parked.organization_id, parked.env, parked.provider, word)
