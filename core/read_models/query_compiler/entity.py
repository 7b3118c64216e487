"""Read models as data: the fields of a kind of record in SQL, its orders, filters and relations.

SQL here says `{t}` where the alias of the record's table stands, and `{p}` for that of the
parent's.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.foundation.database.where import Where
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler.filter_bounds import refuse_unfit
from core.read_models.query_compiler.selection import Arguments, SelectedRelation, Selection

Make = Callable[[Any], Any]
"""From what PostgreSQL answered as JSON, never null, to the value of the record."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its SQL, how its value is made, and how it is made for callers who may not see
    personal data.

    `scope`: who may read it also where the record itself is shown without one, to whoever has just
    changed it. Not `told`: the record of a use case has a part of it only.
    """

    sql: str
    make: Make | None = None
    masked: Make | None = None
    scope: Scope | None = None
    told: bool = True


def column(name: str) -> Field:
    """A column as it is."""
    return Field(f"{{t}}.{name}")


def time(name: str) -> Field:
    """A column of instants."""
    return Field(f"{{t}}.{name}", make=wire_time_of)


def number(name: str) -> Field:
    """A numeric column, as a float."""
    return Field(f"{{t}}.{name}", make=float)


MAX_TIME_LENGTH = len("2026-11-21T12:00:00.123456+00:00")


def wire_time_of(text: str) -> str:
    """An instant that PostgreSQL wrote as JSON in UTC, as the interface spells it: cut to
    milliseconds.
    """
    if len(text) == MAX_TIME_LENGTH:  # nearly all of them, and a page has hundreds
        return f"{text[:23]}Z"
    whole, _, fraction = text[:-6].partition(".")
    return f"{whole}.{fraction[:3]:0<3}Z"


@dataclass(frozen=True, slots=True)
class OrderKey:
    """A part of an order. `sql` and its type; a key that may be null stands last in either
    direction.

    `table`: of a text of any length, where the rest of what does not fit into a cursor is read; its
    order ends with the row's id.
    """

    sql: str
    type: str
    nullable: bool = False
    table: str | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """An order whose keys, the last of them unique, all run the same way."""

    name: str
    keys: tuple[OrderKey, ...]
    descending: bool = False


NEWEST = Order(
    "newest",
    (OrderKey("{t}.created_at", "timestamptz"), OrderKey("{t}.id", "text")),
    descending=True,
)
OLDEST = Order("oldest", NEWEST.keys)

Narrow = Callable[[Where, Caller, Arguments], Sequence[str]]
"""Adds the conditions of a filter; answers warnings about parts of it that were left out."""

Prepare = Callable[[Caller, Arguments], Awaitable[Arguments]]
"""Reads what the conditions of a filter need to know first."""


def everything(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    """No filter."""
    return ()


@dataclass(slots=True)
class Entity:
    """A kind of record. `alias` is that of its table inside conditions; `counted` a quicker count
    than counting.

    `key`: what the table holds in the place of an id, None for what is no id of this kind; ids are
    their own keys without it. `order_for`: the order that an index has of what a filter leaves.
    `branches`: conditions that share out the records of a list at the root, each in the order of an
    index that has no order for all of them; none where one statement has it.
    """

    name: str
    table: str
    alias: str
    scope: Scope
    prefix: str
    fields: Mapping[str, Field]
    orders: Mapping[str, Order] = field(default_factory=lambda: {"": NEWEST})
    narrow: Narrow = everything
    prepare: Prepare | None = None
    visible: Callable[[Where, Caller], None] | None = None
    key: Callable[[str], Any] | None = None
    key_type: str = "text"
    count: Callable[[Where, Caller, Arguments], str | None] | None = None
    order_for: Callable[[Arguments], str] | None = None
    branches: Callable[[Caller, Arguments], Sequence[str]] | None = None
    relations: "dict[str, Relation]" = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.fields = {"__typename": Field(f"'{self.name}'::text"), **self.fields}

    def add_filter(self, where: Where, caller: Caller, filter: Arguments) -> list[str]:
        """Add the conditions of a filter; answers warnings. Raises ValidationFailed for one that is
        unfit.
        """
        refuse_unfit(filter)
        return list(self.narrow(where, caller, filter))

    def key_of(self, id: str) -> Any:
        """What the table holds for an id; None for what is no id of this kind."""
        if self.key is not None:
            return self.key(id)
        return id if is_id(self.prefix, id) else None

    def order_of(self, filter: Arguments) -> str:
        """The name of the order of a list that asks for none."""
        return "" if self.order_for is None else self.order_for(filter)

    def require(self, caller: Caller) -> None:
        """Refuse with Forbidden unless the caller may read this kind; `visible` decides where rows
        differ.
        """
        if self.visible is None:
            caller.require(self.scope)


@dataclass(frozen=True, slots=True)
class ToOne:
    """At most one record: the condition that finds it, or the first of those that meet it in an
    order.
    """

    entity: Entity
    where: str
    order: Order | None = None


@dataclass(frozen=True, slots=True)
class ToPage:
    """A page of records that meet a condition, in any order of theirs; `order` unless another is
    asked.

    `scope`: needed besides that of the records, where the condition itself tells what it opens.
    """

    entity: Entity
    where: str
    order: str = ""
    scope: Scope | None = None


@dataclass(frozen=True, slots=True)
class ToList:
    """Every record that meets a condition, up to a ceiling."""

    entity: Entity
    where: str
    order: Order = NEWEST
    most: int = 100


Load = Callable[[Caller, Sequence[Any], SelectedRelation], Awaitable[Mapping[Any, object]]]
"""Reads the relation of many parents at once; answers its value for each, by the key of the parent."""


@dataclass(frozen=True, slots=True)
class BatchLoaded:
    """What another read answers, for all parents of a page at once. `key` is the SQL of the
    parent's key.
    """

    load: Load
    key: str = "{p}.id"


Relation = ToOne | ToPage | ToList | BatchLoaded

__all__ = [
    "NEWEST",
    "OLDEST",
    "BatchLoaded",
    "Entity",
    "Field",
    "Load",
    "Make",
    "Narrow",
    "Order",
    "OrderKey",
    "Relation",
    "Selection",
    "ToList",
    "ToOne",
    "ToPage",
    "column",
    "everything",
    "number",
    "time",
    "wire_time_of",
]  # fmt: skip
