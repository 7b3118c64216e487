"""The price list of an organization: the published one, or its own."""

from typing import Any

import pytest

from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.security.caller import Scope
from core.wallet import PriceTable, get_prices, prices_of, set_prices
from tests.factories.organizations import a_caller

pytestmark = pytest.mark.usefixtures("clean_slate")

PUBLISHED = {
    "own": False,
    "coinBrl": 0.0001,
    "sms": {
        "premium": [
            {"fromSegment": 1, "coins": 800},
            {"fromSegment": 10_000, "coins": 720},
            {"fromSegment": 100_000, "coins": 650},
        ],
        "otp": [
            {"fromSegment": 1, "coins": 950},
            {"fromSegment": 10_000, "coins": 870},
            {"fromSegment": 100_000, "coins": 800},
        ],
    },
    "rcs": {"easy_rcs": 1_200, "easy_otp_rcs": 1_400},
    "push": {"simple": 20, "rich": 40, "silent": 10},
    "smsReply": 200,
    "email": 10,
    "conversationTemplate": 400,
}


async def test_the_published_prices_hold_for_everybody() -> None:
    assert await get_prices(await a_caller()) == PUBLISHED
    assert await prices_of("org_unknown") == PUBLISHED


async def test_reading_prices_needs_a_scope() -> None:
    with pytest.raises(Forbidden) as refused:
        await get_prices(await a_caller(scopes=frozenset({Scope.SMS_SEND})))

    assert refused.value.meta == {"escopoExigido": "wallet:read"}


async def test_an_organization_may_have_prices_of_its_own() -> None:
    caller, other = await a_caller(), await a_caller()
    bands = [{"fromSegment": 1, "coins": 500}, {"fromSegment": 100, "coins": 400}]
    own = {
        "sms": {"premium": bands},
        "rcs": {"easy_rcs": 1_000},
        "push": {"simple": 1},
        "smsReply": 0,
        "email": 5,
    }

    answered = await set_prices(caller.organization_id, own)

    assert answered == {**PUBLISHED, **own, "own": True}
    assert await get_prices(caller) == answered
    assert await get_prices(other) == PUBLISHED


@pytest.mark.parametrize("table", [{}, {"sms": {}}, {"own": True, "coinBrl": 0.0001}])
async def test_sections_that_are_left_out_keep_the_published_prices(table: dict[str, Any]) -> None:
    caller = await a_caller()

    assert await set_prices(caller.organization_id, table) == {**PUBLISHED, "own": True}


async def test_what_a_list_answers_can_be_set_again() -> None:
    caller = await a_caller()
    first = await set_prices(
        caller.organization_id, {"sms": {"otp": [{"fromSegment": 1, "coins": 1}]}, "email": 7}
    )

    assert await set_prices(caller.organization_id, first) == first


async def test_a_second_table_replaces_the_first() -> None:
    caller = await a_caller()
    await set_prices(caller.organization_id, {"email": 7})

    assert (await set_prices(caller.organization_id, {"smsReply": 3}))["email"] == 10
    assert await PriceTable.all().count() == 1


async def test_no_table_means_the_published_one_again() -> None:
    caller = await a_caller()
    await set_prices(caller.organization_id, {"email": 7})

    assert await set_prices(caller.organization_id, None) == PUBLISHED
    assert await set_prices(caller.organization_id, None) == PUBLISHED
    assert await PriceTable.all().count() == 0


@pytest.mark.parametrize(
    ("table", "pointer"),
    [
        ({"sms": {"premium": []}}, "/sms/premium"),
        ({"sms": {"premium": [{"fromSegment": 2, "coins": 1}]}}, "/sms/premium"),
        (
            {"sms": {"premium": [{"fromSegment": 1, "coins": 1}, {"fromSegment": 5, "coins": 2}]}},
            "/sms/premium",
        ),
        ({"sms": {"premium": [{"fromSegment": 1, "coins": -1}]}}, "/sms/premium"),
        ({"sms": {"premium": [{"fromSegment": 1, "coins": 1.5}]}}, "/sms/premium"),
        ({"sms": {"premium": [{"fromSegment": 1, "coins": "1"}]}}, "/sms/premium"),
        ({"sms": {"premium": [{"fromSegment": 1, "coins": True}]}}, "/sms/premium"),
        ({"sms": {"premium": [{"fromSegment": 1}]}}, "/sms/premium"),
        ({"sms": {"premium": [1]}}, "/sms/premium"),
        ({"sms": {"premium": 800}}, "/sms/premium"),
        ({"sms": {"premium": None}}, "/sms/premium"),
        ({"sms": [800]}, "/sms"),
        ({"other": 1}, "/other"),
        ({"sms": {"premiun": [{"fromSegment": 1, "coins": 1}]}}, "/sms/premiun"),
        ({"rcs": {"easy": 1}}, "/rcs/easy"),
        ({"push": {"loud": 1}}, "/push/loud"),
        ({"sms": None}, "/sms"),
        ({"rcs": {"easy_rcs": -1}}, "/rcs/easy_rcs"),
        ({"rcs": {"easy_rcs": "1200"}}, "/rcs/easy_rcs"),
        ({"rcs": {"easy_rcs": True}}, "/rcs/easy_rcs"),
        ({"rcs": 1_200}, "/rcs"),
        ({"push": {"rich": 0.5}}, "/push/rich"),
        ({"push": []}, "/push"),
        ({"email": -1}, "/email"),
        ({"email": float("nan")}, "/email"),
        ({"email": float("inf")}, "/email"),
        ({"email": 10**9 + 1}, "/email"),
        ({"sms": {"premium": [{"fromSegment": 1, "coins": 10**9 + 1}]}}, "/sms/premium"),
        (
            {
                "sms": {
                    "premium": [{"fromSegment": 1, "coins": 2}, {"fromSegment": 10**30, "coins": 1}]
                }
            },
            "/sms/premium",
        ),
        ({"coinBrl": 0.01, "email": 10}, "/coinBrl"),
        ({"coinBrl": float("nan")}, "/coinBrl"),
        ({"smsReply": None}, "/smsReply"),
    ],
)
async def test_a_wrong_table_is_refused_and_the_stored_one_stays(
    table: dict[str, Any], pointer: str
) -> None:
    caller = await a_caller()
    before = await set_prices(caller.organization_id, {"email": 7})

    with pytest.raises(ValidationFailed) as refused:
        await set_prices(caller.organization_id, table)

    assert [error.where for error in refused.value.errors] == [pointer]
    assert await get_prices(caller) == before


async def test_all_wrong_coins_of_a_section_are_named() -> None:
    with pytest.raises(ValidationFailed) as refused:
        await set_prices("org_1", {"rcs": {"easy_rcs": -1, "easy_otp_rcs": None}})

    assert [error.where for error in refused.value.errors] == ["/rcs/easy_rcs", "/rcs/easy_otp_rcs"]
    assert await PriceTable.all().count() == 0
