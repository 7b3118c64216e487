"""Low balance warnings: once on the way down, armed again 10 % above."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from core import webhooks
from core.foundation.database.transactions import transaction
from core.wallet.ledger import Balance, Owner, lock_balances
from core.wallet.models import Wallet


def due_warnings(balance: Balance, *, refused: bool) -> list[str]:
    """The events that this balance calls for. `refused`: a send was just turned away for lack of
    money.
    """
    events = []
    if not balance.warned_low and balance.available < balance.warn_below:
        events.append("wallet.low_balance")
    if not balance.warned_depleted and (refused or balance.available == 0):
        events.append("wallet.depleted")
    return events


def armed_again(balance: Balance) -> bool:
    """Whether there is enough again for the next warning to mean something."""
    return balance.available * 10 >= balance.warn_below * 11 and balance.available > 0


async def warn_where_due(
    balances: Mapping[Owner, Balance], *, refused: Collection[Owner] = (), at: datetime
) -> None:
    """Give the warnings that balances call for, in a transaction of their own; none is opened where
    none is due.

    What was seen outside a transaction is looked at again under the lock, so no warning is given
    twice.
    """
    due = {
        owner
        for owner, balance in balances.items()
        if due_warnings(balance, refused=owner in refused)
        or ((balance.warned_low or balance.warned_depleted) and armed_again(balance))
    }
    if due:
        async with transaction():
            await warn(await lock_balances(due), refused=refused, at=at)


async def warn(
    balances: Mapping[Owner, Balance],
    *,
    refused: Iterable[Owner] = (),
    rising: bool = False,
    at: datetime,
) -> None:
    """Publish the warnings that these (locked) balances call for, and remember that they were
    given.

    `rising`: money came in, which warns of nothing, however little it was.
    """
    turned_away = set(refused)
    for owner, balance in balances.items():
        events = [] if rising else due_warnings(balance, refused=owner in turned_away)
        rearm = (balance.warned_low or balance.warned_depleted) and armed_again(balance)
        if not events and not rearm:
            continue
        organization_id, env = owner
        await Wallet.filter(organization_id=organization_id, env=env).update(
            warned_low="wallet.low_balance" in events or (balance.warned_low and not rearm),
            warned_depleted="wallet.depleted" in events or (balance.warned_depleted and not rearm),
        )
        data = {"saldoCoins": balance.available, "limiteCoins": balance.warn_below, "env": env}
        await webhooks.publish_many(
            [webhooks.NewEvent(*owner, event, data, at) for event in events], at=at
        )
