"""An example of a person's data."""

from rest_api.contacts import examples as contacts
from rest_api.support.sample_ids import JOURNEY, LIST, MESSAGE, NUMBER, REPLY

EVERYTHING = {
    "contato": contacts.CREATED,
    "documentos": {"cpf": "52998224725", "nascimento": "1980-02-03"},
    "consentimentos": [
        {
            "status": "granted",
            "canal": "todos",
            "fonte": "site",
            "em": "2026-11-21T03:00:00.138Z",
            "registradoEm": "2026-11-21T03:00:00.138Z",
        }
    ],
    "recusas": [],
    "supressoes": [],
    "listas": [
        {"id": LIST, "nome": "Clientes de novembro", "entrouEm": "2026-11-21T03:00:00.138Z"}
    ],
    "jornadas": [
        {
            "journeyId": JOURNEY,
            "nome": "Boas-vindas",
            "chave": "",
            "estado": "concluida",
            "entrouEm": "2026-11-21T03:08:12.376Z",
            "terminouEm": "2026-11-23T14:20:09.310Z",
            "motivo": "meta",
        }
    ],
    "mensagens": [
        {
            "id": MESSAGE,
            "canal": "sms",
            "direcao": "outbound",
            "status": "delivered",
            "endereco": "+5511987654321",
            "criadaEm": "2026-11-21T03:08:12.376Z",
            "enviadaEm": "2026-11-21T03:08:12.376Z",
            "entregueEm": "2026-11-21T03:08:15.567Z",
        },
        {
            "id": REPLY,
            "canal": "whatsapp",
            "direcao": "inbound",
            "status": "delivered",
            "endereco": "+5511987654321",
            "texto": "Que horas chega?",
            "tipo": "text",
            "conteudo": {"text": "Que horas chega?"},
            "com": NUMBER,
            "criadaEm": "2026-11-21T12:04:31.402Z",
            "entregueEm": "2026-11-21T12:04:31.402Z",
        },
    ],
    "conversas": [{"com": NUMBER, "escreveuEm": "2026-11-21T12:04:31.402Z"}],
    "cliques": [],
    "dispositivos": [],
    "eventos": [],
    "geradoEm": "2026-11-21T15:00:00.000Z",
}
