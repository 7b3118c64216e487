"""The people of an organization: adding, changing, reading them."""

from typing import Any

import orjson
import pytest
from pydantic import ValidationError

from core import organizations
from core.foundation.database import db
from core.foundation.errors import Conflict, Forbidden, NotFound
from core.foundation.ids import is_id
from core.foundation.security.caller import KEY_SCOPES, Caller, Scope
from core.organizations import (
    Account,
    AccountChanges,
    AccountFilter,
    AccountStatus,
    NewAccount,
    Role,
    accounts_by_ids,
    active_members,
    change_account,
    create_account,
    get_account,
    is_active_member,
    list_accounts,
)
from tests.factories.accounts import PASSWORD, an_account, an_organization
from tests.factories.organizations import a_caller

pytestmark = pytest.mark.usefixtures("clean_slate")


async def audited(action: str) -> list[dict[str, Any]]:
    rows = await db.fetch(
        "SELECT actor_kind, env, subject_id, facts FROM audit_entries WHERE action = $1 ORDER BY at",
        action,
    )
    return [dict(row) for row in rows]


def without_personal_data(caller: Caller) -> Caller:
    return Caller(caller.organization_id, caller.env, caller.scopes - {Scope.PII_FULL})


# Adding


async def test_an_account_is_active_and_an_operator_unless_said_otherwise() -> None:
    organization_id = await an_organization()

    made = await create_account(organization_id, NewAccount(name=" Ana ", email="Ana@Padaria.test"))
    record: dict[str, Any] = {**made}

    assert is_id("acc", record["id"])
    assert record.pop("createdAt").endswith("Z")
    assert record == {
        "id": record["id"],
        "organizationId": organization_id,
        "name": "Ana",
        "email": "ana@padaria.test",
        "role": "operator",
        "status": "active",
    }
    assert (await Account.get(id=record["id"])).password_hash is None


async def test_an_email_is_had_once_per_organization_in_any_case() -> None:
    organization_id = await an_organization()
    await an_account(organization_id, email="ana@padaria.test")
    before = await Account.all().count()

    with pytest.raises(Conflict) as refused:
        await an_account(organization_id, email="ANA@padaria.test")

    assert refused.value.meta == {"code": "EMAIL_JA_CADASTRADO"}
    assert await Account.all().count() == before
    await an_account(email="ana@padaria.test")


async def test_nobody_works_for_an_organization_that_is_not_there() -> None:
    with pytest.raises(NotFound):
        await an_account("org_of_nobody")

    assert not await Account.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"email": "ana"},
        {"email": "ana@"},
        {"email": "@padaria.test"},
        {"email": "ana maria@padaria.test"},
        {"email": "ana@padaria.test\n"},
        {"email": "a***@padaria.test"},
        {"email": "a" * 251 + "@b.c"},
        {"name": "  "},
        {"name": "n" * 121},
        {"password": "7 signs"},
        {"password": "p" * 1025},
        {"role": "god"},
        {"status": "asleep"},
    ],
    ids=lambda wrong: str(wrong)[:40],
)
def test_what_no_account_may_have(wrong: dict[str, str]) -> None:
    facts = {"name": "Ana", "email": "ana@padaria.test", **wrong}

    with pytest.raises(ValidationError):
        NewAccount.model_validate_json(orjson.dumps(facts))


async def test_the_audit_tells_that_an_account_came_and_nothing_of_the_person() -> None:
    account = await an_account(role="admin")

    assert await audited("account.created") == [
        {
            "actor_kind": "system",
            "env": "live",
            "subject_id": account["id"],
            "facts": {"role": "admin", "status": "active", "password": True},
        }
    ]


# Changing


async def test_what_is_left_out_of_a_change_stays() -> None:
    account = await an_account(role="admin")
    before = await Account.get(id=account["id"])

    record = await change_account(account["id"], AccountChanges(status=AccountStatus.SUSPENDED))

    assert record == {**account, "status": "suspended"}
    after = await Account.get(id=account["id"])
    assert (after.role, after.password_hash, after.email) == (
        Role.ADMIN,
        before.password_hash,
        before.email,
    )


async def test_a_change_is_audited_without_the_password() -> None:
    account = await an_account()

    await change_account(
        account["id"], AccountChanges(role=Role.OPERATOR, password="a new password")
    )

    [entry] = await audited("account.changed")
    assert entry["subject_id"] == account["id"]
    assert entry["facts"] == {"role": "operator", "status": "active", "password": True}


@pytest.mark.parametrize("id", ["acc_" + "0" * 21, "acc_of_nobody", "", "x" * 100, "\x00"])
async def test_an_account_that_is_not_there_cannot_be_changed(id: str) -> None:
    account = await an_account()

    with pytest.raises(NotFound):
        await change_account(id, AccountChanges(status=AccountStatus.SUSPENDED))

    assert (await Account.get(id=account["id"])).status == AccountStatus.ACTIVE


# Reading


async def test_accounts_are_listed_in_the_order_in_which_they_came() -> None:
    caller = await a_caller()
    ids = [(await an_account(caller.organization_id))["id"] for _ in range(3)]

    page = await list_accounts(caller, AccountFilter())
    assert [item["id"] for item in page["items"]] == [caller.account_id, *ids]
    assert page["total"] == 4

    page = await list_accounts(caller, AccountFilter(limit=2, skip=1))
    assert ([item["id"] for item in page["items"]], page["total"]) == (ids[:2], 4)


