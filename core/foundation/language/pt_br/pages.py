"""Pages that consumers see, in Portuguese."""

SENTENCES = {
    "You will get no more offers at this address.": (
        "Você não receberá mais ofertas neste endereço."
    ),
    "You are unsubscribed": "Descadastro concluído",
    "This sender writes you no more offers by e-mail.": (
        "Este remetente não enviará mais ofertas por e-mail a você."
    ),
    "Link not found": "Link não encontrado",
    "This link is not whole. Open it from the e-mail once more.": (
        "Este link está incompleto. Abra-o de novo a partir do e-mail."
    ),
    "Try again in a moment": "Tente de novo em instantes",
    "You could not be unsubscribed right now.": "Não foi possível concluir o descadastro agora.",
    "This short link does not exist. Check that you copied the whole address.": (
        "Este link curto não existe. Confira se você copiou o endereço inteiro."
    ),
    "This link cannot be opened right now.": "Este link não pode ser aberto agora.",
    "API reference": "Referência da API",
    "Every operation, with examples": "Todas as operações, com exemplos",
    "OpenAPI document": "Documento OpenAPI",
    "The same for programs and generators": "A mesma referência, para programas e geradores",
    "Write GraphQL queries and run them": "Escreva consultas GraphQL e execute-as",
    "Console": "Console",
    "Where people work: messages and contacts as they move": (
        "Onde as pessoas trabalham: mensagens e contatos enquanto mudam"
    ),
    "Problems": "Erros",
    "What each refusal means and what to do": "O que cada recusa significa e o que fazer",
    "Health": "Saúde",
    "Whether this process answers": "Se este processo responde",
    "Readiness": "Prontidão",
    "Whether the service can work": "Se o serviço pode trabalhar",
    "Messages over every channel, contacts and deals, through one API.": (
        "Mensagens por todos os canais, contatos e negócios, em uma só API."
    ),
    "Unsubscribe?": "Não quer mais receber?",
    "Unsubscribe": "Não quero mais receber",
}
