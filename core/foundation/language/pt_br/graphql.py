"""The GraphQL gateway, in Portuguese."""

SENTENCES = {
    "The operation may answer {points} nodes, {MAX_NODES} are allowed; ask for shorter pages": (
        "A operação pode responder {points} nós, e são permitidos {MAX_NODES}; peça páginas menores"
    ),
    "The document has more than {MAX_CHARACTERS} characters; send values as variables.": (
        "O documento tem mais de {MAX_CHARACTERS} caracteres; envie os valores como variáveis."
    ),
    "The credential lacks the scope {escopoExigido}, which this field needs.": (
        "A credencial não tem o escopo {escopoExigido}, que este campo exige."
    ),
    "A value in the document cannot be read.": "Um valor do documento não pode ser lido.",
    "Send a mutation with POST; GET runs queries alone.": (
        "Envie mutações com POST; GET só executa consultas."
    ),
    "Send the operation as JSON in UTF-8, with the header Content-Type: application/json.": (
        "Envie a operação como JSON em UTF-8, com o cabeçalho Content-Type: application/json."
    ),
    "The parameters `variables` and `extensions` are JSON, where they are sent.": (
        "Os parâmetros `variables` e `extensions` são JSON, quando enviados."
    ),
    "Write the parameters in UTF-8.": "Escreva os parâmetros em UTF-8.",
    "Subscriptions come over a WebSocket: connect to this address with graphql-transport-ws.": (
        "Inscrições chegam por WebSocket: conecte-se a este endereço com graphql-transport-ws."
    ),
    "This service answers the operations of its console and no others; whoever runs it decides that with SVC_GRAPHQL_REGISTERED_ONLY.": (
        "Este serviço só responde às operações do seu console; quem o opera decide isso com SVC_GRAPHQL_REGISTERED_ONLY."
    ),
    "Send one operation: an object with `query`. Batches are not taken.": (
        "Envie uma operação: um objeto com `query`. Lotes não são aceitos."
    ),
    "`variables` is an object and `operationName` a text, where they are sent.": (
        "`variables` é um objeto e `operationName` um texto, quando enviados."
    ),
    "Send the document as the text `query`.": "Envie o documento como o texto `query`.",
    "`extensions` is an object, where it is sent.": "`extensions` é um objeto, quando enviado.",
    "Introspection takes no aliases.": "A introspecção não aceita aliases.",
    "The document is {depth} levels deep; {MAX_DEPTH} are allowed.": (
        "O documento tem {depth} níveis; são permitidos {MAX_DEPTH}."
    ),
    "The document has {aliases} aliases; {MAX_ALIASES} are allowed.": (
        "O documento tem {aliases} aliases; são permitidos {MAX_ALIASES}."
    ),
    "`extensions.persistedQuery` is an object with `version` 1 and `sha256Hash`.": (
        "`extensions.persistedQuery` é um objeto com `version` 1 e `sha256Hash`."
    ),
    "`sha256Hash` is the SHA-256 of the document in 64 lower-case hexadecimal digits.": (
        "`sha256Hash` é o SHA-256 do documento em 64 dígitos hexadecimais minúsculos."
    ),
    "The document is not the one that `sha256Hash` belongs to.": (
        "O documento não é aquele a que `sha256Hash` pertence."
    ),
    "At most {MAX_OPERATIONS} operations may be under way; complete one first.": (
        "No máximo {MAX_OPERATIONS} operações podem estar em andamento; encerre uma primeiro."
    ),
    "The operation may cost {points} points, and there are never more than {most}; ask for less": (
        "A operação pode custar {points} pontos, e nunca há mais de {most}; peça menos"
    ),
}
