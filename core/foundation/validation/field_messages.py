"""Messages and codes of pydantic's findings: its own speak of Python, and change with it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

from pydantic_core import ErrorDetails, ValidationError
from pydantic_core.core_schema import ErrorType

from core.foundation.validation.nearest import nearest, same_as

NOT_ALLOWED = "This is none of the allowed values; the documentation lists them"
UNKNOWN_FIELD = "This operation knows no such field"
NOT_VALID = "This value is not valid here; see the documentation of the field"
OTHER_TYPE = "The value has another type than the field; see its documentation"
OTHER_FORM = "The text does not have the form that the documentation gives"
A_DATE = "Send a date as text, such as 2026-11-21"
A_DATE_TIME = "Send a date-time as ISO 8601, such as 2026-11-21T12:00:00Z"
A_WHOLE_NUMBER = "Send a whole number"
A_NUMBER = "Send a number"
AN_OBJECT = "Send an object"
WITHOUT_KIND = "The field that tells the kind is missing; see the documentation for the kinds"

WORDS: dict[str, tuple[str, str]] = {
    "missing": ("required", "This field is required"),
    "extra_forbidden": ("unknown_field", UNKNOWN_FIELD),
    "string_type": ("wrong_type", "Send a text"),
    "string_too_long": ("too_long", "Send at most {max_length} characters"),
    "string_too_short": ("too_short", "Send at least {min_length} characters"),
    "string_pattern_mismatch": ("wrong_format", OTHER_FORM),
    "string_unicode": ("wrong_format", "The text is not valid Unicode"),
    "bool_type": ("wrong_type", "Send true or false"),
    "bool_parsing": ("wrong_type", "Send true or false"),
    "int_type": ("wrong_type", A_WHOLE_NUMBER),
    "int_parsing": ("wrong_type", A_WHOLE_NUMBER),
    "int_from_float": ("wrong_type", A_WHOLE_NUMBER),
    "int_parsing_size": ("too_large", "The number has too many digits"),
    "float_type": ("wrong_type", A_NUMBER),
    "float_parsing": ("wrong_type", A_NUMBER),
    "finite_number": ("not_finite", "A number is finite"),
    "greater_than": ("too_small", "Send more than {gt}"),
    "greater_than_equal": ("too_small", "Send {ge} or more"),
    "less_than": ("too_large", "Send less than {lt}"),
    "less_than_equal": ("too_large", "Send {le} or less"),
    "model_type": ("wrong_type", AN_OBJECT),
    "model_attributes_type": ("wrong_type", AN_OBJECT),
    "dict_type": ("wrong_type", AN_OBJECT),
    "list_type": ("wrong_type", "Send an array"),
    "too_long": ("too_many", "Send at most {max_length} entries"),
    "too_short": ("too_few", "Send at least {min_length} entries"),
    "literal_error": ("not_allowed", NOT_ALLOWED),
    "enum": ("not_allowed", NOT_ALLOWED),
    "date_type": ("wrong_type", A_DATE),
    "date_parsing": ("wrong_format", A_DATE),
    "date_from_datetime_parsing": ("wrong_format", A_DATE),
    "date_from_datetime_inexact": ("wrong_format", A_DATE),
    "datetime_type": ("wrong_type", "Send a date-time as text, such as 2026-11-21T12:00:00Z"),
    "datetime_parsing": ("wrong_format", A_DATE_TIME),
    "datetime_from_date_parsing": ("wrong_format", A_DATE_TIME),
    "datetime_object_invalid": ("wrong_format", "There is no such date-time"),
    "union_tag_not_found": ("required", WITHOUT_KIND),
    "union_tag_invalid": ("not_allowed", NOT_ALLOWED),
    "value_error": ("wrong_format", NOT_VALID),
    "assertion_error": ("wrong_format", NOT_VALID),
    "recursion_depth_exceeded": ("wrong_type", "The value is nested too deep"),
}
"""What our models can end in, told with what pydantic knows of it. Whatever else it can find is
told by its ending.
"""

METADATA_KEY = r"^[A-Za-z][A-Za-z0-9_.-]*$"
CLOCK = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"
FORMS = {
    METADATA_KEY: "A key begins with a letter; letters, digits, _ . and - may follow",
    CLOCK: "Write the hour as HH:MM, such as 22:00",
}
"""Patterns whose form is said in a sentence of its own."""

BY_ENDING = (("_type", "wrong_type", OTHER_TYPE), ("_parsing", "wrong_format", OTHER_FORM))
OF_PYDANTIC = frozenset(get_args(ErrorType))
PLACE = re.compile(r"\{(\w+)\}")
OF_A_CLASS = re.compile(r".-.|[^ ]")
ONE_CLASS = re.compile(r"\^\[([^\]\\^]+)\](?:\+|\{(\d+),(\d+)\})\$")
"""A pattern that only says which characters a text has, and how many."""
QUOTED = re.compile(r"'([^']*)'")
MAX_COMPARED = 20
"""Findings of one refusal: a comparison takes some microseconds for each name."""
MAX_LISTED = 20
"""Of a longer list, such as that of all events, the nearest is told."""


def findings(invalid: ValidationError) -> list[ErrorDetails]:
    """What pydantic found. Only the first are compared with what may have been meant."""
    found = invalid.errors(include_url=False)
    for detail in found[MAX_COMPARED:]:
        detail["input"] = None
    return found


def worded(detail: ErrorDetails, known: Iterable[str] = ()) -> tuple[str, str]:
    """The code and the sentence of a finding. `known`: the fields that an unknown one may have been
    meant to be.
    """
    type, facts = detail["type"], detail.get("ctx") or {}
    if type == "unknown_field" and detail["msg"] == UNKNOWN_FIELD:  # of an object inside a union
        return type, unknown_field(detail["loc"][-1], known)
    code, sentence = WORDS.get(type) or _by_ending(type)
    if type not in OF_PYDANTIC or not facts.keys() >= set(PLACE.findall(sentence)):
        return type, detail["msg"]  # one of ours, as it was raised
    match type:
        case "extra_forbidden":
            said = unknown_field(detail["loc"][-1], known)
        case "literal_error" | "enum":
            said = none_of(_names(facts["expected"]), detail.get("input"))
        case "union_tag_invalid":
            said = none_of(_names(facts["expected_tags"]), facts["tag"])
        case "string_pattern_mismatch":
            said = _of_form(str(facts["pattern"]))
        case _:
            said = _of_one(facts) or sentence.format_map(
                {name: _told(fact) for name, fact in facts.items()}
            )
    return code, said


def _told(fact: object) -> object:
    """A bound as people write it: a float that is whole has no point."""
    return int(fact) if isinstance(fact, float) and fact.is_integer() else fact


def _of_one(facts: Mapping[str, object]) -> str | None:
    """The sentence of a length that is one, of which nobody speaks in the plural."""
    if facts.get("min_length") == 1:
        return "This cannot be empty"
    return "Send one at most" if facts.get("max_length") == 1 else None


def _of_form(pattern: str) -> str:
    """The sentence of a text that does not fit a pattern."""
    alphabet = ONE_CLASS.fullmatch(pattern)
    return FORMS.get(pattern) or (_of_characters(*alphabet.groups()) if alphabet else OTHER_FORM)


def _of_characters(known: str, least: str | None, most: str | None) -> str:
    """The sentence of a text that has another character, or another length."""
    allowed = " ".join(OF_A_CLASS.findall(known))
    if least is None:
        return f"Use only these characters: {allowed}"
    if " " in known:
        return f"Use {least} to {most} of these characters, or spaces: {allowed}"
    return f"Use {least} to {most} of these characters: {allowed}"


def unknown_field(name: object, known: Iterable[str]) -> str:
    """The sentence for a name that an object does not have."""
    known = tuple(known)
    if (meant := nearest(str(name), known) or same_as(str(name), known)) is not None:
        return f"This operation knows no such field; did you mean {meant}?"
    return UNKNOWN_FIELD


def none_of(known: Sequence[str], given: object) -> str:
    """The sentence for a value outside a closed set: all of it if it is short, and the one that was
    probably meant.
    """
    meant = nearest(given, known) if isinstance(given, str) else None
    if len(known) > MAX_LISTED:
        alike = _of_the_family(known, given)
        if alike and meant not in alike:
            listed = ", ".join(alike)
            return f"This is none of the allowed values; of this kind there are: {listed}"
        return (
            f"This is none of the allowed values; did you mean {meant}?" if meant else NOT_ALLOWED
        )
    listed = ", ".join(known)
    return f"Send one of: {listed}; did you mean {meant}?" if meant else f"Send one of: {listed}"


def _of_the_family(known: Sequence[str], given: object) -> list[str]:
    """Those that begin with the same word and a point, as `sms.sent` does with `sms.delivered`."""
    family, point, _ = given.partition(".") if isinstance(given, str) else ("", "", "")
    found = [name for name in known if point and name.startswith(f"{family}.")]
    return found if len(found) <= MAX_LISTED else []


def _names(expected: str) -> list[str]:
    return QUOTED.findall(expected) or expected.replace(" or ", ", ").split(", ")


def _by_ending(type: str) -> tuple[str, str]:
    return next(
        ((code, said) for end, code, said in BY_ENDING if type.endswith(end)),
        ("wrong_format", NOT_VALID),
    )
