"""Conditions that are put together one by one, and the tenant's rows as the first of them."""

from datetime import UTC, datetime

import pytest

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.tenancy import owned_by
from core.foundation.database.where import Where
from core.foundation.security.caller import Env, system_caller
from core.webhooks.models import WebhookEvent

MINE = system_caller("org_mine", "test")


async def an_event(id: str, organization_id: str, env: Env) -> None:
    owner = owned_by(system_caller(organization_id, env))
    await WebhookEvent.create(
        id=id, **owner, type="sms.sent", data={}, occurred_at=now(), created_at=now()
    )


@pytest.mark.parametrize("alias", [None, "e"])
async def test_a_caller_sees_the_rows_of_its_organization_and_environment(
    clean_slate: None, alias: str | None
) -> None:
    await an_event("evt_mine", "org_mine", "test")
    await an_event("evt_my_live", "org_mine", "live")
    await an_event("evt_strange", "org_strange", "test")

    where = Where.visible_to(MINE, alias=alias)
    rows = await db.fetch(
        f"SELECT id FROM webhook_events {alias or ''} WHERE {where}", *where.values
    )

    assert [row["id"] for row in rows] == ["evt_mine"]


def test_each_condition_takes_the_next_places_for_its_values() -> None:
    where = Where.visible_to(MINE)
    where.narrow("status = {}", "active")
    where.narrow("(created_at, id) < ({}, {})", 1, "x")
    where.narrow("({0} = name OR {0} = code)", "y")

    assert str(where) == (
        "organization_id = $1 AND env = $2 AND status = $3 AND (created_at, id) < ($4, $5) AND ($6 = name OR $6 = code)"
    )
    assert where.values == ["org_mine", "test", "active", 1, "x", "y"]


def test_a_period_ends_with_the_last_instant_that_is_shown_as_its_end() -> None:
    at = datetime(2026, 11, 21, 12, 0, 0, 123_456, UTC)
    where = Where.visible_to(MINE)
    where.narrow_period("created_at", at, at)
    where.narrow_period("at", None, None)

    assert (
        str(where) == "organization_id = $1 AND env = $2 AND created_at >= $3 AND created_at <= $4"
    )
    assert where.values == ["org_mine", "test", at, at.replace(microsecond=123_999)]


def test_conditions_may_join_the_values_of_a_larger_statement() -> None:
    values: list[object] = ["earlier"]
    Where(values).narrow("name = {}", "x")

    assert values == ["earlier", "x"]
