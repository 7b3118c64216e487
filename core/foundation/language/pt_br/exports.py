"""Exports, in Portuguese."""

SENTENCES = {
    "The cursor is not one that this export gave for this period": (
        "O cursor não é um dos que esta exportação forneceu para este período"
    ),
    "The period ends before it begins; send a to that is not before from": (
        "O período termina antes de começar; envie um to que não seja anterior a from"
    ),
    "Ask for at most {days} days at a time": "Peça no máximo {days} dias por vez",
}
