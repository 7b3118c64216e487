"""How far the messages of a campaign came, and what their customers did afterwards."""

from core.foundation.database import db
from core.foundation.security.caller import Caller, Scope
from core.messaging.figures import DELIVERED, READ, SENT
from core.read_models.statistics.inputs import CampaignStatsQuery

STEPS = ("sent", "delivered", "read", "clicked", "converted")


async def campaign_stats(caller: Caller, query: CampaignStatsQuery) -> dict[str, object]:
    """The funnel `{campaignId, sent, delivered, read, clicked, converted, contacts, events,
    values}`, of all time.

    Each step counts messages: clicked by a person at least once (bots apart), converted when an
    event is attributed to it. `contacts` has the same steps by distinct contact; messages without
    one are not in it. `events` counts the attributed events, and `values` are their sums by
    currency, `[{currency, value}]`, nothing converted. A campaign that no message was sent with is
    one of zeros.

    campaigns:read opens all of it, whatever the channel: there is no person in it. Raises
    Forbidden.
    """
    caller.require(Scope.CAMPAIGNS_READ)
    row = await db.fetchrow(COUNT, caller.organization_id, caller.env, query.campaign_id)
    assert row is not None
    return {
        "campaignId": query.campaign_id,
        **{step: row[step] for step in STEPS},
        "contacts": {step: row[f"{step}_contacts"] for step in STEPS},
        "events": row["events"],
        "values": row["sums"],
    }


# Links that people followed have an index, which is read once, or message by message where there
# are fewer of these.
CLICKED = """EXISTS (
    SELECT FROM short_links l
    WHERE l.message_id = m.id AND l.organization_id = $1 AND l.env = $2 AND l.first_clicked_at IS NOT NULL)"""

# By contact first: counting distinct ones in a single pass would sort the messages once for each
# step.
COUNT = f"""
WITH event AS (
    SELECT attribution->>'messageId' AS message_id, currency, value FROM customer_events
    WHERE organization_id = $1 AND env = $2 AND campaign_id = $3
), converting AS (
    SELECT DISTINCT message_id FROM event
), of_contact AS (
    SELECT m.contact_id,
           count(*) FILTER (WHERE {SENT}) AS sent,
           count(*) FILTER (WHERE {DELIVERED}) AS delivered,
           count(*) FILTER (WHERE {READ}) AS read,
           count(*) FILTER (WHERE {CLICKED}) AS clicked,
           count(c.message_id) AS converted
    FROM messages m
    LEFT JOIN converting c ON c.message_id = m.id
    WHERE m.organization_id = $1 AND m.env = $2 AND m.campaign_id = $3 AND m.direction = 'outbound'
    GROUP BY m.contact_id
)
SELECT {
    ", ".join(
        f"coalesce(sum({step}), 0)::bigint AS {step}, "
        f"count(*) FILTER (WHERE contact_id IS NOT NULL AND {step} > 0) AS {step}_contacts"
        for step in STEPS
    )
},
    (SELECT count(*) FROM event) AS events,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('currency', currency, 'value', total) ORDER BY currency), '[]')
     FROM (SELECT currency, sum(value) AS total FROM event WHERE value IS NOT NULL GROUP BY 1) AS s) AS sums
FROM of_contact
"""
