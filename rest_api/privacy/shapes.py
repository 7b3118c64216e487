"""The shape of a person's data."""

from typing import Literal

from pydantic import Field

from core.contacts import OptInStatus, OptOutChannel
from core.journeys.runs.models import RunStatus
from core.push import Platform
from rest_api.contacts.shapes import ContactOut, Documents
from rest_api.conversations.payload_shapes import MessagePayload
from rest_api.conversations.shapes import ConversationType, LinkOrigin
from rest_api.support.shapes import Address, Metadata, Out, Timestamp


class ConsentOfPerson(Out):
    """A change of what the person consented to."""

    status: OptInStatus
    canal: OptOutChannel
    fonte: str | None = Field(
        default=None, description="Where it was said, in the words of whoever recorded it"
    )
    em: Timestamp = Field(description="When it was said")
    motivo: str | None = None
    ip: str | None = None
    user_agent: str | None = None
    registrado_em: Timestamp = Field(description="When it was written down here")


class SuppressionOfPerson(Out):
    """Why no e-mail is sent to the person's address."""

    motivo: str
    message_id: str | None = None
    em: Timestamp


class DenialOfPerson(Out):
    """A channel (`todos`: all) on which nobody may write to the person, since when and why."""

    canal: OptOutChannel
    motivo: str | None = None
    fonte: str | None = None
    em: Timestamp


class ListOfPerson(Out):
    """A static list that the person is on."""

    id: str
    nome: str
    entrou_em: Timestamp


class JourneyOfPerson(Out):
    """The person's way through a journey."""

    journey_id: str = Field(description="The journey, or the version of it")
    nome: str = Field(description="What the journey is called")
    chave: str = Field(description="What the entry was about; empty where it names nothing")
    estado: RunStatus = Field(description="How the way ended, or that it goes on")
    entrou_em: Timestamp = Field(description="When the person entered")
    terminou_em: Timestamp | None = Field(default=None, description="When it ended")
    motivo: str | None = Field(default=None, description="Why it ended")


class FileOfPerson(Out):
    """Our copy of the file in a message."""

    mime_type: str = Field(description="Read from its bytes")
    size: int = Field(description="Bytes")
    stored_at: Timestamp
    filename: str | None = None


class MessageOfPerson(Out):
    """A message to or from the person. Texts that went out as SMS or e-mail are not kept."""

    id: str
    canal: Literal["whatsapp", "sms", "rcs", "email", "instagram"]
    direcao: Literal["outbound", "inbound"]
    status: str = Field(description="In the words of its channel")
    motivo: str | None = Field(
        default=None, description="Why it did not arrive, in the words of its channel"
    )
    endereco: str = Field(description="The person's phone, e-mail address or Instagram scoped id")
    texto: str | None = None
    assunto: str | None = Field(default=None, description="Of an e-mail")
    campaign_id: str | None = None
    metadata: Metadata | None = None
    criada_em: Timestamp
    enviada_em: Timestamp | None = None
    entregue_em: Timestamp | None = None
    lida_em: Timestamp | None = None
    falhou_em: Timestamp | None = None
    tipo: ConversationType | None = Field(
        default=None, description="Of a conversation's messages, as is what follows"
    )
    conteudo: MessagePayload | None = None
    variaveis: list[str] | None = Field(default=None, description="What a template was filled with")
    com: str | None = Field(default=None, description="The id of our number or Instagram account")
    origem_do_link: LinkOrigin | None = None
    arquivo: FileOfPerson | None = None


class ConversationOfPerson(Out):
    """With whom the person has a conversation. Without `escreveuEm` it never wrote."""

    com: str = Field(description="The id of our number or Instagram account")
    endereco: str | None = Field(default=None, description="The person as the platform knows it")
    escreveu_em: Timestamp | None = Field(default=None, description="When the person last wrote")


class ClicksOfPerson(Out):
    """A tracked link of a message, and how often the person opened it."""

    message_id: str
    url: Address
    cliques: int
    primeiro_em: Timestamp | None = None
    ultimo_em: Timestamp | None = None


class DeviceOfPerson(Out):
    """A device that is registered for push notifications, without what opens it."""

    id: str
    app_id: str
    plataforma: Platform
    aparelho: str | None = Field(default=None, description="The name that the app gave the device")
    external_id: str | None = None
    nome: str | None = None
    email: str | None = None
    telefone: str | None = None
    topicos: list[str]
    aceita_avisos: bool
    recusou_em: Timestamp | None = None
    criado_em: Timestamp
    atualizado_em: Timestamp


class EventOfPerson(Out):
    """Something that the person did outside messaging."""

    nome: str
    event_id: str
    ocorreu_em: Timestamp
    valor: float | None = Field(default=None, description="In units of `moeda`, not in cents")
    moeda: str | None = Field(default=None, description="ISO 4217")
    properties: Metadata | None = None


class PersonalData(Out):
    """Everything that is stored of a contact, in clear. Fields without a value are absent."""

    contato: ContactOut
    documentos: Documents
    consentimentos: list[ConsentOfPerson] = Field(
        description="The oldest first, as in all lists here"
    )
    recusas: list[DenialOfPerson]
    supressoes: list[SuppressionOfPerson]
    listas: list[ListOfPerson]
    jornadas: list[JourneyOfPerson] = Field(description="Journeys that the person is or was inside")
    mensagens: list[MessageOfPerson]
    conversas: list[ConversationOfPerson]
    cliques: list[ClicksOfPerson]
    dispositivos: list[DeviceOfPerson]
    eventos: list[EventOfPerson]
    gerado_em: Timestamp
