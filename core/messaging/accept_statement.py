"""Writing a batch of accepted sends: one statement, one commit, whatever their number.

A round trip and a commit cost more than all the work inside: this statement takes the keys, the
money, the messages and what belongs to them together (docs/decisions, 2). It is put together from
parts that belong to others: keys are won by `ON CONFLICT`, wallets are locked in one order before
keys are claimed in one order, money moves by two-sided transfers, and whether somebody opted out is
asked as everywhere.

Wide values (texts, answers) travel once, from the parameters into their table. The queries in
between are narrow, and say by its place in the batch which request is meant.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from operator import attrgetter
from typing import Any, Literal, cast

from core import idempotency, wallet
from core.foundation.clock import real_time
from core.foundation.database import db
from core.foundation.settings import current
from core.idempotency import CLAIM_LEASE, KEY_TTL
from core.messaging.channel import SendChannel
from core.messaging.insert import arrays_sql, insert_sql
from core.messaging.opt_out import opted_out
from core.messaging.send_request import SendRequest
from core.wallet.send_sql import booked_sql, locked_sql, moved_sql, transfer_numbers

Fate = Literal["accepted", "refused", "unknown_contact", "denied", "insufficient", "key_taken"]


@dataclass(frozen=True, slots=True)
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
    quoted = any(request.quote_id is not None for request in requests)
    known_at = real_time(at)
    numbers = await transfer_numbers(len(requests))
    rows = await db.fetch_planned(
        statement_of(channel, quoted=quoted, numbered=numbers is not None),
        current().charges,
        at,
        known_at + CLAIM_LEASE,
        known_at + KEY_TTL,
        channel.key_route,
        known_at,
        *_arrays(channel, requests),
        *(_quote_arrays(requests) if quoted else ()),
        *([] if numbers is None else [numbers]),
    )
    outcomes = {
        row["id"]: RowOutcome(cast(Fate, row["fate"]), row["left_over"] or 0) for row in rows
    }
    balances = {
        (row["organization_id"], row["env"]): wallet.Balance(
            row["left_over"], row["warn_below"], row["warned_low"], row["warned_depleted"]
        )
        for row in rows
        if row["left_over"] is not None
    }
    return outcomes, balances


def _arrays(channel: SendChannel, requests: Sequence[SendRequest]) -> list[list[object] | None]:
    """The parameters from $7 on: what is asked of each request, its message, and what goes beside.

    None where all values of a column are null: an array of nulls costs as much as one of texts.
    """
    asked = [
        (
            request.message.coins,
            request.refused is None,
            request.captured,
            request.identity,
            *(_NO_KEY if channel.keyless else _key_of(request)),
        )
        for request in requests
    ]
    values = _values_of(channel.columns)
    arrays = [list(column) for column in zip(*asked, strict=True)]
    arrays += [
        list(column)
        for column in zip(*(values(request.message) for request in requests), strict=True)
    ]
    coins = FIRST_OF_MESSAGE - FIRST + channel.columns.index("coins")
    arrays[coins] = [
        0 if request.refused is not None else request.message.coins for request in requests
    ]
    for rows in channel.beside:
        nothing = (None,) * len(rows.columns)
        given = [(request.beside or {}).get(rows.table, nothing) for request in requests]
        arrays += [list(column) for column in zip(*given, strict=True)]
    return [None if column.count(None) == len(column) else column for column in arrays]


_NO_KEY = (None, None, None)


def _key_of(request: SendRequest) -> tuple[object, object, object]:
    return request.use.key, request.use.body_hash, request.answer


def _quote_arrays(requests: Sequence[SendRequest]) -> list[list[Any]]:
    """The last parameters of sends that name a quote: each one's quote, and whether it is prepaid."""
    return [
        [request.quote_id for request in requests],
        [request.prepaid for request in requests],
    ]


@cache
def _values_of(columns: tuple[str, ...]) -> "attrgetter[tuple[Any, ...]]":
    return attrgetter(*columns)


FIRST = 7
"""The place of the first array among the parameters."""
FIRST_OF_MESSAGE = FIRST + 7

