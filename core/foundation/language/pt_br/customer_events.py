"""Customer events, in Portuguese."""

SENTENCES = {
    "The identifiers belong to different contacts; send those of one": (
        "Os identificadores são de contatos diferentes; envie os de um só"
    ),
    "Several contacts have this e-mail address; send another identifier with it": (
        "Vários contatos têm este endereço de e-mail; envie outro identificador junto"
    ),
    "The event lies in the future; send when it happened": (
        "O evento está no futuro; envie quando ele aconteceu"
    ),
    "This is a masked value; send the whole one": (
        "Este é um valor mascarado; envie o valor completo"
    ),
    "Send at least one of contactId, externalId, phone and email": (
        "Envie ao menos um entre contactId, externalId, phone e email"
    ),
    "The identifiers of the event belong to different contacts.": (
        "Os identificadores do evento são de contatos diferentes."
    ),
    "Send those of one contact; one is enough.": "Envie os de um só contato; um basta.",
    "Several contacts have the e-mail address of the event.": (
        "Vários contatos têm o endereço de e-mail do evento."
    ),
    "Send `contactId`, `externalId` or `phone` with it.": (
        "Envie junto `contactId`, `externalId` ou `phone`."
    ),
}
