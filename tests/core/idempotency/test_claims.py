"""Keys: found, claimed, answered, released, and forgotten after their time."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.foundation.database import db
from core.foundation.errors import BadRequest, Conflict
from core.foundation.security.caller import system_caller
from core.foundation.validation.inputs import Input
from core.idempotency import (
    InvalidKey,
    KeyReusedWithAnotherBody,
    KeyUse,
    RequestInProgress,
    answer_many,
    claim_many,
    end_leases,
    find_many,
    hash_of,
    key_use,
    key_use_in_turns,
    release_many,
    sweep,
)
from core.idempotency.claims import CLAIM_LEASE, KEY_TTL

pytestmark = pytest.mark.usefixtures("clean_slate")

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
MOMENT = timedelta(microseconds=1)
ANSWER = {"id": "msg_1", "billing": {"coins": 800}}


def a_use(
    key: str = "k-1",
    *,
    organization_id: str = "org_1",
    env: str = "test",
    route: str = "sms.send",
    body: str = "one",
) -> KeyUse:
    return KeyUse(organization_id, env, route, key, hash_of({"body": body}))


async def a_claim(
    use: KeyUse,
    *,
    subject: str = "msg_1",
    answer: Mapping[str, Any] | None = ANSWER,
    at: datetime = AT,
) -> bool:
    """Whether the claim was won."""
    return bool(await claim_many([use], subjects=[subject], answers=[answer], at=at))


async def found(use: KeyUse, *, at: datetime = AT) -> Any:
    return (await find_many([use], at=at)).get(use.scope)


# Finding and claiming


async def test_a_key_that_was_never_used_is_unknown() -> None:
    assert await find_many([a_use()], at=AT) == {}
    assert await find_many([], at=AT) == {}


async def test_a_claim_is_remembered_with_its_answer() -> None:
    use = a_use()

    assert await a_claim(use)

    remembered = await found(use)
    assert (remembered.body_hash, remembered.subject_id, remembered.answer) == (
        use.body_hash,
        "msg_1",
        ANSWER,
    )
    assert remembered.lease_until is None


async def test_a_claim_without_an_answer_is_leased() -> None:
    await a_claim(a_use(), answer=None)

    remembered = await found(a_use())
    assert (remembered.answer, remembered.lease_until) == (None, AT + CLAIM_LEASE)


async def test_a_second_claim_loses_and_changes_nothing() -> None:
    await a_claim(a_use())

    assert not await a_claim(a_use(body="other"), subject="msg_2", answer={"id": "msg_2"})

    remembered = await found(a_use())
    assert (remembered.body_hash, remembered.subject_id, remembered.answer) == (
        a_use().body_hash,
        "msg_1",
        ANSWER,
    )


@pytest.mark.parametrize(
    "other",
    [
        {"key": "k-2"},
        {"organization_id": "org_2"},
        {"env": "live"},
        {"route": "rcs.send"},
        {"key": "K-1"},
    ],
)
async def test_a_key_is_unique_per_organization_environment_and_route(
    other: dict[str, str],
) -> None:
    await a_claim(a_use())

    assert await found(a_use(**other)) is None
    assert await a_claim(a_use(**other), subject="msg_2")


async def test_many_are_claimed_at_once_and_each_answers_for_itself() -> None:
    await a_claim(a_use("k-2"))
    uses = [a_use(f"k-{n}") for n in range(1, 5)]

    won = await claim_many(
        uses,
        subjects=[f"msg_{n}" for n in range(4)],
        answers=[{"n": n} for n in range(3)] + [None],
        at=AT,
    )

    assert won == {use.scope for use in uses if use.key != "k-2"}
    remembered = await find_many([*uses, a_use("k-9")], at=AT)
    assert [remembered[use.scope].answer for use in uses] == [{"n": 0}, ANSWER, {"n": 2}, None]
    assert len(remembered) == 4


async def test_nothing_is_claimed_of_nothing() -> None:
    assert await claim_many([], subjects=[], answers=[], at=AT) == set()


@pytest.mark.parametrize("key", ["a", "'; DROP TABLE idempotency_keys; --", " ~!", "k" * 255])
async def test_a_key_is_any_printable_text(key: str) -> None:
    assert await a_claim(a_use(key))
    assert (await found(a_use(key))).subject_id == "msg_1"


# Time


async def test_a_key_is_remembered_for_24_hours() -> None:
    await a_claim(a_use())

    assert timedelta(hours=24) == KEY_TTL
    assert await found(a_use(), at=AT + KEY_TTL - MOMENT)
    assert await found(a_use(), at=AT + KEY_TTL) is None


async def test_an_expired_key_is_claimed_anew() -> None:
    await a_claim(a_use())
    later = AT + KEY_TTL

    assert not await a_claim(a_use(body="two"), subject="msg_2", at=later - MOMENT)
    assert await a_claim(a_use(body="two"), subject="msg_2", answer=None, at=later)

    remembered = await found(a_use(), at=later)
    assert (remembered.body_hash, remembered.subject_id) == (a_use(body="two").body_hash, "msg_2")
    assert (remembered.answer, remembered.lease_until) == (None, later + CLAIM_LEASE)
    assert await found(a_use(), at=later + KEY_TTL - MOMENT)


async def test_the_sweep_goes_a_batch_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.idempotency.claims.SWEEP_BATCH_SIZE", 2)
    for key in ("one", "two", "three"):
        await a_claim(a_use(key))

    assert [await sweep(at=AT + KEY_TTL) for _ in range(3)] == [2, 1, 0]


async def test_the_sweep_forgets_what_has_expired_and_nothing_else() -> None:
    await a_claim(a_use("old"))
    await a_claim(a_use("new"), at=AT + MOMENT)

    assert await sweep(at=AT + KEY_TTL) == 1
    assert await sweep(at=AT + KEY_TTL) == 0

    assert await db.fetchval("SELECT string_agg(key, ',') FROM idempotency_keys") == "new"


# Live sends: the row comes before the answer


async def test_an_answer_that_comes_later_ends_the_lease() -> None:
    use = a_use(env="live")
    await a_claim(use, answer=None)
    await a_claim(a_use("k-2", env="live"), subject="msg_2", answer=None)

    await answer_many(["msg_1"], ['{"id": "msg_1"}'])

    remembered = await found(use)
    assert (remembered.answer, remembered.lease_until) == ({"id": "msg_1"}, None)
    assert (await found(a_use("k-2", env="live"))).answer is None


async def test_a_released_key_is_free_again() -> None:
    use, other = a_use(env="live"), a_use("k-2", env="live")
    await a_claim(use, answer=None)
    await a_claim(other, subject="msg_2", answer=None)

    await release_many(["msg_1"])

    assert await found(use) is None
    assert (await found(other)).subject_id == "msg_2"
    assert await a_claim(use, subject="msg_3")


async def test_an_ended_lease_keeps_the_key_and_its_message() -> None:
    use = a_use(env="live")
    await a_claim(use, answer=None)

    await end_leases(["msg_1"], at=AT + MOMENT)

    remembered = await found(use)
    assert (remembered.subject_id, remembered.answer, remembered.lease_until) == (
        "msg_1",
        None,
        AT + MOMENT,
    )
    assert not await a_claim(use, subject="msg_2")


async def test_of_no_messages_nothing_is_answered_or_released() -> None:
    await a_claim(a_use(env="live"), answer=None)

    await answer_many([], [])
    await release_many([])
    await end_leases([], at=AT)

    assert (await found(a_use(env="live"))).lease_until == AT + CLAIM_LEASE


# Bodies


def test_the_order_of_names_makes_no_other_body() -> None:
    assert hash_of({"a": 1, "b": {"c": 1, "d": 2}}) == hash_of({"b": {"d": 2, "c": 1}, "a": 1})
    assert len(hash_of({})) == 32


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"a": 2},
        {"a": "1"},
        {"a": 1.0},
        {"a": True},
        {"a": [1]},
        {"a": 1, "b": None},
        {"A": 1},
        {"a": None},
    ],
)
def test_every_other_body_is_another(other: dict[str, Any]) -> None:
    assert hash_of(other) != hash_of({"a": 1})


def test_the_order_of_a_list_matters() -> None:
    assert hash_of({"a": [1, 2]}) != hash_of({"a": [2, 1]})


# Refusals


def test_each_refusal_says_what_happened() -> None:
    reused, under_way, invalid = KeyReusedWithAnotherBody(), RequestInProgress(), InvalidKey()

    assert isinstance(reused, Conflict)
    assert isinstance(under_way, Conflict)
    assert isinstance(invalid, BadRequest)
    assert (under_way.meta["code"], under_way.retry_after) == ("IDEMPOTENCIA_EM_ANDAMENTO", 1)
    assert reused.retry_after is None
    assert [error.as_wire()["header"] for error in invalid.errors] == ["Idempotency-Key"]


class Item(Input):
    """One of many."""

    to: str
    metadata: dict[str, int] | None = None


class LongBody(Input):
    """A body with a long list."""

    zone: str | None = None
    items: list[Item]
    at: datetime | None = None
    campaign_id: str | None = None


async def test_a_long_body_that_is_hashed_in_turns_has_the_hash_of_the_whole() -> None:
    caller = system_caller("org_1", "test")
    items = [Item(to="ação"), Item(to='"', metadata={"b": 1, "a": 2}), Item(to="", metadata=None)]
    for sent in (
        {"items": items},
        {"items": items[:1], "zone": None, "at": AT, "campaign_id": "c"},
    ):
        body = LongBody.model_validate(sent)
        whole = key_use(caller, "r", "k", body.model_dump(mode="json", exclude_unset=True))

        assert await key_use_in_turns(caller, "r", "k", body, items="items") == whole
    with pytest.raises(InvalidKey):
        await key_use_in_turns(caller, "r", "é", body, items="items")
