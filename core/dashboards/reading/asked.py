"""What a page wants: of each record its fields, and what hangs on it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Arguments = Mapping[str, Any]


@dataclass(slots=True)
class Parts:
    """Which parts of a page are wanted besides its records."""

    nodes: bool = False
    edges: bool = False
    cursors: bool = False
    total: bool = False

    def add(self, other: "Parts") -> None:
        """Want what the other wants as well."""
        self.nodes |= other.nodes
        self.edges |= other.edges
        self.cursors |= other.cursors
        self.total |= other.total


@dataclass(slots=True)
class Asked:
    """Fields by wire name, and children by the slot of the record that will hold them."""

    fields: dict[str, None] = field(default_factory=dict)
    children: dict[str, "Child"] = field(default_factory=dict)

    def add(self, other: "Asked") -> None:
        """Want what the other wants as well."""
        self.fields |= other.fields
        for slot, child in other.children.items():
            self.want(slot, child)

    def want(self, slot: str, child: "Child") -> None:
        """Want a child; the same one asked twice is read once, with the fields of both."""
        if (known := self.children.get(slot)) is None:
            self.children[slot] = child
        else:
            known.asked.add(child.asked)
            known.parts.add(child.parts)


@dataclass(slots=True)
class Child:
    """Records that hang on a record: by which edge, with which arguments, and what is wanted of
    them.
    """

    edge: str
    arguments: Arguments
    asked: Asked
    parts: Parts


def slot_of(edge: str, arguments: Arguments) -> str:
    """Where a record holds the children of an edge that were asked with these arguments."""
    return f"{edge}{arguments!r}" if arguments else edge
