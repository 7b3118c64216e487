"""The known name that another one was probably meant to be: a misspelt one, or the word of another
language or of another interface for the same.
"""

from collections.abc import Iterable
from difflib import get_close_matches

MAX_WORD_LENGTH = 64
"""Characters beyond which nothing is compared: the comparison takes time by the product of both
lengths.
"""

SAME = tuple(
    tuple(words.split())
    for words in (
        "to phone telefone celular fone mobile msisdn number numero destinatario recipient recipients para",
        "text texto body corpo message mensagem content conteudo",
        "name nome",
        "title titulo",
        "senderid sender remetente from",
        "contactid customerid clienteid",
        "externalid customerid clientid clienteid",
        "birthdate birthday nascimento datadenascimento",
        "canal channel",
        "rota route",
        "quantidade quantity amount",
        "valor value amount",
        "moeda currency",
        "itens items",
        "contatos contacts lines linhas",
        "empresas companies",
        "etapas stages steps",
        "passos steps stages etapas",
        "gatilho trigger",
        "tipo type kind",
        "type tipo kind",
        "proximo next",
        "duracaohoras hours horas duration",
        "prazohoras hours horas timeout",
        "evento event",
        "agora now",
        "congelado frozen",
        "por by",
        "ate until",
        "motivo reason",
        "fonte source",
        "nota note",
        "endereco address",
        "inicio start",
        "fim end",
        "fuso timezone",
        "simular dryrun simulate",
        "operator op operador",
        "url callback callbackurl webhookurl endpoint",
        "tags labels etiquetas",
        "scheduledat sendat schedule agendadopara",
        "subject assunto",
        "assunto subject",
    )
)
"""Words for the same, spelt plainly; what interfaces say with the first is also called by the
others.
"""


def nearest(text: str, known: Iterable[str]) -> str | None:
    """The one of `known` that is most like `text`, case, `_` and `-` aside; None where nothing is."""
    if len(text) > MAX_WORD_LENGTH:
        return None
    spelt = {_plain(name): name for name in known if name != text}
    found = get_close_matches(_plain(text), spelt, n=1, cutoff=0.7)
    return spelt[found[0]] if found else None


def same_as(text: str, known: Iterable[str]) -> str | None:
    """The one of `known` that is another word for `text`; None where there is none, or several."""
    spelt = {_plain(name): name for name in known if name != text}
    plain = _plain(text)
    meant = {
        word
        for words in SAME
        if plain in words
        for word in words
        if word in spelt and word != plain
    }
    return spelt[meant.pop()] if len(meant) == 1 else None


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")
