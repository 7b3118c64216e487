"""Telling of journeys: who entered, who came to the end, and that one stands still.

Subscriptions of GraphQL hear that something changed; webhooks are told what, where one listens: of
each contact, or of many at once only how many.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from core import webhooks
from core.foundation import pubsub
from core.foundation.clock import wire_time
from core.foundation.database import db
from core.foundation.database.rows import by_column
from core.foundation.run_id import run_id
from core.journeys.runs.program import Program
from core.webhooks import EventType

MOST_TOLD_ALONE = 100
"""Of so many contacts that do the same at once each is told of by itself."""

SOME = MOST_TOLD_ALONE + 1
"""How many of a set one has to know, to tell of it."""


@dataclass(frozen=True, slots=True)
class RunGroup:
    """Runs of one version to which the same happened at once: `runs` has their keys, and whose they are,
    or the first SOME of them where they are more.
    """

    organization_id: str
    env: str
    version_id: str
    many: int
    runs: Sequence[tuple[UUID, str]]
    reason: str | None = None


async def announce(organization_id: str, env: str, ids: Iterable[str]) -> None:
    """These versions changed; subscriptions of GraphQL hear of it once the transaction has
    committed.
    """
    await pubsub.publish(
        pubsub.Notice(pubsub.Topic.JOURNEY, organization_id, env, id, {}) for id in ids
    )


async def tell_moved(program: Program) -> None:
    """Its figures are others now; told once the transaction has committed."""
    await announce(program.organization_id, program.env, [program.version_id])


def told_of(program: Program, runs: Sequence[tuple[UUID, str]], reason: str) -> RunGroup:
    """These, for one reason."""
    owner = (program.organization_id, program.env)
    return RunGroup(*owner, program.version_id, len(runs), runs[:SOME], reason)


async def tell_entered(told: Sequence[RunGroup], *, at: datetime) -> None:
    """Contacts entered; in the transaction in which they did."""
    await _tell(EventType.JOURNEY_ENTERED, told, at=at)


async def tell_completed(told: Sequence[RunGroup], *, at: datetime) -> None:
    """Contacts came to the end of a version, or to its goal; in the transaction in which they did."""
    await _tell(EventType.JOURNEY_COMPLETED, told, at=at)


async def tell_paused(organization_id: str, env: str, ids: Sequence[str], *, at: datetime) -> None:
    """These versions stand still since; in the transaction that paused them."""
    await announce(organization_id, env, ids)
    if not ids or not await _is_listened_to(organization_id, env, EventType.JOURNEY_PAUSED):
        return
    rows = await db.fetch(PAUSED, organization_id, env, list(ids))
    events = []
    for row in rows:
        why = row["paused_by"] or {}
        told = {name: why[name] for name in ("motivo", "passo", "rotulo") if why.get(name)}
        events.append(_event((organization_id, env), EventType.JOURNEY_PAUSED, row, told, at=at))
    await webhooks.publish_many(events, at=at)


async def _tell(type: EventType, told: Sequence[RunGroup], *, at: datetime) -> None:
    told = [one for one in told if one.many]
    if not told:
        return
    owner = (told[0].organization_id, told[0].env)
    await announce(*owner, {one.version_id for one in told})
    if not await _is_listened_to(*owner, type):
        return
    rows = await db.fetch(VERSIONS, *owner, [one.version_id for one in told])
    versions = by_column(rows, "id")
    events = [
        _event(owner, type, versions[one.version_id], facts, at=at)
        for one in told
        for facts in _facts(one)
    ]
    await webhooks.publish_many(events, at=at)


async def _is_listened_to(organization_id: str, env: str, type: EventType) -> bool:
    return await webhooks.is_listened_to(organization_id, env, type.value)


def _facts(told: RunGroup) -> list[dict[str, Any]]:
    """What is told of them, of each or of all."""
    why = {} if told.reason is None else {"motivo": told.reason}
    if told.many > MOST_TOLD_ALONE:
        return [{"quantidade": told.many, **why}]
    return [
        {"quantidade": 1, "journeyRunId": run_id(key), "contactId": contact_id, **why}
        for key, contact_id in told.runs
    ]


def _event(
    owner: tuple[str, str], type: EventType, version: db.Row, facts: dict[str, Any], *, at: datetime
) -> webhooks.NewEvent:
    data = {
        "env": owner[1],
        "journeyId": version["id"],
        "versao": version["version"],
        **facts,
        "em": wire_time(at),
    }
    return webhooks.NewEvent(*owner, type.value, data, at)


VERSIONS = """
SELECT id, version FROM journeys WHERE organization_id = $1 AND env = $2 AND id = ANY ($3::text[])
"""

PAUSED = """
SELECT id, version, paused_by FROM journeys WHERE organization_id = $1 AND env = $2 AND id = ANY ($3::text[])
"""
