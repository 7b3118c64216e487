"""Seeded customer events are attributed as live ones are."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from cli.seed.organization import DEFAULT_DAYS
from core import customer_events
from core.customer_events import NewCustomerEvent
from core.foundation.database import db
from core.foundation.security.caller import Caller
from tests.factories.organizations import a_caller
from tests.factories.seeding import AS_OF, a_seed

pytestmark = pytest.mark.usefixtures("clean_slate")

MESSAGES = 6_000


async def the_events() -> list[Any]:
    return await db.fetch(
        "SELECT * FROM customer_events WHERE event_id LIKE 'seed-%' ORDER BY event_id"
    )


@pytest.fixture(scope="module")
async def caller(slate_of_the_file: None) -> Caller:
    """Of an organization with seeded contacts, messages and what came of them."""
    caller = await a_caller()
    answer = await a_seed(caller, contacts=200, messages=MESSAGES)
    assert answer["events"] == len(await the_events()) == MESSAGES // 40
    return caller


async def test_they_are_attributed_as_if_they_had_been_reported(caller: Caller) -> None:
    for row in await the_events():
        if row["contact_id"] is None:
            assert row["attribution"] is None
            continue
        reported = await customer_events.record_event(
            caller,
            NewCustomerEvent.model_validate(
                {
                    "name": row["name"],
                    "eventId": f"live-{row['event_id']}",
                    "contact": {"contactId": row["contact_id"]},
                    "occurredAt": row["occurred_at"],
                }
            ),
        )
        assert reported["attribution"] == row["attribution"]
        assert reported.get("contactExternalId") == row["contact_external_id"]
        assert (row["attribution"] or {}).get("campaignId") == row["campaign_id"]


async def test_some_are_attributed_and_some_are_not(caller: Caller) -> None:
    rows = await the_events()

    assert Counter(row["attribution"] is not None for row in rows).keys() == {True, False}
    assert any(row["campaign_id"] for row in rows)
    assert any(row["contact_id"] is None for row in rows)


async def test_names_values_and_times_agree(caller: Caller) -> None:
    rows = await the_events()

    assert {row["name"] for row in rows} == {
        "compra",
        "visita_loja",
        "carrinho_abandonado",
        "contrato_assinado",
    }
    for row in rows:
        assert (row["value"] is None) == (row["currency"] is None) == (row["name"] == "visita_loja")
        assert (
            AS_OF - timedelta(days=DEFAULT_DAYS) <= row["occurred_at"] <= row["created_at"] <= AS_OF
        )


async def test_what_was_reported_already_is_left_out() -> None:
    caller = await a_caller()
    new = {"name": "compra", "eventId": "seed-1-3", "contact": {"externalId": "nobody"}}
    mine = await customer_events.record_event(caller, NewCustomerEvent.model_validate(new))

    assert (await a_seed(caller, messages=400))["events"] == 9

    assert mine["id"] in {row["id"] for row in await the_events()}
