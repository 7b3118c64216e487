"""Conversations, in Portuguese."""

SENTENCES = {
    "Send to or contactId": "Envie to ou contactId",
    "It lies at most a year ahead": "A data fica no máximo um ano à frente",
    "Say at least one thing of the messages": "Informe ao menos um critério sobre as mensagens",
    "Send either messageIds or filtro": "Envie messageIds ou filtro, e não os dois",
    "Send templateId with templateVars": "Envie templateId junto com templateVars",
    "Outside the 24 hours after the recipient's last message only a template may be sent.": (
        "Fora das 24 horas após a última mensagem do destinatário, só um template pode ser enviado."
    ),
    "Send a template, or wait for the recipient": (
        "Envie um template ou espere o destinatário escrever"
    ),
    "There is no such contact": "Não existe esse contato",
    "Name a message of this conversation that the platform knows": (
        "Indique uma mensagem desta conversa que a plataforma conheça"
    ),
    "The file is of another kind": "O arquivo é de outro tipo",
    "Only a message that still waits can be canceled; this one has left, or is over.": (
        "Só uma mensagem que ainda espera pode ser cancelada; esta já saiu ou já terminou."
    ),
    "Only a message that was delivered, read or failed can be archived; this one is under way.": (
        "Só uma mensagem entregue, lida ou com falha pode ser arquivada; esta ainda "
        "está em andamento."
    ),
    "Send either numberId or instagramAccountId": (
        "Envie numberId ou instagramAccountId, e não os dois"
    ),
    "Send the Instagram scoped id of the sender: digits only": (
        "Envie o id do remetente no Instagram (Instagram scoped id): só dígitos"
    ),
    "A text has 1 to 4096 characters": "Um texto tem de 1 a 4096 caracteres",
    "A file is image, audio, video, document or sticker": (
        "Um arquivo é image, audio, video, document ou sticker"
    ),
    'Describe the file by an object, such as {{"id": "…"}}': (
        'Descreva o arquivo com um objeto, como {{"id": "…"}}'
    ),
    "Say what it is, such as button_reply": "Diga o que é, por exemplo button_reply",
    "Only a message of type template has it": "Só uma mensagem do tipo template tem este campo",
    "Send the Instagram scoped id of the recipient: digits only": (
        "Envie o id do destinatário no Instagram (Instagram scoped id): só dígitos"
    ),
    "An Instagram recipient is named by to": "Um destinatário do Instagram é indicado em to",
    "Instagram takes texts, files and buttons": "O Instagram aceita textos, arquivos e botões",
    "Send an object": "Envie um objeto",
    "This field is required": "Este campo é obrigatório",
    "A message of type template names its template": (
        "Uma mensagem do tipo template indica o seu template"
    ),
    "Instagram takes images, sounds, videos and documents": (
        "O Instagram aceita imagens, áudios, vídeos e documentos"
    ),
    "Instagram shows none; send it as a text of its own": (
        "O Instagram não mostra isto; envie como um texto à parte"
    ),
    "Instagram shows none; say it in the body": "O Instagram não mostra isto; diga no corpo",
    "Instagram takes {MAX_TEXT_BYTES} bytes at most": (
        "O Instagram aceita no máximo {MAX_TEXT_BYTES} bytes"
    ),
    "Send a web address, such as https://example.com/orders/1042": (
        "Envie um endereço web, como https://example.com/orders/1042"
    ),
    "Only messages of {kinds} have it": "Só mensagens de {kinds} têm este campo",
    "A header of this kind has {wanted}": "Um cabeçalho deste tipo tem {wanted}",
    "A header of this kind has {wanted} only": "Um cabeçalho deste tipo tem apenas {wanted}",
    "Each of several sections has a title": "Havendo várias seções, cada uma tem um título",
    "A list has at most {MAX_ROWS} rows in all": (
        "Uma lista tem no máximo {MAX_ROWS} linhas ao todo"
    ),
    "Name the screen that the data is for": "Indique a tela a que os dados se destinam",
    "It is one of {INTERACTIVE_KINDS}": "É um destes: {INTERACTIVE_KINDS}",
    "Each {what} stands there once": "Cada {what} aparece uma única vez",
    "The message waits, is being sent, or was sent and not reported on yet.": (
        "A mensagem espera, está sendo enviada, ou foi enviada e ainda não há retorno sobre ela."
    ),
    "Archive it once it is delivered, read or failed.": (
        "Arquive-a quando estiver entregue, lida ou com falha."
    ),
    "No platform is configured for live conversations in this installation. Nothing was stored.": (
        "Nenhuma plataforma está configurada para conversas reais nesta instalação. "
        "Nada foi gravado."
    ),
    "Use a test key, or have the operator configure one.": (
        "Use uma chave de teste ou peça ao operador que configure uma."
    ),
    "The organization has no number, or no Instagram account, of this id in this environment.": (
        "A organização não tem número, nem conta do Instagram, com este id neste ambiente."
    ),
    "Choose one from `GET /numbers`; a number of the sandbox sends with test keys only.": (
        "Escolha um de `GET /numbers`; um número do sandbox só envia com chaves de teste."
    ),
    (
        "The template is not approved at this moment; `meta.status` tells what it is, "
        "`meta.substituidoPor` the version that took its place."
    ): (
        "O template não está aprovado neste momento; `meta.status` diz como ele está, "
        "`meta.substituidoPor` a versão que tomou o lugar dele."
    ),
    "Use the version that replaced it, or wait until it is approved.": (
        "Use a versão que o substituiu, ou espere até que ele seja aprovado."
    ),
    "The flow that the message opens is paused, or the platform holds it back.": (
        "O flow que a mensagem abre está pausado, ou a plataforma o retém."
    ),
    "Resume it, or send a message without it.": "Retome-o, ou envie uma mensagem sem ele.",
    "The message is being sent, was sent, or is over.": (
        "A mensagem está sendo enviada, já foi enviada ou já terminou."
    ),
    "Leave it; what was handed over cannot be called back.": (
        "Deixe-a; o que já foi entregue à plataforma não pode ser chamado de volta."
    ),
    (
        "The recipient did not write to this number in the last 24 hours; `meta.fechouEm` tells "
        "when the window closed, and is absent where the recipient never wrote."
    ): (
        "O destinatário não escreveu a este número nas últimas 24 horas; `meta.fechouEm` diz "
        "quando a janela fechou, e falta quando o destinatário nunca escreveu."
    ),
    "Send an approved template, or wait for the recipient.": (
        "Envie um template aprovado, ou espere o destinatário escrever."
    ),
    (
        "The recipient asked not to receive marketing on this channel or at all, and "
        "the template is marketing."
    ): (
        "O destinatário pediu para não receber marketing neste canal ou em nenhum, e "
        "o template é de marketing."
    ),
    (
        "Do not send it. Templates of the other categories reach everybody; they are "
        "not for advertising."
    ): (
        "Não o envie. Templates das outras categorias chegam a todos; eles não são "
        "para publicidade."
    ),
    (
        "Templates belong to one number and environment: choose one from `GET "
        "/v2/templates?numberId=`."
    ): (
        "Templates pertencem a um número e a um ambiente: escolha um de `GET "
        "/v2/templates?numberId=`."
    ),
    "There are more or fewer texts than the template has variables.": (
        "Há mais ou menos textos do que o template tem variáveis."
    ),
    "Send one for each, in the order of the template's `variaveis`.": (
        "Envie um para cada, na ordem das `variaveis` do template."
    ),
    (
        "A variable is empty, or has a line break, a tab or more than four spaces in "
        "a row: the platform refuses that."
    ): (
        "Uma variável está vazia, ou tem quebra de linha, tabulação ou mais de quatro espaços "
        "seguidos: a plataforma recusa isso."
    ),
    "Send some text on one line; what stands on several lines belongs into the template.": (
        "Envie algum texto em uma só linha; o que ocupa várias linhas pertence ao template."
    ),
    "The template's header shows a file, and the message names none.": (
        "O cabeçalho do template mostra um arquivo, e a mensagem não indica nenhum."
    ),
    "Upload one and send `payload: {{media: {{id}}}}`.": (
        "Envie um arquivo e depois `payload: {{media: {{id}}}}`."
    ),
    "The template's header shows a place, and the message names none.": (
        "O cabeçalho do template mostra um lugar, e a mensagem não indica nenhum."
    ),
    "Send `payload: {{location: {{latitude, longitude, name, address}}}}`.": (
        "Envie `payload: {{location: {{latitude, longitude, name, address}}}}`."
    ),
    "The file is unknown, expired, or of another number.": (
        "O arquivo é desconhecido, venceu ou é de outro número."
    ),
    "Upload it for this number; a file can be used for 30 days.": (
        "Envie-o para este número; um arquivo pode ser usado por 30 dias."
    ),
    "The file is not of the kind that the message calls it.": (
        "O arquivo não é do tipo que a mensagem diz."
    ),
    (
        "Send the kind that the upload answered; `voice` needs mono Ogg/Opus. "
        "Everything may be a document."
    ): (
        "Envie o tipo que o envio do arquivo respondeu; `voice` precisa de Ogg/Opus "
        "mono. Tudo pode ser um documento."
    ),
    "Choose one from `GET /v2/flows?numberId=`.": "Escolha um de `GET /v2/flows?numberId=`.",
    (
        "There is no contact of this id, or the message leaves from an Instagram "
        "account and has no `to`."
    ): ("Não há contato com este id, ou a mensagem sai de uma conta do Instagram e não tem `to`."),
    "Send `to`, or the id of a contact of this environment.": (
        "Envie `to`, ou o id de um contato deste ambiente."
    ),
    "`replyTo` is no message between this sender and this recipient, or has not left yet.": (
        "`replyTo` não é uma mensagem entre este remetente e este destinatário, ou ainda não saiu."
    ),
    "Answer a message that was received, or one that was sent.": (
        "Responda a uma mensagem recebida, ou a uma que foi enviada."
    ),
}
