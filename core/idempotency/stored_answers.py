"""Stored answers of any operation, sealed, to be replayed for a repeated Idempotency-Key.

Such an answer may hold a secret or a person: it is sealed, it is shown to nobody who may see less
than whoever it was made for, and it goes with the record that it is about when that is erased.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.foundation.security.keyring import keyring
from core.foundation.security.secrets import CannotDecrypt
from core.idempotency.claims import KeyUse
from core.idempotency.errors import AnswerNotShown


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """The status of an answer and its JSON. `subject_id`: the record that it is about, if it is
    about one.
    """

    status: int
    body: bytes
    subject_id: str | None = None


async def forget_answers(caller: Caller, subjects: Sequence[str]) -> None:
    """Drop the answers about these records. Their keys stay used: a repeated request is refused,
    not done again.
    """
    await db.execute(FORGET, caller.organization_id, caller.env, list(subjects))


async def redact_answers(
    caller: Caller,
    routes: Sequence[str],
    subjects: Sequence[str],
    *,
    drop: Sequence[str],
    shorten: str,
    put: Mapping[str, object],
) -> None:
    """Take a person out of the answers of these routes about these records: fields are dropped, one
    is cut to its last four characters, others are put in their place. The keys stay, or a repeated
    request would be a new one.
    """
    await db.execute(
        REDACT,
        caller.organization_id,
        caller.env,
        list(routes),
        list(subjects),
        list(drop),
        shorten,
        dict(put),
    )


def seal_answer(caller: Caller, use: KeyUse, made: StoredAnswer) -> str:
    """The answer as it is stored: encrypted, with who may see it again."""
    seen = {"by": _person(caller), "scopes": sorted(caller.scopes)}
    plain = orjson.dumps({"status": made.status, "body": made.body.decode(), **seen})
    return keyring().encrypt(plain.decode(), context=_context(use))


def open_answer(caller: Caller, use: KeyUse, remembered: Mapping[str, Any]) -> StoredAnswer:
    """The stored answer again. Raises AnswerNotShown."""
    try:
        found = orjson.loads(keyring().decrypt(remembered["sealed"], context=_context(use)))
    except (KeyError, CannotDecrypt):  # expired, or its encryption key is gone
        raise AnswerNotShown from None
    if found["by"] != _person(caller) or not caller.scopes.issuperset(found["scopes"]):
        raise AnswerNotShown
    return StoredAnswer(found["status"], found["body"].encode())


def _person(caller: Caller) -> str | None:
    """Who is logged in; keys come and go, and whichever holds the scopes may ask for what another
    one did.
    """
    return caller.account_id if caller.kind == "session" else None


def _context(use: KeyUse) -> str:
    return "idempotency_keys.answer:" + " ".join(use.scope)


FORGET = """
UPDATE idempotency_keys SET answer = '{}'::jsonb
WHERE organization_id = $1 AND env = $2 AND subject_id = ANY ($3) AND answer ? 'sealed'
"""

REDACT = """
UPDATE idempotency_keys
SET answer = (answer - $5::text[]) || jsonb_build_object($6::text, right(answer ->> $6, 4)) || $7::jsonb
WHERE organization_id = $1 AND env = $2 AND route = ANY ($3) AND subject_id = ANY ($4)
"""
