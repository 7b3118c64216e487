"""The root of every tenant's rows."""

import pytest
from tortoise.exceptions import IntegrityError

from core.foundation.clock import now
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Env, system_caller
from core.webhooks.models import WebhookEvent

MINE = system_caller("org_mine", "test")


async def an_event(id: str, organization_id: str, env: Env) -> None:
    owner = owned_by(system_caller(organization_id, env))
    await WebhookEvent.create(
        id=id, **owner, type="sms.sent", data={}, occurred_at=now(), created_at=now()
    )


@pytest.fixture
async def neighbours(clean_slate: None) -> None:
    await an_event("evt_mine", "org_mine", "test")
    await an_event("evt_my_live", "org_mine", "live")
    await an_event("evt_strange", "org_strange", "test")


async def test_a_caller_sees_the_rows_of_its_organization_and_environment(neighbours: None) -> None:
    assert [event.id for event in await WebhookEvent.visible_to(MINE)] == ["evt_mine"]


@pytest.mark.parametrize("id", ["evt_my_live", "evt_strange"])
async def test_no_filter_reaches_beyond(id: str, neighbours: None) -> None:
    assert await WebhookEvent.visible_to(MINE).get_or_none(id=id) is None
    assert await WebhookEvent.visible_to(MINE).filter(organization_id="org_strange").count() == 0
    assert await WebhookEvent.visible_to(MINE).filter(env="live").count() == 0


async def test_changes_and_deletions_stay_inside(neighbours: None) -> None:
    assert await WebhookEvent.visible_to(MINE).update(type="sms.failed") == 1
    assert await WebhookEvent.visible_to(MINE).delete() == 1

    left = await WebhookEvent.all().order_by("id").values_list("id", "type")
    assert left == [("evt_my_live", "sms.sent"), ("evt_strange", "sms.sent")]


async def test_a_row_that_is_saved_or_deleted_names_its_organization(neighbours: None) -> None:
    event = await WebhookEvent.visible_to(MINE).get()
    event.type = "sms.failed"
    await event.save(update_fields=["type"])
    event.organization_id = "org_strange"
    event.type = "sms.clicked"
    async with transaction():
        with pytest.raises(IntegrityError):
            await event.save(update_fields=["type"], force_update=True)
        await event.delete()

    assert (await WebhookEvent.visible_to(MINE).get()).type == "sms.failed"
    event.organization_id = MINE.organization_id
    await event.save()
    assert (await WebhookEvent.visible_to(MINE).get()).type == "sms.clicked"
    await event.delete()
    assert await WebhookEvent.all().count() == 2


def test_a_new_row_is_its_callers() -> None:
    assert owned_by(MINE) == {"organization_id": "org_mine", "env": "test"}
