"""The types of the timeline: what core answers is what they show, in one document."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import strawberry
from graphql import get_named_type, graphql_sync, is_leaf_type
from strawberry.schema.config import StrawberryConfig

from core.read_models.timeline import Kind, read_timelines
from graphql_api.lookahead import field_kind_of
from graphql_api.resolvers import resolve_records
from graphql_api.scalars import SCALARS
from graphql_api.timeline.schema import ENTRIES, TimelineEntry
from tests.factories.cards import some_deals
from tests.factories.organizations import a_caller
from tests.factories.push import a_device, a_dispatch, drained
from tests.factories.stored_contacts import stored_contact
from tests.factories.timelines import stored_click, stored_consent, stored_deal, stored_event

AT = datetime(2026, 1, 20, 12, 0, tzinfo=UTC)


@strawberry.type
class Query:
    nodes: list[TimelineEntry]


scalars: Any = SCALARS
schema = strawberry.Schema(
    query=Query, types=ENTRIES, config=StrawberryConfig(scalar_map=scalars)
)._schema
resolve_records(schema)


def every_field(type: Any) -> str:
    return " ".join(
        name
        if is_leaf_type(inner := get_named_type(field.type))
        else f"{name} {{ {every_field(inner)} }}"
        for name, field in type.fields.items()
        if field_kind_of(field) is None  # what hangs beside an entry is not in it
    )


@pytest.mark.usefixtures("clean_slate")
async def test_one_document_shows_every_field_of_every_entry() -> None:
    caller = await a_caller()
    contact = await stored_contact(caller)
    await stored_click(caller, contact, AT)
    touch = {
        "messageId": "msg_1",
        "channel": "sms",
        "sentAt": "2026-01-20T10:30:00.000Z",
        "horasAteOEvento": 1.5,
    }
    await stored_event(caller, contact, AT, attribution=touch)
    await stored_consent(caller, contact, AT, channel="whatsapp")
    await stored_deal(await some_deals(caller), AT + timedelta(days=1), contact_id=contact)
    await a_device(caller, contactId=contact)
    await drained(caller, (await a_dispatch(caller))["id"])
    page = (await read_timelines(caller, [contact], first=10))[contact]
    selections = {type.__name__: every_field(schema.type_map[type.__name__]) for type in ENTRIES}
    document = " ".join(f"... on {name} {{ {fields} }}" for name, fields in selections.items())

    result = graphql_sync(
        schema, f"{{ nodes {{ __typename {document} }} }}", {"nodes": page["nodes"]}
    )

    assert result.errors is None
    assert result.data is not None
    for shown, record in zip(result.data["nodes"], page["nodes"], strict=True):
        assert (
            shown.keys() == record.keys()
        )  # no field that core does not fill, and none that nobody can ask for
        assert (shown["id"], shown["at"], shown["kind"]) == (
            record["id"],
            record["at"],
            str(record["kind"]).upper(),
        )
    assert {record["kind"] for record in page["nodes"]} == set(Kind)
