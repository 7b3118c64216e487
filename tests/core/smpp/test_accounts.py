"""Accounts of SMPP: opened, shown without their passwords, rotated, revoked; and who gets in with them."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core import organizations, smpp
from core.foundation.clock import now
from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.ids import is_id
from core.smpp import (
    BindRefused,
    NewSmppAccount,
    NoSuchSmppAccount,
    SmppAccount,
    SmppPasswordRotation,
    SystemIdTaken,
)
from tests.factories.keys import an_admin
from tests.factories.organizations import a_caller
from tests.factories.smpp import an_smpp_account
from tests.support.told import audited

pytestmark = pytest.mark.usefixtures("clean_slate")

HERE, ELSEWHERE = "203.0.113.7", "198.51.100.1"


async def refusal_of(
    account: dict[str, Any],
    password: str,
    address: str | None = HERE,
    certificate: str | None = None,
) -> str:
    with pytest.raises(BindRefused) as refusal:
        await smpp.sign_in(account["systemId"], password, address=address, certificate=certificate)
    return refusal.value.reason


async def test_the_record_of_a_new_account() -> None:
    admin = await an_admin()

    record = await an_smpp_account(admin, systemId="kannel", ips=["203.0.113.0/24"], window=100)

    assert is_id("smp", record["id"])
    assert len(record["password"]) == 8
    assert record == {
        "id": record["id"],
        "env": "test",
        "systemId": "kannel",
        "route": "premium",
        "ips": ["203.0.113.0/24"],
        "maxBinds": 4,
        "window": 100,
        "throttle": "refuse",
        "charset": "gsm",
        "dedupeSeconds": 0,
        "receipts": "as_asked",
        "receiptIds": "all",
        "receiptZone": "UTC",
        "longReplies": "parts",
        "createdAt": record["createdAt"],
        "password": record["password"],
    }
    (entry,) = await audited(admin.organization_id, "smpp_account.created")
    assert record["password"] not in str(entry)
    stored = await SmppAccount.get(id=record["id"])
    assert record["password"].encode() not in stored.password_hash


async def test_accounts_are_listed_without_their_passwords() -> None:
    admin = await an_admin()
    first = await an_smpp_account(admin)
    second = await an_smpp_account(admin, env="live", ips=[HERE])
    await an_smpp_account()

    items = (await smpp.list_accounts(admin, smpp.SmppAccountFilter()))["items"]

    shown = [{name: account[name] for name in account if name != "password"} for account in (second, first)]  # fmt: skip
    assert items == shown


async def test_an_account_of_live_names_its_networks() -> None:
    with pytest.raises(ValidationFailed) as refusal:
        await an_smpp_account(env="live")
    assert [error.where for error in refusal.value.errors] == ["/ips"]


async def test_a_system_id_is_given_once() -> None:
    await an_smpp_account(systemId="kannel")

    with pytest.raises(SystemIdTaken):
        await an_smpp_account(systemId="kannel")


@pytest.mark.parametrize(
    "changes",
    [
        {"systemId": "ab"},
        {"systemId": "a" * 16},
        {"systemId": "with space"},
        {"maxBinds": 0},
        {"maxBinds": 51},
        {"window": 0},
        {"window": 1001},
        {"throttle": "never"},
        {"charset": "ebcdic"},
        {"route": "other"},
        {"ips": []},
        {"ips": ["nowhere"]},
        {"longReplies": "cut"},
        {"certificates": []},
        {"certificates": ["ab"]},
    ],
)
def test_what_an_account_cannot_have(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="NewSmppAccount"):
        NewSmppAccount.model_validate({"env": "test", "systemId": "kannel", **changes})


async def test_accounts_are_for_who_manages_keys() -> None:
    caller = await a_caller()

    with pytest.raises(Forbidden):
        await an_smpp_account(caller)
    with pytest.raises(Forbidden):
        await smpp.list_accounts(caller, smpp.SmppAccountFilter())


async def test_an_account_of_others_is_not_there() -> None:
    account, stranger = await an_smpp_account(), await an_admin()

    with pytest.raises(NoSuchSmppAccount):
        await smpp.revoke_account(stranger, account["id"])
    with pytest.raises(NoSuchSmppAccount):
        await smpp.rotate_password(stranger, account["id"], SmppPasswordRotation())
    with pytest.raises(NoSuchSmppAccount):
        await smpp.owner_of_account("smp_000000000000000000000")


async def test_what_changes_is_told_and_nothing_else() -> None:
    admin = await an_admin()
    account = await an_smpp_account(admin, env="live", ips=[HERE], window=7)

    changes = smpp.SmppAccountChanges.model_validate({"window": 8, "throttle": "refuse"})
    changed = await smpp.change_account(replace(admin, env="test"), account["id"], changes)

    assert changed == {**{name: account[name] for name in changed}, "window": 8}
    (entry,) = await audited(admin.organization_id, "smpp_account.changed")
    assert entry["facts"] == {"changed": ["window"], "networks": 1}
    nowhere = smpp.SmppAccountChanges.model_validate({"ips": None})
    with pytest.raises(smpp.NetworksMissing):
        await smpp.change_account(admin, account["id"], nowhere)
    with pytest.raises(NoSuchSmppAccount):
        await smpp.change_account(await an_admin(), account["id"], nowhere)


# Binding ------------------------------------------------------------------------------------------


async def test_who_knows_the_password_gets_in() -> None:
    admin = await an_admin()
    account = await an_smpp_account(admin, ips=["203.0.113.0/24"])
    await organizations.set_limits(admin.organization_id, "test", sms_per_second=7)

    client = await smpp.sign_in(account["systemId"], account["password"], address=HERE)

    assert client.account.id == client.caller.credential_id == account["id"]
    assert (client.caller.organization_id, client.caller.env) == (admin.organization_id, "test")
    assert client.caller.limits.sms_per_second == 7
    assert {str(scope) for scope in client.caller.scopes} == {"sms:send", "sms:read", "pii:full"}


async def test_who_does_not_is_not_told_why() -> None:
    account = await an_smpp_account(ips=["203.0.113.0/24"])

    assert await refusal_of(account, "wrong") == "password"
    assert await refusal_of({"systemId": "nobody"}, account["password"]) == "system_id"
    assert await refusal_of(account, account["password"], ELSEWHERE) == "address"
    assert await refusal_of(account, account["password"], None) == "address"


async def test_an_account_that_names_certificates_is_opened_to_who_shows_one() -> None:
    colons = ":".join(["AB"] * 32)
    account = await an_smpp_account(certificates=[colons, "cd" * 32, "ab" * 32])
    password = account["password"]

    assert account["certificates"] == ["ab" * 32, "cd" * 32]
    for certificate in (None, "ef" * 32):
        assert await refusal_of(account, password, certificate=certificate) == "certificate"
    shown = {"address": HERE, "certificate": "cd" * 32}
    client = await smpp.sign_in(account["systemId"], password, **shown)
    assert client.may_bind_from(HERE, "ab" * 32)
    assert not client.may_bind_from(HERE, None)


async def test_five_guesses_lock_their_place_and_no_other() -> None:
    admin = await an_admin()
    account = await an_smpp_account(admin)
    for _ in range(5):
        assert await refusal_of(account, "wrong") == "password"

    assert await refusal_of(account, account["password"]) == "locked"
    await smpp.sign_in(account["systemId"], account["password"], address=ELSEWHERE)
    (entry,) = await audited(admin.organization_id, "smpp_account.locked")
    assert (entry["facts"], entry["actor_kind"]) == ({"reason": "password"}, "system")


async def test_a_right_password_forgives_what_came_before() -> None:
    account = await an_smpp_account()
    for _ in range(3):
        for _ in range(4):
            await refusal_of(account, "wrong")
        await smpp.sign_in(account["systemId"], account["password"], address=HERE)


async def test_another_password_and_the_old_one_until_the_overlap_ends() -> None:
    admin = await an_admin()
    account = await an_smpp_account(admin)

    fresh = await smpp.rotate_password(admin, account["id"], SmppPasswordRotation(overlap_hours=1))

    assert fresh["password"] != account["password"]
    for password in (fresh["password"], account["password"]):
        await smpp.sign_in(account["systemId"], password, address=HERE)
    past = now() - timedelta(seconds=1)
    await SmppAccount.filter(id=account["id"]).update(previous_until=past)
    assert await refusal_of(account, account["password"]) == "password"
    assert len(await audited(admin.organization_id, "smpp_account.rotated")) == 1


async def test_a_revoked_account_is_at_work_no_more() -> None:
    admin = await an_admin()
    account = await an_smpp_account(admin)
    assert await smpp.clients_of([account["id"]])

    first = await smpp.revoke_account(admin, account["id"])
    again = await smpp.revoke_account(admin, account["id"])

    assert first["revokedAt"] == again["revokedAt"]
    assert await smpp.clients_of([account["id"]]) == {}
    assert await refusal_of(account, account["password"]) == "revoked"
    with pytest.raises(smpp.SmppAccountRevoked):
        await smpp.rotate_password(admin, account["id"], SmppPasswordRotation())
    assert len(await audited(admin.organization_id, "smpp_account.revoked")) == 1


async def test_accounts_of_a_suspended_organization_rest() -> None:
    admin = await an_admin()
    account = await an_smpp_account(admin)

    await organizations.suspend_organization(admin.organization_id)
    assert await refusal_of(account, account["password"]) == "revoked"

    await organizations.resume_organization(admin.organization_id)
    await smpp.sign_in(account["systemId"], account["password"], address=HERE)
