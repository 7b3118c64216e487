"""Inputs of flows, and the shape of `flowJson`."""

from itertools import islice
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from core.flows.models import FlowCategory, FlowStatus, MetaStatus
from core.foundation.validation.inputs import Changes, Input, KeptWhenLeftOut, SkipPage
from core.foundation.validation.json_field import FreeObject, values_in
from core.foundation.validation.names import NameText
from core.foundation.validation.validation_errors import across

VERSION = "6.2"
DATA_API_VERSION = "3.0"
MAX_SCREENS = 50
MAX_CHILDREN = 200
MAX_VALUES = 20_000
"""In all screens together, however deep: each costs memory wherever flows are read."""

Version = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,3}\.[0-9]{1,3}$")]
ScreenId = Annotated[str, StringConstraints(min_length=1, max_length=80)]


class _PlatformFlowInput(Input):
    """Names with underscores, as in the platform's own documents."""

    model_config = ConfigDict(alias_generator=None)


class FlowLayout(_PlatformFlowInput):
    """What stands on a screen, from top to bottom. A child is kept as it is given; validation looks
    into it.
    """

    type: Literal["SingleColumnLayout"] = Field(description="How its parts lie: in one column")
    children: Annotated[list[FreeObject], Field(max_length=MAX_CHILDREN)] = Field(
        description="The parts, from top to bottom"
    )


class FlowScreen(_PlatformFlowInput):
    """One screen. `data` declares what `${data.…}` on it may name."""

    id: ScreenId = Field(description="Names the screen in the flow")
    title: Annotated[str, StringConstraints(max_length=80)] | None = Field(
        default=None, description="What stands above it"
    )
    terminal: bool | None = Field(default=None, description="The flow may end here")
    success: bool | None = Field(
        default=None, description="Ending here means that the flow succeeded"
    )
    refresh_on_back: bool | None = Field(
        default=None,
        description="Its data are asked for again when the person comes back to it",
    )
    sensitive: (
        Annotated[list[Annotated[str, StringConstraints(max_length=80)]], Field(max_length=100)]
        | None
    ) = Field(default=None, description="The fields whose answers are not shown in the summary")
    data: FreeObject | None = Field(
        default=None, description="Declares what `${data.…}` on it may name"
    )
    layout: FlowLayout | None = Field(default=None, description="What stands on it")


class FlowJson(_PlatformFlowInput):
    """The screens of a flow and the ways between them."""

    version: Version = Field(
        default=VERSION, description="The version of the platform's language of flows"
    )
    data_api_version: Version = Field(
        default=DATA_API_VERSION, description="The version of the platform's exchange of data"
    )
    routing_model: (
        Annotated[
            dict[ScreenId, Annotated[list[ScreenId], Field(max_length=50)]], Field(max_length=50)
        ]
        | None
    ) = Field(default=None, description="From each screen to those that may follow it")
    screens: Annotated[list[FlowScreen], Field(max_length=MAX_SCREENS)] = Field(
        description="The screens"
    )

    @across("screens")
    @staticmethod
    def _fits(screens: list[FlowScreen]) -> None:
        free = [[screen.data, screen.layout and screen.layout.children] for screen in screens]
        if sum(1 for _ in islice(values_in(free), MAX_VALUES + 1)) > MAX_VALUES:
            raise PydanticCustomError(
                "too_large", "The screens hold at most {most} values", {"most": f"{MAX_VALUES:,}"}
            )

    def stored(self) -> dict[str, object]:
        """As it is kept and shown."""
        return self.model_dump(mode="json", exclude_none=True)


Name = Annotated[str, NameText(200), Field(description="What the flow is called")]
Description = Annotated[
    str,
    StringConstraints(max_length=1000),
    Field(description="What the flow is for, in your own words"),
]
Categories = Annotated[list[FlowCategory], Field(min_length=1, max_length=8)]
PURPOSE = "What the flow is for, in the platform's words"
SCREENS = "The screens and the ways between them, in the platform's own words"


class NewFlow(Input):
    """A flow to write; it is published apart."""

    number_id: Annotated[str, StringConstraints(min_length=1, max_length=30)] = Field(
        description="The number that it is to be sent from"
    )
    name: Name
    description: Description | None = None
    meta_categories: Categories = Field(default=[FlowCategory.OTHER], description=PURPOSE)
    flow_json: FlowJson = Field(default_factory=lambda: FlowJson(screens=[]), description=SCREENS)


class FlowChanges(Changes):
    """What to change of a flow. A null clears the description."""

    name: KeptWhenLeftOut[Name] = None
    description: Description | None = None
    meta_categories: KeptWhenLeftOut[Categories] = Field(default=None, description=PURPOSE)
    flow_json: KeptWhenLeftOut[FlowJson] = Field(default=None, description=SCREENS)


class FlowFilter(SkipPage):
    """Which flows to list, newest first."""

    status: FlowStatus | None = Field(default=None, description="How far the flow is here")
    meta_status: MetaStatus | None = Field(
        default=None, description="How the platform sees the flow"
    )
    category: FlowCategory | None = Field(default=None, description="Flows of this category only")
    number_id: str | None = Field(default=None, description="Flows of this number only")
