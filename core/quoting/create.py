"""Asking for prices that are kept: so many messages on a route, until a time."""

from datetime import timedelta
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from core import quotes, wallet
from core.channels.prices import CHANNELS, steps_of
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import Input
from core.foundation.validation.validation_errors import across
from core.quoting.audience import count_list, count_segment
from core.sms.inputs import MAX_TEXT_LENGTH

MAX_MESSAGES = 10_000_000
MAX_ITEMS = 10
MAX_MINUTES = 1_440


class QuotedItem(Input):
    """Messages on one route."""

    canal: quotes.QuoteChannel = Field(description="The channel")
    rota: Annotated[str, StringConstraints(min_length=1, max_length=16)] = Field(
        description="The route, as sends of the channel name it; of e-mails, their category"
    )
    quantidade: Annotated[int, Field(ge=1, le=MAX_MESSAGES)] | None = Field(
        default=None, description="How many messages are to be sent"
    )
    segment_id: Annotated[str, StringConstraints(min_length=1, max_length=30)] | None = Field(
        default=None,
        description="Or one for each contact of this segment with an address on the channel",
    )
    list_id: Annotated[str, StringConstraints(min_length=1, max_length=30)] | None = Field(
        default=None,
        validate_default=True,
        description="Or one for each contact on this list with an address on the channel",
    )
    body: Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT_LENGTH)] | None = (
        Field(
            default=None,
            description=(
                "The text of an SMS, which decides its segments, or of the SMS that stands in for an "
                "RCS message; without it, one segment, and no SMS"
            ),
        )
    )

    @across("quantidade", "segment_id", "list_id")
    @staticmethod
    def _one_audience(quantidade: int | None, segment_id: str | None, list_id: str | None) -> None:
        if [quantidade, segment_id, list_id].count(None) != 2:
            raise PydanticCustomError("required", "Send one of quantidade, segmentId and listId")


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
    """Promise the prices of now, band by band. Raises Forbidden, ValidationFailed,
    PreconditionFailed for a route without a price, and InsufficientBalance where the price cannot
    be held.
    """
    for item in new.itens:
        caller.require(item.canal.facts.send)
    at = now()
    _check_routes(new.itens)
    prices = await wallet.price_sheet(caller.organization_id, at=at)
    promised = [
        await _promised(caller, place, item, prices) for place, item in enumerate(new.itens)
    ]
    async with transaction():
        id = await quotes.store_quote(
            caller,
            promised,
            valid_until=at + timedelta(minutes=new.validade_minutos),
            reserve=new.reservar,
            at=at,
        )
        return await quotes.read_quote(caller, id)


async def _promised(
    caller: Caller, place: int, item: QuotedItem, prices: wallet.PriceSheet
) -> quotes.PromisedItem:
    messages = await _messages(caller, place, item)
    asked = quotes.QuotedSend(route=item.rota, messages=messages, body=item.body)
    steps = steps_of(item.canal, prices, asked)
    return quotes.PromisedItem(channel=item.canal, route=item.rota, messages=messages, steps=steps)


async def _messages(caller: Caller, place: int, item: QuotedItem) -> int:
    if item.segment_id is not None:
        pointer = f"/itens/{place}/segmentId"
        return await count_segment(caller, item.canal, item.segment_id, pointer=pointer)
    if item.list_id is not None:
        pointer = f"/itens/{place}/listId"
        return await count_list(caller, item.canal, item.list_id, pointer=pointer)
    assert item.quantidade is not None, "one of the three is there"
    return item.quantidade


def _check_routes(items: list[QuotedItem]) -> None:
    """Raises ValidationFailed with every route that its channel does not have."""
    errors = [
        FieldError(
            "pointer", f"/itens/{place}/rota", "not_allowed", "The channel has no such route"
        )
        for place, item in enumerate(items)
        if item.rota not in CHANNELS[item.canal].routes
    ]
    if errors:
        raise ValidationFailed(errors=errors)
