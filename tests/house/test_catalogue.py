"""The database really has what the models declare, and nothing else."""

import pytest

from core.foundation.database import db
from tests.house.catalogue import OUTSIDE_THE_MODELS, differences, models

pytestmark = pytest.mark.usefixtures("clean_slate")


async def test_the_catalogue_is_what_the_models_declare() -> None:
    assert await differences() == []


async def test_the_tables_outside_the_models_are_there() -> None:
    for table in OUTSIDE_THE_MODELS:
        assert await db.fetchval("SELECT to_regclass($1)::text", table) == table


def test_models_were_found() -> None:
    assert {"wallets", "messages", "api_keys"} < {model._meta.db_table for model in models()}


HELD = "constraint wallets_held_not_negative: CHECK ((held >= 0))"
ONCE = "unique messages_inbound_once: btree (organization_id, env, provider, provider_reference)"
BY_CONTACT = "index messages_by_contact: btree (organization_id, env, contact_id, created_at)"


@pytest.mark.parametrize(
    ("damage", "missing", "extra"),
    [
        ("ALTER TABLE wallets DROP CONSTRAINT wallets_held_not_negative", [f"wallets: {HELD}"], []),
        (
            """ALTER TABLE wallets DROP CONSTRAINT wallets_held_not_negative,
               ADD CONSTRAINT wallets_held_not_negative CHECK (held > 0)""",
            [f"wallets: {HELD}"],
            [f"wallets: {HELD.replace('>=', '>')}"],
        ),
        (
            "ALTER TABLE wallets RENAME CONSTRAINT wallets_held_not_negative TO other",
            [f"wallets: {HELD}"],
            ["wallets: constraint: CHECK ((held >= 0))"],
        ),
        (
            "DROP INDEX messages_by_contact",
            [f"messages: {BY_CONTACT} WHERE (contact_id IS NOT NULL)"],
            [],
        ),
        (
            """DROP INDEX messages_inbound_once; CREATE UNIQUE INDEX messages_inbound_once
               ON messages (organization_id, env, provider, provider_reference)""",
            [f"messages: {ONCE} WHERE ((direction)::text = 'inbound'::text)"],
            [f"messages: {ONCE}"],
        ),
        ("CREATE INDEX more ON wallets (updated_at)", [], ["wallets: index: btree (updated_at)"]),
        (
            "ALTER TABLE wallets ALTER available TYPE int",
            ["wallets: column available: bigint"],
            ["wallets: column available: integer"],
        ),
        (
            "ALTER TABLE wallets ALTER updated_at DROP NOT NULL",
            ["wallets: column updated_at: timestamp with time zone"],
            ["wallets: column updated_at: timestamp with time zone or null"],
        ),
        (
            "ALTER TABLE wallets ALTER owed DROP DEFAULT",
            ["wallets: column owed: bigint default 0"],
            ["wallets: column owed: bigint"],
        ),
        ("ALTER TABLE wallets ADD COLUMN more text", [], ["wallets: column more: text or null"]),
        ("ALTER TABLE wallets DROP COLUMN warn_below", ["wallets: column warn_below: bigint"], []),
        ("CREATE TABLE more (id int)", [], ["more: the table"]),
        ("DROP TABLE sandbox_reports", ["sandbox_reports: the table"], []),
    ],
)
async def test_any_difference_is_told(damage: str, missing: list[str], extra: list[str]) -> None:
    await db.execute(damage)

    assert await differences() == [f"declared, but not there: {fact}" for fact in missing] + [
        f"there, but not declared: {fact}" for fact in extra
    ]


async def test_a_unique_constraint_that_is_missing_is_told() -> None:
    name = await db.fetchval(
        "SELECT conname FROM pg_constraint WHERE conrelid = 'wallet_transfers'::regclass AND contype = 'u'"
    )
    await db.execute(f'ALTER TABLE wallet_transfers DROP CONSTRAINT "{name}"')

    assert await differences() == [
        "declared, but not there: wallet_transfers: unique: btree (organization_id, env, origin, kind)"
    ]
