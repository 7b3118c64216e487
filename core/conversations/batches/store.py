"""Storing a batch and its totals; a batch is paid for whole or refused."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.conversations.models import BatchKind, MessageBatch
from core.conversations.sending.send_request import AcceptedMessage, Outcome
from core.foundation.database.tenancy import owned_by
from core.foundation.security.caller import Caller
from core.wallet import InsufficientBalance


@dataclass(frozen=True, slots=True)
class NewBatch:
    """What the messages of a batch have in common, and how many there are."""

    id: str
    kind: BatchKind
    number_id: str | None
    template_id: str | None
    campaign_id: str | None
    accepted: int
    refused: int
    coins: int


async def store_batch(caller: Caller, batch: NewBatch, *, at: datetime) -> None:
    """Write a batch down, in the transaction of its messages."""
    await MessageBatch.create(
        id=batch.id,
        **owned_by(caller),
        kind=batch.kind,
        number_id=batch.number_id,
        template_id=batch.template_id,
        campaign_id=batch.campaign_id,
        accepted=batch.accepted,
        refused=batch.refused,
        coins_estimated=batch.coins,
        created_at=at,
    )


def coins_of(outcomes: Sequence[Outcome]) -> int:
    """What is held for those that were accepted."""
    return sum(one.coins for one in outcomes if isinstance(one, AcceptedMessage))


def refuse_unpaid(outcomes: Sequence[Outcome]) -> None:
    """A batch is paid for whole or not at all: nobody wants half a campaign. Raises
    InsufficientBalance.
    """
    unpaid = [one for one in outcomes if isinstance(one, InsufficientBalance)]
    if unpaid:
        held = coins_of(outcomes)
        needed = held + sum(one.meta["necessarioCoins"] for one in unpaid)
        raise InsufficientBalance(available=held + unpaid[-1].meta["saldoCoins"], needed=needed)
