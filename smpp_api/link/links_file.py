"""The file that names the operators: a TOML of `[[link]]`, each with what its SMSC wants to be told."""

import tomllib
from collections.abc import Sequence
from datetime import tzinfo
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    field_validator,
)

from core.foundation.settings import SettingsError
from core.providers.contracts import SmsRefusal
from smpp_api.wire.texts import Charset

MAX_LINKS = 20

IdFormat = Literal["text", "dec", "hex"]
Meaning = SmsRefusal | Literal["throttled", "out_of_credit", "not_taken"]
Numbering = tuple[Annotated[int, Field(ge=0, le=255)], Annotated[int, Field(ge=0, le=255)]]


class LinkSettings(BaseModel):
    """One operator."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,24}$")]
    host: Annotated[str, StringConstraints(min_length=1, max_length=255)]
    port: Annotated[int, Field(ge=1, le=65_535)] = 2775
    tls: bool = True
    system_id: Annotated[str, StringConstraints(max_length=15)]
    password: Annotated[str, StringConstraints(max_length=8)] = Field(repr=False)
    system_type: Annotated[str, StringConstraints(max_length=12)] = ""
    bind: Literal["transceiver", "pair"] = "transceiver"
    binds: Annotated[int, Field(ge=1, le=50)] = 1
    window: Annotated[int, Field(ge=1, le=1000)] = 10
    rate: Annotated[float, Field(gt=0, le=10_000)] | None = None
    source: Annotated[str, StringConstraints(max_length=20)] = ""
    alphanumeric: Numbering = (5, 0)
    short: Numbering = (3, 0)
    international: Numbering = (1, 1)
    charset: Charset = "gsm"
    long_texts: Literal["udh", "sar", "payload"] = "udh"
    service_types: dict[str, Annotated[str, StringConstraints(max_length=5)]] = {}
    response_ids: IdFormat = "text"
    receipt_ids: IdFormat = "text"
    receipt_id_after: Annotated[str, StringConstraints(min_length=1, max_length=40)] | None = None
    receipt_state_after: Annotated[str, StringConstraints(min_length=1, max_length=40)] = "stat:"
    receipt_zone: str = "UTC"
    ask_after: Annotated[int, Field(ge=0, le=1440)] = 60
    statuses: dict[Annotated[str, StringConstraints(pattern=r"^0x[0-9A-Fa-f]{1,8}$")], Meaning] = {}

    @field_validator("receipt_zone")
    @classmethod
    def _a_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError):
            raise ValueError("no such zone") from None
        return value

    @property
    def zone(self) -> tzinfo:
        """Of the times in receipts."""
        return ZoneInfo(self.receipt_zone)

    @property
    def meanings(self) -> dict[int, Meaning]:
        """Of statuses that this operator means otherwise than the specification does."""
        return {int(status, 16): meaning for status, meaning in self.statuses.items()}


class _LinksFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    link: Annotated[list[LinkSettings], Field(min_length=1, max_length=MAX_LINKS)]


def read_links(path: Path) -> Sequence[LinkSettings]:
    """The links in their order: a later one is asked where an earlier one clearly refuses. Raises
    SettingsError, which repeats no value.
    """
    try:
        text = path.read_text(encoding="utf-8")
        found = _LinksFile.model_validate(tomllib.loads(text)).link
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{path.name} is not read: {type(error).__name__}") from None
    except ValidationError as invalid:
        wrong = "; ".join(
            f"{'.'.join(map(str, one['loc']))}: {one['msg']}"
            for one in invalid.errors(include_input=False, include_url=False)
        )
        raise SettingsError(f"{path.name}: {wrong}") from None
    names = [one.name for one in found]
    if len(set(names)) < len(names):
        raise SettingsError(f"{path.name}: each link has a name of its own")
    return found
