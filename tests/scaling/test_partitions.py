"""Partitions by month on the newest schema, the ledger divided by hand: the service does not
notice.
"""

import asyncpg
import pytest

from core import partitions, sms
from core.foundation.database import db
from core.foundation.http_client import GuardedClient
from core.foundation.security.caller import Caller
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.fakes.provider import ScriptedProvider
from tests.scaling.flows import a_day_in_the_sandbox, a_day_of_live_sends, sent_by, unique_keys
from tests.scaling.page import sql
from tests.scaling.partitioning import YEAR, partition_everything
from tests.support.receiver import Receiver

MONTHLY = {table.name: table.column for table in partitions.TABLES}
UNIQUE_OTHERWISE = {"messages": {"organization_id, env, provider, provider_reference"}}
"""Unique keys that cannot be kept on the whole: here `inbound_message_keys` stands in."""


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    """Somebody with rows from before."""
    caller = await a_caller("test")
    await a_send(caller)
    return caller


@pytest.fixture
async def partitioned(caller: Caller) -> None:
    """The tables divided, with everything in the transaction of the test; the ledger as the page
    does it.
    """
    await partition_everything()
    await db.execute(sql("ledger"))


async def parts_of(table: str) -> set[str]:
    rows = await db.fetch(
        "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass",
        table,
    )
    return {row["name"] for row in rows}


async def move_to(id: str, when: str) -> str:
    """Let a message be of another time; answers the partition where it lies then."""
    await db.execute(f"UPDATE messages SET created_at = '{when}' WHERE id = '{id}'")
    name: str = await db.fetchval("SELECT tableoid::regclass::text FROM messages WHERE id = $1", id)
    return name


async def test_a_unique_key_that_a_month_cannot_be_in_is_known_to_the_page(
    clean_slate: None,
) -> None:
    """One that is added to these tables needs a stand-in first, or the rule behind it would be
    lost.
    """
    for table in MONTHLY:
        assert await unique_keys(table) - {"id"} == UNIQUE_OTHERWISE.get(table, set()), table


@pytest.mark.usefixtures("partitioned")
async def test_the_tables_are_divided_by_their_months(caller: Caller) -> None:
    for table, month_of in MONTHLY.items():
        kinds = {"before", f"{YEAR}_01", f"{YEAR}_02", f"{YEAR}_03", "unplanned"}
        assert await parts_of(table) == {f"{table}_{kind}" for kind in kinds}
        assert await unique_keys(table) == {f"id, {month_of}"}
    assert len(await parts_of("wallet_transfers")) == 16


@pytest.mark.usefixtures("partitioned")
async def test_columns_indexes_and_triggers_are_those_of_before(caller: Caller) -> None:
    rows = await db.fetch(
        """
        SELECT c.relname AS name, (SELECT array_agg(indexrelid::regclass::text) FROM pg_index
                                   WHERE indrelid = c.oid AND NOT indisvalid) AS broken,
               (SELECT count(*) FROM pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal) AS triggers
        FROM pg_class c WHERE c.relkind = 'p' AND c.relnamespace = current_schema()::text::regnamespace
        """
    )

    assert {row["name"] for row in rows} == {*MONTHLY, "wallet_transfers"}
    assert [row["name"] for row in rows if row["broken"]] == []
    assert {row["name"]: row["triggers"] for row in rows if row["triggers"]} == {
        "messages": 5,
        "webhook_events": 1,
    }


@pytest.mark.usefixtures("partitioned")
async def test_rows_from_before_are_where_they_were(caller: Caller) -> None:
    assert len(await sent_by(caller)) == 1


@pytest.mark.usefixtures("partitioned")
async def test_sends_reports_and_webhooks_go_on(http: GuardedClient, receiver: Receiver) -> None:
    await a_day_in_the_sandbox(http, receiver)


@pytest.mark.usefixtures("partitioned")
async def test_a_reply_is_still_stored_and_charged_once(provider: ScriptedProvider) -> None:
    await a_day_of_live_sends()


@pytest.mark.usefixtures("partitioned")
async def test_a_page_goes_on_from_one_month_to_the_next(caller: Caller) -> None:
    (oldest,) = await sent_by(caller)
    newer = [(await a_send(caller))["id"] for _ in range(3)]
    places = [
        await move_to(id, f"{YEAR}-{month:02}-15Z") for month, id in enumerate(newer, start=1)
    ]
    assert places == [f"messages_{YEAR}_01", f"messages_{YEAR}_02", f"messages_{YEAR}_03"]
    first = await sms.list_messages(caller, sms.SmsFilter.model_validate({"limit": 2}))
    rest = await sms.list_messages(
        caller, sms.SmsFilter.model_validate({"limit": 2, "cursor": first["nextCursor"]})
    )

    assert [item["id"] for item in first["items"] + rest["items"]] == [*reversed(newer), oldest]


@pytest.mark.usefixtures("partitioned")
async def test_a_month_that_nobody_planned_stops_no_send(caller: Caller) -> None:
    id = (await a_send(caller))["id"]

    assert await move_to(id, "2150-05-01Z") == "messages_unplanned"


@pytest.mark.usefixtures("partitioned")
async def test_the_same_charge_twice_is_refused_by_the_ledger(caller: Caller) -> None:
    with pytest.raises(asyncpg.UniqueViolationError):
        await db.execute(
            "INSERT INTO wallet_transfers (organization_id, env, origin, kind, source, target, coins, created_at) "
            "SELECT organization_id, env, origin, kind, source, target, coins, created_at FROM wallet_transfers LIMIT 1"
        )
