"""The price list of an organization: the published one, or its own."""

from collections.abc import Collection, Mapping
from typing import Any

from core import audit
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.security.caller import Caller, Scope, system_caller
from core.wallet.models import PriceTable
from core.wallet.price_table import (
    CONVERSATION_TEMPLATE,
    EMAIL,
    PUSH,
    RCS,
    SMS,
    SMS_REPLY,
    Band,
    bands_of,
    defects_of,
)
from core.wallet.rates import forget_rates
from core.wallet.record import PriceList
from core.wallet.unit_prices import forget_unit_prices

OTHER = {"smsReply": SMS_REPLY, "email": EMAIL, "conversationTemplate": CONVERSATION_TEMPLATE}
BY_ROUTE: dict[str, Collection[str]] = {"sms": (*SMS, "la_dedicada"), "rcs": RCS, "push": PUSH}
"""What has a price of its own in each section. That of la_dedicada is agreed upon; here it has no
effect.
"""
READ_ONLY_FIELDS = ("own", "coinBrl")
"""What `prices_of` answers besides, and a table made of its answer still has."""
COIN_BRL = 0.0001
MAX_PRICE = 10**9
"""Coins of a price, and segments of a month: far above all that is sold, and a slip of the unit
beyond it.
"""


async def get_prices(caller: Caller) -> PriceList:
    """The prices in coins that hold for the caller's organization."""
    caller.require(Scope.WALLET_READ)
    return await prices_of(caller.organization_id)


async def prices_of(organization_id: str) -> PriceList:
    """The prices in coins that hold for the organization: the published ones, or its own."""
    own = await PriceTable.get_or_none(organization_id=organization_id)
    sms = {route: bands_of(pairs) for route, pairs in own.sms.items()} if own else SMS
    other = {**OTHER, **own.other} if own else OTHER
    return {
        "own": own is not None,
        "coinBrl": COIN_BRL,
        "sms": {
            route: [{"fromSegment": band.from_segment, "coins": band.coins} for band in bands]
            for route, bands in sms.items()
        },
        "rcs": own.rcs if own else RCS,
        "push": own.push if own else PUSH,
        "smsReply": other["smsReply"],
        "email": other["email"],
        "conversationTemplate": other["conversationTemplate"],
    }


async def set_prices(organization_id: str, table: Mapping[str, object] | None) -> PriceList:
    """Give an organization its own table, in the shape that `prices_of` answers; None: the
    published one again.

    A section that is left out keeps the published prices; a route that is left out of one has no
    price any more. Raises ValidationFailed.
    """
    _refuse_unknown(table or {})
    _refuse_another_unit(table or {})
    forget_rates(organization_id)
    forget_unit_prices(organization_id)
    at = now()
    # An organization has one price list; what concerns it as a whole is told in production.
    owner = system_caller(organization_id, "live")
    async with transaction():
        if table is not None:
            await PriceTable.update_or_create(
                organization_id=organization_id, defaults={**_columns(table), "updated_at": at}
            )
            sections = [name for name in ("sms", "rcs", "push", *OTHER) if name in table]
            await audit.write_entry(
                owner, "prices.set", organization_id, {"sections": sections}, at=at
            )
        elif await PriceTable.filter(organization_id=organization_id).delete():
            await audit.write_entry(owner, "prices.cleared", organization_id, at=at)
    return await prices_of(organization_id)


def _refuse_unknown(table: Mapping[str, object]) -> None:
    """A misspelt route would leave the one that was meant without a price."""
    unknown = [f"/{name}" for name in table if name not in (*BY_ROUTE, *OTHER, *READ_ONLY_FIELDS)]
    for section, known in BY_ROUTE.items():
        routes = table.get(section)
        unknown += (
            [f"/{section}/{name}" for name in routes if name not in known]
            if isinstance(routes, Mapping)
            else []
        )
    if unknown:
        message = "Nothing of this name is priced"
        raise ValidationFailed(
            errors=[FieldError("pointer", where, "unknown_field", message) for where in unknown]
        )


def _refuse_another_unit(table: Mapping[str, object]) -> None:
    """Whoever writes another coin than ours means other prices than would hold."""
    if table.get("coinBrl", COIN_BRL) != COIN_BRL:
        message = f"prices are in coins of {COIN_BRL} BRL; write them so, or leave this out"
        raise ValidationFailed(errors=[FieldError("pointer", "/coinBrl", "not_allowed", message)])


def _columns(table: Mapping[str, Any]) -> dict[str, Any]:
    sms = {
        route: _bands(route, entries)
        for route, entries in _section("sms", table.get("sms", {})).items()
    }
    return {
        "sms": {
            route: [[band.from_segment, band.coins] for band in bands]
            for route, bands in (sms or SMS).items()
        },
        "rcs": _coins("rcs", table.get("rcs", RCS)),
        "push": _coins("push", table.get("push", PUSH)),
        "other": _coins("", {name: table.get(name, coins) for name, coins in OTHER.items()}),
    }


def _bands(route: str, entries: Any) -> tuple[Band, ...]:
    try:
        bands = tuple(
            Band(_whole(entry["fromSegment"]), _whole(entry["coins"])) for entry in entries
        )
        defect = defects_of(bands)
    except (TypeError, KeyError, ValueError):
        defect = (
            f"a list of {{fromSegment, coins}} in whole numbers up to {MAX_PRICE:,} is expected"
        )
    if defect:
        raise ValidationFailed(
            errors=[FieldError("pointer", f"/sms/{route}", "wrong_format", defect)]
        )
    return bands


def _section(name: str, value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise ValidationFailed(
            errors=[FieldError("pointer", f"/{name}", "wrong_type", "an object is expected")]
        )
    return value


def _whole(value: object) -> int:
    if type(value) is not int or value > MAX_PRICE:
        raise TypeError
    return value


def _coins(section: str, value: object) -> dict[str, int]:
    prices = _section(section, value)
    right = {
        name: coins
        for name, coins in prices.items()
        if type(coins) is int and 0 <= coins <= MAX_PRICE
    }
    wrong = [name for name in prices if name not in right]
    message = f"whole coins from 0 to {MAX_PRICE:,} are expected"
    if wrong:
        places = [f"{section and '/' + section}/{name}" for name in wrong]
        raise ValidationFailed(
            errors=[FieldError("pointer", place, "wrong_type", message) for place in places]
        )
    return right