NAMED = (
    "SELECT c.{} FROM (SELECT * FROM contacts WHERE id = r.contact_id OFFSET 0) AS c "
    "WHERE c.organization_id = r.organization_id AND c.env = r.env"
)


@cache
def statement_of(channel: SendChannel, *, quoted: bool = False, numbered: bool = False) -> str:
    """The statement that accepts sends of the channel.

    $1: whether prices are charged, $2: now, $3 and $4: the end of a claim's lease and of a key, $5:
    the route of the keys, $6: the real time, which keys live by. `quoted`: the last two parameters tell
    the quote of each send, and whether its price is taken from what is held for the quote; sends
    without quotes pay nothing for that. `numbered`: behind them all come the ids of the transfers.
    """
    quote = _QuoteParts.of(channel) if quoted else _QuoteParts()
    place = {name: f"${number}" for number, name in enumerate(channel.columns, FIRST_OF_MESSAGE)}
    ids = f"{place['id']}::text[], {place['organization_id']}::text[], {place['env']}::text[]"
    denied = opted_out(
        "r",
        f"'{channel.channel}'",
        f"r.identity, CASE WHEN r.contact_id IS NOT NULL THEN ({NAMED.format('identity')}) END",
    )
    claimed = WITHOUT_KEYS if channel.keyless else _claims_sql(channel, place, ids)
    owners = "SELECT organization_id, env FROM request WHERE $1 AND price > 0"
    numbers = f"${_behind(channel) + 2 * quoted}" if numbered else None
    return f"""
WITH request AS MATERIALIZED (
    SELECT * FROM unnest($7::bigint[], $8::bool[], $9::bool[], $10::bytea[], {ids}, {place["contact_id"]}::text[],
                         {place["request_id"]}::text[]{quote.arrays}) WITH ORDINALITY
        AS r (price, claims, captured, identity, id, organization_id, env, contact_id, request_id{quote.names}, place)
), wallet_locked AS MATERIALIZED ({locked_sql(owners)}
), screened AS MATERIALIZED (
    -- A contact is asked for by its key alone (OFFSET 0) and where one is named: a join, or an EXISTS of its own, may be
    -- planned as a look at all contacts; so may the owner beside the key, where no statistics tell that it has many.
    SELECT r.*, CASE
        WHEN r.contact_id IS NOT NULL AND ({NAMED.format("id")}) IS NULL THEN 'unknown_contact'
        WHEN r.identity IS NOT NULL AND {denied} THEN 'denied' END AS obstacle
    FROM request r
), affordable AS MATERIALIZED (
    SELECT r.*, r.obstacle IS NULL AND (NOT $1{quote.covers} OR coalesce(p.available, 0) >= sum(r.price)
        FILTER (WHERE r.obstacle IS NULL{quote.is_paid}) OVER (PARTITION BY r.organization_id, r.env ORDER BY r.place)) AS covered
    FROM screened r LEFT JOIN wallet_locked p USING (organization_id, env)
), claimed AS ({claimed}
), stored AS MATERIALIZED (
    SELECT w.* FROM affordable w
    WHERE w.covered AND (NOT w.claims OR w.id = ANY (ARRAY(SELECT k.subject_id FROM claimed k)))
), messages_stored AS (
    {_messages_sql(channel.columns, quote)}
), paid AS MATERIALIZED (
    SELECT * FROM stored WHERE $1 AND claims
), transfers_booked AS ({booked_sql("paid", at="$2", quoted=quoted, numbers=numbers)}
), moved AS ({moved_sql("paid", "wallet_locked", at="$2", quoted=quoted)}
){_beside_sql(channel, ids)}
SELECT w.id, w.organization_id, w.env,
       CASE WHEN w.obstacle IS NOT NULL THEN w.obstacle WHEN NOT w.covered THEN 'insufficient'
            WHEN NOT w.claims THEN 'refused' WHEN s.id IS NULL THEN 'key_taken' ELSE 'accepted' END AS fate,
       coalesce(p.available, u.available) AS left_over, u.warn_below, u.warned_low, u.warned_depleted
FROM affordable w
LEFT JOIN stored s ON s.place = w.place
LEFT JOIN wallet_locked u ON u.organization_id = w.organization_id AND u.env = w.env
LEFT JOIN moved p ON p.organization_id = w.organization_id AND p.env = w.env
"""


