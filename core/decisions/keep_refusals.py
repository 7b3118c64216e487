"""Keeping refused sends: what stopped each, so that somebody can ask later why nothing came.

A refusal is written after the transaction of its send, in one of its own, and many at once. What
cannot be written (the database is away) never hides the refusal itself.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from types import TracebackType
from typing import Any

import orjson
import structlog

from core.decisions.facts import MAX_FACTS_BYTES
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.combining import Combiner
from core.foundation.database.rows import column
from core.foundation.database.transactions import after_commit
from core.foundation.dry_run import is_dry_run
from core.foundation.errors import BadRequest, ServiceError
from core.foundation.ids import new_id
from core.foundation.observability.metrics import Counter
from core.foundation.rules import Rule
from core.foundation.security.caller import Caller

REFUSED = Counter(
    "svc_refused_sends_total",
    "Sends that were refused, by the rule that stopped them.",
    ("channel", "env", "rule"),
)

MAX_KEPT_PER_SECOND = 50
"""Of one organization and environment; the others are only counted, so that a storm fills no disk."""
MAX_SKIPS = 1_000
"""Of those whom one batch or dispatch passed over; the others are only counted."""
KEEP_TIMEOUT = 2.0
"""Seconds that a refusal waits for being kept."""

log = structlog.get_logger()

Identity = Callable[[], bytes | None]


@dataclass(frozen=True, slots=True)
class Skip:
    """Somebody whom a send to many passed over: the refusal, and for whom the message would have been."""

    error: ServiceError
    contact_id: str | None = None
    identity: bytes | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused send as it is kept. `keeps_row` is False where its failed message is stored.

    `part_of`: the batch, dispatch or journey that passed over this one and sent to others.
    """

    id: str
    caller: Caller
    channel: str
    rule: Rule
    code: str
    facts: dict[str, Any]
    identity: bytes | None
    contact_id: str | None
    at: datetime
    keeps_row: bool
    part_of: str | None = None


Witness = Callable[[Sequence[Refusal]], Awaitable[Mapping[str, Mapping[str, object]]]]
"""Answers further facts of refusals, by their ids."""

_witnesses: dict[Rule, Witness] = {}


def explains(rule: Rule, witness: Witness) -> None:
    """Let the refusals of a rule be kept with what `witness` knows of them besides."""
    _witnesses[rule] = witness


