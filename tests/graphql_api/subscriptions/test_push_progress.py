"""A dispatch, told as it goes."""

import pytest
from gql.transport.exceptions import TransportQueryError

from core import push
from core.foundation.clock import now
from core.foundation.security.caller import Scope
from tests.factories.organizations import a_caller, a_key
from tests.factories.push import a_device, a_dispatch
from tests.graphql_api.subscriptions.conftest import Serving

PROGRESS = "subscription($id: ID!) { pushProgress(id: $id) { id status metrics { reach delivered opened } } }"


def told_as(id: str, status: str, delivered: int, opened: int = 0) -> dict[str, object]:
    metrics = {"reach": 1, "delivered": delivered, "opened": opened}
    return {"pushProgress": {"id": id, "status": status, "metrics": metrics}}


async def test_a_dispatch_is_told_when_it_starts_when_it_is_sent_and_when_it_is_opened(
    server: Serving,
) -> None:
    caller = await a_caller()
    await a_device(caller, "t1")
    id = (await a_dispatch(caller))["id"]
    other = (await a_dispatch(caller))["id"]
    told = await server.subscribe(
        await a_key("test", organization_id=caller.organization_id), PROGRESS, id=id
    )

    await push.start_due(at=now())
    await push.start_due(at=now())
    await told.comes_to(told_as(id, "QUEUED", 0))
    await push.drain_sandbox(at=now())
    await told.comes_to(told_as(id, "SENT", 1))
    await push.record_open(caller, other, push.Opened())
    await push.record_open(caller, id, push.Opened(token="t1"))
    await told.comes_to(told_as(id, "SENT", 1, 1))


async def test_a_dispatch_of_others_or_without_the_scope_is_not_told(server: Serving) -> None:
    caller = await a_caller()
    id = (await a_dispatch(caller))["id"]
    strange = await a_key("test")
    sender = await a_key(
        "test", scopes=frozenset({Scope.PUSH_SEND}), organization_id=caller.organization_id
    )

    for key, code in ((strange, "NOT_FOUND"), (sender, "FORBIDDEN")):
        with pytest.raises(TransportQueryError) as refusal:
            told = await server.subscribe(key, PROGRESS, id=id)
            await told.next()
        assert refusal.value.errors is not None
        assert refusal.value.errors[0]["extensions"]["code"] == code
