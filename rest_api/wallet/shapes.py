"""The shapes of wallets and prices. All amounts are whole coins; 1 coin = 0.0001 BRL."""

from typing import Literal

from pydantic import Field

from rest_api.support.shapes import Listed, Out, Timestamp


class WalletBalance(Out):
    """What an organization has in one environment."""

    disponivel_coins: int
    reservado_coins: int
    devido_coins: int
    limite_aviso_coins: int


class WalletTransfer(Out):
    """One movement. `origem` is the message, reply or payment behind it."""

    id: str
    origem: str
    tipo: Literal["credito", "reserva", "captura", "liberacao", "ajuste"]
    de: str
    para: str
    coins: int
    request_id: str | None = None
    created_at: Timestamp


class WalletTransferPage(Listed):
    """A page of movements, newest first."""

    items: list[WalletTransfer]
    next_cursor: str | None = None


class ProvedAccount(Out):
    """One account: its balance, the sum of its movements, and the day in between."""

    conta: str
    saldo_coins: int
    soma_coins: int
    inicio_do_dia_coins: int
    entradas_coins: int
    saidas_coins: int
    fim_do_dia_coins: int


class Proof(Listed):
    """`confere` is true when every balance equals the sum of its movements."""

    dia: str
    confere: bool
    contas: list[ProvedAccount]


class PriceBand(Out):
    """From this ordinal of the month's segments on, each costs `coins`."""

    from_segment: int
    coins: int


class Prices(Out):
    """The prices that hold for the organization."""

    own: bool
    coin_brl: float = Field(alias="coinBrl")
    sms: dict[str, list[PriceBand]]
    rcs: dict[str, int]
    push: dict[str, int]
    sms_reply: int
    email: int
    conversation_template: int


class ProviderCost(Out):
    """What a provider asked for the messages of a group, beside what was charged for them."""

    group: str | None = Field(
        description="The route, country or carrier; null where the provider named none"
    )
    provider: str = Field(description="Who carried the messages")
    messages: int = Field(description="How many of them it told the cost of")
    parts: int = Field(description="Their parts, as the provider counts them")
    segments: int = Field(description="Their segments, as they were charged")
    currency: str = Field(description="That of the provider's amounts, by ISO 4217")
    amount: str = Field(description="What the provider asked, as an exact number")
    fee: str = Field(description="What carriers add to it, as an exact number")
    charged_coins: int = Field(description="What was charged for them")
    cost_coins: int | None = Field(
        default=None, description="Amount and fee in coins, where the operator set a rate"
    )
    margin_coins: int | None = Field(
        default=None, description="Charged less cost, where the operator set a rate"
    )


class ProviderCosts(Listed):
    """What providers asked for live messages, group by group."""

    items: list[ProviderCost] = Field(description="The dearest group first")
