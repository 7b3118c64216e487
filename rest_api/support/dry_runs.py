"""The header X-SVC-Dry-Run: what a write would do and answer, without doing it."""

from collections.abc import Awaitable, Callable
from typing import Any

import orjson

from core.foundation.database.dry_runs import dry_run, with_suffix
from core.foundation.dry_run import NotRehearsable
from core.foundation.errors import BadRequest, FieldError
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Caller
from core.idempotency import StoredAnswer
from rest_api.support.requests import Headers, OtherSuccess

HEADER = b"x-svc-dry-run"
ECHO = ((HEADER, b"true"),)


def asks_for_dry_run(headers: Headers) -> bool:
    """Whether a request says so. Raises BadRequest where it says neither `true` nor `false`: one
    that is misunderstood would be done for real.
    """
    said = headers.get(HEADER)
    if said is None:
        return False
    match said.strip().lower():
        case "true":
            return True
        case "false":
            return False
    raise unclear_dry_run()


def unclear_dry_run() -> BadRequest:
    """The refusal of a header that cannot be understood."""
    message = "Send true for a dry run, or leave the header out"
    return BadRequest(
        "The header X-SVC-Dry-Run is not understood.",
        errors=[FieldError("header", "X-SVC-Dry-Run", "invalid", message)],
    )


async def rehearse(caller: Caller, work: Callable[[], Awaitable[object]]) -> object:
    """What the work answers, with nothing of it done. Raises what it raises, NotRehearsable,
    DryRunBusy, TooManyDryRuns.
    """
    if not caller.organization_id:  # nobody is recognised yet
        raise NotRehearsable
    async with dry_run(caller) as ids:
        content = await work()
        match content:
            case None:
                return None
            case OtherSuccess(content=other):
                return OtherSuccess(with_suffix(_encoded(other), ids))
            case StoredAnswer(status=status, body=body, subject_id=subject):
                return StoredAnswer(status, with_suffix(body, ids), subject)
            case _:
                return with_suffix(_encoded(content), ids)


def _encoded(content: Any) -> bytes:
    return content.encode() if isinstance(content, WrittenPage) else orjson.dumps(content)
