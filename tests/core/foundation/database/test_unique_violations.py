"""Races that the database decides."""

import asyncpg
import pytest
from tortoise.exceptions import IntegrityError

from core.foundation.clock import now
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.database.unique_violations import conflict_as
from core.foundation.errors import Conflict
from core.foundation.security.caller import system_caller
from core.webhooks.models import WebhookEvent

pytestmark = pytest.mark.usefixtures("clean_slate")

TAKEN = {"webhook_events_pkey": Conflict}


async def an_event() -> None:
    async with transaction():
        owner = owned_by(system_caller("org_1", "test"))
        await WebhookEvent.create(
            id="evt_1", **owner, type="sms.sent", data={}, occurred_at=now(), created_at=now()
        )


async def test_the_second_is_refused_and_the_first_stays() -> None:
    with conflict_as(TAKEN):
        await an_event()

    with pytest.raises(Conflict) as refused, conflict_as(TAKEN):
        await an_event()

    assert refused.value.__cause__ is None
    assert await WebhookEvent.all().count() == 1


async def test_another_constraint_is_not_mistaken_for_it() -> None:
    await an_event()

    with pytest.raises(IntegrityError) as passed, conflict_as({"webhook_events_once": Conflict}):
        await an_event()

    assert isinstance(passed.value.__cause__, asyncpg.UniqueViolationError)


async def test_a_violation_that_is_none_of_uniqueness_passes() -> None:
    cause = asyncpg.ForeignKeyViolationError("no such parent")
    cause.constraint_name = "webhook_events_pkey"
    violation = IntegrityError("no such parent")
    violation.__cause__ = cause

    with pytest.raises(IntegrityError) as passed, conflict_as(TAKEN):
        raise violation

    assert passed.value is violation
