"""What operators tell: receipts and replies, kept before they are acknowledged, matched with their messages,
until the service has taken them. One that comes before its message is known waits for it.
"""

import zlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

import orjson

from core.foundation.clock import real_now
from core.foundation.database import db
from core.foundation.database.combining import Combiner
from core.foundation.database.rows import by_column, column
from core.foundation.security.keyring import keyring
from core.foundation.security.secrets import CannotDecrypt
from core.smpp.link.messages import LinkState, SubmittedPart, note_part, recipient_of

LEASE = timedelta(seconds=60)
"""How long a report that is being told is nobody else's."""
WAITS = timedelta(hours=24)
"""How long a report waits for its message, and for the service to take it."""
UNKNOWN_FOR = timedelta(days=3)
"""How long a message of unknown outcome is looked for by its user_message_reference."""
DELIVERED = "DELIVRD"
CONTEXT = "smpp_link_reports.sealed"


class ReportKind(StrEnum):
    """What an operator tells."""

    RECEIPT = "receipt"
    REPLY = "reply"


@dataclass(frozen=True, slots=True)
class ToldByOperator:
    """A receipt or a reply as it arrived. `phone`: of the recipient, or of who replied; `smsc_id`: as it is
    compared.
    """

    kind: ReportKind
    link: str
    phone: str
    at: datetime
    smsc_id: str | None = None
    user_reference: int | None = None
    state: str | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class DueReport:
    """A report to be told now. `id`: of the row; `reference`: the operator's id of the message."""

    id: int
    kind: ReportKind
    message_id: str
    organization_id: str
    reference: str | None
    state: str | None
    phone: str
    text: str
    at: datetime


def reference_of(message_id: str, number: int) -> int:
    """The user_message_reference of a part: a receipt that repeats it finds its message, although
    the answer with the operator's id was lost.
    """
    return zlib.crc32(f"{message_id}/{number}".encode()) & 0xFFFF


async def organization_of(phone: str) -> str | None:
    """Whose the newest message to a phone is; None where there is none."""
    found = await db.fetch(NEWEST, [recipient_of(phone)])
    return found[0]["organization_id"] if found else None


async def keep_report(report: ToldByOperator) -> None:
    """Keep what an operator tells: once this returns it may be acknowledged."""
    await _keeping.submit(report)


async def _keep(reports: Sequence[ToldByOperator]) -> list[None]:
    rows = [
        (
            one.kind,
            one.link,
            recipient_of(one.phone),
            _sealed(one),
            one.smsc_id,
            one.user_reference,
            one.state,
            one.at,
        )
        for one in reports
    ]
    await db.execute(KEEP, *db.columns(rows, 8), real_now())
    return [None] * len(reports)


async def claim_reports(*, at: datetime, limit: int) -> list[DueReport]:
    """What is due and whose message is known. What moves nothing yet (a part of several) is done
    with; what has no message waits for it, for a day.
    """
    rows = await db.fetch(CLAIM, at, limit, at + LEASE)
    if not rows:
        return []
    receipts = [row for row in rows if row["kind"] == ReportKind.RECEIPT]
    due = await _about_messages([row for row in rows if row["kind"] == ReportKind.REPLY])
    due += await _about_parts(receipts)
    known = {one.id for one in due}
    await db.execute(WAIT_ON, [row["id"] for row in rows if row["id"] not in known], at, at - WAITS)
    return sorted(due, key=lambda one: one.id)


async def _about_messages(replies: Sequence[db.Row]) -> list[DueReport]:
    """Each answers the newest message to its phone. One that answers none is dropped."""
    if not replies:
        return []
    found = await db.fetch(NEWEST, list(set(column(replies, "recipient"))))
    newest = by_column(found, "recipient")
    await drop_reports([row["id"] for row in replies if row["recipient"] not in newest])
    return [_due(row, newest[row["recipient"]]) for row in replies if row["recipient"] in newest]


async def _about_parts(receipts: Sequence[db.Row]) -> list[DueReport]:
    """What the receipts of parts say of their messages, noted at both."""
    found = await _matched(receipts)
    if not found:
        return []
    states = [(found[row["id"]]["part"], row["state"]) for row in receipts if row["id"] in found]
    await db.execute(NOTE_STATES, *db.columns(states, 2))
    parts: dict[str, list[db.Row]] = defaultdict(list)
    for row in await db.fetch(PARTS, list(set(column(found.values(), "message_id")))):
        parts[row["id"]].append(row)
    told = {id: state for id, known in parts.items() if (state := _state_of(known)) is not None}
    await db.execute(NOTE_TOLD, *db.columns(list(told.items()), 2))
    messages = {row["id"]: found[row["id"]]["message_id"] for row in receipts if row["id"] in found}
    await drop_reports([report for report, id in messages.items() if id not in told])
    return [
        _due(row, parts[id][0], told[id])
        for row in receipts
        if (id := messages.get(row["id"])) in told
    ]


