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
    "No bind that is open has this id.": "Nenhum bind aberto tem este id.",
    "The account is revoked; open another one.": "A conta foi revogada; abra outra.",
    "Another account has this system_id, of any organization.": (
        "Outra conta tem este system_id, de alguma organização."
    ),
    "Choose another `systemId`.": "Escolha outro `systemId`.",
    "The account is revoked and does not change any more.": "A conta foi revogada e não muda mais.",
    "Open another one.": "Abra outra.",
    "An account of live would be open to the whole world, with a password of eight characters.": (
        "Uma conta de live ficaria aberta ao mundo inteiro, com uma senha de oito caracteres."
    ),
    "Name in `ips` the networks that it binds from.": "Informe em `ips` as redes de onde ela se conecta.",
}
