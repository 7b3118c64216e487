"""Devices: one for each app and token, and what is known of them stays known."""

import pytest

from core import push
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import BadRequest, Forbidden, NotFound
from core.foundation.security.caller import Caller
from core.push.errors import BrowserKeysMissing, UnusableEndpoint
from core.push.models import PushApp, PushDevice
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.factories.push import BROWSER_KEYS, a_device, a_dispatch, drained, opt_out

NOW = now()

pytestmark = pytest.mark.usefixtures("clean_slate")


async def an_app(caller: Caller, providers: list[str]) -> None:
    """The app `loja` with credentials of these providers."""
    await PushApp.create(
        organization_id=caller.organization_id,
        env=caller.env,
        app_id="loja",
        providers=providers,
        created_at=NOW,
        updated_at=NOW,
    )


async def test_a_device_is_stored_once_for_its_app_and_token() -> None:
    caller = await a_caller()

    first = await a_device(caller, "t1", topics=["ofertas"])
    again = await a_device(caller, "t1")
    other_app = await a_device(caller, "t1", appId="outra")

    assert first["criado"]
    assert not again["criado"]
    assert again["id"] == first["id"] != other_app["id"]
    assert again["topics"] == ["ofertas"]
    assert await PushDevice.all().count() == 2


async def test_identification_that_is_left_out_is_kept_and_what_is_sent_replaces_it() -> None:
    caller = await a_caller()
    await a_device(
        caller,
        "t1",
        externalId="c-1",
        userName="Ana",
        userEmail="ana@example.com",
        userPhone="11987654321",
    )

    await a_device(caller, "t1")
    await a_device(caller, "t1", userName="Ana Souza")

    stored = await PushDevice.get(token="t1")
    assert (stored.external_id, stored.user_name, stored.user_email, stored.user_phone) == (
        "c-1",
        "Ana Souza",
        "ana@example.com",
        "+5511987654321",
    )


async def test_the_same_token_is_another_device_in_the_other_environment() -> None:
    test = await a_caller()
    live = await a_caller("live", organization_id=test.organization_id)
    await PushApp.create(
        organization_id=live.organization_id,
        env="live",
        app_id="loja",
        created_at=NOW,
        updated_at=NOW,
    )

    assert (await a_device(test, "t1"))["id"] != (await a_device(live, "t1"))["id"]


async def test_an_unknown_app_is_made_in_the_sandbox_and_refused_live() -> None:
    test = await a_caller()
    live = await a_caller("live", organization_id=test.organization_id)

    await a_device(test, appId="nova")
    with pytest.raises(NotFound):
        await a_device(live, appId="nova")

    assert [(app.env, app.app_id) for app in await PushApp.all()] == [("test", "nova")]
    assert await PushDevice.filter(env="live").count() == 0


@pytest.mark.parametrize("missing", [["p256dh"], ["auth"], ["p256dh", "auth"]])
async def test_a_browser_without_its_keys_is_refused(missing: list[str]) -> None:
    caller = await a_caller()

    with pytest.raises(BrowserKeysMissing) as refusal:
        await a_device(caller, platform="web", **dict.fromkeys(missing))

    assert isinstance(refusal.value, BadRequest)
    assert [error.where for error in refusal.value.errors] == [f"/{name}" for name in missing]
    assert await PushDevice.all().count() == 0


@pytest.mark.parametrize("token", ["https://127.0.0.1:22/x", "https://10.0.0.1/x", "no address"])
async def test_the_address_of_a_live_browser_must_be_one_that_may_be_called(token: str) -> None:
    caller = await a_caller("live")
    await PushApp.create(
        organization_id=caller.organization_id,
        env="live",
        app_id="loja",
        created_at=NOW,
        updated_at=NOW,
    )

    with pytest.raises(UnusableEndpoint):
        await a_device(caller, token, platform="web")

    assert await PushDevice.all().count() == 0


