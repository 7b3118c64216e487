"""Writing a batch of accepted sends: one statement, one commit, whatever their number.

A round trip and a commit cost more than all the work inside: this statement takes the keys, the
money, the messages and what belongs to them together (docs/decisions, 2). It is put together from
parts that belong to others: keys are won by `ON CONFLICT`, wallets are locked in one order before
keys are claimed in one order, money moves by two-sided transfers, and whether somebody opted out is
asked as everywhere.

All that is asked of a request travels as one row of one parameter, which is taken apart once. Wide
values (texts, answers) go from there into their table; the queries in between are narrow, and say
by its place in the batch which request is meant.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from operator import attrgetter
from typing import Any, TypeAlias

from core import idempotency, wallet
from core.foundation.clock import real_time
from core.foundation.database import db
from core.foundation.database.batch_rows import PLACE, BatchRows
from core.foundation.settings import current
from core.idempotency import CLAIM_LEASE, KEY_TTL
from core.messaging.batch_lock import lock_sql, one_behind_the_other
from core.messaging.channel import SendChannel
from core.messaging.insert import TYPES, insert_sql
from core.messaging.opt_out import opted_out
from core.messaging.send_request import SendRequest
from core.wallet.send_sql import booked_sql, locked_sql, moved_sql, transfer_numbers

Fate: TypeAlias = str
"""`accepted`, `refused`, `unknown_contact`, `denied`, `insufficient`, `key_taken`, or that of an
obstacle of the channel.
"""


@dataclass(slots=True)
class RowOutcome:
    """What became of one request: `accepted`, `refused` (its failed message is kept),
    `unknown_contact` where the one that it names is not there, `denied` by its recipient or that
    contact, `insufficient` funds, or `key_taken` by another request.

    `available`: the coins of its wallet after the requests that it covers: what an `insufficient`
    one found at its turn.
    """

    fate: Fate
    available: int

    @property
    def is_stored(self) -> bool:
        """Whether its message is written."""
        return self.fate in ("accepted", "refused")


async def write_batch(
    channel: SendChannel, requests: Sequence[SendRequest], *, at: datetime
) -> tuple[dict[str, RowOutcome], dict[wallet.Owner, wallet.Balance]]:
    """Write the requests, in the order of arrival. Answers what became of each, by message id, and
    the balances of the wallets after it.

    One is `insufficient` when those before it have left too little; alone it might not be.
    """
    quoted = bool([request for request in requests if request.quote_id is not None])
    known_at = real_time(at)
    numbers = await transfer_numbers(len(requests))
    statement = statement_of(channel, quoted=quoted, numbered=numbers is not None)
    values = [
        current().charges,
        at,
        known_at + CLAIM_LEASE,
        known_at + KEY_TTL,
        channel.key_route,
        known_at,
        _rows(channel, requests, quoted=quoted),
    ]
    with one_behind_the_other(len(requests)) as lock:
        rows = await db.fetch_planned(
            statement, *values, lock, *([] if numbers is None else [numbers])
        )
    outcomes: dict[str, RowOutcome] = {}
    balances: dict[wallet.Owner, wallet.Balance] = {}
    for id, organization_id, env, fate, left_over, *told in rows:
        outcomes[id] = RowOutcome(fate, left_over or 0)
        # It is the same in all rows of an owner.
        if left_over is not None and (organization_id, env) not in balances:
            balances[organization_id, env] = wallet.Balance(left_over, *told)
    return outcomes, balances


def _rows(
    channel: SendChannel, requests: Sequence[SendRequest], *, quoted: bool
) -> list[tuple[object, ...]]:
    """The parameter $7: what is asked of each request, its message, and what goes beside."""
    values = _values_of(channel.columns)
    coins = channel.columns.index("coins")
    given = []
    for request in requests:
        refused = request.refused is not None
        message = values(request.message)
        if refused:
            message = (*message[:coins], 0, *message[coins + 1 :])
        given.append(
            (
                request.message.coins,
                not refused,
                request.captured,
                request.identity,
                *(_NO_KEY if channel.keyless else _key_of(request)),
                *message,
                *((request.quote_id, request.prepaid) if quoted else ()),
                *_beside(channel, request),
                *(request.asked or (None,) * len(channel.asked)),
            )
        )
    return batch_rows_of(channel, quoted=quoted).parameter(given)


@cache
def _values_of(columns: tuple[str, ...]) -> "attrgetter[tuple[Any, ...]]":
    return attrgetter(*columns)


def _beside(channel: SendChannel, request: SendRequest) -> list[object]:
    values: list[object] = []
    for rows in channel.beside:
        own = None if request.beside is None else request.beside.get(rows.table)
        values += (None,) * len(rows.columns) if own is None else own
    return values


_NO_KEY = (None, None, None, None)


def _key_of(request: SendRequest) -> tuple[object, object, object, object]:
    use, answer = request.use, request.answer
    return use.key, use.body_hash, answer if request.keeps_answer else None, answer is None


ASKED = (
    ("price", "bigint"),
    ("claims", "bool"),
    ("captured", "bool"),
    ("identity", "bytea"),
    ("key", "text"),
    ("body_hash", "bytea"),
    ("answer", "jsonb"),
    ("leased", "bool"),
)
"""What the statement is told of each request besides the columns of its message."""


@cache
def batch_rows_of(channel: SendChannel, *, quoted: bool) -> BatchRows:
    """The rows in which sends of the channel travel. Columns beside bear the name of their table."""
    return BatchRows(
        (
            *ASKED,
            *((name, TYPES.get(name, "text")) for name in channel.columns),
            *((("quote_id", "text"), ("prepaid", "bool")) if quoted else ()),
            *(
                (f"{rows.table}.{name}", type)
                for rows in channel.beside
                for name, type in rows.columns
            ),
            *channel.asked,
        )
    )


NAMED = (
    "SELECT c.{} FROM (SELECT * FROM contacts WHERE id = r.contact_id OFFSET 0) AS c "
    "WHERE c.organization_id = r.organization_id AND c.env = r.env"
)


@cache
def statement_of(channel: SendChannel, *, quoted: bool = False, numbered: bool = False) -> str:
    """The statement that accepts sends of the channel.

    $1: whether prices are charged, $2: now, $3 and $4: the end of a claim's lease and of a key, $5:
    the route of the keys, $6: the real time, which keys live by, $7: the requests, $8: the lock of
    the batch, or null. `quoted`: they tell the quote of each send, and whether its price is taken
    from what is held for the quote; sends without quotes pay nothing for that. `numbered`: $9 are
    the ids of the transfers.
    """
    rows = batch_rows_of(channel, quoted=quoted)
    quote = _QUOTED if quoted else _QuoteParts()
    denied = opted_out(
        "r",
        f"'{channel.channel}'",
        f"r.identity, CASE WHEN r.contact_id IS NOT NULL THEN ({NAMED.format('identity')}) END",
    )
    asked = [*quote.columns, *(name for name, _ in channel.asked)]
    obstacles = "".join(f"\n        WHEN {one.sql} THEN '{one.fate}'" for one in channel.obstacles)
    claimed = WITHOUT_KEYS if channel.keyless else _claims_sql(channel)
    owners = "SELECT organization_id, env FROM given WHERE $1 AND price > 0"
    paid = "(SELECT * FROM stored WHERE $1 AND claims)"
    numbers = "$9" if numbered else None
    given = rows.of("$7")
    # What the queries in between read comes first: nothing behind it is taken apart for them.
    names = list(dict.fromkeys((*REQUEST, *asked, *(name for name, _ in rows.columns))))
    return f"""
