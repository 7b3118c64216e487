"""What was done about a deal, and what is to be done next."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

MAX_ACTIVITIES = 4
DONE_SHARE = 0.85
"""Of the tasks of the past."""

NOTES = (
    "Cliente pediu nova proposta com desconto para pagamento anual.",
    "Decisor em férias, retomar na volta.",
    "Gostou da demonstração; falta o aval do financeiro.",
    "Comparando com o fornecedor atual, contrato vence em três meses.",
    "Enviei a apresentação e os casos do setor.",
)
DATED = (
    ("tarefa", "Enviar proposta revisada"), ("tarefa", "Atualizar o cadastro"),
    ("tarefa", "Cobrar retorno"),
    ("ligacao", "Ligar para o decisor"), ("ligacao", "Retomar contato"),
    ("reuniao", "Demonstração do produto"),
    ("reuniao", "Alinhamento com o financeiro"), ("email", "Enviar minuta do contrato"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PastActivity:
    """Something done, or to be done if `done_at` is None."""

    kind: str
    title: str | None
    text: str | None
    due_at: datetime | None
    done_at: datetime | None
    created_at: datetime

    @property
    def updated_at(self) -> datetime:
        """When it was last written."""
        return self.done_at or self.created_at


def draw_activities(
    begin: datetime, closed_at: datetime | None, end: datetime, random: Random
) -> list[PastActivity]:
    """The activities of a deal that was opened at `begin`; `end` is the end of all that happened."""
    drawn = list(_past(begin, closed_at or end, random))
    if closed_at is None and random.random() < 0.7:
        kind, title = DATED[int(random.random() * len(DATED))]
        due_at = end + timedelta(days=-4 + 16 * random.random())
        created_at = max(begin, end - timedelta(days=6 * random.random(), hours=1))
        drawn.append(
            PastActivity(kind, title, None, _full_hour(max(due_at, created_at)), None, created_at)
        )
    return drawn


def _past(begin: datetime, end: datetime, random: Random) -> Iterator[PastActivity]:
    for _ in range(int(random.random() ** 1.6 * (MAX_ACTIVITIES + 1))):
        created_at = begin + random.random() * (end - begin)
        if random.random() < 0.4:
            yield PastActivity(
                "nota", None, NOTES[int(random.random() * len(NOTES))], None, None, created_at
            )
            continue
        kind, title = DATED[int(random.random() * len(DATED))]
        due_at = _full_hour(created_at + timedelta(days=5 * random.random()))
        done_at = created_at + random.random() * min(end - created_at, timedelta(days=6))
        done = random.random() < DONE_SHARE
        yield PastActivity(kind, title, None, due_at, done_at if done else None, created_at)


def _full_hour(at: datetime) -> datetime:
    return at.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
