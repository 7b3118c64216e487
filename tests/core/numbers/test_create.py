"""Registering numbers and accounts."""

from dataclasses import replace

import pytest

from core import numbers
from core.audit import AuditEntry
from core.foundation.errors import NotFound, ValidationFailed
from core.foundation.security.caller import Caller, system_caller
from core.numbers import InstagramAccount, NewNumber, Number, PlatformIds
from core.numbers.errors import AccountTaken, NotOnThePlatform, NumberTaken
from core.organizations import NoSuchOrganization
from core.providers.platform import UpstreamError
from core.webhooks import WebhookEvent
from tests.factories.numbers import a_number, an_instagram_account
from tests.factories.organizations import a_caller
from tests.fakes.healthy_platform import Answers

pytestmark = pytest.mark.usefixtures("clean_slate")

PLACE = {"phoneNumberId": "106540352242922", "wabaId": "102290129340398", "token": "EAAG"}


@pytest.fixture
async def live(clean_slate: None) -> Caller:
    return await a_caller("live")


def new(**fields: object) -> NewNumber:
    return NewNumber.model_validate({"phone": "+5511987654321", **fields})


async def test_a_live_number_waits_for_its_place_on_the_platform(live: Caller) -> None:
    record = await numbers.create_number(live, new())

    assert (record["status"], record["qualityRating"], record["messagingTier"]) == (
        "pending",
        "unknown",
        "tier_250",
    )
    assert record["rateLimit"]["perDay"] == 250
    assert record["phoneNumberId"].startswith("pending_")
    assert "byo" not in record["meta"]


async def test_a_live_number_that_the_platform_confirms_is_connected(
    live: Caller, platform: Answers
) -> None:
    record = await numbers.create_number(live, new(platform=PLACE))

    assert platform.asked == [(record["id"], "106540352242922", "EAAG")]
    assert (record["status"], record["qualityRating"], record["messagingTier"]) == (
        "connected",
        "green",
        "tier_10k",
    )
    assert record["meta"]["byo"] is True
    assert record["lastMetaSyncAt"] is not None
    assert await WebhookEvent.all().count() == 0


async def test_without_a_platform_here_the_ids_are_believed_and_the_number_stays_pending(
    live: Caller,
) -> None:
    record = await numbers.create_number(live, new(platform=PLACE))

    assert (record["status"], record["phoneNumberId"], record["lastMetaSyncAt"]) == (
        "pending",
        PLACE["phoneNumberId"],
        None,
    )


async def test_what_the_platform_does_not_confirm_is_not_stored(
    live: Caller, platform: Answers
) -> None:
    platform.answer = UpstreamError("190", "The access token is not valid")

    with pytest.raises(NotOnThePlatform) as refusal:
        await numbers.create_number(live, new(platform=PLACE))

    assert refusal.value.meta == {"upstreamCode": "190"}
    assert await Number.all().count() == 0
    assert await AuditEntry.filter(action="number.created").count() == 0


async def test_a_waiting_number_is_connected_later(live: Caller, platform: Answers) -> None:
    id = (await numbers.create_number(live, new()))["id"]

    record = await numbers.connect_number(live, id, PlatformIds.model_validate(PLACE))

    assert (record["id"], record["status"], record["wabaId"]) == (id, "connected", PLACE["wabaId"])
    assert numbers.sender_account_of(await Number.get(id=id)).token == "EAAG"
    assert await numbers.get_number(live, id) == record


async def test_a_refused_place_leaves_a_waiting_number_as_it_was(
    live: Caller, platform: Answers
) -> None:
    before = await numbers.create_number(live, new())
    platform.answer = UpstreamError("100", "There is no such number", gone=True)

    with pytest.raises(NotOnThePlatform):
        await numbers.connect_number(live, before["id"], PlatformIds.model_validate(PLACE))

    assert await numbers.get_number(live, before["id"]) == before


async def test_a_sandbox_number_has_no_place_on_the_platform(live: Caller) -> None:
    test = replace(live, env="test")
    with pytest.raises(ValidationFailed):
        await numbers.create_number(test, new(platform=PLACE))
    assert await Number.all().count() == 0
    number = await a_number(test)
    with pytest.raises(NotFound):
        await numbers.connect_number(test, number.id, PlatformIds.model_validate(PLACE))


async def test_a_phone_is_registered_once_per_organization_and_environment(live: Caller) -> None:
    await numbers.create_number(live, new())
    await numbers.create_number(replace(live, env="test"), new())
    await numbers.create_number(await a_caller("live"), new())

    with pytest.raises(NumberTaken):
        await numbers.create_number(live, new())

    assert await Number.all().count() == 3


async def test_a_place_on_the_platform_is_taken_once_in_all(live: Caller) -> None:
    await numbers.create_number(live, new(platform=PLACE))
    other = await a_caller("live")
    waiting = await numbers.create_number(other, new(phone="+5511987650000"))

    with pytest.raises(NumberTaken):
        await numbers.create_number(other, new(platform=PLACE))
    with pytest.raises(NumberTaken):
        await numbers.connect_number(other, waiting["id"], PlatformIds.model_validate(PLACE))

    assert await numbers.get_number(other, waiting["id"]) == waiting
    assert await Number.all().count() == 2


async def test_an_instagram_account_is_registered_once(live: Caller) -> None:
    await an_instagram_account(live, instagramId="17841400000000001")

    with pytest.raises(AccountTaken):
        await an_instagram_account(await a_caller("live"), instagramId="17841400000000001")

    assert await InstagramAccount.all().count() == 1


async def test_a_live_instagram_account_needs_its_id(live: Caller) -> None:
    body = numbers.NewInstagramAccount(username="loja")
    with pytest.raises(ValidationFailed) as refusal:
        await numbers.create_instagram_account(live, body)
    assert [error.where for error in refusal.value.errors] == ["/instagramId"]
    assert await InstagramAccount.all().count() == 0
    made = await numbers.create_instagram_account(replace(live, env="test"), body)
    assert (await numbers.list_instagram_accounts(replace(live, env="test")))["items"] == [made]
    assert (await numbers.list_instagram_accounts(live))["items"] == []


async def test_an_instagram_account_of_the_sandbox_is_nobody_on_the_platform(live: Caller) -> None:
    with pytest.raises(ValidationFailed) as refusal:
        await an_instagram_account(replace(live, env="test"), instagramId="17841400000000001")
    assert [(error.where, error.code) for error in refusal.value.errors] == [
        ("/instagramId", "not_allowed")
    ]
    assert await InstagramAccount.all().count() == 0


async def test_nothing_is_registered_for_an_organization_that_does_not_exist() -> None:
    nobody = system_caller("org_000000000000000000000", "test")
    with pytest.raises(NoSuchOrganization):
        await numbers.create_number(nobody, new())
    with pytest.raises(NoSuchOrganization):
        await an_instagram_account(nobody)
    assert await Number.all().count() + await InstagramAccount.all().count() == 0


async def test_the_trail_holds_no_phone(live: Caller) -> None:
    id = (await numbers.create_number(live, new()))["id"]
    entry = await AuditEntry.get(action="number.created")
    assert (entry.subject_id, entry.facts) == (id, {"status": "pending"})