WITH given AS MATERIALIZED (
    SELECT {PLACE} AS place, {given.named(*names)} FROM {given.source}
), wallet_locked AS MATERIALIZED ({locked_sql(owners)}
), turn AS MATERIALIZED ({lock_sql("$8", behind="wallet_locked")}
), affordable AS MATERIALIZED (
    SELECT r.*, r.obstacle IS NULL AND (NOT $1{quote.covers} OR coalesce(p.available, 0) >= sum(r.price)
        FILTER (WHERE r.obstacle IS NULL{quote.is_paid}) OVER (PARTITION BY r.organization_id, r.env ORDER BY r.place)) AS covered,
        p.available, p.warn_below, p.warned_low, p.warned_depleted
    FROM (
        -- A contact is asked for by its key alone (OFFSET 0) and where one is named: a join, or an EXISTS of its own, may be
        -- planned as a look at all contacts; so may the owner beside the key, where no statistics tell that it has many.
        SELECT {", ".join(f"r.{name}" for name in ("place", *REQUEST, *asked))}, CASE
            WHEN r.contact_id IS NOT NULL AND ({NAMED.format("id")}) IS NULL THEN 'unknown_contact'
            WHEN r.identity IS NOT NULL AND {denied} THEN 'denied'{obstacles} END AS obstacle
        FROM given r WHERE (SELECT count(*) FROM turn) >= 0 OFFSET 0) r
    LEFT JOIN wallet_locked p USING (organization_id, env)
), claimed AS ({claimed}
), stored AS MATERIALIZED (
    SELECT w.* FROM affordable w
    WHERE w.covered AND (NOT w.claims OR w.id = ANY (ARRAY(SELECT k.subject_id FROM claimed k)))
), messages_stored AS (
    {_messages_sql((*channel.columns, *quote.written))}
), transfers_booked AS ({booked_sql(paid, at="$2", quoted=quoted, numbers=numbers)}
), moved AS ({moved_sql(paid, "wallet_locked", at="$2", quoted=quoted)}
){_beside_sql(channel)}
SELECT w.id, w.organization_id, w.env,
       CASE WHEN w.obstacle IS NOT NULL THEN w.obstacle WHEN NOT w.covered THEN 'insufficient'
            WHEN NOT w.claims THEN 'refused' WHEN w.place = ANY (ARRAY(SELECT s.place FROM stored s)) THEN 'accepted'
            ELSE 'key_taken' END AS fate,
       coalesce(p.available, w.available) AS left_over, w.warn_below, w.warned_low, w.warned_depleted
