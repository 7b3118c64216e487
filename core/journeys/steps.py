"""The steps of a journey, one model for each kind."""

from typing import Annotated, Literal

from pydantic import Field

from core.foundation.validation.inputs import ByItsPlace, Input
from core.foundation.validation.names import NameText
from core.journeys.step_configs import (
    AwaitEventConfig,
    CardConfig,
    ConditionConfig,
    ExitConfig,
    MessageConfig,
    SplitConfig,
    StepId,
    UpdateContactConfig,
    WaitConfig,
    WebhookConfig,
)


class _StepBase(Input):
    id: StepId
    label: Annotated[str, NameText(120)] | None = Field(default=None, alias="rotulo")


class _LinearStep(_StepBase):
    next: StepId | None = Field(
        default=None, alias="proximo", description="Left out, the run ends here"
    )


class MessageStep(_LinearStep):
    """Sends a message."""

    kind: Literal["mensagem"] = Field(alias="tipo")
    config: MessageConfig


class WaitStep(_LinearStep):
    """Waits."""

    kind: Literal["espera"] = Field(alias="tipo")
    config: WaitConfig


class AwaitEventStep(_StepBase):
    """Waits for a customer event."""

    kind: Literal["aguardarEvento"] = Field(alias="tipo")
    config: AwaitEventConfig


class ConditionStep(_StepBase):
    """Goes one of two ways."""

    kind: Literal["condicao"] = Field(alias="tipo")
    config: ConditionConfig


class SplitStep(_StepBase):
    """Goes one of several ways, by share."""

    kind: Literal["divisao"] = Field(alias="tipo")
    config: SplitConfig


class UpdateContactStep(_LinearStep):
    """Changes the contact."""

    kind: Literal["atualizarContato"] = Field(alias="tipo")
    config: UpdateContactConfig


class CardStep(_LinearStep):
    """Creates a card for the contact, or moves the one it has on the pipeline."""

    kind: Literal["cardCriar", "cardMover"] = Field(alias="tipo")
    config: CardConfig


class WebhookStep(_LinearStep):
    """Calls another system."""

    kind: Literal["webhook"] = Field(alias="tipo")
    config: WebhookConfig


class ExitStep(_StepBase):
    """Ends the run."""

    kind: Literal["saida"] = Field(alias="tipo")
    config: ExitConfig = ExitConfig()


AnyStep = (
    MessageStep
    | WaitStep
    | AwaitEventStep
    | ConditionStep
    | SplitStep
    | UpdateContactStep
    | CardStep
    | WebhookStep
    | ExitStep
)
Step = Annotated[AnyStep, Field(discriminator="kind"), ByItsPlace]
