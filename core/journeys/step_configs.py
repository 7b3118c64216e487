"""Configurations of the kinds of steps. (Decisions: Segments, lists, journeys, Passo.)"""

from typing import Annotated, Any

from pydantic import AfterValidator, Field, PlainSerializer, StringConstraints
from pydantic_core import PydanticCustomError

from core.foundation.validation.inputs import Input, Metadata
from core.foundation.validation.json_field import FreeObject, at_most_bytes
from core.foundation.validation.names import NameText
from core.foundation.validation.time_zones import Clock, is_zone
from core.foundation.validation.validation_errors import across, exactly_one
from core.journeys.models import JourneyChannel, JourneyFailure
from core.journeys.ways import WAYS
from core.segments.inputs import FilterTree
from core.webhooks.inputs import Url

MAX_WAIT_HOURS = 8_760
MAX_BODY_BYTES = 20_000
"""Bytes of the JSON that a step posts."""
MAX_DELIVERY_MINUTES = 10_080

StepId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
RecordId = Annotated[str, StringConstraints(min_length=1, max_length=40)]


def _as_sent(value: float) -> int | float:
    whole = int(value)
    return whole if whole == value else value


Number = Annotated[float, PlainSerializer(_as_sent, when_used="json")]
"""Kept as it was sent: 24 stays 24, which many a reader takes for another kind of number than 24.0.
"""

Hours = Annotated[Number, Field(gt=0, le=MAX_WAIT_HOURS)]
Key = Annotated[str, StringConstraints(min_length=1, max_length=64)]
EventName = Annotated[str, NameText(120)]


class MessageContent(Input):
    """What is sent: a template (WhatsApp), or a text. `variaveis` fill the template's placeholders
    in their order.
    """

    channel: JourneyChannel = Field(alias="canal", description="What it is sent over")
    template_id: RecordId | None = Field(default=None, description="The template; only of whatsapp")
    text: Annotated[str, StringConstraints(min_length=1, max_length=4096)] | None = Field(
        default=None,
        validate_default=True,
        alias="texto",
        description="The text, in place of a template",
    )
    number_id: RecordId | None = Field(
        default=None,
        validate_default=True,
        description="The number that it is sent from; for whatsapp, and for no other channel",
    )
    variables: Annotated[
        list[Annotated[str, StringConstraints(min_length=1, max_length=1024)]], Field(max_length=50)
    ] = Field(
        default=[],
        alias="variaveis",
        description="The texts of the template's placeholders, in their order",
    )
    subject: Annotated[str, NameText(200)] | None = Field(
        default=None,
        validate_default=True,
        alias="assunto",
        description="The subject of an e-mail, or the title of a notification; left out: the name of the journey",
    )

    _one_content = exactly_one("template_id", "text", said="Send either templateId or texto")

    @across("channel", "template_id", "text")
    @staticmethod
    def _templates_of_whatsapp(
        channel: JourneyChannel, template_id: str | None, text: str | None
    ) -> None:
        if template_id is not None and text is None and not channel.facts.has_templates:
            raise PydanticCustomError(
                "not_allowed", "Only the channel whatsapp has templates; send texto"
            )

    @across("channel", "text")
    @staticmethod
    def _as_long_as_the_channel_takes(channel: JourneyChannel, text: str | None) -> None:
        most = WAYS[channel].longest
        if text is not None and most is not None and len(text) > most:
            raise PydanticCustomError(
                "too_long", f"A text of this channel has at most {most} characters"
            )

    @across("channel", "number_id")
    @staticmethod
    def _numbers_of_whatsapp(channel: JourneyChannel, number_id: str | None) -> None:
        if (number_id is None) == channel.facts.has_templates:
            raise PydanticCustomError(
                "required", "Send numberId for the channel whatsapp, and for no other"
            )

    @across("template_id", "variables")
    @staticmethod
    def _variables_of_a_template(template_id: str | None, variables: list[str]) -> None:
        if variables and template_id is None:
            raise PydanticCustomError("not_allowed", "Only a template has variables")

    @across("channel", "subject")
    @staticmethod
    def _subjects_of_email_and_push(channel: JourneyChannel, subject: str | None) -> None:
        if subject is not None and not WAYS[channel].has_subject:
            raise PydanticCustomError("not_allowed", "Only the channels email and push have one")


