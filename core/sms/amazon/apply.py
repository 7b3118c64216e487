"""Applying what Amazon tells of messages: statuses, costs, replies. Any order, any number of times.

An event names its message by our id, which travelled with it: so one whose answer was lost is
settled by its first event. A reply names Amazon's id of the message that it answers.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime

import structlog

from core import messaging
from core.cells import Cell, cell_of, every_cell, use_cell
from core.cells import current as current_cell
from core.foundation.database import db
from core.foundation.database.rows import pairs_of
from core.foundation.database.transactions import transaction
from core.foundation.observability.metrics import Counter
from core.foundation.settings import current
from core.providers.amazon import EUM
from core.providers.amazon.events import MessageEvent, Reply, read_told
from core.providers.contracts import DeliveryReport, InboundReply
from core.sms.amazon.costs import KnownCost, write_costs
from core.sms.replies import receive_replies

TOLD = Counter(
    "svc_amazon_events_total",
    "What Amazon told, by what became of it.",
    ("outcome",),
)

log = structlog.get_logger()


async def apply_told(texts: Sequence[str], *, at: datetime) -> list[bool]:
    """Apply notifications. Answers for each whether it is done with; False: its message is not
    known yet, tell it again.
    """
    configuration_set = current().eum_configuration_set
    told = [read_told(text, arrived=at, configuration_set=configuration_set) for text in texts]
    events = [one for one in told if isinstance(one, MessageEvent)]
    replies = [one for one in told if isinstance(one, Reply)]
    passed_over = len(texts) - len(events) - len(replies)
    for cell, some in (await _by_cell(events)).items():
        with use_cell(cell):
            passed_over += await _apply_events(some, at=at)
    answered = await _apply_replies_everywhere(replies, at=at)
    if passed_over:
        TOLD.labels("foreign").add(passed_over)
        log.info("amazon_events_passed_over", events=passed_over)
    return [not isinstance(one, Reply) or one.reference is None or one in answered for one in told]


async def _by_cell(events: Sequence[MessageEvent]) -> dict[Cell, list[MessageEvent]]:
    """Where the organizations live whose messages they name."""
    found: dict[Cell, list[MessageEvent]] = {}
    for one in events:
        found.setdefault(await cell_of(one.organization_id), []).append(one)
    return found


async def _apply_events(events: Sequence[MessageEvent], *, at: datetime) -> int:
    """In one transaction; what is about messages of others is passed over. Answers how many."""
    if not events:
        return 0
    known = await _organizations({one.report.message_id or "" for one in events})
    reports: dict[str, list[DeliveryReport]] = defaultdict(list)
    costs: list[KnownCost] = []
    for one in events:
        id = one.report.message_id or ""
        if known.get(id) != one.organization_id:
            continue
        reports[one.organization_id].append(one.report)
        if one.cost is not None:
            costs.append(KnownCost(id, one.cost))
    async with transaction():
        for organization_id in sorted(reports):
            await messaging.receive_reports(organization_id, EUM, reports[organization_id], at=at)
        await write_costs(EUM, costs)
    applied = sum(map(len, reports.values()))
    TOLD.labels("applied").add(applied)
    return len(events) - applied


async def _apply_replies_everywhere(replies: Sequence[Reply], *, at: datetime) -> set[Reply]:
    """Store the replies to messages that are known, in whichever cells. Answers these."""
    answered: set[Reply] = set()
    for cell in await every_cell():
        with use_cell(cell):
            answered |= await _apply_replies([one for one in replies if one not in answered], at=at)
    TOLD.labels("reply_of_nobody").add(sum(one.reference is None for one in replies))
    TOLD.labels("reply_too_early").add(
        sum(one.reference is not None and one not in answered for one in replies)
    )
    return answered


async def _apply_replies(replies: Sequence[Reply], *, at: datetime) -> set[Reply]:
    """Store the replies to messages that are known in the current cell. Answers these."""
    references = {one.reference for one in replies if one.reference is not None}
    if not references:
        return set()
    owners = await owners_here(EUM, references)
    by_owner: dict[str, list[InboundReply]] = defaultdict(list)
    stored = {one for one in replies if one.reference in owners}
    for one in replies:
        if one.reference in owners:
            by_owner[owners[one.reference]].append(
                InboundReply(
                    one.provider_id, None, one.reference, one.sender, one.body, one.received_at
                )
            )
    for organization_id, items in sorted(by_owner.items()):
        await receive_replies(organization_id, EUM, items, at=at)
    TOLD.labels("reply").add(sum(map(len, by_owner.values())))
    return stored


async def owners_here(provider: str, references: Collection[str]) -> dict[str, str]:
    """The organizations of these messages that live in the current cell; what one that moved away
    left behind counts for nothing.
    """
    owners = await messaging.owners_of_references(provider, references)
    return {
        reference: owner
        for reference, owner in owners.items()
        if await cell_of(owner) == current_cell()
    }


async def _organizations(ids: set[str]) -> dict[str, str]:
    """The organizations of those of these messages that went out live by Amazon."""
    rows = await db.fetch(
        (
            "SELECT id, organization_id FROM messages WHERE id = ANY ($1) AND env = "
            "'live' AND provider = $2"
        ),
        sorted(ids),
        EUM,
    )
    return pairs_of(rows, "id", "organization_id")
