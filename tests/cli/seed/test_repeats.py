"""A seed writes the same every time, never twice, and goes on where it was interrupted."""

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from cli.seed.errors import NothingSold, SeededOtherwise, VolumeMoved
from cli.seed.organization import SeedRequest, seed_organization
from cli.seed.run import Tell
from core import organizations, wallet
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import ValidationFailed
from core.foundation.security.caller import Caller, Env, system_caller
from tests.factories.organizations import a_caller
from tests.factories.seeding import AS_OF, a_seed
from tests.support.ledger import balances, check_books

pytestmark = pytest.mark.usefixtures("clean_slate")

ORDER = {
    "contacts": "created_at, phone",
    "contact_consents": "at, created_at, status, ip",
    "contact_denials": "denied_at",
    "contact_lists": "created_at",
    "contact_list_members": "id",
    "companies": "created_at",
    "messages": "created_at, recipient",
    "numbers": "phone",
    "instagram_accounts": "username",
    "templates": "name",
    "conversation_pairs": "last_inbound_at",
    "wallet_transfers": "id",
    "short_links": "created_at, clicks, bot_clicks",
    "customer_events": "event_id",
    "pipelines": "position",
    "pipeline_stages": "position, name",
    "lost_reasons": "position, text",
    "cards": "created_at",
    "card_contacts": "id",
    "card_history": "at",
    "card_activities": "created_at",
    "segments": "created_at",
    "journeys": "created_at",
    "journey_runs": "entered_at, step_at",
    "journey_step_counts": "step, kind, reason",
}
TABLES = tuple(ORDER)
# Numbers of the database, hashes and ciphers belong to one organization; ids and what is made of
# them, too.
OWN = {
    "id", "organization_id", "env", "identity", "contact_id", "in_reply_to", "provider", "provider_reference", "origin",
    "cpf_cipher", "cnpj_cipher", "birth_date_cipher", "created_by_id", "list_id", "owner_id", "main_contact_id",
    "company_id", "message_id", "code", "attribution", "pipeline_id", "stage_id", "closed_by_id", "lost_reason_id",
    "number_id", "instagram_account_id", "template_id", "sent_by_account_id", "sender_id", "phone_number_id", "waba_id",
    "instagram_id", "card_id", "from_stage_id", "to_stage_id", "by_id", "filter_tree", "size_at", "version_id", "lineage_id",
}  # fmt: skip
DRAWN_ANEW = {
    "contacts": {"cpf_cipher", "cnpj_cipher", "birth_date_cipher"},
    "segments": {"size_at"},
} | {
    table: {"id"}
    for table in (
        "contact_consents",
        "contact_denials",
        "contact_list_members",
        "card_contacts",
        "conversation_pairs",
        "journey_step_counts",
    )
}
"""What differs although the seed and the owner are the same; of wallet_transfers, the number too.
"""
ALL: dict[str, Any] = {"contacts": 150, "companies": 20, "messages": 1_000, "deals": 60}
SMALL = 250


async def stored(
    caller: Caller, *, without: Collection[str] = frozenset()
) -> dict[str, list[dict[str, Any]]]:
    """What a seed wrote for the caller, by table; the opening of the wallet left out."""
    return {
        table: [
            {name: value for name, value in row.items() if name not in without}
            for row in await db.fetch(
                f"SELECT * FROM {table} WHERE organization_id = $1 AND env = $2 ORDER BY {ORDER[table]}",
                caller.organization_id,
                caller.env,
            )
            if table != "wallet_transfers" or row["created_at"] < AS_OF
        ]
        for table in TABLES
    }


