"""Contacts, in Portuguese."""

SENTENCES = {
    "A word has letters or digits": "Uma palavra tem letras ou algarismos",
    "A word means either to leave or to come back": (
        "Uma palavra serve para sair ou para voltar, e não para os dois"
    ),
    "There is no such list": "Não existe essa lista",
    "A later line is about the same contact and counts instead": (
        "Uma linha posterior trata do mesmo contato e é ela que vale"
    ),
    "A contact that is not there yet needs a phone": (
        "Um contato que ainda não existe precisa de telefone"
    ),
    "With externalId as the key every line has one": (
        "Com externalId como chave, toda linha precisa ter um"
    ),
    "A text has at most 1,000 characters": "Um texto tem no máximo 1.000 caracteres",
    "A number lies within ±9007199254740991 or has decimals": (
        "Um número fica entre ±9007199254740991 ou tem casas decimais"
    ),
    "A number is finite": "Um número precisa ser finito",
    "A list has at most 50 texts": "Uma lista tem no máximo 50 textos",
    (
        "An attribute is a text, a number, a boolean, null or a list of texts of at most 200 "
        "characters; nothing is nested"
    ): (
        "Um atributo é um texto, um número, um booleano, null ou uma lista de textos de até 200 "
        "caracteres; nada de objetos dentro"
    ),
    "An inline picture has at most 64 KB; send its address instead": (
        "Uma imagem embutida tem no máximo 64 KB; envie o endereço dela"
    ),
    "An inline picture is a PNG, JPEG, GIF, WebP, BMP or AVIF in base64": (
        "Uma imagem embutida é PNG, JPEG, GIF, WebP, BMP ou AVIF em base64"
    ),
    "Send an http(s) address of at most 2,048 characters or a data: URI": (
        "Envie um endereço http(s) de até 2.048 caracteres ou uma URI data:"
    ),
    "This is a masked value; send the whole document": (
        "Este é um valor mascarado; envie o documento completo"
    ),
    "This is not a valid CPF; check its eleven digits": (
        "Este CPF não é válido; confira os onze dígitos"
    ),
    "A CNPJ has twelve letters or digits and two check digits, with or without punctuation": (
        "Um CNPJ tem doze letras ou dígitos e dois dígitos verificadores, com ou sem pontuação"
    ),
    "Send the date as YYYY-MM-DD": "Envie a data no formato YYYY-MM-DD",
    "A birth date lies in the past": "Uma data de nascimento fica no passado",
    "Another contact of this organization has this phone; change that one instead.": (
        "Outro contato desta organização já tem este telefone; altere esse contato."
    ),
    "Another contact has this phone": "Outro contato já tem este telefone",
    "Another contact of this organization has this externalId; each belongs to one contact.": (
        "Outro contato desta organização já tem este externalId; cada um pertence a um só contato."
    ),
    "Another contact has this externalId": "Outro contato já tem este externalId",
    "The phone of a contact never changes; create another contact": (
        "O telefone de um contato nunca muda; crie outro contato"
    ),
    "This organization has no such company": "Esta organização não tem essa empresa",
    "With what is stored already these are more than a contact can have": (
        "Somados aos que já estão gravados, passam do que um contato pode ter"
    ),
    "The date of a consent or of its revocation cannot lie in the future": (
        "A data de um consentimento ou da sua revogação não pode estar no futuro"
    ),
    "Who revoked a consent grants it again with a source and a date later than the revocation": (
        "Quem revogou o consentimento volta a concedê-lo com uma origem e uma data "
        "posterior à revogação"
    ),
    "A consent that was granted or denied does not become unknown again": (
        "Um consentimento concedido ou negado não volta a ser desconhecido"
    ),
    "This is a masked value; send the whole address": (
        "Este é um valor mascarado; envie o endereço completo"
    ),
    "Write an e-mail address, such as ana@example.com": (
        "Escreva um endereço de e-mail, como ana@example.com"
    ),
    "The cursor is not one of a list in this order": "O cursor não é de uma lista nesta ordem",
    (
        "Some contacts have the same mobile with and without its ninth digit; keep "
        "one of each pair, then try again."
    ): (
        "Há contatos com o mesmo celular com e sem o nono dígito; fique com um de "
        "cada par e tente de novo."
    ),
    "Send at least one of phones, contactIds, externalIds and emails": (
        "Envie ao menos um entre phones, contactIds, externalIds e emails"
    ),
    "Send at most 10,000 identifiers in a call, and the rest in another": (
        "Envie no máximo 10.000 identificadores por chamada, e os demais em outra"
    ),
    "Documents are shown in a dashboard session only; an API key cannot reveal them.": (
        "Documentos só são mostrados em uma sessão do painel; uma chave de API não pode revelá-los."
    ),
    (
        "Another contact has this phone; a Brazilian mobile with and without its "
        "ninth digit is the same one."
    ): (
        "Outro contato já tem este telefone; um celular brasileiro com e sem o nono "
        "dígito é o mesmo."
    ),
    "Change the contact that exists.": "Altere o contato que existe.",
    "Another contact has this `externalId`.": "Outro contato já tem este `externalId`.",
    "Find it with `GET /contacts?externalId=`, and decide which of the two it belongs to.": (
        "Encontre-o com `GET /contacts?externalId=` e decida a qual dos dois ele pertence."
    ),
    "The phone is the identity of a contact and never changes.": (
        "O telefone é a identidade de um contato e nunca muda."
    ),
    "Create another contact, and delete this one if it is not needed.": (
        "Crie outro contato, e exclua este se não precisar mais dele."
    ),
    "`companyId` names no company of the organization.": (
        "`companyId` não indica uma empresa da organização."
    ),
    "Check the id.": "Confira o id.",
    "The date of a consent or of its revocation lies more than five minutes ahead.": (
        "A data de um consentimento ou da sua revogação está mais de cinco minutos à frente."
    ),
    "Send a date that has passed, in UTC, and check the clock.": (
        "Envie uma data que já passou, em UTC, e confira o relógio."
    ),
    (
        "The contact revoked its consent, and the new one is older than that or does "
        "not say where it comes from."
    ): ("O contato revogou o consentimento, e o novo é anterior a isso ou não diz de onde vem."),
    "Send `optIn.source`, and an `optIn.at` later than the revocation.": (
        "Envie `optIn.source`, e um `optIn.at` posterior à revogação."
    ),
    "A consent that was granted or denied cannot become unknown again.": (
        "Um consentimento concedido ou negado não pode voltar a ser desconhecido."
    ),
    "Leave `optIn` out, or send `granted` or `denied`.": (
        "Omita `optIn`, ou envie `granted` ou `denied`."
    ),
}
