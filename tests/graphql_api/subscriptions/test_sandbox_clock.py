"""The clock of a sandbox, told as it is set and as it goes on."""

from datetime import timedelta

import pytest
from gql.transport.exceptions import TransportQueryError

from core import sandbox_clock
from core.foundation import moved_clocks
from core.foundation.clock import real_now, wire_time
from core.sandbox_clock import ClockAdvance, ClockSetting, set_clock
from tests.factories.organizations import a_caller, a_key
from tests.graphql_api.subscriptions.conftest import Serving

CHANGED = "subscription { sandboxClockChanged { agora congelado status para } }"


async def test_the_clock_is_told_when_it_is_set_and_when_it_sets_out(server: Serving) -> None:
    caller = await a_caller()
    told = await server.subscribe(
        await a_key("test", organization_id=caller.organization_id), CHANGED
    )
    at = (real_now() + timedelta(days=10)).replace(microsecond=0)
    try:
        await set_clock(caller, ClockSetting(agora=at, congelado=True))

        assert (await told.next())["sandboxClockChanged"] == {
            "agora": wire_time(at),
            "congelado": True,
            "status": "PRONTO",
            "para": None,
        }
        await sandbox_clock.advance_clock(caller, ClockAdvance.model_validate({"por": "P1D"}))
        seen = (await told.next())["sandboxClockChanged"]
        assert (seen["status"], seen["para"]) == ("AVANCANDO", wire_time(at + timedelta(days=1)))
    finally:
        moved_clocks.hold(())


async def test_production_has_no_clock_to_tell_of(server: Serving) -> None:
    with pytest.raises(TransportQueryError) as refusal:
        told = await server.subscribe(await a_key("live"), CHANGED)
        await told.next()
    assert refusal.value.errors is not None
    assert refusal.value.errors[0]["extensions"]["code"] == "NOT_FOUND"
