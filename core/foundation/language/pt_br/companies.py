"""Companies, in Portuguese."""

SENTENCES = {
    "This is not a valid CNPJ; its check digits do not fit": (
        "Este CNPJ não é válido; os dígitos verificadores não conferem"
    ),
    "Another company of this organization has this CNPJ; change that one instead.": (
        "Outra empresa desta organização já tem este CNPJ; altere essa empresa."
    ),
    "Another company has this CNPJ": "Outra empresa já tem este CNPJ",
    "Several companies have this name, so that nobody knows which is meant; send the CNPJ too": (
        "Várias empresas têm este nome e não dá para saber qual é; envie também o CNPJ"
    ),
    "A key is defined twice; send each key once.": (
        "Uma chave foi definida duas vezes; envie cada chave uma única vez."
    ),
    "An earlier one has this key": "Uma definição anterior já tem esta chave",
    (
        "A property that looks like a document, a password, a card or a token still has values in "
        "companies, so it stays and keeps its label; remove the values first."
    ): (
        "Uma propriedade que parece documento, senha, cartão ou token ainda tem valores em "
        "empresas; por isso ela fica e mantém o rótulo. Remova os valores primeiro."
    ),
    "Companies still have values of a property that this would change": (
        "Há empresas com valores de uma propriedade que isto alteraria"
    ),
    (
        "Whether companies still have values of the property could not be told within 5 seconds, "
        "so nothing changed; try again later."
    ): (
        "Não foi possível saber em 5 segundos se há empresas com valores da propriedade, e nada "
        "mudou; tente de novo mais tarde."
    ),
    "Send an http(s) address, such as https://example.com": (
        "Envie um endereço http(s), como https://example.com"
    ),
    "The cursor is not one that this list gave": "O cursor não é um dos que esta lista forneceu",
    "The cursor is not one that this list gave; leave it out to begin with the first page": (
        "O cursor não é um dos que esta lista forneceu; deixe-o de fora para começar pela primeira página"
    ),
    "The definition of this attribute asks for a text": "A definição deste atributo pede um texto",
    "The definition of this attribute asks for a number": (
        "A definição deste atributo pede um número"
    ),
    "The definition of this attribute asks for true or false": (
        "A definição deste atributo pede true ou false"
    ),
    "The definition of this attribute asks for a date, as YYYY-MM-DD": (
        "A definição deste atributo pede uma data, no formato YYYY-MM-DD"
    ),
    "The definition of this attribute requires it": (
        "A definição deste atributo o torna obrigatório"
    ),
    "Another company has this CNPJ; with and without mask it is the same one.": (
        "Outra empresa já tem este CNPJ; com e sem máscara é o mesmo."
    ),
    "Find it with `GET /v2/companies?q=`, and change that one.": (
        "Encontre-a com `GET /v2/companies?q=` e altere essa empresa."
    ),
    "Two definitions have the same `key`.": "Duas definições têm a mesma `key`.",
    "Send each key once.": "Envie cada chave uma única vez.",
    (
        "A property that looks like a document, a password, a card or a token, by its key or its "
        "label, was to leave the list or to change its label, and companies still have values of "
        "it: `meta.chaves` names it."
    ): (
        "Uma propriedade que parece documento, senha, cartão ou token, pela chave ou pelo rótulo, "
        "ia sair da lista ou mudar de rótulo, e empresas ainda têm valores dela: "
        "`meta.chaves` diz "
        "qual."
    ),
    "Remove the values from the companies first.": "Remova primeiro os valores das empresas.",
    (
        "`responsavelId` names nobody who is an active member, or "
        "`contatoPrincipalId` no contact of the organization."
    ): (
        "`responsavelId` não indica um membro ativo, ou `contatoPrincipalId` não "
        "indica um contato da organização."
    ),
    "Check the ids; a suspended member, or one who has not accepted yet, cannot be responsible.": (
        "Confira os ids; um membro suspenso, ou que ainda não aceitou o convite, não "
        "pode ser responsável."
    ),
    (
        "Whether companies still have values of a sensitive property could not be "
        "told within 5 seconds."
    ): (
        "Não foi possível saber em 5 segundos se empresas ainda têm valores de uma "
        "propriedade sensível."
    ),
    "Try again at a quieter time. Nothing changed.": (
        "Tente de novo em um horário mais calmo. Nada mudou."
    ),
}
