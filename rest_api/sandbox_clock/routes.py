"""The clock of a sandbox: read, set, advanced."""

from core import sandbox_clock
from core.foundation.security.caller import Scope
from core.sandbox_clock import ClockAdvance, ClockRecord, ClockSetting
from rest_api.sandbox_clock import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call


async def get_clock(call: Call) -> ClockRecord:
    return await sandbox_clock.get_clock(call.caller)


async def set_clock(call: Call[ClockSetting]) -> ClockRecord:
    return await sandbox_clock.set_clock(call.caller, call.body)


async def advance_clock(call: Call[ClockAdvance]) -> ClockRecord:
    return await sandbox_clock.advance_clock(call.caller, call.body)


operations = [
    Operation(
        "GET",
        "/v2/sandbox/clock",
        get_clock,
        Scope.MESSAGES_READ,
        "Read the sandbox's clock",
        "Sandbox",
        description="Test keys only. While it is being moved, `agora` tells how far it has come.",
        errors=(401, 403, 404),
        answer=ClockRecord,
        answers={"in real time": examples.REAL, "moved": examples.THERE},
    ),
    Operation(
        "PUT",
        "/v2/sandbox/clock",
        set_clock,
        Scope.MESSAGES_SEND,
        "Set the sandbox's clock",
        "Sandbox",
        description=(
            "Test keys only. It only goes forward. What lies between happens late: when the clock "
            "goes on. The first time it takes three seconds, until every server knows of it."
        ),
        errors=(401, 403, 404, 409, 422),
        body=ClockSetting,
        answer=ClockRecord,
        examples={"standing": {"agora": "2026-12-01T12:00:00Z", "congelado": True}},
        answers={"standing": examples.STANDING},
    ),
    Operation(
        "POST",
        "/v2/sandbox/clock/avancar",
        advance_clock,
        Scope.MESSAGES_SEND,
        "Advance the sandbox's clock",
        "Sandbox",
        status=202,
        description=(
            "Test keys only, and of a clock that was set. All that comes due on the way happens, "
            "each thing at its instant and in one order; `GET` tells how far it is. At most 200,000 "
            "things and five minutes: then it stops, and is advanced again."
        ),
        errors=(401, 403, 404, 409, 422),
        body=ClockAdvance,
        answer=ClockRecord,
        examples={
            "thirty days": {"por": "P30D"},
            "the next step": {"passo": "proximo"},
        },
        answers={"it sets out": examples.ADVANCING},
    ),
]
