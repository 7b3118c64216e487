"""Providers, in Portuguese."""

SENTENCES = {
    "Name the message answered, by inReplyTo or reference": (
        "Indique a mensagem respondida, por inReplyTo ou reference"
    ),
    "Send the items as a list": "Envie os itens como uma lista",
    "Send at most {MAX_ITEMS} items at once": "Envie no máximo {MAX_ITEMS} itens por vez",
    (
        "The body is no notice of the platform: send the JSON object that it posts, "
        "with object and entry."
    ): (
        "O corpo não é um aviso da plataforma: envie o objeto JSON que ela publica, "
        "com object e entry."
    ),
    "Some items could not be read; none is stored.": (
        "Alguns itens não puderam ser lidos; nenhum foi gravado."
    ),
}
