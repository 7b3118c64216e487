"""Idempotency, in Portuguese."""

SENTENCES = {
    "This Idempotency-Key was used with another body; use a new key for a new request.": (
        "Esta Idempotency-Key já foi usada com outro corpo; use uma chave nova para "
        "uma requisição nova."
    ),
    (
        "What this Idempotency-Key asked for is done, and its answer is not kept, or not for this "
        "credential; read the record, or use a new key for a new request."
    ): (
        "O que esta Idempotency-Key pediu já foi feito, e a resposta não foi guardada, ou não é "
        "para esta credencial; leia o registro ou use uma chave nova para uma requisição nova."
    ),
    "The first request with this Idempotency-Key is still under way; try again in a second.": (
        "A primeira requisição com esta Idempotency-Key ainda está em andamento; "
        "tente de novo em um segundo."
    ),
    "The header Idempotency-Key takes 1 to 255 printable ASCII characters.": (
        "O cabeçalho Idempotency-Key aceita de 1 a 255 caracteres ASCII imprimíveis."
    ),
    "1 to 255 printable ASCII characters": "De 1 a 255 caracteres ASCII imprimíveis",
}
