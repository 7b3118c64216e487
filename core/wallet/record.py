"""What is told of a wallet: its balances, its movements, their proof, and the prices. Amounts are
whole coins.
"""

from typing import Annotated, NotRequired, TypedDict

from core.foundation.records import (
    Column,
    Day,
    Doc,
    Id,
    Instant,
    LargeInt,
    Made,
    Record,
    UncountedPage,
    named,
)
from core.wallet.models import Ledger, TransferKind

COINS = "1 coin = 0.0001 BRL"


@named(rest="WalletBalance", graphql="Wallet")
class BalanceRecord(TypedDict):
    """What an organization has in the environment of the credential, in coins."""

    disponivelCoins: Annotated[LargeInt, Column("available"), Doc(f"What may be spent; {COINS}")]
    reservadoCoins: Annotated[
        LargeInt, Column("held"), Doc(f"Held for what is still to leave; {COINS}")
    ]
    devidoCoins: Annotated[
        LargeInt,
        Column("owed"),
        Doc(f"Owed for what could not be refused, and paid by the next credit; {COINS}"),
    ]
    limiteAvisoCoins: Annotated[
        LargeInt, Column("warn_below"), Doc(f"`wallet.low_balance` is sent below this; {COINS}")
    ]


BALANCE = Record(BalanceRecord)


@named(rest="WalletTransfer", graphql="WalletTransfer")
class TransferRecord(TypedDict):
    """One movement of coins from one account of the wallet to another."""

    id: Annotated[Id, Made(str, ("id",), sql="""'"' || id || '"'"""), Doc("Names the movement")]
    origem: Annotated[
        str, Column("origin"), Doc("The id of the message, reply, payment or quote behind it")
    ]
    tipo: Annotated[TransferKind, Column("kind"), Doc("What kind of movement it is")]
    de: Annotated[Ledger, Column("source"), Doc("The account that the coins left")]
    para: Annotated[Ledger, Column("target"), Doc("The account that they came to")]
    coins: Annotated[LargeInt, Doc(f"How many, always more than none; {COINS}")]
    createdAt: Annotated[Instant, Doc("When it was booked")]
    requestId: NotRequired[
        Annotated[str, Doc("The `X-Request-Id` of the request that made it, where one did")]
    ]
    quoteId: NotRequired[
        Annotated[str, Doc("The quote by which it was priced, or whose money it holds")]
    ]


TRANSFER = Record(TransferRecord)


@named(rest="WalletTransferPage")
class TransferPage(UncountedPage[TransferRecord]):
    """A page of movements, newest first."""


@named(rest="ProvedAccount")
class ProvedAccount(TypedDict):
    """One account: its balance, the sum of its movements, and the day in between."""

    conta: Annotated[Ledger, Doc("Which account it is")]
    saldoCoins: Annotated[LargeInt, Doc(f"The balance; {COINS}")]
    somaCoins: Annotated[
        LargeInt, Doc(f"The sum of all movements, which the balance has to equal; {COINS}")
    ]
    inicioDoDiaCoins: Annotated[LargeInt, Doc(f"The balance when that day began, in UTC; {COINS}")]
    entradasCoins: Annotated[LargeInt, Doc(f"Came in on that day; {COINS}")]
    saidasCoins: Annotated[LargeInt, Doc(f"Went out on that day; {COINS}")]
    fimDoDiaCoins: Annotated[LargeInt, Doc(f"The balance when that day ended, in UTC; {COINS}")]


@named(rest="Proof", graphql="WalletProof")
class Proof(TypedDict):
    """Whether the balances equal the sums of the movements."""

    dia: Annotated[Day, Doc("The day, in UTC, up to whose end the movements are added up")]
    confere: Annotated[
        bool, Doc("True when every balance equals the sum of its movements, up to now")
    ]
    contas: Annotated[list[ProvedAccount], Doc("The accounts of the wallet, one by one")]
    warnings: NotRequired[Annotated[list[str], Doc("What of the query was passed over")]]


class PriceBand(TypedDict):
    """From this ordinal of the month's segments on, each costs `coins`."""

    fromSegment: Annotated[int, Doc("The first segment of the month that costs so much")]
    coins: Annotated[LargeInt, Doc(f"What each segment costs; {COINS}")]


@named(rest="Prices")
class PriceList(TypedDict):
    """The prices that hold for the organization."""

    own: Annotated[bool, Doc("True where it has prices of its own, false for the published ones")]
    coinBrl: Annotated[float, Doc("What a coin is worth, in BRL")]
    sms: Annotated[
        dict[str, list[PriceBand]],
        Doc("Of a segment, by route: the bands that the month's segments run through"),
    ]
    rcs: Annotated[dict[str, LargeInt], Doc(f"Of a message, by route; {COINS}")]
    push: Annotated[dict[str, LargeInt], Doc(f"For one device, by `rateKind`; {COINS}")]
    smsReply: Annotated[LargeInt, Doc(f"Of a reply that a recipient sends; {COINS}")]
    email: Annotated[LargeInt, Doc(f"Of an e-mail; {COINS}")]
    conversationTemplate: Annotated[
        LargeInt,
        Doc(f"Of a template outside the service window; inside it costs nothing; {COINS}"),
    ]
