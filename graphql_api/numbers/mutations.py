"""What can be done to numbers."""

from core import numbers
from core.dashboards.numbers import NUMBER
from core.foundation.security.caller import Scope
from graphql_api.inputs import call, name_sets
from graphql_api.mutations import deeds, does
from graphql_api.numbers.types import Number

call(numbers.SandboxEvent, "SandboxNumberEventInput")
name_sets(numbers.SandboxEvent, tipo="SandboxNumberEventKind")


@deeds
class NumberMutations:
    send_sandbox_number_event: Number | None = does(
        numbers.simulate_event,
        numbers.SandboxEvent,
        scope=Scope.MESSAGES_SEND,
        answers=NUMBER,
        ids=("id",),
        description="Let the platform tell something of a number; in the test environment only.",
    )
