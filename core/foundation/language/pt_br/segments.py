"""Segments, in Portuguese."""

SENTENCES = {
    (
        "Send an object with any of pipeline, stage, status (aberto, ganho, perdido) and "
        "diasNaEtapa (at least so many whole days, 0 to {MAX_DAYS})"
    ): (
        "Envie um objeto com um ou mais entre pipeline, stage, status (aberto, ganho, perdido) e "
        "diasNaEtapa (ao menos tantos dias inteiros, de 0 a {MAX_DAYS})"
    ),
    "A segment keeps filters or filterTree": "Um segmento mantém filters ou filterTree",
    "Another segment has this name; choose one that is free.": (
        "Outro segmento já tem este nome; escolha um nome livre."
    ),
    (
        "A condition names a segment that does not exist, or one that is built on this one; name "
        "another, at most five on top of each other."
    ): (
        "Uma condição indica um segmento que não existe ou que se baseia neste; indique outro, no "
        "máximo cinco um sobre o outro."
    ),
    "With the segments that it is built on, the filter is too large; simplify it.": (
        "Somado aos segmentos em que se baseia, o filtro é grande demais; simplifique-o."
    ),
    "Send filters or filterTree": "Envie filters ou filterTree",
    "Name the attribute: attribute.city, or its name in key": (
        "Indique o atributo: attribute.city, ou o nome em key"
    ),
    "Only attributes have a key": "Só atributos têm key",
    "This operator takes no value": "Este operator não leva valor",
    "Send a text of 1 to {MAX_TEXT_LENGTH} characters": (
        "Envie um texto de 1 a {MAX_TEXT_LENGTH} caracteres"
    ),
    "Send a text, a number or a boolean": "Envie um texto, um número ou um booleano",
    "Send a number, or a text such as a date": "Envie um número, ou um texto como uma data",
    "Send an array of two values, the lower one first": (
        "Envie uma lista de dois valores, o menor primeiro"
    ),
    "Send two numbers or two texts": "Envie dois números ou dois textos",
    "Send a whole number of days, 1 to {MAX_DAYS}": (
        "Envie um número inteiro de dias, de 1 a {MAX_DAYS}"
    ),
    "Send one of {known}": "Envie um destes: {known}",
    "Send an array of 1 to {MAX_VALUES} values": "Envie uma lista de 1 a {MAX_VALUES} valores",
    "Send an object with name and, if you like, count (1 and more) and withinDays": (
        "Envie um objeto com name e, se quiser, count (1 ou mais) e withinDays"
    ),
    "Send an array of conditions": "Envie uma lista de condições",
    "Send at least one condition": "Envie ao menos uma condição",
    "A node is an object with a kind": "Um nó é um objeto com kind",
    "The kind is leaf, and, or, not": "O kind é leaf, and, or, not",
    "Send an array of 1 to {MAX_CHILDREN} nodes": "Envie uma lista de 1 a {MAX_CHILDREN} nós",
    "A condition is an object with field, operator and value": (
        "Uma condição é um objeto com field, operator e value"
    ),
    "This kind of node knows no such field": "Este tipo de nó não tem esse campo",
    "The filter is too large: at most {MAX_DEPTH} levels and {MAX_LEAVES} conditions": (
        "O filtro é grande demais: no máximo {MAX_DEPTH} níveis e {MAX_LEAVES} condições"
    ),
    "Another segment has this name.": "Outro segmento já tem este nome.",
    "Use that segment, or another name.": "Use esse segmento, ou outro nome.",
    (
        "A condition names a segment that does not exist, or segments that are built "
        "on each other "
        "in a circle or too deep."
    ): (
        "Uma condição indica um segmento que não existe, ou segmentos que se baseiam uns nos "
        "outros em círculo ou em níveis demais."
    ),
    "Name another segment; at most five stand on top of each other.": (
        "Indique outro segmento; no máximo cinco ficam um sobre o outro."
    ),
    "The filter has too many conditions or is nested too deep.": (
        "O filtro tem condições demais ou níveis demais."
    ),
    "Simplify it: at most 50 conditions, five levels deep, the segments it is built on included.": (
        "Simplifique-o: no máximo 50 condições e cinco níveis, incluídos os "
        "segmentos em que ele se baseia."
    ),
}
