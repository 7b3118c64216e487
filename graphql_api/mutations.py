"""Fields that do a deed of core: its input is read by the model of the deed, its answer is read as
a query reads it.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, TypeVar

import strawberry
from graphql import GraphQLResolveInfo

from core.dashboards.reading import Asked, Entity, read_record
from core.foundation.database.heavy_work import heavy_work
from core.foundation.database.where import Where
from core.foundation.errors import BadRequest, NotFound, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from graphql_api.connections import field_of
from graphql_api.context import caller_of
from graphql_api.inputs import Model, input_of, read_input
from graphql_api.lookahead import asked_under

Deed = Callable[..., Awaitable[Any]]
Record = dict[str, Any]
Offer = TypeVar("Offer", bound=type)


@strawberry.type(description="What is gone.")
class Deleted:
    id: strawberry.ID


@dataclass(frozen=True, slots=True)
class Does:
    """How a field does a deed.

    The deed takes the caller, an id for each of `ids`, and what `takes` reads of the argument
    `input`, which may be left out where it is `optional`; a `keyed` deed takes an
    `idempotency_key`. Its `scope` is asked for before the input is looked at. The answer is the
    record of `answers` that the deed tells the id of, else what the deed tells. Where REST lists no
    422, a wrong value is a BAD_REQUEST: not `strict`. A `heavy` deed reads or writes much, and
    shares the places that its organization has for that. Whoever may change a record is shown it
    without the scope to read such records; what the deed `tells` is not read.
    """

    deed: Deed
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
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Shows:
    """How a field of an answer shows the record that the answer tells the id of.

    `told`: the deed tells the record too, so that no scope is needed to see it.
    """

    entity: Entity
    id_of: Callable[[Record], str]
    told: bool


def does(deed: Deed, takes: Model | None = None, **how: Any) -> Any:
    """A field that does a deed; see `Does`."""
    return Does(deed, takes, **how)


def shows(entity: Entity, id_of: Callable[[Record], str], *, told: bool = False) -> Any:
    """A field of an answer: the whole record behind it, with all that hangs on it; see `Shows`."""
    return field_of(Shows(entity, id_of, told), {}, None)


def deeds(offer: Offer) -> Offer:
    """The type of the fields that a class declares with `does`. An input is named after its field."""
    for name, how in list(vars(offer).items()):
        if isinstance(how, Does):
            setattr(offer, name, field_of(how, _arguments(name, how), _description(how)))
    return strawberry.type(offer)


def _arguments(name: str, how: Does) -> dict[str, Any]:
    arguments: dict[str, Any] = dict.fromkeys(how.ids, strawberry.ID)
    if how.takes is not None:
        input = input_of(how.takes, name.title().replace("_", "") + "Input")
        arguments["input"] = input | None if how.optional else input
    if how.keyed:
        arguments["idempotency_key"] = str
    return arguments


def _description(how: Does) -> str | None:
    needed = f"Needs {how.scope.value}." if how.scope is not None else None
    return " ".join(filter(None, (how.description, needed))) or None


def doing(how: Does) -> Callable[..., Awaitable[Any]]:
    """The resolver of a field that does a deed."""
    entity = _shown_whole(how.answers) if isinstance(how.answers, Entity) else None

    async def resolve(_: Any, info: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
        caller = caller_of(info)
        if how.scope is not None:
            caller.require(how.scope)
        ids = [arguments[name] for name in how.ids]
        if any("\x00" in id for id in ids):
            raise NotFound
        keys = {"idempotency_key": arguments["idempotencyKey"]} if how.keyed else {}
        try:
            inputs = (
                [] if how.takes is None else [read_input(how.takes, arguments.get("input") or {})]
            )
            async with heavy_work(caller) if how.heavy else nullcontext():
                told = await how.deed(caller, *ids, *inputs, **keys)
        except ValidationFailed as wrong:
            if how.strict:
                raise
            raise BadRequest(wrong.detail, meta=wrong.meta, errors=wrong.errors) from None
        if how.answers is Deleted:
            return {"id": ids[-1]}
        if entity is None:
            return told
        return await _shown(info, entity, told, how.tells)

    return resolve


def showing(how: Shows) -> Callable[..., Awaitable[Any]]:
    """The resolver of a field that shows a record of an answer."""
    entity = _shown_whole(how.entity) if how.told else how.entity

    async def resolve(record: Record, info: GraphQLResolveInfo[Any]) -> Any:
        return await _shown(info, entity, {"id": how.id_of(record)})

    return resolve


async def _shown(
    info: GraphQLResolveInfo[Any], entity: Entity, told: Record, tells: Sequence[str] = ()
) -> Record | None:
    """The record that a deed tells of, with all that is asked; what the deed alone `tells` is not
    read.
    """
    asked = asked_under(info)
    if not asked.children and asked.fields.keys() <= told.keys():
        return told  # the deed has told it all
    if tells:  # a copy: what was asked is remembered
        asked = Asked({name: None for name in asked.fields if name not in tells}, asked.children)
    record = await read_record(caller_of(info), entity, told["id"], asked)
    return None if record is None else {**record, **{name: told[name] for name in tells}}


def _shown_whole(entity: Entity) -> Entity:
    """The same kind of record for whoever has just changed one; what hangs on it still has scopes
    of its own.
    """
    return replace(entity, visible=_anybody)


def _anybody(where: Where, caller: Caller) -> None:
    """No condition: REST answers a change with the record, whether or not the credential may read
    others.
    """
