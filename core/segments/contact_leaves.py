"""Leaves about the contact itself, as SQL over `contacts c`."""

from core.foundation.clock import as_shown
from core.foundation.validation.spelling import any_spelling
from core.segments.leaves import Leaf
from core.segments.parameters import Parameters

NEGATED = ("isNot", "notIn", "notExists", "notWithinDays")

# jsonb sorts by kind first: null, texts, numbers, booleans. Two bounds of one kind therefore let
# only that kind pass, without asking for the kind of every value. No number of a JSON document lies
# below the least one.
LEAST_TEXT, LEAST_NUMBER, LEAST_BOOLEAN = "'\"\"'::jsonb", "'-1e400'::jsonb", "'false'::jsonb"


def by_tag(to: Parameters, leaf: Leaf) -> str:
    match leaf.operator:
        case "is" | "isNot":
            return or_not(f"c.tags @> ARRAY[{to.value(leaf.value)}::text]", leaf)
        case "in" | "notIn":
            return or_not(f"c.tags && {to.value(leaf.value)}::text[]", leaf)
    return or_not("c.tags <> '{}'", leaf)


def by_attribute(to: Parameters, leaf: Leaf) -> str:
    key = leaf.key
    match leaf.operator:
        case "is" | "isNot":
            return or_not(f"c.attributes @> {to.json({key: leaf.value})}", leaf)
        case "in":
            return " OR ".join(f"c.attributes @> {to.json({key: value})}" for value in leaf.value)
        case "exists" | "notExists":
            return or_not(_attribute_exists(to, key), leaf)
        case "contains" | "startsWith":
            return _attribute_text(to, leaf)
        case "between":
            low, high = leaf.value
            return (
                f"c.attributes -> {to.value(key)}::text BETWEEN {to.json(low)} AND {to.json(high)}"
            )
    return _compared(to, leaf)


def _attribute_text(to: Parameters, leaf: Leaf) -> str:
    """A part or the beginning of a text, without case and accents; or a whole text of a list."""
    stored = f"c.attributes -> {to.value(leaf.key)}::text"
    begins = "^" if leaf.operator == "startsWith" else ""
    spelt = f"{stored} #>> '{{}}' ~ {to.value(begins + any_spelling(leaf.value))}::text"
    if leaf.operator == "startsWith":
        return f"jsonb_typeof({stored}) = 'string' AND {spelt}"
    listed = f"{stored} @> to_jsonb({to.value(leaf.value)}::text)"
    return f"CASE jsonb_typeof({stored}) WHEN 'array' THEN {listed} WHEN 'string' THEN {spelt} END"


def _attribute_exists(to: Parameters, key: str | None) -> str:
    name = to.value(key)
    return f"c.attributes ? {name}::text AND c.attributes -> {name} <> 'null'::jsonb"


def _compared(to: Parameters, leaf: Leaf) -> str:
    """Numbers with numbers, texts with texts; another kind of stored value does not match."""
    stored, bound = f"c.attributes -> {to.value(leaf.key)}::text", to.json(leaf.value)
    least, above = (
        (LEAST_TEXT, LEAST_NUMBER) if isinstance(leaf.value, str) else (LEAST_NUMBER, LEAST_BOOLEAN)
    )
    match leaf.operator:
        case "gt" | "gte":
            return (
                f"{stored} {'>' if leaf.operator == 'gt' else '>='} {bound} AND {stored} < {above}"
            )
        case _:
            return (
                f"{stored} >= {least} AND {stored} {'<' if leaf.operator == 'lt' else '<='} {bound}"
            )


def by_opt_in(to: Parameters, leaf: Leaf) -> str:
    return _plain(to, "c.opt_in_status", leaf)


def by_company(to: Parameters, leaf: Leaf) -> str:
    return _plain(to, "c.company_id", leaf)


def _plain(to: Parameters, column: str, leaf: Leaf) -> str:
    match leaf.operator:
        case "is" | "isNot":
            return or_not(f"{column} = {to.value(leaf.value)}", leaf)
        case "in" | "notIn":
            return or_not(f"{column} = ANY ({to.value(leaf.value)}::text[])", leaf)
    return or_not(f"{column} IS NOT NULL", leaf)


def by_last_interaction(to: Parameters, leaf: Leaf) -> str:
    column = "c.last_interaction_at"
    match leaf.operator:
        case "before":
            return f"{column} < {to.value(leaf.value)}"
        case "after":
            return f"{column} > {to.value(as_shown(leaf.value))}"
        case "withinDays" | "notWithinDays":
            return or_not(f"{column} >= {to.days_ago(leaf.value)}", leaf)
    return _plain(to, column, leaf)


def or_not(found: str, leaf: Leaf) -> str:
    """The condition, or its opposite where the operator asks for that."""
    return f"({found}) IS NOT TRUE" if leaf.operator in NEGATED else found
