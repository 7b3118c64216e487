"""Figures over GraphQL: arguments as the schema spells them, values as core counts them, refusals
field by field.
"""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from core.foundation.security.caller import Scope
from core.read_models.statistics import Bucket, Group
from core.sms.amazon.models import ProviderCost
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contact
from tests.factories.stored_messages import stored_message, stored_reply
from tests.support.graphql import ask, bare
from tests.support.sql_tables import put_row

pytestmark = pytest.mark.usefixtures("clean_slate")

AT = datetime(2026, 1, 20, 12, 0, tzinfo=UTC)
PERIOD = {"from": "2026-01-20T00:00:00Z", "to": "2026-01-23T00:00:00Z"}

MESSAGES = """query($from: DateTime, $to: DateTime, $bucket: StatsBucket! = DAY, $timezone: String! = "UTC",
                    $filter: MessageFilter, $groupBy: [StatsGroup!]) {
  messageStats(from: $from, to: $to, bucket: $bucket, timezone: $timezone, filter: $filter, groupBy: $groupBy) {
    totals { sent delivered read failed received coins }
    points { at channel status campaignId numberId sent delivered read failed received coins } } }"""
EVERYTHING = """{ messageStats { totals { sent } }
  contactStats { totals { created total optIns optOuts } points { at } }
  campaignStats(campaignId: "autumn") { campaignId sent contacts { sent } events values { currency value } } }"""


async def test_figures_come_with_the_enums_and_the_large_numbers_of_the_schema() -> None:
    caller = await a_caller()
    await stored_message(caller, AT, campaign_id="autumn", coins=2**40)
    await stored_reply(caller, AT)

    asked = {
        **PERIOD,
        "bucket": "MONTH",
        "timezone": "America/Sao_Paulo",
        "groupBy": ["CHANNEL", "STATUS", "CAMPAIGN"],
    }
    stats = (
        await ask(caller, MESSAGES, **asked, filter={"direction": "OUTBOUND", "channel": ["SMS"]})
    )["data"]

    figures = {"sent": 1, "delivered": 1, "read": 0, "failed": 0, "received": 0, "coins": 2**40}
    groups = {"channel": "SMS", "status": "DELIVERED", "campaignId": "autumn", "numberId": None}
    assert stats["messageStats"] == {
        "totals": figures,
        "points": [{"at": "2026-01-01T03:00:00.000Z", **groups, **figures}],
    }


async def test_the_filter_is_the_one_of_the_messages_themselves() -> None:
    caller = await a_caller()
    await stored_message(caller, AT)
    filter = {"createdAt": {"from": PERIOD["from"], "to": PERIOD["from"]}, "contactId": None}

    stats = (await ask(caller, MESSAGES, **PERIOD, filter=filter))["data"]["messageStats"]

    assert stats["totals"]["sent"] == 0


@pytest.mark.parametrize("bucket", [bucket.name for bucket in Bucket])
async def test_every_bucket_and_every_group_can_be_asked_for(bucket: str) -> None:
    groups = [group.name for group in Group]
    answered = await ask(await a_caller(), MESSAGES, **PERIOD, bucket=bucket, groupBy=groups)

    assert "errors" not in answered
    assert answered["data"]["messageStats"]["points"]


async def test_without_arguments_it_is_the_last_thirty_days() -> None:
    caller = await a_caller()
    await stored_contact(caller)

    data = (await ask(caller, EVERYTHING))["data"]

    assert data["messageStats"] == {"totals": {"sent": 0}}
    assert data["contactStats"]["totals"] == {"created": 1, "total": 1, "optIns": 0, "optOuts": 0}
    assert len(data["contactStats"]["points"]) == 31
    assert data["campaignStats"] == {
        "campaignId": "autumn", "sent": 0, "contacts": {"sent": 0}, "events": 0, "values": [],
    }  # fmt: skip


async def test_a_missing_scope_nulls_its_field_and_no_other() -> None:
    answered = await ask(bare(await a_caller(), Scope.CONTACTS_READ), EVERYTHING)

    assert answered["data"]["contactStats"] is not None
    assert answered["data"]["messageStats"] is answered["data"]["campaignStats"] is None
    assert {
        (error["path"][0], error["extensions"]["meta"]["escopoExigido"])
        for error in answered["errors"]
    } == {
        ("messageStats", "sms:read"),
        ("campaignStats", "campaigns:read"),
    }


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"timezone": "Mars/Base"}, "/timezone"),
        ({"from": PERIOD["to"]}, "/from"),
        ({"from": "0001-01-01T00:00:00Z"}, "/from"),
        ({"to": "9999-12-31T23:59:59Z"}, "/to"),
        ({"from": "2020-01-01T00:00:00Z"}, "/bucket"),
        ({"filter": {"campaignId": "a\x00"}}, "/filter/campaignId"),
    ],
)
async def test_what_makes_no_sense_is_refused_by_its_argument(
    changes: dict[str, Any], pointer: str
) -> None:
    answered = await ask(await a_caller(), MESSAGES, **{**PERIOD, **changes})

    assert answered["data"] == {"messageStats": None}
    (error,) = answered["errors"]
    assert error["extensions"]["code"] == "VALIDATION_ERROR"
    assert [one["pointer"] for one in error["extensions"]["errors"]] == [pointer]


COSTS = """query($groupBy: ProviderCostGroup! = ROUTE) {
  providerCosts(groupBy: $groupBy) { items {
    group provider messages parts segments currency amount fee chargedCoins costCoins marginCoins } } }"""


@pytest.mark.parametrize("group", ["ROUTE", "COUNTRY", "CARRIER"])
async def test_costs_of_providers(group: str) -> None:
    caller = await a_caller("live")
    await put_row(ProviderCost,
        message_id="msg_1", organization_id=caller.organization_id, env="live", provider="cloud-eum", route="premium",
        country="BR", carrier="Claro", currency="USD", amount=Decimal("0.0243"), fee=0, parts=1, segments=1, coins=800,
        at=AT,
    )  # fmt: skip

    answered = await ask(caller, COSTS, groupBy=group)

    assert answered["data"]["providerCosts"]["items"] == [
        {
            "group": {"ROUTE": "premium", "COUNTRY": "BR", "CARRIER": "Claro"}[group],
            "provider": "cloud-eum", "messages": 1, "parts": 1, "segments": 1, "currency": "USD",
            "amount": "0.02430", "fee": "0.00000", "chargedCoins": 800, "costCoins": None,
            "marginCoins": None,
        }
    ]  # fmt: skip
    refused = await ask(bare(caller, Scope.SMS_READ), COSTS)
    assert refused["data"]["providerCosts"] is None
