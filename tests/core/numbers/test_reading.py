"""Numbers: who sees them, and how."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core import numbers
from core.foundation.clock import now
from core.foundation.errors import Forbidden, NotFound
from core.foundation.security.caller import KEY_SCOPES, Caller, Scope
from core.numbers import Number, NumberFilter, NumberUnavailable
from core.numbers.create import SANDBOX_PROFILE
from tests.factories.numbers import a_number, an_instagram_account
from tests.factories.organizations import a_caller

pytestmark = pytest.mark.usefixtures("clean_slate")


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


async def test_a_sandbox_number_is_connected_at_once(caller: Caller) -> None:
    number = await a_number(caller, phone="+5511987654321")

    record: dict[str, Any] = {**await numbers.get_number(caller, number.id)}

    assert record.pop("createdAt") == record.pop("updatedAt")
    assert record == {
        "id": number.id,
        "organizationId": caller.organization_id,
        "phoneNumberId": f"test_{number.id[4:]}",
        "wabaId": f"test_{caller.organization_id[4:]}",
        "displayPhone": "+5511987654321",
        "status": "connected",
        "qualityRating": "green",
        "messagingTier": "unlimited",
        "rateLimit": {"perSecond": 80, "perDay": 6_912_000},
        "meta": {
            "verifiedName": "Loja",
            "nameStatus": "approved",
            "partnerRemovedAt": None,
            "partnerRemovedReason": None,
        },
        "profile": SANDBOX_PROFILE,
        "lastMetaSyncAt": None,
    }


async def test_the_phone_is_masked_without_pii_full(caller: Caller) -> None:
    number = await a_number(caller, phone="+5511987654321")
    stranger = replace(caller, scopes=KEY_SCOPES - {Scope.PII_FULL})

    page = await numbers.list_numbers(stranger, NumberFilter())

    assert (await numbers.get_number(stranger, number.id))["displayPhone"] == "+5511*****4321"
    assert [one["displayPhone"] for one in page["items"]] == ["+5511*****4321"]


async def test_the_list_is_newest_first_and_its_cursor_walks_all_of_it(caller: Caller) -> None:
    ids = [
        (await a_number(caller, created_at=now() - timedelta(hours=age))).id for age in (3, 1, 2)
    ]
    expected = [ids[1], ids[2], ids[0]]

    first = await numbers.list_numbers(caller, NumberFilter(limit=2))
    rest = await numbers.list_numbers(caller, NumberFilter(limit=2, cursor=first["nextCursor"]))
    skipped = await numbers.list_numbers(caller, NumberFilter(skip=1))

    assert [one["id"] for one in first["items"] + rest["items"]] == expected
    assert [one["id"] for one in skipped["items"]] == expected[1:]
    assert (first["total"], rest["total"]) == (3, 3)
    assert "nextCursor" not in rest


async def test_filters_narrow_and_an_unknown_value_matches_nothing(caller: Caller) -> None:
    good = await a_number(caller)
    bad = await a_number(caller, status="flagged", quality_rating="red")

    async def found(filter: NumberFilter) -> list[str]:
        page = await numbers.list_numbers(caller, filter)
        assert page["total"] == len(page["items"])
        return [one["id"] for one in page["items"]]

    assert await found(NumberFilter(status="connected")) == [good.id]
    assert await found(NumberFilter(quality_rating="red")) == [bad.id]
    assert await found(NumberFilter(status="connected", quality_rating="red")) == []
    assert await found(NumberFilter(status="sleeping")) == []


async def test_an_unreadable_cursor_gives_an_empty_page_never_the_first(caller: Caller) -> None:
    await a_number(caller)

    page = await numbers.list_numbers(caller, NumberFilter(cursor="x"))

    assert page == {"items": [], "total": 0, "warnings": ["cursor_invalido"]}


async def test_nobody_sees_the_numbers_of_others_or_of_the_other_environment(
    caller: Caller,
) -> None:
    number = await a_number(caller)
    account = await an_instagram_account(caller)
    for other in (await a_caller(), replace(caller, env="live")):
        assert (await numbers.list_numbers(other, NumberFilter()))["items"] == []
        for use_case in (numbers.get_number, numbers.get_health, numbers.number_for_sending):
            with pytest.raises(NotFound):
                await use_case(other, number.id)
        with pytest.raises(NotFound):
            await numbers.instagram_for_sending(other, account.id)


@pytest.mark.parametrize("use_case", [numbers.get_number, numbers.get_health])
async def test_reading_takes_a_scope(caller: Caller, use_case: object) -> None:
    number = await a_number(caller)
    assert callable(use_case)
    with pytest.raises(Forbidden):
        await use_case(replace(caller, scopes=frozenset({Scope.SMS_READ})), number.id)


@pytest.mark.parametrize("status", list(numbers.NumberStatus))
async def test_only_a_connected_or_flagged_number_sends(caller: Caller, status: str) -> None:
    number = await a_number(caller, status=status)
    if status in ("connected", "flagged"):
        assert (await numbers.number_for_sending(caller, number.id)).id == number.id
    else:
        with pytest.raises(NumberUnavailable) as refusal:
            await numbers.number_for_sending(caller, number.id)
        assert refusal.value.meta == {"code": "NUMERO_INDISPONIVEL"}


async def test_an_account_or_a_number_sends_with_its_own_token_which_is_stored_encrypted(
    caller: Caller,
) -> None:
    live = replace(caller, env="live")
    number = await a_number(live, token="EAAG-number")
    account = await an_instagram_account(live, token="EAAG-instagram")

    assert "EAAG" not in str([number.credentials, account.credentials])
    line, insta = numbers.sender_account_of(number), numbers.sender_account_of(account)
    assert (line.id, line.channel, line.token) == (number.id, "whatsapp", "EAAG-number")
    assert (line.platform_id, line.account_id) == (number.phone_number_id, number.waba_id)
    assert (insta.id, insta.channel, insta.token) == (account.id, "instagram", "EAAG-instagram")
    assert (insta.platform_id, insta.account_id) == (account.instagram_id, None)
    assert "EAAG" not in repr(line)
    assert numbers.sender_account_of(await a_number(caller)).token is None


async def test_lines_are_found_by_the_ids_of_the_platform(caller: Caller) -> None:
    number, other, account = (
        await a_number(caller),
        await a_number(caller),
        await an_instagram_account(caller),
    )

    found = await numbers.senders_by_platform_id(
        [number.phone_number_id, account.instagram_id, "nobody's"]
    )
    under = await numbers.numbers_by_account([number.waba_id, "nobody's"])

    assert {id: line.id for id, line in found.items()} == {
        number.phone_number_id: number.id,
        account.instagram_id: account.id,
    }
    assert {id: {one.id for one in under[id]} for id in under} == {
        number.waba_id: {number.id, other.id}
    }


async def test_what_is_encrypted_is_renewed_only_under_a_newer_key(caller: Caller) -> None:
    await a_number(replace(caller, env="live"), token="EAAG")

    assert await numbers.renew_credentials() == (0, 0)
    await Number.all().update(credentials="v9.unreadable")
    assert await numbers.renew_credentials() == (0, 1)
