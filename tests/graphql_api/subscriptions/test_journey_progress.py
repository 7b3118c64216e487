"""A journey, told while contacts go through it."""

import pytest
from gql.transport.exceptions import TransportQueryError

from core import journeys
from core.foundation.security.caller import Scope
from core.journeys.runs.program import Program
from tests.factories.journeys import a_running_journey, enrolled
from tests.factories.organizations import a_caller, a_key
from tests.factories.stored_contacts import stored_contacts
from tests.graphql_api.subscriptions.conftest import Serving

PROGRESS = (
    "subscription($id: ID!) { journeyProgress(id: $id) { id execucoes { ativa cancelada } } }"
)


async def test_a_journey_is_told_when_contacts_enter_and_leave(server: Serving) -> None:
    caller = await a_caller()
    program, other = await a_running_journey(caller), await a_running_journey(caller)
    key = await a_key("test", organization_id=caller.organization_id)
    contacts = await stored_contacts(caller, [{}] * 3)
    told = await server.subscribe(key, PROGRESS, id=program.version_id)

    await enrolled(other, contacts)
    run, *_ = await enrolled(program, contacts)
    await told.comes_to(told_as(program, ativa=3, cancelada=0))
    await journeys.take_out(caller, program.version_id, run)
    await told.comes_to(told_as(program, ativa=2, cancelada=1))


def told_as(program: Program, **runs: int) -> dict[str, object]:
    return {"journeyProgress": {"id": program.version_id, "execucoes": runs}}


async def test_a_journey_of_others_or_without_the_scope_is_not_told(server: Serving) -> None:
    caller = await a_caller()
    program = await a_running_journey(caller)
    strange = await a_key("test")
    sender = await a_key(
        "test", scopes=frozenset({Scope.PUSH_SEND}), organization_id=caller.organization_id
    )

    for key, code in ((strange, "NOT_FOUND"), (sender, "FORBIDDEN")):
        with pytest.raises(TransportQueryError) as refusal:
            told = await server.subscribe(key, PROGRESS, id=program.version_id)
            await told.next()
        assert refusal.value.errors is not None
        assert refusal.value.errors[0]["extensions"]["code"] == code
