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
    "The message costs more than the wallet holds.": "A mensagem custa mais do que a carteira tem.",
    "Add credit. In the sandbox `POST /v2/sandbox/wallet/credit` fills it up.": (
        "Adicione crédito. No sandbox, `POST /v2/sandbox/wallet/credit` a enche."
    ),
    "Nothing is charged here: the installation runs without billing.": (
        "Nada é cobrado aqui: a instalação funciona sem cobrança."
    ),
    "Do without balances and movements.": "Passe sem saldos e movimentos.",
}
