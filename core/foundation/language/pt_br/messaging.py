"""Messages, in Portuguese."""

SENTENCES = {
    "Send contactId too: a text is looked for among the messages of a contact": (
        "Envie também contactId: um texto é procurado entre as mensagens de um contato"
    ),
    "No provider is configured for live sends; nothing was sent, stored or charged.": (
        "Nenhum provedor está configurado para envios reais; nada foi enviado, gravado nem cobrado."
    ),
    "This recipient asked not to receive communication; only a transactional message reaches it.": (
        "Este destinatário pediu para não receber comunicações; só uma mensagem "
        "transacional chega a ele."
    ),
    "This recipient asked not to receive communication": (
        "Este destinatário pediu para não receber comunicações"
    ),
    "The provider cannot take messages right now; nothing was sent or charged. Try again later.": (
        "O provedor não aceita mensagens agora; nada foi enviado nem cobrado. Tente "
        "de novo mais tarde."
    ),
    "The provider failed before it took the message; nothing was sent or charged. Send it again.": (
        "O provedor falhou antes de receber a mensagem; nada foi enviado nem "
        "cobrado. Envie de novo."
    ),
    (
        "The provider was reached but did not answer; the message may be on its way. Read it by "
        "meta.messageId, or repeat the request with the same Idempotency-Key."
    ): (
        "O provedor foi contatado mas não respondeu; a mensagem pode estar a caminho. Leia-a por "
        "meta.messageId ou repita a requisição com a mesma Idempotency-Key."
    ),
    "There is no such contact; send the id of one of this environment, or leave contactId out.": (
        "Esse contato não existe; envie o id de um deste ambiente ou omita contactId."
    ),
    "A fixed line receives no text messages; nothing was sent or charged. Send a mobile number.": (
        "Um telefone fixo não recebe mensagens de texto; nada foi enviado nem "
        "cobrado. Envie um celular."
    ),
    "This is a fixed line; send a mobile number": "Este é um telefone fixo; envie um celular",
}
