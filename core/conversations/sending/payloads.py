"""Payloads of messages, one model for each type."""

from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StringConstraints,
    ValidationError,
)
from pydantic_core import PydanticCustomError

from core.foundation.described_enum import DescribedEnum
from core.foundation.validation.hosts import host_in
from core.foundation.validation.inputs import ByItsPlace, Input
from core.foundation.validation.json_field import FreeObject, at_most_bytes, at_most_levels
from core.foundation.validation.validation_errors import across, faults, only_with

MAX_TEXT_LENGTH = 4096
MAX_CAPTION_LENGTH = 1024
MAX_ROWS = 10
"""Of a list, in all its sections together."""

MAX_BYTES = 20_000
"""Bytes of an object of any shape, as JSON."""

MAX_DEPTH = 10

Id = Annotated[str, StringConstraints(min_length=1, max_length=256)]
MediaId = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=20)]
Title = Annotated[str, StringConstraints(min_length=1, max_length=24)]
Body = Annotated[str, StringConstraints(min_length=1, max_length=1024)]
Footer = Annotated[str, StringConstraints(min_length=1, max_length=60)]
Filename = Annotated[str, StringConstraints(min_length=1, max_length=255)]


def _web_address(text: str) -> str:
    of_the_web = host_in(text) and urlsplit(text).scheme in ("http", "https")
    if not of_the_web or any(sign.isspace() for sign in text):
        raise PydanticCustomError(
            "wrong_format", "Send a web address, such as https://example.com/orders/1042"
        )
    return text


PlainObject = Annotated[FreeObject, at_most_levels(MAX_DEPTH), at_most_bytes(MAX_BYTES)]


class HeaderKind(DescribedEnum):
    """What stands above a message."""

    TEXT = "text", "A text"
    IMAGE = "image", "An image"
    VIDEO = "video", "A video"
    DOCUMENT = "document", "A document"


