"""A selection: which fields of a record are wanted, and which of its relations."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Arguments = Mapping[str, Any]


@dataclass(slots=True)
class PageParts:
    """Which parts of a page are wanted besides its records."""

    nodes: bool = False
    edges: bool = False
    cursors: bool = False
    total: bool = False

    @property
    def has_rows(self) -> bool:
        """Whether records are read, and not only counted."""
        return self.nodes or self.edges or self.cursors

    def add(self, other: "PageParts") -> None:
        """Want what the other wants as well."""
        self.nodes |= other.nodes
        self.edges |= other.edges
        self.cursors |= other.cursors
        self.total |= other.total


@dataclass(slots=True)
class Selection:
    """Fields by wire name, and relations by the slot of the record that will hold them."""

    fields: dict[str, None] = field(default_factory=dict)
    relations: dict[str, "SelectedRelation"] = field(default_factory=dict)

    def add(self, other: "Selection") -> None:
        """Want what the other wants as well."""
        self.fields |= other.fields
        for slot, selected in other.relations.items():
            self.want(slot, selected)

    def want(self, slot: str, selected: "SelectedRelation") -> None:
        """Want a relation; the same one selected twice is read once, with the fields of both."""
        if (known := self.relations.get(slot)) is None:
            self.relations[slot] = selected
        else:
            known.selection.add(selected.selection)
            known.parts.add(selected.parts)


@dataclass(slots=True)
class SelectedRelation:
    """A relation that is wanted: its name, its arguments, and what is wanted of its records."""

    name: str
    arguments: Arguments
    selection: Selection
    parts: PageParts


def slot_of(relation: str, arguments: Arguments) -> str:
    """Where a record holds the records of a relation that were selected with these arguments."""
    return f"{relation}{arguments!r}" if arguments else relation