class KeepRefusals:
    """`async with KeepRefusals(caller, channel, …):` around the sending of one message.

    A refusal that passes is kept, and names its trace in `meta.decisaoId`. `identity` answers the
    keyed hash of the recipient; it is asked only then.
    """

    __slots__ = ("_caller", "_channel", "_contact_id", "_identity")

    def __init__(
        self,
        caller: Caller,
        channel: str,
        *,
        contact_id: str | None = None,
        identity: Identity | None = None,
    ) -> None:
        self._caller = caller
        self._channel = channel
        self._contact_id = contact_id
        self._identity = identity

    async def __aenter__(self) -> None:
        """Nothing is to be done before."""

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Keep what was refused; the error goes on."""
        if isinstance(error, ServiceError):
            await keep_refusal(
                self._caller,
                self._channel,
                error,
                contact_id=self._contact_id,
                identity=self._identity,
            )


async def keep_refusal(
    caller: Caller,
    channel: str,
    error: ServiceError,
    *,
    contact_id: str | None = None,
    identity: Identity | None = None,
) -> None:
    """Keep one refusal, and let its problem name the trace. A fault of ours and a request that
    could not be read decide nothing, and are passed over; so is a dry run.
    """
    if (
        is_dry_run()
        or error.rule is None
        or isinstance(error, BadRequest)
        or error.decision_id is not None
    ):
        return
    REFUSED.labels(channel, caller.env, error.rule).add()
    message_id = error.meta.get("messageId")
    refusal = Refusal(
        id=message_id or new_id("dec"),
        caller=caller,
        channel=channel,
        rule=error.rule,
        code=code_of(error),
        facts=facts_of(error),
        identity=identity() if identity is not None else None,
        contact_id=contact_id,
        at=now(),
        keeps_row=message_id is None,
    )
    try:
        async with asyncio.timeout(KEEP_TIMEOUT):
            kept = await _batches.submit(refusal)
    except Exception as failure:
        log.warning("refusal_not_kept", error=type(failure).__name__)
        return
    if kept:
        error.decision_id = refusal.id


async def keep_skips(caller: Caller, channel: str, skips: Sequence[Skip], *, part_of: str) -> None:
    """Keep whom a send to many passed over, in its transaction: `part_of` is its id, such as a
    batch's.

    Of those behind the first thousand only the number is kept.
    """
    decided = [one for one in skips if one.error.rule is not None]
    if is_dry_run() or not decided:
        return
    at = now()
    refusals = [
        Refusal(
            id=new_id("dec"),
            caller=caller,
            channel=channel,
            rule=one.error.rule or Rule.BODY,
            code=code_of(one.error),
            facts=facts_of(one.error),
            identity=one.identity,
            contact_id=one.contact_id,
            at=at,
            keeps_row=place < MAX_SKIPS,
            part_of=part_of,
        )
        for place, one in enumerate(decided)
    ]
    await _write(refusals)
    await after_commit(partial(_count, refusals))


async def _count(refusals: Sequence[Refusal]) -> None:
    for one in refusals:
        REFUSED.labels(one.channel, one.caller.env, one.rule).add()


def code_of(error: ServiceError) -> str:
    """The narrowest code that a refusal has."""
    return str(error.meta.get("code") or error.meta.get("motivo") or error.code)[:40]


def facts_of(error: ServiceError) -> dict[str, Any]:
    """What the refusal tells, where it is short: codes, amounts and names of fields."""
    told = {name: value for name, value in error.meta.items() if name != "messageId"}
    facts = {**told, **error.looked_at}
    if error.errors:
        facts["campos"] = [one.where[:60] for one in error.errors[:5]]
    if error.retry_after is not None:
        facts["retryAfter"] = error.retry_after
    return facts if len(orjson.dumps(facts, default=str)) <= MAX_FACTS_BYTES else {}


async def _write(refusals: Sequence[Refusal]) -> list[bool | Exception]:
    """Write a batch: rows as far as they may be kept, and the counts of all. Answers for each
    whether there is a trace of it.
    """
    known = await _known_besides(refusals)
    rows = [
        (
            one.id,
            one.caller.organization_id,
            one.caller.env,
            one.channel,
            one.rule,
            one.code,
            {**one.facts, **known.get(one.id, {})},
            one.identity,
            one.contact_id,
            one.caller.request_id,
            one.at,
            one.keeps_row,
            one.part_of,
        )
        for one in refusals
    ]
    written = await db.fetch(WRITE, *db.columns(rows, 13), MAX_KEPT_PER_SECOND)
    kept = set(column(written, "id"))
    return [one.id in kept or not one.keeps_row for one in refusals]


async def _known_besides(refusals: Sequence[Refusal]) -> dict[str, Mapping[str, object]]:
    """What others know of these refusals, each rule asked once."""
    known: dict[str, Mapping[str, object]] = {}
    for rule, witness in _witnesses.items():
        of_rule = [one for one in refusals if one.rule is rule and one.keeps_row]
        if of_rule:
            known.update(await witness(of_rule))
    return known


_batches: Combiner[Refusal, bool] = Combiner(_write)

WRITE = """
WITH asked AS MATERIALIZED (
    SELECT r.*, count(*) FILTER (WHERE r.keeps_row AND r.part_of IS NULL)
        OVER (PARTITION BY r.organization_id, r.env ORDER BY r.place) AS nth
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[], $8::bytea[],
                $9::text[], $10::text[], $11::timestamptz[], $12::bool[], $13::text[]) WITH ORDINALITY
        AS r (id, organization_id, env, channel, rule, code, facts, identity, contact_id, request_id, at, keeps_row,
              part_of, place)
), recent AS MATERIALIZED (
    SELECT o.organization_id, o.env, (
        SELECT count(*) FROM (
            SELECT FROM refused_sends s
            WHERE s.organization_id = o.organization_id AND s.env = o.env AND s.at > o.at - interval '1 second'
              AND s.part_of IS NULL AND NOT s.facts ? 'veredito'
            LIMIT $14
        ) AS s
    ) AS kept
    FROM (SELECT organization_id, env, max(at) AS at FROM asked GROUP BY 1, 2) AS o
), counted AS (
    INSERT INTO refusal_counts (organization_id, env, minute, channel, rule, refusals)
    SELECT organization_id, env, date_trunc('minute', at, 'UTC'), channel, rule, count(*)
    FROM asked GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (organization_id, env, minute, channel, rule)
    DO UPDATE SET refusals = refusal_counts.refusals + excluded.refusals
)
INSERT INTO refused_sends
    (id, organization_id, env, channel, rule, code, facts, identity, contact_id, request_id, at, part_of)
SELECT a.id, a.organization_id, a.env, a.channel, a.rule, a.code, a.facts, a.identity, a.contact_id, a.request_id, a.at,
       a.part_of
FROM asked a JOIN recent n ON n.organization_id = a.organization_id AND n.env = a.env
WHERE a.keeps_row AND (a.part_of IS NOT NULL OR a.nth + n.kept <= $14)
RETURNING id
"""
