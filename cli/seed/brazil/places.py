"""Area codes with their largest city, as often as people live there."""

from dataclasses import dataclass
from itertools import chain, repeat


@dataclass(frozen=True, slots=True)
class Location:
    """An area code and the city that stands for it."""

    area: str
    city: str
    state: str


# Area code, people in hundreds of thousands (rounded), city, state.
_PLACES = (
    ("11", 210, "São Paulo", "SP"), ("12", 25, "São José dos Campos", "SP"),
    ("13", 19, "Santos", "SP"),
    ("14", 17, "Bauru", "SP"), ("15", 23, "Sorocaba", "SP"), ("16", 25, "Ribeirão Preto", "SP"),
    ("17", 17, "São José do Rio Preto", "SP"), ("18", 13, "Presidente Prudente", "SP"),
    ("19", 47, "Campinas", "SP"),
    ("21", 124, "Rio de Janeiro", "RJ"), ("22", 17, "Campos dos Goytacazes", "RJ"),
    ("24", 16, "Petrópolis", "RJ"),
    ("27", 26, "Vitória", "ES"), ("28", 9, "Cachoeiro de Itapemirim", "ES"),
    ("31", 70, "Belo Horizonte", "MG"),
    ("32", 18, "Juiz de Fora", "MG"), ("33", 15, "Governador Valadares", "MG"),
    ("34", 24, "Uberlândia", "MG"),
    ("35", 26, "Poços de Caldas", "MG"), ("37", 13, "Divinópolis", "MG"),
    ("38", 16, "Montes Claros", "MG"),
    ("41", 39, "Curitiba", "PR"), ("42", 13, "Ponta Grossa", "PR"), ("43", 19, "Londrina", "PR"),
    ("44", 19, "Maringá", "PR"), ("45", 13, "Cascavel", "PR"), ("46", 8, "Francisco Beltrão", "PR"),
    ("47", 33, "Joinville", "SC"), ("48", 24, "Florianópolis", "SC"), ("49", 15, "Chapecó", "SC"),
    ("51", 60, "Porto Alegre", "RS"), ("53", 11, "Pelotas", "RS"),
    ("54", 21, "Caxias do Sul", "RS"),
    ("55", 14, "Santa Maria", "RS"), ("61", 43, "Brasília", "DF"), ("62", 34, "Goiânia", "GO"),
    ("63", 16, "Palmas", "TO"), ("64", 14, "Rio Verde", "GO"), ("65", 21, "Cuiabá", "MT"),
    ("66", 15, "Rondonópolis", "MT"), ("67", 28, "Campo Grande", "MS"),
    ("68", 9, "Rio Branco", "AC"),
    ("69", 16, "Porto Velho", "RO"), ("71", 45, "Salvador", "BA"), ("73", 20, "Ilhéus", "BA"),
    ("74", 18, "Juazeiro", "BA"), ("75", 33, "Feira de Santana", "BA"),
    ("77", 24, "Vitória da Conquista", "BA"),
    ("79", 22, "Aracaju", "SE"), ("81", 55, "Recife", "PE"), ("82", 31, "Maceió", "AL"),
    ("83", 40, "João Pessoa", "PB"), ("84", 33, "Natal", "RN"), ("85", 50, "Fortaleza", "CE"),
    ("86", 20, "Teresina", "PI"), ("87", 24, "Petrolina", "PE"),
    ("88", 38, "Juazeiro do Norte", "CE"),
    ("89", 12, "Picos", "PI"), ("91", 44, "Belém", "PA"), ("92", 30, "Manaus", "AM"),
    ("93", 17, "Santarém", "PA"),
    ("94", 20, "Marabá", "PA"), ("95", 6, "Boa Vista", "RR"), ("96", 7, "Macapá", "AP"),
    ("97", 9, "Tefé", "AM"),
    ("98", 38, "São Luís", "MA"), ("99", 30, "Imperatriz", "MA"),
)  # fmt: skip

PLACES = tuple(Location(area, city, state) for area, _, city, state in _PLACES)
"""Every area code of the country once."""

CROWD = tuple(
    chain.from_iterable(repeat(place, row[1]) for place, row in zip(PLACES, _PLACES, strict=True))
)
"""The same places, each as many times as people live there: an even draw lands where they do."""
