"""Writing a batch of accepted SMS: one statement, one commit, whatever the number of sends.

A round trip and a commit cost more than all the work inside: this statement takes the keys, the
money, the messages and the sandbox's reports together (docs/decisions, 2). Its parts obey the rules
of their packages: keys are won by `ON CONFLICT`, wallets are locked in one order before keys are
claimed in one order, money moves by two-sided transfers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

import orjson

from core import wallet
from core.foundation.database import db
from core.idempotency import CLAIM_LEASE, KEY_TTL
from core.sms.send_request import KEY_ROUTE

RECONCILE_AFTER = timedelta(seconds=60)
"""How long a `sending` message is left to the request that made it, before reconciliation asks the
provider.
"""

Kind = Literal["sandbox", "live", "refused"]
"""sandbox: held and captured at once. live: held. refused: kept as a failed message, nothing
claimed or charged.
"""


@dataclass(frozen=True, slots=True)
class RowOutcome:
    """What became of one row: `accepted`, `refused` (its failed message is kept),
    `unknown_contact` where the one that it names is not there, `denied` by its recipient or that
    contact, `insufficient` funds, or `key_taken` by another request.

    `available`: the coins of its wallet after the rows that it covers: what an `insufficient` row
    found at its turn.
    """

    outcome: Literal[
        "accepted", "refused", "unknown_contact", "denied", "insufficient", "key_taken"
    ]
    available: int


STORED = ("accepted", "refused")
"""The outcomes of rows whose message is written."""


async def write_batch(
    rows: Sequence[dict[str, Any]], *, charged: bool, due_at: datetime, at: datetime
) -> tuple[dict[str, RowOutcome], dict[wallet.Owner, wallet.Balance]]:
    """Write the rows (of `rows.row_of`), in the order of arrival. Answers what became of each, by
    message id, and the balances of the wallets after it.

    A row is `insufficient` when the rows before it have left too little; alone it might not be.
    """
    answers = await db.fetch_planned(
        WRITE,
        orjson.dumps(rows).decode(),
        charged,
        at,
        at + CLAIM_LEASE,
        at + KEY_TTL,
        due_at,
        KEY_ROUTE,
        RECONCILE_AFTER,
    )
    written = {row["id"]: RowOutcome(row["outcome"], row["left_over"] or 0) for row in answers}
    balances = {
        (row["organization_id"], row["env"]): wallet.Balance(
            row["left_over"], row["warn_below"], row["warned_low"], row["warned_depleted"]
        )
        for row in answers
        if row["left_over"] is not None
    }
    return written, balances


MESSAGE = (
    "id, organization_id, env, channel, direction, status, route, recipient, region, sender_id, provider, "
    "provider_reference, encoding, length, segments, coins, contact_id, campaign_id, metadata, request_id, "
    "created_at, sent_at, failed_at, updated_at, settle_at, sealed_text"
)

# What follows from the kind is worked out here: every column that travels as JSON costs twice.
VALUES = """id, organization_id, env, 'sms', 'outbound',
    CASE kind WHEN 'sandbox' THEN 'sent' WHEN 'live' THEN 'sending' ELSE 'failed' END,
    route, recipient, region, sender_id, provider, CASE kind WHEN 'sandbox' THEN 'sbx_' || substr(id, 5) END,
    encoding, length, segments, CASE kind WHEN 'refused' THEN 0 ELSE price END,
    contact_id, campaign_id, metadata, request_id,
    created_at, CASE kind WHEN 'sandbox' THEN created_at END, CASE kind WHEN 'refused' THEN created_at END,
    created_at, CASE kind WHEN 'live' THEN created_at + $8 END, sealed_text"""

NAMED = "SELECT c.{} FROM contacts c WHERE c.organization_id = r.organization_id AND c.env = r.env AND c.id = r.contact_id"

WRITE = f"""
WITH request AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS r
        (place int, kind text, price bigint, key text, body_hash text, answer jsonb,
         report_status text, report_reason text, receipt jsonb, id text, organization_id text, env text, route text,
         recipient text, identity text, region text, sender_id text, provider text, encoding text, length int,
         segments int,
         contact_id text, campaign_id text, metadata jsonb, request_id text, created_at timestamptz,
         sealed_text text)
), wallet_locked AS MATERIALIZED (
    SELECT w.organization_id, w.env, w.available, w.held, w.revenue, w.warn_below, w.warned_low, w.warned_depleted
    FROM wallets w
    WHERE $2 AND (w.organization_id, w.env) IN (SELECT organization_id, env FROM request)
    ORDER BY w.id FOR UPDATE
), screened AS MATERIALIZED (
    -- A contact is asked for by its key and where one is named: a join, or an EXISTS of its own, may be planned as a
    -- look at all contacts.
    SELECT r.*, CASE
        WHEN r.contact_id IS NOT NULL AND ({NAMED.format("id")}) IS NULL THEN 'unknown_contact'
        WHEN r.identity IS NOT NULL AND EXISTS (
            SELECT FROM contact_denials x
            WHERE x.organization_id = r.organization_id AND x.env = r.env
              AND x.identity IN (decode(r.identity, 'hex'),
                                 CASE WHEN r.contact_id IS NOT NULL THEN ({NAMED.format("identity")}) END)
              AND x.channel IN ('sms', 'todos')) THEN 'denied' END AS obstacle
    FROM request r
), affordable AS MATERIALIZED (
    SELECT r.*, r.obstacle IS NULL AND (NOT $2 OR coalesce(p.available, 0) >= sum(r.price)
        FILTER (WHERE r.obstacle IS NULL) OVER (PARTITION BY r.organization_id, r.env ORDER BY r.place)) AS covered
    FROM screened r LEFT JOIN wallet_locked p USING (organization_id, env)
), claimed AS (
    INSERT INTO idempotency_keys AS k
        (organization_id, env, route, key, body_hash, subject_id, answer, lease_until, created_at, expires_at)
    SELECT organization_id, env, $7, key, decode(body_hash, 'hex'), id, answer,
           CASE WHEN answer IS NULL THEN $4::timestamptz END, $3, $5
    FROM affordable WHERE covered AND kind <> 'refused'
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (organization_id, env, route, key) DO UPDATE
    SET body_hash = excluded.body_hash, subject_id = excluded.subject_id, answer = excluded.answer,
        lease_until = excluded.lease_until, created_at = excluded.created_at, expires_at = excluded.expires_at
    WHERE k.expires_at <= $3
    RETURNING k.subject_id
), accepted AS MATERIALIZED (
    SELECT w.* FROM affordable w JOIN claimed c ON c.subject_id = w.id
), messages_stored AS (
    INSERT INTO messages ({MESSAGE})
    SELECT {VALUES} FROM accepted UNION ALL SELECT {VALUES} FROM affordable WHERE covered AND kind = 'refused'
), transfers_booked AS (
    INSERT INTO wallet_transfers (organization_id, env, origin, kind, source, target, coins, request_id, created_at)
    SELECT t.organization_id, t.env, t.id, k.kind, k.source, k.target, t.price, t.request_id, $3
    FROM accepted t
    JOIN (VALUES ('reserva', 'disponivel', 'reservado', true), ('captura', 'reservado', 'receita', false))
        AS k (kind, source, target, always) ON k.always OR t.kind = 'sandbox'
    WHERE t.price > 0
), paid AS (
    -- From the values that were locked: those of this statement's snapshot may be older, and PostgreSQL checks a row
    -- against its constraints before it finds that out. A send would fail although money has just been given back.
    UPDATE wallets w
    SET available = u.available - s.total, held = u.held + s.held, revenue = u.revenue + s.total - s.held,
        updated_at = $3
    FROM (SELECT organization_id, env, sum(price)::bigint AS total,
                 coalesce(sum(price) FILTER (WHERE kind = 'live'), 0)::bigint AS held
          FROM accepted GROUP BY 1, 2) AS s
    JOIN wallet_locked u USING (organization_id, env)
    WHERE w.organization_id = s.organization_id AND w.env = s.env
    RETURNING w.organization_id, w.env, w.available
), reports_scheduled AS (
    INSERT INTO sandbox_reports (message_id, organization_id, env, channel, status, reason, due_at, receipt)
    SELECT id, organization_id, env, 'sms', report_status, report_reason, $6, receipt
    FROM accepted WHERE report_status IS NOT NULL
)
SELECT w.id, w.organization_id, w.env,
       CASE WHEN w.obstacle IS NOT NULL THEN w.obstacle WHEN NOT w.covered THEN 'insufficient'
            WHEN w.kind = 'refused' THEN 'refused' WHEN t.id IS NULL THEN 'key_taken' ELSE 'accepted' END AS outcome,
       coalesce(p.available, u.available) AS left_over, u.warn_below, u.warned_low, u.warned_depleted
FROM affordable w
LEFT JOIN accepted t ON t.id = w.id
LEFT JOIN wallet_locked u ON u.organization_id = w.organization_id AND u.env = w.env
LEFT JOIN paid p ON p.organization_id = w.organization_id AND p.env = w.env
"""
