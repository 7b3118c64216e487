"""`svc settings`: everything that can be set, and what holds here and now."""

import os
import re
from typing import TYPE_CHECKING, Any

from cli.failures import in_one_line
from cli.output import Record, show

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

HIDDEN = "***"
PASSWORDS = re.compile(r"(?<=://)([^/@:]*):[^/@]*(?=@)|(?<=[?&]password=)[^&]*")
"""In an address: between the user and the @, or among the options."""


def settings() -> None:
    """List every setting with its meaning, its default and its value here; secrets are hidden."""
    from core.foundation.settings import Settings, load

    try:
        load()
        problem = None
    except Exception as error:
        problem = in_one_line(error)
    entries = [_entry(field) for field in Settings.model_fields.values()]
    lines = [*map(_lines, entries), *([problem] if problem else [])]
    show({"settings": entries, "problem": problem}, text="\n".join(lines))


def _entry(field: "FieldInfo") -> dict[str, Any]:
    name = str(field.validation_alias)
    given = os.environ.get(name)
    default = None if field.is_required() else _text(field.default)
    return {
        "name": name,
        "meaning": field.description,
        "required": field.is_required(),
        "default": default,
        "value": default if given is None else _shown(given, secret=_is_secret(field)),
        "isSet": given is not None,
    }


def _lines(entry: Record) -> str:
    value = entry["value"] or ("" if entry["isSet"] else "(none)")
    if entry["required"]:
        remark = "" if entry["isSet"] else "   REQUIRED"
    else:
        remark = f"   (default: {entry['default'] or 'none'})" if entry["isSet"] else "   (default)"
    return f"{entry['name']} = {value}{remark}\n    {entry['meaning']}"


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
