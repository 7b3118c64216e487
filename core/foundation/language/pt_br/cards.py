"""Deals, in Portuguese."""

SENTENCES = {
    "Send titulo or texto": "Envie titulo ou texto",
    "The pipeline that the card is on has no such stage": "O pipeline do card não tem essa etapa",
    "A deal is reopened in a stage with the outcome aberta": (
        "Um negócio é reaberto em uma etapa com resultado aberta"
    ),
    "The cursor is not one that a list in this order gave": (
        "O cursor não é um dos que uma lista nesta ordem forneceu"
    ),
    "The stage demands what the card lacks: {names}.": (
        "A etapa exige o que falta ao card: {names}."
    ),
    "The stage demands this field": "A etapa exige este campo",
    "Say for which of the pipeline's reasons it is lost": (
        "Diga por qual dos motivos do pipeline o negócio foi perdido"
    ),
    "This reason needs a note": "Este motivo exige uma observação",
    "Only a deal that enters a stage with the outcome perda has this": (
        "Só um negócio que entra em uma etapa com resultado perda tem este campo"
    ),
    "A card changes its stage with POST /cards/{{id}}/mover": (
        "Um card muda de etapa com POST /cards/{{id}}/mover"
    ),
    "The pipeline is archived; take it out of the archive, or use another one.": (
        "O pipeline está arquivado; desarquive-o ou use outro."
    ),
    "The deal is won or lost already; reopen it first.": (
        "O negócio já foi ganho ou perdido; reabra-o primeiro."
    ),
    "The deal is open; there is nothing to reopen.": "O negócio está aberto; não há o que reabrir.",
    "The pipeline has no stage with the outcome ganho; add one first.": (
        "O pipeline não tem etapa com resultado ganho; crie uma primeiro."
    ),
    "The pipeline has no stage with the outcome perda; add one first.": (
        "O pipeline não tem etapa com resultado perda; crie uma primeiro."
    ),
    "More cards than can be moved at once lie in the stage; move some of them first.": (
        "A etapa tem mais cards do que podem ser movidos de uma vez; mova alguns primeiro."
    ),
    "Another card of this organization has this externalId; each belongs to one card.": (
        "Outro card desta organização já tem este externalId; cada um pertence a um só card."
    ),
    "Another card has this externalId": "Outro card já tem este externalId",
    "A card holds {MAX_FILES} files at most; delete one first.": (
        "Um card guarda no máximo {MAX_FILES} arquivos; exclua um primeiro."
    ),
    "The card has {MAX_FILES} files already": "O card já tem {MAX_FILES} arquivos",
    "This lies in the future; send when it happened": "Isto está no futuro; envie quando aconteceu",
    "Every contact is on a card once": "Cada contato aparece uma vez no card",
    "At most one contact of a card is the principal one": (
        "No máximo um contato de um card é o principal"
    ),
    "A card changes its stage, and with it its status, with /cards/{{id}}/mover": (
        "Um card muda de etapa, e com ela de status, com /cards/{{id}}/mover"
    ),
    "Send antesDe or depoisDe, not both": "Envie antesDe ou depoisDe, e não os dois",
    "This organization has no such contact": "Esta organização não tem esse contato",
    "This organization has no such message": "Esta organização não tem essa mensagem",
    "A deal is transferred to a stage with the outcome aberta": (
        "Um negócio é transferido para uma etapa com resultado aberta"
    ),
    "This organization has no such stage": "Esta organização não tem essa etapa",
    "Name another card that lies in the stage": "Indique outro card que esteja na etapa",
    "The pipeline has no such active reason": "O pipeline não tem esse motivo ativo",
}
