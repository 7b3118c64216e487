"""Seeded lists and segments hold whom they say."""

from typing import Any

import pytest

from core import lists, segments
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.lists import NewList
from tests.factories.organizations import a_caller
from tests.factories.seeding import AS_OF, a_seed

pytestmark = pytest.mark.usefixtures("clean_slate")

MANY = 500

MEMBERS = """
SELECT l.name, l.size, l.created_at AS since, m.created_at AS at, c.tags, c.attributes, c.created_at
FROM contact_lists l LEFT JOIN contact_list_members m ON m.list_id = l.id LEFT JOIN contacts c ON c.id = m.contact_id
WHERE l.organization_id = $1
"""


@pytest.fixture(scope="module")
async def caller(slate_of_the_file: None) -> Caller:
    """Of an organization with a bit of everything."""
    caller = await a_caller()
    answer = await a_seed(caller, contacts=MANY, companies=40, messages=4_000)
    assert (answer["lists"], answer["segments"]) == (8, 8)
    assert answer["listMembers"] == await db.fetchval("SELECT count(*) FROM contact_list_members")
    return caller


async def test_the_size_of_a_list_is_that_of_its_members(caller: Caller) -> None:
    by_list: dict[str, list[Any]] = {}
    for row in await db.fetch(MEMBERS, caller.organization_id):
        by_list.setdefault(row["name"], []).append(row)

    assert all(
        rows[0]["size"] == len([row for row in rows if row["at"]]) > 0 for rows in by_list.values()
    )
    for rows in by_list.values():
        assert all(row["at"] == max(row["since"], row["created_at"]) < AS_OF for row in rows)
    assert all("vip" in row["tags"] for row in by_list["Clientes VIP"])
    assert {row["attributes"]["uf"] for row in by_list["São Paulo"]} == {"SP"}


async def test_everybody_with_the_tag_is_on_the_list(caller: Caller) -> None:
    tagged = await db.fetchval("SELECT count(*) FROM contacts WHERE 'vip' = ANY (tags)")

    assert await db.fetchval("SELECT size FROM contact_lists WHERE name = 'Clientes VIP'") == tagged


async def test_a_list_of_that_name_stays_as_it_is() -> None:
    caller = await a_caller()
    mine = await lists.create_list(caller, NewList(name="Clientes VIP"))

    await a_seed(caller, contacts=50)

    rows = await db.fetch(
        "SELECT id, name, size FROM contact_lists WHERE name LIKE 'Clientes VIP%' AND organization_id = $1 "
        "ORDER BY name",
        caller.organization_id,
    )
    assert [(row["name"], row["id"] == mine["id"]) for row in rows] == [
        ("Clientes VIP", True),
        ("Clientes VIP 2", False),
    ]
    assert rows[0]["size"] == 0


async def test_a_segment_has_the_size_that_its_filter_finds(caller: Caller) -> None:
    page = await segments.list_segments(caller, segments.SegmentFilter())

    sizes = {}
    for segment in page["items"]:
        tree = {key: segment[key] for key in ("filters", "filterTree") if segment.get(key)}
        assert len(tree) == 1
        found = await segments.preview(caller, segments.Filter.model_validate(tree))
        assert segment["size"] == found["count"]
        assert segment["sizeAt"]
        sizes[segment["name"]] = segment["size"]
    assert all(0 < size < MANY for name, size in sizes.items() if name != "Clientes ativos")
    assert sizes["Alto valor que aceita mensagens"] < sizes["Alto valor"]


async def test_segments_use_every_kind_of_node_and_most_fields(caller: Caller) -> None:
    text = " ".join(
        f"{row['filters']} {row['filter_tree']}"
        for row in await db.fetch("SELECT filters, filter_tree FROM segments")
    )

    for word in ("'and'", "'or'", "'not'", "'leaf'", "optIn", "tag", "lastInteraction", "attribute.", "list", "event",
                 "clicked", "company", "segment"):  # fmt: skip
        assert word in text
