"""The parts of a template, as they were written."""

from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from rest_api.support.shapes import Out

Nullable = Annotated[str | None, WithJsonSchema({"type": ["string", "null"]})]
"""What is kept as it was written keeps its nulls too."""

Example = Annotated[
    str | list[str] | None,
    WithJsonSchema({"type": ["string", "array", "null"], "items": {"type": "string"}}),
]


class HeaderPayload(Out):
    """What stands above. A text may have one variable; of a file, `example` is the address of one."""

    format: Literal["TEXT", "IMAGE", "VIDEO", "DOCUMENT", "LOCATION"]
    text: Nullable = None
    example: Example = None


class BodyPayload(Out):
    """The text, with an example for each of its variables."""

    text: str
    example: Example = None


class FooterPayload(Out):
    """A small text below."""

    text: str


class TemplateButton(Out):
    """A button of a template; which fields it has, its type says."""

    type: Literal["QUICK_REPLY", "URL", "PHONE_NUMBER", "COPY_CODE", "FLOW", "OTP"]
    text: Nullable = None
    url: str | None = Field(default=None, description="It may end in a variable")
    example: Example = Field(
        default=None, description="Of the variable in `url`, or of the code to copy"
    )
    phone_number: str | None = Field(default=None, description="E.164")
    flow_id: str | None = None
    navigate_screen: Nullable = Field(
        default=None, description="The screen that the flow begins with"
    )
    otp_type: Literal["COPY_CODE", "ONE_TAP", "ZERO_TAP"] | None = Field(
        default=None, description="How the code gets into the app; COPY_CODE where it is absent"
    )
    package_name: str | None = Field(
        default=None, description="Of the Android app that takes the code"
    )
    signature_hash: str | None = Field(
        default=None, description="Of the Android app that takes the code"
    )


class ButtonRow(Out):
    """The buttons, from top to bottom."""

    buttons: list[TemplateButton]


class HeaderComponent(Out):
    """What stands above the text."""

    type: Literal["HEADER"]
    payload: HeaderPayload


class BodyComponent(Out):
    """The text."""

    type: Literal["BODY"]
    payload: BodyPayload


class FooterComponent(Out):
    """What stands below the text."""

    type: Literal["FOOTER"]
    payload: FooterPayload


class ButtonsComponent(Out):
    """The buttons."""

    type: Literal["BUTTONS"]
    payload: ButtonRow


class CarouselComponent(Out):
    """Cards side by side, in the words of the platform."""

    type: Literal["CAROUSEL"]
    payload: dict[str, Any]


class OfferComponent(Out):
    """An offer that ends at a time, in the words of the platform."""

    type: Literal["LIMITED_TIME_OFFER"]
    payload: dict[str, Any]


Component = (
    HeaderComponent
    | BodyComponent
    | FooterComponent
    | ButtonsComponent
    | CarouselComponent
    | OfferComponent
)
