"""The kinds of steps, one module each, and the table of them."""

from core.journeys.runs.batch import StepKind
from core.journeys.runs.kinds import message, start, webhook

KINDS: dict[str, StepKind] = {
    "inicio": start.run,
    "mensagem": message.run,
    "webhook": webhook.run,
}
"""What each kind of step does."""
