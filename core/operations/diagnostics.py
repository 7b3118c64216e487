"""What `svc doctor` looks up in the database."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from core.foundation.clock import now
from core.foundation.database import db

SAMPLE = 10_000
"""How many values of a column are looked at: enough to notice a key that is missing."""

NOT_IN_CIPHER_COLUMNS = (
    """
    SELECT header ->> 'cipher' FROM webhook_subscriptions, jsonb_array_elements(headers) AS header
    LIMIT $1
    """,
    "SELECT credentials FROM numbers WHERE credentials IS NOT NULL LIMIT $1",
    "SELECT credentials FROM instagram_accounts WHERE credentials IS NOT NULL LIMIT $1",
    "SELECT credentials FROM push_apps WHERE credentials IS NOT NULL LIMIT $1",
    "SELECT left(letter, 40) FROM email_letters LIMIT $1",
    """
    SELECT m.sealed_text FROM waiting_messages w
    JOIN messages m ON m.id = w.message_id AND m.organization_id = w.organization_id
    WHERE m.sealed_text IS NOT NULL LIMIT $1
    """,
)
"""What is kept encrypted for longer than a day in other places than columns that are named for it.
"""


async def clock_skew() -> float:
    """Seconds by which this machine is ahead of the database; half the round trip is its error."""
    before = now()
    there: datetime = await db.fetchval("SELECT clock_timestamp()")
    after = now()
    return (before + (after - before) / 2 - there).total_seconds()


async def database_id() -> str:
    """Tells this database from every other one, by whatever address it is reached, and the schemas
    of one database apart; it reveals nothing.
    """
    id: str = await db.fetchval(
        "SELECT left(md5(concat_ws(' ', system_identifier, oid, nullif(current_schema, 'public'))), 16) "
        "FROM pg_control_system(), pg_database "
        "WHERE datname = current_database()"
    )
    return id


@dataclass(frozen=True, slots=True)
class Connections:
    """The connections that the database gives to everyone but its administrator."""

    most: int
    in_use: int

    @property
    def free(self) -> int:
        return max(0, self.most - self.in_use)


async def connections() -> Connections:
    """How many there may be, and how many there are."""
    row = await db.fetch_one(
        """
        SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
                   AS most,
               (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS in_use
        """
    )
    return Connections(row["most"], row["in_use"])


async def sealed_with(*, sample: int | None = SAMPLE) -> dict[str, int]:
    """Key ids of SVC_ENCRYPTION_KEYS that stored values were encrypted with, and how many of a
    sample of each (None: all).
    """
    columns = await db.fetch(
        "SELECT format('SELECT %I FROM %I WHERE %I IS NOT NULL LIMIT $1', "
        "column_name, table_name, column_name) "
        "FROM information_schema.columns WHERE table_schema = current_schema() AND "
        "column_name LIKE '%\\_cipher'"
    )
    found: dict[str, int] = {}
    for query in (*NOT_IN_CIPHER_COLUMNS, *(query for (query,) in columns)):
        rows = await db.fetch(
            f"SELECT split_part(token, '.', 1), count(*) FROM ({query}) AS sealed (token) GROUP BY 1",
            sample,
        )
        for key_id, count in rows:
            found[key_id] = found.get(key_id, 0) + count
    return found


@dataclass(frozen=True, slots=True)
class WebhookReach:
    """Of the subscriptions that were tried lately: how many were reached, and how many were not."""

    reached: int
    failed: int


async def webhook_reach(*, at: datetime, within: timedelta) -> WebhookReach:
    """Whether webhooks get out at all; a single receiver that is down says nothing about that."""
    row = await db.fetch_one(
        """
        SELECT count(*) FILTER (WHERE last_success_at >= $1) AS reached,
               count(*) FILTER (WHERE last_failure_at >= $1 AND coalesce(last_success_at < $1, true)) AS failed
        FROM webhook_subscriptions
        """,
        at - within,
    )
    return WebhookReach(row["reached"], row["failed"])
