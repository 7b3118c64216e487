"""Resolvers of a schema whose values are records: plain dicts by wire name, with what was read
ahead in its slots.
"""

from collections.abc import Callable
from typing import Any

from graphql import GraphQLInterfaceType, GraphQLObjectType, GraphQLResolveInfo, GraphQLSchema

from core.dashboards.reading import read_all, read_page, read_record, slot_of
from graphql_api.connections import Hangs, ReadsAll, ReadsNode, ReadsOne, ReadsPage
from graphql_api.context import caller_of
from graphql_api.lookahead import asked_under, how_of, page_under
from graphql_api.mutations import Does, Shows, doing, showing

Resolve = Callable[..., Any]


def resolve_records(schema: GraphQLSchema) -> None:
    """Give every field of the schema that has no resolver of its own the one of its kind."""
    for type in schema.type_map.values():
        if type.name.startswith("__"):
            continue
        if isinstance(type, GraphQLInterfaceType):
            type.resolve_type = _type_of
        if isinstance(type, GraphQLObjectType):
            type.is_type_of = None  # the record says what it is
            for name, field in type.fields.items():
                definition = field.extensions.get("strawberry-definition")
                if (how := how_of(field)) is not None:
                    field.resolve = READERS[how.__class__](how)
                elif definition is not None and definition.is_basic_field:
                    field.resolve = _from_record(name)


def _type_of(record: dict[str, Any], *_: Any) -> str:
    name: str = record["__typename"]
    return name


def _from_record(name: str) -> Resolve:
    def resolve(record: dict[str, Any], _: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
        return record.get(name)

    return resolve


def _from_slot(how: Hangs) -> Resolve:
    def resolve(record: dict[str, Any], _: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
        return record[slot_of(how.edge, arguments)]

    return resolve


def _one(how: ReadsOne) -> Resolve:
    async def resolve(_: Any, info: GraphQLResolveInfo[Any], *, id: str) -> Any:
        return await read_record(caller_of(info), how.entity, id, asked_under(info))

    return resolve


def _node(how: ReadsNode) -> Resolve:
    async def resolve(_: Any, info: GraphQLResolveInfo[Any], *, id: str) -> Any:
        entity = how.kinds.get(id.partition("_")[0])
        if entity is None:
            return None
        return await read_record(caller_of(info), entity, id, asked_under(info, entity.name))

    return resolve


def _page(how: ReadsPage) -> Resolve:
    async def resolve(_: Any, info: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
        return await read_page(caller_of(info), how.entity, arguments, *page_under(info))

    return resolve


def _all(how: ReadsAll) -> Resolve:
    async def resolve(_: Any, info: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
        return await read_all(caller_of(info), how.edge(arguments), asked_under(info))

    return resolve


READERS: dict[type, Callable[[Any], Resolve]] = {
    Hangs: _from_slot,
    ReadsOne: _one,
    ReadsNode: _node,
    ReadsPage: _page,
    ReadsAll: _all,
    Does: doing,
    Shows: showing,
}
"""What makes the resolver of a field, by how it is read."""
