"""The rules that a send passes, in the order in which their trace tells them.

Every refusal names the rule that stopped it (`ServiceError.rule`); what each rule says to people is
`core.decisions.catalogue`.
"""

from core.foundation.described_enum import DescribedEnum


class Rule(DescribedEnum, rest="DecisionRule", graphql="DecisionRule"):
    """A rule that decides whether a message may be sent, and what became of it."""

    SCOPE = "escopo", "The credential may send on this channel"
    BODY = "corpo", "What was asked for is complete, and can be sent as it is"
    IDEMPOTENCY = "idempotencia", "The Idempotency-Key was not used for something else"
    CEILING = "teto_por_segundo", "No more is sent in a second than is contracted"
    ROUTE = "rota", "The route exists for this organization, with a price"
    PROVIDER = "provedor", "A provider carries the route"
    CONSENT = "consentimento", "The recipient did not ask not to be written to"
    SUPPRESSION = "supressao", "The address works, and never complained"
    WINDOW = "janela_24h", "The recipient wrote within 24 hours, or a template is sent"
    TEMPLATE = "template", "The template may be used, with these variables"
    SENDER = "numero", "What the message leaves from may send"
    QUIET_HOURS = "silencio", "It is not within the quiet hours"
    FREQUENCY = "teto_de_frequencia", "The recipient did not get too many messages"
    PACING = "ritmo", "The sender's pace has room for it"
    BALANCE = "saldo", "The wallet covers the price"
    PRICE = "preco", "What it costs"
    VALIDITY = "validade", "It is still worth sending"
    ANSWER = "resposta_do_provedor", "What the provider answered"
    RECEIPT = "recibo", "What was reported of the delivery"
