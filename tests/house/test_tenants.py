"""Every table knows whose its rows are: the organization and the environment."""

import pytest

from core.foundation.database import db
from core.foundation.database.tenancy import OwnedModel
from tests.house.catalogue import models

pytestmark = pytest.mark.usefixtures("clean_slate")

OTHERWISE = {
    "organizations": "it is the owner itself, and has both environments",
    "accounts": "a person works for an organization in both of its environments",
    "account_tokens": "the link of a letter is a person's, who works in both environments",
    "second_factors": "a person's log-in is the same in both environments",
    "failed_log_ins": "they count for an e-mail address, whether or not an account has it",
    "price_tables": "an organization has one price list; only live segments move its volume",
    "webhook_unconfirmed_attempts": "attempts at a stranger's host count whichever environment they come from",
    "provider_cursors": "how far a provider's log was read, which holds lines of everybody",
    "smpp_link_reports": "what an operator tells is nobody's until its message is found",
    "closed_hours": "the clock closes the hours of everybody",
    "detached_partitions": "a month holds rows of everybody",
    "cells": "the databases of everybody",
    "organization_cells": "an organization lives in one place with both of its environments",
    "directory_entries": "keys of both environments, and of people, lead to one organization",
    "journey_trail": "a run's, which is the owner's; it grows by a row for each move",
    "organization_moves": "an organization moves with both environments",
    "organization_gates": "an organization moves with both environments",
    "tortoise_migrations": "it belongs to the schema",
    "migration_steps": "it belongs to the schema",
}
"""Tables without one of the columns, each with its reason."""


async def owned_tables() -> dict[str, set[tuple[str, bool]]]:
    """For each table its columns of ownership, and whether they are NOT NULL."""
    rows = await db.fetch(
        """
        SELECT t.table_name, c.column_name, c.is_nullable = 'NO' AS there FROM information_schema.tables t
        LEFT JOIN information_schema.columns c
          ON c.table_schema = t.table_schema AND c.table_name = t.table_name
         AND c.column_name IN ('organization_id', 'env')
        WHERE t.table_schema = current_schema()
        """
    )
    tables: dict[str, set[tuple[str, bool]]] = {row["table_name"]: set() for row in rows}
    for row in rows:
        if row["column_name"]:
            tables[row["table_name"]].add((row["column_name"], row["there"]))
    return tables


async def without_an_owner() -> set[str]:
    whole = {("organization_id", True), ("env", True)}
    return {table for table, columns in (await owned_tables()).items() if columns != whole}


async def test_every_table_has_an_organization_and_an_environment() -> None:
    assert await without_an_owner() == OTHERWISE.keys()


async def test_a_table_without_an_owner_is_noticed() -> None:
    await db.execute("CREATE TABLE nobodys (id int)")
    await db.execute("ALTER TABLE wallets ALTER env DROP NOT NULL")
    await db.execute("ALTER TABLE messages RENAME organization_id TO org_id")

    assert await without_an_owner() - OTHERWISE.keys() == {"nobodys", "wallets", "messages"}


async def test_every_model_with_an_owner_is_read_through_its_owner() -> None:
    """`visible_to` stands on OwnedModel alone."""
    for model in models():
        owned = {"organization_id", "env"} <= set(model._meta.fields_db_projection)
        assert issubclass(model, OwnedModel) == owned, model


async def test_an_environment_is_live_or_test_in_every_column_that_holds_one() -> None:
    widths = await db.fetch(
        "SELECT table_name, character_maximum_length FROM information_schema.columns "
        "WHERE table_schema = current_schema() AND column_name = 'env'"
    )

    assert {row["character_maximum_length"] for row in widths} == {len("live")}
