"""Idempotent executors: one effect per Idempotency-Key, whose repeats get the first answer.

The effect and its answer are written in one transaction.
"""

from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from datetime import datetime

from tortoise.queryset import QuerySet

from core.foundation.clock import real_now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.database.where import LAST
from core.foundation.security.caller import Caller
from core.idempotency.claims import KEY_TTL, KeyUse, claim_many, find_many
from core.idempotency.concurrent import pause, wait_for_first
from core.idempotency.errors import KeyReusedWithAnotherBody
from core.idempotency.models import IdempotencyKey
from core.idempotency.stored_answers import StoredAnswer, open_answer, seal_answer

Effect = Callable[[], Awaitable[tuple[str | None, Mapping[str, object], datetime]]]
"""Makes the record: its id if it has one, the answer, and the time from which the key is remembered
for a day.
"""


async def once(use: KeyUse, effect: Effect) -> Mapping[str, object]:
    """The answer of the effect, now or when the key was used first. A refusal leaves the key free.

    Raises KeyReusedWithAnotherBody, and RequestInProgress while another call with the key does not
    end.
    """
    answer = await _try(use, effect)
    if answer is not None:
        return answer

    async def ask() -> Mapping[str, object] | None:
        await pause()
        return await _try(use, effect)

    return await wait_for_first(ask)


async def _try(use: KeyUse, effect: Effect) -> Mapping[str, object] | None:
    """None while another call holds the key."""
    async with transaction():
        if not await db.fetchval(LOCK, " ".join(use.scope)):
            return None
        at = real_now()
        remembered = (await find_many([use], at=at)).get(use.scope)
        if remembered is not None:
            if remembered.body_hash != use.body_hash:
                raise KeyReusedWithAnotherBody
            assert remembered.answer is not None, "a key is stored together with its answer"
            note_replay()
            return remembered.answer
        subject, answer, since = await effect()
        await claim_many([use], subjects=[subject], answers=[answer], at=at)
        if since > at:
            # Who means never writes the last day of the year 9999.
            await _row_of(use).update(expires_at=min(since, LAST - KEY_TTL) + KEY_TTL)
        return answer


def _row_of(use: KeyUse) -> QuerySet[IdempotencyKey]:
    """The row under which the use is remembered."""
    return IdempotencyKey.filter(
        organization_id=use.organization_id, env=use.env, route=use.route, key=use.key
    )


async def answer_once(
    caller: Caller, use: KeyUse, make: Callable[[], Awaitable[StoredAnswer]]
) -> StoredAnswer:
    """The answer that `make` comes to, now or when the key was used first. A refusal leaves the key
    free.

    All that `make` writes is committed together with the key, or not at all; so it calls nobody
    outside. Raises AnswerNotShown, KeyReusedWithAnotherBody and RequestInProgress.
    """
    made, asked_at = None, real_now()

    async def effect() -> tuple[str | None, Mapping[str, object], datetime]:
        nonlocal made
        made = await make()
        return made.subject_id, {"sealed": seal_answer(caller, use, made)}, asked_at

    remembered = await once(use, effect)
    return made or open_answer(caller, use, remembered)


_replayed: ContextVar[bool] = ContextVar("replayed", default=False)


def note_replay(replayed: bool = True) -> None:
    """An earlier use of the key answers; False: a new request begins."""
    _replayed.set(replayed)


def was_replayed() -> bool:
    """What was noted last."""
    return _replayed.get()


# It ends with the transaction, also when the process dies.
LOCK = "SELECT pg_try_advisory_xact_lock(hashtextextended('once ' || $1, 0))"