def _behind(channel: SendChannel) -> int:
    """The place behind the channel's own parameters."""
    beside = sum(len(rows.columns) for rows in channel.beside)
    return FIRST_OF_MESSAGE + len(channel.columns) + beside


WITHOUT_KEYS = """
    SELECT w.id AS subject_id FROM affordable w WHERE w.covered AND w.claims
), unused AS (
    SELECT $3::timestamptz, $4::timestamptz, $5::text, $6::timestamptz, $11::text[], $12::bytea[], $13::jsonb[]"""
"""In place of the claims, where no keys are kept. The parameters of keys are there and need a type."""


def _claims_sql(channel: SendChannel, place: Mapping[str, str], ids: str) -> str:
    """The part that claims the keys: what it claims, is sent."""
    since, since_array, expires_at = _key_life(channel, place)
    keys = _keys_sql(ids, since, since_array)
    return idempotency.claim_sql(keys, at="$6", lease_until="$3", expires_at=expires_at)


def _keys_sql(ids: str, since: str, since_array: str) -> str:
    """The keys to claim: those of sends that are paid for and came with one."""
    return f"""
        SELECT r.organization_id, r.env, $5 AS route, r.key, r.body_hash, r.subject_id, r.answer{since}
        FROM unnest({ids}, $11::text[], $12::bytea[], $13::jsonb[]{since_array}) WITH ORDINALITY
            AS r (subject_id, organization_id, env, key, body_hash, answer{since and ", since"}, place)
        WHERE r.place = ANY (ARRAY(SELECT w.place FROM affordable w WHERE w.covered AND w.claims))"""


@dataclass(frozen=True, slots=True)
class _QuoteParts:
    """What the statement asks besides of sends that name a quote; nothing of those that do not."""

    column: tuple[str, ...] = ()
    id_array: str = ""
    arrays: str = ""
    names: str = ""
    covers: str = ""
    is_paid: str = ""

    @classmethod
    def of(cls, channel: SendChannel) -> "_QuoteParts":
        """The parts of a channel, whose own parameters come before."""
        first = _behind(channel)
        id_array = f", ${first}::text[]"
        return cls(
            column=("quote_id",),
            id_array=id_array,
            arrays=f"{id_array}, ${first + 1}::bool[]",
            names=", quote_id, prepaid",
            covers=" OR r.prepaid",
            is_paid=" AND NOT r.prepaid",
        )


def _messages_sql(columns: tuple[str, ...], quote: _QuoteParts) -> str:
    """The messages of what is stored."""
    written = (*columns, *quote.column)
    names = ", ".join(written)
    arrays = arrays_sql(columns, first=FIRST_OF_MESSAGE)
    return insert_sql(
        written,
        f"""SELECT {names}
        FROM unnest({arrays}{quote.id_array}) WITH ORDINALITY AS r ({names}, place)
        WHERE place = ANY (ARRAY(SELECT s.place FROM stored s))""",
    )


def _key_life(channel: SendChannel, place: Mapping[str, str]) -> tuple[str, str, str]:
    """Until when a key is remembered, and what its statement asks of each request for that."""
    if channel.keys_since is None:
        return "", "", "$4"
    array = f", {place[channel.keys_since]}::timestamptz[]"
    return (
        ", r.since",
        array,
        "$4::timestamptz + (greatest(u.since, $2::timestamptz) - $2::timestamptz)",
    )


def _beside_sql(channel: SendChannel, ids: str) -> str:
    """The parts that write the channel's own rows with those messages that were accepted."""
    places = "SELECT s.place FROM stored s WHERE s.claims"
    first = FIRST_OF_MESSAGE + len(channel.columns)
    parts = []
    for number, rows in enumerate(channel.beside):
        written = rows.insert_sql(ids, first=first, places=places)
        parts.append(f", beside_{number} AS ({written}\n)")
        first += len(rows.columns)
    return "".join(parts)
