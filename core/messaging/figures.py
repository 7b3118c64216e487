"""The figures of messages in SQL: sent, delivered, read, failed, received, coins.

A message counts at the time it was created, by what has become of it until now: so each of its
steps stands in the same bucket, and the figures of all statuses together are those of no status.
Triggers count the same of what changes late (migration of message_hours).
"""

SENT = "m.direction = 'outbound' AND m.sent_at IS NOT NULL"
# What was laid aside since keeps its steps in their moments alone.
DELIVERED = """m.direction = 'outbound' AND (m.status IN ('delivered', 'read', 'complained')
    OR m.status = 'archived' AND m.delivered_at IS NOT NULL)"""
READ = """m.direction = 'outbound' AND (m.status = 'read' OR m.status = 'archived' AND m.read_at IS NOT NULL)"""
"""SMS has no such status, so its figure is 0."""
FAILED = """m.direction = 'outbound' AND (m.status IN ('failed', 'undelivered', 'bounced')
    OR m.status = 'archived' AND m.failed_at IS NOT NULL)"""
"""It did not arrive; it may have been sent, and charged."""
RECEIVED = "m.direction = 'inbound'"

# What a message holds until its outcome is known (`settle_at`) may still be given back; what never
# left costs nothing. A reply has its price only in the books.
CHARGED = """CASE
    WHEN m.direction = 'inbound' THEN (
        SELECT sum(t.coins) FROM wallet_transfers t
        WHERE t.organization_id = m.organization_id AND t.env = m.env AND t.origin = m.id AND t.target = 'receita')
    WHEN m.sent_at IS NOT NULL AND m.settle_at IS NULL THEN m.coins END"""

COUNTED = {
    "sent": f"count(*) FILTER (WHERE {SENT})",
    "delivered": f"count(*) FILTER (WHERE {DELIVERED})",
    "read": f"count(*) FILTER (WHERE {READ})",
    "failed": f"count(*) FILTER (WHERE {FAILED})",
    "received": f"count(*) FILTER (WHERE {RECEIVED})",
    "coins": f"coalesce(sum({CHARGED}), 0)::bigint",
}
"""The figures of many messages, each in SQL."""

COUNT = ", ".join(f"{sql} AS {name}" for name, sql in COUNTED.items())
ADD = ", ".join(f"sum({name})::bigint AS {name}" for name in COUNTED)
"""The same of figures that were counted before."""
