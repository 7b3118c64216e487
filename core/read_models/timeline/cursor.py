"""Places in a timeline: between entries by time, kind and key."""

from core.foundation.database.where import Where
from core.read_models.query_compiler import Order, OrderKey
from core.read_models.query_compiler.pages import PageSlice
from core.read_models.timeline.source import EntrySource

# The words of kinds are compared as bytes: a source compares its own with a mark's where the
# statement is written.
TIMELINE = Order(
    "timeline",
    (
        OrderKey("{t}.at", "timestamptz"),
        OrderKey('{t}.kind COLLATE "C"', "text"),
        OrderKey("{t}.key", "text"),
    ),
    True,
)


def narrow_to_page(where: Where, source: EntrySource, page: PageSlice) -> None:
    """Only what lies between the page's marks, in conditions that the source's index can use."""
    for mark, sign in ((page.after, "<"), (page.before, ">")):
        if mark is not None:
            at, kind, key = mark
            if kind == source.kind:
                where.narrow(
                    f"({source.at}, {source.key}) {sign} ({{}}::text::timestamptz, {{}}::text)",
                    at,
                    key,
                )
            else:
                # Entries of the very moment of the mark lie all on one side of it.
                beyond = source.kind < str(kind) if sign == "<" else source.kind > str(kind)
                where.narrow(
                    f"{source.at} {sign}{'=' if beyond else ''} {{}}::text::timestamptz", at
                )
