"""Answers that are remembered whole, whatever the request was.

Such an answer may hold a secret or a person: it is sealed, it is shown to nobody who may see less
than whoever it was made for, and it goes with the record that it is about when that is erased.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.foundation.security.keyring import keyring
from core.foundation.security.secrets import CannotDecrypt
from core.idempotency.claims import KeyUse
from core.idempotency.errors import AnswerNotShown
from core.idempotency.once import once


@dataclass(frozen=True, slots=True)
class Answer:
    """The status of an answer and its JSON. `subject_id`: the record that it is about, if it is
    about one.
    """

    status: int
    body: bytes
    subject_id: str | None = None


async def answer_once(caller: Caller, use: KeyUse, make: Callable[[], Awaitable[Answer]]) -> Answer:
    """The answer that `make` comes to, now or when the key was used first. A refusal leaves the key
    free.

    All that `make` writes is committed together with the key, or not at all; so it calls nobody
    outside. Raises AnswerNotShown, KeyReusedWithAnotherBody and StillUnderWay.
    """
    made, asked_at = None, now()

    async def effect() -> tuple[str | None, dict[str, Any], datetime]:
        nonlocal made
        made = await make()
        return made.subject_id, {"sealed": _seal(caller, use, made)}, asked_at

    remembered = await once(use, effect)
    return made or _open(caller, use, remembered)


async def forget_answers(caller: Caller, subjects: Sequence[str]) -> None:
    """Drop the answers about these records. Their keys stay used: a repeated request is refused,
    not done again.
    """
    await db.execute(FORGET, caller.organization_id, caller.env, list(subjects))


def _seal(caller: Caller, use: KeyUse, made: Answer) -> str:
    seen = {"by": _person(caller), "scopes": sorted(caller.scopes)}
    plain = orjson.dumps({"status": made.status, "body": made.body.decode(), **seen})
    return keyring().encrypt(plain.decode(), context=_place(use))


def _open(caller: Caller, use: KeyUse, remembered: dict[str, Any]) -> Answer:
    try:
        found = orjson.loads(keyring().decrypt(remembered["sealed"], context=_place(use)))
    except (KeyError, CannotDecrypt):  # forgotten, or its encryption key is gone
        raise AnswerNotShown from None
    if found["by"] != _person(caller) or not caller.scopes.issuperset(found["scopes"]):
        raise AnswerNotShown
    return Answer(found["status"], found["body"].encode())


def _person(caller: Caller) -> str | None:
    """Who is logged in; keys come and go, and whichever holds the scopes may ask for what another
    one did.
    """
    return caller.account_id if caller.kind == "session" else None


def _place(use: KeyUse) -> str:
    return "idempotency_keys.answer:" + " ".join(use.slot)


FORGET = """
UPDATE idempotency_keys SET answer = '{}'::jsonb
WHERE organization_id = $1 AND env = $2 AND subject_id = ANY ($3) AND answer ? 'sealed'
"""
