"""What the platform, or the sandbox, reports of outbound messages: late, twice, and in any order.

Whatever the order, the end is the same: a status only rises, of the times that are told the
earliest counts, and what was accepted is paid once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core import messages
from core.conversations.early import Proof, accept_early, take_rights
from core.conversations.reasons import reason_of
from core.conversations.reported import Report as Step
from core.conversations.reported import apply_reports as apply_steps
from core.conversations.settle import is_erased
from core.conversations.waiting import Waiting
from core.foundation.clock import wire_time
from core.foundation.database import db
from core.messages import LoggedReport, Status
from core.messages.moves import RANK
from core.providers.platform import StatusReport, Taken


@dataclass(frozen=True, slots=True)
class Report:
    """A report, whose it is, and the provider that makes it."""

    organization_id: str
    env: str
    provider: str
    word: StatusReport


@dataclass(frozen=True, slots=True)
class _Known:
    """A report and its (locked) message, as it was before all of them."""

    word: StatusReport
    row: db.Row

    @property
    def id(self) -> str:
        id: str = self.row["id"]
        return id

    @property
    def move(self) -> tuple[str, str]:
        """The message and its new status: what is told several times is done once."""
        return self.id, self.word.status


async def apply_reports(reports: Sequence[Report], *, at: datetime) -> set[int]:
    """Apply reports and publish what they tell, in the caller's transaction. Answers the places of
    those whose message is unknown.
    """
    rights = await take_rights(
        [
            (id, report.organization_id, report.env)
            for report in reports
            if (id := report.word.message_id)
        ]
    )
    known, unknown = list[_Known](), set[int]()
    for place, (report, row) in enumerate(zip(reports, await _lock(reports), strict=True)):
        # Still queued, but not ours to decide: it is in other hands at this moment.
        if row is None or (row["status"] == Status.QUEUED and row["id"] not in rights):
            unknown.add(place)
        else:
            known.append(_Known(report.word, row))
    known.sort(key=lambda one: (one.word.at, RANK[Status(one.word.status)]))
    await _accept(list({one.id: one for one in reversed(known)}.values()), rights)
    moved = await _move(known, at=at)
    await _correct_times(known, moved)
    await _log(known, moved, at=at)
    return unknown


async def _lock(reports: Sequence[Report]) -> list[db.Row | None]:
    """The message of each report; our id decides, where the platform said it again."""
    rows = await db.fetch(
        LOCK,
        [report.word.message_id for report in reports if report.word.message_id],
        sorted({report.provider for report in reports}),
        [report.word.reference for report in reports if not report.word.message_id],
    )
    by_id = {row["id"]: row for row in rows}
    by_reference = {(row["provider"], row["provider_reference"]): row for row in rows}
    found: list[db.Row | None] = []
    for report in reports:
        word = report.word
        row = (
            by_id.get(word.message_id)
            if word.message_id
            else by_reference.get((report.provider, word.reference))
        )
        own = row is not None and (row["organization_id"], row["env"]) == (
            report.organization_id,
            report.env,
        )
        found.append(row if own else None)
    return found


async def _accept(first: Sequence[_Known], rights: Mapping[str, Waiting]) -> None:
    """Whatever is reported of a message, the platform has taken it; its first report tells since
    when.
    """
    await accept_early(
        [
            Proof(
                one.row,
                Taken(one.word.reference, one.word.address),
                one.word.status == "failed",
                one.word.at,
            )
            for one in first
        ],
        rights,
    )
    await messages.remember_references(
        [
            (one.id, one.word.reference)
            for one in first
            if one.word.reference
            and one.row["provider_reference"] is None
            and not is_erased(one.row)
        ]
    )


async def _move(known: Sequence[_Known], *, at: datetime) -> set[tuple[str, str]]:
    """Apply what raises a status, and publish it. Answers the moves."""
    rows = await apply_steps([_step(one) for one in known if one.word.status != "sent"], at=at)
    return {(row["id"], row["status"]) for row in rows}


def _step(one: _Known) -> Step:
    word, row = one.word, one.row
    return Step(
        one.id, row["organization_id"], row["env"], word.status, word.at, word.code, word.error
    )


async def _correct_times(known: Sequence[_Known], moved: set[tuple[str, str]]) -> None:
    """A report that comes after its like, or after a higher one, may still know better when its
    step was.
    """
    told = [
        (one.id, one.word.status, one.word.at)
        for one in known
        if one.word.status in ("delivered", "read")
        and (one.move not in moved or (one.row["delivered_at"] or one.word.at) > one.word.at)
    ]
    if told:
        await db.execute(CORRECT, *db.columns(told, 3))


async def _log(known: Sequence[_Known], moved: set[tuple[str, str]], *, at: datetime) -> None:
    """Keep, once, what moved a message, and what came too late to do so, which somebody may ask
    about.
    """
    reached: dict[str, int] = {one.id: RANK[Status(one.row["status"])] for one in known}
    for id, status in moved:
        reached[id] = max(reached[id], RANK[Status(status)])
    told = {
        one.move: one
        for one in known
        if one.move in moved
        or one.word.status == "failed"
        or RANK[Status(one.word.status)] < reached[one.id]
    }
    late = [move for move in told if move not in moved]
    logged = (
        {tuple(row.values()) for row in await db.fetch(LOGGED, *db.columns(late, 2))}
        if late
        else set()
    )
    await messages.log_reports(
        [
            LoggedReport(
                one.row["organization_id"],
                one.row["env"],
                one.id,
                one.word.status,
                reason_of(one.word.code) if one.word.status == "failed" else None,
                _body(one),
                one.move in moved,
            )
            for one in told.values()
            if one.move not in logged
        ],
        at=at,
    )


def _body(one: _Known) -> dict[str, str | None]:
    """Of an erased person nothing is kept: the platform's ids of messages hold the phone."""
    if is_erased(one.row):
        return {}
    return {"reference": one.word.reference, "at": wire_time(one.word.at), "code": one.word.code}


LOGGED = """
SELECT DISTINCT r.message_id, r.status FROM message_receipts r
JOIN unnest($1::text[], $2::text[]) AS m (message_id, status) USING (message_id, status)
"""

# Two branches, one per index; an OR over both would scan.
LOCK = """
SELECT m.* FROM messages m
WHERE m.id IN (
    SELECT id FROM messages WHERE id = ANY ($1)
    UNION
    SELECT id FROM messages
    WHERE provider = ANY ($2) AND provider_reference = ANY ($3) AND provider <> 'svc-sandbox')
  AND m.channel IN ('whatsapp', 'instagram') AND m.direction = 'outbound'
ORDER BY m.id
FOR UPDATE
"""

CORRECT = """
WITH told AS (
    SELECT id, min(at) FILTER (WHERE status = 'delivered') AS delivered_at,
           min(at) FILTER (WHERE status = 'read') AS read_at, min(at) AS arrived_at
    FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS t (id, status, at) GROUP BY id
)
UPDATE messages m
SET delivered_at = CASE WHEN t.arrived_at < m.delivered_at THEN t.arrived_at ELSE m.delivered_at END,
    read_at = CASE WHEN t.read_at < m.read_at THEN t.read_at ELSE m.read_at END
FROM told t
WHERE m.id = t.id AND m.status IN ('delivered', 'read')
  AND (t.arrived_at < m.delivered_at OR t.read_at < m.read_at)
"""
