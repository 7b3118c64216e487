"""Answers that are remembered whole: who gets them again, and what the database sees of them."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core import idempotency
from core.foundation import clock
from core.foundation.database import db
from core.foundation.errors import Conflict
from core.foundation.security.caller import Caller, Scope
from core.foundation.security.secrets import KeyRing
from core.idempotency import (
    AnswerNotShown,
    KeyReusedWithAnotherBody,
    KeyUse,
    StoredAnswer,
    answer_once,
)

pytestmark = pytest.mark.usefixtures("clean_slate")

SECRET = "whsec_never-in-clear"
CALLER = Caller(
    "org_1", "test", frozenset({Scope.CONTACTS_WRITE, Scope.PII_FULL}), credential_id="key_1"
)
SESSION = replace(CALLER, kind="session", account_id="acc_1", credential_id="ses_1")


class UseCase:
    """Counts how often it was done."""

    def __init__(self) -> None:
        self.done = 0

    async def __call__(self) -> StoredAnswer:
        self.done += 1
        return StoredAnswer(201, b'{"id":"cnt_1","secret":"' + SECRET.encode() + b'"}', "cnt_1")


def a_use(caller: Caller = CALLER, body: str = "one") -> KeyUse:
    return idempotency.key_use(caller, "POST /contacts", "k", {"path": {}, "body": body})


async def test_the_same_key_and_body_get_the_same_answer_and_do_nothing() -> None:
    use_case = UseCase()

    answers = [await answer_once(CALLER, a_use(), use_case) for _ in range(3)]

    assert {(answer.status, answer.body) for answer in answers} == {(201, (await UseCase()()).body)}
    assert use_case.done == 1


async def test_an_answer_is_stored_sealed_and_opens_in_its_place_only() -> None:
    await answer_once(CALLER, a_use(), UseCase())

    stored = await db.fetchval("SELECT to_jsonb(k)::text FROM idempotency_keys k")
    assert SECRET not in stored
    assert "cnt_1" in stored

    await db.execute("UPDATE idempotency_keys SET key = 'another'")
    moved = replace(a_use(), key="another")
    with pytest.raises(AnswerNotShown):
        await answer_once(CALLER, moved, UseCase())


async def test_another_credential_that_may_see_as_much_gets_it_too() -> None:
    await answer_once(CALLER, a_use(), UseCase())
    wider = replace(CALLER, credential_id="key_2", scopes=frozenset(Scope))

    use_case = UseCase()
    assert (await answer_once(wider, a_use(wider), use_case)).status == 201
    assert use_case.done == 0


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (CALLER, replace(CALLER, scopes=frozenset({Scope.CONTACTS_WRITE}))),
        (CALLER, SESSION),
        (SESSION, CALLER),
        (SESSION, replace(SESSION, account_id="acc_2")),
    ],
    ids=["sees no phones", "a key and a person", "a person and a key", "another person"],
)
async def test_who_may_see_less_or_is_somebody_else_is_shown_nothing(
    first: Caller, second: Caller
) -> None:
    await answer_once(first, a_use(first), UseCase())
    use_case = UseCase()

    with pytest.raises(AnswerNotShown) as refused:
        await answer_once(second, a_use(second), use_case)

    assert use_case.done == 0
    assert isinstance(refused.value, Conflict)
    assert refused.value.meta == {"code": "CHAVE_REUTILIZADA"}
    assert SECRET not in str(refused.value)


async def test_another_session_of_the_same_person_gets_it() -> None:
    await answer_once(SESSION, a_use(SESSION), UseCase())
    later = replace(SESSION, credential_id="ses_2")

    use_case = UseCase()
    assert (await answer_once(later, a_use(later), use_case)).status == 201
    assert use_case.done == 0


async def test_another_body_is_refused_before_anything_is_done() -> None:
    await answer_once(CALLER, a_use(), UseCase())
    use_case = UseCase()

    with pytest.raises(KeyReusedWithAnotherBody):
        await answer_once(CALLER, a_use(body="two"), use_case)
    assert use_case.done == 0


async def test_a_refusal_leaves_the_key_free() -> None:
    async def refuse() -> StoredAnswer:
        await db.execute("INSERT INTO contact_denials SELECT * FROM contact_denials")
        raise Conflict

    with pytest.raises(Conflict):
        await answer_once(CALLER, a_use(), refuse)
    assert await db.fetchval("SELECT count(*) FROM idempotency_keys") == 0

    use_case = UseCase()
    await answer_once(CALLER, a_use(body="two"), use_case)
    assert use_case.done == 1


@pytest.mark.parametrize("lost", ["forgotten", "of an encryption key that is gone"])
async def test_an_answer_that_is_lost_is_refused_and_nothing_is_done_again(
    lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await answer_once(CALLER, a_use(), UseCase())
    use_case = UseCase()
    if lost == "forgotten":
        await idempotency.forget_answers(CALLER, ["cnt_1", "cnt_2"])
        assert await db.fetchval("SELECT answer FROM idempotency_keys") == {}
    else:
        monkeypatch.setattr("core.idempotency.stored_answers.keyring", lambda: KeyRing([b"x" * 32]))

    with pytest.raises(AnswerNotShown):
        await answer_once(CALLER, a_use(), use_case)
    assert use_case.done == 0


async def test_only_sealed_answers_about_these_records_of_the_caller_are_forgotten() -> None:
    stranger = replace(CALLER, organization_id="org_2")
    for caller in (CALLER, stranger):
        await answer_once(caller, a_use(caller), UseCase())
    await idempotency.claim_many(
        [replace(a_use(), key="a send")],
        subjects=["cnt_1"],
        answers=[{"id": "msg_1"}],
        at=clock.now(),
    )

    await idempotency.forget_answers(CALLER, ["cnt_1"])

    rows = await db.fetch(
        "SELECT organization_id, key, answer FROM idempotency_keys WHERE answer <> '{}'"
    )
    assert {(row["organization_id"], row["key"]) for row in rows} == {
        ("org_1", "a send"),
        ("org_2", "k"),
    }


async def test_after_a_day_the_key_is_new() -> None:
    await answer_once(CALLER, a_use(), UseCase())
    left = await db.fetchval("SELECT expires_at - created_at FROM idempotency_keys")
    assert left == timedelta(hours=24)
    await db.execute("UPDATE idempotency_keys SET expires_at = $1", clock.now())

    use_case = UseCase()
    await answer_once(CALLER, a_use(body="two"), use_case)
    assert use_case.done == 1


async def test_a_replay_is_noted_for_the_door() -> None:
    idempotency.note_replay(False)
    await answer_once(CALLER, a_use(), UseCase())
    assert not idempotency.was_replayed()

    await answer_once(CALLER, a_use(), UseCase())
    assert idempotency.was_replayed()
