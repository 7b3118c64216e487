"""Accounts of SMPP, in Portuguese."""

SENTENCES = {
    "No SMPP account has this id.": "Nenhuma conta SMPP tem este id.",
    "An account has this system_id already; choose another one.": (
        "Uma conta já tem este system_id; escolha outro."
    ),
    "An account of live names the networks that it may be used from.": (
        "Uma conta de live diz de quais redes pode ser usada."
    ),
    "Name at least one network": "Informe ao menos uma rede",
}
