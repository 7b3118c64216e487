"""The scopes that a key can hold, by name."""

from typing import Annotated

from pydantic import PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.security.caller import DEFAULT_KEY_SCOPES, KEY_SCOPES, SESSION_ONLY, Scope
from core.foundation.validation.nearest import nearest

ONLY_OF_A_SESSION = "Only a session holds this scope; a key never does"


def scopes_named(names: str | None) -> frozenset[Scope]:
    """`all`, a comma-separated list, or None for the default. Raises ValidationFailed."""
    if names is None:
        return DEFAULT_KEY_SCOPES
    if names == "all":
        return KEY_SCOPES
    asked = [name.strip() for name in names.split(",") if name.strip()]
    wrong = [
        FieldError("pointer", f"/scopes/{place}", "not_allowed", _unknown(name))
        for place, name in enumerate(asked)
        if name not in KEY_SCOPES
    ]
    if wrong or not asked:
        raise ValidationFailed(
            "Some of the scopes do not exist or are not for keys; see `svc key create --help`.",
            errors=wrong,
        )
    return frozenset(Scope(name) for name in asked)


def _of_a_key(value: object) -> Scope:
    if not isinstance(value, str):
        raise PydanticCustomError("wrong_type", "A scope is a text such as sms:send")
    if value in SESSION_ONLY:
        raise PydanticCustomError("session_only", ONLY_OF_A_SESSION)
    if value not in KEY_SCOPES:
        raise PydanticCustomError("not_allowed", "{said}", {"said": _unknown(value)})
    return Scope(value)


def _unknown(name: str) -> str:
    if name in SESSION_ONLY:
        return ONLY_OF_A_SESSION
    if (meant := nearest(name, KEY_SCOPES)) is not None:
        return f"This scope does not exist; did you mean {meant}?"
    return "This scope does not exist; the documentation lists those that do"


KeyScope = Annotated[
    Scope,
    PlainValidator(_of_a_key),
    WithJsonSchema(
        {"type": "string", "enum": [scope.value for scope in Scope if scope in KEY_SCOPES]}
    ),
]