def without_ids(tables: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """The same without what belongs to one owner."""
    shown = {table: [dict(row) for row in rows] for table, rows in tables.items()}
    for rows in shown.values():
        for row in rows:
            for name in OWN & row.keys():
                row[name] = row[name] is not None
            if row.get("provider_receipt"):
                row["provider_receipt"] = {**row["provider_receipt"], "id": "", "reference": ""}
    return shown


async def test_two_organizations_get_the_same_under_other_ids() -> None:
    one, other = await a_caller(), await a_caller()
    for caller in (one, other):
        await a_seed(caller, **ALL)

    first, second = await stored(one), await stored(other)

    assert without_ids(first) == without_ids(second)
    for table in TABLES:
        key = "code" if table == "short_links" else "id"
        assert not {row[key] for row in first[table]} & {row[key] for row in second[table]}


async def test_the_same_seed_gives_the_same_ids() -> None:
    caller = await a_caller()
    anew = {**DRAWN_ANEW, "wallet_transfers": {"id"}}

    async def the_data() -> dict[str, Any]:
        data = await stored(caller)
        return {
            table: [
                {n: value for n, value in row.items() if n not in anew.get(table, ())}
                for row in rows
            ]
            for table, rows in data.items()
        }

    await a_seed(caller, **ALL)
    first = await the_data()
    for table in (*TABLES, "journey_trail", "audit_entries"):
        await db.execute(f"DELETE FROM {table}")
    await a_seed(caller, **ALL)

    assert all(first.values())
    assert await the_data() == first


async def test_environments_do_not_meet() -> None:
    one = await a_caller("test")
    other = await a_caller("live", organization_id=one.organization_id)
    for caller in (one, other):
        await a_seed(caller, contacts=50, messages=200)

    first, second = await stored(one), await stored(other)
    for table in ("contacts", "messages"):
        assert len(first[table]) >= 50
        assert not {row["id"] for row in first[table]} & {row["id"] for row in second[table]}


async def test_asking_again_writes_nothing() -> None:
    caller = await a_caller()
    await a_seed(caller, **ALL)
    before, money = await stored(caller), await balances((caller.organization_id, "test"))

    again = await a_seed(caller, **ALL)

    assert not any(value for name, value in again.items() if name not in ("seed", "asOf", "days"))
    assert await stored(caller) == before
    assert await balances((caller.organization_id, "test")) == money


async def test_another_seed_is_another_set() -> None:
    caller = await a_caller()
    first = await a_seed(caller, contacts=100, messages=300)
    second = await a_seed(caller, contacts=100, messages=300, seed=2)

    assert (first["contacts"], second["contacts"]) == (100, 100)
    rows = await stored(caller)
    assert (len(rows["contacts"]), len({row["phone"] for row in rows["contacts"]})) == (200, 200)
    assert len({row["name"] for row in rows["contacts"]}) > 150
    assert len([row for row in rows["messages"] if row["channel"] == "sms"]) == (
        600 + first["replies"] + second["replies"]
    )
    assert len(rows["numbers"]) == len({row["phone"] for row in rows["numbers"]}) == 4


async def test_without_a_date_it_ends_with_yesterday() -> None:
    answer = await seed_organization(await a_caller(), SeedRequest({"messages": 10}))

    today = now().replace(hour=0, minute=0, second=0, microsecond=0)
    assert datetime.fromisoformat(answer["asOf"]) in (
        today,
        today - timedelta(days=1),
    )  # it may just be midnight


async def test_a_run_of_a_later_day_keeps_the_first_ones_date() -> None:
    caller = await a_caller()
    await a_seed(caller, messages=10)

    later = await seed_organization(caller, SeedRequest({"contacts": 5, "messages": 10}))

    assert (later["asOf"], later["contacts"], later["messages"]) == (
        "2025-07-01T00:00:00.000Z",
        5,
        0,
    )


@pytest.mark.parametrize(
    "changes",
    [{"messages": 501}, {"messages": 499}, {"as_of": AS_OF - timedelta(days=1)}, {"days": 30}],
)
async def test_a_seed_that_was_asked_for_something_else_is_refused(changes: dict[str, Any]) -> None:
    caller = await a_caller()
    await a_seed(caller, messages=500)
    before = await stored(caller)

    with pytest.raises(SeededOtherwise, match="500 messages"):
        await a_seed(caller, **{"messages": 500, "contacts": 10, **changes})

    assert await stored(caller) == before
    assert await db.fetchval("SELECT count(*) FROM audit_entries WHERE action = 'data.seeded'") == 5


async def test_nobody_seeds_for_an_organization_that_is_not_there() -> None:
    with pytest.raises(organizations.NoSuchOrganization):
        await a_seed(system_caller("org_of_nobody", "test"))

    assert await db.fetchval("SELECT count(*) FROM messages") == 0
    assert await db.fetchval("SELECT count(*) FROM audit_entries") == 0


async def test_nothing_happens_in_the_future() -> None:
    caller = await a_caller()

    with pytest.raises(ValidationFailed):
        await a_seed(caller, as_of=datetime.now(UTC) + timedelta(days=1))

    assert (await stored(caller))["messages"] == []


class Interrupted(Exception):
    """Somebody pressed Ctrl-C."""


def interrupt_at(part: str, done: int) -> Tell:
    def tell(name: str, so_far: int, total: int) -> None:
        if (name, so_far) == (part, done):
            raise Interrupted

    return tell


@pytest.mark.parametrize("env", ["test", "live"])
async def test_what_was_interrupted_goes_on_where_it_stopped(
    env: Env, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.seed.run.CHUNK", SMALL)
    caller, undisturbed = await a_caller(env), await a_caller(env)
    request: dict[str, Any] = {
        "contacts": 2 * SMALL,
        "companies": 30,
        "messages": 4 * SMALL,
        "deals": 2 * SMALL,
    }
    await a_seed(undisturbed, **request)

    stops = (
        ("contacts", SMALL),
        ("lists", 0),
        ("companies", 30),
        ("messages", 0),
        ("messages", 2 * SMALL),
    )
    for part, done in (*stops, ("deals", SMALL), ("segments", 0)):
        with pytest.raises(Interrupted):
            await a_seed(caller, **request, tell=interrupt_at(part, done))
        await check_books()
        if (part, done) == ("messages", 2 * SMALL):
            half = await stored(caller)
    rest = await a_seed(caller, **request)

    assert len([row for row in half["messages"] if row["direction"] == "outbound"]) == 2 * SMALL
    assert (rest["contacts"], rest["messages"], rest["deals"], rest["segments"]) == (0, 0, 0, 8)
    assert without_ids(await stored(caller)) == without_ids(await stored(undisturbed))
    await check_books()


async def test_progress_is_told_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.seed.run.CHUNK", SMALL)
    told: list[tuple[str, int, int]] = []

    await a_seed(
        await a_caller(), contacts=300, messages=600, tell=lambda *words: told.append(words)
    )

    assert told == [
        *(("contacts", done, 300) for done in (0, 250, 300)),
        *(("lists", done, 8) for done in (0, 8)),
        *(("messages", done, 600) for done in (0, 250, 500, 600)),
        *(("numbers", done, 2) for done in (0, 2)),
        *(("templates", done, 5) for done in (0, 5)),
        *(("conversations", done, 60) for done in (0, 60)),
        *(("events", done, 15) for done in (0, 15)),
        *(("segments", done, 8) for done in (0, 8)),
        *(("journeys", done, 2) for done in (0, 2)),
    ]


async def test_live_prices_are_never_those_of_an_older_volume(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cli.seed.run.CHUNK", SMALL)
    caller = await a_caller("live")
    add = wallet.add_volume

    async def add_and_more(segments: dict[Any, int], *, at: datetime) -> None:
        await add(segments, at=at)
        await add({(caller.organization_id, "premium"): 1}, at=at)  # somebody sends meanwhile

    monkeypatch.setattr(wallet, "add_volume", add_and_more)
    with pytest.raises(VolumeMoved):
        await a_seed(caller, messages=3 * SMALL)
    monkeypatch.setattr(wallet, "add_volume", add)
    answer = await a_seed(caller, messages=3 * SMALL)

    assert answer["messages"] == 2 * SMALL
    await check_books()


async def test_who_sells_no_sms_has_sent_none() -> None:
    caller = await a_caller()
    await wallet.set_prices(
        caller.organization_id, {"sms": {"la_dedicada": [{"fromSegment": 1, "coins": 1}]}}
    )

    with pytest.raises(NothingSold):
        await a_seed(caller, messages=10)

    assert (await stored(caller))["messages"] == []
