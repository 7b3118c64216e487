"""From a filter to one condition in SQL over `contacts c`.

`IS NOT TRUE` instead of NOT: a contact without the value does not match a condition, so it matches
its negation.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from core.segments.contact_leaves import (
    by_attribute,
    by_company,
    by_last_interaction,
    by_opt_in,
    by_tag,
    or_not,
)
from core.segments.leaves import Leaf
from core.segments.parameters import Parameters
from core.segments.related_leaves import by_card, by_channel, by_clicked, by_event, by_list
from core.segments.tree import Joined, Node, Not

MAX_CONDITIONS = 500


class TooManyConditions(Exception):
    """The segments that a filter is built on come to more conditions than one statement should
    hold.
    """


@dataclass(slots=True)
class Compiler(Parameters):
    """Makes conditions. `segments` are the filters of the segments that leaves refer to, by id."""

    segments: Mapping[str, Node] = field(default_factory=dict)
    _inside: list[str] = field(default_factory=list)
    _conditions: int = 0

    def condition(self, node: Node) -> str:
        """The SQL condition of a tree. Raises TooManyConditions, which only segments built on
        segments can reach.
        """
        match node:
            case Leaf():
                self._conditions += 1
                if self._conditions > MAX_CONDITIONS:
                    raise TooManyConditions
                return f"({LEAVES[node.field](self, node)})"
            case Not(child):
                return f"({self.condition(child)} IS NOT TRUE)"
            case Joined(kind, children):
                cheapest_first = sorted(children, key=cost)
                return (
                    "("
                    + f" {kind.upper()} ".join(self.condition(child) for child in cheapest_first)
                    + ")"
                )

    def segment(self, id: str) -> str:
        """The condition of another segment; one that is gone, or that leads back to itself, has no
        contacts.
        """
        inner = self.segments.get(id)
        if inner is None or id in self._inside:
            return "false"
        self._inside.append(id)
        condition = self.condition(inner)
        self._inside.pop()
        return condition


COSTS = {"attribute": 3, "tag": 1, "optIn": 1, "company": 1, "lastInteraction": 1}
OF_A_SET = 20
"""What a condition on another table costs."""


def cost(node: Node) -> int:
    """How dear a condition is for one contact, in columns read.

    PostgreSQL takes conditions of one level in the order written, and the first that decides spares
    the rest.
    """
    match node:
        case Leaf(field="attribute", operator="contains" | "startsWith"):
            return 8
        case Leaf(field=field):
            return COSTS.get(field, OF_A_SET)
        case Not(child):
            return cost(child)
        case Joined(_, children):
            return sum(map(cost, children))


def _by_segment(to: Compiler, leaf: Leaf) -> str:
    return or_not(to.segment(leaf.value), leaf)


LEAVES: dict[str, Callable[[Compiler, Leaf], str]] = {
    "tag": by_tag,
    "attribute": by_attribute,
    "optIn": by_opt_in,
    "lastInteraction": by_last_interaction,
    "channel": by_channel,
    "event": by_event,
    "list": by_list,
    "segment": _by_segment,
    "company": by_company,
    "card": by_card,
    "clicked": by_clicked,
}
"""How each field becomes SQL."""
