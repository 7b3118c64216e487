"""What a message of a conversation says, as it reads back. Received ones may hold more than is
named here.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, RootModel, WithJsonSchema

from core.conversations.sending.payloads import HeaderKind
from core.foundation.described_enum import DescribedEnum
from core.templates import TemplateLanguage
from rest_api.support.shapes import Out

FileKind = Literal["image", "audio", "video", "document", "sticker"]


class FilledComponentType(DescribedEnum):
    """A part of a template that had something to fill in."""

    HEADER = "header", "What stands above"
    BODY = "body", "The text"
    BUTTON = "button", "A button"


class ReceivedChoice(DescribedEnum):
    """What somebody tapped on."""

    BUTTON = "button_reply", "A button"
    ROW = "list_reply", "A choice of a menu"


class TextSaid(Out):
    """A text."""

    text: str = Field(description="What is said")
    preview_url: bool | None = Field(
        default=None, description="Sent: its first link shows what it leads to"
    )
    story_url: str | None = Field(
        default=None, description="Received on Instagram: the story that it answers"
    )


class FileDetails(Out):
    """A file in a message. What was sent names the upload; what was received, the platform's file,
    with its type.
    """

    id: str = Field(
        description="Sent: `mediaId` of the upload. Received: the platform's id or address of "
        "the file"
    )
    caption: str | None = Field(default=None, description="The text below it")
    filename: str | None = Field(default=None, description="What the file is called")
    voice: bool | None = Field(default=None, description="A voice message")
    animated: bool | None = Field(default=None, description="Of a sticker")
    mime_type: str | None = Field(
        default=None, alias="mime_type", description="Received: what the platform calls it"
    )
    sha256: str | None = Field(
        default=None, description="Received: as the platform tells it, in base64"
    )


class FileSaid(Out):
    """A file. `GET /messages/{id}/media` answers its bytes."""

    kind: FileKind = Field(description="What kind of file it is")
    media: FileDetails = Field(description="The file")


class HeaderFile(Out):
    """The file of a header."""

    id: str = Field(description="`mediaId` of the upload")
    filename: str | None = Field(default=None, description="What the file is called")


class HeaderSaid(Out):
    """What stood above: a text, or a file. Without `kind`, a text."""

    kind: HeaderKind | None = Field(default=None, description="What it is; absent: a text")
    text: str | None = Field(default=None, description="The text, of a header that is one")
    media: HeaderFile | None = Field(default=None, description="The file, of a header that is one")


class ButtonSaid(Out):
    """A button that answers. `id` comes back with the answer."""

    id: str = Field(description="What comes back with the answer")
    title: str = Field(description="What is written on it")


class ButtonsSaid(Out):
    """Buttons that answer."""

    kind: Literal["buttons"] = Field(description="That it has buttons")
    header: HeaderSaid | None = Field(default=None, description="What stands above")
    body: str = Field(description="What is said")
    footer: str | None = Field(default=None, description="The small text below")
    buttons: list[ButtonSaid] = Field(description="Its buttons, in their order")


class RowSaid(Out):
    """A choice of a list. `id` comes back with the answer."""

    id: str = Field(description="What comes back with the answer")
    title: str = Field(description="What the choice is called")
    description: str | None = Field(default=None, description="The small text below its title")


class SectionSaid(Out):
    """Choices under a title."""

    title: str | None = Field(default=None, description="What stands above its choices")
    rows: list[RowSaid] = Field(description="Its choices, in their order")


class ListSaid(Out):
    """A menu behind a button."""

    kind: Literal["list"] = Field(description="That it has a menu")
    header: str | None = Field(default=None, description="The text that stands above")
    body: str = Field(description="What is said")
    footer: str | None = Field(default=None, description="The small text below")
    button_text: str = Field(description="What is written on the button")
    sections: list[SectionSaid] = Field(description="What the menu offers, in its order")


class CtaUrlSaid(Out):
    """A button that opens a page."""

    kind: Literal["cta_url"] = Field(description="That its button opens a page")
    header: HeaderSaid | None = Field(default=None, description="What stands above")
    body: str = Field(description="What is said")
    footer: str | None = Field(default=None, description="The small text below")
    button_text: str = Field(description="What is written on the button")
    url: str = Field(description="The page that the button opens")


class FlowSaid(Out):
    """A button that opens a flow."""

    kind: Literal["flow"] = Field(description="That its button opens a flow")
    header: HeaderSaid | None = Field(default=None, description="What stands above")
    body: str = Field(description="What is said")
    footer: str | None = Field(default=None, description="The small text below")
    button_text: str = Field(description="What is written on the button")
    flow_id: str = Field(description="The flow that the button opens")
    screen: str | None = Field(
        default=None, description="The screen that it begins with; absent: the first one"
    )
    data: dict[str, Any] | None = Field(default=None, description="What the first screen was given")
    token: str | None = Field(default=None, description="Comes back with the answer")


class FilledComponent(Out):
    """A part of a template that had something to fill in, in the shape of the platform."""

    type: FilledComponentType = Field(description="Which part it is")
    sub_type: str | None = Field(default=None, alias="sub_type", description="What the button does")
    index: str | None = Field(default=None, description="Which button, from 0")
    parameters: list[dict[str, Any]] = Field(
        description="Each names its `type`, and holds the value under that name"
    )


class TemplateSaid(Out):
    """A template with its variables filled in, as it leaves."""

    name: str = Field(description="What the template is called")
    language: TemplateLanguage = Field(description="The language that it is written in")
    components: list[FilledComponent] = Field(description="Its parts that had something to fill in")


class ChoiceReply(Out):
    """A tap on a button or a row that we sent; `id` is the one that it was sent with."""

    kind: ReceivedChoice = Field(description="What was tapped on")
    id: str | None = Field(default=None, description="The id that it was sent with")
    title: str | None = Field(default=None, description="What was written on it")
    description: str | None = Field(default=None, description="The small text below its title")


class TemplateButtonReply(Out):
    """A tap on a button of a template, or of a menu of Instagram."""

    kind: Literal["button"] = Field(description="That it is a tap on such a button")
    text: str | None = Field(default=None, description="What was written on it")
    payload: str | None = Field(
        default=None, description="What the platform keeps behind the button"
    )


class FlowReply(Out):
    """A flow that was filled in."""

    kind: Literal["flow_reply"] = Field(description="That it is a flow that was filled in")
    name: str | None = Field(default=None, description="What the platform calls the flow")
    body: str | None = Field(default=None, description="What the platform shows for it")
    response: dict[str, Any] | None = Field(
        default=None, description="The answers, by the names of the flow's fields"
    )


class ReactionSaid(Out):
    """A reaction to a message. Without `emoji`, it was taken back."""

    kind: Literal["reaction"] = Field(description="That it is a reaction")
    message_id: str | None = Field(
        default=None,
        description="The platform's id of the message, as in `metaMessageId`: with pii:full only",
    )
    emoji: str | None = Field(default=None, description="The reaction; absent: it was taken back")


class LocationSaid(Out):
    """A place on the map."""

    kind: Literal["location"] = Field(description="That it is a place")
    latitude: float = Field(description="Degrees north of the equator")
    longitude: float = Field(description="Degrees east of Greenwich")
    name: str | None = Field(default=None, description="What the place is called")
    address: str | None = Field(default=None, description="Its postal address")
    url: str | None = Field(default=None, description="Its page")


class ContactsSaid(Out):
    """Cards of contacts."""

    kind: Literal["contacts"] = Field(description="That it has cards of contacts")
    contacts: list[dict[str, Any]] = Field(description="In the words of the platform")


class OrderSaid(Out):
    """An order out of a catalogue."""

    kind: Literal["order"] = Field(description="That it is an order")
    catalog_id: str | None = Field(default=None, description="The catalogue, by its id")
    text: str | None = Field(default=None, description="What was written along with it")
    items: list[dict[str, Any]] = Field(description="In the words of the platform")


class UnsupportedSaid(Out):
    """Something that the platform does not hand over, or that is not known here."""

    kind: Literal["unsupported"] = Field(description="That it is something of another kind")
    type: str = Field(description="The platform's name for it")
    url: str | None = Field(default=None, description="Where the platform shows it")


Received = (
    FileSaid
    | ChoiceReply
    | TemplateButtonReply
    | FlowReply
    | ReactionSaid
    | LocationSaid
    | ContactsSaid
    | OrderSaid
    | UnsupportedSaid
    | TextSaid
)
Sent = ButtonsSaid | ListSaid | CtaUrlSaid | FlowSaid | TemplateSaid
Other = Annotated[
    dict[str, Any],
    WithJsonSchema(
        {
            "x-name": "OtherPayload",
            "type": "object",
            "additionalProperties": True,
            "description": "Any object: what no other shape describes.",
        }
    ),
]


class ReceivedPayload(RootModel[Received | Other]):
    """What somebody wrote: a text, a file, or something else whose `kind` tells what. Kinds may be
    added, and a sandbox keeps whatever it is given, so the last shape is any object.
    """


class MessagePayload(RootModel[Sent | Received | Other]):
    """What was said, either way, in the shape of the message's type. The last shape is any object:
    kinds of received messages may be added, and of an erased person nothing is left (`{}`).
    """
