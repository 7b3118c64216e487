"""The shape of a person's data."""

from typing import Any

from rest_api.contacts.shapes import ContactOut
from rest_api.support.shapes import Out, Timestamp


class PersonalData(Out):
    """Everything that is stored of a contact, in clear."""

    contato: ContactOut
    documentos: dict[str, str]
    consentimentos: list[dict[str, Any]]
    recusas: list[dict[str, Any]]
    listas: list[dict[str, Any]]
    mensagens: list[dict[str, Any]]
    conversas: list[dict[str, Any]]
    cliques: list[dict[str, Any]]
    dispositivos: list[dict[str, Any]]
    eventos: list[dict[str, Any]]
    gerado_em: Timestamp
