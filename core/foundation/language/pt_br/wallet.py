"""Wallet, in Portuguese."""

SENTENCES = {
    "The adjustment would take the balance below zero; use a smaller amount.": (
        "O ajuste deixaria o saldo abaixo de zero; use um valor menor."
    ),
    "This organization has no wallet here; billing may be off.": (
        "Esta organização não tem carteira aqui; a cobrança pode estar desligada."
    ),
    "Nothing of this name is priced": "Nada com este nome tem preço",
    "an object is expected": "espera-se um objeto",
    "The amount is a whole number of coins above 0; what is taken back is debited.": (
        "O valor é um número inteiro de moedas acima de 0; o que se retira é debitado."
    ),
    "The message costs more than the wallet holds, or the quote whose money is to be held does.": (
        "A mensagem custa mais do que a carteira tem, ou a cotação cujo valor deve ser reservado."
    ),
    "Add credit. In the sandbox `POST /v2/sandbox/wallet/credit` fills it up.": (
        "Adicione crédito. No sandbox, `POST /v2/sandbox/wallet/credit` a enche."
    ),
    "Nothing is charged here: the installation runs without billing.": (
        "Nada é cobrado aqui: a instalação funciona sem cobrança."
    ),
    "Do without balances and movements.": "Passe sem saldos e movimentos.",
    "This payment was credited with another amount; send each payment under an id of its own.": (
        "Este pagamento foi creditado com outro valor; envie cada pagamento com um id próprio."
    ),
    "The payment was credited before, with another amount.": (
        "O pagamento já foi creditado, com outro valor."
    ),
    (
        "Send each payment under an id of its own; what was credited wrongly is "
        "taken back with `svc wallet debit`."
    ): (
        "Envie cada pagamento com um id próprio; o que foi creditado por engano se "
        "retira com `svc wallet debit`."
    ),
    (
        "What was posted about a payment is not signed as it has to be, or its clock "
        "is off by more than five minutes."
    ): (
        "O aviso de pagamento não está assinado como deve, ou o relógio difere em "
        "mais de cinco minutos."
    ),
    "Sign `<unix>`, `POST <path>` and the raw body, a line feed between them, with the shared "
    "secret, in `X-Payment-Signature: t=<unix>,v2=<hex>`.": (
        "Assine `<unix>`, `POST <path>` e o corpo bruto, com quebras de linha entre eles, com o "
        "segredo compartilhado, em `X-Payment-Signature: t=<unix>,v2=<hex>`."
    ),
}
