"""The database really has what the models declare, and nothing else."""

import pytest

from core.foundation import db
from tests.house.catalogue import OUTSIDE_THE_MODELS, differences, models

pytestmark = pytest.mark.usefixtures("clean_slate")


async def test_the_catalogue_is_what_the_models_declare() -> None:
    assert await differences() == []


async def test_the_tables_outside_the_models_are_there() -> None:
    for table in OUTSIDE_THE_MODELS:
        assert await db.fetchval("SELECT to_regclass($1)::text", table) == table


def test_models_were_found() -> None:
    assert {"wallets", "messages", "api_keys"} < {model._meta.db_table for model in models()}


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (
            "ALTER TABLE wallets DROP CONSTRAINT wallets_held_not_negative",
            ["wallets: declared, but not there: constraint wallets_held_not_negative: CHECK ((held >= 0))"],
        ),
        (
            "ALTER TABLE wallets DROP CONSTRAINT wallets_held_not_negative, "
            "ADD CONSTRAINT wallets_held_not_negative CHECK (held >= -1)",
            [
                "wallets: declared, but not there: constraint wallets_held_not_negative: CHECK ((held >= 0))",
                "wallets: there, but not declared: constraint wallets_held_not_negative: CHECK ((held >= '-1'::integer))",
            ],
        ),
        (
            "ALTER TABLE wallets RENAME CONSTRAINT wallets_held_not_negative TO other",
            [
                "wallets: declared, but not there: constraint wallets_held_not_negative: CHECK ((held >= 0))",
                "wallets: there, but not declared: constraint: CHECK ((held >= 0))",
            ],
        ),
        (
            "DROP INDEX messages_by_contact",
            [
                "messages: declared, but not there: index messages_by_contact: "
                "btree (organization_id, env, contact_id, created_at) WHERE (contact_id IS NOT NULL)"
            ],
        ),
        (
            "DROP INDEX messages_inbound_once; CREATE UNIQUE INDEX messages_inbound_once "
            "ON messages (organization_id, env, provider, provider_reference)",
            [
                "messages: declared, but not there: unique messages_inbound_once: btree (organization_id, env, provider, "
                "provider_reference) WHERE ((direction)::text = 'inbound'::text)",
                "messages: there, but not declared: unique messages_inbound_once: "
                "btree (organization_id, env, provider, provider_reference)",
            ],
        ),
        (
            "CREATE INDEX more ON wallets (updated_at)",
            ["wallets: there, but not declared: index: btree (updated_at)"],
        ),
        (
            "ALTER TABLE wallets ALTER available TYPE int",
            [
                "wallets: declared, but not there: column available: bigint",
                "wallets: there, but not declared: column available: integer",
            ],
        ),
        (
            "ALTER TABLE wallets ALTER updated_at DROP NOT NULL",
            [
                "wallets: declared, but not there: column updated_at: timestamp with time zone",
                "wallets: there, but not declared: column updated_at: timestamp with time zone or null",
            ],
        ),
        (
            "ALTER TABLE wallets ALTER owed DROP DEFAULT",
            [
                "wallets: declared, but not there: column owed: bigint default 0",
                "wallets: there, but not declared: column owed: bigint",
            ],
        ),
        (
            "ALTER TABLE wallets ADD COLUMN more text",
            ["wallets: there, but not declared: column more: text or null"],
        ),
        (
            "ALTER TABLE wallets DROP COLUMN warn_below",
            ["wallets: declared, but not there: column warn_below: bigint"],
        ),
        ("CREATE TABLE more (id int)", ["more: there, but no model declares it"]),
        ("DROP TABLE sandbox_reports", ["sandbox_reports: declared, but there is no such table"]),
    ],
)
async def test_any_difference_is_told(damage: str, told: list[str]) -> None:
    await db.execute(damage)

    assert await differences() == told


async def test_a_unique_constraint_that_is_missing_is_told() -> None:
    name = await db.fetchval(
        "SELECT conname FROM pg_constraint WHERE conrelid = 'wallet_transfers'::regclass AND contype = 'u'"
    )
    await db.execute(f'ALTER TABLE wallet_transfers DROP CONSTRAINT "{name}"')

    assert await differences() == [
        "wallet_transfers: declared, but not there: unique: btree (organization_id, env, origin, kind)"
    ]
