"""Dashboards, in Portuguese."""

SENTENCES = {
    "A text has at most {MAX_TEXT_LENGTH} characters": (
        "Um texto tem no máximo {MAX_TEXT_LENGTH} caracteres"
    ),
    "A list has at most {MAX_LIST_VALUES} values": "Uma lista tem no máximo {MAX_LIST_VALUES} valores",
    "Ask for first or last, 1 to {MAX_PAGE_SIZE}": "Peça first ou last, de 1 a {MAX_PAGE_SIZE}",
    "Ask for first or last, not for both": "Peça first ou last, e não os dois",
    "Ask for 1 to {MAX_PAGE_SIZE}": "Peça de 1 a {MAX_PAGE_SIZE}",
    "Send an instant of the years {FIRST_YEAR} to {LAST_YEAR}": (
        "Envie um instante entre os anos {FIRST_YEAR} e {LAST_YEAR}"
    ),
    "The period ends before it begins; send a from before to": (
        "O período termina antes de começar; envie um from anterior a to"
    ),
    "The period has more than {MAX_BUCKETS} buckets; send larger ones or a shorter period": (
        "O período tem mais de {MAX_BUCKETS} intervalos; peça intervalos maiores ou um período menor"
    ),
    "More than {MAX_POINTS} points: send fewer groups, larger buckets or a shorter period": (
        "Mais de {MAX_POINTS} pontos: peça menos grupos, intervalos maiores ou um período menor"
    ),
}
