"""What a new customer gets in one go."""

from itertools import count

import pytest

from core import operations
from core.foundation.database import db
from core.foundation.ids import is_id
from core.organizations import Account, AccountStatus, Organization, OrganizationStatus, Role
from core.wallet.credit import SANDBOX_START
from tests.factories.opened import AN_ID, an_opened_organization, by_the_use_cases, rows_of


async def test_it_opens_active_with_an_active_owner(clean_slate: None) -> None:
    organization, owner = await operations.open_organization("Padaria São João")

    stored = await Organization.get(id=organization.id)
    assert is_id("org", stored.id)
    assert (stored.name, stored.status) == ("Padaria São João", OrganizationStatus.ACTIVE)
    accounts = await Account.filter(organization_id=organization.id)
    assert [(a.id, a.role, a.status) for a in accounts] == [
        (owner.id, Role.OWNER, AccountStatus.ACTIVE)
    ]
    assert is_id("acc", owner.id)


async def test_it_has_a_wallet_in_each_environment_and_the_sandbox_one_is_filled(
    clean_slate: None,
) -> None:
    organization, _ = await operations.open_organization("One")

    wallets = await db.fetch(
        "SELECT env, available, held, revenue, refund, owed FROM wallets WHERE organization_id = $1 ORDER BY env",
        organization.id,
    )
    assert [tuple(wallet) for wallet in wallets] == [
        ("live", 0, 0, 0, 0, 0),
        ("test", SANDBOX_START, 0, 0, 0, 0),
    ]


async def test_the_first_coins_are_in_the_ledger(clean_slate: None) -> None:
    organization, _ = await operations.open_organization("One")

    entries = await db.fetch(
        "SELECT env, kind, source, target, coins FROM wallet_transfers WHERE organization_id = $1",
        organization.id,
    )
    assert [tuple(entry) for entry in entries] == [
        ("test", "credito", "externo", "disponivel", SANDBOX_START)
    ]


async def test_two_customers_of_one_name_are_two(clean_slate: None) -> None:
    first, _ = await operations.open_organization("Same")
    second, _ = await operations.open_organization("Same")

    assert first.id != second.id
    assert await db.fetchval("SELECT count(*) FROM wallets") == 4


async def test_without_billing_there_are_no_wallets(clean_slate: None, billing_off: None) -> None:
    organization, owner = await operations.open_organization("One")

    assert await Organization.exists(id=organization.id)
    assert await Account.exists(id=owner.id)
    assert await db.fetchval("SELECT count(*) FROM wallets") == 0
    assert await db.fetchval("SELECT count(*) FROM wallet_transfers") == 0


async def test_a_wallet_that_cannot_be_opened_leaves_no_organization(clean_slate: None) -> None:
    await db.execute("ALTER TABLE wallets ADD CONSTRAINT none CHECK (env <> 'live') NOT VALID")

    with pytest.raises(Exception, match="violates check constraint"):
        await operations.open_organization("One")

    assert await Organization.all().count() == 0
    assert await Account.all().count() == 0


async def settled(organization_id: str) -> list[tuple[object, ...]]:
    """All rows of an organization, with numbers in place of ids, and without times."""
    numbers = count(1)
    ids: dict[str, str] = {}

    def without_ids(value: str | None) -> str | None:
        return value and AN_ID.sub(lambda one: ids.setdefault(one[0], f"{next(numbers)}"), value)

    return [
        (
            row.table,
            *(
                (name, without_ids(value))
                for name, type, value in zip(row.names, row.types, row.values, strict=True)
                if not type.startswith("timestamp")
            ),
        )
        for row in await rows_of(organization_id)
    ]


@pytest.mark.parametrize("coins", [0, 100_000])
async def test_what_tests_copy_is_what_it_writes(clean_slate: None, coins: int) -> None:
    await an_opened_organization(coins)
    copied, owner_id = await an_opened_organization(coins)
    opened, _ = await by_the_use_cases(coins)

    assert await settled(copied) == await settled(opened)
    assert await Account.exists(id=owner_id, organization_id=copied)
    tables = [row.table for row in await rows_of(copied)]
    assert sorted(set(tables)) == [
        "accounts",
        "audit_entries",
        "organizations",
        "wallet_transfers",
        "wallets",
    ]
