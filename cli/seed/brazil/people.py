"""Names as often as they are heard."""

import unicodedata
from collections.abc import Callable
from itertools import accumulate
from random import Random

# ruff: noqa: SIM905  - a hundred quoted words would be hard to read
_FIRST = (
    "Maria José Ana João Antônio Francisco Carlos Paulo Pedro Lucas Luiz Marcos Luís Gabriel "
    "Rafael Francisca "
    "Daniel Marcelo Bruno Eduardo Felipe Antônia Adriana Juliana Márcia Fernanda Patrícia Aline "
    "Sandra Camila "
    "Amanda Bruna Jéssica Letícia Júlia Luciana Vanessa Mariana Gabriela Vera Vitória Larissa "
    "Cláudia Beatriz Rita "
    "Luana Sônia Renata Eliane Rodrigo Raimundo Manoel Matheus André Fernando Fábio Leonardo "
    "Gustavo Guilherme "
    "Leandro Tiago Anderson Ricardo Márcio Jorge Sebastião Alexandre Roberto Edson Diego Vítor "
    "Sérgio Cláudio "
    "Thiago Geraldo Adriano Luciano Júlio Renato Alex Vinícius Rogério Samuel Ronaldo Mário "
    "Flávio Douglas Igor "
    "Davi Manuel Jeferson Cícero Victor Miguel Robson Caio Henrique Otávio Heitor Bernardo "
    "Arthur Enzo Helena "
    "Alice Laura Valentina Sophia Isabella Manuela Lívia Luíza Heloísa Cecília Eloá Lorena "
    "Yasmin Rebeca Débora "
    "Simone Tatiane Priscila Raquel Célia Regina Rosângela Tereza Aparecida Conceição Fátima "
    "Socorro Lúcia Neusa "
    "Ângela Inês Mônica Viviane Elaine Cristiane Natália Bianca Tainá Iracema Jacira Ubirajara "
    "Moacir Kauã Raíssa "
    "Thaís"
).split()
_LAST = (
    "Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro "
    "Martins Carvalho "
    "Almeida Lopes Soares Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes "
    "Marques Machado "
    "Mendes Freitas Cardoso Ramos Gonçalves Santana Teixeira Araújo Melo Pinto Cavalcanti Moura "
    "Batista Campos "
    "Correia Castro Barros Monteiro Cunha Reis Azevedo Borges Farias Duarte Miranda Nogueira "
    "Rezende Guimarães "
    "Peixoto Siqueira Macedo Sales Magalhães Brandão Conceição Assunção Leão Galvão Antunes "
    "Bezerra Brito Coelho "
    "Figueiredo Medeiros Morais Queiroz Tavares Vasconcelos Xavier Prado Paiva Pacheco Neves "
    "Amaral Aguiar Fonseca "
    "Leite Toledo Viana Yamamoto Tanaka Nakamura Schmidt Müller Rossi Bianchi Ferrari"
).split()
_PARTICLES = {
    "Silva": "da",
    "Santos": "dos",
    "Costa": "da",
    "Nascimento": "do",
    "Conceição": "da",
    "Reis": "dos",
}
_MAIL_HOSTS = (
    "example.com",
    "example.org",
    "example.net",
    "correio.example",
    "mail.example",
    "empresa.example",
)


def _heard(names: list[str]) -> Callable[[Random], str]:
    """A draw in which the n-th name is heard about as often as in a language: one part in n."""
    until = list(accumulate(1 / (place + 4) for place in range(len(names))))
    return lambda random: random.choices(names, cum_weights=until)[0]


_first_name, last_name = _heard(_FIRST), _heard(_LAST)


def full_name(random: Random) -> str:
    """A first name, sometimes two, and one or two last names: `Ana Beatriz da Silva Araújo`."""
    names = [_first_name(random)]
    if random.random() < 0.2 and (second := _first_name(random)) != names[0]:
        names.append(second)
    for _ in range(2 if random.random() < 0.55 else 1):
        last = last_name(random)
        if last not in names:
            names += (
                [particle, last]
                if (particle := _PARTICLES.get(last)) and random.random() < 0.5
                else [last]
            )
    return " ".join(names)


def email_of(name: str, random: Random) -> str:
    """An address at a host that nobody has."""
    words = plain(name).split()
    style = random.random()
    number = str(int(random.random() * 99) + 1) if random.random() < 0.5 else ""
    local = (
        f"{words[0]}.{words[-1]}"
        if style < 0.6
        else f"{words[0][0]}{words[-1]}"
        if style < 0.8
        else words[0]
    )
    return f"{local}{number}@{_MAIL_HOSTS[int(random.random() * len(_MAIL_HOSTS))]}"


def plain(text: str) -> str:
    """The text in lower case without accents."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
