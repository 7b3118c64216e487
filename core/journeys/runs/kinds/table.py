"""What each kind of step does: the table of the modules beside this one."""

from core.journeys.runs.batch import StepKind
from core.journeys.runs.kinds import (
    await_event,
    card,
    condition,
    leave,
    message,
    pause,
    split,
    start,
    update_contact,
    webhook,
)
from core.journeys.runs.leaving import leaving_first

KINDS: dict[str, StepKind] = {
    "inicio": start.run,
    "mensagem": leaving_first(message.run),
    "espera": pause.run,
    "aguardarEvento": await_event.run,
    "condicao": condition.run,
    "divisao": split.run,
    "atualizarContato": update_contact.run,
    "cardCriar": card.create,
    "cardMover": card.move,
    "webhook": webhook.run,
    "saida": leave.run,
}
"""What each kind of step does."""
