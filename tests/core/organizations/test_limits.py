"""Ceilings of an organization, where they differ from the defaults."""

import pytest

from core import operations
from core.foundation.database import db
from core.foundation.security.caller import Limits
from core.organizations import (
    NoSuchOrganization,
    authenticate,
    clear_credential_cache,
    get_limits,
    set_limits,
)
from tests.factories.organizations import a_key

pytestmark = pytest.mark.usefixtures("clean_slate")


async def an_organization() -> str:
    organization, _ = await operations.open_organization("An organization")
    return organization.id


async def limits_of_a_key(organization_id: str, env: str = "test") -> Limits:
    key = await a_key("live" if env == "live" else "test", organization_id=organization_id)
    clear_credential_cache()
    return (await authenticate(key, request_id=None)).limits


async def test_fifty_messages_a_second_unless_something_else_is_stored() -> None:
    assert await limits_of_a_key(await an_organization()) == Limits(sms_per_second=50)


async def test_a_stored_ceiling_holds_for_its_organization_and_environment() -> None:
    organization_id = await an_organization()

    assert await set_limits(organization_id, "live", sms_per_second=200) == Limits(
        sms_per_second=200
    )

    assert await limits_of_a_key(organization_id, "live") == Limits(sms_per_second=200)
    assert await limits_of_a_key(organization_id, "test") == Limits(sms_per_second=50)
    assert await limits_of_a_key(await an_organization(), "live") == Limits(sms_per_second=50)


async def test_a_later_ceiling_replaces_the_earlier_one() -> None:
    organization_id = await an_organization()
    for ceiling in (200, 10):
        await set_limits(organization_id, "test", sms_per_second=ceiling)

    assert await limits_of_a_key(organization_id) == Limits(sms_per_second=10)
    assert await db.fetchval("SELECT count(*) FROM organization_limits") == 1


async def test_an_unknown_organization_has_no_limits() -> None:
    with pytest.raises(NoSuchOrganization):
        await set_limits("org_unknown", "live", sms_per_second=200)

    assert await db.fetchval("SELECT count(*) FROM organization_limits") == 0


async def test_the_limits_of_both_environments_are_read_with_their_defaults() -> None:
    organization_id = await an_organization()
    await set_limits(organization_id, "live", sms_per_second=200)
    await set_limits(await an_organization(), "test", sms_per_second=7)

    assert await get_limits(organization_id) == {
        "test": Limits(),
        "live": Limits(sms_per_second=200),
    }


async def test_the_limits_of_an_unknown_organization_cannot_be_read() -> None:
    with pytest.raises(NoSuchOrganization):
        await get_limits("org_unknown")
