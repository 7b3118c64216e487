"""From a filter to one condition in SQL over `contacts c`.

`IS NOT TRUE` instead of NOT: a contact without the value does not match a condition, so it matches its negation.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import orjson

from core.foundation.spelling import any_spelling
from core.segments.card_leaf import CardAsked, contacts_on_cards
from core.segments.leaves import EventAsked, Leaf
from core.segments.tree import Joined, Node, Not

MOST_CONDITIONS = 500
NEGATED = ("isNot", "notIn", "notExists", "notWithinDays")

# jsonb sorts by kind first: null, texts, numbers, booleans. Two bounds of one kind therefore let only that kind pass,
# without asking for the kind of every value. No number of a JSON document lies below the least one.
LEAST_TEXT, LEAST_NUMBER, LEAST_BOOLEAN = "'\"\"'::jsonb", "'-1e400'::jsonb", "'false'::jsonb"


class TooManyConditions(Exception):
    """The segments that a filter is built on come to more conditions than one statement should hold."""


@dataclass(slots=True)
class Compiler:
    """Collects the values of a statement whose first two are the organization and the environment.

    `segments` are the filters of the segments that leaves refer to, by id.
    """

    at: datetime
    values: list[Any]
    segments: Mapping[str, Node] = field(default_factory=dict)
    _inside: list[str] = field(default_factory=list)
    _conditions: int = 0

    def condition(self, node: Node) -> str:
        """The SQL condition of a tree. Raises TooManyConditions, which only segments built on segments can reach."""
        match node:
            case Leaf():
                self._conditions += 1
                if self._conditions > MOST_CONDITIONS:
                    raise TooManyConditions
                return f"({LEAVES[node.field](self, node)})"
            case Not(child):
                return f"({self.condition(child)} IS NOT TRUE)"
            case Joined(kind, children):
                cheapest_first = sorted(children, key=cost)
                return "(" + f" {kind.upper()} ".join(self.condition(child) for child in cheapest_first) + ")"

    def segment(self, id: str) -> str:
        """The condition of another segment; one that is gone, or that leads back to itself, has no contacts."""
        inner = self.segments.get(id)
        if inner is None or id in self._inside:
            return "false"
        self._inside.append(id)
        condition = self.condition(inner)
        self._inside.pop()
        return condition

    def value(self, value: Any) -> str:
        """The placeholder of a value."""
        self.values.append(value)
        return f"${len(self.values)}"

    def json(self, value: Any) -> str:
        """The placeholder of a value as JSON: the connection takes a text for JSON that is written already."""
        return f"{self.value(orjson.dumps(value).decode())}::jsonb"

    def days_ago(self, days: int) -> str:
        """The placeholder of an instant."""
        return f"{self.value(self.at - timedelta(days=days))}::timestamptz"


def cost(node: Node) -> int:
    """How dear a condition is for one contact, in columns read.

    PostgreSQL takes conditions of one level in the order written, and the first that decides spares the rest.
    """
    match node:
        case Leaf(field="attribute", operator="contains" | "startsWith"):
            return 8
        case Leaf(field="attribute"):
            return 3
        case Leaf(field="tag" | "optIn" | "company" | "lastInteraction"):
            return 1
        case Leaf():
            return 20
        case Not(child):
            return cost(child)
        case Joined(_, children):
            return sum(map(cost, children))


def _tag(to: Compiler, leaf: Leaf) -> str:
    match leaf.operator:
        case "is" | "isNot":
            return _or_not(f"c.tags @> ARRAY[{to.value(leaf.value)}::text]", leaf)
        case "in" | "notIn":
            return _or_not(f"c.tags && {to.value(leaf.value)}::text[]", leaf)
    return _or_not("c.tags <> '{}'", leaf)


def _attribute(to: Compiler, leaf: Leaf) -> str:
    key = leaf.key
    match leaf.operator:
        case "is" | "isNot":
            return _or_not(f"c.attributes @> {to.json({key: leaf.value})}", leaf)
        case "in":
            return " OR ".join(f"c.attributes @> {to.json({key: value})}" for value in leaf.value)
        case "exists" | "notExists":
            return _or_not(_attribute_exists(to, key), leaf)
        case "contains" | "startsWith":
            return _attribute_text(to, leaf)
        case "between":
            low, high = leaf.value
            return f"c.attributes -> {to.value(key)}::text BETWEEN {to.json(low)} AND {to.json(high)}"
    return _compared(to, leaf)


def _attribute_text(to: Compiler, leaf: Leaf) -> str:
    """A part or the beginning of a text, without case and accents; or a whole text of a list."""
    stored = f"c.attributes -> {to.value(leaf.key)}::text"
    begins = "^" if leaf.operator == "startsWith" else ""
    spelt = f"{stored} #>> '{{}}' ~ {to.value(begins + any_spelling(leaf.value))}::text"
    if leaf.operator == "startsWith":
        return f"jsonb_typeof({stored}) = 'string' AND {spelt}"
    listed = f"{stored} @> to_jsonb({to.value(leaf.value)}::text)"
    return f"CASE jsonb_typeof({stored}) WHEN 'array' THEN {listed} WHEN 'string' THEN {spelt} END"


def _attribute_exists(to: Compiler, key: str | None) -> str:
    name = to.value(key)
    return f"c.attributes ? {name}::text AND c.attributes -> {name} <> 'null'::jsonb"


def _compared(to: Compiler, leaf: Leaf) -> str:
    """Numbers with numbers, texts with texts; another kind of stored value does not match."""
    stored, bound = f"c.attributes -> {to.value(leaf.key)}::text", to.json(leaf.value)
    least, above = (LEAST_TEXT, LEAST_NUMBER) if isinstance(leaf.value, str) else (LEAST_NUMBER, LEAST_BOOLEAN)
    match leaf.operator:
        case "gt" | "gte":
            return f"{stored} {'>' if leaf.operator == 'gt' else '>='} {bound} AND {stored} < {above}"
        case _:
            return f"{stored} >= {least} AND {stored} {'<' if leaf.operator == 'lt' else '<='} {bound}"


def _opt_in(to: Compiler, leaf: Leaf) -> str:
    return _plain(to, "c.opt_in_status", leaf)


def _company(to: Compiler, leaf: Leaf) -> str:
    return _plain(to, "c.company_id", leaf)


def _plain(to: Compiler, column: str, leaf: Leaf) -> str:
    match leaf.operator:
        case "is" | "isNot":
            return _or_not(f"{column} = {to.value(leaf.value)}", leaf)
        case "in" | "notIn":
            return _or_not(f"{column} = ANY ({to.value(leaf.value)}::text[])", leaf)
    return _or_not(f"{column} IS NOT NULL", leaf)


def _last_interaction(to: Compiler, leaf: Leaf) -> str:
    column = "c.last_interaction_at"
    match leaf.operator:
        case "before":
            return f"{column} < {to.value(leaf.value)}"
        case "after":
            return f"{column} > {to.value(leaf.value)}"
        case "withinDays" | "notWithinDays":
            return _or_not(f"{column} >= {to.days_ago(leaf.value)}", leaf)
    return _plain(to, column, leaf)


# Leaves about other tables: the set of contacts is found once, not looked for contact by contact.


def _channel(to: Compiler, leaf: Leaf) -> str:
    wanted = leaf.value if isinstance(leaf.value, list) else [leaf.value]
    found = (
        "c.id IN (SELECT m.contact_id FROM messages m WHERE m.organization_id = $1 AND m.env = $2 "
        f"AND m.contact_id IS NOT NULL AND m.channel = ANY ({to.value(wanted)}::text[]) "
        "AND (m.direction = 'inbound' OR m.status IN ('sent', 'delivered', 'read')))"
    )
    return _or_not(found, leaf)


def _event(to: Compiler, leaf: Leaf) -> str:
    asked: EventAsked = leaf.value
    within = f"AND e.occurred_at >= {to.days_ago(asked.within_days)} " if asked.within_days else ""
    often = f"GROUP BY e.contact_id HAVING count(*) >= {asked.count}" if asked.count > 1 else ""
    found = (
        "c.id IN (SELECT e.contact_id FROM customer_events e WHERE e.organization_id = $1 AND e.env = $2 "
        f"AND e.contact_id IS NOT NULL AND e.name = {to.value(asked.name)} {within}{often})"
    )
    return _or_not(found, leaf)


def _list(to: Compiler, leaf: Leaf) -> str:
    wanted = leaf.value if isinstance(leaf.value, list) else [leaf.value]
    found = (
        "c.id IN (SELECT m.contact_id FROM contact_list_members m WHERE m.organization_id = $1 AND m.env = $2 "
        f"AND m.list_id = ANY ({to.value(wanted)}::text[]))"
    )
    return _or_not(found, leaf)


def _segment(to: Compiler, leaf: Leaf) -> str:
    return _or_not(to.segment(leaf.value), leaf)


def _card(to: Compiler, leaf: Leaf) -> str:
    return _or_not(contacts_on_cards(leaf.value or CardAsked(), to.value, to.days_ago), leaf)


def _clicked(to: Compiler, leaf: Leaf) -> str:
    match leaf.operator:
        case "is" | "isNot":
            more = f" AND m.campaign_id = {to.value(leaf.value)}"
        case "withinDays":
            more = f" AND s.last_clicked_at >= {to.days_ago(leaf.value)}"
        case _:
            more = ""
    found = (
        "c.id IN (SELECT m.contact_id FROM short_links s JOIN messages m ON m.id = s.message_id "
        "WHERE s.organization_id = $1 AND s.env = $2 AND m.organization_id = $1 AND m.env = $2 "
        f"AND s.clicks > 0 AND m.contact_id IS NOT NULL{more})"
    )
    return _or_not(found, leaf)


def _or_not(found: str, leaf: Leaf) -> str:
    return f"({found}) IS NOT TRUE" if leaf.operator in NEGATED else found


LEAVES: dict[str, Callable[[Compiler, Leaf], str]] = {
    "tag": _tag,
    "attribute": _attribute,
    "optIn": _opt_in,
    "lastInteraction": _last_interaction,
    "channel": _channel,
    "event": _event,
    "list": _list,
    "segment": _segment,
    "company": _company,
    "card": _card,
    "clicked": _clicked,
}
"""How each field becomes SQL."""