class MessageConfig(MessageContent):
    """What is sent, and what follows where it is not taken."""

    on_failure: JourneyFailure = Field(
        default=JourneyFailure.GO_ON,
        alias="aoFalhar",
        description="What the run does when the message fails; left out: it goes on",
    )
    attempts: Annotated[int, Field(ge=1, le=5)] = Field(
        default=1, alias="tentativas", description="How often it is tried at most"
    )
    others: Annotated[list[MessageContent], Field(min_length=1, max_length=4)] | None = Field(
        default=None,
        validate_default=True,
        alias="outrosCanais",
        description="What is sent instead, one after the other; only with aoFalhar outroCanal, which "
        "without it sends the text over sms, rcs, email and push",
    )
    delivery_minutes: Annotated[int, Field(ge=1, le=MAX_DELIVERY_MINUTES)] | None = Field(
        default=None,
        validate_default=True,
        alias="esperaEntregaMin",
        description="How many minutes to wait for the delivery before the next channel; left out: who "
        "was sent the message has it. Only with aoFalhar outroCanal",
    )

    @staticmethod
    def _of_another_channel(on_failure: JourneyFailure, given: object) -> None:
        if given is not None and on_failure is not JourneyFailure.OTHER_CHANNEL:
            raise PydanticCustomError("not_allowed", "Only with aoFalhar outroCanal")

    _others_for_a_failure = across("on_failure", "others")(_of_another_channel)
    _deliveries_for_a_failure = across("on_failure", "delivery_minutes")(_of_another_channel)

    @across("channel", "others")
    @staticmethod
    def _each_channel_once(channel: JourneyChannel, others: list[MessageContent] | None) -> None:
        channels = [channel, *(other.channel for other in others or ())]
        if len(set(channels)) < len(channels):
            raise PydanticCustomError("repeated", "Name each channel once")


def _zone_or_contact(name: str) -> str:
    if name != "contato" and not is_zone(name):
        raise PydanticCustomError(
            "not_allowed", "Send the IANA name of a time zone, such as America/Sao_Paulo"
        )
    return name


ZoneOrContact = Annotated[str, StringConstraints(max_length=64), AfterValidator(_zone_or_contact)]
"""An IANA zone, or that of each contact."""


class WallClock(Input):
    """The next time of day, on one of `dias` (0 is Sunday; left out: any day)."""

    hour: Clock = Field(alias="hora", description="Wall clock, `09:00`")
    days: (
        Annotated[list[Annotated[int, Field(ge=0, le=6)]], Field(min_length=1, max_length=7)] | None
    ) = Field(default=None, alias="dias", description="0 is Sunday; left out: any day")
    zone: ZoneOrContact = Field(
        default="America/Sao_Paulo",
        alias="fuso",
        description="An IANA zone, or `contato`: that of each contact",
    )


class AttributeTime(Input):
    """The date in an attribute of the contact, so many hours before (negative) or after it."""

    key: Key = Field(description="The attribute that holds the date")
    shift_hours: Annotated[Number, Field(ge=-MAX_WAIT_HOURS, le=MAX_WAIT_HOURS)] = Field(
        default=0,
        alias="deslocamentoHoras",
        description="Hours: before the date where negative, after it else",
    )


class WaitConfig(Input):
    """How long to wait: exactly one of the three."""

    hours: Hours | None = Field(default=None, alias="duracaoHoras", description="Hours")
    until: WallClock | None = Field(
        default=None, alias="ate", description="Until the next time of day"
    )
    attribute: AttributeTime | None = Field(
        default=None,
        validate_default=True,
        alias="campo",
        description="Until a date in an attribute of the contact",
    )

    _one_way = exactly_one(
        "hours", "until", "attribute", said="Send exactly one of duracaoHoras, ate and campo"
    )


