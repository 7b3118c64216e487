"""Privacy, in Portuguese."""

SENTENCES = {
    "A person's data is exported in a dashboard session only.": (
        "Os dados de uma pessoa só são exportados em uma sessão do painel."
    ),
}
