"""Accepting SMS: ceiling and price of many sends at once, and then as every channel does.

The sandbox answers in-process, so acceptance, price, message, report and stored answer are written
together. A live send is recorded as `sending` with its price held, and handed to the provider
afterwards.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core import decisions, idempotency, messaging, wallet
from core.foundation.rules import Rule
from core.foundation.security.rate_limit import Grant
from core.foundation.settings import current
from core.messaging import (
    AcceptedSend,
    AcceptOutcome,
    AwaitingProvider,
    Channel,
    InProgress,
    Offer,
    OutcomePending,
)
from core.providers import registry
from core.sms.ceiling import ask_ceiling, give_back, within_ceiling
from core.sms.errors import AboveCeiling, NoProvider, QuoteOnlyRoute
from core.sms.rows import accepted_as, channel_of
from core.sms.send_request import SmsSendRequest

VERSION = f'"{decisions.VERSION}":{decisions.RULES_VERSION}'
CEILING, PRICE = Rule.CEILING.value, Rule.PRICE.value

Rates = dict[tuple[str, str], wallet.Rate]
"""By organization and route."""


@dataclass(slots=True)
class _Terms:
    """What the sends of a batch that are of one owner, route and length have in common."""

    price: int
    facts: str | None
    is_sendable: bool


async def accept_batch(requests: Sequence[SmsSendRequest]) -> list[AcceptOutcome | Exception]:
    """Record what can be sent, in one statement; what cannot may be a repeat, which is answered
    again.
    """
    return await _accept(requests, by_quote=False)


async def accept_quoted_batch(
    requests: Sequence[SmsSendRequest],
) -> list[AcceptOutcome | Exception]:
    """Accept sends that each name a quote, at no more than it promises."""
    return await _accept(requests, by_quote=True)


async def _accept(
    requests: Sequence[SmsSendRequest], *, by_quote: bool
) -> list[AcceptOutcome | Exception]:
    at = max([request.at for request in requests])
    firsts = list({request.use.scope: request for request in reversed(requests)}.values())[::-1]
    granted = await ask_ceiling(firsts)
    rates = await wallet.recent_rates({request.route for request in firsts}, at=at)
    within = within_ceiling(firsts, granted)
    offers = _offers(requests, {request.id for request in firsts}, within, rates, granted)
    if by_quote:
        outcomes = await messaging.write_by_quote(
            Channel.SMS, offers, present_price(rates), at=at, write=_write
        )
    else:
        outcomes = await _write(offers)
    repeats = []
    for request, outcome in zip(requests, outcomes, strict=True):
        if isinstance(outcome, AwaitingProvider) or (
            isinstance(outcome, AcceptedSend) and not outcome.replayed
        ):
            outcome.allowance = granted[request.owner]
        elif request.id in within and _is_repeat(outcome):
            repeats.append(request)
    await give_back(repeats)
    return outcomes


def _offers(
    requests: Sequence[SmsSendRequest],
    first_ids: set[str],
    within: set[str],
    rates: Rates,
    granted: dict[wallet.Owner, Grant],
) -> list[Offer[SmsSendRequest]]:
    """Each send with its price; why one is refused is asked of the first of each key."""
    terms: dict[tuple[wallet.Owner, tuple[str, str], int], _Terms] = {}
    offers = []
    for request in requests:
        alike = (request.owner, request.route, request.encoded.segments)
        if (of_it := terms.get(alike)) is None:
            of_it = terms[alike] = _Terms(
                price_of(request, rates),
                facts_of(request, rates, left=granted[request.owner].left),
                unsendable(request, rates) is None,
            )
        refusal: Exception | None = None
        if request.id in first_ids:
            if request.id not in within:
                refusal = AboveCeiling(granted[request.owner])
            elif not of_it.is_sendable:
                refusal = unsendable(request, rates)
        offers.append(Offer(request, of_it.price, refusal, facts=of_it.facts))
    return offers


async def _write(offers: Sequence[Offer[SmsSendRequest]]) -> list[AcceptOutcome | Exception]:
    return await messaging.accept_batch(
        channel_of([offer.request for offer in offers]),
        [
            accepted_as(
                offer.request,
                offer.price,
                forbidden=offer.forbidden,
                prepaid=offer.prepaid,
                facts=offer.facts,
            )
            for offer in offers
        ],
    )


batched_accept = messaging.BatchedAcceptance(accept_batch, accept_quoted_batch, concurrency=2)


def unsendable(request: SmsSendRequest, rates: Rates) -> Exception | None:
    """A route without a table price, a live send without a provider."""
    if request.route not in rates or not wallet.has_table_price(request.new.route):
        return QuoteOnlyRoute()
    if request.caller.env == "live" and not registry.carriers(Channel.SMS, request.new.route):
        return NoProvider()
    return None


def price_of(request: SmsSendRequest, rates: Rates) -> int:
    """What is held for a send."""
    if request.route not in rates or not current().charges:
        return 0
    return rates[request.route].price(request.encoded.segments)


def facts_of(request: SmsSendRequest, rates: Rates, *, left: int | None = None) -> str | None:
    """What is kept of the decision: the tokens that were `left` in this second, and how the price
    came about.
    """
    if (rate := rates.get(request.route)) is None:
        return None
    # Written by hand: this is done for every send.
    steps = ",".join([f"[{count},{coins}]" for count, coins in rate.steps(request.segments)])
    price = f'{{"volume":{rate.accepted},"faixas":[{steps}]}}'
    ceiling = "" if left is None else f'"{CEILING}":{{"restantes":{left}}},'
    return decisions.short_enough(f'{{{VERSION},{ceiling}"{PRICE}":{price}}}')


def present_price(rates: Rates) -> Callable[[SmsSendRequest, int], int]:
    """What so many segments of a send cost now."""
    return lambda request, segments: rates[request.route].price(segments)


def _is_repeat(outcome: AcceptOutcome | Exception) -> bool:
    """Whether another send had the key before: a replay spends nothing of the ceiling."""
    match outcome:
        case AcceptedSend():
            return outcome.replayed
        case InProgress(elsewhere=elsewhere):
            return elsewhere
        case OutcomePending() | idempotency.KeyReusedWithAnotherBody():
            return True
    return False