async def _matched(receipts: Sequence[db.Row]) -> dict[int, db.Row]:
    """The parts of receipts, by the operator's id, else by the reference that we gave."""
    if not receipts:
        return {}
    matched: Sequence[db.Row] = await db.fetch(MATCH, column(receipts, "id"))
    found = {int(row["report"]): row for row in matched}
    for row in receipts:
        if row["id"] not in found and row["user_reference"] is not None:
            part = await _part_by_reference(row)
            if part is not None:
                await note_part(part)
                matched = await db.fetch(MATCH, [row["id"]])
                found |= {int(one["report"]): one for one in matched}
    return found


def _state_of(parts: Sequence[db.Row]) -> str | None:
    """What is told of a message of so many parts: a failure of one at once, the delivery of all."""
    states = [row["state"] for row in parts if row["state"] is not None]
    failed = [state for state in states if state != DELIVERED]
    if failed:
        return str(failed[0])
    return DELIVERED if len(states) >= parts[0]["parts"] else None


async def _part_by_reference(row: db.Row) -> SubmittedPart | None:
    """The part that has this user_message_reference: its answer was lost."""
    since = real_now() - UNKNOWN_FOR
    for message in await db.fetch(UNANSWERED, row["recipient"], since, LinkState.REFUSED):
        parts = max(message["parts"], 1)
        for number in range(1, parts + 1):
            if reference_of(message["id"], number) == row["user_reference"]:
                id = row["smsc_id"]
                return SubmittedPart(message["id"], number, parts, row["link"], id, id)
    return None


async def drop_reports(ids: Sequence[int]) -> None:
    """They are done with."""
    await db.execute_for(ids, "DELETE FROM smpp_link_reports WHERE id = ANY ($1)", list(ids))


async def put_off_reports(ids: Sequence[int], *, until: datetime) -> None:
    """The service has not taken them."""
    await db.execute(
        "UPDATE smpp_link_reports SET due_at = $2 WHERE id = ANY ($1)", list(ids), until
    )


def _sealed(report: ToldByOperator) -> str:
    body = orjson.dumps({"phone": report.phone, "text": report.text}).decode()
    return keyring().encrypt(body, context=CONTEXT)


def _due(row: db.Row, message: db.Row, state: str | None = None) -> DueReport:
    try:
        body = orjson.loads(keyring().decrypt(row["sealed"], context=CONTEXT))
    except CannotDecrypt:  # the key is gone; the state is told all the same
        body = {"phone": "-", "text": ""}
    return DueReport(
        row["id"],
        ReportKind(row["kind"]),
        message["id"],
        message["organization_id"],
        message["reference"],
        state,
        body["phone"],
        body["text"],
        row["told_at"],
    )


KEEP = """
INSERT INTO smpp_link_reports (kind, link, recipient, sealed, smsc_id, user_reference, state, told_at, due_at, created_at)
SELECT kind, link, recipient, sealed, smsc_id, user_reference, state, told_at, $9, $9
FROM unnest($1::text[], $2::text[], $3::bytea[], $4::text[], $5::text[], $6::int[], $7::text[], $8::timestamptz[])
    WITH ORDINALITY AS g (kind, link, recipient, sealed, smsc_id, user_reference, state, told_at, place)
ORDER BY place
"""

CLAIM = """
UPDATE smpp_link_reports r SET due_at = $3
FROM (
    SELECT id FROM smpp_link_reports WHERE due_at <= $1 ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
) AS due
WHERE r.id = due.id
RETURNING r.*
"""

WAIT_ON = """
WITH old AS (DELETE FROM smpp_link_reports WHERE id = ANY ($1) AND created_at < $3)
UPDATE smpp_link_reports SET due_at = $2::timestamptz + greatest(($2::timestamptz - created_at) / 4, interval '1 second')
WHERE id = ANY ($1) AND created_at >= $3
"""
"""Its message, when it is noted, makes it due at once."""

NEWEST = """
SELECT m.* FROM unnest($1::bytea[]) AS g (recipient)
CROSS JOIN LATERAL (
    SELECT id, organization_id, reference, recipient FROM smpp_link_messages m WHERE m.recipient = g.recipient
    ORDER BY m.begun_at DESC LIMIT 1
) AS m
"""

MATCH = """
SELECT r.id AS report, p.id AS part, p.message_id
FROM smpp_link_reports r
CROSS JOIN LATERAL (
    SELECT id, message_id FROM smpp_link_parts p WHERE p.link = r.link AND p.smsc_id = r.smsc_id
    ORDER BY p.taken_at DESC LIMIT 1
) AS p
WHERE r.id = ANY ($1)
"""

NOTE_STATES = """
UPDATE smpp_link_parts p SET state = g.state, ask_at = NULL FROM unnest($1::text[], $2::text[]) AS g (id, state)
WHERE p.id = g.id
"""

PARTS = """
SELECT m.id, m.organization_id, m.reference, m.parts, p.state
FROM smpp_link_messages m JOIN smpp_link_parts p ON p.message_id = m.id WHERE m.id = ANY ($1) ORDER BY p.id
"""

NOTE_TOLD = """
UPDATE smpp_link_messages m SET told = g.state FROM unnest($1::text[], $2::text[]) AS g (id, state)
WHERE m.id = g.id
"""

UNANSWERED = """
SELECT id, parts FROM smpp_link_messages
WHERE recipient = $1 AND begun_at > $2 AND state <> $3 ORDER BY begun_at DESC LIMIT 50
"""

_keeping = Combiner(_keep, concurrency=2)
