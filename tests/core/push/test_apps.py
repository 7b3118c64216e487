"""Apps and the credentials of their providers."""

import base64
import sys

import pytest

from core import push
from core.foundation.errors import Forbidden, NotFound
from core.foundation.security.caller import Scope
from core.foundation.security.keyring import keyring
from core.foundation.security.secrets import KeyRing
from core.foundation.settings import current
from core.push.apps import credentials_of
from core.push.errors import AppIdTaken
from core.push.models import PushApp
from tests.core.providers.push.conftest import ec_key, rsa_key
from tests.factories.organizations import a_caller

__all__ = ["ec_key", "rsa_key"]

pytestmark = pytest.mark.usefixtures("clean_slate")

WEB = {"contact": "mailto:push@example.com"}


async def test_credentials_are_stored_encrypted_and_never_told(rsa_key: str, ec_key: str) -> None:
    caller = await a_caller()
    new = {
        "appId": "loja",
        "fcm": {"projectId": "p", "clientEmail": "push@p.test", "privateKey": rsa_key},
        "apns": {
            "keyId": "K",
            "teamId": "T",
            "bundleId": "br.com.loja",
            "privateKey": ec_key,
            "sandbox": True,
        },
        "web": WEB,
    }

    told = await push.create_app(caller, push.NewApp.model_validate(new))

    stored = await PushApp.get(app_id="loja")
    assert told["providers"] == ["apns", "fcm", "vapid"]
    assert "PRIVATE" not in str(told)
    assert stored.credentials is not None
    assert "PRIVATE" not in stored.credentials
    credentials = credentials_of(stored)
    assert credentials is not None
    assert credentials.fcm is not None
    assert credentials.fcm.private_key == rsa_key
    assert credentials.apns is not None
    assert credentials.apns.sandbox
    assert credentials.vapid is not None
    assert credentials.vapid.public_key == told["vapidPublicKey"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"fcm": {"projectId": "p", "clientEmail": "x", "privateKey": "no key"}},
        {"apns": {"keyId": "K", "teamId": "T", "bundleId": "b", "privateKey": "no key"}},
        {"web": {**WEB, "privateKey": "A" * 43}},
        {"web": {"contact": "push@example.com"}},
    ],
)
async def test_what_is_no_key_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="validation error"):
        push.NewApp.model_validate({"appId": "loja", **wrong})


async def test_keys_of_different_kinds_are_told_apart(rsa_key: str, ec_key: str) -> None:
    for wrong in (
        {"fcm": {"projectId": "p", "clientEmail": "x", "privateKey": ec_key}},
        {"apns": {"keyId": "K", "teamId": "T", "bundleId": "b", "privateKey": rsa_key}},
    ):
        with pytest.raises(ValueError, match="as the provider issued it"):
            push.NewApp.model_validate({"appId": "loja", **wrong})


async def test_an_app_is_registered_once_for_each_environment() -> None:
    caller = await a_caller()
    live = await a_caller("live", organization_id=caller.organization_id)
    new = push.NewApp(app_id="loja")
    await push.create_app(caller, new)
    await push.create_app(live, new)

    with pytest.raises(AppIdTaken):
        await push.create_app(caller, push.NewApp(app_id="loja", name="Outra"))

    assert [app.get("name") for app in (await push.list_apps(caller))["items"]] == [None]


async def test_a_change_leaves_what_was_not_sent_and_null_takes_away(rsa_key: str) -> None:
    caller = await a_caller()
    fcm = {"projectId": "p", "clientEmail": "x", "privateKey": rsa_key}
    made = await push.create_app(
        caller,
        push.NewApp.model_validate({"appId": "loja", "name": "Loja", "fcm": fcm, "web": WEB}),
    )

    contact = push.AppChanges.model_validate(
        {"web": {"contact": "https://example.com"}, "name": None}
    )
    changed = await push.change_app(caller, "loja", contact)
    without = await push.change_app(caller, "loja", push.AppChanges.model_validate({"fcm": None}))

    assert changed["providers"] == ["fcm", "vapid"]
    assert changed["vapidPublicKey"] == made["vapidPublicKey"], "subscriptions are bound to it"
    assert "name" not in changed
    assert without["providers"] == ["vapid"]


async def test_apps_of_others_are_not_there() -> None:
    await push.create_app(await a_caller(), push.NewApp(app_id="loja"))
    caller = await a_caller()

    with pytest.raises(NotFound):
        await push.change_app(caller, "loja", push.AppChanges(name="Minha"))

    assert (await push.list_apps(caller))["items"] == []
    assert (await PushApp.get(app_id="loja")).name is None


async def test_without_the_scope_apps_are_neither_seen_nor_made() -> None:
    caller = await a_caller(scopes=frozenset({Scope.PUSH_SEND}))

    with pytest.raises(Forbidden):
        await push.create_app(caller, push.NewApp(app_id="loja"))
    with pytest.raises(Forbidden):
        await push.list_apps(caller)

    assert await PushApp.all().count() == 0


async def test_credentials_are_encrypted_again_under_a_new_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caller = await a_caller()
    await push.create_app(caller, push.NewApp.model_validate({"appId": "loja", "web": WEB}))
    before = credentials_of(await PushApp.get(app_id="loja"))
    newer = base64.b64encode(bytes(range(1, 33))).decode()
    ring = KeyRing.from_base64([newer, *current().encryption_keys])
    for module in ("core.push.apps", "core.push.renew_credentials"):
        monkeypatch.setattr(sys.modules[module], "keyring", lambda: ring)

    assert await push.renew_credentials() == (1, 0)
    assert await push.renew_credentials() == (0, 0)

    stored = await PushApp.get(app_id="loja")
    assert stored.credentials is not None
    assert ring.is_current(stored.credentials)
    assert credentials_of(stored) == before
    assert keyring() is not ring
