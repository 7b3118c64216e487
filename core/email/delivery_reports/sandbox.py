"""The sandbox's delivery reports: it accepts every e-mail, and reports later, step by step."""

from collections.abc import Sequence
from datetime import datetime

from core import webhooks
from core.email.delivery_reports.apply import apply_moves
from core.email.events import event_of
from core.email.record_opens import Opening, record_openings
from core.foundation.database import db
from core.foundation.database.rows import by_column, column, pairs_of
from core.foundation.database.transactions import transaction
from core.messaging import Channel, Status, StatusUpdate, StoredMessage, fetch_messages
from core.providers import sandbox
from core.providers.sandbox.emails import REASONS, email_story
from core.short_links.follow import Click, count_clicks

REPORT_BATCH_SIZE = 500
USER_AGENT = "SVC sandbox"


async def report_later(rows: Sequence[db.Row], *, at: datetime) -> None:
    """Schedule the reports on e-mails that the sandbox has just accepted; in the transaction of their
    acceptance.
    """
    await _schedule([(row, email_story(row["recipient"])) for row in rows], at=at)


async def apply_due_reports(*, at: datetime) -> int:
    """Apply the steps that are due and schedule the next ones, in one transaction. Answers how
    many it took.
    """
    if not await sandbox.are_due(Channel.EMAIL, at=at):
        return 0
    async with transaction():
        reports = await sandbox.take_due_reports(Channel.EMAIL, at=at, limit=REPORT_BATCH_SIZE)
        found = by_column(
            await fetch_messages(
                "SELECT * FROM messages WHERE id = ANY ($1)",
                [report.message_id for report in reports],
            ),
            "id",
        )
        await apply_moves(
            [StatusUpdate.told(one, at) for one in reports if one.status in set(Status)],
            at=at,
        )
        known = {report.message_id: report for report in reports if report.message_id in found}
        await record_openings(
            [Opening(id, False, at) for id, one in known.items() if one.status == "opened"]
        )
        await _click([found[id] for id, one in known.items() if one.status == "clicked"], at=at)
        await _schedule(
            [(found[id], tuple(one.receipt.get("then", ()))) for id, one in known.items()], at=at
        )
    return len(reports)


async def _click(rows: Sequence[StoredMessage], *, at: datetime) -> None:
    """The recipient opens the first link that is tracked; an e-mail without one is clicked all the
    same.
    """
    codes = pairs_of(await db.fetch(FIRST_LINKS, column(rows, "id")), "message_id", "code")
    if codes:
        await count_clicks([Click(code, USER_AGENT, False, at) for code in codes.values()])
    await webhooks.publish_many(
        [event_of(row, "email.clicked", at, bot=False) for row in rows if row["id"] not in codes],
        at=at,
    )


async def _schedule(stories: Sequence[tuple[db.Row, tuple[str, ...]]], *, at: datetime) -> None:
    await sandbox.tell_on(stories, lambda status: (status, REASONS.get(status)), at=at)


FIRST_LINKS = """
SELECT DISTINCT ON (message_id) message_id, code FROM short_links
WHERE message_id = ANY ($1) AND url <> '' ORDER BY message_id, position
"""
