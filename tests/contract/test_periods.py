"""Times are kept to the microsecond and shown to the millisecond: a time that was shown names the
record it was shown for, at both ends of every filter that has both ends.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
from graphql import GraphQLInputObjectType, get_named_type

from core.foundation.clock import wire_time
from core.foundation.database import db
from graphql_api.schema import graphql_schema
from tests.contract.domains import BY_ADDRESS, ENDPOINTS, PAGES
from tests.contract.replay import ask
from tests.contract.table import Page
from tests.contract.world import World
from tests.rest_api.contract import resolved, the_closed_document
from tests.support.graphql import data_of

ENDS = (("from", "to"), ("since", "until"), ("de", "ate"))
"""How the two ends of a period are called."""

TIMES = ("at", "em", "occurredAt", "createdAt")
"""What a record calls the time by which it is listed: the first of these that it has."""

MILLISECOND = timedelta(milliseconds=1)

Count = Callable[[str, str], Awaitable[int]]
"""How many records a filter finds between two times."""


async def at_the_end_of_their_milliseconds() -> None:
    """Move all times of records as far from what is shown of them as they can be."""
    columns = await db.fetch(
        "SELECT table_name, column_name FROM information_schema.columns NATURAL JOIN information_schema.tables "
        "WHERE table_schema = current_schema AND table_type = 'BASE TABLE' AND data_type LIKE 'timestamp%' "
        "AND column_name IN ('at', 'created_at', 'occurred_at', 'last_interaction_at')"
    )
    for table, column in columns:
        moved = f"date_trunc('milliseconds', {column}) + interval '999 microseconds'"
        await db.execute(f"UPDATE {table} SET {column} = {moved} WHERE {column} IS NOT NULL")


async def it_is_found(shown: str, count: Count) -> None:
    """One record, by the time that was shown; none by the milliseconds beside it."""
    at = datetime.fromisoformat(shown)

    assert await count(shown, shown) == 1
    assert await count(wire_time(at + MILLISECOND), wire_time(at + MILLISECOND)) == 0
    assert await count(wire_time(at - MILLISECOND), wire_time(at - MILLISECOND)) == 0


# REST ---------------------------------------------------------------------------------------------

LISTS = [
    page for page in PAGES if {"from", "to"} <= BY_ADDRESS[page.address].parameter_names.keys()
]


@pytest.mark.parametrize("page", LISTS, ids=lambda page: page.address)
async def test_a_list_finds_a_record_by_the_time_it_shows(
    rest: httpx.AsyncClient, page: Page
) -> None:
    endpoint = BY_ADDRESS[page.address]
    world = await World.open(endpoint.env)
    credential = await world.credential(endpoint.by)
    query = {**await world.fill(endpoint.query), **page.query}
    await page.fill(world, 1)
    await at_the_end_of_their_milliseconds()

    async def items(**more: str) -> list[dict[str, Any]]:
        answer = await ask(rest, world, endpoint, credential, query={**query, **more})
        assert answer.status_code == 200, answer.text
        return list(answer.json()["items"])

    async def count(since: str, until: str) -> int:
        return (await items(**{"from": since, "to": until})).count(record)

    record = (await items())[0]
    await it_is_found(next(record[name] for name in TIMES if name in record), count)


async def a_replay(
    rest: httpx.AsyncClient, world: World, credential: dict[str, str]
) -> tuple[str, Count]:
    await world.record("delivery")
    webhook = await db.fetchval("SELECT subscription_id FROM webhook_deliveries")
    await db.execute("UPDATE webhook_deliveries SET status = 'entregue', due_at = NULL")
    await at_the_end_of_their_milliseconds()
    (listed,) = (await rest.get(f"/webhooks/{webhook}/deliveries", headers=credential)).json()[
        "items"
    ]

    async def count(since: str, until: str) -> int:
        body = {"from": since, "to": until}
        answer = await rest.post(f"/webhooks/{webhook}/replay", json=body, headers=credential)
        return int(answer.json()["requested"])

    return listed["createdAt"], count


async def a_resend(
    rest: httpx.AsyncClient, world: World, credential: dict[str, str]
) -> tuple[str, Count]:
    id = await world.record("failed message")
    await db.execute("DELETE FROM messages WHERE id <> $1", id)
    await at_the_end_of_their_milliseconds()

    async def count(since: str, until: str) -> int:
        body = {"filtro": {"from": since, "to": until}, "simular": True}
        answer = await rest.post("/messages/bulk-resend", json=body, headers=credential)
        return int(answer.json()["reenviadas"])

    return (await rest.get(f"/messages/{id}", headers=credential)).json()["createdAt"], count


async def a_summary(
    rest: httpx.AsyncClient, world: World, credential: dict[str, str]
) -> tuple[str, Count]:
    id = await world.record("card")
    await at_the_end_of_their_milliseconds()
    card = (await rest.get(f"/cards/{id}", headers=credential)).json()

    async def count(since: str, until: str) -> int:
        period = {"de": since, "ate": until}
        answer = await rest.get(
            f"/pipelines/{card['pipelineId']}/resumo", params=period, headers=credential
        )
        assert answer.json()["periodo"] == period
        return int(answer.json()["totais"]["abertos"])

    return card["createdAt"], count


async def a_cost(
    rest: httpx.AsyncClient, world: World, credential: dict[str, str]
) -> tuple[str, Count]:
    message = await world.record("sms")
    at = await db.fetchval(COST, message)

    async def count(since: str, until: str) -> int:
        period = {"from": since, "to": until}
        answer = await rest.get("/v2/statistics/provider-costs", params=period, headers=credential)
        return sum(item["messages"] for item in answer.json()["items"])

    return wire_time(at), count


COST = """
INSERT INTO provider_costs (message_id, organization_id, env, provider, route, parts, segments, coins, currency,
                            amount, fee, at)
