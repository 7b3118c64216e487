"""Reading ahead: a page and all that hangs on it in one statement, with the columns asked for."""

from core.dashboards.reading.asked import Arguments, Asked, Child, Parts, slot_of
from core.dashboards.reading.entity import (
    NEWEST,
    OLDEST,
    All,
    Entity,
    Field,
    Key,
    Loaded,
    Many,
    One,
    Order,
    column,
    everything,
    number,
    time,
    wire_time_of,
)
from core.dashboards.reading.read import read_all, read_page, read_pages, read_record, read_records
from core.dashboards.reading.statement import count_records, note_records

__all__ = [
    "NEWEST",
    "OLDEST",
    "All",
    "Arguments",
    "Asked",
    "Child",
    "Entity",
    "Field",
    "Key",
    "Loaded",
    "Many",
    "One",
    "Order",
    "Parts",
    "column",
    "count_records",
    "everything",
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