async def test_a_deep_reader_meets_every_account_once() -> None:
    caller = await a_caller()
    await db.execute(
        "INSERT INTO accounts (id, organization_id, name, role, status, created_at) "
        "SELECT 'acc_' || i, $1, 'Ana', 'operator', 'active', timestamptz '2026-01-01' FROM generate_series(1, 7) i",
        caller.organization_id,
    )
    met: list[str] = []
    page = await list_accounts(caller, AccountFilter(limit=3))
    while cursor := page.get("nextCursor"):
        met += [item["id"] for item in page["items"]]
        page = await list_accounts(caller, AccountFilter(limit=3, cursor=cursor))
    met += [item["id"] for item in page["items"]]

    assert met == [*(f"acc_{number}" for number in range(1, 8)), caller.account_id]
    assert page["total"] == 8


async def test_accounts_are_found_by_status_and_role() -> None:
    caller = await a_caller()
    await an_account(caller.organization_id, status="suspended")
    admin = await an_account(caller.organization_id, role="admin")
    await an_account(caller.organization_id, role="admin", status="invited")

    active_admins = await list_accounts(caller, AccountFilter(status="active", role="admin"))

    assert ([item["id"] for item in active_admins["items"]], active_admins["total"]) == (
        [admin["id"]],
        1,
    )
    assert (await list_accounts(caller, AccountFilter(status="suspended")))["total"] == 1


async def test_more_than_two_hundred_are_cut_to_two_hundred() -> None:
    caller = await a_caller()
    await db.execute(
        "INSERT INTO accounts (id, organization_id, name, role, status, created_at) "
        "SELECT 'acc_' || i, $1, 'Ana', 'operator', 'active', now() FROM generate_series(1, 220) i",
        caller.organization_id,
    )

    page = await list_accounts(caller, AccountFilter(limit=1000))

    assert (len(page["items"]), page["total"]) == (200, 221)
    assert len((await list_accounts(caller, AccountFilter()))["items"]) == 50


async def test_the_email_is_masked_without_pii_full() -> None:
    caller = await a_caller()
    account = await an_account(caller.organization_id, email="ana@padaria.test")

    blind = without_personal_data(caller)

    assert (await list_accounts(caller, AccountFilter()))["items"][1]["email"] == "ana@padaria.test"
    assert (await list_accounts(blind, AccountFilter()))["items"][1]["email"] == "a***@padaria.test"
    assert (await get_account(blind, account["id"]))["email"] == "a***@padaria.test"


async def test_no_record_shows_the_password() -> None:
    caller = await a_caller()
    await an_account(caller.organization_id)

    shown = str(await list_accounts(caller, AccountFilter())) + str(
        await organizations.accounts_of(caller.organization_id)
    )

    assert "argon2" not in shown
    assert PASSWORD not in shown


async def test_another_organizations_accounts_are_not_there() -> None:
    theirs = await an_account()
    caller = await a_caller()

    assert (await list_accounts(caller, AccountFilter()))["total"] == 1
    assert await accounts_by_ids(caller, [theirs["id"]]) == {}
    assert not await is_active_member(caller, theirs["id"])
    with pytest.raises(NotFound):
        await get_account(caller, theirs["id"])


async def test_accounts_are_there_in_both_environments() -> None:
    live = await a_caller("live")
    test = await a_caller("test", organization_id=live.organization_id)

    assert await list_accounts(live, AccountFilter()) == await list_accounts(test, AccountFilter())


@pytest.mark.parametrize("id", ["acc_" + "0" * 21, "acc_of_nobody", "", "x" * 100, "\x00"])
async def test_an_id_that_is_nobodys_is_not_found(id: str) -> None:
    caller = await a_caller()

    with pytest.raises(NotFound):
        await get_account(caller, id)
    assert not await is_active_member(caller, id)


async def test_several_accounts_are_read_at_once() -> None:
    caller = await a_caller()
    accounts = {
        account["id"]: account
        for account in [await an_account(caller.organization_id) for _ in range(2)]
    }

    assert await accounts_by_ids(caller, [*accounts, "acc_of_nobody"]) == accounts
    assert await accounts_by_ids(caller, []) == {}


async def test_only_active_accounts_are_active_members() -> None:
    caller = await a_caller()
    active, invited, suspended = [
        (await an_account(caller.organization_id, status=status))["id"]
        for status in ("active", "invited", "suspended")
    ]

    assert await active_members(caller, [active, invited, suspended, "acc_of_nobody"]) == {active}
    assert await is_active_member(caller, active)
    assert not await is_active_member(caller, suspended)


async def test_reading_accounts_needs_crm_read() -> None:
    caller = await a_caller(scopes=KEY_SCOPES - {Scope.CRM_READ})
    assert caller.account_id is not None

    for read in (list_accounts(caller, AccountFilter()), get_account(caller, caller.account_id)):
        with pytest.raises(Forbidden) as refused:
            await read
        assert refused.value.meta == {"escopoExigido": "crm:read"}
