"""One effect per Idempotency-Key, for a deed whose effect and answer are written in one
transaction.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.idempotency.claims import LIFETIME, KeyUse, claim_many, find_many
from core.idempotency.errors import KeyReusedWithAnotherBody
from core.idempotency.replays import note_replay
from core.idempotency.twins import after_the_twin, pause

Effect = Callable[[], Awaitable[tuple[str | None, dict[str, Any], datetime]]]
"""Makes the record: its id if it has one, the answer, and the time from which the key is remembered
for a day.
"""


async def once(use: KeyUse, effect: Effect) -> dict[str, Any]:
    """The answer of the effect, now or when the key was used first. A refusal leaves the key free.

    Raises KeyReusedWithAnotherBody, and StillUnderWay while another call with the key does not end.
    """
    answer = await _try(use, effect)
    if answer is not None:
        return answer

    async def ask() -> dict[str, Any] | None:
        await pause()
        return await _try(use, effect)

    return await after_the_twin(ask)


async def _try(use: KeyUse, effect: Effect) -> dict[str, Any] | None:
    """None while another call holds the key."""
    async with transaction():
        if not await db.fetchval(LOCK, " ".join(use.slot)):
            return None
        at = now()
        remembered = (await find_many([use], at=at)).get(use.slot)
        if remembered is not None:
            if remembered.body_hash != use.body_hash:
                raise KeyReusedWithAnotherBody
            assert remembered.answer is not None, "a key is stored together with its answer"
            note_replay()
            return remembered.answer
        subject, answer, since = await effect()
        await claim_many([use], subjects=[subject], answers=[answer], at=at)
        if since > at:
            await db.execute(KEEP, *use.slot, since + LIFETIME)
        return answer


# It ends with the transaction, also when the process dies.
LOCK = "SELECT pg_try_advisory_xact_lock(hashtextextended('once ' || $1, 0))"

KEEP = """
UPDATE idempotency_keys SET expires_at = $5 WHERE organization_id = $1 AND env = $2 AND route = $3 AND key = $4
"""
