"""The steps of a journey, one model for each kind."""

from typing import Annotated, Literal

from pydantic import Field

from core.foundation.validation.inputs import ByItsPlace, Input
from core.foundation.validation.names import NameText
from core.journeys.models import JourneyCardStep
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
    id: StepId = Field(description="Names the step in the journey")
    label: Annotated[str, NameText(120)] | None = Field(
        default=None, alias="rotulo", description="What people call it"
    )


class _LinearStep(_StepBase):
    next: StepId | None = Field(
        default=None, alias="proximo", description="Left out, the run ends here"
    )


class MessageStep(_LinearStep):
    """Sends a message."""

    kind: Literal["mensagem"] = Field(alias="tipo", description="What the step does")
    config: MessageConfig = Field(description="What it needs to know")


class WaitStep(_LinearStep):
    """Waits."""

    kind: Literal["espera"] = Field(alias="tipo", description="What the step does")
    config: WaitConfig = Field(description="What it needs to know")


class AwaitEventStep(_StepBase):
    """Waits for a customer event."""

    kind: Literal["aguardarEvento"] = Field(alias="tipo", description="What the step does")
    config: AwaitEventConfig = Field(description="What it needs to know")


class ConditionStep(_StepBase):
    """Goes one of two ways."""

    kind: Literal["condicao"] = Field(alias="tipo", description="What the step does")
    config: ConditionConfig = Field(description="What it needs to know")


class SplitStep(_StepBase):
    """Goes one of several ways, by share."""

    kind: Literal["divisao"] = Field(alias="tipo", description="What the step does")
    config: SplitConfig = Field(description="What it needs to know")


class UpdateContactStep(_LinearStep):
    """Changes the contact."""

    kind: Literal["atualizarContato"] = Field(alias="tipo", description="What the step does")
    config: UpdateContactConfig = Field(description="What it needs to know")


class CardStep(_LinearStep):
    """Creates a card for the contact, or moves the one it has on the pipeline."""

    kind: Literal[JourneyCardStep.CREATE, JourneyCardStep.MOVE] = Field(
        alias="tipo", description="What the step does"
    )
    config: CardConfig = Field(description="What it needs to know")


class WebhookStep(_LinearStep):
    """Calls another system."""

    kind: Literal["webhook"] = Field(alias="tipo", description="What the step does")
    config: WebhookConfig = Field(description="What it needs to know")


class ExitStep(_StepBase):
    """Ends the run."""

    kind: Literal["saida"] = Field(alias="tipo", description="What the step does")
    config: ExitConfig = Field(default=ExitConfig(), description="What it needs to know")


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
