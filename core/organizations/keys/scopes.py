"""The scopes that a key can hold, by name."""

from typing import Annotated

from pydantic import PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from core.foundation.errors import ValidationFailed
from core.foundation.security.caller import DEFAULT_KEY_SCOPES, KEY_SCOPES, SESSION_ONLY, Scope
from core.foundation.validation.nearest import nearest


def scopes_named(names: str | None) -> frozenset[Scope]:
    """`all`, a comma-separated list, or None for the default. Raises ValidationFailed."""
    if names is None:
        return DEFAULT_KEY_SCOPES
    if names == "all":
        return KEY_SCOPES
    asked = {name.strip() for name in names.split(",") if name.strip()}
    if not asked or not asked <= KEY_SCOPES:
        raise ValidationFailed(
            "Some of the scopes do not exist or are not for keys; see `svc key create --help`."
        )
    return frozenset(Scope(name) for name in asked)


def _of_a_key(value: object) -> Scope:
    if not isinstance(value, str):
        raise PydanticCustomError("wrong_type", "A scope is a text such as sms:send")
    if value in SESSION_ONLY:
        raise PydanticCustomError(
            "session_only", "Only a session holds this scope; a key never does"
        )
    if value not in KEY_SCOPES:
        raise PydanticCustomError("not_allowed", "{said}", {"said": _unknown(value)})
    return Scope(value)


def _unknown(name: str) -> str:
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
