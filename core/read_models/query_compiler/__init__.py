"""The query compiler: a selection of records and their relations becomes one SQL statement."""

from core.read_models.query_compiler.entity import (
    NEWEST,
    OLDEST,
    BatchLoaded,
    Entity,
    Field,
    Order,
    OrderKey,
    ToList,
    ToOne,
    ToPage,
    column,
    everything,
    number,
    time,
    wire_time_of,
)
from core.read_models.query_compiler.read import (
    read_all,
    read_page,
    read_pages,
    read_record,
    read_records,
)
from core.read_models.query_compiler.record_fields import fields_of
from core.read_models.query_compiler.selection import (
    Arguments,
    PageParts,
    SelectedRelation,
    Selection,
    slot_of,
)
from core.read_models.query_compiler.statement import count_records, note_records

__all__ = [
    "NEWEST",
    "OLDEST",
    "Arguments",
    "BatchLoaded",
    "Entity",
    "Field",
    "Order",
    "OrderKey",
    "PageParts",
    "SelectedRelation",
    "Selection",
    "ToList",
    "ToOne",
    "ToPage",
    "column",
    "count_records",
    "everything",
    "fields_of",
    "note_records",
    "number",
    "read_all",
    "read_page",
    "read_pages",
    "read_record",
    "read_records",
    "slot_of",
    "time",
    "wire_time_of",
]  # fmt: skip
