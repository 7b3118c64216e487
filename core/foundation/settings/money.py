"""Whether sends are paid, and what payments and margins are counted by."""

from pydantic import Field, field_validator

from core.foundation.settings.group import SettingsGroup, Switch, empty_is_unset


class MoneySettings(SettingsGroup):
    """Whether sends are paid, and what payments and margins are counted by."""

    billing: Switch = Field(
        default="on",
        validation_alias="SVC_BILLING",
        description="on: every organization has wallets; off: nothing is charged",
    )
    payments_secret: str | None = Field(
        default=None,
        min_length=16,
        repr=False,
        validation_alias="SVC_PAYMENTS_SECRET",
        description=(
            "Secret that signs what a payment system posts about payments; without it, "
            "no such address"
        ),
        json_schema_extra={"secret": True},
    )
    coins_per_usd: int | None = Field(
        default=None,
        ge=1,
        le=10_000_000,
        validation_alias="SVC_COINS_PER_USD",
        description="Coins (0.0001 BRL) that a US dollar counts as in the margins of providers, "
        "such as 55000; without "
        "it, no margin is told",
    )

    _unset_of_money = field_validator("payments_secret", "coins_per_usd", mode="before")(
        empty_is_unset
    )

    @property
    def charges(self) -> bool:
        """Whether sends are paid from wallets."""
        return self.billing == "on"
