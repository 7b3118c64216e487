"""What the settings of every topic share: how they are read, switches, lists, and what counts as
unset.
"""

from typing import Literal
from urllib.parse import urlsplit

from pydantic_settings import BaseSettings, SettingsConfigDict

Switch = Literal["on", "off"]


class SettingsGroup(BaseSettings):
    """The settings of one topic. All of them become one class, so each name stands in one topic alone: those of
    validators too.
    """

    # Never by field name: a stray LOG_LEVEL or BASE_URL of the machine is not ours.
    model_config = SettingsConfigDict(frozen=True, extra="ignore")


def comma_separated(value: object) -> object:
    """The parts of a text, without those that are empty."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


def empty_is_unset(value: object) -> object:
    """None for an empty text: compose files hand on `NAME=` for what nobody set."""
    return value or None


def an_address_to_build_on(value: str | None) -> str | None:
    """An absolute http or https address, without a final slash."""
    if value is None:
        return None
    try:
        parts = urlsplit(value)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # its message repeats the value
        sound = False
    if not sound:
        raise ValueError("write an absolute http or https address")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError("write the address without credentials, query and fragment")
    return value.rstrip("/")
