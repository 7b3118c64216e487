"""Sentences of the REST entry point, in Portuguese."""

SENTENCES = {
    "Send the header Idempotency-Key: a new text for each new request, the same one to repeat it.": (
        "Envie o cabeçalho Idempotency-Key: um texto novo a cada requisição nova, o "
        "mesmo para repeti-la."
    ),
    "This header is required": "Este cabeçalho é obrigatório",
    "The address is wrong or its time is over; ask for the list of files again.": (
        "O endereço está errado ou o prazo dele acabou; peça a lista de arquivos de novo."
    ),
    "This process is about to stop; send requests to another one.": (
        "Este processo está prestes a parar; envie as requisições a outro."
    ),
    "The database does not answer; check DATABASE_URL and the server.": (
        "O banco de dados não responde; confira DATABASE_URL e o servidor."
    ),
    "The database takes no writes; look at its disk, and whether it is the primary.": (
        "O banco de dados não aceita gravações; veja o disco dele e se ele é o primário."
    ),
    "The database lacks migrations; run `svc migrate`.": (
        "Faltam migrações no banco de dados; execute `svc migrate`."
    ),
    "The file is not written in base64.": "O arquivo não está escrito em base64.",
    "Write the bytes in base64 (RFC 4648) with its padding": (
        "Escreva os bytes em base64 (RFC 4648), com o preenchimento"
    ),
    (
        "Send JSON with Content-Type: application/json; the bytes of a file go to "
        "the same address with /binary."
    ): (
        "Envie JSON com Content-Type: application/json; os bytes de um arquivo vão "
        "para o mesmo endereço com /binary."
    ),
    "Send a name of 1 to 255 characters that can be shown": (
        "Envie um nome de 1 a 255 caracteres que possam ser mostrados"
    ),
    "Send the field once": "Envie o campo uma única vez",
    "Send the token of SVC_METRICS_TOKEN as Authorization: Bearer <token>.": (
        "Envie o token de SVC_METRICS_TOKEN como Authorization: Bearer <token>."
    ),
    "Some items could not be read; the others are stored.": (
        "Alguns itens não puderam ser lidos; os outros foram gravados."
    ),
    "Only what Amazon SNS signed for one of the topics in SVC_AMAZON_TOPICS is taken here.": (
        "Aqui só é aceito o que o Amazon SNS assinou para um dos tópicos de SVC_AMAZON_TOPICS."
    ),
    "The message that this answers is not known yet; send it again later.": (
        "A mensagem que isto responde ainda não é conhecida; envie de novo mais tarde."
    ),
    "Amazon did not take the confirmation; send it again later.": (
        "A Amazon não aceitou a confirmação; envie de novo mais tarde."
    ),
    "Sign the raw body with the secret of the app in X-Hub-Signature-256.": (
        "Assine o corpo bruto com o segredo do app em X-Hub-Signature-256."
    ),
    "Register the address with the token that stands in SVC_META_VERIFY_TOKEN.": (
        "Registre o endereço com o token que está em SVC_META_VERIFY_TOKEN."
    ),
    "Write the text in UTF-8": "Escreva o texto em UTF-8",
    (
        "The service stopped here before the answer was known; repeat the request in a moment, "
        "with the same Idempotency-Key if it had one."
    ): (
        "O serviço parou aqui antes de a resposta ser conhecida; repita a requisição "
        "em instantes, "
        "com a mesma Idempotency-Key se havia uma."
    ),
    "No operation has this address; these are near: {named}. See /docs for all.": (
        "Nenhuma operação tem este endereço; são parecidos: {named}. Veja todos em /docs."
    ),
    "No operation has this address; see /docs for those that exist.": (
        "Nenhuma operação tem este endereço; veja em /docs as que existem."
    ),
    "No such file; open {_address} for the ones of this version.": (
        "Não existe esse arquivo; abra {_address} para ver os desta versão."
    ),
    "The address and the headers of a request have at most 64 KB together; send less.": (
        "O endereço e os cabeçalhos de uma requisição têm no máximo 64 KB somados; envie menos."
    ),
    "The request took too long to arrive; send it again, over a faster line.": (
        "A requisição demorou demais para chegar; envie-a de novo, por uma conexão mais rápida."
    ),
    "This is no HTTP request that can be read; correct it and send it again.": (
        "Isto não é uma requisição HTTP legível; corrija-a e envie de novo."
    ),
    (
        "The head of the request had not come after 10 seconds, or its body stopped for half a "
        "minute or came with less than 10 kB a second (status 408). Nothing was done."
    ): (
        "O cabeçalho da requisição não chegou em 10 segundos, ou o corpo parou por meio minuto ou "
        "veio a menos de 10 kB por segundo (status 408). Nada foi feito."
    ),
    "Send the request again, over a faster line; close connections that you do not use.": (
        "Envie a requisição de novo, por uma conexão mais rápida; feche as conexões que não usa."
    ),
    (
        "The request line and the headers were larger than 64 KB together (status "
        "431). Nothing was done."
    ): (
        "A linha da requisição e os cabeçalhos passaram de 64 KB somados (status "
        "431). Nada foi feito."
    ),
    "Send fewer and shorter headers; what is long goes into a body.": (
        "Envie menos cabeçalhos, e mais curtos; o que é longo vai no corpo."
    ),
    "What came was not HTTP, or TLS where none is spoken.": (
        "O que chegou não era HTTP, ou era TLS onde não se fala TLS."
    ),
    "Send HTTP/1.1, to the address and with the scheme of the base URL.": (
        "Envie HTTP/1.1, ao endereço e com o esquema da URL base."
    ),
    "The body ended before all of it had come; send it again.": (
        "O corpo acabou antes de chegar por inteiro; envie de novo."
    ),
    (
        "Send the bytes of the file with Content-Type: {UPLOAD}; its own type goes "
        "into x-content-type."
    ): (
        "Envie os bytes do arquivo com Content-Type: {UPLOAD}; o tipo do próprio "
        "arquivo vai em x-content-type."
    ),
    "Send the bytes of the file as the body": "Envie os bytes do arquivo como corpo",
    "Send the file's name, 1 to 255 characters, percent-encoded where it is not ASCII": (
        "Envie o nome do arquivo, de 1 a 255 caracteres, com percent-encoding no que não for ASCII"
    ),
    "Send the file's media type, such as application/pdf": (
        "Envie o tipo de mídia do arquivo, como application/pdf"
    ),
    (
        "Sign method, path and body with the shared secret in X-Gateway-Signature, "
        "and check the clock."
    ): (
        "Assine o método, o caminho e o corpo com o segredo compartilhado em "
        "X-Gateway-Signature, e confira o relógio."
    ),
    (
        "Sign method, path and body with the shared secret in X-Payment-Signature, "
        "and check the clock."
    ): (
        "Assine o método, o caminho e o corpo com o segredo compartilhado em "
        "X-Payment-Signature, e confira o relógio."
    ),
    "Sign method, path and body with the shared secret in X-Smtp-Signature, and check the clock.": (
        "Assine o método, o caminho e o corpo com o segredo compartilhado em "
        "X-Smtp-Signature, e confira o relógio."
    ),
    "The body is compressed; send JSON as it is, without the header Content-Encoding.": (
        "O corpo está comprimido; envie JSON como é, sem o cabeçalho Content-Encoding."
    ),
    "The body is CSV; send JSON, with an object for each line.": (
        "O corpo é CSV; envie JSON, com um objeto para cada linha."
    ),
    "The body is XML; send JSON, with the header Content-Type: application/json.": (
        "O corpo é XML; envie JSON, com o cabeçalho Content-Type: application/json."
    ),
    "The body is a form; send JSON, with the header Content-Type: application/json.": (
        "O corpo é um formulário; envie JSON, com o cabeçalho Content-Type: application/json."
    ),
    "No problem has this code; /problems lists those that exist.": (
        "Nenhum problema tem este código; /problems lista os que existem."
    ),
    "The header X-SVC-Dry-Run is not understood.": "O cabeçalho X-SVC-Dry-Run não foi entendido.",
    "Send true for a dry run, or leave the header out": (
        "Envie true para uma simulação, ou omita o cabeçalho"
    ),
    (
        "Only pages of this service itself use a session by cookie, over https or on the own "
        "machine; programs send the header Authorization."
    ): (
        "Só páginas deste próprio serviço usam uma sessão por cookie, por https ou na própria "
        "máquina; programas enviam o cabeçalho Authorization."
    ),
    (
        "Send csrfToken of GET /console/session in the header X-CSRF-Token; it belongs to one "
        "log-in."
    ): (
        "Envie o csrfToken de GET /console/session no cabeçalho X-CSRF-Token; ele pertence a uma "
        "única entrada."
    ),
    "Send the log-in as JSON in UTF-8, with the header Content-Type: application/json.": (
        "Envie a entrada como JSON em UTF-8, com o cabeçalho Content-Type: application/json."
    ),
    (
        "`/console/session`, or `/graphql` with the cookie of a session, was asked by a page of "
        "another origin, without TLS, or by a program."
    ): (
        "`/console/session`, ou `/graphql` com o cookie de uma sessão, foi chamado por uma página "
        "de outra origem, sem TLS ou por um programa."
    ),
    "Open the service by the address in SVC_BASE_URL; in programs send `Authorization`.": (
        "Abra o serviço pelo endereço de SVC_BASE_URL; em programas, envie `Authorization`."
    ),
    "The cookie of a session came without a CSRF token of it; another tab may have logged in.": (
        "O cookie de uma sessão veio sem um token CSRF dela; talvez outra aba tenha entrado."
    ),
    "Ask GET /console/session for a token, and send it in X-CSRF-Token.": (
        "Peça um token a GET /console/session e envie-o em X-CSRF-Token."
    ),
}
