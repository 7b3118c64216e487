"""Cells, in Portuguese."""

SENTENCES = {
    "The database of your organization cannot be reached right now; repeat the request in a "
    "moment, with the same Idempotency-Key if it had one.": (
        "O banco de dados da sua organização não pode ser alcançado agora; repita o pedido em um "
        "instante, com a mesma Idempotency-Key, se tinha uma."
    ),
    "A cell's name has up to 24 of a-z, 0-9 and -, and begins with a letter; main is the home.": (
        "O nome de uma célula tem até 24 caracteres de a-z, 0-9 e -, e começa com uma letra; main "
        "é a principal."
    ),
    "There is a cell of this name already.": "Já existe uma célula com este nome.",
    "There is no cell of this name; svc cell list names all of them.": (
        "Não há célula com este nome; svc cell list mostra todas."
    ),
    "This cell takes no new organizations; svc cell drain --undo lets it.": (
        "Esta célula não recebe novas organizações; svc cell drain --undo permite."
    ),
    "Organizations live in this cell: svc cell list counts them, and svc org move moves each.": (
        "Há organizações nesta célula: svc cell list conta quantas, e svc org move muda cada uma."
    ),
}
