"""Numbers and Instagram accounts for tests."""

from typing import Any

from core import numbers
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.numbers import InstagramAccount, Number

_drawn = iter(range(10_000_000, 99_999_999))


def a_phone() -> str:
    """A Brazilian mobile that no other test has."""
    return f"+55119{next(_drawn)}"


async def a_number(caller: Caller, **fields: Any) -> Number:
    """A number of the caller's environment that sends at once, unless `fields` say otherwise; live
    ones have ids.

    `fields`: columns of the model, and `token`.
    """
    token = fields.pop("token", None)
    body: dict[str, Any] = {"phone": fields.pop("phone", None) or a_phone(), "name": "Loja"}
    if caller.env == "live":
        body["platform"] = {"phoneNumberId": some_digits(), "wabaId": some_digits(), "token": token}
        fields = {"status": "connected", "quality_rating": "green", **fields}
    id = (await numbers.create_number(caller, numbers.NewNumber.model_validate(body)))["id"]
    if fields:
        await Number.filter(id=id).update(**fields)
    return await Number.get(id=id)


async def an_instagram_account(caller: Caller, **fields: Any) -> InstagramAccount:
    """An account of the caller's environment; live ones have the platform's id."""
    body = {"username": "loja", **fields}
    if caller.env == "live":
        body.setdefault("instagramId", some_digits())
    new = numbers.NewInstagramAccount.model_validate(body)
    return await InstagramAccount.get(
        id=(await numbers.create_instagram_account(caller, new))["id"]
    )


def some_digits() -> str:
    """An id such as the platform gives."""
    return str(int.from_bytes(new_id("x").encode()) % 10**15)
