"""Everything that is stored of a person, as the export for the person spells it."""

from typing import Annotated, Any, NotRequired, TypedDict

from pydantic import WithJsonSchema

from core.contacts import ContactRecord, DocumentsRecord, OptInStatus, OptOutChannel
from core.conversations import ConversationType, LinkOrigin
from core.conversations.record import PAYLOAD_SCHEMA
from core.email import EmailFailureReason
from core.foundation.records import Doc, Id, Instant, Uri
from core.foundation.validation.inputs import METADATA_SCHEMA
from core.journeys.runs.models import RunStatus
from core.messaging import Channel, Direction
from core.push import Platform

Facts = Annotated[dict[str, Any], WithJsonSchema(METADATA_SCHEMA)]


class ConsentOfPerson(TypedDict):
    """A change of what the person consented to."""

    status: Annotated[OptInStatus, Doc("What the person said")]
    canal: Annotated[OptOutChannel, Doc("The channel that it is about")]
    fonte: NotRequired[
        Annotated[str, Doc("Where it was said, in the words of whoever recorded it")]
    ]
    em: Annotated[Instant, Doc("When it was said")]
    motivo: NotRequired[Annotated[str, Doc("Why, where that is known")]]
    ip: NotRequired[Annotated[str, Doc("The address of the device that it was said from")]]
    userAgent: NotRequired[Annotated[str, Doc("The browser that it was said in")]]
    registradoEm: Annotated[Instant, Doc("When it was written down here")]


class SuppressionOfPerson(TypedDict):
    """Why no e-mail is sent to the person's address."""

    motivo: Annotated[EmailFailureReason, Doc("What was told of the address")]
    messageId: NotRequired[Annotated[Id, Doc("The message whose report told")]]
    em: Annotated[Instant, Doc("Since when nothing is sent there")]


class DenialOfPerson(TypedDict):
    """A channel on which nobody may write to the person, since when and why."""

    canal: Annotated[OptOutChannel, Doc("The channel; `todos`: all of them")]
    motivo: NotRequired[Annotated[str, Doc("Why, where that is known")]]
    fonte: NotRequired[
        Annotated[str, Doc("Where it was said, in the words of whoever recorded it")]
    ]
    em: Annotated[Instant, Doc("Since when")]


class ListOfPerson(TypedDict):
    """A static list that the person is on."""

    id: Annotated[Id, Doc("Names the list")]
    nome: Annotated[str, Doc("What the list is called")]
    entrouEm: Annotated[Instant, Doc("When the person was put on it")]


class JourneyOfPerson(TypedDict):
    """The person's way through a journey."""

    journeyId: Annotated[Id, Doc("The journey, or the version of it")]
    nome: Annotated[str, Doc("What the journey is called")]
    chave: Annotated[str, Doc("What the entry was about; empty where it names nothing")]
    estado: Annotated[RunStatus, Doc("How the way ended, or that it goes on")]
    entrouEm: Annotated[Instant, Doc("When the person entered")]
    terminouEm: NotRequired[Annotated[Instant, Doc("When it ended")]]
    motivo: NotRequired[Annotated[str, Doc("Why it ended")]]


class FileOfPerson(TypedDict):
    """Our copy of the file in a message."""

    mimeType: Annotated[str, Doc("Read from its bytes")]
    size: Annotated[int, Doc("How long the file is, in bytes")]
    storedAt: Annotated[Instant, Doc("When it was copied")]
    filename: NotRequired[Annotated[str, Doc("What the file is called")]]


class MessageOfPerson(TypedDict):
    """A message to or from the person. Texts that went out as SMS or e-mail are not kept."""

    id: Annotated[Id, Doc("Names the message")]
    canal: Annotated[Channel, Doc("The channel that it took")]
    direcao: Annotated[Direction, Doc("Who wrote it")]
    status: Annotated[str, Doc("In the words of its channel")]
    motivo: NotRequired[Annotated[str, Doc("Why it did not arrive, in the words of its channel")]]
    endereco: Annotated[str, Doc("The person's phone, e-mail address or Instagram scoped id")]
    texto: NotRequired[Annotated[str, Doc("What was said, where the text is kept")]]
    assunto: NotRequired[Annotated[str, Doc("Of an e-mail")]]
    campaignId: NotRequired[Annotated[Id, Doc("The tag that it was sent with")]]
    metadata: NotRequired[Annotated[Facts, Doc("What your system sent along with it")]]
    criadaEm: Annotated[Instant, Doc("When it was accepted, or came in")]
    enviadaEm: NotRequired[Annotated[Instant, Doc("When the provider took it")]]
    entregueEm: NotRequired[Annotated[Instant, Doc("When it arrived")]]
    lidaEm: NotRequired[Annotated[Instant, Doc("When it was opened")]]
    falhouEm: NotRequired[Annotated[Instant, Doc("When it was known not to arrive")]]
    tipo: NotRequired[
        Annotated[ConversationType, Doc("Of a conversation's messages, as is what follows")]
    ]
    conteudo: NotRequired[
        Annotated[
            dict[str, Any],
            WithJsonSchema(PAYLOAD_SCHEMA),
            Doc("What was said, in the shape of its type"),
        ]
    ]
    variaveis: NotRequired[Annotated[list[str], Doc("What a template was filled with")]]
    com: NotRequired[Annotated[Id, Doc("The id of our number or Instagram account")]]
    origemDoLink: NotRequired[
        Annotated[LinkOrigin, Doc("The advertisement or link that it came from")]
    ]
    arquivo: NotRequired[Annotated[FileOfPerson, Doc("Our copy of its file")]]


