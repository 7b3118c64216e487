"""`svc settings`: everything that can be set, and what holds here and now."""

import difflib
import os
import re
from typing import TYPE_CHECKING, Any

from cli.failures import in_one_line
from cli.output import Record, show

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

BESIDE = frozenset({"SVC_DEV_URL", "SVC_KEY", "SVC_SHARED_COUNTS", "SVC_TRACEBACK"})
"""Variables of ours that are no settings of the service."""

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
    unknown = unknown_settings()
    lines = [
        *map(_lines, entries),
        *(f"UNKNOWN: {told}" for told in unknown),
        *([problem] if problem else []),
    ]
    show({"settings": entries, "unknown": unknown, "problem": problem}, text="\n".join(lines))


def unknown_settings() -> list[str]:
    """What is set and looks like ours but is not read by anything: often a slip of the pen."""
    from core.foundation.settings import Settings

    known = {str(field.validation_alias) for field in Settings.model_fields.values()}
    strangers = sorted(
        name for name in os.environ if name.startswith("SVC_") and name not in known | BESIDE
    )
    return [_with_suggestion(name, known) for name in strangers]


def _with_suggestion(name: str, known: set[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"{name} is no setting; did you mean {near[0]}?" if near else f"{name} is no setting"


def _entry(field: "FieldInfo") -> dict[str, Any]:
    from core.foundation.settings import how_to_make

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
        "make": how_to_make(field),
    }


def _lines(entry: Record) -> str:
    value = entry["value"] or ("" if entry["isSet"] else "(none)")
    if entry["required"]:
        remark = "" if entry["isSet"] else "   REQUIRED"
    else:
        remark = f"   (default: {entry['default'] or 'none'})" if entry["isSet"] else "   (default)"
    make = f"\n    make one: {entry['make']}" if entry["make"] else ""
    return f"{entry['name']} = {value}{remark}\n    {entry['meaning']}{make}"


def _is_secret(field: "FieldInfo") -> bool:
    extra = field.json_schema_extra
    return isinstance(extra, dict) and bool(extra.get("secret"))


def _shown(value: str, *, secret: bool) -> str:
    if secret:
        return HIDDEN if value else ""
    return PASSWORDS.sub(
        lambda found: f"{found[1]}:{HIDDEN}" if found[1] is not None else HIDDEN, value
    )


def _text(default: Any) -> str | None:
    """A default as one would write it in the environment."""
    if default is None:
        return None
    return ",".join(map(str, default)) if isinstance(default, tuple) else str(default)