SELECT id, organization_id, env, 'cloud-eum', route, 1, 1, coins, 'USD', 0.01, 0,
       date_trunc('milliseconds', created_at) + interval '999 microseconds' FROM messages WHERE id = $1
RETURNING at
"""

OTHERS = {
    "GET /v2/statistics/provider-costs": a_cost,
    "POST /webhooks/{id}/replay": a_replay,
    "POST /messages/bulk-resend": a_resend,
    "GET /pipelines/{id}/resumo": a_summary,
}


@pytest.mark.parametrize("address", OTHERS)
async def test_what_works_on_a_period_takes_the_time_that_was_shown(
    rest: httpx.AsyncClient, address: str
) -> None:
    world = await World.open()

    await it_is_found(*await OTHERS[address](rest, world, await world.key()))


def names_within(schema: dict[str, Any]) -> Iterator[set[str]]:
    """The names of fields that stand together, in a body and in what it holds."""
    waiting, seen = [schema], set()
    while waiting:
        schema = waiting.pop()
        if (shape := schema.get("$ref")) is not None and shape in seen:
            continue
        seen.add(shape)
        schema = resolved(schema)
        fields = schema.get("properties", {})
        yield set(fields)
        waiting += [
            *fields.values(),
            *schema.get("anyOf", ()),
            *([schema["items"]] if "items" in schema else []),
        ]


def has_a_period(address: str) -> bool:
    told = the_closed_document()["paths"][BY_ADDRESS[address].path][
        BY_ADDRESS[address].method.lower()
    ]
    together = [{one["name"] for one in told["parameters"] if one["in"] == "query"}]
    for content in told.get("requestBody", {}).get("content", {}).values():
        together += names_within(content["schema"])
    return any(set(ends) <= names for ends in ENDS for names in together)


def test_every_period_of_rest_is_tried() -> None:
    told = {endpoint.address for endpoint in ENDPOINTS if has_a_period(endpoint.address)}

    # Their `from` and `to` are addresses.
    told -= {"POST /v2/email/messages", "POST /v2/decisions/explicar"}
    assert told == {page.address for page in LISTS} | OTHERS.keys(), "add how it is tried to OTHERS"


# GraphQL ------------------------------------------------------------------------------------------

OF_A_SEND = "kind: RESERVA, since: $since, until: $until"

FILTERS = {
    "ContactFilter.createdAt": ("contact", "contacts(PAGE) { nodes { createdAt } }"),
    "ContactFilter.lastInteraction": ("contact", "contacts(PAGE) { nodes { lastInteractionAt } }"),
    "CompanyFilter.createdAt": ("company", "companies(PAGE) { nodes { createdAt } }"),
    "MessageFilter.createdAt": ("sms", "messages(PAGE) { nodes { createdAt } }"),
    "CustomerEventFilter.occurredAt": (
        "GET /v2/events",
        "customerEvents(PAGE) { nodes { occurredAt } }",
    ),
    "PushFilter.createdAt": ("push", "pushMessages(PAGE) { nodes { createdAt } }"),
    "AuditFilter": ("GET /v2/audit", "auditEntries(PAGE) { nodes { at } }"),
    "WalletTransferFilter": (
        "queued sms",
        f"walletTransfers(first: 9, filter: {{{OF_A_SEND}}}) {{ nodes {{ createdAt }} }}",
    ),
    "WebhookDeliveryFilter": (
        "delivery",
        "webhooks(first: 9) { nodes { deliveries(PAGE) { nodes { createdAt } } } }",
    ),
}
"""By the input that holds the period: which record is made, and what reads it by its time."""

ALSO_OVER_REST = {"DecisionsInput", "ReplayWebhookDeliveriesInput", "ResendFilterInput"}
"""Bodies that both entry points read with one model."""


def times_in(value: Any) -> Iterator[str]:
    """All texts of an answer: times are the only fields that are asked for."""
    match value:
        case str():
            yield value
        case Mapping() | list():
            for inner in value.values() if isinstance(value, Mapping) else value:
                yield from times_in(inner)


@pytest.mark.parametrize("filter", FILTERS)
async def test_the_gateway_finds_a_record_by_the_time_it_shows(
    clean_slate: None, filter: str
) -> None:
    made, reads = FILTERS[filter]
    field = filter.partition(".")[2]
    asked = (
        f"{{{field}: {{from: $since, to: $until}}}}" if field else "{since: $since, until: $until}"
    )
    query = f"query ($since: DateTime, $until: DateTime) {{ {reads} }}".replace(
        "PAGE", f"first: 9, filter: {asked}"
    )
    world = await World.open()
    if made in BY_ADDRESS:
        await next(page for page in PAGES if page.address == made).fill(world, 1)
    else:
        await world.record(made)
    await db.execute("UPDATE contacts SET last_interaction_at = updated_at")
    await at_the_end_of_their_milliseconds()

    async def times(since: str | None, until: str | None) -> list[str]:
        return list(times_in(await data_of(world.caller, query, since=since, until=until)))

    async def count(since: str, until: str) -> int:
        return len(await times(since, until))

    (shown,) = await times(None, None)
    await it_is_found(shown, count)


def test_every_period_of_the_gateway_is_tried() -> None:
    told = set()
    for name, type in graphql_schema.type_map.items():
        if not isinstance(type, GraphQLInputObjectType) or name == "Period":
            continue
        fields = {field: get_named_type(inner.type).name for field, inner in type.fields.items()}
        told |= {f"{name}.{field}" for field, inner in fields.items() if inner == "Period"}
        if any([fields.get(end) for end in ends] == ["DateTime"] * 2 for ends in ENDS):
            told.add(name)

    assert told == FILTERS.keys() | ALSO_OVER_REST, "add how it is tried to FILTERS"
