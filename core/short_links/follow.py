"""Following a short link: where it leads, the click counted, everybody told.

Clicks that arrive together become one transaction, so that a campaign that everybody opens at once
costs a commit per batch and not per click, and the row of a much-clicked link is locked once per
batch.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core import messaging, webhooks
from core.cells import cell_with, use_cell
from core.foundation.absent import existing, without_none
from core.foundation.clock import wire_time
from core.foundation.database import db
from core.foundation.database.combining import Combiner
from core.foundation.database.db import Row
from core.foundation.database.rows import HasColumns
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound
from core.short_links.bots import is_bot
from core.short_links.destination import destination_of
from core.short_links.models import CODE_LENGTH

MAX_USER_AGENT_LENGTH = 256
CODE = re.compile(rf"[0-9A-Za-z]{{{CODE_LENGTH}}}(?![0-9A-Za-z])")


@dataclass(frozen=True, slots=True)
class Click:
    """Somebody or something asked for a link."""

    code: str
    user_agent: str
    bot: bool
    at: datetime


async def follow_link(
    code: str, *, user_agent: str, method: str, at: datetime, purpose: str = ""
) -> str:
    """The address behind a code, safe to stand in a header; the click is counted and published as
    `<channel>.clicked`.

    Nobody is asked for a credential: whoever got the message may open it. What stands behind the
    code is left out, because telephones take the comma or the bracket after a link for a part of
    it. Bots are counted apart. Raises NotFound. (Interface: Events, sms.clicked and rcs.clicked.)
    """
    found = existing(CODE.match(code))
    bot = is_bot(user_agent, method, purpose)
    with use_cell(await cell_with(WHOSE, found[0])):
        return await _clicks.submit(Click(found[0], _shown(user_agent), bot, at))


WHOSE = "SELECT organization_id FROM short_links WHERE code = $1"


async def count_clicks(clicks: Sequence[Click]) -> list[str | Exception]:
    """Count clicks and publish them in one transaction; the address behind each, or NotFound."""
    answers: list[str | Exception] = [NotFound() for _ in clicks]
    async with transaction():
        rows = await db.fetch(
            COUNT,
            [click.code for click in clicks],
            [click.bot for click in clicks],
            [click.at for click in clicks],
        )
        await webhooks.publish_many(
            [_event(clicks[row["place"] - 1], row) for row in rows],
            at=max(click.at for click in clicks),
        )
        await messaging.hint_journeys(row for row in rows if not clicks[row["place"] - 1].bot)
    for row in rows:
        answers[row["place"] - 1] = destination_of(row["url"])
    return answers


_clicks: Combiner[Click, str] = Combiner(count_clicks)


def _event(click: Click, row: Row) -> webhooks.NewEvent:
    return webhooks.NewEvent(
        row["organization_id"],
        row["env"],
        f"{row['channel']}.clicked",
        event_data(click, row),
        click.at,
    )


def event_data(click: Click, row: HasColumns) -> dict[str, object]:
    """The `data` of sms.clicked, rcs.clicked and email.clicked; what the message does not have is
    absent.
    """
    data = {
        **messaging.channel_of(str(row["channel"])).clicked(row),
        "url": row["url"],
        "clickedAt": wire_time(click.at),
        "first": row["first"],
        "bot": click.bot,
        "userAgent": click.user_agent or None,
        "env": row["env"],
        "metadata": row["metadata"],
        "contactId": row["contact_id"],
        "campaignId": row["campaign_id"],
    }
    return without_none(data)


def _shown(user_agent: str) -> str:
    """The user agent as events carry it. Control characters go: PostgreSQL stores no NUL."""
    cut = user_agent[:MAX_USER_AGENT_LENGTH]
    return cut if cut.isprintable() else "".join(filter(str.isprintable, cut))


# The links are locked in the order of their codes, so that two processes wait for each other
# instead of locking up. The lock also makes `first` true: who comes second reads what the first has
# committed. A link whose person was erased has no address any more and leads nowhere.
COUNT = """/* whole */
WITH click AS (
    SELECT * FROM unnest($1::text[], $2::bool[], $3::timestamptz[]) WITH ORDINALITY AS c (code, bot, at, place)
), link AS MATERIALIZED (
    SELECT l.* FROM short_links l WHERE l.code = ANY ($1) AND l.url <> '' ORDER BY l.code FOR UPDATE
), tally AS (
    SELECT code,
           count(*) FILTER (WHERE NOT bot) AS people,
           count(*) FILTER (WHERE bot) AS bots,
           min(at) FILTER (WHERE NOT bot) AS earliest,
           max(at) FILTER (WHERE NOT bot) AS latest,
           min(place) FILTER (WHERE NOT bot) AS first_place
    FROM click GROUP BY code
), counted AS (
    UPDATE short_links l
    SET clicks = k.clicks + t.people,
        bot_clicks = k.bot_clicks + t.bots,
        first_clicked_at = coalesce(k.first_clicked_at, t.earliest),
        last_clicked_at = greatest(k.last_clicked_at, t.latest)
    FROM link k JOIN tally t USING (code)
    WHERE l.code = k.code
)
SELECT c.place, l.organization_id, l.env, l.channel, l.message_id, l.url,
       l.first_clicked_at IS NULL AND c.place IS NOT DISTINCT FROM t.first_place AS first,
       m.metadata, m.contact_id, m.campaign_id, m.recipient, m.subject, m.status, m.reason,
       m.journey_run, m.journey_step, c.at AS updated_at
FROM click c
JOIN link l USING (code)
JOIN tally t USING (code)
LEFT JOIN messages m ON m.id = l.message_id AND m.organization_id = l.organization_id
ORDER BY c.place
"""