FROM affordable w
LEFT JOIN moved p ON p.organization_id = w.organization_id AND p.env = w.env
"""


REQUEST = (
    "price",
    "claims",
    "captured",
    "identity",
    "id",
    "organization_id",
    "env",
    "contact_id",
    "request_id",
)
"""What the queries in between ask of a request."""


WITHOUT_KEYS = """
    SELECT w.id AS subject_id FROM affordable w WHERE w.covered AND w.claims
), unused AS (
    SELECT $3::timestamptz, $4::timestamptz, $5::text, $6::timestamptz"""
"""In place of the claims, where no keys are kept. The parameters of keys are there and need a type.
"""


def _claims_sql(channel: SendChannel) -> str:
    """The part that claims the keys of sends that are paid for: what it claims, is sent."""
    since, expires_at = "", "$4"
    if channel.keys_since is not None:
        since = f", g.{channel.keys_since} AS since"
        expires_at = "$4::timestamptz + (greatest(u.since, $2::timestamptz) - $2::timestamptz)"
    keys = f"""
        SELECT g.organization_id, g.env, g.key, g.body_hash, g.answer, g.leased, $5 AS route, g.id AS subject_id{since}
        FROM given g WHERE g.place = ANY (ARRAY(SELECT w.place FROM affordable w WHERE w.covered AND w.claims))"""
    lease_until = "CASE WHEN u.leased THEN $3::timestamptz END"
    return idempotency.claim_sql(keys, at="$6", lease_until=lease_until, expires_at=expires_at)


@dataclass(frozen=True, slots=True)
class _QuoteParts:
    """What the statement asks besides of sends that name a quote; nothing of those that do not."""

    columns: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    covers: str = ""
    is_paid: str = ""


_QUOTED = _QuoteParts(("quote_id", "prepaid"), ("quote_id",), " OR r.prepaid", " AND NOT r.prepaid")


def _messages_sql(columns: Sequence[str]) -> str:
    """The messages of what is stored."""
    return insert_sql(
        columns,
        f"SELECT {', '.join(columns)} FROM given WHERE place = ANY (ARRAY(SELECT s.place FROM stored s))",
    )


def _beside_sql(channel: SendChannel) -> str:
    """The parts that write the channel's own rows with those messages that were accepted."""
    places = "SELECT s.place FROM stored s WHERE s.claims"
    parts = []
    for number, beside in enumerate(channel.beside):
        own = ", ".join(f'g."{beside.table}.{name}" AS {name}' for name, _ in beside.columns)
        rows = f"""SELECT g.id AS message_id, g.organization_id, g.env, {own}
        FROM given g WHERE g.place = ANY (ARRAY({places}))"""
        parts.append(f", beside_{number} AS ({beside.insert_sql(rows)}\n)")
    return "".join(parts)
