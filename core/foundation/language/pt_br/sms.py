"""Sms, in Portuguese."""

SENTENCES = {
    "This route has no table price; ask for a quote or use another route.": (
        "Esta rota não tem preço de tabela; peça uma cotação ou use outra rota."
    ),
    "More SMS per second than contracted; wait for the seconds in Retry-After and send again.": (
        "Mais SMS por segundo do que o contratado; espere os segundos de Retry-After "
        "e envie de novo."
    ),
    "This recipient asked not to receive communication; only the route otp reaches it.": (
        "Este destinatário pediu para não receber comunicações; só a rota otp chega a ele."
    ),
    (
        "The provider limits this route right now; nothing was sent. Wait for "
        "Retry-After and send again."
    ): (
        "O provedor limita esta rota agora; nada foi enviado. Espere o Retry-After e envie de novo."
    ),
    (
        "A callback of the provider `gateway` is not signed as it has to be, or its clock is off "
        "by more than five minutes."
    ): (
        "Um retorno do provedor `gateway` não está assinado como deveria, ou o relógio dele está "
        "mais de cinco minutos errado."
    ),
    (
        "Sign `<unix>`, `POST <path>` and the raw body, a line feed between them, with the shared "
        "secret, in `X-Gateway-Signature: t=<unix>,v2=<hex>`."
    ): (
        "Assine `<unix>`, `POST <path>` e o corpo bruto, com uma quebra de linha "
        "entre eles, com o "
        "segredo compartilhado, em `X-Gateway-Signature: t=<unix>,v2=<hex>`."
    ),
    "The route has no table price: la_dedicada is sold by quote.": (
        "A rota não tem preço de tabela: la_dedicada é vendida por cotação."
    ),
    "Ask for a quote, or send by `premium` or `otp`.": (
        "Peça uma cotação, ou envie por `premium` ou `otp`."
    ),
    (
        "The contact behind this phone, or the one that `contactId` names, asked not "
        "to receive communication."
    ): (
        "O contato por trás deste telefone, ou o que `contactId` indica, pediu para "
        "não receber comunicações."
    ),
    (
        "Do not send it. The route `otp` is transactional and reaches everybody; it "
        "is not for anything else."
    ): ("Não envie. A rota `otp` é transacional e chega a todos; ela não serve para mais nada."),
    "`contactId` names no contact of this organization in the environment of the credential.": (
        "`contactId` não indica um contato desta organização no ambiente da credencial."
    ),
    (
        "Send the id of one that `GET /contacts` lists, or leave it out: the "
        "recipient is who `to` says."
    ): ("Envie o id de um que `GET /contacts` liste, ou omita-o: o destinatário é quem `to` diz."),
    (
        "The number is a fixed line, which receives no text messages. A live send to "
        "it is refused "
        "before any charge; in the sandbox the last digits decide, as for every number."
    ): (
        "O número é um telefone fixo, que não recebe mensagens de texto. Um envio real a ele é "
        "recusado antes de qualquer cobrança; no sandbox decidem os últimos dígitos, como em todo "
        "número."
    ),
    "Send to a mobile number.": "Envie para um celular.",
    "More SMS per second than contracted. No message was stored.": (
        "Mais SMS por segundo do que o contratado. Nenhuma mensagem foi gravada."
    ),
    (
        "Spread the sends: the headers `RateLimit-Policy` and `RateLimit` tell the "
        "ceiling and what is left of it."
    ): (
        "Espalhe os envios: os cabeçalhos `RateLimit-Policy` e `RateLimit` dizem o "
        "teto e o que resta dele."
    ),
    (
        "The provider limits the route right now. The message is stored as failed under "
        "`meta.messageId`; nothing was sent or charged."
    ): (
        "O provedor limita a rota agora. A mensagem fica gravada como falha em `meta.messageId`; "
        "nada foi enviado nem cobrado."
    ),
    "Wait for `Retry-After` and send again; the same Idempotency-Key makes a new send.": (
        "Espere o `Retry-After` e envie de novo; a mesma Idempotency-Key faz um novo envio."
    ),
    (
        "The provider failed before it took the message. It is stored as failed under "
        "`meta.messageId`; nothing was sent or charged."
    ): (
        "O provedor falhou antes de receber a mensagem. Ela fica gravada como falha em "
        "`meta.messageId`; nada foi enviado nem cobrado."
    ),
    "Send it again; the same Idempotency-Key makes a new send.": (
        "Envie de novo; a mesma Idempotency-Key faz um novo envio."
    ),
    "The provider was reached and did not answer in time: the message may be on its way.": (
        "O provedor foi contatado e não respondeu a tempo: a mensagem pode estar a caminho."
    ),
    (
        "Do not send it with a new key, which could send it twice. Read it by `meta.messageId`, or "
        "repeat the request with the same Idempotency-Key: both tell what became of it."
    ): (
        "Não a envie com uma chave nova, o que poderia enviá-la duas vezes. Leia-a por "
        "`meta.messageId`, ou repita a requisição com a mesma Idempotency-Key: os dois dizem o que "
        "foi feito dela."
    ),
    (
        "The provider takes no messages now (sandbox: a recipient that ends in 0114). The message "
        "is stored as failed under `meta.messageId`; nothing was sent or charged."
    ): (
        "O provedor não aceita mensagens agora (sandbox: um destinatário que termina em 0114). A "
        "mensagem fica gravada como falha em `meta.messageId`; nada foi enviado nem cobrado."
    ),
    "Try again later; the same Idempotency-Key makes a new send.": (
        "Tente de novo mais tarde; a mesma Idempotency-Key faz um novo envio."
    ),
    "No provider is configured for live sends in this installation. Nothing was stored.": (
        "Nenhum provedor está configurado para envios reais nesta instalação. Nada foi gravado."
    ),
}
