"""Mutation fields: the use case's model reads the input, its answer is read as a query reads it."""

import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
from dataclasses import KW_ONLY, dataclass, replace
from typing import Annotated, Any, TypeVar

import strawberry
from graphql import GraphQLResolveInfo

from core.foundation.database.dry_runs import dry_step
from core.foundation.database.heavy_work import heavy_work
from core.foundation.database.where import Where
from core.foundation.errors import BadRequest, NotFound, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import Entity, Selection, read_record
from graphql_api.connections import field_of
from graphql_api.context import caller_of
from graphql_api.inputs import Model, input_of, read_input
from graphql_api.lookahead import selection_under

UseCase = Callable[..., Awaitable[Any]]
Record = dict[str, Any]
FieldsClass = TypeVar("FieldsClass", bound=type)


@strawberry.type(description="What is gone.")
class Deleted:
    id: strawberry.ID = strawberry.field(description="The id that it had")


@dataclass(frozen=True, slots=True)
class MutationField:
    """How a field runs a use case of core.

    The use case takes the caller, an id for each of `ids`, and what `takes` reads of the argument
    `input`, which may be left out where it is `optional`; a `keyed` one takes an
    `idempotency_key`. Its `scope` is asked for before the input is looked at. The answer is the
    record of `answers` that the use case tells the id of, else what it tells. Where REST lists no
    422, a wrong value is a BAD_REQUEST: not `strict`. A `heavy` one reads or writes much, and
    shares the places that its organization has for that. Whoever may change a record is shown it
    without the scope to read such records; what the use case `tells` is not read. `of`: what `id`
    names, where neither what it answers nor the field's own name says so.
    """

    use_case: UseCase
    takes: Model | None
    _: KW_ONLY
    scope: Scope | None
    answers: Entity | type[Deleted] | None = None
    ids: tuple[str, ...] = ()
    optional: bool = False
    keyed: bool = False
    strict: bool = True
    heavy: bool = False
    tells: tuple[str, ...] = ()
    of: str | None = None
    description: str


@dataclass(frozen=True, slots=True)
class PayloadField:
    """How a field of an answer shows the record that the answer tells the id of.

    `told`: the use case tells the record too, so that no scope is needed to see it.
    """

    entity: Entity
    id_of: Callable[[Record], str | None]
    told: bool


def mutation_field(use_case: UseCase, takes: Model | None = None, **options: Any) -> Any:
    """A field that runs a use case; see `MutationField`."""
    return MutationField(use_case, takes, **options)


def payload_field(
    entity: Entity,
    id_of: Callable[[Record], str | None],
    *,
    told: bool = False,
    description: str | None = None,
) -> Any:
    """A field of an answer: the whole record behind it, with its relations, or null where it tells no
    id; see `PayloadField`.
    """
    return field_of(PayloadField(entity, id_of, told), {}, description)


def mutation_type(fields_class: FieldsClass) -> FieldsClass:
    """The type of the fields that a class declares with `mutation_field`. An input is named after
    its field.
    """
    for name, field in list(vars(fields_class).items()):
        if isinstance(field, MutationField):
            made = field_of(field, _arguments(name, field), _description(field))
            setattr(fields_class, name, made)
    return strawberry.type(fields_class)


def _arguments(name: str, field: MutationField) -> dict[str, Any]:
    arguments = {
        id: _described(strawberry.ID, description=f"The id of the {_named_by(id, name, field)}")
        for id in field.ids
    }
    if field.takes is not None:
        input = input_of(field.takes, name.title().replace("_", "") + "Input")
        optional = "; left out, its defaults hold" if field.optional else ""
        arguments["input"] = _described(
            input | None if field.optional else input,
            description=f"{_first_sentence(field.takes)}{optional}",
        )
    if field.keyed:
        arguments["idempotency_key"] = _described(str, description=KEY)
    return arguments


KEY = (
    "1 to 255 printable ASCII characters, drawn anew for each new request; the same one repeats it"
)


