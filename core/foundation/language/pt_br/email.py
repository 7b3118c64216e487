"""Email, in Portuguese."""

SENTENCES = {
    "A name and address have at most {MAX_SENDER_LENGTH} characters": (
        "Nome e endereço têm juntos no máximo {MAX_SENDER_LENGTH} caracteres"
    ),
    (
        "The sender is not verified for this organization; use a verified one, or "
        "have this one verified."
    ): (
        "O remetente não foi verificado para esta organização; use um verificado ou "
        "peça a verificação deste."
    ),
    "Write from an address, or a domain, that was verified": (
        "Escreva de um endereço ou domínio verificado"
    ),
    "No mail relay is configured for live e-mails; nothing was sent, stored or charged.": (
        "Nenhum servidor de e-mail está configurado para envios reais; nada foi "
        "enviado, gravado nem cobrado."
    ),
    "This header is not the caller's to write; see the documentation": (
        "Quem chama não pode escrever este cabeçalho; veja a documentação"
    ),
    "Write the bytes of the file in base64": "Escreva os bytes do arquivo em base64",
    "The files of an e-mail have at most 10 MiB together": (
        "Os anexos de uma mensagem têm juntos no máximo 10 MiB"
    ),
    "Send html, text or both": "Envie html, text ou os dois",
    (
        "What was posted about an e-mail is not signed as it has to be, or its clock "
        "is off by more than five minutes."
    ): (
        "O que chegou sobre uma mensagem de e-mail não está assinado como deveria, ou o relógio "
        "está mais de cinco minutos errado."
    ),
    (
        "Sign `<unix>`, `POST <path>` and the raw body, a line feed between them, with the shared "
        "secret, in `X-Smtp-Signature: t=<unix>,v2=<hex>`."
    ): (
        "Assine `<unix>`, `POST <path>` e o corpo bruto, com uma quebra de linha "
        "entre eles, com o "
        "segredo compartilhado, em `X-Smtp-Signature: t=<unix>,v2=<hex>`."
    ),
    (
        "The e-mail is from an address that nobody has verified for the organization. In the "
        "sandbox only those of the domain unverified.test are not."
    ): (
        "A mensagem é de um endereço que ninguém verificou para a organização. No sandbox, só os "
        "do domínio unverified.test não são verificados."
    ),
    (
        "Write from a verified address or domain; whoever runs the service verifies "
        "with `svc email-sender verify`."
    ): (
        "Escreva de um endereço ou domínio verificado; quem opera o serviço verifica "
        "com `svc email-sender verify`."
    ),
    (
        "The e-mail is marketing, and its recipient, or the contact that `contactId` names, asked "
        "not to receive any by e-mail or at all."
    ): (
        "A mensagem é de marketing, e o destinatário, ou o contato que `contactId` indica, pediu "
        "para não receber nenhuma por e-mail ou por nenhum canal."
    ),
    "Do not send it. The category `transacional` reaches everybody; it is not for anything else.": (
        "Não a envie. A categoria `transacional` chega a todos; ela não serve para mais nada."
    ),
    "No mail relay is configured in this installation. Nothing was stored.": (
        "Nenhum servidor de e-mail está configurado nesta instalação. Nada foi gravado."
    ),
}
