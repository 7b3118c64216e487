"""Asking for prices that are kept: so many messages on a route, until a time."""

from datetime import datetime, timedelta
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from core import quotes, sms, wallet
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.security.caller import Caller
from core.foundation.settings import current
from core.foundation.validation.inputs import Input
from core.sms.errors import QuoteOnlyRoute
from core.sms.inputs import MAX_TEXT_LENGTH

MAX_MESSAGES = 10_000_000
MAX_ITEMS = 10
MAX_MINUTES = 1_440


class QuotedItem(Input):
    """Messages on one route."""

    canal: quotes.QuoteChannel = Field(description="The channel")
    rota: Annotated[str, StringConstraints(min_length=1, max_length=16)] = Field(
        description="The route, as sends of the channel name it"
    )
    quantidade: Annotated[int, Field(ge=1, le=MAX_MESSAGES)] = Field(
        description="How many messages are to be sent"
    )
    body: Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT_LENGTH)] | None = (
        Field(
            default=None,
            description="The text, which decides the segments of each message; without it each has one",
        )
    )


def _each_route_once(items: list[QuotedItem]) -> list[QuotedItem]:
    if len({(item.canal, item.rota) for item in items}) < len(items):
        raise PydanticCustomError("repeated", "Name each route once, with all its messages")
    return items


class NewQuote(Input):
    """Prices to promise."""

    itens: Annotated[
        list[QuotedItem],
        Field(min_length=1, max_length=MAX_ITEMS),
        AfterValidator(_each_route_once),
    ] = Field(description="What is to be sent, each route once")
    validade_minutos: Annotated[int, Field(ge=1, le=MAX_MINUTES)] = Field(
        default=5, description="For how many minutes the prices are kept; unless told, 5"
    )
    reservar: bool = Field(
        default=False,
        description="Hold what all of it costs: the money is there for these sends alone",
    )


async def create_quote(caller: Caller, new: NewQuote) -> quotes.QuoteRecord:
    """Promise the prices of now, band by band. Raises Forbidden, ValidationFailed, QuoteOnlyRoute for a
    route without a table price, and InsufficientBalance where the price cannot be held.
    """
    for item in new.itens:
        caller.require(quotes.SCOPES[item.canal].send)
    at = now()
    promised = await _priced(caller, new.itens, at=at)
    async with transaction():
        id = await quotes.store_quote(
            caller,
            promised,
            valid_until=at + timedelta(minutes=new.validade_minutos),
            reserve=new.reservar,
            at=at,
        )
        return await quotes.read_quote(caller, id)


async def _priced(
    caller: Caller, items: list[QuotedItem], *, at: datetime
) -> list[quotes.PromisedItem]:
    _check_routes(items)
    rates = await wallet.read_rates([(caller.organization_id, item.rota) for item in items], at=at)
    promised = []
    for item in items:
        rate = rates.get((caller.organization_id, item.rota))
        if rate is None or not wallet.has_table_price(item.rota):
            raise QuoteOnlyRoute
        each = 1 if item.body is None else sms.encode_sms(item.body).segments
        segments = item.quantidade * each
        promised.append(
            quotes.PromisedItem(
                channel=item.canal,
                route=item.rota,
                messages=item.quantidade,
                steps=rate.steps(segments) if current().charges else [(segments, 0)],
            )
        )
    return promised


def _check_routes(items: list[QuotedItem]) -> None:
    """Raises ValidationFailed with every route that the channel does not have."""
    routes = {route.value for route in sms.SmsRoute}
    errors = [
        FieldError(
            "pointer", f"/itens/{place}/rota", "not_allowed", "The channel has no such route"
        )
        for place, item in enumerate(items)
        if item.rota not in routes
    ]
    if errors:
        raise ValidationFailed(errors=errors)
