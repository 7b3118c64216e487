"""One effect per Idempotency-Key, for every operation whose use case does not see to it itself."""

from typing import Any

import orjson

from core.idempotency import StoredAnswer, answer_once, key_use
from rest_api.support.operations import Operation
from rest_api.support.requests import Call, OtherSuccess


async def run_once(operation: Operation, call: Call, raw: bytes) -> StoredAnswer:
    """What the operation answers to this call, now or when its key was used first. `raw`: the body
    as it came.
    """
    assert call.idempotency_key is not None

    async def make() -> StoredAnswer:
        content, status = await operation.handler(call), operation.status
        if isinstance(content, OtherSuccess):
            content, status = content.content, operation.other_status or status
        subject = content.get("id") if isinstance(content, dict) else None
        return StoredAnswer(status, orjson.dumps(content), subject)

    asked = {"path": call.path, "body": plain_body(raw)}
    use = key_use(call.caller, f"{operation.method} {operation.path}", call.idempotency_key, asked)
    return await answer_once(call.caller, use, make)


def plain_body(raw: bytes) -> Any:
    """The body without what its writing varies in, which is spaces; names are put in order where it
    is hashed. No body says what `{}` says.
    """
    try:
        return orjson.loads(raw or b"{}")
    except (
        orjson.JSONDecodeError
    ):  # our reader takes it, this one does not: the same bytes are the same body
        return {"": raw.hex()}
