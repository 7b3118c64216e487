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
    "Organizations live in this cell, or are on their way into it or out of it: svc cell list counts them, "
    "svc org move moves each, and svc doctor names moves that were broken off.": (
        "Há organizações nesta célula, ou a caminho de entrar ou de sair: svc cell list conta quantas, svc org move "
        "muda cada uma, e svc doctor mostra as mudanças interrompidas."
    ),
    "Organizations live in this database, or it is that of the home or of another cell; a cell begins with an empty "
    "one. svc cell add --replace gives a listed cell another address.": (
        "Há organizações neste banco de dados, ou ele é o da célula principal ou de outra; uma célula começa com um "
        "vazio. svc cell add --replace dá outro endereço a uma célula da lista."
    ),
    "This database lacks organizations that live in the cell: it is not the one that the cell had.": (
        "Faltam neste banco de dados organizações que vivem na célula: não é o que ela tinha."
    ),
}