class ConversationOfPerson(TypedDict):
    """With whom the person has a conversation. Without `escreveuEm` it never wrote."""

    com: Annotated[Id, Doc("The id of our number or Instagram account")]
    endereco: NotRequired[Annotated[str, Doc("The person as the platform knows it")]]
    escreveuEm: NotRequired[Annotated[Instant, Doc("When the person last wrote")]]


class ClicksOfPerson(TypedDict):
    """A tracked link of a message, and how often the person opened it."""

    messageId: Annotated[Id, Doc("The message whose link it is")]
    url: Annotated[Uri, Doc("Where it leads")]
    cliques: Annotated[int, Doc("How often it was opened")]
    primeiroEm: NotRequired[Annotated[Instant, Doc("When it was first opened")]]
    ultimoEm: NotRequired[Annotated[Instant, Doc("When it was last opened")]]


class DeviceOfPerson(TypedDict):
    """A device that is registered for push notifications, without what opens it."""

    id: Annotated[Id, Doc("Names the device")]
    appId: Annotated[str, Doc("The app's id, which you gave it")]
    plataforma: Annotated[Platform, Doc("What it runs on")]
    aparelho: NotRequired[Annotated[str, Doc("The name that the app gave the device")]]
    externalId: NotRequired[Annotated[str, Doc("The id in your own system")]]
    nome: NotRequired[Annotated[str, Doc("What the app calls its user")]]
    email: NotRequired[Annotated[str, Doc("The user's e-mail address, as the app told it")]]
    telefone: NotRequired[Annotated[str, Doc("The user's phone, as the app told it")]]
    topicos: Annotated[list[str], Doc("The topics that it wants notifications of")]
    aceitaAvisos: Annotated[bool, Doc("Whether its user accepts notifications")]
    recusouEm: NotRequired[Annotated[Instant, Doc("When its user turned them off")]]
    criadoEm: Annotated[Instant, Doc("When it was registered")]
    atualizadoEm: Annotated[Instant, Doc("When the app last told something of it")]


class EventOfPerson(TypedDict):
    """Something that the person did outside messaging."""

    nome: Annotated[str, Doc("What happened, in the words of your system")]
    eventId: Annotated[str, Doc("The id of whoever sent the event")]
    ocorreuEm: Annotated[Instant, Doc("When it happened")]
    valor: NotRequired[Annotated[float, Doc("In units of `moeda`, not in cents")]]
    moeda: NotRequired[Annotated[str, Doc("The currency, by its code of ISO 4217")]]
    properties: NotRequired[Annotated[Facts, Doc("What else was told of it, flat")]]


class PersonalData(TypedDict):
    """Everything that is stored of a contact, in clear. Fields without a value are absent."""

    contato: Annotated[ContactRecord, Doc("The contact itself")]
    documentos: Annotated[DocumentsRecord, Doc("Its documents")]
    consentimentos: Annotated[
        list[ConsentOfPerson],
        Doc("What it consented to and refused; the oldest first, as in all lists here"),
    ]
    recusas: Annotated[list[DenialOfPerson], Doc("Where nobody may write to it")]
    supressoes: Annotated[list[SuppressionOfPerson], Doc("Why its addresses get no e-mail")]
    listas: Annotated[list[ListOfPerson], Doc("The static lists that it is on")]
    jornadas: Annotated[list[JourneyOfPerson], Doc("Journeys that the person is or was inside")]
    mensagens: Annotated[list[MessageOfPerson], Doc("Its messages, either way")]
    conversas: Annotated[list[ConversationOfPerson], Doc("Whom it has conversations with")]
    cliques: Annotated[list[ClicksOfPerson], Doc("The tracked links that it was sent")]
    dispositivos: Annotated[list[DeviceOfPerson], Doc("Its devices")]
    eventos: Annotated[list[EventOfPerson], Doc("What it did outside messaging")]
    geradoEm: Annotated[Instant, Doc("When this was put together")]
