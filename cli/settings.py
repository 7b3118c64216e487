"""`svc settings`: everything that can be set, and what holds here and now."""

import os
import re
from typing import TYPE_CHECKING, Any

from cli.failures import in_one_line
from cli.output import Record

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

HIDDEN = "***"
PASSWORDS = re.compile(r"(?<=://)([^/@:]*):[^/@]*(?=@)|(?<=[?&]password=)[^&]*")
"""In an address: between the user and the @, or among the options."""


def settings() -> Record:
    """List every setting with its meaning, its default and its value; secrets are hidden.

    `problem` is what is wrong with them, in one line, or nothing.
    """
    from core.foundation.settings import Settings, load

    try:
        load()
        problem = None
    except Exception as error:
        problem = in_one_line(error)
    return {"settings": [_entry(field) for field in Settings.model_fields.values()], "problem": problem}


def _entry(field: "FieldInfo") -> dict[str, Any]:
    name = str(field.validation_alias)
    value = os.environ.get(name)
    return {
        "name": name,
        "meaning": field.description,
        "default": "required" if field.is_required() else _text(field.default),
        "value": None if value is None else _shown(value, secret=_is_secret(field)),
    }


def _is_secret(field: "FieldInfo") -> bool:
    extra = field.json_schema_extra
    return isinstance(extra, dict) and bool(extra.get("secret"))


def _shown(value: str, *, secret: bool) -> str:
    if secret:
        return HIDDEN if value else ""
    return PASSWORDS.sub(lambda found: f"{found[1]}:{HIDDEN}" if found[1] is not None else HIDDEN, value)


def _text(default: Any) -> str | None:
    """A default as one would write it in the environment."""
    if default is None:
        return None
    return ",".join(map(str, default)) if isinstance(default, tuple) else str(default)
