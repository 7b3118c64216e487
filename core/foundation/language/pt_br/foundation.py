"""What is shared by every domain, in Portuguese."""

SENTENCES = {
    "Bad Request": "Requisição inválida",
    "Unauthorized": "Não autenticado",
    "Payment Required": "Saldo insuficiente",
    "Forbidden": "Acesso negado",
    "Not Found": "Não encontrado",
    "Method Not Allowed": "Método não permitido",
    "Request Timeout": "Tempo da requisição esgotado",
    "Conflict": "Conflito",
    "Gone": "Não existe mais",
    "Precondition Failed": "Condição não atendida",
    "Request Entity Too Large": "Corpo grande demais",
    "Content Too Large": "Corpo grande demais",
    "Unsupported Media Type": "Tipo de conteúdo não aceito",
    "Requested Range Not Satisfiable": "Intervalo inexistente",
    "Range Not Satisfiable": "Intervalo inexistente",
    "Unprocessable Entity": "Dados inválidos",
    "Unprocessable Content": "Dados inválidos",
    "Too Many Requests": "Requisições demais",
    "Request Header Fields Too Large": "Cabeçalhos grandes demais",
    "Internal Server Error": "Erro interno",
    "Bad Gateway": "Falha de um sistema externo",
    "Service Unavailable": "Serviço indisponível",
    "The request was refused.": "A requisição foi recusada.",
    "The request could not be read; correct it and send it again.": (
        "Não foi possível ler a requisição; corrija e envie de novo."
    ),
    "The body is larger than this operation accepts; send less.": (
        "O corpo é maior do que esta operação aceita; envie menos."
    ),
    "The content type is not accepted here.": "Este tipo de conteúdo não é aceito aqui.",
    "The file has no such part; ask for bytes that lie within its length.": (
        "O arquivo não tem esse trecho; peça bytes dentro do tamanho dele."
    ),
    "Send a valid credential in the header Authorization: Bearer <API_KEY>.": (
        "Envie uma credencial válida no cabeçalho Authorization: Bearer <API_KEY>."
    ),
    "The balance does not cover this send; add credit and try again.": (
        "O saldo não cobre este envio; adicione crédito e tente de novo."
    ),
    "The credential lacks the scope that this operation needs.": (
        "A credencial não tem o escopo que esta operação exige."
    ),
    "No such record; check the id and the environment of the credential.": (
        "Registro não encontrado; confira o id e o ambiente da credencial."
    ),
    "This address exists, but not with this method.": (
        "Este endereço existe, mas não com este método."
    ),
    "This address exists, but not with this method; it takes {methods}.": (
        "Este endereço existe, mas não com este método; ele aceita {methods}."
    ),
    "The request clashes with what is already stored.": (
        "A requisição conflita com o que já está gravado."
    ),
    "A condition of this operation is not met.": "Uma condição desta operação não foi atendida.",
    "Some fields are not valid; correct each one named in errors.": (
        "Há campos inválidos; corrija cada um dos indicados em errors."
    ),
    "Some parameters are not valid; correct each one named in errors.": (
        "Há parâmetros inválidos; corrija cada um dos indicados em errors."
    ),
    "Too many requests; wait for the seconds in Retry-After.": (
        "Requisições demais; espere os segundos indicados em Retry-After."
    ),
    "Something went wrong on our side; give support the requestId.": (
        "Algo deu errado do nosso lado; informe o requestId ao suporte."
    ),
    "A system behind this operation failed; try again later.": (
        "Um sistema de que esta operação depende falhou; tente de novo mais tarde."
    ),
    "The service cannot do this right now; try again later.": (
        "O serviço não consegue fazer isso agora; tente de novo mais tarde."
    ),
    "Send at most {most} decimals": "Envie no máximo {most} casas decimais",
    "The number has more decimals than are kept; nothing is rounded.": (
        "O número tem mais casas decimais do que se guardam; nada é arredondado."
    ),
    "The operation is nested deeper than {MAX_DEPTH} levels; send flatter `variables`.": (
        "A operação tem mais de {MAX_DEPTH} níveis; envie `variables` com menos níveis."
    ),
    "The item is nested too deep": "O item tem níveis demais",
    "The report repeats or nests its parts too often to be read; send it as JSON instead.": (
        "O relatório repete ou aninha partes demais para ser lido; envie-o como JSON."
    ),
    "The upload took too long; send the file again.": (
        "O envio do arquivo demorou demais; envie o arquivo de novo."
    ),
    "The store of files cannot be reached; repeat the request in a moment.": (
        "O armazenamento de arquivos está inacessível; repita a requisição em instantes."
    ),
    "Send a currency as its ISO 4217 code, such as BRL": (
        "Envie a moeda pelo código ISO 4217, como BRL"
    ),
    "Send an array": "Envie uma lista",
    "This operation knows no such field": "Esta operação não tem esse campo",
    "The text is not valid Unicode": "O texto não é Unicode válido",
    "There is no such date-time": "Essa data e hora não existe",
    "The text does not have the form that the documentation gives": (
        "O texto não tem a forma descrita na documentação"
    ),
    "Use only these characters: {allowed}": "Use só estes caracteres: {allowed}",
    "Use {least} to {most} of these characters: {allowed}": (
        "Use de {least} a {most} destes caracteres: {allowed}"
    ),
    "Use {least} to {most} of these characters, or spaces: {allowed}": (
        "Use de {least} a {most} destes caracteres, ou espaços: {allowed}"
    ),
    "The field that tells the kind is missing; see the documentation for the kinds": (
        "Falta o campo que indica o tipo; veja os tipos na documentação"
    ),
    "A text cannot hold the character NUL": "Um texto não pode conter o caractere NUL",
    "A number lies within ±9007199254740991": "Um número fica entre ±9007199254740991",
    "This object has at most {most} bytes as JSON": (
        "Este objeto tem no máximo {most} bytes em JSON"
    ),
    "This object has at most {most} levels": "Este objeto tem no máximo {most} níveis",
    "A metadata text has at most 256 characters": (
        "Um texto de metadata tem no máximo 256 caracteres"
    ),
    "A metadata number lies within ±9007199254740991": (
        "Um número de metadata fica entre ±9007199254740991"
    ),
    "A metadata number is finite": "Um número de metadata precisa ser finito",
    "A metadata value is a text, a number or a boolean": (
        "Um valor de metadata é um texto, um número ou um booleano"
    ),
    "This is a masked value; send the whole phone": (
        "Este é um valor mascarado; envie o telefone completo"
    ),
    "This is not a valid phone number; send it in E.164, such as +5511987654321": (
        "Este telefone não é válido; envie com país e DDD (E.164), como +5511987654321"
    ),
    "The instant lies outside the years 1 to 9999 in UTC": (
        "O instante fica fora dos anos 1 a 9999 em UTC"
    ),
    "Send a date-time as ISO 8601, such as 2026-11-21T12:00:00Z": (
        "Envie data e hora em ISO 8601, como 2026-11-21T12:00:00Z"
    ),
    "Send a date-time as text, such as 2026-11-21T12:00:00Z": (
        "Envie data e hora como texto, como 2026-11-21T12:00:00Z"
    ),
    "The body is not valid JSON in UTF-8; correct it and send it again.": (
        "O corpo não é JSON válido em UTF-8; corrija e envie de novo."
    ),
    "This reader is too slow for what happens; connect again and ask for less.": (
        "Este leitor é lento demais para o que acontece; conecte de novo e peça menos."
    ),
    (
        "Changes of the last moments may not have been told; connect again and read "
        "what is shown anew."
    ): (
        "Mudanças dos últimos instantes podem não ter sido avisadas; conecte de novo "
        "e releia o que está na tela."
    ),
    "Write at least one character that can be seen": "Escreva pelo menos um caractere visível",
    "Write it in one line, without control characters": (
        "Escreva em uma só linha, sem caracteres de controle"
    ),
    (
        "The database cannot be reached right now; repeat the request in a moment, with the same "
        "Idempotency-Key if it had one."
    ): (
        "O banco de dados está inacessível agora; repita a requisição em instantes, com a mesma "
        "Idempotency-Key se havia uma."
    ),
    (
        "This took too long and was broken off; repeat the request in a moment, with "
        "the same Idempotency-Key if it "
        "had one."
    ): (
        "Isto demorou demais e foi interrompido; repita a requisição em instantes, "
        "com a mesma Idempotency-Key se "
        "havia uma."
    ),
    (
        "Your organization has as many large reads and writes under way as it may "
        "have at once; repeat the request in "
        "a moment, with the same Idempotency-Key if it had one."
    ): (
        "Sua organização já tem em andamento todas as leituras e gravações grandes "
        "que pode ter ao mesmo tempo; repita "
        "a requisição em instantes, com a mesma Idempotency-Key se havia uma."
    ),
    "The host is not a valid IP address.": "O host não é um endereço IP válido.",
    "The host must be reachable on the public internet.": (
        "O host precisa ser acessível pela internet pública."
    ),
    "Use an https address.": "Use um endereço https.",
    "Write an absolute https URL of at most 2,048 characters.": (
        "Escreva uma URL https absoluta de até 2.048 caracteres."
    ),
    "The URL must not carry credentials; use a header.": (
        "A URL não pode conter credenciais; use um cabeçalho."
    ),
    "The host or the port of the URL is not valid.": "O host ou a porta da URL não é válido.",
    "The URL is not valid.": "A URL não é válida.",
    "Brackets in the host are for IPv6 addresses.": "Colchetes no host são para endereços IPv6.",
    "The port of the URL is not valid.": "A porta da URL não é válida.",
    "Use port {usual} or a port above 1023.": "Use a porta {usual} ou uma porta acima de 1023.",
    "The host of the URL is not valid.": "O host da URL não é válido.",
    "Write the address in its usual dotted form.": "Escreva o endereço na forma usual, com pontos.",
    "Send the IANA name of a time zone, such as America/Sao_Paulo": (
        "Envie o nome IANA de um fuso horário, como America/Sao_Paulo"
    ),
    "This is none of the allowed values; the documentation lists them": (
        "Este não é um dos valores aceitos; a documentação lista todos"
    ),
    "This value is not valid here; see the documentation of the field": (
        "Este valor não vale aqui; veja a documentação do campo"
    ),
    "The value has another type than the field; see its documentation": (
        "O valor tem outro tipo que o do campo; veja a documentação dele"
    ),
    "Send a date as text, such as 2026-11-21": "Envie a data como texto, como 2026-11-21",
    "Send a whole number": "Envie um número inteiro",
    "Send a number": "Envie um número",
    "Send at most {max_length} characters": "Envie no máximo {max_length} caracteres",
    "Send at least {min_length} characters": "Envie ao menos {min_length} caracteres",
    "This cannot be empty": "Isto não pode ficar vazio",
    "Send one at most": "Envie no máximo um",
    "Send true or false": "Envie true ou false",
    "The number has too many digits": "O número tem dígitos demais",
    "Send more than {gt}": "Envie mais que {gt}",
    "Send {ge} or more": "Envie {ge} ou mais",
    "Send less than {lt}": "Envie menos que {lt}",
    "Send {le} or less": "Envie {le} ou menos",
    "Send at most {max_length} entries": "Envie no máximo {max_length} itens",
    "Send at least {min_length} entries": "Envie ao menos {min_length} itens",
    "The value is nested too deep": "O valor tem níveis demais",
    "This operation knows no such field; did you mean {meant}?": (
        "Esta operação não tem esse campo; você quis dizer {meant}?"
    ),
    "This is none of the allowed values; of this kind there are: {listed}": (
        "Este não é um dos valores aceitos; deste tipo há: {listed}"
    ),
    "A key begins with a letter; letters, digits, _ . and - may follow": (
        "Uma chave começa com uma letra; depois podem vir letras, dígitos, _ . e -"
    ),
    "Write the hour as HH:MM, such as 22:00": "Escreva a hora como HH:MM, por exemplo 22:00",
    "This is none of the allowed values; did you mean {meant}?": (
        "Este não é um dos valores aceitos; você quis dizer {meant}?"
    ),
    "Send one of: {listed}; did you mean {meant}?": (
        "Envie um destes: {listed}; você quis dizer {meant}?"
    ),
    "Send one of: {listed}": "Envie um destes: {listed}",
    "texts and names stand in double quotes": "textos e nomes ficam entre aspas duplas",
    "JSON has no comments": "JSON não tem comentários",
    "curved quotes stand there; write straight ones": "há aspas curvas ali; escreva aspas retas",
    "no comma stands before a closing bracket": (
        "não há vírgula antes de fechar chaves ou colchetes"
    ),
    "something stands behind the end": "há algo depois do fim",
    "the text ends before it is complete": "o texto termina antes de estar completo",
    "the name of a field stands in double quotes": "o nome de um campo fica entre aspas duplas",
    "a colon is missing between a name and its value": (
        "faltam dois-pontos entre um nome e o seu valor"
    ),
    "a comma or a closing bracket is missing": "falta uma vírgula, ou fechar chaves ou colchetes",
    "a line break or another control character stands in a text; write it as an escape": (
        "há uma quebra de linha ou outro caractere de controle em um texto; "
        "escreva-o como sequência de escape"
    ),
    "this is not UTF-8": "isto não é UTF-8",
    "a backslash stands before something that it cannot escape": (
        "há uma barra invertida antes de algo que ela não pode escapar"
    ),
    "JSON writes numbers like 10, -2.5 and 1e3": "JSON escreve números como 10, -2.5 e 1e3",
    "it is nested too deep": "há níveis demais",
    "a value is a text in double quotes, a number, true, false, null, an object or an array": (
        "um valor é um texto entre aspas duplas, um número, true, false, null, um "
        "objeto ou uma lista"
    ),
    "The body is empty; send JSON.": "O corpo está vazio; envie JSON.",
    "The body begins with a byte order mark (BOM); send UTF-8 without one.": (
        "O corpo começa com uma marca de ordem de bytes (BOM); envie UTF-8 sem ela."
    ),
    "The body is not JSON in UTF-8; write it in that encoding.": (
        "O corpo não é JSON em UTF-8; escreva-o nessa codificação."
    ),
    "The body is not valid JSON (line {line}, column {column}): {slip}.": (
        "O corpo não é JSON válido (linha {line}, coluna {column}): {slip}."
    ),
    (
        "This operation reaches beyond the database, so there is no dry run of it; "
        "send it without the header X-SVC-Dry-Run."
    ): (
        "Esta operação vai além do banco de dados e por isso não tem simulação; "
        "envie-a sem o cabeçalho X-SVC-Dry-Run."
    ),
    "An organization has 5 dry runs a second; wait for the seconds in Retry-After.": (
        "Uma organização tem 5 simulações por segundo; aguarde os segundos de Retry-After."
    ),
    (
        "What this would change is in use at the moment, or is too much for a dry "
        "run; repeat it, or try it with less."
    ): (
        "O que isto mudaria está em uso no momento, ou é demais para uma simulação; "
        "repita, ou tente com menos."
    ),
}
