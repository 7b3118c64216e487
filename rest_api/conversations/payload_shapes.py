"""What a message of a conversation says, as it reads back. Received ones may hold more than is
named here.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, RootModel, WithJsonSchema

from core.templates import TemplateLanguage
from rest_api.support.shapes import Out

FileKind = Literal["image", "audio", "video", "document", "sticker"]


class TextSaid(Out):
    """A text."""

    text: str
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
    caption: str | None = None
    filename: str | None = None
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

    kind: FileKind
    media: FileDetails


class HeaderFile(Out):
    """The file of a header."""

    id: str = Field(description="`mediaId` of the upload")
    filename: str | None = None


class HeaderSaid(Out):
    """What stood above: a text, or a file. Without `kind`, a text."""

    kind: Literal["text", "image", "video", "document"] | None = None
    text: str | None = None
    media: HeaderFile | None = None


class ButtonSaid(Out):
    """A button that answers. `id` comes back with the answer."""

    id: str
    title: str


class ButtonsSaid(Out):
    """Buttons that answer."""

    kind: Literal["buttons"]
    header: HeaderSaid | None = None
    body: str
    footer: str | None = None
    buttons: list[ButtonSaid]


class RowSaid(Out):
    """A choice of a list. `id` comes back with the answer."""

    id: str
    title: str
    description: str | None = None


class SectionSaid(Out):
    """Choices under a title."""

    title: str | None = None
    rows: list[RowSaid]


class ListSaid(Out):
    """A menu behind a button."""

    kind: Literal["list"]
    header: str | None = None
    body: str
    footer: str | None = None
    button_text: str
    sections: list[SectionSaid]


class CtaUrlSaid(Out):
    """A button that opens a page."""

    kind: Literal["cta_url"]
    header: HeaderSaid | None = None
    body: str
    footer: str | None = None
    button_text: str
    url: str


class FlowSaid(Out):
    """A button that opens a flow."""

    kind: Literal["flow"]
    header: HeaderSaid | None = None
    body: str
    footer: str | None = None
    button_text: str
    flow_id: str
    screen: str | None = Field(
        default=None, description="The screen that it begins with; absent: the first one"
    )
    data: dict[str, Any] | None = Field(default=None, description="What the first screen was given")
    token: str | None = Field(default=None, description="Comes back with the answer")


class FilledComponent(Out):
    """A part of a template that had something to fill in, in the shape of the platform."""

    type: Literal["header", "body", "button"]
    sub_type: str | None = Field(default=None, alias="sub_type", description="What the button does")
    index: str | None = Field(default=None, description="Which button, from 0")
    parameters: list[dict[str, Any]] = Field(
        description="Each names its `type`, and holds the value under that name"
    )


class TemplateSaid(Out):
    """A template with its variables filled in, as it leaves."""

    name: str
    language: TemplateLanguage
    components: list[FilledComponent]


class ChoiceReply(Out):
    """A tap on a button or a row that we sent; `id` is the one that it was sent with."""

    kind: Literal["button_reply", "list_reply"]
    id: str | None = None
    title: str | None = None
    description: str | None = None


class TemplateButtonReply(Out):
    """A tap on a button of a template, or of a menu of Instagram."""

    kind: Literal["button"]
    text: str | None = None
    payload: str | None = Field(
        default=None, description="What the platform keeps behind the button"
    )


class FlowReply(Out):
    """A flow that was filled in."""

    kind: Literal["flow_reply"]
    name: str | None = None
    body: str | None = None
    response: dict[str, Any] | None = Field(
        default=None, description="The answers, by the names of the flow's fields"
    )


class ReactionSaid(Out):
    """A reaction to a message. Without `emoji`, it was taken back."""

    kind: Literal["reaction"]
    message_id: str | None = Field(
        default=None,
        description="The platform's id of the message, as in `metaMessageId`: with pii:full only",
    )
    emoji: str | None = None


class LocationSaid(Out):
    """A place on the map."""

    kind: Literal["location"]
    latitude: float
    longitude: float
    name: str | None = None
    address: str | None = None
    url: str | None = None


class ContactsSaid(Out):
    """Cards of contacts."""

    kind: Literal["contacts"]
    contacts: list[dict[str, Any]] = Field(description="In the words of the platform")


class OrderSaid(Out):
    """An order out of a catalogue."""

    kind: Literal["order"]
    catalog_id: str | None = None
    text: str | None = None
    items: list[dict[str, Any]] = Field(description="In the words of the platform")


class UnsupportedSaid(Out):
    """Something that the platform does not hand over, or that is not known here."""

    kind: Literal["unsupported"]
    type: str = Field(description="The platform's name for it")
    url: str | None = None


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
