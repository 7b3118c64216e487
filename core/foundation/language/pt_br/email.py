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
    "Write from a verified address or domain; `POST /v2/email/senders` says how one becomes verified.": (
        "Escreva de um endereço ou domínio verificado; `POST /v2/email/senders` diz como verificar um."
    ),
    "A domain has at most {MAX_DOMAIN_LENGTH} characters here": (
        "Um domínio tem aqui no máximo {MAX_DOMAIN_LENGTH} caracteres"
    ),
    "Too many senders wait to be verified; verify some, or remove them.": (
        "Há remetentes demais esperando verificação; verifique alguns ou remova-os."
    ),
    "No e-mail can be sent to this address from here; verify its domain by a TXT record instead.": (
        "Nenhuma mensagem pode ser enviada daqui para este endereço; verifique o domínio dele por um registro TXT."
    ),
    "The record was not found in time; ask for the sender again.": (
        "O registro não foi encontrado a tempo; peça o remetente de novo."
    ),
    "The code is not valid, or not any more; ask for the sender again.": (
        "O código não vale, ou não vale mais; peça o remetente de novo."
    ),
    "Not the code of the newest e-mail, used already, or too old": (
        "Não é o código da mensagem mais recente, já foi usado ou é antigo demais"
    ),
    "Send the code of the e-mail": "Envie o código da mensagem",
    "Senders were asked for or checked too often; wait for the seconds in Retry-After.": (
        "Remetentes foram pedidos ou verificados vezes demais; espere os segundos de Retry-After."
    ),
    "A hundred senders of the organization wait to be verified, in this environment.": (
        "Cem remetentes da organização esperam verificação neste ambiente."
    ),
    (
        "Verify some of them, or remove those that nobody needs: `DELETE /v2/email/senders/{{id}}`."
    ): ("Verifique alguns deles ou remova os que ninguém usa: `DELETE /v2/email/senders/{{id}}`."),
    (
        "The e-mail with the code would not arrive: there is no relay, nobody to write it from, or "
        "the address has bounced. Nothing was stored."
    ): (
        "A mensagem com o código não chegaria: não há servidor de e-mail, não há de quem enviá-la, ou "
        "o endereço já devolveu uma mensagem. Nada foi gravado."
    ),
    (
        "Ask for the domain of the address instead (`@example.com`), and set the TXT record that is named."
    ): ("Peça o domínio do endereço (`@example.com`) e crie o registro TXT indicado."),
    "The TXT record of the domain was not found within seven days.": (
        "O registro TXT do domínio não foi encontrado em sete dias."
    ),
    "Ask for the sender again with `POST /v2/email/senders`: the record stays the same.": (
        "Peça o remetente de novo com `POST /v2/email/senders`: o registro continua o mesmo."
    ),
    (
        "An organization asks for 30 senders an hour and has 10 of them checked a minute, in an "
        "environment; an address gets 3 e-mails an hour, whoever asks for them."
    ): (
        "Uma organização pede 30 remetentes por hora e verifica 10 por minuto, em um ambiente; um "
        "endereço recebe 3 mensagens por hora, não importa quem as peça."
    ),
    "Wait for the seconds in `Retry-After`. What waits is looked for anyway.": (
        "Espere os segundos de `Retry-After`. O que espera é procurado de qualquer forma."
    ),
    (
        "The code is not that of the newest e-mail to the address, was used, or is older than 24 "
        "hours. Which of them is never told."
    ): (
        "O código não é o da mensagem mais recente ao endereço, já foi usado ou tem mais de 24 "
        "horas. Qual deles nunca é dito."
    ),
    (
        "Send the code as it stands in the newest e-mail, or ask for another one with `POST /v2/email/senders`."
    ): (
        "Envie o código como está na mensagem mais recente ou peça outro com `POST /v2/email/senders`."
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
