"""The outbox of e-mail: due e-mails are handed to the relay, those of the sandbox to none.

An e-mail must not be transmitted twice, and none may be forgotten. So a batch is leased for as long
as its worker lives, and before the first byte that could make the relay answer for an e-mail, the
message is marked (`provider_reference`), by whoever holds its lease and in a transaction of its
own. A worker that dies before the mark has sent nothing, and the lease brings the e-mail back
within a minute; one that dies after it may have sent it, so the e-mail counts as sent and is not
transmitted again.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime

import structlog

from core import messaging
from core.email.addresses import read_sender
from core.email.delivery_reports.sandbox import report_later
from core.email.outgoing import unseal
from core.email.settle import EmailOutcome, EmailStopped, settle
from core.email.suppression import Addressee, SuppressionCheck, check_suppression
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.combining import Combiner
from core.foundation.database.leases import Lease
from core.foundation.database.rows import HasColumns
from core.foundation.database.transactions import transaction
from core.foundation.gathering import run_all
from core.foundation.security.secrets import CannotDecrypt
from core.messaging import Channel, Record, Settlement
from core.providers import registry
from core.providers.email import (
    EmailAccepted,
    EmailClaimedElsewhere,
    EmailDeferred,
    EmailOutcomeUnknown,
    MailProvider,
    OutgoingEmail,
)

OUTBOX_BATCH_SIZE = 50
MAX_INLINE_CHARACTERS = 100_000
"""Characters from which opening an e-mail would hold up the loop."""

log = structlog.get_logger()


async def hand_over_due(*, at: datetime) -> int:
    """Hand over what is due. Answers how many e-mails it took."""
    rows = await messaging.claim_due(Channel.EMAIL, at=at, limit=OUTBOX_BATCH_SIZE)
    begun = [row for row in rows if row["provider_reference"] is not None]
    free = [row for row in rows if row["provider_reference"] is None]
    stopped = await _stopped(free)
    due = [row for row in free if row["id"] not in stopped]
    sandboxed = [row for row in due if row["env"] == "test"]
    await _settle_without_relay(
        begun, [row for row in free if row["id"] in stopped], sandboxed, at=at
    )
    await _hand_over_leased([row for row in due if row["env"] == "live"], at=at)
    return len(rows)


async def _settle_without_relay(
    begun: Sequence[db.Row], stopped: Sequence[db.Row], sandboxed: Sequence[db.Row], *, at: datetime
) -> None:
    """Settle what is not transmitted now: perhaps sent before, stopped, or for the sandbox."""
    settlements: list[Settlement[EmailOutcome]] = [
        *(Settlement(row["id"], EmailOutcomeUnknown(), at) for row in begun),
        *(Settlement(row["id"], EmailStopped(), at) for row in stopped),
        *(Settlement(row["id"], EmailAccepted(), at) for row in sandboxed),
    ]
    if settlements:
        async with transaction():
            await settle(settlements)
            await report_later(sandboxed, at=at)


async def _hand_over_leased(live: Sequence[HasColumns], *, at: datetime) -> None:
    lease = messaging.leased(live)
    async with lease.kept():
        await _hand_over_all(live, lease, registry.for_mail(), at=at)


async def _stopped(rows: Sequence[db.Row]) -> set[str]:
    """E-mails whose recipient said no, complained, was erased or turned out not to exist since they
    were accepted.
    """
    addressees = [
        Addressee.of(
            row["id"],
            row["organization_id"],
            row["env"],
            row["recipient"],
            contact_id=row["contact_id"],
            marketing=row["route"] == "marketing",
        )
        for row in rows
    ]
    checks = await check_suppression(addressees) if addressees else {}
    return {one.message_id for one in addressees if _is_stopped(one, checks[one.message_id])}


def _is_stopped(one: Addressee, check: SuppressionCheck) -> bool:
    erased = "@" not in one.address
    return erased or check.suppressed or (one.marketing and check.denied)


async def _hand_over_all(
    rows: Sequence[db.Row], lease: Lease, relay: MailProvider | None, *, at: datetime
) -> None:
    """As many at a time as the relay takes; one that fails stops none of the others."""
    if relay is None:
        for row in rows:
            await _settlements.submit(Settlement(row["id"], EmailDeferred("provider_error"), at))
        return
    waiting = iter(rows)

    async def line(relay: MailProvider) -> None:
        for row in waiting:
            await _hand_over(row, lease, relay, at=at)

    await run_all(line(relay) for _ in range(min(relay.lines, len(rows))))


async def _hand_over(row: db.Row, lease: Lease, relay: MailProvider, *, at: datetime) -> None:
    """One e-mail. It is read only now: a batch of large ones has no room in memory."""
    id = row["id"]
    outcome: EmailOutcome | EmailClaimedElsewhere
    try:
        content = await _content_of(row)
    except CannotDecrypt:  # its key may be given back; until then it holds up no other
        log.warning("text_unreadable", message_id=id)
        outcome = EmailDeferred("provider_error")
    else:
        outcome = await _outcome_of(row, content, lease, relay)
    if not isinstance(outcome, EmailClaimedElsewhere):
        await _settlements.submit(Settlement(id, outcome, max(at, now())))


async def _outcome_of(
    row: db.Row, content: bytes | None, lease: Lease, relay: MailProvider
) -> EmailOutcome | EmailClaimedElsewhere:
    id = row["id"]
    if content is None:
        return EmailStopped()  # its contact was erased
    sender = read_sender(row["sender_address"]).address
    outgoing = OutgoingEmail(id, sender, row["recipient"], content)
    return await relay.hand_over(outgoing, lambda: _begin(id, lease))


async def _content_of(row: db.Row) -> bytes | None:
    id = row["id"]
    sealed: str | None = await db.fetchval(LETTER, id, row["organization_id"])
    if sealed is None:
        return None
    return (
        await asyncio.to_thread(unseal, id, sealed)
        if len(sealed) > MAX_INLINE_CHARACTERS
        else unseal(id, sealed)
    )


async def _begin(id: str, lease: Lease) -> bool:
    """Mark that the hand-over begins, under the lease as it stands at this moment."""
    while True:
        until = lease.until
        if await _begins.submit((id, until)):
            return True
        if not await lease.moved_since(until):
            return False


_settlements: Combiner[Settlement[EmailOutcome], Record | None] = Combiner(settle)
_begins: Combiner[tuple[str, datetime], bool] = Combiner(messaging.mark_begun)


LETTER = "SELECT letter FROM email_letters WHERE message_id = $1 AND organization_id = $2"
