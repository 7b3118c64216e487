"""Two at once with one key: one wins, the other waits and finds the winner's answer. With real
commits.
"""

import asyncio
from datetime import UTC, datetime

import pytest

from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.idempotency import KeyUse, claim_many, find_many, hash_of
from core.idempotency.claims import KEY_TTL
from tests.support.races import outside, somebody_waits

pytestmark = pytest.mark.usefixtures("real_commits")

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


class Refusal(Exception):
    """Ends a block."""


def a_use(key: str) -> KeyUse:
    return KeyUse("org_1", "test", "sms.send", key, hash_of({"body": "one"}))


async def a_claim(*keys: str, subject: str, at: datetime = AT) -> set[str]:
    """Claim in a transaction of its own; answers the keys that were won."""
    async with transaction():
        uses = [a_use(key) for key in keys]
        won = await claim_many(
            uses, subjects=[subject] * len(uses), answers=[{"id": subject}] * len(uses), at=at
        )
    return {slot[3] for slot in won}


async def test_of_many_at_once_exactly_one_wins_and_all_find_its_answer() -> None:
    subjects = [f"msg_{n}" for n in range(20)]

    won = await asyncio.gather(*(a_claim("k-1", subject=subject) for subject in subjects))

    (winner,) = [subject for subject, keys in zip(subjects, won, strict=True) if keys]
    remembered = (await find_many([a_use("k-1")], at=AT))[a_use("k-1").scope]
    assert (remembered.subject_id, remembered.answer) == (winner, {"id": winner})
    assert await db.fetchval("SELECT count(*) FROM idempotency_keys") == 1


async def test_the_second_waits_for_the_first_and_loses_when_it_commits() -> None:
    async with transaction():
        await claim_many([a_use("k-1")], subjects=["msg_1"], answers=[{"id": "msg_1"}], at=AT)
        second = outside(a_claim("k-1", subject="msg_2"))
        await somebody_waits()

    assert await second == set()
    assert (await find_many([a_use("k-1")], at=AT))[a_use("k-1").scope].answer == {"id": "msg_1"}


async def test_the_second_wins_when_the_first_is_rolled_back() -> None:
    with pytest.raises(Refusal):
        async with transaction():
            await claim_many([a_use("k-1")], subjects=["msg_1"], answers=[{"id": "msg_1"}], at=AT)
            second = outside(a_claim("k-1", subject="msg_2"))
            await somebody_waits()
            raise Refusal

    assert await second == {"k-1"}
    assert (await find_many([a_use("k-1")], at=AT))[a_use("k-1").scope].subject_id == "msg_2"


async def test_of_many_that_find_a_key_expired_exactly_one_takes_it() -> None:
    await a_claim("k-1", subject="old")
    later = AT + KEY_TTL
    subjects = [f"msg_{n}" for n in range(10)]

    won = await asyncio.gather(*(a_claim("k-1", subject=subject, at=later) for subject in subjects))

    (winner,) = [subject for subject, keys in zip(subjects, won, strict=True) if keys]
    assert (await find_many([a_use("k-1")], at=later))[a_use("k-1").scope].subject_id == winner


async def test_batches_with_the_same_keys_in_any_order_do_not_lock_up() -> None:
    keys = [f"k-{n}" for n in range(50)]
    batches = [keys, keys[::-1], keys[25:] + keys[:25], keys[::2] + keys[1::2]]

    won = await asyncio.gather(
        *(a_claim(*batch, subject=f"msg_{n}") for n, batch in enumerate(batches))
    )

    assert sorted(key for batch in won for key in batch) == sorted(keys)


async def test_keys_are_claimed_in_the_same_order_by_everybody() -> None:
    keys = [f"k-{n:02}" for n in range(20)]
    async with transaction():
        await claim_many([a_use(keys[10])], subjects=["msg_1"], answers=[{"id": "msg_1"}], at=AT)
        waiting = outside(a_claim(*reversed(keys), subject="msg_2"))
        await somebody_waits()
        async with asyncio.timeout(60):
            beyond = await outside(a_claim(*keys[11:], subject="msg_3"))

    assert beyond == set(keys[11:])
    assert await waiting == set(keys[:10])
