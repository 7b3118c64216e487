"""What the library graphql-core says of a document, in Portuguese; the tests of the gateway hold it
to that.
"""

SENTENCES = {
    "Syntax Error: {said}": "Erro de sintaxe: {said}",
    "{said} Did you mean {meant}?": "{said} Você quis dizer {meant}?",
    "Unexpected {token}": "{token} não é esperado",
    "Expected {kind}, found {token}": "esperava-se {kind}, e há {token}",
    "Unterminated string": "texto sem fim",
    "Document is nested too deeply. Parsing aborted": "o documento tem níveis demais",
    "Cannot query field '{field_name}' on type '{type_}'": (
        "O tipo '{type_}' não tem o campo '{field_name}'"
    ),
    "Unknown argument '{arg_name}' on field '{field_name}'": (
        "O campo '{field_name}' não tem o argumento '{arg_name}'"
    ),
    "Unknown argument '{arg_name}' on directive '@{name}'": (
        "A diretiva '@{name}' não tem o argumento '{arg_name}'"
    ),
    "Unknown directive '@{name}'": "A diretiva '@{name}' não existe",
    "Directive '@{name}' may not be used on {value}": (
        "A diretiva '@{name}' não pode ser usada em {value}"
    ),
    "Unknown fragment '{fragment_name}'": "O fragmento '{fragment_name}' não existe",
    "Unknown type '{type_name}'": "O tipo '{type_name}' não existe",
    "Unknown operation": "A operação não existe",
    "Must provide an operation": "Envie uma operação",
    "Must provide operation name if query contains multiple operations": (
        "Envie operationName quando o documento tem várias operações"
    ),
    "This anonymous operation must be the only defined operation": (
        "Uma operação sem nome precisa ser a única do documento"
    ),
    "The {def_name} definition is not executable": "A definição {def_name} não é executável",
    "Fragment '{frag_name}' is never used": "O fragmento '{frag_name}' nunca é usado",
    "Variable '${arg_name}' is never used": "A variável '${arg_name}' nunca é usada",
    "Variable '${arg_name}' is never used in operation '{name}'": (
        "A variável '${arg_name}' nunca é usada na operação '{name}'"
    ),
    "Variable '${var_name}' is not defined": "A variável '${var_name}' não está definida",
    "Variable '${var_name}' is not defined by operation '{name}'": (
        "A variável '${var_name}' não está definida na operação '{name}'"
    ),
    "Variable '${var_name}' has invalid value": "A variável '${var_name}' tem um valor inválido",
    "Variable '${var_name}' has invalid value at {path}": (
        "A variável '${var_name}' tem um valor inválido em {path}"
    ),
    "Variable '${var_name}' has invalid value: {said}": (
        "A variável '${var_name}' tem um valor inválido: {said}"
    ),
    "Variable '${var_name}' of type '{var_type}' used in position expecting type '{type_}'": (
        "A variável '${var_name}' é do tipo '{var_type}' e está onde se espera o tipo '{type_}'"
    ),
    "Variable '${variable_name}' cannot be non-input type '{type_name}'": (
        "A variável '${variable_name}' não pode ser do tipo '{type_name}', que não é de entrada"
    ),
    "There can be only one variable named '${variable_name}'": (
        "Só pode haver uma variável '${variable_name}'"
    ),
    "There can be only one argument named '{arg_name}'": "Só pode haver um argumento '{arg_name}'",
    "There can be only one fragment named '{fragment_name}'": (
        "Só pode haver um fragmento '{fragment_name}'"
    ),
    "There can be only one operation named '{value}'": "Só pode haver uma operação '{value}'",
    "There can be only one input field named '{field_name}'": (
        "Só pode haver um campo '{field_name}'"
    ),
    "Argument '{arg_name}' of type '{type}' is required, but it was not provided": (
        "O argumento '{arg_name}', do tipo '{type}', é obrigatório e não foi enviado"
    ),
    "Field '{field_name}' must not have a selection since type '{type_}' has no subfields": (
        "O campo '{field_name}' não leva seleção, porque o tipo '{type_}' não tem campos"
    ),
    "Field '{field_name}' of type '{type_}' must have a selection of subfields": (
        "O campo '{field_name}', do tipo '{type_}', precisa de uma seleção de campos"
    ),
    "Cannot spread fragment '{spread_name}' within itself": (
        "O fragmento '{spread_name}' não pode conter a si mesmo"
    ),
    (
        "Fragment cannot be spread here as objects of type '{parent_type}' can never "
        "be of type '{frag_type}'"
    ): (
        "O fragmento não cabe aqui: objetos do tipo '{parent_type}' nunca são do tipo '{frag_type}'"
    ),
    "Fields '{name}' conflict because {reason}. Use different aliases on the "
    "fields to fetch both if this was "
    "intentional": (
        "Os campos '{name}' conflitam; use aliases diferentes se quer os dois ({reason})"
    ),
    "Value does not exist in '{name}' enum": "O valor não existe no enum '{name}'",
    "{name} cannot represent a non string value": "{name} só representa textos",
    "{name} cannot represent non-integer value": "{name} só representa números inteiros",
    "Expected value of type '{type}'": "Espera-se um valor do tipo '{type}'",
    "Expected value of type '{type}' not to include unknown field '{field}'": (
        "Um valor do tipo '{type}' não tem o campo '{field}'"
    ),
    "Expected value of non-null type '{type}' not to be None": (
        "Espera-se um valor do tipo '{type}', e não null"
    ),
}
