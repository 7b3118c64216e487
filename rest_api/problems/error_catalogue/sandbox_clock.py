"""Error catalogue: refusals of the sandbox's clock."""

from core.sandbox_clock.errors import ClockAdvancing, ClockNotSet, ClockOutOfRange, NothingDue
from rest_api.problems.error_doc import ErrorDoc, at

SET, ADVANCE = "PUT /v2/sandbox/clock", "POST /v2/sandbox/clock/avancar"

CONFLICTS = (
    ErrorDoc(
        ClockAdvancing(),
        "The clock of the sandbox is on its way.",
        "Read `GET /v2/sandbox/clock` until `status` is another than `avancando`.",
        at(SET, ADVANCE),
    ),
    ErrorDoc(
        ClockNotSet(),
        "Nobody has set the clock of this sandbox: it is the real time.",
        "Set it with `PUT /v2/sandbox/clock`, and advance it then.",
        at(ADVANCE),
    ),
    ErrorDoc(
        NothingDue(),
        "The next step was asked for, and nothing waits for a time in this sandbox.",
        "Advance by a period (`por`) or to an instant (`ate`).",
        at(ADVANCE),
    ),
)

INVALID = (
    ErrorDoc(
        ClockOutOfRange("agora", back=True),
        "The clock was to go back, which it never does.",
        "Name a later instant; to begin anew, empty the sandbox with `svc sandbox reset`.",
        at(SET, ADVANCE),
    ),
)
