"""The zone that a contact lives by: the one it tells, else that of its area code."""

from functools import lru_cache
from zoneinfo import ZoneInfo

from phonenumbers import parse, timezone
from phonenumbers.phonenumberutil import NumberParseException

from core.foundation.validation.time_zones import zone_names

ZONE_ATTRIBUTE = "fuso"
HOME = ZoneInfo("America/Sao_Paulo")


def zone_of(told: str | None, phone: str) -> tuple[ZoneInfo, bool]:
    """The zone of a contact, and whether it told that itself."""
    if told is not None and told in zone_names():
        return ZoneInfo(told), True
    return _of_area(phone[:7]), False


@lru_cache(maxsize=4096)
def _of_area(prefix: str) -> ZoneInfo:
    """The zone of a phone's country and area code; São Paulo's where several are possible."""
    try:
        number = parse(prefix.ljust(14, "0"), None)
    except NumberParseException:
        return HOME
    names = timezone.time_zones_for_geographical_number(number)
    known = len(names) == 1 and names[0] in zone_names()
    return ZoneInfo(names[0]) if known else HOME