class TextPayload(Input):
    """A text."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT_LENGTH)] = Field(
        description="What is said"
    )
    preview_url: bool = Field(
        default=False, description="Show what the first link of the text leads to"
    )


class FileToSend(Input):
    """A file that was uploaded for the number. Sounds and stickers take no caption; `filename` is
    for documents and `voice` for sounds.
    """

    id: MediaId = Field(description="`mediaId` of the upload")
    caption: (
        Annotated[str, StringConstraints(min_length=1, max_length=MAX_CAPTION_LENGTH)] | None
    ) = Field(default=None, description="A text below an image, a video or a document")
    filename: Filename | None = Field(
        default=None, description="The name that the recipient sees a document under"
    )
    voice: bool | None = Field(
        default=None, description="Show it as a voice message: mono Ogg/Opus only"
    )


class MediaPayload(Input):
    """A file."""

    kind: Literal["image", "audio", "video", "document", "sticker"] = Field(
        description="What it is shown as; anything may be sent as a document"
    )
    media: FileToSend = Field(description="The file")

    @across("kind", "media")
    @staticmethod
    def _fits_the_kind(kind: str, media: FileToSend) -> None:
        unfit = [
            (("media", name), "not_allowed", f"Only messages of {', '.join(kinds)} have it")
            for name, kinds in (
                ("caption", ("image", "video", "document")),
                ("filename", ("document",)),
                ("voice", ("audio",)),
            )
            if getattr(media, name) is not None and kind not in kinds
        ]
        if unfit:
            raise faults(unfit)


class MessageHeaderFile(Input):
    """The file of a header."""

    id: MediaId = Field(description="`mediaId` of the upload")
    filename: Filename | None = Field(
        default=None, description="The name that the recipient sees a document under"
    )


class MessageHeader(Input):
    """What stands above: a text, or a file."""

    kind: Literal[HeaderKind.TEXT, HeaderKind.IMAGE, HeaderKind.VIDEO, HeaderKind.DOCUMENT] = Field(
        default=HeaderKind.TEXT, description="What it is"
    )
    text: Footer | None = Field(default=None, description="The text, of a header that is one")
    media: MessageHeaderFile | None = Field(
        default=None, validate_default=True, description="The file, of a header that is one"
    )

    @across("kind", "text", "media")
    @staticmethod
    def _one_of_both(kind: str, text: str | None, media: MessageHeaderFile | None) -> None:
        sent = {"text": text, "media": media}
        wanted, other = ("text", "media") if kind == "text" else ("media", "text")
        if sent[wanted] is None:
            raise misplaced((wanted,), f"A header of this kind has {wanted}", code="required")
        if sent[other] is not None:
            raise misplaced((other,), f"A header of this kind has {wanted} only")


class ChoiceButton(Input):
    """A button that answers. `id` comes back with the answer."""

    id: Id = Field(description="What comes back with the answer")
    title: Label = Field(description="What is written on it")


class ButtonsPayload(Input):
    """Up to three buttons that answer."""

    kind: Literal["buttons"] = Field(description="That it has buttons")
    header: MessageHeader | None = Field(default=None, description="What stands above")
    body: Body = Field(description="What is said")
    footer: Footer | None = Field(default=None, description="A small text below")
    buttons: Annotated[list[ChoiceButton], Field(min_length=1, max_length=3)] = Field(
        description="Its buttons, in their order"
    )

    @across("buttons")
    @staticmethod
    def _distinct(buttons: list[ChoiceButton]) -> None:
        _refuse_twins(("buttons",), [button.id for button in buttons], "id")
        _refuse_twins(("buttons",), [button.title for button in buttons], "title")


class ListRow(Input):
    """A choice of a list. `id` comes back with the answer."""

    id: Annotated[str, StringConstraints(min_length=1, max_length=200)] = Field(
        description="What comes back with the answer"
    )
    title: Title = Field(description="What the choice is called")
    description: Annotated[str, StringConstraints(min_length=1, max_length=72)] | None = Field(
        default=None, description="A small text below its title"
    )


class ListSection(Input):
    """Choices under a title, which only a list of one section may lack."""

    title: Title | None = Field(
        default=None, description="What stands above its choices; only one section alone lacks it"
    )
    rows: Annotated[list[ListRow], Field(min_length=1, max_length=MAX_ROWS)] = Field(
        description="Its choices, in their order"
    )


class ListPayload(Input):
    """A menu behind a button: ten rows at most."""

    kind: Literal["list"] = Field(description="That it has a menu")
    header: Footer | None = Field(default=None, description="A text")
    body: Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT_LENGTH)] = Field(
        description="What is said"
    )
    footer: Footer | None = Field(default=None, description="A small text below")
    button_text: Label = Field(description="What is written on the button that opens the menu")
    sections: Annotated[list[ListSection], Field(min_length=1, max_length=MAX_ROWS)] = Field(
        description="What the menu offers, in its order"
    )

    @across("sections")
    @staticmethod
    def _within_bounds(sections: list[ListSection]) -> None:
        untitled = [place for place, section in enumerate(sections) if section.title is None]
        if untitled and len(sections) > 1:
            said = "Each of several sections has a title"
            raise faults((("sections", place, "title"), "required", said) for place in untitled)
        rows = [row.id for section in sections for row in section.rows]
        if len(rows) > MAX_ROWS:
            raise misplaced(
                ("sections",), f"A list has at most {MAX_ROWS} rows in all", code="too_many"
            )
        _refuse_twins(("sections",), rows, "row id")


class CtaUrlPayload(Input):
    """A button that opens a page."""

    kind: Literal["cta_url"] = Field(description="That its button opens a page")
    header: MessageHeader | None = Field(default=None, description="What stands above")
    body: Body = Field(description="What is said")
    footer: Footer | None = Field(default=None, description="A small text below")
    button_text: Label = Field(description="What is written on the button")
    url: Annotated[
        str, StringConstraints(min_length=1, max_length=2000), AfterValidator(_web_address)
    ] = Field(description="The page that the button opens")


class FlowPayload(Input):
    """A button that opens a flow of the number. `token` comes back with the answer."""

    kind: Literal["flow"] = Field(description="That its button opens a flow")
    header: MessageHeader | None = Field(default=None, description="What stands above")
    body: Body = Field(description="What is said")
    footer: Footer | None = Field(default=None, description="A small text below")
    button_text: Annotated[str, StringConstraints(min_length=1, max_length=30)] = Field(
        description="What is written on the button"
    )
    flow_id: Annotated[str, StringConstraints(min_length=1, max_length=30)] = Field(
        description="The flow that the button opens"
    )
    screen: Annotated[str, StringConstraints(min_length=1, max_length=80)] | None = Field(
        default=None, description="The screen to begin with; unless told, the first one"
    )
    data: PlainObject | None = Field(default=None, description="What the first screen is given")
    token: Annotated[str, StringConstraints(min_length=1, max_length=256)] | None = Field(
        default=None, description="What comes back with the answer"
    )

    _data_of_a_screen = only_with(
        "screen",
        "data",
        code="required",
        at=("screen",),
        said="Name the screen that the data is for",
    )


class MessageHeaderLocation(Input):
    """A place on the map."""

    latitude: Annotated[float, Field(ge=-90, le=90)] = Field(
        description="Degrees north of the equator"
    )
    longitude: Annotated[float, Field(ge=-180, le=180)] = Field(
        description="Degrees east of Greenwich"
    )
    name: Annotated[str, StringConstraints(min_length=1, max_length=100)] = Field(
        description="What the place is called"
    )
    address: Annotated[str, StringConstraints(min_length=1, max_length=300)] = Field(
        description="Its postal address"
    )


class TemplatePayload(Input):
    """The file or the place in a template's header; a template without one takes no payload."""

    media: MessageHeaderFile | None = Field(
        default=None, description="Of a template whose header is a file"
    )
    location: MessageHeaderLocation | None = Field(
        default=None, description="Of a template whose header has the format LOCATION"
    )


INTERACTIVE_KINDS = ("buttons", "list", "flow", "cta_url")


def _of_a_kind(value: object) -> object:
    """The union would name the payload as what is wrong, and not its kind."""
    if isinstance(value, dict) and value.get("kind") not in INTERACTIVE_KINDS:
        code = "not_allowed" if "kind" in value else "required"
        raise misplaced(("kind",), f"It is one of {', '.join(INTERACTIVE_KINDS)}", code=code)
    return value


InteractivePayload = Annotated[
    ButtonsPayload | ListPayload | CtaUrlPayload | FlowPayload,
    Field(discriminator="kind"),
    ByItsPlace,
    BeforeValidator(_of_a_kind),
]

Payload = (
    TextPayload
    | MediaPayload
    | ButtonsPayload
    | ListPayload
    | CtaUrlPayload
    | FlowPayload
    | TemplatePayload
)


def misplaced(
    place: tuple[str | int, ...], message: str, *, code: str = "not_allowed"
) -> ValidationError:
    """The refusal of something deeper in the value that is being validated."""
    return faults([(place, code, message)])


def _refuse_twins(place: tuple[str | int, ...], values: list[str], what: str) -> None:
    if len(set(values)) < len(values):
        raise misplaced(place, f"Each {what} stands there once")
