"""Where a contact's clock stands, and when a time of day comes there."""

from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import phonenumbers
from phonenumbers import timezone

from core.foundation.validation.time_zones import is_zone

OF_THE_CONTACT = "contato"
"""In place of a zone: the one of each contact."""
ZONE_ATTRIBUTE = "fuso"
"""The attribute by which a contact names its zone."""
HOME = ZoneInfo("America/Sao_Paulo")
"""Where nothing else is known."""
BRAZIL = "+55"

# libphonenumber has one zone for a prefix, and for Recife that of Fernando de Noronha.
BY_AREA_CODE = {
    "65": "America/Cuiaba",
    "66": "America/Cuiaba",
    "67": "America/Campo_Grande",
    "68": "America/Rio_Branco",
    "69": "America/Porto_Velho",
    "92": "America/Manaus",
    "95": "America/Boa_Vista",
    "97": "America/Manaus",
}
"""Brazil's area codes that are not in the time of its east coast."""


def zone_of(attributes: Mapping[str, Any], phone: str) -> ZoneInfo:
    """The zone of a contact: what its attribute `fuso` says, else that of the phone, else São Paulo."""
    named = attributes.get(ZONE_ATTRIBUTE)
    if isinstance(named, str) and is_zone(named):
        return ZoneInfo(named)
    if phone.startswith(BRAZIL):
        return ZoneInfo(BY_AREA_CODE.get(phone[3:5], HOME.key))
    return _zone_abroad(phone)


def _zone_abroad(phone: str) -> ZoneInfo:
    try:
        zones = timezone.time_zones_for_number(phonenumbers.parse(phone))
    except phonenumbers.NumberParseException:
        return HOME
    return next((ZoneInfo(zone) for zone in zones if is_zone(zone)), HOME)


def next_clock(
    clock: str, zone: ZoneInfo, *, after: datetime, days: Collection[int] | None = None
) -> datetime:
    """The next instant, later than `after`, at which clocks of the zone show this time (`09:00`), on one of
    these days of the week (0 is Sunday).

    A time that a day leaves out is the first one that follows; of two, it is the first.
    """
    wanted = time.fromisoformat(clock)
    today = after.astimezone(zone).date()
    for ahead in range(9):
        day = today + timedelta(days=ahead)
        if days and day.isoweekday() % 7 not in days:
            continue
        instant = instant_of(day, wanted, zone)
        if instant > after:
            return instant
    raise AssertionError("every day of the week comes within nine days")


def instant_of(day: date, clock: time, zone: ZoneInfo) -> datetime:
    """When clocks of the zone show this time on this day, in UTC; where they leave it out, the first instant
    that follows.
    """
    shown = datetime.combine(day, clock)
    instant = shown.replace(tzinfo=zone).astimezone(UTC)
    while instant.astimezone(zone).replace(tzinfo=None) != shown:
        # No clock has been set forward by more than a day; minutes, because clocks are set at full ones.
        shown = shown.replace(second=0, microsecond=0) + timedelta(minutes=1)
        instant = shown.replace(tzinfo=zone).astimezone(UTC)
    return instant


def date_of(value: object, zone: ZoneInfo) -> datetime | None:
    """The instant that an attribute holds: a date, which begins at midnight of the zone, or a time, of the
    zone unless it names its own. None: it is neither.
    """
    if not isinstance(value, str):
        return None
    text = value.strip()
    try:
        if len(text) == len("2026-01-01"):
            return instant_of(date.fromisoformat(text), time(), zone)
        read = datetime.fromisoformat(text)
        if read.tzinfo is None:
            return instant_of(read.date(), read.time(), zone)
        return read.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
