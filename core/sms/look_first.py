"""All that has to be known of a batch of sends before it is written: keys, rates and denials, in one round trip."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from core import contacts, wallet
from core.foundation import db
from core.idempotency import Remembered
from core.messages import Channel
from core.sms.draft import Draft

MARKETING_ROUTE = "premium"
"""The route on which a recipient's opt-out counts; the other ones are transactional."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of one draft. No rate: its route has no table price."""

    remembered: Remembered | None
    rate: wallet.Rate | None
    denied: bool


async def look_first(drafts: Sequence[Draft], *, at: datetime) -> list[Facts]:
    """The facts of each draft, in order."""
    asked = [_question(place, draft) for place, draft in enumerate(drafts)]
    [row] = await db.fetch_planned(LOOK, orjson.dumps(asked).decode(), at, wallet.month_of(at), Channel.SMS)
    known = {place: _remembered(*rest) for place, *rest in row["known"]}
    rates = {place: (accepted, own) for place, accepted, own in row["rates"]}
    denied = set(row["denied"])
    return [
        Facts(known.get(place), wallet.rate_of(draft.new.route, *rates[place]), place in denied)
        for place, draft in enumerate(drafts)
    ]


def _question(place: int, draft: Draft) -> dict[str, Any]:
    organization_id = draft.caller.organization_id
    marketing = draft.new.route == MARKETING_ROUTE
    return {
        "place": place,
        "organization_id": organization_id,
        "env": draft.caller.env,
        "key_route": draft.use.route,
        "key": draft.use.key,
        "route": draft.new.route,
        "identity": contacts.identity_of_phone(organization_id, draft.new.to).hex() if marketing else None,
    }


def _remembered(body_hash: str, subject_id: str | None, answer: Any, lease_until: str | None) -> Remembered:
    return Remembered(
        bytes.fromhex(body_hash), subject_id, answer, datetime.fromisoformat(lease_until) if lease_until else None
    )


LOOK = """
WITH asked AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS a
        (place int, organization_id text, env text, key_route text, key text, route text, identity text)
)
SELECT (
    SELECT coalesce(jsonb_agg(jsonb_build_array(
               a.place, encode(k.body_hash, 'hex'), k.subject_id, k.answer, k.lease_until)), '[]')
    FROM asked a
    JOIN idempotency_keys k ON k.organization_id = a.organization_id AND k.env = a.env
                           AND k.route = a.key_route AND k.key = a.key
    WHERE k.expires_at > $2
) AS known, (
    SELECT jsonb_agg(jsonb_build_array(a.place, coalesce(v.accepted, 0), t.sms))
    FROM asked a
    LEFT JOIN sms_volumes v ON v.organization_id = a.organization_id AND v.env = 'live'
                           AND v.month = $3 AND v.route = a.route
    LEFT JOIN price_tables t ON t.organization_id = a.organization_id
) AS rates, (
    SELECT coalesce(jsonb_agg(DISTINCT a.place), '[]')
    FROM asked a
    JOIN contact_denials d ON d.organization_id = a.organization_id AND d.env = a.env
                          AND d.identity = decode(a.identity, 'hex') AND d.channel IN ($4, 'todos')
    WHERE a.identity IS NOT NULL
) AS denied
"""
