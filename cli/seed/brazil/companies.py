"""Companies: what they are called, what they do, and their CNPJ, of digits or with letters."""

from cli.seed.brazil.documents import cnpj_of_root

DIGITS, LETTERS = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ROOTS = 10**8
STEP = 61_803_399
"""Shares no factor with ROOTS: steps of this length meet every root once."""

TRADES = (
    ("Padaria", "Alimentação"), ("Mercado", "Varejo"), ("Farmácia", "Saúde"), ("Clínica", "Saúde"),
    ("Transportes", "Logística"), ("Construtora", "Construção"), ("Tecnologia", "Tecnologia"),
    ("Consultoria", "Serviços"), ("Contabilidade", "Serviços"), ("Escola", "Educação"),
    ("Distribuidora", "Atacado"), ("Agropecuária", "Agronegócio"), ("Imobiliária", "Imóveis"),
    ("Auto Peças", "Automotivo"), ("Academia", "Esporte e lazer"), ("Hotel", "Turismo"),
    ("Confecções", "Moda"), ("Metalúrgica", "Indústria"), ("Seguros", "Financeiro"),
    ("Energia Solar", "Energia"),
)  # fmt: skip
WORDS = (
    "Boa Vista", "São Jorge", "Primavera", "do Vale", "Bandeirantes", "Aliança", "Horizonte",
    "Santa Clara",
    "Progresso", "Central", "Ipê Amarelo", "Pioneira", "Três Irmãos", "Nova Era", "Litoral",
    "Serra Azul",
)  # fmt: skip
FORMS = ("Ltda", "ME", "EPP", "S.A.", "Ltda", "Ltda")
STREETS = (
    "Rua das Flores", "Avenida Brasil", "Rua XV de Novembro", "Avenida Getúlio Vargas",
    "Rua Sete de Setembro",
    "Rua Tiradentes", "Avenida Paulista", "Rua Dom Pedro II", "Travessa do Comércio",
    "Rodovia BR-101, km 12",
)  # fmt: skip


def cnpj_number(number: int, *, letters: bool) -> str:
    """The n-th CNPJ of a head office; no two are the same, with letters or without."""
    mixed = number * STEP % ROOTS
    root = f"{mixed:08}"
    if letters:
        # Every other digit as a letter; the first place tells them from those without.
        root = "".join(
            LETTERS[int(digit) + 3] if place % 2 == 0 else digit for place, digit in enumerate(root)
        )
    return cnpj_of_root(root)
