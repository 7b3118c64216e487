"""A clock is set, shown and advanced: forward only, in the sandbox only, and told by the audit."""

from datetime import timedelta

import pytest

from core import audit, idempotency, sandbox_clock
from core.foundation.clock import is_set, now, real_now
from core.foundation.errors import NotFound
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.organizations import authenticate
from core.sandbox_clock import ClockAdvance, ClockSetting, ClockStatus, SandboxClock
from core.sandbox_clock.errors import ClockAdvancing, ClockNotSet, ClockOutOfRange, NothingDue
from tests.factories.organizations import a_caller, a_key
from tests.factories.sms import a_send
from tests.support.clocks import freeze, request_of

pytestmark = pytest.mark.usefixtures("clean_slate")


async def the_caller(key: str) -> Caller:
    return await authenticate(key, request_id=None)


async def test_without_a_clock_it_is_the_real_time() -> None:
    caller = await the_caller(await a_key())
    assert not caller.has_clock
    clock = await sandbox_clock.get_clock(caller)
    assert clock["status"] == ClockStatus.REAL
    async with request_of(caller):
        assert not is_set()


async def test_requests_of_a_sandbox_happen_at_its_time() -> None:
    key = await a_key()
    caller = await the_caller(key)
    at = real_now() + timedelta(days=40)
    await freeze(caller, at)
    caller = await the_caller(key)
    assert caller.has_clock
    async with request_of(caller):
        assert now() == at
        first, second = new_id("msg"), new_id("msg")
    assert first < second
    assert not is_set()


async def test_a_clock_that_does_not_stand_goes_on() -> None:
    caller = await a_caller()
    at = real_now() + timedelta(days=40)
    await sandbox_clock.set_clock(caller, ClockSetting(agora=at))
    await SandboxClock.all().update(set_at=real_now() - timedelta(hours=2))
    async with request_of(caller):
        assert now() - at >= timedelta(hours=2)


async def test_it_goes_forward_only() -> None:
    caller = await a_caller()
    at = real_now() + timedelta(days=40)
    await freeze(caller, at)
    with pytest.raises(ClockOutOfRange):
        await sandbox_clock.set_clock(caller, ClockSetting(agora=at - timedelta(seconds=1)))
    with pytest.raises(ClockOutOfRange):
        await sandbox_clock.advance_clock(caller, ClockAdvance(ate=at - timedelta(seconds=1)))
    with pytest.raises(ClockOutOfRange):
        await sandbox_clock.advance_clock(caller, ClockAdvance(por="P731D"))


async def test_production_has_no_clock() -> None:
    caller = await a_caller("live")
    with pytest.raises(NotFound):
        await sandbox_clock.get_clock(caller)
    with pytest.raises(NotFound):
        await sandbox_clock.set_clock(caller, ClockSetting())
    with pytest.raises(NotFound):
        await sandbox_clock.advance_clock(caller, ClockAdvance(por="P1D"))


async def test_a_clock_is_set_before_it_is_advanced() -> None:
    caller = await a_caller()
    with pytest.raises(ClockNotSet):
        await sandbox_clock.advance_clock(caller, ClockAdvance(por="P1D"))


async def test_one_movement_at_a_time() -> None:
    caller = await a_caller()
    await freeze(caller, real_now() + timedelta(days=1))
    with pytest.raises(NothingDue):
        await sandbox_clock.advance_clock(caller, ClockAdvance.model_validate({"passo": "proximo"}))
    clock = await sandbox_clock.advance_clock(caller, ClockAdvance(por="P1D"))
    assert clock["status"] == ClockStatus.ADVANCING
    with pytest.raises(ClockAdvancing):
        await sandbox_clock.advance_clock(caller, ClockAdvance(por="P1D"))
    with pytest.raises(ClockAdvancing):
        await sandbox_clock.set_clock(caller, ClockSetting())


async def test_movements_are_told_by_the_audit_in_real_time() -> None:
    caller = await a_caller()
    await freeze(caller, real_now() + timedelta(days=40))
    await sandbox_clock.advance_clock(caller, ClockAdvance(por="P1D"))
    page = await audit.list_entries(caller, audit.AuditFilter())
    told = {entry["action"]: entry for entry in page["items"]}
    assert set(told["sandbox_clock.set"]["facts"]) == {"de", "agora", "congelado"}
    assert set(told["sandbox_clock.advanced"]["facts"]) == {"de", "para"}


async def test_idempotency_keys_live_by_the_real_time() -> None:
    caller = await a_caller()
    at = real_now() + timedelta(days=40)
    await freeze(caller, at)
    async with request_of(caller):
        first = await a_send(caller, key="the same")
    await freeze(caller, at + timedelta(days=60))
    async with request_of(caller):
        again = await a_send(caller, key="the same")
        with pytest.raises(idempotency.KeyReusedWithAnotherBody):
            await a_send(caller, key="the same", body="another")
    assert again["id"] == first["id"]
    assert again["replayed"]
