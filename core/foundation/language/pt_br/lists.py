"""Lists, in Portuguese."""

SENTENCES = {
    "Another list has this name; choose one that is free.": (
        "Outra lista já tem este nome; escolha um nome livre."
    ),
    (
        "None of the identifiers belongs to a contact, so the list stays as it is; "
        "to empty a list, remove its members."
    ): (
        "Nenhum dos identificadores é de um contato, e a lista fica como está; para esvaziar uma "
        "lista, remova os membros."
    ),
    "Some of these are masked values; send the whole phones": (
        "Há valores mascarados entre estes; envie os telefones completos"
    ),
    "Send at least one of externalIds, contactIds and phones": (
        "Envie ao menos um entre externalIds, contactIds e phones"
    ),
    "Send at most 50,000 identifiers in a call, and the rest in another": (
        "Envie no máximo 50.000 identificadores por chamada, e os demais em outra"
    ),
    "Another list has this name.": "Outra lista já tem este nome.",
    "Use that list, or another name.": "Use essa lista, ou outro nome.",
    "A list was to be replaced by identifiers that belong to no contact at all.": (
        "Uma lista ia ser substituída por identificadores que não são de contato algum."
    ),
    "Check the identifiers; to empty a list, remove its members.": (
        "Confira os identificadores; para esvaziar uma lista, remova os membros."
    ),
}
