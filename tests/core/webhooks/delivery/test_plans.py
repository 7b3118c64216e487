"""How the statements of the delivery queue find their rows: by an index, whatever has gathered in the tables.

Most subscriptions are active and most deliveries arrived long ago; what stands out is a handful of
each.
"""

import pytest

from core.foundation.clock import now
from core.foundation.database import db
from core.webhooks.delivery import circuit_breaker, claim, pause, save_outcomes, unconfirmed
from tests.factories.organizations import a_caller

pytestmark = pytest.mark.usefixtures("clean_slate")

SUBSCRIPTIONS, DELIVERIES = 4_000, 40_000
SOME = [f"wbh_{number:021}" for number in range(1, 11)]
"""Those that are failing, with most of what is paused."""
SUSPENDED = "ARRAY[{}]".format(", ".join(f"'org_{n:021}'" for n in range(3, 501, 3)))
OWNER = f"org_{2:021}"
"""The organization of the first one."""

TABLES = ("webhook_subscriptions", "webhook_deliveries", "webhook_events", "webhook_attempts")

ONE_OUTCOME = "'{dlv_1}', '{f}', '{falhando}', ARRAY[now()], '{500}', '{9}', '{null}', ARRAY[now()], '{0}', '{t}', '{no}'"

STATEMENTS = {
    "probe": (
        claim.PROBES,
        f"now(), 128, now() + interval '60 s', now() + interval '50 s', ARRAY{SOME}",
    ),
    "pause": (pause.PAUSE, f"ARRAY{SOME}, now(), 2000"),
    "find who is resumed": (pause.TO_RESUME, "now(), 100"),
    "resume a backlog": (pause.RESUME, f"'{SOME[0]}', now(), '{OWNER}'"),
    "finish resuming": (pause.FINISH_RESUMING, f"'{SOME[0]}', now(), '1 h', '{OWNER}'"),
    "find who is probed gently": (claim.UNCONFIRMED_TO_PROBE, "now(), 128"),
    "let the unconfirmed wait": (unconfirmed.POSTPONE, f"ARRAY{SOME}, ARRAY[now()], now(), 2000"),
    "confirm": (unconfirmed.CONFIRM, f"'{SOME[0]}', now()"),
    "begin the count of a host anew": (
        unconfirmed.RESET_COUNTS,
        "ARRAY['org_1'], ARRAY['example.com'], now()",
    ),
    "revoke": (circuit_breaker.REVOKE, f"now() - interval '120 h', now(), 1000, {SUSPENDED}"),
    "save outcomes": (save_outcomes.SAVE, f"{ONE_OUTCOME}, 5, '15 min', '60 s'"),
}
"""By what they do, with values as SQL."""


@pytest.fixture
async def filled() -> None:
    """Customers with many subscriptions, of which ten are failing and ten resumed; every third one
    was suspended.
    """
    organization = (await a_caller()).organization_id
    await db.execute(FILL_ORGANIZATIONS, organization)
    await db.execute(FILL_SUBSCRIPTIONS, SUBSCRIPTIONS, now())
    await db.execute(FILL_EVENTS, now())
    await db.execute(FILL_DELIVERIES, DELIVERIES, SUBSCRIPTIONS, now())
    for table in ("organizations", *TABLES):
        await db.execute(f"ANALYZE {table}")


async def test_no_statement_of_the_circuit_breaker_reads_a_whole_table(filled: None) -> None:
    scans = {}
    for plans in ("custom", "generic"):
        await db.execute(f"SET LOCAL plan_cache_mode = force_{plans}_plan")
        for name, (sql, values) in STATEMENTS.items():
            plan = await plan_of(sql, values)
            scans[name, plans] = [table for table in TABLES if f"Seq Scan on {table}" in plan]

    assert {name: tables for name, tables in scans.items() if tables} == {}


async def plan_of(sql: str, values: str) -> str:
    """As the server plans what is prepared, with values or for any."""
    await db.execute(f"PREPARE looked_at AS {sql}")
    rows = await db.fetch(f"EXPLAIN EXECUTE looked_at ({values})")
    await db.execute("DEALLOCATE looked_at")
    return "\n".join(row[0] for row in rows)


FILL_ORGANIZATIONS = """
INSERT INTO organizations
SELECT (jsonb_populate_record(o, jsonb_build_object(
    'id', 'org_' || lpad(n::text, 21, '0'), 'status', CASE WHEN n % 3 = 0 THEN 'suspended' ELSE 'active' END
))).*
FROM organizations o, generate_series(1, 500) AS n WHERE o.id = $1
"""

FILL_SUBSCRIPTIONS = """
INSERT INTO webhook_subscriptions
    (id, organization_id, env, url, secret_cipher, secret_version, headers, events, status, max_attempts,
     backoff_seconds, pii_full, api_version, consecutive_failures, failing_since, probe_at, created_at, updated_at)
SELECT 'wbh_' || lpad(n::text, 21, '0'), 'org_' || lpad((1 + n % 500)::text, 21, '0'), 'test', 'https://example.com/',
       '', 1, '[]', '{sms.delivered}',
       CASE WHEN n <= 10 THEN 'failing' WHEN n > 20 AND (1 + n % 500) % 3 = 0 THEN 'revoked' ELSE 'active' END,
       8, 30, FALSE,
       '2026-01-01', 0, CASE WHEN n <= 10 THEN $2::timestamptz - interval '1 day' END,
       CASE WHEN n <= 20 THEN $2 END, $2, $2
FROM generate_series(1, $1::int) AS n
"""

FILL_EVENTS = """
INSERT INTO webhook_events (id, organization_id, env, type, data, occurred_at, created_at)
SELECT 'evt_' || lpad(n::text, 21, '0'), 'org_' || lpad((1 + n % 500)::text, 21, '0'), 'test', 'sms.delivered', '{}',
       $1, $1
FROM generate_series(1, 2000) AS n
"""

# Of the twenty first ones a third is paused or due, of all others everything has arrived.
FILL_DELIVERIES = """
INSERT INTO webhook_deliveries
    (id, organization_id, env, subscription_id, event_id, status, attempts, due_at, created_at)
SELECT 'dlv_' || lpad(n::text, 21, '0'), 'org_' || lpad((1 + s % 500)::text, 21, '0'), 'test',
       'wbh_' || lpad(s::text, 21, '0'), 'evt_' || lpad((1 + n % 2000)::text, 21, '0'),
       CASE WHEN s <= 20 AND n % 3 = 0 THEN 'pendente' ELSE 'entregue' END, 0,
       CASE WHEN s <= 20 AND n % 9 = 0 THEN $3::timestamptz END, $3::timestamptz - n * interval '1 s'
FROM (SELECT n, CASE WHEN n % 10 = 0 THEN 1 + n / 10 % 20 ELSE 1 + n % $2::int END AS s
      FROM generate_series(1, $1::int) AS n) AS q
"""