def _named_by(id: str, name: str, field: MutationField) -> str:
    """What an argument names: `stageId` a stage, `id` what is answered or what the field is about."""
    if id != "id":
        words = re.sub(r"_|(?=[A-Z])", " ", id).lower().removesuffix("id")
    elif field.of is not None:
        words = field.of
    elif isinstance(field.answers, Entity):
        words = re.sub(r"\B(?=[A-Z][a-z])", " ", field.answers.name).lower()
    else:
        words = name.partition("_")[2].replace("_", " ")
    return re.sub(r"\b(api|smpp)\b", lambda found: found[0].upper(), words.strip())


def _first_sentence(model: Model) -> str:
    return " ".join((model.__doc__ or "").split()).partition(". ")[0].rstrip(".")


def _described(type: Any, *, description: str) -> Any:
    return Annotated[type, strawberry.argument(description=description)]


def _description(field: MutationField) -> str:
    needed = f" Needs {field.scope.value}." if field.scope is not None else ""
    return f"{field.description}{needed}"


def mutation_resolver(field: MutationField) -> Callable[..., Awaitable[Any]]:
    """The resolver of a field that runs a use case."""
    entity = _visible_to_writer(field.answers) if isinstance(field.answers, Entity) else None

    async def resolve(_: Any, info: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
        caller = caller_of(info)
        if field.scope is not None:
            caller.require(field.scope)
        ids = _ids(field, arguments)
        told = await _run(field, caller, ids, arguments)
        if field.answers is Deleted:
            return {"id": ids[-1]}
        if entity is None:
            return told
        return await _shown(info, entity, told, field.tells)

    return resolve


def _ids(field: MutationField, arguments: Record) -> list[str]:
    """The ids among the arguments. Raises NotFound for one that no row can have."""
    ids = [arguments[name] for name in field.ids]
    if any("\x00" in id for id in ids):
        raise NotFound
    return ids


async def _run(field: MutationField, caller: Caller, ids: list[str], arguments: Record) -> Any:
    """What the use case tells. Raises its refusals."""
    keys = {"idempotency_key": arguments["idempotencyKey"]} if field.keyed else {}
    try:
        inputs = _inputs(field, arguments)
        async with dry_step(), heavy_work(caller) if field.heavy else nullcontext():
            return await field.use_case(caller, *ids, *inputs, **keys)
    except ValidationFailed as wrong:
        if field.strict:
            raise
        raise BadRequest(wrong.detail, meta=wrong.meta, errors=wrong.errors) from None


def _inputs(field: MutationField, arguments: Record) -> list[Any]:
    """The argument `input` as the use case's model, where it takes one."""
    if field.takes is None:
        return []
    return [read_input(field.takes, arguments.get("input") or {})]


def payload_resolver(field: PayloadField) -> Callable[..., Awaitable[Any]]:
    """The resolver of a field that shows a record of an answer."""
    entity = _visible_to_writer(field.entity) if field.told else field.entity

    async def resolve(record: Record, info: GraphQLResolveInfo[Any]) -> Any:
        id = field.id_of(record)
        return None if id is None else await _shown(info, entity, {"id": id})

    return resolve


async def _shown(
    info: GraphQLResolveInfo[Any], entity: Entity, told: Record, tells: Sequence[str] = ()
) -> Record | None:
    """The record that a use case tells of, as selected; what the use case alone `tells` is not
    read.
    """
    selection = selection_under(info)
    if not selection.relations and all(
        name in told and entity.fields[name].told for name in selection.fields
    ):
        return told  # the use case has told it all
    if tells:  # a copy: what was selected is remembered
        fields = {name: None for name in selection.fields if name not in tells}
        selection = Selection(fields, selection.relations)
    record = await read_record(caller_of(info), entity, told["id"], selection)
    if record is None:
        return None
    return {**record, **{name: told[name] for name in tells}}


def _visible_to_writer(entity: Entity) -> Entity:
    """The same kind of record for whoever has just changed one; its relations still have scopes of
    their own.
    """
    return replace(entity, visible=_anybody)


def _anybody(where: Where, caller: Caller) -> None:
    """No condition: REST answers a change with the record, whether or not the credential may read
    others.
    """
