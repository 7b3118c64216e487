"""The shape of what providers asked for messages."""

from pydantic import Field

from rest_api.support.shapes import ListAnswer, Out


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


class ProviderCosts(ListAnswer):
    """What providers asked for live messages, group by group."""

    items: list[ProviderCost] = Field(description="The dearest group first")
