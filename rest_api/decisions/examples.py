"""Examples of decisions."""

from rest_api.support.sample_ids import CONTACT, DECISION, MESSAGE, REQUEST

_PASSED = [
    {
        "regra": "escopo",
        "resultado": "passou",
        "porque": "The credential may send on this channel.",
    },
    {"regra": "corpo", "resultado": "passou", "porque": "The request is complete and can be sent."},
    {
        "regra": "idempotencia",
        "resultado": "passou",
        "porque": "The Idempotency-Key was free for this request.",
    },
    {
        "regra": "teto_por_segundo",
        "resultado": "passou",
        "porque": "The limit of messages per second had room.",
    },
    {
        "regra": "rota",
        "resultado": "passou",
        "porque": "The route has a price for this organization.",
    },
    {"regra": "provedor", "resultado": "passou", "porque": "A provider carries this channel."},
]

REFUSED = {
    "id": DECISION,
    "veredito": "recusada",
    "em": "2026-11-25T13:04:11.482Z",
    "canal": "sms",
    "frase": "The recipient asked not to be written to.",
    "regras": [
        *_PASSED,
        {
            "regra": "consentimento",
            "resultado": "parou",
            "porque": "The recipient asked not to be written to.",
            "entradas": {"motivo": "opt_out", "campos": ["/to"]},
        },
        {"regra": "saldo", "resultado": "nao_se_aplica"},
        {"regra": "preco", "resultado": "nao_se_aplica"},
        {"regra": "resposta_do_provedor", "resultado": "nao_se_aplica"},
        {"regra": "recibo", "resultado": "nao_se_aplica"},
    ],
    "linha": [],
    "regra": "consentimento",
    "oQueFazer": (
        "Do not write to this recipient, or use a transactional route for what is not marketing."
    ),
    "codigo": "opt_out",
    "contactId": CONTACT,
    "requestId": REQUEST,
}

SENT = {
    "id": MESSAGE,
    "veredito": "enviada",
    "em": "2026-11-25T13:04:11.482Z",
    "canal": "sms",
    "frase": "It passed every rule.",
    "regras": [
        *_PASSED,
        {
            "regra": "consentimento",
            "resultado": "passou",
            "porque": "No opt-out stood against this message.",
        },
        {"regra": "saldo", "resultado": "passou", "porque": "The wallet covered the price."},
        {
            "regra": "preco",
            "resultado": "passou",
            "porque": "The price was known.",
            "entradas": {"coins": 800, "segments": 1},
        },
        {
            "regra": "resposta_do_provedor",
            "resultado": "passou",
            "porque": "The provider took the message.",
        },
        {"regra": "recibo", "resultado": "passou", "porque": "The delivery was reported."},
    ],
    "linha": [
        {"em": "2026-11-25T13:04:11.482Z", "evento": "aceita"},
        {"em": "2026-11-25T13:04:11.482Z", "evento": "enviada"},
        {"em": "2026-11-25T13:04:13.511Z", "evento": "entregue"},
    ],
    "messageId": MESSAGE,
    "requestId": REQUEST,
}

PAGE = {"items": [REFUSED]}

QUESTION = {"canal": "sms", "contactId": CONTACT, "rota": "premium", "em": "2026-11-26T15:00:00Z"}

EXPLAINED = {
    "veredito": "recusada",
    "em": "2026-11-26T15:00:00.000Z",
    **{
        name: REFUSED[name] for name in ("canal", "frase", "regras", "regra", "oQueFazer", "codigo")
    },
}