@pytest.mark.parametrize(
    ("token", "keys", "platform"),
    [
        ("ab" * 32, {}, "ios"),
        ("fcm:token", {}, "android"),
        ("https://push.example.com/1", BROWSER_KEYS, "web"),
    ],
)
async def test_without_a_platform_the_token_tells_it(
    token: str, keys: dict[str, str], platform: str
) -> None:
    caller = await a_caller()

    device = await a_device(caller, token, platform=None, **keys)

    assert (device["platform"], device["warnings"]) == (
        platform,
        [f"platform_presumida: {platform}"],
    )


@pytest.mark.parametrize(
    ("providers", "keys", "platform"),
    [(["apns"], {}, "ios"), (["vapid"], BROWSER_KEYS, "web")],
)
async def test_without_a_platform_a_device_takes_the_one_of_its_app(
    providers: list[str], keys: dict[str, str], platform: str
) -> None:
    caller = await a_caller()
    await an_app(caller, providers)

    device = await a_device(caller, "t1", platform=None, **keys)

    assert device["platform"] == platform
    assert "warnings" not in device


async def test_firebase_reaches_two_platforms_so_that_the_token_decides() -> None:
    caller = await a_caller()
    await an_app(caller, ["fcm"])

    assert (await a_device(caller, "ab" * 32, platform=None))["warnings"] == [
        "platform_presumida: ios"
    ]


async def test_a_platform_that_was_told_once_is_no_guess_later() -> None:
    caller = await a_caller()
    await a_device(caller, "t1", platform="ios")

    again = await a_device(caller, "t1", platform=None)

    assert again["platform"] == "ios"
    assert "warnings" not in again


async def test_a_device_finds_its_contact_by_external_id_or_phone() -> None:
    caller = await a_caller()
    contact = await a_contact(caller, phone="+5511987654321", externalId="c-1")

    by_external_id = await a_device(caller, externalId="c-1")
    by_phone = await a_device(caller, userPhone="11 98765-4321")
    stranger = await a_device(caller, externalId="c-2")

    assert by_external_id["contactId"] == by_phone["contactId"] == contact["id"]
    assert "contactId" not in stranger


async def test_a_contact_of_another_organization_is_not_found() -> None:
    contact = await a_contact(await a_caller())
    caller = await a_caller()

    with pytest.raises(NotFound):
        await a_device(caller, contactId=contact["id"])

    assert await PushDevice.all().count() == 0


async def test_opting_out_keeps_the_row_and_its_first_date_and_a_new_consent_brings_it_back() -> (
    None
):
    caller = await a_caller()
    device = await a_device(caller, "t1")

    first = await opt_out(caller, "t1")
    again = await opt_out(caller, "t1")
    reopened = await a_device(caller, "t1")
    back = await a_device(caller, "t1", optedIn=True)

    assert first == {"id": device["id"], "optedIn": False, "optedOutAt": first["optedOutAt"]}
    assert again == first
    assert not reopened["optedIn"]
    assert back["optedIn"]
    assert back["id"] == device["id"]
    assert (await PushDevice.get(id=device["id"])).opted_out_at is None


async def test_an_opt_out_counts_for_the_dispatch_that_reached_the_device_last() -> None:
    caller = await a_caller()
    await a_device(caller, "t1")
    earlier = await a_dispatch(caller)
    await drained(caller, earlier["id"])
    last = await a_dispatch(caller)
    await drained(caller, last["id"])

    await opt_out(caller, "t1")
    await opt_out(caller, "t1")

    assert (await push.get_push(caller, last["id"]))["metrics"]["optedOut"] == 1
    assert (await push.get_push(caller, earlier["id"]))["metrics"]["optedOut"] == 0


async def test_an_unknown_device_cannot_opt_out() -> None:
    caller = await a_caller()
    await a_device(await a_caller(), "t1")

    with pytest.raises(NotFound):
        await opt_out(caller, "t1")

    assert await PushDevice.filter(opted_in=False).count() == 0


async def test_without_the_scope_nothing_is_registered() -> None:
    caller = await a_caller(scopes=frozenset())

    with pytest.raises(Forbidden):
        await a_device(caller)

    assert await db.fetchval("SELECT count(*) FROM push_devices") == 0
