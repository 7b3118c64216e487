"""What the problems of any domain mean, in Portuguese."""

SENTENCES = {
    "The field is missing.": "Falta o campo.",
    "The operation knows no such field; names are spelt as in the reference.": (
        "A operação não tem esse campo; os nomes são escritos como na referência."
    ),
    (
        "The value has another JSON type than the field. Nothing is converted: a "
        "number is not a text."
    ): ("O valor tem outro tipo JSON que o do campo. Nada é convertido: um número não é um texto."),
    "The text does not have the form that the reference gives.": (
        "O texto não tem a forma que a referência dá."
    ),
    "The field names something that does not exist here, or cannot be used.": (
        "O campo indica algo que não existe aqui, ou que não pode ser usado."
    ),
    "The value is none of those that are allowed.": "O valor não é um dos aceitos.",
    "The text is too long.": "O texto é longo demais.",
    "The text is too short.": "O texto é curto demais.",
    "The list or object has too many entries.": "A lista ou o objeto tem itens demais.",
    "The list or object has too few entries.": "A lista ou o objeto tem itens de menos.",
    "The number or date is too large.": "O número ou a data é grande demais.",
    "The number or date is too small.": "O número ou a data é pequeno demais.",
    "The instant lies outside the years 1 to 9999.": "O instante fica fora dos anos 1 a 9999.",
    "The number is infinite or not a number.": "O número é infinito ou não é um número.",
    "A name, a subject or what else is one line holds a line break or another control character.": (
        "Um nome, um assunto ou outro texto de uma só linha tem uma quebra de linha "
        "ou outro caractere de controle."
    ),
    "A text holds the character NUL, which cannot be stored.": (
        "Um texto contém o caractere NUL, que não pode ser gravado."
    ),
    "A parameter is not written in UTF-8.": "Um parâmetro não está escrito em UTF-8.",
    "Something that may stand once stands twice.": "Algo que pode aparecer uma vez aparece duas.",
    "The field cannot change.": "O campo não pode mudar.",
    "The name of the header is reserved for the delivery itself.": (
        "O nome do cabeçalho é reservado para a própria entrega."
    ),
    "The text is no phone number; write it in E.164, such as +5511987654321.": (
        "O texto não é um telefone; escreva-o em E.164, como +5511987654321."
    ),
    "The date lies in the future.": "A data está no futuro.",
    "The text is no CPF: eleven digits, the last two of which check the others.": (
        "O texto não é um CPF: onze dígitos, em que os dois últimos conferem os outros."
    ),
    (
        "The text is no CNPJ: fourteen characters, with or without punctuation, "
        "whose check digits fit."
    ): (
        "O texto não é um CNPJ: catorze caracteres, com ou sem pontuação, cujos "
        "dígitos verificadores conferem."
    ),
    "The text is neither an http(s) address nor a picture as a `data:` URI.": (
        "O texto não é um endereço http(s) nem uma imagem como URI `data:`."
    ),
    "The variables of a text are not numbered from {{{{1}}}} without a gap.": (
        "As variáveis de um texto não são numeradas a partir de {{{{1}}}} sem lacunas."
    ),
    "A variable stands first or last in a body.": (
        "Uma variável é a primeira ou a última coisa em um corpo."
    ),
    "Buttons that answer do not stand together.": "Botões de resposta não estão juntos.",
    "The recipient asked not to receive communication.": (
        "O destinatário pediu para não receber comunicações."
    ),
    "A masked value was written back; send the whole value or leave the field out.": (
        "Um valor mascarado foi enviado de volta; envie o valor completo ou omita o campo."
    ),
    "The key does not hold this scope, and a change cannot give it one.": (
        "A chave não tem este escopo, e uma alteração não pode dá-lo."
    ),
    (
        "The request could not be read: its body is no JSON, a header is missing or malformed, or "
        "it is too large (413) or of the wrong media type (415)."
    ): (
        "Não foi possível ler a requisição: o corpo não é JSON, um cabeçalho falta ou está "
        "malformado, ou ela é grande demais (413) ou do tipo de mídia errado (415)."
    ),
    "Correct the request. The same request answers the same again.": (
        "Corrija a requisição. A mesma requisição recebe a mesma resposta."
    ),
    "No credential came along, or it does not open the door.": (
        "Nenhuma credencial veio junto, ou ela não abre a porta."
    ),
    (
        "Send `Authorization: Bearer <API_KEY>` with a live key (`svc_live_…`), a test key "
        "(`svc_test_…`) or a session token (`svc_sess_…`). `meta.motivo` tells what was wrong."
    ): (
        "Envie `Authorization: Bearer <API_KEY>` com uma chave de produção (`svc_live_…`), uma "
        "chave de teste (`svc_test_…`) ou um token de sessão (`svc_sess_…`). `meta.motivo` diz o "
        "que estava errado."
    ),
    "The wallet does not cover the price of what was asked. Nothing was sent, stored or charged.": (
        "A carteira não cobre o preço do que foi pedido. Nada foi enviado, gravado nem cobrado."
    ),
    (
        "Add credit and send again; the same Idempotency-Key may be used. `meta.saldoCoins` is "
        "what there is, `meta.necessarioCoins` what it takes."
    ): (
        "Adicione crédito e envie de novo; a mesma Idempotency-Key pode ser usada. "
        "`meta.saldoCoins` é o que há, `meta.necessarioCoins` o que é preciso."
    ),
    "The credential is good, but it may not do this.": (
        "A credencial é boa, mas não pode fazer isto."
    ),
    (
        "Use a credential that holds the scope in `meta.escopoExigido`. Scopes are "
        "chosen when a key is issued."
    ): (
        "Use uma credencial que tenha o escopo em `meta.escopoExigido`. Os escopos são escolhidos "
        "quando a chave é emitida."
    ),
    (
        "There is no such record for this credential. Records of another organization and of the "
        "other environment answer the same."
    ): (
        "Não existe esse registro para esta credencial. Registros de outra organização e do outro "
        "ambiente respondem o mesmo."
    ),
    "Check the id, and whether it was made with a key of the same environment.": (
        "Confira o id, e se ele foi criado com uma chave do mesmo ambiente."
    ),
    "The address exists, but not with this method.": "O endereço existe, mas não com este método.",
    "Use one of the methods in the header `Allow`.": "Use um dos métodos do cabeçalho `Allow`.",
    (
        "The request contradicts what is stored: something that has to be unique exists already, "
        "or the record is in a state that does not allow it."
    ): (
        "A requisição contradiz o que está gravado: algo que precisa ser único já existe, ou o "
        "registro está em um estado que não permite isto."
    ),
    (
        "Read the record, decide anew, and send a request that fits. `meta.code` "
        "tells which rule it was."
    ): (
        "Leia o registro, decida de novo e envie uma requisição que sirva. "
        "`meta.code` diz qual foi a regra."
    ),
    "Something that has to be settled outside this request is missing.": (
        "Falta algo que precisa ser resolvido fora desta requisição."
    ),
    "Settle it, then send the same request again.": (
        "Resolva isso e envie a mesma requisição de novo."
    ),
    (
        "The request was read, but a field or a rule is violated. `errors` names "
        "every wrong field "
        "at once, each by its JSON Pointer in the body, its parameter or its header; no value is "
        "repeated."
    ): (
        "A requisição foi lida, mas um campo ou uma regra foi violado. `errors` indica todos os "
        "campos errados de uma vez, cada um pelo JSON Pointer no corpo, pelo parâmetro ou pelo "
        "cabeçalho; nenhum valor é repetido."
    ),
    "Correct the fields and send again; the same Idempotency-Key may be used.": (
        "Corrija os campos e envie de novo; a mesma Idempotency-Key pode ser usada."
    ),
    "Too much in too little time. Nothing was done or charged.": (
        "Demais em pouco tempo. Nada foi feito nem cobrado."
    ),
    (
        "Wait for the seconds in `Retry-After` and send again, with the same "
        "Idempotency-Key: it was released."
    ): (
        "Espere os segundos de `Retry-After` e envie de novo, com a mesma "
        "Idempotency-Key: ela foi liberada."
    ),
    "Something went wrong on the side of the service; it was logged.": (
        "Algo deu errado do lado do serviço; ficou registrado."
    ),
    (
        "Repeat the request later, with the same Idempotency-Key if it had one. If it stays, give "
        "support the `requestId`."
    ): (
        "Repita a requisição mais tarde, com a mesma Idempotency-Key se havia uma. Se continuar, "
        "informe o `requestId` ao suporte."
    ),
    "A system behind the service failed.": "Um sistema de que o serviço depende falhou.",
    (
        "Where `meta.code` is RESULTADO_DESCONHECIDO, read the message by `meta.messageId` before "
        "anything else; in every other case nothing was sent or charged, and the request may be "
        "repeated."
    ): (
        "Onde `meta.code` é RESULTADO_DESCONHECIDO, leia a mensagem por `meta.messageId` antes de "
        "mais nada; em todos os outros casos nada foi enviado nem cobrado, e a "
        "requisição pode ser "
        "repetida."
    ),
    "The service cannot do this right now.": "O serviço não consegue fazer isto agora.",
    (
        "Repeat the request, with the same Idempotency-Key if it had one, after the seconds in "
        "`Retry-After` or with growing pauses."
    ): (
        "Repita a requisição, com a mesma Idempotency-Key se havia uma, depois dos segundos de "
        "`Retry-After` ou com pausas crescentes."
    ),
    "The body is no JSON.": "O corpo não é JSON.",
    "Send JSON in UTF-8. With curl, mind the quotes of the shell.": (
        "Envie JSON em UTF-8. Com curl, cuidado com as aspas do shell."
    ),
    "A send came without Idempotency-Key.": "Um envio veio sem Idempotency-Key.",
    (
        "Draw a new key for each thing that is to be sent (a UUID, or your order's number), and "
        "repeat the request with the same one until it is answered."
    ): (
        "Gere uma chave nova para cada coisa a enviar (um UUID, ou o número do seu pedido), e "
        "repita a requisição com a mesma até que ela seja respondida."
    ),
    "The request is malformed.": "A requisição está malformada.",
    "Correct it.": "Corrija-a.",
    "The Idempotency-Key has a form that is not taken.": (
        "A Idempotency-Key tem uma forma que não é aceita."
    ),
    "Use 1 to 255 printable ASCII.": "Use de 1 a 255 caracteres ASCII imprimíveis.",
    "The body is too large (413).": "O corpo é grande demais (413).",
    "Send less, or in several requests.": "Envie menos, ou em várias requisições.",
    "The body is not said to be the bytes of a file (415).": (
        "O corpo não se anuncia como os bytes de um arquivo (415)."
    ),
    "Send Content-Type: application/octet-stream, and the file's own type in x-content-type.": (
        "Envie Content-Type: application/octet-stream, e o tipo do próprio arquivo "
        "em x-content-type."
    ),
    "The file has no name, no type or no bytes.": "O arquivo não tem nome, tipo ou bytes.",
    "The id is not known in this environment.": "O id não é conhecido neste ambiente.",
    "Check id and environment.": "Confira o id e o ambiente.",
    (
        "The operation exists for test keys only, or the record it is to work on "
        "does not exist in the sandbox."
    ): (
        "A operação só existe para chaves de teste, ou o registro sobre o qual ela "
        "trabalharia não existe no sandbox."
    ),
    "Use a test key, and an id that was made with one.": (
        "Use uma chave de teste, e um id criado com uma."
    ),
    "The method does not fit the address.": "O método não serve para o endereço.",
    "See the header `Allow`.": "Veja o cabeçalho `Allow`.",
    "The Idempotency-Key stands for another request of the last 24 hours.": (
        "A Idempotency-Key já está com outra requisição das últimas 24 horas."
    ),
    (
        "Draw a new key for a new request. If this was meant as a repeat, send "
        "exactly the first body."
    ): (
        "Gere uma chave nova para uma requisição nova. Se isto era uma repetição, "
        "envie exatamente o primeiro corpo."
    ),
    (
        "The Idempotency-Key did its work in the last 24 hours. Its answer is not kept (whom it "
        "was about was erased), or it was made for somebody else, or for a "
        "credential that may see "
        "more."
    ): (
        "A Idempotency-Key já fez o seu trabalho nas últimas 24 horas. A resposta "
        "não foi guardada "
        "(a pessoa de quem tratava foi apagada), ou foi feita para outra pessoa, ou para uma "
        "credencial que pode ver mais."
    ),
    (
        "Nothing was done again. Read the record by its id or its name; draw a new "
        "key for a new request."
    ): (
        "Nada foi feito de novo. Leia o registro pelo id ou pelo nome; gere uma "
        "chave nova para uma requisição nova."
    ),
    "The first request with this Idempotency-Key has not been answered yet.": (
        "A primeira requisição com esta Idempotency-Key ainda não foi respondida."
    ),
    "Wait for `Retry-After` and repeat it; the answer will be that of the first.": (
        "Espere o `Retry-After` e repita; a resposta será a da primeira."
    ),
    (
        "A value with `*` came as phone, e-mail address or document: somebody wrote "
        "a masked value back."
    ): (
        "Um valor com `*` veio como telefone, e-mail ou documento: alguém enviou de "
        "volta um valor mascarado."
    ),
    "Send the whole value, or leave the field out.": "Envie o valor completo, ou omita o campo.",
    "A fault of ours.": "Uma falha nossa.",
    "Give support the `requestId`.": "Informe o `requestId` ao suporte.",
    "The database is away for a moment.": "O banco de dados está inacessível por um momento.",
    "The request took longer than a request may, and was undone.": (
        "A requisição demorou mais do que pode e foi desfeita."
    ),
    (
        "Repeat it after `Retry-After`, with the same Idempotency-Key if it had one; "
        "ask for less where it is a list."
    ): (
        "Repita-a depois de `Retry-After`, com a mesma Idempotency-Key se havia uma; "
        "peça menos se for uma lista."
    ),
    "Repeat the request, with the same Idempotency-Key if it had one.": (
        "Repita a requisição, com a mesma Idempotency-Key se havia uma."
    ),
    (
        "Every refusal is an `application/problem+json` document (RFC 9457). Decide by `status` "
        "and `code`, and where it matters by the refinement in `meta`; `title` and `detail` are "
        "for people, in the language of `Accept-Language`."
    ): (
        "Toda recusa é um documento `application/problem+json` (RFC 9457). Decida por `status` e "
        "`code`, e onde importa pelo refinamento em `meta`; `title` e `detail` são para pessoas, "
        "no idioma de `Accept-Language`."
    ),
    "Codes": "Códigos",
    "Refinements": "Refinamentos",
    "What to do:": "O que fazer:",
    "Typical causes": "Causas típicas",
    "Codes of wrong fields (`errors[].code`)": "Códigos de campos errados (`errors[].code`)",
    "Example": "Exemplo",
    "All problems": "Todos os problemas",
    (
        "A dry run was asked for of what reaches beyond the database: it calls "
        "somebody, keeps a file, or shows a secret."
    ): (
        "Foi pedida a simulação de algo que vai além do banco de dados: chama "
        "alguém, guarda um arquivo ou mostra um segredo."
    ),
    "Send it without X-SVC-Dry-Run once it is to be done.": (
        "Envie sem X-SVC-Dry-Run quando for para valer."
    ),
    "X-SVC-Dry-Run says neither `true` nor `false`.": "X-SVC-Dry-Run não diz `true` nem `false`.",
    "Send `true` for a dry run; leave the header out for the real one.": (
        "Envie `true` para simular; omita o cabeçalho para valer."
    ),
    (
        "A dry run waited too long for a record that a real request is changing, or "
        "had too much to do."
    ): (
        "Uma simulação esperou demais por um registro que outra requisição está "
        "mudando, ou tinha trabalho demais."
    ),
    "Repeat it in a moment, or try it with less.": "Repita em instantes, ou tente com menos.",
    "More dry runs came in a second than an organization has.": (
        "Houve mais simulações em um segundo do que uma organização tem."
    ),
    "Wait for the seconds in `Retry-After`.": "Aguarde os segundos de `Retry-After`.",
}
