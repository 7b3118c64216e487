"""What names mean that do not explain themselves, said once for all shapes that have them.

A field's own description goes before this.
"""

COINS = "1 coin = 0.0001 BRL"

GLOSSARY = {
    # Units
    "coins": COINS,
    "coinsEstimados": f"Held until the messages leave; {COINS}. Those inside a service window "
    f"cost nothing",
    "deslocamentoHoras": "Hours: before the date where negative, after it else",
    "duracaoHoras": "Hours",
    "intervaloReentradaHoras": "Hours after its end before a contact may enter again",
    "prazoHoras": "Hours",
    "segments": "How many SMS the text takes; each is charged",
    "WallClock.dias": "0 is Sunday; left out: any day",
    "MediaStorage.size": "Bytes",
    # Money of deals
    "percentual": "Per cent",
    # Pages
    "nextCursor": "Where the next page begins: send it back as `cursor`. Absent on the last page",
    "warnings": "What was passed over, such as parameters that do not exist, and what else is to "
    "be known; absent "
    "without any",
    "total": "How many there are on all pages together",
    # Whose, and what it refers to
    "appId": "The app's id, which you gave it",
    "batchId": "The bulk send or the resend that it belongs to",
    "attempts": "How often it was tried",
    "campaignId": "A tag of your own for the messages of one campaign",
    "quoteId": "The quote whose prices it paid at most",
    "etapaId": "The stage",
    "externalId": "The id in your own system",
    "inReplyTo": "The message that is answered",
    "metaMessageId": "The platform's id of the message; it holds the phone, so it is shown with "
    "pii:full only",
    "organizationId": "The organization that it belongs to",
    "priority": "What goes before what where messages wait",
    "provider": "What took it to the carrier",
    "replacedBy": "The message that was sent in its place",
    "replayed": "True: nothing new was sent, an earlier request had the same Idempotency-Key",
    "reprocessed": "It was sent again in place of one that failed",
    "replyTo": "The message of the conversation that is answered",
    "sentByAccountId": "The operator who sent it",
    "templateVars": "The texts of the template's variables, in their order",
    "trackLinks": "Addresses become short links, and each click is counted and told",
    "versaoDe": "What it is to replace",
    "Branch.proximo": "The step that these contacts go on to",
    # Times and absences
    "deliveredAt": "When it arrived, as the carrier or the platform tells it",
    "ListOfPerson.entrouEm": "When the person was put on it",
    "fuso": "A zone of the IANA database, such as America/Sao_Paulo",
    "readAt": "When the recipient opened it, where that is told",
    "scheduledAt": "When it is to leave",
    "sentAt": "When the provider took it",
}
"""By the name of a field, or by shape and name where only that shape means it so."""