class AwaitEventConfig(Input):
    """Wait for a customer event with these properties; where the run goes on when it came, and when
    it did not.
    """

    event: EventName = Field(alias="evento", description="The name of the event")
    filters: Metadata | None = Field(
        default=None, alias="filtros", description="What its properties have to be"
    )
    deadline_hours: Hours = Field(alias="prazoHoras", description="Hours")
    then: StepId | None = Field(
        default=None, alias="seOcorrer", description="The step that follows when it came"
    )
    otherwise: StepId | None = Field(
        default=None,
        alias="seExpirar",
        description="The step that follows when it did not come in time",
    )


class ConditionConfig(Input):
    """Where the run goes on for a contact that matches, and for one that does not."""

    filter_tree: FilterTree = Field(description="What is asked of the contact, as of a segment")
    then: StepId | None = Field(
        default=None, alias="seSim", description="The step that follows for who matches"
    )
    otherwise: StepId | None = Field(
        default=None, alias="seNao", description="The step that follows for who does not match"
    )


class Branch(Input):
    """A share of the contacts."""

    percent: Annotated[Number, Field(gt=0, le=100)] = Field(
        alias="percentual", description="Per cent"
    )
    next: StepId | None = Field(
        default=None, alias="proximo", description="The step that these contacts go on to"
    )
    control: bool | None = Field(
        default=None,
        alias="controle",
        description="Held out: whoever goes this way gets no messages later in the journey",
    )


class SplitConfig(Input):
    """Shares that make up 100 per cent."""

    branches: Annotated[list[Branch], Field(min_length=2, max_length=10)] = Field(
        alias="ramos", description="The shares, which make up 100 per cent"
    )
    seed: Annotated[str, StringConstraints(min_length=1, max_length=64)] | None = Field(
        default=None,
        alias="semente",
        description="Another one draws the shares anew; left out, they are those of journey, step and contact",
    )

    @across("branches")
    @staticmethod
    def _all_of_them(branches: list[Branch]) -> None:
        if round(sum(branch.percent for branch in branches), 6) != 100:
            raise PydanticCustomError(
                "PERCENTUAIS_INVALIDOS", "The percentages of all branches add up to 100"
            )


class UpdateContactConfig(Input):
    """Tags to add and attributes to set."""

    tags: Annotated[list[Annotated[str, NameText(64)]], Field(max_length=50)] = Field(
        default=[], description="Tags to add"
    )
    attributes: Metadata = Field(default={}, validate_default=True, description="Attributes to set")

    @across("tags", "attributes")
    @staticmethod
    def _something(tags: list[str], attributes: dict[str, Any]) -> None:
        if not tags and not attributes:
            raise PydanticCustomError("required", "Send tags or attributes")


class CardConfig(Input):
    """Where the card is put; the first open stage unless told."""

    pipeline_id: RecordId = Field(description="The pipeline")
    stage_id: RecordId | None = Field(default=None, alias="etapaId", description="The stage")


class WebhookConfig(Input):
    """What is posted, and where to."""

    url: Url
    body: Annotated[FreeObject, at_most_bytes(MAX_BODY_BYTES)] | None = Field(
        default=None, alias="corpo", description="The JSON that is posted"
    )
    then: StepId | None = Field(
        default=None,
        alias="seOk",
        description="The step that follows once it was taken: the run waits for that",
    )
    otherwise: StepId | None = Field(
        default=None,
        alias="seFalhar",
        description="The step that follows once it was given up: the run waits for that",
    )


class ExitConfig(Input):
    """Why the run ends here."""

    reason: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = Field(
        default=None, alias="motivo", description="Why, in your own words"
    )
