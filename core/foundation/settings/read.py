"""Every setting of the service, read once from the environment into one frozen object."""

from functools import lru_cache

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from core.foundation.settings.amazon import AmazonSettings
from core.foundation.settings.api import ApiSettings
from core.foundation.settings.database import DatabaseSettings
from core.foundation.settings.email import EmailSettings
from core.foundation.settings.files import FileSettings
from core.foundation.settings.meta import MetaSettings
from core.foundation.settings.money import MoneySettings
from core.foundation.settings.observability import ObservabilitySettings
from core.foundation.settings.retention import RetentionSettings
from core.foundation.settings.security import MAKE_KEY, SecuritySettings
from core.foundation.settings.sms import SmsSettings


class SettingsError(Exception):
    """One line that names the variable and what is wrong with it; never its value."""


class Settings(
    ObservabilitySettings,
    RetentionSettings,
    MetaSettings,
    EmailSettings,
    AmazonSettings,
    SmsSettings,
    FileSettings,
    MoneySettings,
    ApiSettings,
    SecuritySettings,
    DatabaseSettings,
):
    """The settings of one process: what is named last comes first. `svc settings` prints them with their meaning."""


def how_to_make(field: FieldInfo) -> str | None:
    """The command that makes a value of this setting, where there is one."""
    extra = field.json_schema_extra
    return str(extra["make"]) if isinstance(extra, dict) and "make" in extra else None


MADE = {
    str(field.validation_alias) for field in Settings.model_fields.values() if how_to_make(field)
}


def load() -> Settings:
    """Read the environment. Raises SettingsError with one line that names every wrong variable."""
    try:
        return Settings()
    except ValidationError as invalid:
        wrong: dict[str, list[str]] = {}
        for error in invalid.errors(include_input=False, include_url=False, include_context=False):
            reasons = wrong.setdefault(_variable(error["loc"]), [])
            if (reason := error["msg"].removeprefix("Value error, ")) not in reasons:
                reasons.append(reason)
        line = "; ".join(f"{name}: {', '.join(reasons)}" for name, reasons in wrong.items())
        made = f". A key is made by: {MAKE_KEY}" if wrong.keys() & MADE else ""
        raise SettingsError(f"Wrong settings: {line}{made}") from None


def _variable(location: tuple[int | str, ...]) -> str:
    """The variable that an error speaks of; one about a missing value comes under the field's own
    name.
    """
    name = str(location[0]) if location else "settings"
    field = Settings.model_fields.get(name)
    return str(field.validation_alias) if field else name


@lru_cache(maxsize=1)
def current() -> Settings:
    """The settings of this process, read on first use."""
    return load()
