"""Resolvers by kind of field; values are records: dicts by wire name, with relations in slots."""

from collections.abc import Callable
from typing import Any

from graphql import GraphQLInterfaceType, GraphQLObjectType, GraphQLResolveInfo, GraphQLSchema

from core.read_models.query_compiler import read_all, read_page, read_record, slot_of
from graphql_api.connections import (
    AnyNodeField,
    ConnectionField,
    ListField,
    NodeField,
    RelationField,
)
from graphql_api.context import caller_of
from graphql_api.lookahead import field_kind_of, page_under, selection_under
from graphql_api.mutations import MutationField, PayloadField, mutation_resolver, payload_resolver

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
                if (kind := field_kind_of(field)) is not None:
                    field.resolve = READERS[kind.__class__](kind)
                elif definition is not None and definition.is_basic_field:
                    field.resolve = _from_record(name)


def _type_of(record: dict[str, Any], *_: Any) -> str:
    name: str = record["__typename"]
    return name


def _from_record(name: str) -> Resolve:
    def resolve(record: dict[str, Any], _: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
        return record.get(name)

    return resolve


def _from_slot(kind: RelationField) -> Resolve:
    def resolve(record: dict[str, Any], _: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
        return record[slot_of(kind.relation, arguments)]

    return resolve


def _one(kind: NodeField) -> Resolve:
    async def resolve(_: Any, info: GraphQLResolveInfo[Any], *, id: str) -> Any:
        return await read_record(caller_of(info), kind.entity, id, selection_under(info))

    return resolve


def _node(kind: AnyNodeField) -> Resolve:
    async def resolve(_: Any, info: GraphQLResolveInfo[Any], *, id: str) -> Any:
        entity = kind.kinds.get(id.partition("_")[0])
        if entity is None:
            return None
        return await read_record(caller_of(info), entity, id, selection_under(info, entity.name))

    return resolve


def _page(kind: ConnectionField) -> Resolve:
    async def resolve(_: Any, info: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
        return await read_page(caller_of(info), kind.entity, arguments, *page_under(info))

    return resolve


def _all(kind: ListField) -> Resolve:
    async def resolve(_: Any, info: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
        return await read_all(caller_of(info), kind.relation(arguments), selection_under(info))

    return resolve


READERS: dict[type, Callable[[Any], Resolve]] = {
    RelationField: _from_slot,
    NodeField: _one,
    AnyNodeField: _node,
    ConnectionField: _page,
    ListField: _all,
    MutationField: mutation_resolver,
    PayloadField: payload_resolver,
}
"""What makes the resolver of a field, by how it is read."""
