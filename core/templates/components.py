"""The parts of a template, as they were written."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from pydantic import Field, WithJsonSchema

from core.foundation.records import Doc
from core.templates.models import ButtonKind, HeaderFormat, OtpKind

KEEPS_NULL = WithJsonSchema({"type": ["string", "null"]})
"""What is kept as it was written keeps its nulls too."""

EXAMPLES = WithJsonSchema({"type": ["string", "array", "null"], "items": {"type": "string"}})


class HeaderPayload(TypedDict):
    """What stands above the text."""

    format: Annotated[HeaderFormat, Doc("What it shows")]
    text: NotRequired[Annotated[str | None, KEEPS_NULL, Doc("The text, with one variable at most")]]
    example: NotRequired[
        Annotated[
            str | list[str] | None,
            EXAMPLES,
            Doc("Of the variable; of a file, the address of one"),
        ]
    ]


class BodyPayload(TypedDict):
    """The text, with an example for each of its variables."""

    text: Annotated[str, Doc("The text; its variables are `{{1}}`, `{{2}}` and so on")]
    example: NotRequired[
        Annotated[str | list[str] | None, EXAMPLES, Doc("An example of each variable")]
    ]


class FooterPayload(TypedDict):
    """A small text below."""

    text: Annotated[str, Doc("The text, without variables")]


class TemplateButton(TypedDict):
    """A button of a template; which fields it has, its type says."""

    type: Annotated[ButtonKind, Doc("What it does")]
    text: NotRequired[Annotated[str | None, KEEPS_NULL, Doc("What stands on it")]]
    url: NotRequired[Annotated[str, Doc("It may end in a variable")]]
    example: NotRequired[
        Annotated[
            str | list[str] | None,
            EXAMPLES,
            Doc("Of the variable in `url`, or of the code to copy"),
        ]
    ]
    phoneNumber: NotRequired[Annotated[str, Doc("E.164")]]
    flowId: NotRequired[Annotated[str, Doc("The flow that it opens")]]
    navigateScreen: NotRequired[
        Annotated[str | None, KEEPS_NULL, Doc("The screen that the flow begins with")]
    ]
    otpType: NotRequired[
        Annotated[OtpKind, Doc("How the code gets into the app; COPY_CODE where it is absent")]
    ]
    packageName: NotRequired[Annotated[str, Doc("Of the Android app that takes the code")]]
    signatureHash: NotRequired[Annotated[str, Doc("Of the Android app that takes the code")]]


class ButtonRow(TypedDict):
    """The buttons."""

    buttons: Annotated[list[TemplateButton], Doc("The buttons, from top to bottom")]


class HeaderComponent(TypedDict):
    """What stands above the text."""

    type: Annotated[Literal["HEADER"], Doc("Which part it is")]
    payload: Annotated[HeaderPayload, Doc("What it shows")]


class BodyComponent(TypedDict):
    """The text."""

    type: Annotated[Literal["BODY"], Doc("Which part it is")]
    payload: Annotated[BodyPayload, Doc("The text and its examples")]


class FooterComponent(TypedDict):
    """What stands below the text."""

    type: Annotated[Literal["FOOTER"], Doc("Which part it is")]
    payload: Annotated[FooterPayload, Doc("The text")]


class ButtonsComponent(TypedDict):
    """The buttons."""

    type: Annotated[Literal["BUTTONS"], Doc("Which part it is")]
    payload: Annotated[ButtonRow, Doc("The buttons")]


class CarouselComponent(TypedDict):
    """Cards side by side."""

    type: Annotated[Literal["CAROUSEL"], Doc("Which part it is")]
    payload: Annotated[dict[str, Any], Doc("The cards, in the words of the platform")]


class OfferComponent(TypedDict):
    """An offer that ends at a time."""

    type: Annotated[Literal["LIMITED_TIME_OFFER"], Doc("Which part it is")]
    payload: Annotated[dict[str, Any], Doc("The offer, in the words of the platform")]


Component = Annotated[
    HeaderComponent
    | BodyComponent
    | FooterComponent
    | ButtonsComponent
    | CarouselComponent
    | OfferComponent,
    Field(discriminator="type"),
]
