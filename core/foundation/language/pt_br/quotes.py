"""Quotes, in Portuguese."""

SENTENCES = {
    "No quote of yours has this id": "Nenhuma cotação sua tem este id",
    "The quote has expired or was canceled; ask for a new one.": (
        "A cotação venceu ou foi cancelada; peça uma nova."
    ),
    "This quote holds no longer": "Esta cotação não vale mais",
    "The quote promises nothing on this route; send on a route that it names.": (
        "A cotação não promete nada nesta rota; envie por uma rota que ela indique."
    ),
    "This quote promises nothing on this route": "Esta cotação não promete nada nesta rota",
    "The quote has too few segments left; ask for a new one, or send without it.": (
        "Restam segmentos de menos na cotação; peça uma nova, ou envie sem ela."
    ),
    "Name each route once, with all its messages": (
        "Indique cada rota uma vez, com todas as mensagens dela"
    ),
    "Send one of quantidade, segmentId and listId": (
        "Envie um entre quantidade, segmentId e listId"
    ),
    "No segment of yours has this id": "Nenhum segmento seu tem este id",
    "No list of yours has this id": "Nenhuma lista sua tem este id",
    "Counting it takes too long; send `quantidade`": ("Contá-lo demora demais; envie `quantidade`"),
    "Nobody in it has an address on the channel": "Ninguém nele tem endereço no canal",
    "The channel has no such route": "O canal não tem essa rota",
    "The key may not send on a channel of the quote.": (
        "A chave não pode enviar em um canal da cotação."
    ),
    (
        "The quote has fewer segments left than the message has: `meta.restante` says how many. "
        "Nothing was sent or charged."
    ): (
        "Restam na cotação menos segmentos do que a mensagem tem: `meta.restante` diz quantos. Nada "
        "foi enviado nem cobrado."
    ),
    "Ask for a new quote, or send without `quoteId` at the present price.": (
        "Peça uma nova cotação, ou envie sem `quoteId` pelo preço atual."
    ),
    "`quoteId` names no quote of this organization in the environment of the credential.": (
        "`quoteId` não indica uma cotação desta organização no ambiente da credencial."
    ),
    "Send the `id` that `POST /v2/quotes` answered.": (
        "Envie o `id` que `POST /v2/quotes` respondeu."
    ),
    "The time of the quote is over (`validoAte`), or it was canceled. Nothing was sent or charged.": (
        "O prazo da cotação acabou (`validoAte`), ou ela foi cancelada. Nada foi enviado nem cobrado."
    ),
    "The quote is for other routes. Nothing was sent or charged.": (
        "A cotação é para outras rotas. Nada foi enviado nem cobrado."
    ),
    "Send on a route of the quote, or ask for a quote for this one.": (
        "Envie por uma rota da cotação, ou peça uma cotação para esta."
    ),
}
