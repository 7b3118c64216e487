"""A look at tables that SQL alone touches, whose models answer no query."""

from typing import Any, TypeVar

from tortoise.models import Model
from tortoise.queryset import QuerySet

from core.foundation.database.sql_table import SqlTable

Table = TypeVar("Table", bound=SqlTable)


def rows_of(table: type[Table]) -> QuerySet[Table]:
    """The rows of a table, to be narrowed and looked at."""
    return QuerySet(table)


async def put_row(table: type[Table], **values: Any) -> Table:
    """Write a row that the service would write in a batch."""
    row = table(**values)
    await Model.save(row)
    return row
