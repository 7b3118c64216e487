"""Rcs, in Portuguese."""

SENTENCES = {
    "Send an absolute https address": "Envie um endereço https absoluto",
    "Send an https address on a public domain": "Envie um endereço https em um domínio público",
    "Your price table has no price for this route; ask for one or use another route.": (
        "Sua tabela de preços não tem preço para esta rota; peça um ou use outra rota."
    ),
    "With its short links the text has more than {MAX_TEXT_LENGTH} characters": (
        "Com os links curtos o texto passa de {MAX_TEXT_LENGTH} caracteres"
    ),
    "Send either text or card": "Envie text ou card, e não os dois",
    (
        "The price table of the organization lacks the route, or the SMS route by which the "
        "fallback would leave (`premium` for `easy_rcs`, `otp` for `easy_otp_rcs`)."
    ): (
        "A tabela de preços da organização não tem a rota, ou a rota de SMS por onde sairia o "
        "fallback (`premium` para `easy_rcs`, `otp` para `easy_otp_rcs`)."
    ),
    "Ask for a price, send by the other route, or send without a fallback.": (
        "Peça um preço, envie pela outra rota, ou envie sem fallback."
    ),
    (
        "The contact behind this phone, or the one that `contactId` names, asked not to receive "
        "communication by RCS or at all."
    ): (
        "O contato por trás deste telefone, ou o que `contactId` indica, pediu para não receber "
        "comunicações por RCS ou por nenhum canal."
    ),
    (
        "Do not send it. The route `easy_otp_rcs` is transactional and reaches "
        "everybody; it is not for anything else."
    ): (
        "Não envie. A rota `easy_otp_rcs` é transacional e chega a todos; ela não "
        "serve para mais nada."
    ),
    "With `trackLinks`, the short links made the text longer than a message may be.": (
        "Com `trackLinks`, os links curtos deixaram o texto mais longo do que uma "
        "mensagem pode ser."
    ),
    "Shorten the text, or send it as a card.": "Encurte o texto, ou envie-o como um card.",
}
