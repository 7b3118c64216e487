"""What docs/scaling.md would have Citus do: derived from the catalogue, for every table, and
harmless to the rules.
"""

import re

import pytest

from core.foundation.database import db
from core.foundation.http_client import GuardedClient
from tests.fakes.provider import ScriptedProvider
from tests.house.test_tenants import OTHERWISE
from tests.scaling.flows import a_day_in_the_sandbox, a_day_of_live_sends, unique_keys
from tests.scaling.page import TEXT, sql
from tests.support.receiver import Receiver

# Citus's own condition, and the order it wants: the table that the others lie beside comes first.
STAND_INS = """
CREATE TEMP TABLE placed (name text, place text);
CREATE FUNCTION create_reference_table(name text) RETURNS void LANGUAGE sql AS
    $$ INSERT INTO placed VALUES (name, 'everywhere') $$;
CREATE FUNCTION create_distributed_table(name text, by text, colocate_with text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM pg_index x WHERE x.indrelid = name::regclass AND x.indisunique AND NOT EXISTS (
            SELECT FROM pg_attribute a
            WHERE a.attrelid = x.indrelid AND a.attname = by AND a.attnum = ANY (x.indkey::int2[]))) THEN
        RAISE 'a unique key of % does not contain %', name, by;
    END IF;
    IF colocate_with <> 'default' AND NOT EXISTS (SELECT FROM placed p WHERE p.name = colocate_with) THEN
        RAISE '% cannot lie beside %, which has no place yet', name, colocate_with;
    END IF;
    INSERT INTO placed VALUES (name, 'by organization');
END $$;
"""


@pytest.fixture
async def statements(clean_slate: None) -> list[str]:
    """What the page's query writes."""
    return [row["statement"] for row in await db.fetch(sql("citus"))]


@pytest.fixture
async def distributed(statements: list[str]) -> None:
    """The tables as Citus would want them."""
    await db.execute(STAND_INS)
    for statement in statements:
        if not statement.startswith("--"):
            await db.execute(statement)


async def test_every_table_gets_exactly_one_place(statements: list[str]) -> None:
    tables = await db.fetch(
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
    )
    named = [
        name
        for statement in statements
        for name in re.findall(r"^(?:SELECT create_\w+_table\('(\w+)'|-- (\w+) stays)", statement)
    ]

    assert sorted(one or other for one, other in named) == sorted(row["relname"] for row in tables)


async def test_only_what_is_asked_before_the_owner_is_known_lies_everywhere(
    statements: list[str],
) -> None:
    everywhere = {
        name
        for statement in statements
        for name in re.findall(r"create_reference_table\('(\w+)'", statement)
    }
    here = {name for statement in statements for name in re.findall(r"^-- (\w+) stays", statement)}

    assert everywhere == {"organizations", "accounts", "api_keys", "sessions"}
    assert here <= OTHERWISE.keys()


@pytest.mark.usefixtures("distributed")
async def test_every_unique_key_contains_the_organization_and_keeps_its_other_columns() -> None:
    assert await unique_keys("messages") == {
        "organization_id, id",
        "organization_id, env, provider, provider_reference",
    }
    assert await unique_keys("contact_list_members") == {
        "organization_id, id",
        "organization_id, list_id, contact_id",
    }


@pytest.mark.usefixtures("distributed")
async def test_sends_reports_webhooks_and_replies_go_on(
    http: GuardedClient, receiver: Receiver, provider: ScriptedProvider
) -> None:
    await a_day_in_the_sandbox(http, receiver)
    await a_day_of_live_sends()


async def test_the_page_says_that_citus_itself_was_not_tried() -> None:
    assert "Not tried: no Citus was at hand" in TEXT
